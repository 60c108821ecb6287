"""The ledger: one record a request, never replaced, whoever writes at once and whenever a writer is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from warehouse import ledger_files
from warehouse.ledger import Ledger
from warehouse.store import Store, StoreError

ROOT = Path(__file__).resolve().parents[2]
URL = "http://localhost/v1"
WRITER = """
import sys
from warehouse.ledger import Ledger
from warehouse.store import Store
ledger = Ledger(Store(sys.argv[1]))
for n in range(int(sys.argv[2]), 1_000_000):
    request = str(n).encode()
    ledger.add(request=request, endpoint="u", answer=sys.argv[3] * 2000)
    print(n, flush=True)
"""


@pytest.fixture(params=["folder", "bucket"])
def store(request, tmp_path):
    """A folder, and an object store in memory: it has no rename and no append."""
    return Store(str(tmp_path) if request.param == "folder" else f"memory://ledger-{tmp_path.name}-{time.time_ns()}")


def added(ledger: Ledger, request: bytes, answer: str, **facts):
    return ledger.add(request=request, endpoint=URL, answer=answer, **facts)


def test_an_answer_is_found_by_the_exact_request_and_endpoint(store):
    ledger = Ledger(store)
    added(ledger, b'{"q": 1}', "yes", cost=0.1)
    record = Ledger(store).find(ledger.key(b'{"q": 1}', URL))
    assert record is not None
    assert (record["answer"], record["cost"]) == ("yes", 0.1)
    assert ledger.find(ledger.key(b'{"q": 1} ', URL)) is None
    assert ledger.find(ledger.key(b'{"q": 1}', "http://elsewhere/v1")) is None


def test_request_and_endpoint_cannot_run_into_each_other():
    assert Ledger.key(b"ab", "c") != Ledger.key(b"a", "bc")


def test_the_first_answer_of_many_writers_stays_and_every_writer_learns_it(tmp_path):
    ledgers = [Ledger(Store(str(tmp_path))) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda n: added(ledgers[n % 8], b"q", str(n))["answer"], range(50)))
    assert len(set(told)) == 1
    assert [record["answer"] for record in Ledger(Store(str(tmp_path))).records()] == [told[0]]


def test_threads_of_one_ledger_take_turns_from_the_first_call(tmp_path, monkeypatch):
    """Two that opened the lock's file at once let go the wrong one, and all waited for ever."""
    system_open, refresh, delays_s = os.open, Ledger.refresh, iter([0.2, *[0.4] * 20])

    def slow_open(path, *given):
        if str(path).endswith("lock"):
            time.sleep(next(delays_s))
        return system_open(path, *given)

    def slow_refresh(ledger):
        time.sleep(0.3)
        refresh(ledger)

    monkeypatch.setattr(os, "open", slow_open)
    monkeypatch.setattr(Ledger, "refresh", slow_refresh)
    ledger, answers = Ledger(Store(str(tmp_path))), list[str]()
    threads = [
        threading.Thread(target=lambda n=n: answers.append(added(ledger, b"q", str(n))["answer"]), daemon=True)
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert len(answers) == 8
    assert len(set(answers)) == 1
    assert [record["answer"] for record in Ledger(Store(str(tmp_path))).records()] == answers[:1]


def found(ledger: Ledger, request: bytes) -> dict:
    record = ledger.find(Ledger.key(request, URL))
    assert record is not None
    return record


def test_two_ledgers_see_each_others_records_at_once(store):
    one, other = Ledger(store), Ledger(store)
    added(one, b"a", "1")
    assert found(other, b"a")["answer"] == "1"
    added(other, b"b", "2")
    assert found(one, b"b")["answer"] == "2"


def test_closing_keeps_everything(store):
    ledger = Ledger(store)
    for n in range(5):
        added(ledger, str(n).encode(), "x")
    ledger.close()
    added(ledger, b"later", "x")
    assert len(list(Ledger(store).records())) == 6
    assert len(list(ledger.records())) == 6


def test_a_killed_writer_loses_nothing_it_reported_and_spoils_nothing(tmp_path):
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    both = [subprocess.Popen([*command, "0", w], cwd=ROOT, stdout=subprocess.PIPE, text=True) for w in "ab"]
    assert all(writer.stdout for writer in both)
    heard = [[writer.stdout.readline() for _ in range(20)] for writer in both if writer.stdout]
    for writer in both:
        os.kill(writer.pid, signal.SIGKILL)
    rest = [writer.communicate()[0].split("\n")[:-1] for writer in both]
    reported = {int(n) for part in (*heard, *rest) for n in part}
    records = list(Ledger(Store(str(tmp_path))).records())
    assert len(reported) >= 20
    assert {int(r["request"]) for r in records} >= reported
    assert all(set(r["answer"]) in ({"a"}, {"b"}) for r in records)


def test_an_unfinished_line_is_not_read_and_what_follows_it_is_not_lost(tmp_path):
    ledger = Ledger(Store(str(tmp_path)))
    added(ledger, b"a", "1")
    ledger.close()
    file = next((tmp_path / "ledger").glob("*.jsonl"))
    file.write_bytes(file.read_bytes() + b'{"key":"' + b"f" * 64 + b'","requ')
    again = Ledger(Store(str(tmp_path)))
    added(again, b"b", "2")
    assert [r["answer"] for r in sorted(Ledger(Store(str(tmp_path))).records(), key=lambda r: r["request"])] == [
        "1",
        "2",
    ]


def test_a_full_disk_is_one_clear_error_and_spoils_nothing(tmp_path, monkeypatch):
    ledger = Ledger(Store(str(tmp_path)))
    added(ledger, b"a", "1")
    write = os.write
    monkeypatch.setattr(ledger_files.os, "write", lambda fd, data: write(fd, data[: len(data) // 2]))
    with pytest.raises(StoreError, match=r"No space left on device.*free space on its disk and build again"):
        added(ledger, b"b", "2")
    monkeypatch.undo()
    added(ledger, b"c", "3")
    assert [r["answer"] for r in Ledger(Store(str(tmp_path))).records()] in (["1", "3"], ["3", "1"])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_the_device_that_is_always_full_gives_the_same_error(tmp_path, monkeypatch):
    ledger = Ledger(Store(str(tmp_path)))
    added(ledger, b"a", "1")
    monkeypatch.setattr(ledger._lines, "_own_fd", os.open("/dev/full", os.O_WRONLY))
    with pytest.raises(StoreError, match="No space left on device"):
        added(ledger, b"b", "2")


def test_a_record_that_was_changed_is_found_out(tmp_path):
    ledger = Ledger(Store(str(tmp_path)))
    added(ledger, b"what", "1")
    file = next((tmp_path / "ledger").glob("*.jsonl"))
    file.write_bytes(file.read_bytes().replace(b'"request":"what"', b'"request":"that"'))
    with pytest.raises(StoreError, match="holds another call"):
        Ledger(Store(str(tmp_path))).find(Ledger.key(b"what", URL))


@pytest.mark.parametrize("key", [b"f" * 63 + b"g", b"f" * 10, b"\xff" * 64, b" " * 64])
def test_a_line_whose_key_is_damaged_is_no_record_and_spoils_nothing(tmp_path, key):
    ledger = Ledger(Store(str(tmp_path)))
    added(ledger, b"a", "1")
    (tmp_path / "ledger" / "0.jsonl").write_bytes(b'{"key":"' + key + b'","request":"b"}\n')
    assert [record["answer"] for record in Ledger(Store(str(tmp_path))).records()] == ["1"]


def test_removing_keeps_the_others_byte_for_byte(store):
    ledger = Ledger(store)
    kept = added(ledger, b"a", "\u2028 line separators and \x85 stay \U0001f3d4", revision="r1")
    added(ledger, b"b", "2", revision="r2")
    assert ledger.remove(lambda record: record["revision"] == "r2") == 1
    assert list(ledger.records()) == list(Ledger(store).records()) == [kept]
    assert json.dumps(kept)
