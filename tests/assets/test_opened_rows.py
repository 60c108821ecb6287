"""What published files say, as our tables: literal rows in, literal rows out; what is not said is null or left out."""

from __future__ import annotations

import datetime as dt
import json
import re

import pytest

from assets.grouptravel.published.opening import open_folder as open_grouptravel
from assets.grouptravel.tables import GroupCity, GroupPoi
from assets.tripcraft.published.opened_rows import database_rows
from assets.tripcraft.published.world import FILES
from assets.tripcraft.tables import (
    TripcraftCity,
    TripcraftEvent,
    TripcraftFlight,
    TripcraftNearestStop,
    TripcraftRestaurant,
    TripcraftStay,
)
from assets.tripcraft.vocabulary import HOUSE_RULES
from schemas.source import SourceError
from tests.published_folders import grouptravel
from tests.recipes import command


def rows(**tables: str):
    """Return what a database says of whose files these are the lines after the header of required columns."""
    files = {}
    for name, (file, columns) in FILES.items():
        header, _, body = tables.get(name, "").rpartition("|")
        files[f"database/{file}"] = f"{header or ','.join(columns)}\n{body}".encode()
    return database_rows(files)


CITIES = "Omaha,NE\nReno,NV\n"


def test_a_city_is_known_by_its_name_and_the_first_of_a_name_counts():
    found = rows(cities=CITIES + "Omaha,TX\n")
    assert [row["city_id"] for row in found.of[TripcraftCity]] == ["ne-omaha", "nv-reno"]
    assert found.of[TripcraftCity][0]["time_zone"] is None
    assert [row["reason"] for row in found.rejected] == ["duplicate"]


@pytest.mark.parametrize(("dep", "arr", "elapsed", "offset"), [
    ("08:00", "10:30", "2 hours 30 minutes", 0),
    ("22:00", "01:10", "3 hours 10 minutes", 1),
    ("08:00", "07:50", "0 hours 50 minutes", 0),  # west over a time zone
    ("23:50", "00:40", "1 hours 50 minutes", 1),
    ("00:10", "23:50", "0 hours 40 minutes", -1),
])  # fmt: skip
def test_a_flight_arrives_on_the_day_that_its_time_in_the_air_allows(dep, arr, elapsed, offset):
    header = "Flight Number,Price,DepTime,ArrTime,ActualElapsedTime,FlightDate,OriginCityName,DestCityName,Distance|"
    found = rows(cities=CITIES, flights=f"{header}F1,99,{dep},{arr},{elapsed},2022-03-01,Omaha,Reno,100\n")
    (flight,) = found.of[TripcraftFlight]
    assert (flight["arr_day_offset"], flight["dep_time"], flight["flight_date"]) == (offset, dep, dt.date(2022, 3, 1))
    assert flight["distance_km"] == pytest.approx(160.9344)


@pytest.mark.parametrize(("rules", "known", "unknown"), [
    ("No pets & No smoking", ["No smoking", "No pets"], []),
    ("none", [], []),
    ("unknown", None, None),
    ("No pets & others unknown", ["No pets"], [rule for rule in HOUSE_RULES if rule != "No pets"]),
])  # fmt: skip
def test_house_rules_are_known_unknown_or_none(rules, known, unknown):
    found = rows(cities=CITIES, accommodations=f"Inn,{{'price': '$90'}},private_room,{rules},2,Reno\n")
    (stay,) = found.of[TripcraftStay]
    assert (stay["house_rules"], stay["unknown_rules"]) == (known, unknown)
    assert (stay["lat"], stay["min_nights"], stay["rating"]) == (None, None, None)


@pytest.mark.parametrize(("pricing", "price"), [
    ("{'price': '$90'}", 90), ("\"{'price': '$1,200'}\"", 1200), ('"{""price"": ""85""}"', 85), ("{'price': 70}", 70),
    ("90 dollars", None), ("{}", None), ("{'price': '-3'}", None),
])  # fmt: skip
def test_a_price_that_cannot_be_read_leaves_the_stay_out(pricing, price):
    found = rows(cities=CITIES, accommodations=f"Inn,{pricing},private_room,none,2,Reno\n")
    assert [stay["price"] for stay in found.of[TripcraftStay]] == ([] if price is None else [price])
    assert [row["reason"] for row in found.rejected] == (["bad_value"] if price is None else [])


def test_rows_that_say_too_little_are_rejected_by_line():
    found = rows(
        cities=CITIES,
        restaurants='Diner,20,"Thai, French",Omaha\nGrill,,Thai,Omaha\nBar,x,Thai,Omaha\nPub,9,Thai,Atlantis\n',
        events="Match,31-02-2022,Sports,Reno\nMatch,01-03-2022,Chess,Reno\nMatch,01-03-2022,Sports,Reno\n",
    )
    (diner,), (match,) = found.of[TripcraftRestaurant], found.of[TripcraftEvent]
    assert (diner["place_id"], diner["avg_cost"], diner["cuisines"], diner["lat"]) == (
        "L2",
        20,
        ["Thai", "French"],
        None,
    )
    assert (match["date"], match["event_id"]) == (dt.date(2022, 3, 1), "L4")
    told = [(row["step"], row["row"].partition("#")[2], row["reason"]) for row in found.rejected]
    assert told == [
        ("tripcraft_restaurant", "L3", "missing_value"), ("tripcraft_restaurant", "L4", "bad_value"),
        ("tripcraft_restaurant", "L5", "unknown_reference"), ("tripcraft_event", "L2", "bad_value"),
        ("tripcraft_event", "L3", "bad_value"),
    ]  # fmt: skip


def test_places_of_one_name_take_their_stops_in_turn_and_a_far_stop_is_another_town_s():
    found = rows(
        cities=CITIES,
        restaurants="Diner,20,Thai,Omaha\nDiner,30,Thai,Omaha\nGrill,30,Thai,Omaha\n",
        nearest_stops="Diner,Omaha,A,10\nDiner,Omaha,B,20.5\nDiner,Omaha,C,30\nGrill,Omaha,D,257000\n",
    )
    stops = [(row["place_id"], row["stop_name"], row["distance_m"]) for row in found.of[TripcraftNearestStop]]
    assert stops == [("L2", "A", 10.0), ("L3", "B", 20.5)]
    assert [row["reason"] for row in found.rejected] == ["unknown_place", "bad_value"]


def test_of_a_repeated_name_the_last_comes_first_and_a_place_nowhere_stays_nowhere(tmp_path):
    folder, _ = grouptravel(tmp_path)
    path = folder / "poi2category" / "all_poi_by_city.json"
    listed = json.loads(path.read_text())
    shop = {"name": "Grand Museum", "poi_type": "food", "custom_category": "", "opening_hours": None, "avg_cost": True}
    listed["Oulu"] += [shop, {**shop, "poi_type": "toilets"}]
    path.write_text(json.dumps(listed))
    opened = open_grouptravel(folder)
    by_id = sorted((row for row in opened.rows[GroupPoi] if row["name"] == "Grand Museum"), key=lambda p: p["place_id"])
    assert [row["poi_type"] for row in by_id] == ["food", "attractions"]
    assert (by_id[0]["lat"], by_id[0]["avg_cost"], bool(by_id[0]["category"])) == (None, None, True)
    assert [row["detail"] for row in opened.rejected] == [
        "found poi_type 'toilets', expected one of attractions, food, hotels"
    ]
    home = next(row for row in opened.rows[GroupCity] if row["name"] == "Home")
    assert (home["lat"], home["is_departure"], home["tier"]) == (None, True, 0)


@pytest.mark.parametrize(("change", "told"), [
    ({"avg_budget": 900.5}, "avg_budget is 900.5, expected a whole number"),
    ({"intensity": {"max_poi_per_day": 2.5, "max_active_hours": 8}}, "max_poi_per_day is 2.5"),
])  # fmt: skip
def test_a_task_that_no_table_holds_is_left_out_and_told(change, told, tmp_path):
    folder, _ = grouptravel(tmp_path)
    path = folder / "datas" / "test.jsonl"
    task = json.loads(path.read_text())
    task["user_preferences"]["User1"]["preference"]["global_constraints"] |= change
    path.write_text(json.dumps(task))
    opened = open_grouptravel(folder)
    assert (len(opened.tasks), [told in row["detail"] for row in opened.rejected]) == (0, [True])
    code, refused = command("open", "grouptravel", folder, home=tmp_path / "home")
    assert (code, "found no task that can be held: t1: " in refused["error"], told in refused["error"]) == (
        1,
        True,
        True,
    )


@pytest.mark.parametrize(("text", "told"), [
    ('{"Oulu": [', "found no JSON at character 10"),
    ('{"Oulu": [],}', "found no JSON at character 12"),
    ('{"Oulu": []} {}', "found '{' after the end at character 13"),
    ('{"Oulu": [] "Home": []}', """found '"', not ',', at character 12"""),
    ('{1: []}', "found a name that is no text of at most 1,000 characters at character 2"),
    ("[]", "found '[', not '{', at character 0"),
    ('{"Oulu": [], "Home": [], "Oulu": []}', "found the name 'Oulu' twice at character 31"),
])  # fmt: skip
def test_a_list_of_places_that_is_no_json_object_of_cities_is_refused(tmp_path, text, told):
    folder, _ = grouptravel(tmp_path)
    (folder / "poi2category" / "all_poi_by_city.json").write_text(text)
    with pytest.raises(SourceError, match=re.escape(f"poi2category/all_poi_by_city.json: {told}; expected {{city:")):
        open_grouptravel(folder)


def test_places_of_the_same_wrong_hours_are_all_counted(tmp_path):
    folder, _ = grouptravel(tmp_path)
    path = folder / "poi2category" / "all_poi_by_city.json"
    listed = json.loads(path.read_text())
    for place in listed["Oulu"][:2]:
        place["opening_hours"] = {"always_open": "yes"}
    path.write_text(json.dumps(listed))
    assert "Oulu: 2 places with hours that are not as declared" in open_grouptravel(folder).notes
