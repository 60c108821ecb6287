"""How a native plan's texts are written and read back."""

from __future__ import annotations

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from assets.tripcraft.names import plan_text
from assets.tripcraft.plan import (
    Item,
    drive_text,
    flight_text,
    item_text,
    name_city,
    read_item,
    read_name_city,
    read_plan,
    read_routes,
    read_transport,
    route_text,
)
from schemas.clock import clock_face

minute = st.integers(0, 1439)
hostile = (
    st.text(alphabet=st.characters(codec="utf-8"), min_size=1)
    .map(plan_text)
    .filter(lambda name: name not in ("", "-") and "nearest transit" not in name.lower())
)
metres = st.integers(0, 5_000_000).map(lambda cm: cm / 100)


def test_the_published_entry_is_read():
    item = read_item("Joe's, Bar & Grill, visit from 09:30 to 10:20, nearest transit: 5th Ave, Stop #2, 98.06m away")
    assert item == Item(
        "Joe's, Bar & Grill", "visit", 570, 620, "5th Ave, Stop #2", 98.06,
        "Joe's, Bar & Grill, visit from 09:30 to 10:20, nearest transit: 5th Ave, Stop #2, 98.06m away",
    )  # fmt: skip


def test_a_last_full_stop_is_allowed():
    plan = read_plan([{"point_of_interest_list": "A, stay from 20:00 to 08:00, nearest transit: B St., 5.00m away."}])
    assert [(i.name, i.verb, i.end_min, i.stop_name, i.distance_m) for i in plan.days[0].items] == [
        ("A", "stay", 1440 + 480, "B St.", 5.0)
    ]


def test_a_name_may_hold_the_words_of_the_grammar():
    text = item_text("The, visit from nowhere, nearest transit: Cafe", "visit", 600, 660, "Main", 1)
    item = read_item(text)
    assert isinstance(item, Item)
    assert (item.name, item.stop_name) == ("The, visit from nowhere, nearest transit: Cafe", "Main")


@settings(deadline=None)
@given(hostile, st.sampled_from(["visit", "stay"]), minute, minute, hostile, metres)
def test_an_entry_reads_back_as_it_was_written(name, verb, start, end, stop, distance):
    item = read_item(item_text(name, verb, start, end, stop, distance))
    assert isinstance(item, Item)
    assert (item.name, item.verb, item.stop_name, item.distance_m) == (name, verb, stop, distance)
    assert (item.start_min, item.end_min) == (start, end if end >= start else end + 1440)


@settings(deadline=None)
@given(st.lists(st.tuples(hostile, minute, minute, hostile, metres), max_size=4))
def test_a_list_of_entries_reads_back(entries):
    written = [item_text(name, "visit", start, end, stop, m) for name, start, end, stop, m in entries]
    for text in ("; ".join(written), ";".join(written) + "."):
        day = read_plan([{"point_of_interest_list": text}]).days[0]
        assert [item.name for item in day.items] == [entry[0] for entry in entries]
        assert day.problems == ()


@settings(deadline=None)
@given(hostile, st.sampled_from(["Harbour", "Bloomington IN", "St. John's"]))
def test_a_name_and_city_are_cut_at_the_last_comma(name, city):
    read = read_name_city(name_city(name, city))
    assert (read.name, read.city) == (name, city)


def test_a_place_without_a_city_has_none():
    assert (read_name_city("Central Park").name, read_name_city("Central Park").city) == ("Central Park", "")


def test_an_unreadable_entry_is_a_problem_and_no_error():
    day = read_plan([{"point_of_interest_list": "A, visit at noon; B, visit from 25:00 to 26:00; ; -"}]).days[0]
    assert (day.items, len(day.problems)) == ((), 2)


def test_an_entry_without_a_number_of_metres_has_no_distance():
    read = [
        read_item(f"A, visit from 9:00 to 10:00, nearest transit: {tail}") for tail in ("Main St", "Main St, far away")
    ]
    assert [(i.stop_name, i.distance_m) for i in read if isinstance(i, Item)] == [("Main St", None), ("Main St", None)]


def test_a_flight_is_read():
    transport = read_transport(
        "Flight Number: F1234567, from St. Petersburg to Rockford, Departure Time: 15:40, Arrival Time: 17:04"
    )
    assert (transport.mode, transport.flight_number) == ("flight", "F1234567")
    assert transport.routes == (("St. Petersburg", "Rockford"),)
    assert (transport.dep_min, transport.arr_min) == (940, 1024)


@settings(deadline=None)
@given(minute, minute)
def test_a_flight_reads_back_as_it_was_written(dep, arr):
    transport = read_transport(flight_text("F0000001", "A", "B", dep, arr))
    assert (transport.flight_number, transport.dep_min, transport.arr_min) == ("F0000001", dep, arr)


def test_drives_are_read_and_a_city_called_taxi_is_no_taxi():
    assert read_transport(drive_text("taxi", "A", "B", 20, 12.5, 12)).mode == "taxi"
    assert read_transport(drive_text("self_driving", "Taxi Town", "B", 20, 12.5, 12)).mode == "self_driving"
    assert read_transport("on foot").mode is None


def test_a_city_may_hold_the_word_to():
    assert ("Walk to Work", "Home") in read_routes(route_text("Walk to Work", "Home"))
    assert read_routes("Harbour") == ()


def test_a_dash_and_an_empty_text_mean_nothing():
    day = read_plan([{"breakfast": "-", "lunch": "", "attraction": "-", "accommodation": " - "}]).days[0]
    assert (day.meals, day.attractions, day.stay) == ({}, (), None)
    assert set(day.missing) == {"transportation", "dinner", "event", "point_of_interest_list"}


@settings(deadline=None)
@given(st.integers(0, 5000))
def test_clock_is_a_24_hour_face(m):
    assert re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", clock_face(m))


def test_travelplanner_s_road_texts_are_read(shared_data):
    read = 0
    for line in (shared_data / "travelplanner" / "train_ref_info.jsonl").read_text(encoding="utf-8").splitlines():
        for key, value in json.loads(line).items():
            if isinstance(value, str) and value.lower().startswith(("self-driving", "taxi")):
                mode, _, route = key.partition(" from ")
                transport = read_transport(value)
                assert transport.mode == mode.lower().replace("-", "_")
                assert tuple(route.split(" to ")) in transport.routes
                read += 1
    assert read == 254
