"""Our own places as groups see them: hours as OpenStreetMap means them, one category, a price that says whose it is."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pandas as pd
import pytest

from assets.clean.cuisines import KITCHENS
from assets.grouptravel.facts.categories import own_category
from assets.grouptravel.facts.hours import published_hours
from assets.grouptravel.facts.opening import read_opening, windows_on
from assets.grouptravel.facts.places import _hours, group_pois, sources
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.tables import GroupPoi
from assets.grouptravel.vocabulary import EN, ZH
from assets.step import RawFile
from schemas.places import Place
from schemas.recipe import City
from schemas.recipe_values import Box
from sources.formats.opening_hours import opening_windows
from tests.sources.conftest import given_file

OULU = (65.0, 25.5)
YEAR = [dt.date(2024, 1, 1) + dt.timedelta(days=n) for n in range(366)]


@pytest.mark.parametrize(
    "text",
    [
        "Mo-Fr 09:00-17:00; Sa 10:00-14:00",
        "Mo-Su 11:00-23:00; We off",
        "Fr-Sa 18:00-02:00",
        "Mo-Fr 11:00-14:00,17:00-22:00",
        "Jun-Aug 10:00-20:00; Sep-May Mo-Fr 10:00-16:00",
        "Apr 15-Oct 10 08:00-18:00",
    ],
)
def test_hours_in_the_published_structure_are_those_of_every_day_of_a_year(text):
    hours = published_hours(text, *OULU)
    assert read_opening(hours) == (hours, [])
    for date in YEAR:
        assert windows_on(hours, date) == opening_windows(text, date), date


@pytest.mark.parametrize("lat_lon", [OULU, (39.95, -75.16), (-54.8, -68.3), (78.22, 15.65)])
def test_hours_by_the_sun_are_those_of_all_days_of_a_month_at_the_place(lat_lon):
    text = "Mo-Sa sunrise-sunset; Su 10:00-12:00"
    hours = published_hours(text, *lat_lon)
    assert read_opening(hours) == (hours, [])
    for date in YEAR:
        that_day = opening_windows(text, date, coordinates=lat_lon) or []
        for opens, closes in windows_on(hours, date) or []:
            assert any(begins <= opens and closes <= ends for begins, ends in that_day), date
    midwinter, midsummer = (windows_on(hours, dt.date(2024, month, 21)) for month in (12, 6))
    assert midwinter != midsummer


def test_a_park_of_the_north_is_shut_in_polar_night_and_never_in_polar_day():
    hours = published_hours("sunrise-sunset", 78.22, 15.65)
    assert windows_on(hours, dt.date(2024, 12, 21)) == []
    assert windows_on(hours, dt.date(2024, 6, 21)) == [(0, 1440)]


def test_what_never_closes_and_what_cannot_be_read():
    assert published_hours("24/7", *OULU) == {"always_open": True, "rules": []}
    assert published_hours("when we feel like it", *OULU) is None
    assert published_hours('Mo-Fr 09:00-17:00 "by appointment"', *OULU) is None


def place(kind: str, **more) -> dict:
    row = {
        "city_id": "fi-18-oulu", "place_id": f"osm:{kind}", "kind": kind, "name": kind, "address": "", "lat": 65.0,
        "lon": 25.5, "stars": None, "review_count": None, "price_level": None, "categories": [], "cuisines": [],
        "meals": [], "opening_hours": None, "source_rows": ["r"],
    }  # fmt: skip
    return {**row, **more}


def test_a_price_is_the_section_s_for_the_level_and_says_so():
    rows = [
        place("stay", categories=["tourism=hostel"]),
        place("restaurant", price_level=4, cuisines=["sushi"], opening_hours="never"),
        place("attraction", categories=["Museums"], review_count=7, opening_hours="24/7"),
    ]
    frame = Place.frame(Place.arrow(pd.DataFrame(rows)))
    section = GroupTravelSection(currency="EUR", meal_prices=(1, 2, 3, 4), bed_prices=(10, 20, 30, 40))
    made = group_pois(frame, [], cities=[], section=section)
    found = GroupPoi.frame(GroupPoi.validate(GroupPoi.arrow(made.rows))).set_index("poi_type")
    assert found["avg_cost"].to_dict() == pytest.approx(
        {"attractions": float("nan"), "food": 4, "hotels": 10}, nan_ok=True
    )
    assert found["is_cost_modelled"].to_dict() == {"attractions": False, "food": True, "hotels": True}
    assert found["category"].to_dict() == {"attractions": "museum", "food": "sushi", "hotels": "hostel"}
    assert made.facts == {"hours_unread": 1, "hours_known": 1, "hours_modelled": 1, "costs_modelled": 2}


@pytest.mark.parametrize("kitchen", KITCHENS)
def test_a_kitchen_is_said_as_food_in_both_languages(kitchen):
    said = own_category("restaurant", [], [kitchen], None, EN)
    assert (said.endswith(" food") and said[0].isupper()) or said == "soul food"
    in_chinese = own_category("restaurant", [], [kitchen], None, ZH)
    assert in_chinese and not in_chinese.isascii()


def test_a_word_that_says_nothing_becomes_the_fallback():
    assert own_category("restaurant", ["amenity=restaurant"], [], None, EN) == "restaurant"
    assert own_category("restaurant", ["amenity=cafe"], [], None, ZH) == "咖啡厅"
    assert own_category("restaurant", [], ["poke_bowl"], None, EN) == "poke bowl"
    assert own_category("attraction", ["Local Flavor", "Museums"], [], None, EN) == "museum"
    assert own_category("attraction", ["Arts & Entertainment"], [], None, EN) == "arts"
    assert own_category("restaurant", [], ["Greek", "Restaurants"], None, EN) == "Greek food"
    assert own_category("restaurant", ["Restaurants", "Food"], [], None, EN) == "restaurant"
    assert own_category("stay", ["tourism=hotel"], [], None, EN) == "business hotel"
    assert own_category("stay", [], [], 4, ZH) == "豪华型"
    assert own_category("attraction", ["tourism=x"], [], None, ZH) == "公园"


def test_a_stay_of_unknown_level_is_not_called_by_the_default_one():
    rows = [place("stay", categories=["tourism=hotel"]), place("stay", place_id="osm:2", price_level=2)]
    places = Place.frame(Place.arrow(pd.DataFrame(rows)))
    made = group_pois(places, [], cities=[], section=GroupTravelSection(currency="EUR"))
    assert dict(zip(made.rows["place_id"], made.rows["category"], strict=True)) == {
        "osm:stay": "business hotel", "osm:2": "comfort",
    }  # fmt: skip
    assert all(made.rows["is_cost_modelled"])


def test_hours_say_what_they_rest_on_and_nightlife_counts_from_dark():
    rows = [
        place("attraction", place_id="osm:1", categories=["Nightlife"], opening_hours="Mo-Su 11:00-23:00"),
        place("attraction", place_id="osm:2", categories=["Nightlife"]),
        place("attraction", place_id="osm:3", categories=["Museums"], opening_hours="Mo-Su 11:00-23:00"),
        place("stay", place_id="osm:4"),
    ]
    frame = Place.frame(Place.arrow(pd.DataFrame(rows)))
    made = group_pois(frame, [], cities=[], section=GroupTravelSection(currency="EUR")).rows
    hours = {row["place_id"]: row["opening_hours"] for row in made.to_dict("records")}
    bases = {key: found.get("basis") for key, found in hours.items() if found is not None}
    assert bases == {"osm:1": "known, from 18:00", "osm:2": "modelled", "osm:3": None}
    for key in ("osm:1", "osm:2"):
        windows = hours[key]["rules"][0]["time_windows"]
        assert min(window["open"] for window in windows) == "18:00"


def test_hours_of_lists_are_read_once_for_each_kind_and_country_and_what_cannot_be_is_counted(tmp_path):
    late = {"rules": [{"time_windows": [{"open": "11:00", "close": "23:00"}]}]}
    oulu, tampa = (
        City(city_id=f"{country.lower()}-{name.lower()}", name=name, country=country, currency="EUR",
             box=Box(south=60, west=20, north=66, east=26))
        for name, country in (("Oulu", "FI"), ("Tampa", "US"))
    )  # fmt: skip
    asked = [
        ("Oulu", "attractions", "museum", late), ("Oulu", "attractions", "bar", late),
        ("Oulu", "attractions", "museum", late), ("Oulu", "food", "restaurant", None),
        ("Tampa", "food", "restaurant", None), ("Oulu", "food", "restaurant", {"rules": "never"}),
        ("Oulu", "food", "restaurant", {"rules": "never"}), ("Tampa", "hotels", "hotel", None),
    ]  # fmt: skip
    lists: dict[str, list[dict]] = {"Oulu": [], "Tampa": []}
    for n, (city, kind, category, hours) in enumerate(asked):
        more = {"custom_category": category, "opening_hours": hours, "avg_cost": 5}
        lists[city].append({"id": f"p{n}", "name": f"P{n}", "poi_type": kind, "location": "25.0,65.0", **more})
    path = tmp_path / "poi.json"
    path.write_text(json.dumps(lists), encoding="utf-8")
    file = RawFile(given_file(path, "group", "poi").snapshot, path)
    made = group_pois(
        pd.DataFrame(), [file], cities=[oulu, tampa], section=GroupTravelSection(currency="EUR", places="lists")
    )
    assert len(made.rejections) == 0
    rows: Any = made.rows
    held = dict(zip(rows["place_id"], rows["opening_hours"], strict=True))
    category_of = dict(zip(rows["place_id"], rows["category"], strict=True))
    alone = {
        f"group:p{n}": _hours(read_opening(hours)[0], kind, category_of[f"group:p{n}"], {"Oulu": oulu}.get(city, tampa))
        for n, (city, kind, _, hours) in enumerate(asked)
    }
    assert held == alone
    assert held["group:p0"] is held["group:p2"] and held["group:p0"] != held["group:p1"]
    assert held["group:p3"] != held["group:p4"] and held["group:p7"] is None
    assert made.facts["hours_unread"] == 2


def test_a_name_of_a_map_is_written_on_one_line_and_nothing_of_it_acts():
    """It stands in messages, plans and certificates, which people and terminals read."""
    given = ["Bell\x07\x1b[31mRed", "New\nLine", "\u202eexe\ufeff", "می\u200cخواهم", "Two  blanks", "\u200b"]
    rows = pd.DataFrame([place("restaurant", place_id=f"p{n}", name=name) for n, name in enumerate(given)])
    made = group_pois(rows, [], cities=[], section=GroupTravelSection(currency="EUR")).rows
    named = dict(zip(made["place_id"], made["name"], strict=True))
    told = ["Bell [31mRed", "New Line", "exe", "می\u200cخواهم", "Two  blanks", "\u200b"]
    assert [named[f"p{n}"] for n in range(len(given))] == told
    assert sources({}, [{"name": name} for name in given]) == {"name": told}
