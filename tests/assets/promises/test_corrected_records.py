"""A correction is the source of the value that it gives, of the row that it names and of rows made of that one."""

from __future__ import annotations

import datetime as dt
from typing import Any

from assets.promises.corrected_records import Corrected, Upstream, as_corrected, is_correction
from schemas.source import RowPointer

REF = "tripcraft_stay/xx-a/airbnb:7"
ROW = {"city_id": "xx-a", "place_id": "airbnb:7", "name": "Quay", "price_given": 90.0, "rating": 4.5}
LISTED, MAPPED, GUIDED = (RowPointer.parse(f"{of}@{'0' * 64}#L1") for of in ("airbnb.listings", "osm.extract", "a.b"))
UPSTREAM = {
    name: Upstream(("city_id", "place_id"), {("airbnb", "listings"), ("osm", "extract")})
    for name in ("stay", "place", "osm_place")
}
RECORD = {"city_id": "xx-a", "place_id": "airbnb:7", "name": "Quay", "price_per_night": 90.0}


def correction(row: str, field: str, value: Any) -> dict[str, Any]:
    return {"row": row, "field": field, "value": value, "pointer": "corrections.overrides@0#correction[0]"}


def stay_by(*entries: dict[str, Any]) -> Corrected:
    """Return what the entries make of the stay and its one record."""
    return as_corrected(REF, ROW, [(LISTED, RECORD)], entries, UPSTREAM)


def test_a_row_that_is_corrected_itself_must_have_the_value_and_its_records_stay():
    assert stay_by(correction(REF, "price_given", 120)) == ({"price_given": 120}, {}, [RECORD], [])


def test_a_corrected_row_upstream_says_otherwise_than_its_record_in_all_that_is_made_of_it():
    changes = {"name": "Kay", "rating": 3.5}
    entries = (correction("stay/xx-a/airbnb:7", field, value) for field, value in changes.items())
    assert stay_by(*entries) == ({}, changes, [{**RECORD, **changes}], [])


def test_what_the_corrected_row_was_not_made_of_says_what_it_said():
    of_guide = {"name": "The Quay", "city_id": "xx-a"}
    records = [(LISTED, RECORD), (GUIDED, of_guide)]
    entry = correction("stay/xx-a/airbnb:7", "name", "Kay")
    assert as_corrected(REF, ROW, records, [entry], UPSTREAM).records == [{**RECORD, "name": "Kay"}, of_guide]


def test_a_place_that_two_sources_list_is_found_by_the_id_of_either():
    record = {"source": "osm", "native_id": "node/7", "name": "Quay"}
    entries = [correction("osm_place/xx-a/osm:node/7", "name", "Kay")]
    row = {"city_id": "xx-a", "place_id": "yelp:q", "name": "Quay"}
    place = as_corrected("itinbench_place/xx-a/yelp:q/stay", row, [(MAPPED, record)], entries, UPSTREAM)
    assert (place.records, place.problems) == ([{**record, "name": "Kay"}], [])


def test_the_correction_of_another_row_is_no_source_of_this_one():
    for other in ("tripcraft_stay/xx-a/airbnb:8", "stay/xx-a/airbnb:8", "stay/xx-b/airbnb:70"):
        problem = f"points to the correction of {other}, which it is not made of"
        assert stay_by(correction(other, "name", "Kay")) == ({}, {}, [RECORD], [problem])
    assert stay_by({"task_id": "t.0", "city_id": "xx-a"}).problems == [
        "points to the correction of t.0, which it is not made of"
    ]


def test_neither_a_word_that_rows_share_nor_what_ids_end_in_makes_a_correction_one_of_theirs():
    record = {"source": "osm", "native_id": "node/7", "kind": "stay", "name": "Quay", "house": "7"}
    row = {"city_id": "xx-a", "place_id": "osm:node/7", "kind": "stay", "name": "Quay"}
    for other in ("itinbench_place/xx-a/yelp:q/stay", "osm_place/xx-a/osm:way/7", "osm_place/xx-b/osm:node/7"):
        entry = correction(other, "name", "Kay")
        assert as_corrected("tripcraft_stay/xx-a/osm:node/7", row, [(MAPPED, record)], [entry], UPSTREAM).problems
    flown = {"flight_date": dt.date(2026, 11, 2), "flight_number": "ZQ9"}
    cities = {"origin_city_id": "xx-a", "dest_city_id": "xx-b"}
    flights = {"flight": Upstream(("origin_city_id", "dest_city_id", "flight_date", "flight_number"), {("a", "b")})}
    for day, problem_count in (("2026-11-02", 0), ("2026-11-03", 1)):
        entry = correction(f"flight/xx-a/xx-b/{day}/ZQ9", "price", 9)
        flight = as_corrected("tripcraft_flight/F1", cities, [(GUIDED, flown)], [entry], flights)
        assert len(flight.problems) == problem_count


def test_no_row_points_to_a_correction_that_drops_it():
    for ref in (REF, "stay/xx-a/airbnb:7"):
        assert stay_by({"row": ref, "field": "drop"}).problems == [f"points to the correction that drops {ref}"]


def test_a_correction_is_told_by_its_source():
    pointer = "{}@" + "0" * 64 + "#{}"
    assert is_correction(RowPointer.parse(pointer.format("corrections.overrides", "correction[0]")))
    assert not is_correction(RowPointer.parse(pointer.format("yelp.business", "L1")))
