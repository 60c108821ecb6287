"""A manifest that tripwright did not write so: all that is wrong with it is told at once, where it is opened."""

from __future__ import annotations

import json
import shutil

import pytest

from assets.release.exporting import release_tables
from assets.release.reading import ReleaseError, unverified_release


@pytest.fixture
def folder(small_world, tmp_path):
    """Return a copy of a release, to be edited."""
    return shutil.copytree(small_world.releases["itinbench"], tmp_path / "release")


def edit(folder, place, value):
    """Set a value of the manifest; `place` is its keys, joined by dots."""
    path = folder / "manifest.json"
    manifest = at = json.loads(path.read_text())
    *parents, last = [int(part) if part.isdigit() else part for part in place.split(".")]
    for part in parents:
        at = at[part]
    at[last] = value
    path.write_text(json.dumps(manifest))


HOSTILE = {
    "family": "nosuch",
    "cities.0": {},
    "inputs.0.licence_id": "nope",
    "licences.0": {"licence_id": "nope"},
    "columns_under.0.licence_id": "nope",
    "accounting": [{}],
    "accounting.0.rejected": {"nope": 1},
    "retired": [{}],
    "choices.0": {},
    "missing_cities": [{}],
    "counts": {},
    "counts.tasks": 6.0,
    "inputs.0.sha256": "../elsewhere",
    "settings.splits": {"shares": 3},
    "settings.invented": 3,
    "promises.verified_tables": 3,
}


@pytest.mark.parametrize("place", HOSTILE)
def test_what_no_release_says_is_named_with_its_place(folder, place):
    edit(folder, place, HOSTILE[place])
    with pytest.raises(
        ReleaseError, match=rf"manifest\.json: not a manifest.*, 1 problem:\n  - {place.split('.')[0]}.*"
    ):
        unverified_release(folder)


def test_all_problems_are_told_at_once(folder):
    for place in ("retired", "columns_under.0.licence_id", "counts"):
        edit(folder, place, HOSTILE[place])
    with pytest.raises(ReleaseError, match="3 problems") as error:
        unverified_release(folder)
    told = str(error.value)
    assert "retired.0: task_id: is missing; city_id: is missing; reason: is missing, found '{}'" in told
    assert "columns_under.0.licence_id: expected a licence of Apache-2.0, " in told


@pytest.mark.parametrize("family", ["tripcraft", "grouptravel"])
def test_a_release_that_says_it_is_of_another_family_lacks_its_columns(folder, family):
    edit(folder, "family", family)
    with pytest.raises(ReleaseError, match=rf"found no column record\.\w+.* in tasks\.parquet.* releases of {family}"):
        _ = release_tables(unverified_release(folder)).tasks
