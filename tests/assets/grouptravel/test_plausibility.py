"""Implausibilities are found by name where they are planted, and none where nothing is; any of them blocks."""

from __future__ import annotations

import copy
from typing import Any

import pandas as pd
import pytest

from assets.grouptravel.facts.checks import no_city_has_one_price
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.plausibility import IMPLAUSIBLE_TASKS, Places, implausible_in
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.wishes.preferences import empty_table

HOURS: dict[str, Any] | None = {"always_open": True, "rules": []}


def row(key: str, kind: str, category: str, cost: float | None = None, hours: Any = HOURS) -> dict[str, Any]:
    return {"city_id": "x", "place_id": key, "name": key, "poi_type": kind, "category": category, "avg_cost": cost,
            "is_cost_modelled": cost is not None, "opening_hours": hours}  # fmt: skip


ROWS = [
    row("Grand Museum", "attractions", "museum"), row("Small Museum", "attractions", "museum"),
    row("Old Pub", "attractions", "pub"), row("New Pub", "attractions", "pub"),
    row("Lone Zoo", "attractions", "zoo", hours=None),
    *(row(f"Sushi {n}", "food", "sushi", 10.0 + n) for n in range(6)),
    *(row(f"Noodles {n}", "food", "noodles", 12.0 + n) for n in range(6)),
    row("Hostel 1", "hotels", "hostel", 30.0), row("Hostel 2", "hotels", "hostel", 31.0),
    row("Grand", "hotels", "luxury", 200.0),
]  # fmt: skip
NAMES = {"x": "Oulu"}


def visit(kind: str, start: str, place: str, *who: str) -> dict[str, Any]:
    return {"type": kind, "start_time": start, "end_time": "23:00", "location": place, "participants": list(who)}


def case() -> tuple[list[dict], dict, dict]:
    """Return places, a record and a plan in which nothing is implausible."""
    table = empty_table(("Oulu",))
    city = table["city_specific_preferences"]["Oulu"]
    city["attractions"].update(must_visit=["Grand Museum"], category_pref={"positive": ["museum"], "negative": ["pub"]})
    city["food"].update(must_eat=["sushi"], prefer_eat=[], avoid_eat=[], reject_eat=[])
    table["global_constraints"]["hotel_preference"] = {"prefer": ["hostel"], "avoid": []}
    record = {"metadata": {"cities": ["Oulu"]}, "user_preferences": {"User1": {"preference": table}}}
    acts = [visit("attraction", "10:00", "Grand Museum", "All"), visit("food", "12:00", "Sushi 1", "All"),
            visit("attraction", "19:00", "Old Pub", "User1"),
            visit("attraction", "19:00", "New Pub", "User2")]  # fmt: skip
    leg = {"type": "intercity_transport", "from_city": "A", "to_city": "Oulu"}
    return copy.deepcopy(ROWS), record, {"days": [{"city_segments": [leg, {"city": "Oulu", "activities": acts}]}]}


def counted(rows, record, plan) -> dict[str, int]:
    frame = pd.DataFrame([{"lat": None, "lon": None, "rank": None, **held} for held in rows]).astype(object)
    return dict(implausible_in(record, [plan], Places(Pois.of_frame(frame.where(frame.notna(), None), NAMES), EN)))


def test_nothing_is_found_where_nothing_is():
    rows, record, plan = case()
    assert counted(rows, record, plan) == {}


@pytest.mark.parametrize("name", IMPLAUSIBLE_TASKS)
def test_each_is_found_where_it_is_planted(name):
    rows, record, plan = case()
    table = record["user_preferences"]["User1"]["preference"]
    city, acts = table["city_specific_preferences"]["Oulu"], plan["days"][0]["city_segments"][1]["activities"]
    if name == "must_visits_nobody_travels_for":
        city["attractions"]["must_visit"] = ["Old Pub"]
    elif name == "wished_and_refused_kinds":
        city["food"]["reject_eat"] = ["Asian food"]
        rows += [row(f"Asia {n}", "food", "Asian food", 9.0) for n in range(2)]
    elif name == "kinds_that_there_is_one_of":
        table["global_constraints"]["hotel_preference"]["prefer"] = ["luxury"]
    elif name == "tastes_that_say_nothing":
        rows += [row(f"R {n}", "food", "restaurant", 9.0) for n in range(2)]
        city["food"]["must_eat"] = ["restaurant"]
    elif name == "nightlife_in_daylight":
        acts[2]["start_time"] = "11:00"
    elif name == "visits_of_unknown_hours":
        acts[0]["location"] = "Lone Zoo"
    elif name == "teams_apart_at_one_place":
        acts[3]["location"], acts[3]["start_time"] = "Old Pub", "19:01"
    assert counted(rows, record, plan) == {name: 1}


def test_a_city_of_one_price_blocks():
    rows = pd.DataFrame(case()[0])
    assert no_city_has_one_price(rows).holds
    rows["avg_cost"] = 22.0
    assert not no_city_has_one_price(rows).holds
    assert no_city_has_one_price(rows.assign(is_cost_modelled=False)).holds
    assert no_city_has_one_price(rows.iloc[:0]).holds
