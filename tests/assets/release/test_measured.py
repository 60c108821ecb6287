"""A release's measures: what a family gives must be what a manifest keeps."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from assets.family import families
from assets.release.exporting import release_tables
from assets.release.measured import MeasureError, measured
from assets.release.reading import open_release

GIVEN = {}


def measures_given(tables, facts):
    """Return what the test gives as a family's measures."""
    return GIVEN["measures"]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"stops": np.int64(3)}, "int64"),
        ({"stops": {1, 2}}, "set"),
        ({("a", "b"): 1}, "keys must be"),
        ([1], "list"),
        (None, "NoneType"),
    ],
)
def test_measures_that_no_manifest_keeps_are_told_with_the_family_and_what_to_do(given, found, small_world):
    GIVEN["measures"] = given
    family = dataclasses.replace(families()["itinbench"], measures=f"{__name__}:measures_given")
    tables = release_tables(open_release(small_world.releases["itinbench"]))
    with pytest.raises(MeasureError, match=found) as told:
        measured(family, tables, {})
    assert str(told.value).startswith("itinbench: its measures cannot be kept in a manifest: ")
    assert f"where {__name__}:measures_given returns them" in str(told.value)
