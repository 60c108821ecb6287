"""A recipe's lock that several builds write: no change of one is lost to another."""

from __future__ import annotations

import threading

import pytest

from pipelines.walk.locks import merged, read_lock, write_lock
from schemas.recipe import RecipeLock, RetiredTask
from schemas.source import Snapshot


def snapshot(name: str, content: str) -> Snapshot:
    return Snapshot(
        source="yelp", role="review", location=name, sha256=content * 64, size_bytes=1, licence_id="MIT"
    )  # fmt: skip


def lock(retired: str = "", **files: str) -> RecipeLock:
    gone = [RetiredTask(task_id=task, family="f", city_id="c", reason="r") for task in retired]
    return RecipeLock(recipe="r", snapshots=[snapshot(n, c) for n, c in files.items()], retired=gone).sealed()


@pytest.mark.parametrize(
    ("before", "now", "ours", "expected"),
    [
        (lock(a="1", b="1"), lock(a="2", b="1"), lock(a="1", b="2"), lock(a="2", b="2")),
        (lock(a="1"), lock(a="2"), lock(a="3"), lock(a="3")),
        (lock(a="1", b="1"), lock(a="2", b="1"), lock(b="1"), lock(b="1")),
        (lock(a="1"), lock(a="1", b="1"), lock(a="1", c="1"), lock(a="1", c="1")),
        (lock(a="1"), lock("x", a="1"), lock("y", a="1"), lock("yx", a="1")),
        (lock("x", a="1"), lock("x", a="2"), lock(a="1"), lock(a="2")),
        (None, lock("x", a="1"), lock(a="2"), lock("x", a="2")),
    ],
)
def test_what_another_changed_and_we_did_not_stays(before, now, ours, expected):
    assert merged(ours, before, now) == expected


def test_many_builds_that_each_change_one_file_lose_none(tmp_path):
    path = tmp_path / "r.lock.json"
    names = [f"f{n}" for n in range(8)]
    before = lock(**dict.fromkeys(names, "0"))
    write_lock(path, before, None)

    def change(name: str) -> None:
        write_lock(path, lock(**{**dict.fromkeys(names, "0"), name: "1"}), before)

    threads = [threading.Thread(target=change, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read_lock(path) == lock(**dict.fromkeys(names, "1"))
    assert [p.name for p in tmp_path.iterdir()] == ["r.lock.json"]
