"""A correction is the source of the value that it gives, of the row that it names and of rows made of that one."""

from __future__ import annotations

import datetime as dt
from typing import Any

from assets.promises.corrected import as_corrected, is_correction
from schemas.source import RowPointer

REF = "tripcraft_stay/xx-a/airbnb:7"
ROW = {"city_id": "xx-a", "place_id": "airbnb:7", "name": "Quay", "price_given": 90.0, "rating": 4.5}
KEYS: dict[str, tuple[str, ...]] = dict.fromkeys(("stay", "place", "osm_place"), ("city_id", "place_id"))
RECORD = {"city_id": "xx-a", "place_id": "airbnb:7", "name": "Quay", "price_per_night": 90.0}


def correction(row: str, field: str, value: Any) -> dict[str, Any]:
    return {"row": row, "field": field, "value": value, "pointer": "corrections.overrides@0#correction[0]"}


def test_a_row_that_is_corrected_itself_must_have_the_value_and_its_records_stay():
    given, records, problems = as_corrected(REF, ROW, [RECORD], [correction(REF, "price_given", 120)], KEYS)
    assert (given, records, problems) == ({"price_given": 120}, [RECORD], [])


def test_a_corrected_row_upstream_says_otherwise_than_its_record_in_all_that_is_made_of_it():
    entries = [correction("stay/xx-a/airbnb:7", "name", "Kay"), correction("stay/xx-a/airbnb:7", "rating", 3.5)]
    given, records, problems = as_corrected(REF, ROW, [RECORD], entries, KEYS)
    assert records == [{**RECORD, "name": "Kay", "rating": 3.5}]
    assert given == {"rating": 3.5}, "what no record says is the correction's alone"
    assert problems == []


def test_a_place_that_two_sources_list_is_found_by_the_id_of_either():
    record = {"source": "osm", "native_id": "node/7", "name": "Quay"}
    entries = [correction("osm_place/xx-a/osm:node/7", "name", "Kay")]
    row = {"city_id": "xx-a", "place_id": "yelp:q", "name": "Quay"}
    assert as_corrected("itinbench_place/xx-a/yelp:q/stay", row, [record], entries, KEYS)[1:] == (
        [{**record, "name": "Kay"}],
        [],
    )


def test_the_correction_of_another_row_is_no_source_of_this_one():
    for other in ("tripcraft_stay/xx-a/airbnb:8", "stay/xx-a/airbnb:8", "stay/xx-b/airbnb:70"):
        given, records, problems = as_corrected(REF, ROW, [RECORD], [correction(other, "name", "Kay")], KEYS)
        assert (given, records) == ({}, [RECORD])
        assert problems == [f"points to the correction of {other}, which it is not made of"]
    withdrawn = {"task_id": "t.0", "city_id": "xx-a"}
    assert as_corrected(REF, ROW, [RECORD], [withdrawn], KEYS)[2] == [
        "points to the correction of t.0, which it is not made of"
    ]


def test_neither_a_word_that_rows_share_nor_what_ids_end_in_makes_a_correction_one_of_theirs():
    record = {"source": "osm", "native_id": "node/7", "kind": "stay", "name": "Quay", "house": "7"}
    row = {"city_id": "xx-a", "place_id": "osm:node/7", "kind": "stay", "name": "Quay"}
    keys = {**KEYS, "flight": ("origin_city_id", "dest_city_id", "flight_date", "flight_number")}
    for other in ("itinbench_place/xx-a/yelp:q/stay", "osm_place/xx-a/osm:way/7", "osm_place/xx-b/osm:node/7"):
        assert as_corrected("tripcraft_stay/xx-a/osm:node/7", row, [record], [correction(other, "name", "Kay")], keys)[
            2
        ]
    flown = {"flight_date": dt.date(2026, 11, 2), "flight_number": "ZQ9"}
    cities = {"origin_city_id": "xx-a", "dest_city_id": "xx-b"}
    for day, problems in (("2026-11-02", 0), ("2026-11-03", 1)):
        entry = correction(f"flight/xx-a/xx-b/{day}/ZQ9", "price", 9)
        assert len(as_corrected("tripcraft_flight/F1", cities, [flown], [entry], keys)[2]) == problems


def test_no_row_points_to_a_correction_that_drops_it():
    for ref in (REF, "stay/xx-a/airbnb:7"):
        drop = {"row": ref, "field": "drop"}
        assert as_corrected(REF, ROW, [RECORD], [drop], KEYS)[2] == [f"points to the correction that drops {ref}"]


def test_a_correction_is_told_by_its_source():
    pointer = "{}@" + "0" * 64 + "#{}"
    assert is_correction(RowPointer.parse(pointer.format("corrections.overrides", "correction[0]")))
    assert not is_correction(RowPointer.parse(pointer.format("yelp.business", "L1")))
