"""What the careful planner knows of the world: what the tools have told it, kept as a Reference of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd
import pyarrow as pa

from assets.runs.playing import Access
from assets.tripcraft.entities import CarRates
from assets.tripcraft.reference import Reference
from assets.tripcraft.vocabulary import HOUSE_RULES
from schemas.clock import minutes

NOWHERE = float("nan")
"""Where a restaurant or a stay lies: no tool says it, and no check of a plan asks."""

DAY_MIN = 1440
_STATES = re.compile(r"states are (.+?)\W*$")
_DRIVE = re.compile(r"duration: ([\d.e+]+), distance: ([\d.e+]+), cost: (\d+)")
_ELAPSED = re.compile(r"(\d+) hours (\d+) minutes")
_SERVICES = (
    ("Flight Number", "flight", "FlightDate"),
    ("Train Number", "train", "Date"),
    ("Coach Number", "coach", "Date"),
)
_FLIGHT = pa.schema(
    [
        ("flight_number", pa.string()), ("mode", pa.string()), ("origin_city_id", pa.string()),
        ("dest_city_id", pa.string()), ("flight_date", pa.date32()), ("dep_time", pa.string()),
        ("arr_time", pa.string()), ("arr_day_offset", pa.int64()), ("elapsed_min", pa.int64()),
        ("distance_km", pa.float64()), ("price", pa.int64()), ("is_modelled", pa.bool_()),
    ]
)  # fmt: skip


@dataclass(frozen=True)
class ToldRates(CarRates):
    """Cars' costs as the tool told them for one car, by mode and distance; seats as published (1.B)."""

    costs: Mapping[tuple[str, float], int] = field(default_factory=dict)

    def cost(self, mode: str, distance_km: float, people: int) -> int:
        """Return the party's cost of one drive."""
        seats = self.self_driving_seats if mode == "self_driving" else self.taxi_seats
        return self.costs[mode, distance_km] * -(-people // seats)


class Searches:
    """The tools of one session. A city's id here is its name in plans: no tool tells another."""

    def __init__(self, access: Access) -> None:
        """Take the tools; nothing is asked yet."""
        self._access = access
        self._answers: dict[str, Any] = {}
        self.calls: list[dict[str, Any]] = []
        self._rows: dict[str, list[dict[str, Any]]] = {
            name: [] for name in ("restaurants", "attractions", "stays", "events", "stops", "services", "drives")
        }
        self._car_costs: dict[tuple[str, float], int] = {}
        self.looked_at: set[str] = set()

    @cached_property
    def cities(self) -> dict[str, str]:
        """Return each city's state; a search in a state that is none tells all states."""
        states = _STATES.search(str(self.ask("CitySearch", State="?")))
        state_by_city: dict[str, str] = {}
        for state in states[1].split(", ") if states else ():
            names = self.ask("CitySearch", State=state)
            state_by_city |= {name: state for name in names if isinstance(names, list)}
        return state_by_city

    def ask(self, name: str, **arguments: str) -> Any:
        """Return a tool's answer: rows, a sentence, or what was wrong; the same question is asked once."""
        key = json.dumps([name, arguments], sort_keys=True)
        if key not in self._answers:
            reply = self._access.call(name, arguments)
            self.calls.append(
                {"name": name, "arguments": arguments, "result": reply.result, "has_error": reply.has_error}
            )
            try:
                self._answers[key] = json.loads(reply.result)
            except ValueError:
                self._answers[key] = reply.result
        return self._answers[key]

    def look_at(self, city: str, dates: Sequence[str]) -> None:
        """Ask for a city's places, and for its events on the dates; once a city."""
        if city in self.looked_at:
            return
        self.looked_at.add(city)
        for what, tool in (
            ("restaurants", "RestaurantSearch"), ("attractions", "AttractionSearch"), ("stays", "AccommodationSearch"),
        ):  # fmt: skip
            for number, row in enumerate(self._answer_rows(tool, City=city)):
                place_id = f"{city}/{what}/{number:05}"
                self._rows[what].append({"place_id": place_id, "city_id": city, **_PLACE[what](row)})
                if row["nearest_stop_name"] is not None:
                    stop = {"stop_name": row["nearest_stop_name"], "distance_m": row["nearest_stop_distance"]}
                    self._rows["stops"].append({"place_id": place_id, **stop})
        for date in dates:
            for number, row in enumerate(self._answer_rows("EventSearch", City=city, Date=date)):
                key = {"event_id": f"{city}/{date}/{number:05}", "city_id": city, "date": date}
                self._rows["events"].append({**key, "name": row["name"], "segment": row["segmentName"]})

    def look_between(self, origin: str, dest: str, dates: Iterable[str]) -> None:
        """Ask for the ways from one city to another on the dates."""
        has_trains = any(tool.name == "TrainSearch" for tool in self._access.tools)
        for date in dates:
            ends = {"Departure City": origin, "Destination City": dest, "Date": date}
            for tool in ("FlightSearch", *(["TrainSearch"] if has_trains else [])):
                self._rows["services"] += [_service(row, origin, dest) for row in self._answer_rows(tool, **ends)]
        for mode, tool_mode in (("self_driving", "self-driving"), ("taxi", "taxi")):
            match = _DRIVE.search(str(self.ask("DistanceMatrix", Origin=origin, Destination=dest, Mode=tool_mode)))
            if match:
                duration, distance, cost = float(match[1]), float(match[2]), int(match[3])
                self._car_costs[mode, distance] = cost
                ends = {"origin_city_id": origin, "dest_city_id": dest}
                self._rows["drives"].append({**ends, "duration_min": duration, "distance_km": distance})

    def reference(self, currency: str) -> Reference:
        """Return what has been told so far."""

        def frame(name: str, *columns: str) -> pd.DataFrame:
            return pd.DataFrame(self._rows[name], columns=list(columns) if not self._rows[name] else None)

        services = {
            mode: [row for row in self._rows["services"] if (row["mode"] == "flight") == mode] for mode in (True, False)
        }
        journeys = pa.Table.from_pylist(services[False], _FLIGHT).to_pandas() if services[False] else None
        cities = [
            {"city_id": c, "plan_name": c, "region": state, "country": "", "time_zone": "", "currency": currency}
            for c, state in self.cities.items()
        ]
        return Reference(
            cities=pd.DataFrame(cities),
            flights=pa.Table.from_pylist(services[True], _FLIGHT),
            restaurants=frame("restaurants", "place_id", "city_id"),
            attractions=frame("attractions", "place_id", "city_id"),
            stays=frame("stays", "place_id", "city_id"),
            events=frame("events", "event_id", "city_id"),
            nearest_stops=frame("stops", "place_id"),
            city_distances=frame("drives", "origin_city_id").drop_duplicates(),
            journeys=journeys,
            currency=currency,
            car_rates=ToldRates(costs=self._car_costs),
        )

    def _answer_rows(self, tool: str, **arguments: str) -> list[dict[str, Any]]:
        answer = self.ask(tool, **arguments)
        return answer if isinstance(answer, list) else []


def _service(row: Mapping[str, Any], origin: str, dest: str) -> dict[str, Any]:
    """Return a flight, train or coach; on which day it arrives follows from how long it takes."""
    number, mode, date = next(kind for kind in _SERVICES if kind[0] in row)
    leaves, arrives = minutes(row["DepTime"]), minutes(row["ArrTime"])
    hours, mins = map(int, _ELAPSED.search(row["ActualElapsedTime"]).groups())  # type: ignore[union-attr]
    # Zones move a clock by less than half a day, so the nearest day that fits is the one.
    offset = round((leaves + 60 * hours + mins - arrives) / DAY_MIN)
    return {
        "flight_number": row[number], "mode": mode, "origin_city_id": origin, "dest_city_id": dest,
        "flight_date": pd.Timestamp(row[date]).date(), "dep_time": row["DepTime"], "arr_time": row["ArrTime"],
        "arr_day_offset": offset, "elapsed_min": 60 * hours + mins, "distance_km": float(row["Distance"]),
        "price": int(row["Price"]), "is_modelled": False,
    }  # fmt: skip


def _restaurant(row: Mapping[str, Any]) -> dict[str, Any]:
    cuisines = [kind for kind in row["cuisines"].split(", ") if kind]
    return {**_place(row), "avg_cost": row["avg_cost"], "cuisines": cuisines, "opening_hours": None}


def _attraction(row: Mapping[str, Any]) -> dict[str, Any]:
    columns = {"visit_duration_h": row["visit_duration"], "categories": row["subcategories"], "rating": None}
    return {**_place(row), **columns, "lat": row["latitude"], "lon": row["longitude"], "opening_hours": None}


def _stay(row: Mapping[str, Any]) -> dict[str, Any]:
    forbidden = None if row["house_rules"] is None else [rule for rule in HOUSE_RULES if rule in row["house_rules"]]
    says_too_little = "others unknown" in (row["house_rules"] or "")
    unknown = [rule for rule in HOUSE_RULES if rule not in (forbidden or ())] if says_too_little else []
    return {
        **_place(row), "price": row["pricing"], "room_type": row["roomType"], "house_rules": forbidden,
        "unknown_rules": unknown, "max_occupancy": row["max_occupancy"], "min_nights": row["minimum_nights"],
    }  # fmt: skip


def _place(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": row["name"], "rating": row.get("rating"), "lat": NOWHERE, "lon": NOWHERE}


_PLACE = {"restaurants": _restaurant, "attractions": _attraction, "stays": _stay}
