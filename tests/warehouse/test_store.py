"""The store: whole files or none, whoever is killed; keys that stay inside."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from tests.bucket import ENVIRONMENT
from warehouse import bucket
from warehouse.store import Store, StoreError


@pytest.fixture
def store(tmp_path):
    return Store(str(tmp_path / "home"))


def test_a_pointer_is_replaced_as_a_whole(store):
    store.put("a/b", b"one")
    store.put("a/b", b"two")
    assert store.read("a/b") == b"two"
    assert list(store.keys("a")) == ["a/b"]


def test_a_missing_key_is_an_error_that_says_what_to_do(store):
    with pytest.raises(StoreError, match="holds no `a`; build again"):
        store.read("a")


@pytest.mark.parametrize("key", ["", "..", "a/../b", "/etc/passwd", "a//b", "a\0b"])
def test_a_key_cannot_leave_the_store(store, key):
    with pytest.raises(ValueError, match="is not a key"):
        store.put(key, b"")


def test_the_same_works_on_an_object_store():
    store = Store("memory://tripwright-test-store")
    store.put("a/b", b"one")
    with store.local("a/b") as path:
        assert path.read_bytes() == b"one"
    assert list(store.keys("a")) == ["a/b"]
    store.delete("a/b")
    assert not store.exists("a/b")


@pytest.fixture
def asked_once(monkeypatch):
    """Set an account of no bucket's, whose server is not asked again and again."""
    for name, value in {**ENVIRONMENT, "AWS_ENDPOINT_URL": "http://127.0.0.1:9", "AWS_MAX_ATTEMPTS": "1"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(bucket, "REQUEST_TRIES", 1)
    monkeypatch.setattr(bucket, "BUCKET_OPTIONS", {"use_listings_cache": False, "skip_instance_cache": True})


@pytest.mark.parametrize(
    ("variable", "value", "reason"),
    [("AWS_ENDPOINT_URL", "http://127.0.0.1:9", "Could not connect"), ("AWS_ENDPOINT_URL", "here", "Invalid endpoint"),
     ("AWS_ACCESS_KEY_ID", None, "credentials")],
)  # fmt: skip
def test_a_bucket_that_cannot_be_asked_is_an_error_of_the_machine(asked_once, monkeypatch, variable, value, reason):
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.delenv(variable) if value is None else monkeypatch.setenv(variable, value)
    store = Store("s3://no-bucket/home")
    for ask in (lambda: list(store.keys("a")), lambda: store.put("a", b""), lambda: store.put_new("a", b"")):
        with pytest.raises(OSError, match=rf"s3://no-bucket/home: .*{reason}.*AWS_ACCESS_KEY_ID.*AWS_ENDPOINT_URL"):
            ask()


def test_a_bucket_that_is_not_there_is_named_and_not_taken_for_a_missing_key(served_bucket):
    store = Store("s3://no-bucket/home")
    for ask in (lambda: store.put("a", b""), lambda: store.put_new("a", b""), lambda: store.swap("a", b"", "tag")):
        with pytest.raises(OSError, match="s3://no-bucket/home: found no such bucket; make it first") as raised:
            ask()
        assert not isinstance(raised.value, FileNotFoundError)


@pytest.mark.parametrize("url", ["s3://", "s3:///home"])
def test_a_bucket_without_a_name_is_refused(url):
    with pytest.raises(StoreError, match="found no name of a bucket; expected s3://BUCKET/PREFIX"):
        Store(url)


def test_scratch_of_a_killed_process_is_swept_and_that_of_a_live_one_kept(store, tmp_path):
    code = (
        "import sys, time; sys.path.insert(0, sys.argv[2]); from warehouse.store import Store\n"
        "with Store(sys.argv[1]).scratch() as f: (f / 'half').write_text('x'); print(f, flush=True); time.sleep(60)"
    )
    root = str(Path(__file__).resolve().parents[2])
    child = subprocess.Popen([sys.executable, "-c", code, store.url, root], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    folder = Path(child.stdout.readline().strip())
    store.sweep_scratch()
    assert (folder / "half").exists()
    child.kill()
    child.wait()
    store.sweep_scratch()
    assert not folder.exists()


def test_scratch_of_another_machine_is_kept_until_it_is_a_week_old(store, tmp_path):
    """A folder is shared by machines: one's process is unknown to the other, however alive."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with store.scratch() as mine:
        pid, place, rest = mine.name.split("-", 2)
        assert int(pid) == os.getpid()
        foreign = mine.with_name(f"{gone.pid}-{place[::-1]}-{rest}")
        foreign.mkdir()
        (mine.parent / "swap").touch()
        store.sweep_scratch()
        assert foreign.exists() and (mine.parent / "swap").exists()
        week_ago = time.time() - 8 * 86_400
        for path in (foreign, mine.parent / "swap"):
            os.utime(path, (week_ago, week_ago))
        store.sweep_scratch()
        assert not foreign.exists() and (mine.parent / "swap").exists() and mine.exists()


def test_a_file_is_no_store_and_what_is_not_there_may_become_one(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for name in ("file", "link"):
        with pytest.raises(StoreError, match=f"{name}: found what is no folder; expected one"):
            Store(str(tmp_path / name))
    Store(str(tmp_path / "new")).put("a", b"a")
    assert (tmp_path / "new" / "a").read_bytes() == b"a"


def test_a_path_that_is_not_in_utf_8_is_refused_with_what_to_do(tmp_path):
    with pytest.raises(StoreError, match=r"not in UTF-8; expected one.*LANG=C.UTF-8"):
        Store(f"{tmp_path}/b\udcff")


def test_a_bucket_that_keeps_silent_is_told_once_while_it_is_waited_for(served_bucket, monkeypatch):
    url = served_bucket.home()
    monkeypatch.setattr(bucket, "SILENT_AFTER_S", 0.1)
    monkeypatch.setattr(served_bucket, "delay_s", 0.4)
    served_bucket.at[served_bucket.requests + 4] = lambda: setattr(served_bucket, "delay_s", 0.0)
    answer = CliRunner().invoke(
        app, ["tables", str(Path(__file__).parents[2] / "recipes" / "demo.toml"), "--home", url]
    )
    lines = [line for line in answer.stderr.splitlines() if "no answer" in line]
    assert lines == [f"asking {url} at {served_bucket.url}: no answer for 0.1 s; waiting on. Ctrl-C ends it"]


def test_a_server_that_knows_no_bucket_is_told_with_the_bucket(asked_once, monkeypatch):
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    monkeypatch.setattr(BaseHTTPRequestHandler, "do_GET", lambda asked: asked.send_error(404), raising=False)
    monkeypatch.setattr(BaseHTTPRequestHandler, "log_message", lambda *_: None)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
    with pytest.raises(OSError, match="s3://no-bucket/home: found no such bucket"):
        list(Store("s3://no-bucket/home").all_keys())
    server.shutdown()
