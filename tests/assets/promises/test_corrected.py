"""A correction is the source of the value that it gives, of the row that it names and of rows made of that one."""

from __future__ import annotations

from typing import Any

from assets.promises.corrected import as_corrected, is_correction
from schemas.source import RowPointer

REF = "tripcraft_stay/xx-a/airbnb:7"
ROW = {"city_id": "xx-a", "place_id": "airbnb:7", "name": "Quay", "price_given": 90.0, "rating": 4.5}
RECORD = {"city_id": "xx-a", "place_id": "airbnb:7", "name": "Quay", "price_per_night": 90.0}


def correction(row: str, field: str, value: Any) -> dict[str, Any]:
    return {"row": row, "field": field, "value": value, "pointer": "corrections.overrides@0#correction[0]"}


def test_a_row_that_is_corrected_itself_must_have_the_value_and_its_records_stay():
    given, records, problems = as_corrected(REF, ROW, [RECORD], [correction(REF, "price_given", 120)])
    assert (given, records, problems) == ({"price_given": 120}, [RECORD], [])


def test_a_corrected_row_upstream_says_otherwise_than_its_record_in_all_that_is_made_of_it():
    entries = [correction("stay/xx-a/airbnb:7", "name", "Kay"), correction("stay/xx-a/airbnb:7", "rating", 3.5)]
    given, records, problems = as_corrected(REF, ROW, [RECORD], entries)
    assert records == [{**RECORD, "name": "Kay", "rating": 3.5}]
    assert given == {"rating": 3.5}, "what no record says is the correction's alone"
    assert problems == []


def test_a_place_that_two_sources_list_is_found_by_the_id_of_either():
    record = {"source": "osm", "native_id": "node/7", "name": "Quay"}
    entries = [correction("osm_place/xx-a/osm:node/7", "name", "Kay")]
    row = {"city_id": "xx-a", "place_id": "yelp:q", "name": "Quay"}
    assert as_corrected("itinbench_place/xx-a/yelp:q/stay", row, [record], entries)[1:] == (
        [{**record, "name": "Kay"}],
        [],
    )


def test_the_correction_of_another_row_is_no_source_of_this_one():
    for other in ("tripcraft_stay/xx-a/airbnb:8", "stay/xx-a/airbnb:8", "stay/xx-b/airbnb:70"):
        given, records, problems = as_corrected(REF, ROW, [RECORD], [correction(other, "name", "Kay")])
        assert (given, records) == ({}, [RECORD])
        assert problems == [f"points to the correction of {other}, which it is not made of"]
    withdrawn = {"task_id": "t.0", "city_id": "xx-a"}
    assert as_corrected(REF, ROW, [RECORD], [withdrawn])[2] == [
        "points to the correction of t.0, which it is not made of"
    ]


def test_a_correction_is_told_by_its_source():
    pointer = "{}@" + "0" * 64 + "#{}"
    assert is_correction(RowPointer.parse(pointer.format("corrections.overrides", "correction[0]")))
    assert not is_correction(RowPointer.parse(pointer.format("yelp.business", "L1")))
