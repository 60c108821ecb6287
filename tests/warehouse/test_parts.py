"""What is being written beside what people named: whole or not there, and nothing left for ever by who was killed."""

from __future__ import annotations

import errno
import os
import subprocess
import sys

import pytest

from tests.hostile.permissions import as_anybody
from warehouse.backends import backend_of
from warehouse.disk import DiskFullError, put_whole, writing
from warehouse.owners import part


def of_the_dead(folder) -> str:
    """Return the name of a part whose process is gone."""
    code = "import sys; from pathlib import Path; from warehouse.owners import part; print(part(Path(sys.argv[1])))"
    words = [sys.executable, "-c", code, str(folder)]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def test_who_writes_next_removes_what_the_dead_left_and_nothing_of_the_living(tmp_path):
    dead_file, dead_folder = of_the_dead(tmp_path), of_the_dead(tmp_path)
    (tmp_path / "page.html").write_bytes(b"old")
    living, somebodys = part(tmp_path), tmp_path / ".part-of-mine"
    sparks = tmp_path / ".part-00000-5f3c2a1b-9d8e-4f7a-8b6c-0123456789ab-c000.snappy.parquet.crc"
    for path in (dead_file, living, somebodys, sparks):
        with open(path, "wb") as file:  # noqa: PTH123
            file.write(b"half")
    os.utime(sparks, (0, 0))
    os.makedirs(f"{dead_folder}/datas")  # noqa: PTH103
    put_whole(tmp_path / "page.html", b"new", "the page")
    assert {path.name for path in tmp_path.iterdir()} == {"page.html", living.name, somebodys.name, sparks.name}
    assert (tmp_path / "page.html").read_bytes() == b"new"


def test_what_cannot_be_listed_is_not_taken_for_absent(tmp_path):
    folder = backend_of(str(tmp_path))
    assert folder.find(f"{tmp_path}/releases") == []
    (tmp_path / "releases" / "demo").mkdir(parents=True)
    (tmp_path / "releases" / "demo").chmod(0o000)
    with as_anybody(), pytest.raises(PermissionError):
        folder.find(f"{tmp_path}/releases")


def test_of_a_copy_the_disk_is_told_that_it_was_to_go_to(tmp_path):
    for name in ("from", "to"):
        (tmp_path / name).mkdir()
    copied = OSError(errno.ENOSPC, "No space left on device", str(tmp_path / "from" / "a"), None, str(tmp_path / "to"))
    with pytest.raises(DiskFullError) as told, writing("a copy"):
        raise copied
    assert f"a copy was being written to {tmp_path / 'to'}" in str(told.value)
