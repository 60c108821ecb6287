"""A home on a disk of 50 MB that fills up, step after step: what is said, and what is there when it has room again."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from tests.hostile.full_disk import CannotMountError, released_on, small_disk, through_full_disks
from tests.pipelines.conftest import recipe_text
from tests.recipes import command, hashed_files
from warehouse.disk import DiskFullError, writing

TIMES = 9
"""How often here; `python -m perf.trials --full` does it thirty times."""


def small(folder: Path, cities: int = 1) -> Path:
    """Write a recipe of few cities and tasks."""
    recipe = folder / "small.toml"
    recipe.write_text(recipe_text(cities=cities, tasks=3).replace("scale = 0.6", "scale = 0.3"), encoding="utf-8")
    return recipe


def test_each_full_disk_is_told_nothing_is_released_and_the_bytes_are_the_same_in_the_end(tmp_path):
    recipe = small(tmp_path)
    try:
        with small_disk(tmp_path / "disk") as disk:
            trial = through_full_disks(disk, recipe, TIMES, seed=1)
            found = released_on(disk, trial)
    except CannotMountError as error:
        pytest.skip(str(error))
    assert (len(set(trial.at)), trial.wrong) == (TIMES, [])
    assert trial.sized >= TIMES // 2
    _, undisturbed = command("build", recipe, home=tmp_path / "home")
    assert found == hashed_files(Path(undisturbed["releases"][0]["path"]))


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
