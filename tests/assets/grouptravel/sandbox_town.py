"""A small release for the tests of the sandbox: two towns, places, services, one matrix. All of it is invented."""

from __future__ import annotations

from typing import Any

import pandas as pd

from assets.grouptravel.tables import (
    GroupCalendar,
    GroupCity,
    GroupClimate,
    GroupFare,
    GroupPoi,
)
from assets.rows import ReleaseTables
from schemas.spatial import CityDistance, DistanceMatrix

HOURS = {"always_open": False, "rules": [
    {"date_range": None, "weekdays": [1, 2, 3, 4, 5], "time_windows": [{"open": "09:00", "close": "17:00"}]}
]}  # fmt: skip

PLACES = (  # city, id, name, type, category, price, rank, lat, lon
    ("a", "p1", "Old Museum", "attractions", "museum", None, 1, 60.0000, 24.0000),
    ("a", "p2", "Museum Park", "attractions", "park", None, 2, 60.0000, 24.0100),
    ("a", "p3", "Noodle Bar", "food", "noodles", 12.0, None, 60.0000, 24.0050),
    ("a", "p4", "Grand Inn", "hotels", "luxury", 200.0, 1, 60.0100, 24.0000),
    ("a", "p5", "Plain Inn", "hotels", "economy", 50.0, 2, 60.0300, 24.0000),
    ("a", "p6", "1900", "food", "pizza", 20.0, 1, 60.0000, 24.0090),
    ("b", "p7", "Old Museum", "attractions", "museum", None, 1, 60.5000, 24.0000),
    ("b", "p8", "Castle", "attractions", "castle", None, 2, 60.5010, 24.0000),
)
CITIES = (("a", "Aston", 60.0, 24.0), ("b", "Barrow", 60.5, 24.0))
FARES = (  # from, to, mode, dep, arr, service, price, weekdays
    ("a", "b", "flight", "09:00", "09:40", "F1", 80.0, [1, 2, 3]),
    ("a", "b", "high_speed", "12:00", "12:30", "G2", 40.0, [1, 2, 3, 4, 5, 6, 7]),
    ("a", "b", "train", "08:00", "09:15", "T1", 15.0, [1, 2, 3, 4, 5, 6, 7]),
    ("a", "b", "train", "23:50", "00:50", "T2", 0.0, [1]),
)
WISHES = {
    "global_constraints": {"avg_budget": 500, "hotel_preference": {"prefer": ["luxury"]}},
    "city_specific_preferences": {
        "Aston": {
            "attractions": {"must_visit": ["Old Museum"], "category_pref": {"negative": ["park"]}},
            "food": {"must_eat": ["noodles"]},
        },
        "Barrow": {"attractions": {"reject_visit": ["Castle"]}},
    },
}
RECORD = {
    "time": "2025-10-06", "days": 2,
    "metadata": {"departure_city": "Barrow", "cities": ["Aston"], "child_members": []},
    "user_preferences": {"User1": {"role": "one", "preference": WISHES, "compromisable": True}},
}  # fmt: skip


def tables(language: str = "en") -> ReleaseTables:
    """Return the release's tables, with a section in the language."""
    source = ["group.poi@" + "0" * 64 + "#/Aston/0"]
    pois = [
        {"city_id": c, "place_id": i, "name": n, "poi_type": t, "category": k, "avg_cost": p, "rank": r, "lat": y,
         "lon": x, "opening_hours": HOURS if i == "p1" else None, "is_cost_modelled": i == "p3",
         "source_rows": source}
        for c, i, n, t, k, p, r, y, x in PLACES
    ]  # fmt: skip
    cities = [{"city_id": c, "name": n, "tier": 1, "is_departure": True, "lat": y, "lon": x} for c, n, y, x in CITIES]
    keys = ("origin_city_id", "dest_city_id", "mode", "dep_time", "arr_time", "service", "price", "weekdays")
    fares = [
        {
            **dict(zip(keys, fare, strict=True)),
            "is_price_modelled": fare[2] == "flight",
            "source_rows": source,
            "price_given": fare[6],
            "currency_given": "EUR",
            "rate_basis": None,
        }
        for fare in FARES
    ]
    climate = [
        {"city_id": "a", "month_day": day, "high_c": 9.5, "low_c": 4.0, "rain_share": 0.6, "condition": "rain",
         "source_rows": source}
        for day in ("10-06", "10-07")
    ]  # fmt: skip
    calendar = [
        {"city_id": "a", "date": date, "weekday": 1, "holiday": name, "fare_factor": factor}
        for date, name, factor in (("2025-10-06", None, 1.0), ("2025-10-07", "Day of Aston", 1.5))
    ]
    ways = {"city_id": "a", "mode": "foot", "snap_distance_m": 1.0, "is_off_network": False, "router": "engine=test"}
    matrix = [
        {**ways, "place_id": "p1", "distances_m": [0.0, 640.0], "times_s": [0.0, 480.0]},
        {**ways, "place_id": "p2", "distances_m": [700.0, 0.0], "times_s": [None, 0.0]},
    ]
    drive = {
        "origin_city_id": "a", "destination_city_id": "b", "mode": "car", "geodesic_m": 55_700.0, "time_s": 2400.0,
        "distance_m": 66_000.0, "is_estimate": True, "router": "engine=estimate",
    }  # fmt: skip
    task = {"task_id": "t1", "city_id": "a", "slot": 0, "record": RECORD, "query": "Where to?", "messages": []}
    rows: dict[Any, list[dict[str, Any]]] = {
        GroupPoi: pois, GroupCity: cities, GroupFare: fares, DistanceMatrix: matrix, CityDistance: [drive],
        GroupClimate: climate, GroupCalendar: calendar,
    }  # fmt: skip
    frames: dict[str, Any] = {table.table_name(): pd.DataFrame(found) for table, found in rows.items()}
    frames[DistanceMatrix.table_name()] = DistanceMatrix.arrow(frames[DistanceMatrix.table_name()])
    frames["tasks"] = pd.DataFrame([task])
    return ReleaseTables(frames, {"language": language, "currency": "EUR"})
