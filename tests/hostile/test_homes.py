"""Homes in odd places and with damaged memories: what is made there is what is made anywhere."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from tests.recipes import command, hashed_files
from warehouse.snapshots import SEEN, Snapshots
from warehouse.store import Store

ODD = "a home with spaces", "ümläut e\u0301 東京 🗺", "'; drop table --", "%41$HOME`x`", *["long " * 40] * 4


def test_a_home_with_spaces_unicode_and_a_very_long_path_releases_the_same_bytes(small_world, tmp_path):
    home = tmp_path.joinpath(*ODD)
    assert len(str(home)) > 850
    shutil.copytree(small_world.home, home, ignore=shutil.ignore_patterns("releases", "released"))
    code, built = command("build", small_world.recipe, "--family", "itinbench", home=home)
    assert (code, built.get("blocked")) == (0, []), built
    (release,) = built["releases"]
    whole = small_world.releases["itinbench"]
    assert release["path"].startswith(str(home)) and release["version"] == whole.name
    assert hashed_files(home / whole.relative_to(small_world.home)) == hashed_files(whole)
    for words in (("score", release["version"], "witness"), ("tables", small_world.recipe), ("gc",)):
        assert command(*words, home=home)[0] == 0, words


@pytest.mark.parametrize(
    "damaged",
    [b"", b"{", b"\xff\xfe", b"[" * 200_000, b"[]", b'{"a": 5}', b'{"a": [1, 2, 3, "no hash"]}'],
    ids=["empty", "cut off", "binary", "nested", "a list", "a number", "no hash"],
)
def test_a_damaged_memory_of_hashed_files_heals_itself(damaged, tmp_path):
    store, file = Store(str(tmp_path / "home")), tmp_path / "file.csv"
    file.write_bytes(b"a,b\n1,2\n")
    os.utime(file, (1_700_000_000, 1_700_000_000))
    added = Snapshots(store).add(file)
    remembered = json.loads(store.read(SEEN))
    store.put(SEEN, damaged)
    assert Snapshots(store).add(file) == added
    assert json.loads(store.read(SEEN)) == remembered
    assert [entry[3] for entry in remembered.values()] == [added[0]]
