"""A small invented world, a record that asks for everything, and a plan that satisfies it; tests break them on purpose.

Harbour lies in Westmark; Amble, Birch, Corran and Dunmere in Eastfold; Edge in Northdale. Each city but Harbour has
twelve restaurants (the last very dear), eight attractions, four stays and, every day, one event of each kind; every two
cities are joined by a daily morning, noon and evening flight and by road.
"""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from assets.tripcraft.plan import drive_text, flight_text, item_text, name_city, route_text
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.scoring import score_plan
from assets.tripcraft.vocabulary import CATEGORY_DURATION_H, HOUSE_RULES, QUERY_CUISINES, SEGMENTS, VISITED_CITIES

EAST = ("amble", "birch", "corran", "dunmere")
ALL = ("harbour", *EAST, "edge")
REGION = {"harbour": "Westmark", "edge": "Northdale"}
FIRST_DAY = dt.date(2024, 11, 1)
DEPARTURES = {"morning": ("08:00", "10:00", 120), "noon": ("12:00", "13:30", 90), "evening": ("18:00", "19:40", 100)}
CATEGORIES = tuple(CATEGORY_DURATION_H)

TABLES = (
    "cities", "flights", "restaurants", "attractions", "stays", "events", "nearest_stops", "city_distances",
)  # fmt: skip

Frames = dict[str, pd.DataFrame]


def invented_frames() -> Frames:
    """Return the world's tables."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
    for city in ALL:
        region = REGION.get(city, "Eastfold")
        rows["cities"].append(
            {
                "city_id": city,
                "name": city.title(),
                "plan_name": city.title(),
                "region": region,
                "country": "XX",
                "time_zone": "UTC",
                "currency": "XXC",
            }
        )
    number = 0
    for origin in ALL:
        for dest in ALL:
            if origin == dest:
                continue
            rows["city_distances"].append(
                {"origin_city_id": origin, "dest_city_id": dest, "duration_min": 200.5, "distance_km": 310.25}
            )
            for day in range(30):
                for dep, arr, elapsed in DEPARTURES.values():
                    number += 1
                    rows["flights"].append(
                        {
                            "flight_number": f"F{number:07d}",
                            "origin_city_id": origin,
                            "dest_city_id": dest,
                            "flight_date": FIRST_DAY + dt.timedelta(days=day),
                            "dep_time": dep,
                            "arr_time": arr,
                            "arr_day_offset": 0,
                            "elapsed_min": elapsed,
                            "distance_km": 420.0,
                            "price": 90,
                            "is_modelled": False,
                        }
                    )
    for city in (*EAST, "edge"):
        _add_places(rows, city)
    return {name: pd.DataFrame(found) for name, found in rows.items()}


def _add_places(rows: dict[str, list[dict[str, Any]]], city: str) -> None:
    spot = {"lat": 10.0, "lon": 20.0}
    for i in range(12):
        rows["restaurants"].append(
            {
                "city_id": city,
                "place_id": f"{city}-r{i:02d}",
                "name": f"Table {i}, {city.title()} Street",
                "avg_cost": 10 + i if i < 11 else 9000,
                "cuisines": [QUERY_CUISINES[i % 7], "Cafe"],
                "rating": 4.0,
                "opening_hours": None,
                **spot,
            }
        )
    for i in range(8):
        kinds = [CATEGORIES[i], CATEGORIES[(i + 8) % 15]]
        rows["attractions"].append(
            {
                "city_id": city,
                "place_id": f"{city}-a{i}",
                "name": f"Sight {i} {city.title()}",
                "categories": kinds,
                "visit_duration_h": sum(CATEGORY_DURATION_H[k] for k in kinds) / 2,
                "rating": 4.0,
                "address": "",
                "website": "",
                "opening_hours": None,
                **spot,
            }
        )
    for i, (price, room, rules, holds) in enumerate(
        [
            (50, "private_room", ["No smoking"], 2),
            (55, "private_room", list(HOUSE_RULES), 6),
            (20, "shared_room", [], 1),
            (120, "entire_home", [], 6),
        ]
    ):
        rows["stays"].append(
            {
                "city_id": city,
                "place_id": f"{city}-s{i}",
                "name": f"Rest {i} {city.title()}",
                "price": price,
                "room_type": room,
                "house_rules": rules,
                "max_occupancy": holds,
                "min_nights": 1,
                "rating": 4.0,
                **spot,
            }
        )
    for day in range(30):
        for segment in SEGMENTS:
            date = FIRST_DAY + dt.timedelta(days=day)
            rows["events"].append(
                {
                    "city_id": city,
                    "event_id": f"{city}-{segment}-{date}",
                    "name": f"{segment} Night {day}, {city.title()} Hall",
                    "date": date,
                    "segment": segment,
                    "address": "",
                    "url": "",
                }
            )
    for kind in ("restaurants", "attractions", "stays"):
        rows["nearest_stops"] += [
            {
                "city_id": city,
                "place_id": row["place_id"],
                "stop_name": f"Stop of {row['place_id']}",
                "distance_m": 100.25 + i,
            }
            for i, row in enumerate(r for r in rows[kind] if r["city_id"] == city)
        ]


def reference_of(frames: Frames) -> Reference:
    """Return the reference of the tables."""
    return Reference(
        cities=frames["cities"],
        flights=frames["flights"],
        restaurants=frames["restaurants"],
        attractions=frames["attractions"],
        stays=frames["stays"],
        events=frames["events"],
        nearest_stops=frames["nearest_stops"],
        city_distances=frames["city_distances"],
        town_ways=frames.get("town_ways"),
        currency="XXC",
    )


def record_of(days: int) -> Record:
    """Return a record that asks for every kind of constraint."""
    return {
        "origin_city_id": "harbour",
        "dest_city_id": "amble" if days == 3 else None,
        "dest_region": "Eastfold",
        "dest_country": "XX",
        "days": days,
        "visiting_city_number": VISITED_CITIES[days],
        "dates": [str(FIRST_DAY + dt.timedelta(days=4 + i)) for i in range(days)],
        "people": 2,
        "constraints": {
            "house_rule": "pets",
            "cuisine": ["Chinese", "American"],
            "room_type": "private room",
            "transportation": "no self-driving",
            "event": ["Music"],
            "attraction": ["Classes & Workshops"],
        },
        "budget": 5000,
        "level": "hard",
        "persona": {
            "Traveler Type": "Adventure Seeker",
            "Purpose of Travel": "Nature",
            "Spending Preference": "Economical Traveler",
            "Location Preference": "Cities",
        },
    }


class Trip:
    """Writes native plans for the invented world: two nights in each city, the first places in order."""

    def __init__(self, reference: Reference, record: Record) -> None:
        self.reference, self.record = reference, record
        self.used: dict[str, int] = {}

    def plan(self, cities: tuple[str, ...] | None = None) -> list[dict[str, Any]]:
        """Return the plan over the cities, in order."""
        days = self.record["days"]
        cities = cities or EAST[: self.record["visiting_city_number"]]
        where = ["harbour", *[city for city in cities for _ in range(2)], "harbour"]
        return [self.day(i, where[i], where[i + 1]) for i in range(days)]

    def day(self, index: int, before: str, now: str) -> dict[str, Any]:
        """Return one day: moving if the city changes."""
        day: dict[str, Any] = {"days": index + 1, "current_city": self.name(now), "transportation": "-"}
        day |= {"breakfast": "-", "attraction": "-", "lunch": "-", "dinner": "-", "accommodation": "-", "event": "-"}
        items = []
        is_first, is_last, is_moving = index == 0, now == "harbour", before != now
        if is_moving:
            day["current_city"] = route_text(self.name(before), self.name(now))
            day["transportation"] = self.flight(index, before, now)
        here = before if is_last else now
        items.append(self.stay_item(now if is_first else before, *((660, 720) if is_first else (480, 510))))
        if not is_first:
            day["breakfast"] = self.eat(before, items, 550, 600)
            if not is_moving or is_last:
                day["attraction"] = self.visit(here, items, 630, 780)
        if not is_moving or is_first or is_last:
            day["lunch"] = self.eat(here, items, 850, 910)
        if not is_moving:
            day["event"] = self.event(here, index)
        if not is_last:
            day["dinner"] = self.eat(now, items, 1210, 1280)
            day["accommodation"] = name_city(self.reference.stays_in(now)[0].name, self.name(now))
            items.append(self.stay_item(now, 1320, 1320 + 600))
        day["point_of_interest_list"] = "; ".join(items) + "."
        return day

    def name(self, city: str) -> str:
        return self.reference.cities[city].name

    def flight(self, index: int, origin: str, dest: str) -> str:
        hour = "morning" if index == 0 else "evening" if dest == "harbour" else "noon"
        wanted = int(DEPARTURES[hour][0][:2]) * 60
        found = self.reference.flights_between(origin, dest, self.record["dates"][index])
        flight = next(f for f in found if f.dep_min == wanted)
        return flight_text(flight.flight_number, self.name(origin), self.name(dest), flight.dep_min, flight.arr_min)

    def drive(self, mode: Any, origin: str, dest: str) -> str:
        return drive_text(mode, self.name(origin), self.name(dest), 200.5, 310.25, 15)

    def next(self, kind: str, city: str) -> int:
        self.used[kind + city] = self.used.get(kind + city, -1) + 1
        return self.used[kind + city]

    def item(self, place: Any, verb: str, start: int, end: int) -> str:
        stop = self.reference.stop(place.place_id)
        assert stop is not None
        return item_text(place.name, verb, start, end, stop.name, stop.distance_m)

    def stay_item(self, city: str, start: int, end: int) -> str:
        return self.item(self.reference.stays_in(city)[0], "stay", start, end)

    def eat(self, city: str, items: list[str], start: int, end: int) -> str:
        place = self.reference.restaurants_in(city)[self.next("r", city)]
        items.append(self.item(place, "visit", start, end))
        return name_city(place.name, self.name(city))

    def visit(self, city: str, items: list[str], start: int, end: int) -> str:
        place = self.reference.attractions_in(city)[2 + self.next("a", city)]
        items.append(self.item(place, "visit", start, end))
        return name_city(place.name, self.name(city))

    def event(self, city: str, index: int) -> str:
        date = self.record["dates"][index]
        event = next(e for e in self.reference.events_in(city) if e.date == date and e.segment == "Music")
        return name_city(event.name, self.name(city))


@pytest.fixture(scope="session")
def frames() -> Callable[[], Frames]:
    """Return a function that gives fresh copies of the invented tables."""
    made = invented_frames()
    return lambda: {name: copy.deepcopy(frame) for name, frame in made.items()}


@pytest.fixture(scope="session")
def world(frames: Callable[[], Frames]) -> Reference:
    """Return the reference of the invented world."""
    return reference_of(frames())


@pytest.fixture
def record() -> Callable[[int], Record]:
    """Return a function from a length to a record that asks for everything."""
    return record_of


@pytest.fixture
def trip(world: Reference) -> Callable[..., Trip]:
    """Return a function that gives the writer of plans for a record in the invented world, or in another."""
    return lambda record, reference=world: Trip(reference, record)


@pytest.fixture(scope="session")
def build() -> Callable[[Frames], Reference]:
    """Return the function from tables to reference."""
    return reference_of


@pytest.fixture(params=[3, 5, 7])
def days(request: pytest.FixtureRequest) -> int:
    """Return each length of a trip."""
    return request.param


@pytest.fixture
def reasons(
    world: Reference, record: Callable[[int], Record], trip: Callable[..., Trip]
) -> Callable[[int, str, Any], str]:
    """Return a function from a length and a change of its good plan to a check's reasons, joined."""

    def of(days: int, check: str, change: Any) -> str:
        asked = record(days)
        plan = trip(asked).plan()
        change(plan)
        score = score_plan(asked, plan, world)
        return "; ".join({**(score.commonsense or {}), **(score.hard or {})}[check].reasons)

    return of
