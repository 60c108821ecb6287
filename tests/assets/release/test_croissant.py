"""Croissant says of a release what its card says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assets.release.croissant import croissant
from assets.release.licences import release_licences
from schemas.release import ColumnsUnder, Manifest, ReleasedFile
from schemas.source import LICENCES, Snapshot
from schemas.spatial import DistanceMatrix

MATRIX = ReleasedFile(path="distance_matrix.parquet", sha256="0" * 64, size_bytes=9, rows=1)


def described(
    under: dict[str, list[str]], section: dict[str, Any], family: str = "grouptravel", accounting: Any = ()
) -> dict[str, Any]:
    """Return the description of a release whose tables are under these licences, with the columns that hold theirs."""
    inputs = [
        Snapshot(
            source="osm", role=f"file{number}", location="x", sha256=f"{number:064}", size_bytes=1, licence_id=name
        )
        for number, name in enumerate(under)
    ]
    city = {
        "city_id": "fi-18-helsinki", "name": "Helsinki", "country": "FI", "languages": ["fi", "sv"],
        "box": {"south": 60, "west": 24, "north": 61, "east": 25},
    }  # fmt: skip
    manifest = Manifest(
        recipe="towns", family=family, title="Towns", seed=1, cities=[city], inputs=inputs, missing_cities=[],
        licences=release_licences(inputs), engines={}, section=section, choices=[], rules={},
        accounting=list(accounting),
        counts={"tasks": 1, "certified": 1, "rejected": 0}, measures={}, files=[MATRIX],
        columns_under=[
            ColumnsUnder(table="places", licence_id=name, rows=1, source=columns, derived=[])
            for name, columns in under.items()
        ],
    )  # fmt: skip
    return json.loads(croissant(manifest, {MATRIX.path: DistanceMatrix}, [MATRIX]))


def test_the_language_is_the_texts_not_the_cities():
    assert described({"ODbL-1.0": ["name"]}, {"language": "zh"})["inLanguage"] == "zh"
    assert "inLanguage" not in described({"ODbL-1.0": ["name"]}, {}), "neither section nor family says one"
    assert described({"ODbL-1.0": ["name"]}, {}, "itinbench")["inLanguage"] == "en"


@pytest.mark.parametrize(
    ("under", "whole"),
    [
        ({"CC-BY-4.0": ["name"], "LicenseRef-invented": ["name"], "ODbL-1.0": ["name"]}, ["ODbL-1.0"]),
        ({"CC0-1.0": ["name"], "CC-BY-4.0": ["name"]}, ["CC-BY-4.0"]),
        ({"LicenseRef-Yelp": ["name"], "ODbL-1.0": ["name"]}, ["LicenseRef-Yelp", "ODbL-1.0"]),
    ],
)
def test_the_licence_is_that_of_the_whole_and_no_laxer_one_to_choose(under, whole):
    licence = described(under, {})["license"]
    assert ([licence] if isinstance(licence, str) else licence) == [LICENCES[name].url for name in whole]


def test_a_list_says_in_which_order_its_places_stand():
    fields = {field["name"]: field for field in described({"ODbL-1.0": []}, {})["recordSet"][0]["field"]}
    assert "in the order of `place_id`" in fields["distances_m"]["description"]


def test_one_row_is_one():
    steps = [
        {"step": step, "rows_in": 9, "rows_out": rows, "merged": 0, "rejected": {}}
        for step, rows in (("terms", 1), ("place", 4035))
    ]
    said = described({"ODbL-1.0": []}, {}, accounting=steps)
    assert said["rai:dataPreprocessingProtocol"] == ["terms: 1 row out, 0 rejected", "place: 4035 rows out, 0 rejected"]
