"""A small world for the tests: two cities, a group of three, and a plan that every check accepts."""

from __future__ import annotations

import copy
import datetime as dt
from typing import Any

from assets.grouptravel.checks.validity_facts import Facts
from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.wishes.preferences import FIELDS, empty_table, put

USERS = ("User1", "User2", "User3")
FIRST_DATE = dt.date(2025, 10, 6)  # a Monday
ALL_WEEK = (1, 2, 3, 4, 5, 6, 7)


def daily(opens: str, closes: str, weekdays: tuple[int, ...] = ALL_WEEK) -> dict[str, Any]:
    window = {"open": opens, "close": closes}
    return {"always_open": False, "rules": [{"date_range": None, "weekdays": list(weekdays), "time_windows": [window]}]}


POIS = Pois(
    {
        "Oulu": [
            Poi("p1", "Grand Museum", "attractions", "museum", daily("09:00", "18:00"), None, 65.010, 25.470),
            Poi("p2", "Old Temple", "attractions", "temple", daily("09:00", "18:00"), None, 65.020, 25.480),
            Poi("p4", "Old Temple Garden", "attractions", "garden", None, None, 65.021, 25.481),
            Poi("p3", "Lake Park", "attractions", "park", None, None, 65.015, 25.460),
            Poi("f1", "Noodle House", "food", "noodles", daily("11:00", "21:00"), 30.0, 65.012, 25.470),
            Poi("f2", "Spice Pot", "food", "hotpot", daily("11:00", "21:00"), 80.0, 65.013, 25.470),
            Poi("h1", "Comfort Inn", "hotels", "comfort", None, 150.0, 65.011, 25.471),
            Poi("h2", "Grand Palace", "hotels", "luxury", None, 400.0, 65.014, 25.473),
        ],
        "Kemi": [Poi("k1", "Snow Castle", "attractions", "castle", None, None, 65.730, 24.560)],
    }
)
FARES = Fares(
    {
        ("Home", "Oulu"): [Service("train", 200.0, 420, 540, ALL_WEEK), Service("flight", 320.0, 600, 660, ALL_WEEK)],
        ("Oulu", "Home"): [Service("train", 200.0, 840, 960, ALL_WEEK)],
    }
)
FACTS = Facts(USERS, POIS, departure_city="Home", first_date=FIRST_DATE, fares=FARES)


def move(start: str, end: str, origin: str, to: str, who: list[str] | None = None) -> dict[str, Any]:
    return {"type": "intracity_transport", "start_time": start, "end_time": end, "transport_mode": "taxi",
            "from": origin,
            "to": to, "participants": who or ["All"]}  # fmt: skip


def at(kind: str, start: str, end: str, place: str, who: list[str] | None = None, **more: Any) -> dict[str, Any]:
    people = {} if kind == "hotel" else {"participants": who or ["All"]}
    return {"type": kind, "start_time": start, "end_time": end, "location": place, **people, **more}


def leg(start: str, end: str, origin: str, to: str, mode: str = "train", cost: float = 200) -> dict[str, Any]:
    return {"type": "intercity_transport", "from_city": origin, "to_city": to, "transport_mode": mode,
            "start_time": start, "end_time": end, "avg_cost": cost}  # fmt: skip


def good_plan() -> dict[str, Any]:
    """Return a fresh plan of two days, all together, that has no issue in any variant."""
    first = [
        move("09:10", "09:30", "Station", "Grand Museum"),
        at("attraction", "09:30", "11:30", "Grand Museum"),
        move("11:30", "11:50", "Grand Museum", "Spice Pot"),
        at("food", "12:00", "13:00", "Spice Pot", avg_cost=80),
        move("13:00", "13:30", "Spice Pot", "Old Temple"),
        at("attraction", "13:30", "15:30", "Old Temple"),
        move("15:30", "16:00", "Old Temple", "Comfort Inn"),
        at("hotel", "20:00", "08:00", "Comfort Inn", avg_cost=150),
    ]
    second = [
        move("08:30", "09:00", "Comfort Inn", "Lake Park"),
        at("attraction", "09:00", "11:00", "Lake Park"),
        move("11:00", "11:20", "Lake Park", "Noodle House"),
        at("food", "11:30", "12:30", "Noodle House", avg_cost=30),
    ]
    return copy.deepcopy(
        {
            "days": [
                {
                    "day": 1,
                    "date": "2025-10-06",
                    "city_segments": [leg("07:00", "09:00", "Home", "Oulu"), {"city": "Oulu", "activities": first}],
                },
                {
                    "day": 2,
                    "date": "2025-10-07",
                    "city_segments": [{"city": "Oulu", "activities": second}, leg("14:00", "16:00", "Oulu", "Home")],
                },
            ]
        }
    )


def acts(plan: dict[str, Any], day: int = 0) -> list[dict[str, Any]]:
    """Return the list of activities of a day, to be changed in place."""
    return next(s["activities"] for s in plan["days"][day]["city_segments"] if "activities" in s)


def table(**wanted: Any) -> dict[str, Any]:
    """Return a table for Oulu; a keyword is the last part of a field's path, `transport_must` for one that repeats."""
    made = empty_table(("Oulu",))
    for key, value in wanted.items():
        field = next(f for f in FIELDS if key in (f.path[-1], "_".join(f.path[-2:]).replace("_preference", "")))
        put(made, field, "Oulu", value)
    return made
