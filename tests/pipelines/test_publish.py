"""A release sent to a folder, to S3 and to a stand-in for the Hub: dry first, manifest last, continued, verified."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import signal
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from assets.release.reading import ReleaseError, open_release
from pipelines.releases.publish import HUB_VARIABLE, open_target, publish
from tests.hostile.dying import died
from tests.recipes import command
from warehouse.snapshots import Snapshots
from warehouse.store import Store

NO_FILES = Snapshots(Store("nowhere"))
"""A raw store without files: of them a release that nobody corrected needs none to be published."""


@pytest.fixture
def release(small_world):
    return small_world.releases["itinbench"]


def listed(release: Path) -> set[str]:
    """Return what is to be sent: the manifest, what it lists, and the pictures that the card shows."""
    files = {f["path"] for f in json.loads((release / "manifest.json").read_text())["files"]}
    pictures = re.findall(r"\]\((record/maps/[^)]+)\)", (release / "README.md").read_text(encoding="utf-8"))
    assert pictures
    return {*files, *pictures, "manifest.json"}


def files_in(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_dry_run_says_what_would_be_sent_and_sends_nothing(release, small_world, tmp_path):
    code, told = command("publish", release, tmp_path / "out", home=small_world.home)
    assert (code, told["is_done"], told["licence"]) == (0, False, "CC0-1.0")
    assert set(told["files"]) == listed(release)
    assert told["bytes_to_send"] == sum((release / name).stat().st_size for name in listed(release))
    assert not (tmp_path / "out").exists()


def test_a_folder_gets_every_file_and_of_the_record_the_cards_pictures_alone(release, small_world, tmp_path):
    code, told = command("publish", release, tmp_path / "out", "--yes", home=small_world.home)
    assert (code, told["is_done"]) == (0, True)
    assert told["sent"][-1] == "manifest.json"
    found = files_in(tmp_path / "out")
    assert set(found) == listed(release)
    assert all(found[name] == (release / name).read_bytes() for name in found)
    assert command("publish", tmp_path / "out", tmp_path / "again", home=small_world.home)[0] == 0


def test_a_broken_transfer_is_continued_and_has_no_manifest(release, tmp_path, monkeypatch):
    opened, target = open_release(release), open_target(str(tmp_path / "out"))
    send = type(target).send

    def breaks(self, name, path):
        if name == "tasks.parquet":
            raise OSError("the line broke")
        send(self, name, path)

    monkeypatch.setattr(type(target), "send", breaks)
    with pytest.raises(OSError, match="the line broke"):
        publish(opened, target, "out", NO_FILES, do=True)
    there = set(files_in(tmp_path / "out"))
    assert there
    assert "manifest.json" not in there
    monkeypatch.setattr(type(target), "send", send)
    told = publish(opened, target, "out", NO_FILES, do=True)
    assert set(told.already_there) == there
    assert set(told.sent) == listed(release) - there


@pytest.mark.parametrize("moment", [5, 21, 60])
def test_killed_while_it_sends_the_next_one_leaves_no_file_more(moment, release, small_world, tmp_path):
    target = tmp_path / "out"
    words = ("publish", release, target, "--yes", "--home", small_world.home)
    assert died(moment, target, *words) == (-signal.SIGKILL, 0)
    assert not (target / "manifest.json").exists()
    assert command("publish", release, target, "--yes", home=small_world.home)[0] == 0
    assert {p.relative_to(target).as_posix() for p in target.rglob("*") if p.is_file()} == listed(release)


def test_a_release_that_another_was_published_beside_meanwhile_is_not_put_over_it(release, small_world, tmp_path):
    opened, target = open_release(release), open_target(str(tmp_path / "out"))
    other = small_world.releases["tripcraft"] / "manifest.json"
    sent = []

    def beside(line: str) -> None:
        sent.append(line)
        if len(sent) == 2:
            shutil.copyfile(other, tmp_path / "out" / "manifest.json")

    with pytest.raises(ReleaseError, match="found the manifest of another release"):
        publish(opened, target, "out", NO_FILES, do=True, say=beside)
    assert len(sent) == 2
    assert (tmp_path / "out" / "manifest.json").read_bytes() == other.read_bytes()


def test_what_did_not_arrive_whole_is_told_and_gets_no_manifest(release, tmp_path, monkeypatch):
    target = open_target(str(tmp_path / "out"))
    send = type(target).send

    def spoils(self, name, path):
        send(self, name, path)
        if name == "README.md":
            (tmp_path / "out" / name).write_bytes(b"x" * path.stat().st_size)

    monkeypatch.setattr(type(target), "send", spoils)
    with pytest.raises(ReleaseError, match=r"README\.md did not arrive as sent"):
        publish(open_release(release), target, "out", NO_FILES, do=True)
    assert "manifest.json" not in files_in(tmp_path / "out")


def test_a_picture_that_is_a_link_and_one_of_no_city_are_not_sent(release, small_world, tmp_path):
    copy = tmp_path / release.name
    shutil.copytree(release, copy)
    (copy / "record/maps/stranger.png").write_bytes(b"\x89PNG of nobody's city")
    _, told = command("publish", copy, tmp_path / "out", home=small_world.home)
    assert set(told["files"]) == listed(release)
    picture = min((copy / "record/maps").glob("us-*.png"))
    (tmp_path / "secret").write_text("not yours")
    picture.unlink()
    picture.symlink_to(tmp_path / "secret")
    code, told = command("publish", copy, tmp_path / "out", "--yes", home=small_world.home)
    assert code == 1
    assert f"{picture.name}: a link that leads out of its place" in told["error"]
    assert not (tmp_path / "out").exists()


def test_a_target_with_other_files_and_a_damaged_release_are_refused(release, small_world, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    code, told = command("publish", release, tmp_path / "out", "--yes", home=small_world.home)
    assert (code, "notes.txt" in told["error"]) == (1, True)
    copy = shutil.copytree(release, tmp_path / "copy")
    (copy / "README.md").write_text("other")
    code, told = command("publish", copy, tmp_path / "other", "--yes", home=small_world.home)
    assert (code, "README.md: changed" in told["error"]) == (1, True)
    assert not (tmp_path / "other").exists()


def test_what_a_licence_forbids_is_refused_by_table_and_licence(release, small_world, tmp_path):
    copy = shutil.copytree(release, tmp_path / "copy")
    text = (copy / "manifest.json").read_text().replace("LicenseRef-invented", "LicenseRef-Yelp")
    text = text.replace('"sharing": "rows"', '"sharing": "derived"')
    (copy / "manifest.json").write_text(text)
    for words in ((), ("--yes",)):
        code, told = command("publish", copy, tmp_path / "out", *words, home=small_world.home)
        assert code == 1
        assert "itinbench_place: name, address" in told["error"]
        assert "LicenseRef-Yelp" in told["error"]
    assert not (tmp_path / "out").exists()


@pytest.fixture
def bucket(monkeypatch):
    """Return the name of an empty bucket on a local server."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer(port=0)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()
    s3fs.S3FileSystem().mkdir("public")
    yield "public"
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


@pytest.mark.parametrize("target", ["hf://me/demo", "hub://me/demo", "gs://bucket/demo", "ftp://host/demo"])
def test_of_an_address_that_is_no_target_it_is_said_what_is_one(target):
    with pytest.raises(ReleaseError, match=r"expected a folder, s3://BUCKET/PREFIX or hf://datasets/USER/NAME"):
        open_target(target)


def test_a_bucket_gets_every_file_and_nothing_twice(release, small_world, bucket):
    import s3fs

    url = f"s3://{bucket}/demo"
    code, told = command("publish", release, url, "--yes", home=small_world.home)
    assert (code, told["sent"][-1]) == (0, "manifest.json"), told
    there = s3fs.S3FileSystem().find(f"{bucket}/demo")
    assert {path.removeprefix(f"{bucket}/demo/") for path in there} == listed(release)
    code, again = command("publish", release, url, "--yes", home=small_world.home)
    assert (code, again["sent"], again["bytes_to_send"]) == (0, [], 0)


class StandIn(BaseHTTPRequestHandler):
    """As much of the Hub as an upload needs: one dataset repository whose files are kept in memory."""

    files: ClassVar[dict[str, bytes]]
    commits: ClassVar[list[str]]
    tokens: ClassVar[set[str | None]]
    made = False

    def log_message(self, format, *args):
        pass

    def do_GET(self):
        cls = type(self)
        if "/tree/" not in self.path or not cls.made:
            self.send_response(404)
            self.send_header("X-Error-Code", "RepoNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        entries = [
            {
                "type": "file",
                "path": name,
                "size": len(data),
                "oid": hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest(),
            }
            for name, data in cls.files.items()
        ]
        self.answer(entries)

    def do_POST(self):
        cls = type(self)
        cls.tokens.add(self.headers.get("Authorization"))
        here = f"http://{self.headers['Host']}/datasets/me/demo"
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.startswith("/api/repos/create"):
            cls.made = True
            self.answer({"url": here, "id": "1"})
        elif "/preupload/" in self.path:
            names = [f["path"] for f in json.loads(body)["files"]]
            self.answer(
                {"files": [{"path": n, "uploadMode": "regular", "shouldIgnore": False, "oid": None} for n in names]}
            )
        elif "/commit/" in self.path:
            for line in body.splitlines():
                part = json.loads(line)
                if part["key"] == "file":
                    cls.files[part["value"]["path"]] = base64.b64decode(part["value"]["content"])
                    cls.commits.append(part["value"]["path"])
            self.answer(
                {
                    "commitUrl": f"{here}/commit/1",
                    "commitOid": "1",
                    "hookOutput": "",
                    "success": True,
                }
            )
        else:
            self.answer({})

    def answer(self, value):
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def hub(monkeypatch):
    """Return a stand-in for the Hub that is running; no token is set."""
    standin = type("Hub", (StandIn,), {"files": {}, "commits": [], "tokens": set()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), standin)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.delenv(HUB_VARIABLE, raising=False)
    yield standin
    server.shutdown()
    server.server_close()


def test_the_hub_gets_every_file_the_manifest_last(release, small_world, hub, monkeypatch):
    code, told = command("publish", release, "hf://datasets/me/demo", home=small_world.home)
    assert (code, "$HF_TOKEN is not set" in told["error"]) == (1, True)
    monkeypatch.setenv(HUB_VARIABLE, "hf_not_a_real_token")
    code, told = command("publish", release, "hf://datasets/me/demo", "--yes", home=small_world.home)
    assert code == 0, told
    assert hub.commits[-1] == "manifest.json"
    assert {name: hub.files[name] for name in hub.files} == {n: (release / n).read_bytes() for n in listed(release)}
    assert hub.tokens == {"Bearer hf_not_a_real_token"}
    assert "hf_not_a_real_token" not in json.dumps(told)
    hub.files["README.md"] = b"changed there"
    code, again = command("publish", release, "hf://datasets/me/demo", "--yes", home=small_world.home)
    assert (code, again["sent"]) == (0, ["README.md"])


@pytest.mark.parametrize("words", [(), ("--yes",)])
def test_a_release_is_never_put_over_another_one_of_the_hub(words, release, small_world, hub, monkeypatch):
    monkeypatch.setenv(HUB_VARIABLE, "hf_not_a_real_token")
    hub.made = True
    before = dict.fromkeys(listed(release), b"of the last release")
    hub.files |= before
    code, told = command("publish", release, "hf://datasets/me/demo", *words, home=small_world.home)
    assert (code, hub.files, hub.commits) == (1, before, [])
    assert "found the manifest of another release" in told["error"]
    assert release.name in told["error"]
