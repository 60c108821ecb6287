"""What several writers may do to one store at once: put what is absent, swap what is known, hold a lease that ends."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from schemas.errors import ExpectedError
from warehouse import leases as leases_module
from warehouse.cache import limit_bytes
from warehouse.home import Home
from warehouse.leases import Leases
from warehouse.store import Store, StoreError

ROOT = Path(__file__).resolve().parents[2]
WRITERS, ROUNDS = 6, 10


@pytest.fixture(params=["folder", "bucket", "faulty bucket"])
def store(request, tmp_path, monkeypatch):
    monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "cache"))
    if request.param == "folder":
        yield Store(str(tmp_path / "home"))
        return
    served = request.getfixturevalue("served_bucket")
    opened = Store(served.home())
    served.faults = 0.05 if request.param == "faulty bucket" else 0.0
    yield opened
    served.faults = 0.0


def in_threads(work) -> list:
    results = []
    threads = [threading.Thread(target=lambda n=n: results.append(work(n))) for n in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == WRITERS
    return results


def test_of_many_writers_of_an_absent_key_one_wins(store):
    for number in range(3):
        key = f"a/{number}"
        won = in_threads(lambda n, key=key: (store.put_new(key, str(n).encode()), n))
        (winner,) = [n for is_first, n in won if is_first]
        assert store.read(key) == str(winner).encode()


def test_no_update_is_lost(store):
    store.put("seen", b"[]")

    def enter(writer):
        for number in range(ROUNDS):
            while True:
                data, tag = store.read_tagged("seen")
                seen = {*json.loads(data), f"{writer}/{number}"}  # bears being done twice: an answer may be lost
                if store.swap("seen", json.dumps(sorted(seen)).encode(), tag):
                    break

    in_threads(enter)
    assert len(json.loads(store.read("seen"))) == WRITERS * ROUNDS


def test_what_is_gone_is_not_swapped_and_a_key_that_is_not_there_is_none(store):
    store.put("a", b"one")
    _, tag = store.read_tagged("a")
    store.delete("a")
    assert not store.swap("a", b"two", tag)
    assert (store.exists("a"), store.read_if_there("a")) == (False, None)
    with pytest.raises(StoreError, match="holds no `a`"):
        store.read("a")
    store.delete("a")


def test_bytes_are_kept_here_and_fetched_anew_once_they_went_bad(store, tmp_path, monkeypatch):
    data = b"rows" * 1000
    name = hashlib.sha256(data).hexdigest()
    store.put(f"tables/{name}", data)
    for _ in range(2):
        with store.blob(f"tables/{name}", name) as (path, found):
            assert (path.read_bytes(), found) == (data, name)
    if store.is_local:
        return
    (kept,) = (tmp_path / "cache").rglob(name)
    kept.write_bytes(b"spoilt")
    with store.blob(f"tables/{name}", name) as (path, found):
        assert (path.read_bytes(), found) == (data, name)
    monkeypatch.setenv("TRIPWRIGHT_CACHE_MB", "0")
    other = hashlib.sha256(b"other").hexdigest()
    store.put(f"tables/{other}", b"other")
    with store.blob(f"tables/{other}", other) as (path, found):
        assert (path.read_bytes(), found) == (b"other", other)
    assert not list((tmp_path / "cache").rglob(other))
    store.put(f"tables/{name}", b"changed")
    with store.blob(f"tables/{name}", name) as (_, found):
        assert found != name


def test_a_limit_of_the_cache_that_is_no_number_is_an_error_of_the_reader_s(monkeypatch):
    monkeypatch.setenv("TRIPWRIGHT_CACHE_MB", "much")
    with pytest.raises(ExpectedError, match=r"\$TRIPWRIGHT_CACHE_MB: found 'much'; expected a whole number of MiB"):
        limit_bytes()


def test_the_limit_of_the_cache_is_of_all_stores_together(served_bucket, tmp_path, monkeypatch):
    monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIPWRIGHT_CACHE_MB", "1")
    blobs = {hashlib.sha256(data).hexdigest(): data for data in (b"0" * 700_000, b"1" * 700_000)}
    for name, data in blobs.items():
        one = Store(served_bucket.home())
        one.put(name, data)
        with one.blob(name, name) as (path, _):
            assert path.read_bytes() == data
    (kept,) = (path for path in (tmp_path / "cache").rglob("*") if path.is_file())
    assert kept.name == [*blobs][-1]


def test_a_lease_is_one_process_s_until_given_back(store):
    first, second = Leases(store), Leases(store)
    assert first.take("cells/a")
    assert (second.take("cells/a"), second.is_held("cells/a"), second.names_held("cells")) == (False, True, ["cells/a"])
    second.give_back("cells/a")  # not its own
    assert second.is_held("cells/a")
    first.give_back("cells/a")
    assert second.take("cells/a")
    second.give_back("cells/a")
    assert second.names_held("cells") == []


def test_a_lease_is_renewed_while_its_holder_lives_and_runs_out_when_nobody_does(store, monkeypatch):
    clock = [1000.0]
    monkeypatch.setattr(
        leases_module, "time", SimpleNamespace(time=lambda: clock[0], sleep=time.sleep, monotonic=lambda: clock[0])
    )
    monkeypatch.setattr(leases_module, "place", lambda: uuid.uuid4().hex)  # each on a machine that we cannot see
    first, second = Leases(store, lasts_s=0.3), Leases(store)
    assert first.take("a")
    for _ in range(3):
        clock[0] += 0.29
        assert second.is_held("a")
        while json.loads(store.read("leases/a"))["until"] < clock[0] + 0.3:  # until it is renewed
            time.sleep(0.01)
    monkeypatch.setattr(first, "_token_by_key", {})  # as if its process were gone
    while first._keeper is not None:
        time.sleep(0.01)
    clock[0] += 0.31
    assert not second.is_held("a")
    assert second.take("a")
    second.give_back("a")


@pytest.mark.parametrize("left", [b"", b"{", b"[]", b'{"until": "never"}', b'{"until": 1e99, "pid": "x"}'])
def test_a_torn_lease_is_nobodys(tmp_path, left):
    store = Store(str(tmp_path))
    store.put("leases/a", left)
    held = left == b'{"until": 1e99, "pid": "x"}'  # it says until when, and not who: it is believed
    assert Leases(store).take("a") is not held


HOLD = """
import sys, time; sys.path.insert(0, sys.argv[2])
from warehouse.home import Home
home = Home(sys.argv[1])
with home.building():
    home.leases.take("cells/x")
    print("holds", flush=True)
    time.sleep(600)
"""


def test_a_killed_process_on_this_machine_holds_nothing_off(tmp_path):
    url = str(tmp_path / "home")
    child = subprocess.Popen([sys.executable, "-c", HOLD, url, str(ROOT)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "holds\n"
    home = Home(url)
    assert (home.leases.is_held("cells/x"), len(home.leases.names_held("builds"))) == (True, 1)
    child.kill()
    child.wait()
    assert not home.leases.is_held("cells/x")
    waited = []
    with home.quiet(lambda: waited.append(1)):
        assert waited == []
    assert list(home.store.keys("leases/builds")) == []


def test_builds_do_not_wait_for_each_other_and_gc_waits_for_all(tmp_path):
    home, others = Home(str(tmp_path)), [Home(str(tmp_path)) for _ in range(3)]
    told, order = [], []

    def collect():
        with home.quiet(lambda: told.append("gc")):
            order.append("gc")

    def build_later():
        with others[2].building(lambda: told.append("build")):
            order.append("build")

    with others[0].building(), others[1].building():
        collecting = threading.Thread(target=collect)
        collecting.start()
        while not told:
            time.sleep(0.01)
        later = threading.Thread(target=build_later)
        later.start()
        while "build" not in told:
            time.sleep(0.01)
        assert order == []
    collecting.join()
    later.join()
    assert order == ["gc", "build"]


def test_a_place_is_told_by_the_running_system():
    assert leases_module.start_time(os.getpid()) != ""
    assert leases_module.start_time(2**22 + 1) == ""
    assert json.dumps(leases_module.place())


@pytest.mark.parametrize("url", ["gs://bucket/home", "https://example.org/home", "sftp://x/y"])
def test_an_address_of_another_kind_is_refused(url):
    with pytest.raises(StoreError, match=r"expected a folder or s3://BUCKET/PREFIX"):
        Store(url)


def test_a_bucket_that_is_not_there_is_named_by_whatever_needs_it(served_bucket, tmp_path):
    assert served_bucket.home()
    absent, file = Store("s3://nobody-made-this/home"), tmp_path / "file"
    file.write_bytes(b"x")
    needs: list[Callable[[], object]] = [
        lambda: absent.put("a", b"x"),
        lambda: absent.put_new("a", b"x"),
        lambda: absent.put_file("a", file),
        lambda: list(absent.keys("a")),
        lambda: absent.read("a"),
        lambda: Leases(absent).take("builds/1"),
    ]
    for need in needs:
        with pytest.raises(OSError, match="s3://nobody-made-this/home: found no such bucket"):
            need()
    assert not absent.exists("a")


def test_a_bucket_that_refuses_what_is_written_is_named_with_what_to_look_at(served_bucket):
    """It said "Access Denied", of nothing."""
    store = Store(served_bucket.home())
    store.put("a", b"one")
    _, tag = store.read_tagged("a")
    served_bucket.refuses_writes = True
    try:
        for write in (
            lambda: store.put("b", b"two"),
            lambda: store.put_new("b", b"two"),
            lambda: store.swap("a", b"two", tag),
            lambda: store.delete("a"),
        ):
            with pytest.raises(OSError, match=rf"{store.url}: Access Denied; .*check .*what they may do"):
                write()
    finally:
        served_bucket.refuses_writes = False
    assert store.read("a") == b"one"
