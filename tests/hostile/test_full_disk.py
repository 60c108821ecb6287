"""A home on a disk of 50 MB that fills up, step after step: what is said, and what is there when it has room again."""

from __future__ import annotations

import errno
import os
import re
import resource
import shutil
from pathlib import Path

import pytest

from tests.hostile.full_disk import BLOCK, CannotMountError, Filler, released_on, small_disk, through_full_disks
from tests.pipelines.conftest import recipe_text, towns
from tests.recipes import command, hashed_files
from warehouse.disk import DiskFullError, put_whole, writing

TIMES = 5
"""How often here; `python -m perf.trials --full` does it thirty times."""


def small(folder: Path, cities: int = 1) -> Path:
    """Write a recipe of few cities and tasks."""
    recipe = folder / "small.toml"
    recipe.write_text(recipe_text(cities=cities, tasks=2), encoding="utf-8")
    return recipe


def test_each_full_disk_is_told_nothing_is_released_and_the_bytes_are_the_same_in_the_end(tmp_path_factory, tmp_path):
    undisturbed = towns(tmp_path_factory, "one_town", cities=1)
    recipe = undisturbed.copied_recipe(tmp_path)
    try:
        with small_disk(tmp_path / "disk") as disk:
            trial = through_full_disks(disk, recipe, TIMES, seed=1)
            found = released_on(disk, trial)
    except CannotMountError as error:
        pytest.skip(str(error))
    assert (len(set(trial.at)), trial.wrong) == (TIMES, [])
    assert trial.sized >= TIMES // 2
    assert found == hashed_files(undisturbed.release)


def test_on_a_disk_with_no_byte_left_gc_frees_what_it_says_it_frees(tmp_path_factory, tmp_path):
    town = towns(tmp_path_factory, "one_town", cities=1)
    try:
        with small_disk(tmp_path / "disk") as disk:
            home = shutil.copytree(town.home, disk / "home")
            Filler(disk).fill(0)
            with pytest.raises(OSError, match="No space"):
                (disk / "more").write_bytes(bytes(BLOCK))
            code, answer = command("gc", "--delete", home=home)
    except CannotMountError as error:
        pytest.skip(str(error))
    assert (code, answer.get("error"), answer.get("deleted")) == (0, None, True)


def test_what_a_person_named_is_written_whole_or_not_at_all_and_its_own_disk_is_told(tmp_path):
    try:
        with small_disk(tmp_path / "disk") as disk:
            Filler(disk).fill(BLOCK)
            page = disk / "page.html"
            page.write_bytes(b"before")
            with pytest.raises(DiskFullError, match=re.escape(f"mounted at {disk}")) as told:
                put_whole(page, bytes(9 * BLOCK), "the page page.html")
            assert "the page page.html was being written" in str(told.value)
            assert (page.read_bytes(), list(disk.glob(".part*"))) == (b"before", [])
    except CannotMountError as error:
        pytest.skip(str(error))


def test_a_link_is_written_through_and_a_pipe_is_written_to(tmp_path):
    (tmp_path / "page.html").symlink_to(tmp_path / "elsewhere.html")
    put_whole(tmp_path / "page.html", b"new", "the page")
    assert (tmp_path / "elsewhere.html").read_bytes() == b"new" and (tmp_path / "page.html").is_symlink()
    with pytest.raises(FileNotFoundError) as told:
        put_whole(tmp_path / "none" / "page.html", b"new", "the page")
    assert told.value.filename == str(tmp_path / "none" / "page.html")
    read, write = os.pipe()
    put_whole(Path(f"/dev/fd/{write}"), b"new", "the page")
    assert os.read(read, 9) == b"new"


def test_on_a_disk_that_can_only_be_read_the_file_that_was_named_is_told_though_nothing_can_be_tidied(
    tmp_path, monkeypatch
):
    def refused(path, *_, **__):
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    monkeypatch.setattr(Path, "write_bytes", refused)
    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(OSError, match="Read-only") as told:
        put_whole(tmp_path / "page.html", b"new", "the page")
    assert told.value.filename == str(tmp_path / "page.html")


def test_the_text_says_disk_what_how_much_and_remedy(tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 1_000_000})())
    with pytest.raises(DiskFullError) as told, writing("table `place`", tmp_path / "not" / "yet", size_bytes=3_000_000):
        raise OSError(errno.ENOSPC, "No space left on device")
    text = str(told.value)
    assert "is full: 1.0 MB are left, and table `place` was being written to" in text
    assert "it needs 3.0 MB, so 2.0 MB are missing" in text
    assert "tripwright gc --delete" in text and "--home" in text
    with pytest.raises(PermissionError), writing("x", tmp_path):
        raise PermissionError(errno.EACCES, "no")


@pytest.mark.parametrize(
    ("error", "is_full"),
    [
        ("failed to offload data block of size 256.0 KiB; this limit was set by 'max_temp_directory_size'", True),
        ("Could not write file: No space left on device", True),
        ("failed to pin block of size 256.0 KiB (18.9 MiB/19.0 MiB used)", False),
    ],
)
def test_a_sort_that_cannot_spill_is_a_full_disk_too_and_one_without_memory_is_not(error, is_full, tmp_path):
    import duckdb

    with (
        pytest.raises(DiskFullError if is_full else duckdb.OutOfMemoryException),
        writing("table `review`", tmp_path),
    ):
        raise duckdb.OutOfMemoryException(error)


def told_of(number: int, place: Path, size_bytes: int | None) -> str:
    """Return what is said of a disk that answers so where something of this size was to be written."""
    with pytest.raises(DiskFullError) as told, writing("table `place`", place, size_bytes=size_bytes):
        raise OSError(number, "no")
    return str(told.value)


@pytest.mark.parametrize("size_bytes", [None, 3_000_000])
def test_a_quota_is_no_full_disk(size_bytes, tmp_path):
    text = told_of(errno.EDQUOT, tmp_path, size_bytes)
    assert text.startswith("your quota on the disk mounted at ") and "is used up, though" in text
    assert "is full" not in text and "missing" not in text
    assert ("it needs 3.0 MB" in text) == (size_bytes is not None)
    assert "have the quota raised" in text and "--home" in text


def test_a_file_that_may_not_be_so_large_says_so(tmp_path):
    path, soft_and_hard = tmp_path / "file", resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, soft_and_hard[1]))
    try:
        with pytest.raises(DiskFullError) as told, writing("table `place`", tmp_path, size_bytes=9000):
            path.write_bytes(bytes(9000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, soft_and_hard)
    assert str(told.value).startswith("no file so large may be written to the disk mounted at ")
    assert all(words in str(told.value) for words in ("table `place`", "ulimit -f", "--home"))
    assert "is full" not in str(told.value)


def test_a_disk_with_room_is_not_said_to_be_full(tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 76_918_000_000})())
    text = told_of(errno.ENOSPC, tmp_path, 3_000_000)
    assert "took no more, and now 76,918.0 MB are left" in text
    assert "full for a moment, or a quota" in text and "missing" not in text


def test_a_disk_without_a_free_inode_says_so(tmp_path):
    try:
        with small_disk(tmp_path / "disk", files=8) as disk:
            with pytest.raises(DiskFullError) as told, writing("a file", disk, size_bytes=100):
                for number in range(20):
                    (disk / str(number)).touch()
            text = str(told.value)
    except CannotMountError as error:
        pytest.skip(str(error))
    assert (
        f"the disk mounted at {disk} holds no more files (all its 8 inodes are taken), though 52.4 MB are left" in text
    )
    assert "Remove files there" in text


@pytest.mark.parametrize(("size_bytes", "left_blocks"), [(200_000, 10), (4096, 0), (500_001, 100)])
def test_what_is_said_to_be_missing_is_enough_and_no_more_than_a_block_too_much(size_bytes, left_blocks, tmp_path):
    def write(disk: Path) -> None:
        with writing("a file", disk, size_bytes=size_bytes):
            try:
                (disk / "file").write_bytes(b"x" * size_bytes)
            except OSError:
                (disk / "file").unlink()
                raise

    try:
        with small_disk(tmp_path / "disk") as disk:
            filler = Filler(disk)
            filler.fill(left_blocks * BLOCK)
            with pytest.raises(DiskFullError) as told:
                write(disk)
            (missing,) = re.findall(r"so ([\d,]+) kB are missing", str(told.value))
            enough = left_blocks * BLOCK + int(missing.replace(",", "")) * 1000
            for left, is_enough in ((enough - 2 * BLOCK, False), (enough, True)):
                filler.empty()
                filler.fill(left)
                if is_enough:
                    write(disk)
                else:
                    with pytest.raises(DiskFullError):
                        write(disk)
    except CannotMountError as error:
        pytest.skip(str(error))
