"""Snapshots: raw bytes by hash, verified on every read."""

from __future__ import annotations

import hashlib
import os

import pytest

from schemas.source import RowPointer, Snapshot, SourceError
from warehouse.snapshots import Snapshots
from warehouse.store import Store, StoreError


@pytest.fixture
def store(tmp_path):
    return Store(str(tmp_path / "home"))


def snapshot_of(data: bytes) -> Snapshot:
    sha256 = hashlib.sha256(data).hexdigest()
    return Snapshot(
        source="yelp", role="business", location="b.json", sha256=sha256, size_bytes=len(data), licence_id="MIT"
    )


def test_bytes_come_back_by_their_hash_even_when_the_file_is_gone(store, tmp_path):
    path = tmp_path / "b.json"
    path.write_bytes(b"{}\n")
    sha256, size, _ = Snapshots(store).add(path)
    path.unlink()
    assert (sha256, size) == (hashlib.sha256(b"{}\n").hexdigest(), 3)
    with Snapshots(store).open(snapshot_of(b"{}\n")) as raw:
        assert raw.read_bytes() == b"{}\n"


def test_a_flipped_byte_in_the_raw_store_is_found_and_named(store, tmp_path):
    path = tmp_path / "b.json"
    path.write_bytes(b'{"a": 1}\n')
    Snapshots(store).add(path)
    with Snapshots(store).open(snapshot_of(b'{"a": 1}\n')) as raw:
        raw.write_bytes(b'{"a": 2}\n')
    with (
        pytest.raises(StoreError, match=r"raw file b.json \(yelp.business\) has changed"),
        Snapshots(store).open(snapshot_of(b'{"a": 1}\n')),
    ):
        pytest.fail("changed bytes were handed out")


def test_an_edited_file_of_equal_size_is_hashed_again(store, tmp_path):
    path = tmp_path / "b.json"
    path.write_bytes(b"one")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    first = Snapshots(store).add(path)[0]
    assert Snapshots(store).add(path)[0] == first
    path.write_bytes(b"two")
    assert Snapshots(store).add(path)[0] == hashlib.sha256(b"two").hexdigest()


@pytest.mark.parametrize(("data", "told"), [(None, "found no file"), (b"", "found an empty file")])
def test_a_missing_or_empty_file_is_an_error_that_names_it(store, tmp_path, data, told):
    path = tmp_path / "b.json"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(SourceError, match=rf"b\.json: {told}"):
        Snapshots(store).add(path)


def test_a_folder_where_a_file_should_be_is_told_as_one(store, tmp_path):
    with pytest.raises(SourceError, match=r"found a folder; expected a file"):
        Snapshots(store).add(tmp_path)


def test_a_pointer_reads_back():
    snapshot = snapshot_of(b"x")
    assert RowPointer.parse(snapshot.pointer(12)) == RowPointer("yelp", "business", snapshot.sha256, "L12")
    assert RowPointer.parse(snapshot.pointer("a#b.txt:L3")).locator == "a#b.txt:L3"
    with pytest.raises(ValueError, match="is not a row pointer"):
        RowPointer.parse("yelp#L1")
