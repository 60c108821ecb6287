"""Where each value of a trip comes from: rows of its world, the draw, the solver's choice of times, the words."""

from __future__ import annotations

from collections.abc import Iterator

from assets.family import Origin, TaskView
from assets.tripcraft.reference import Reference
from assets.tripcraft.tables import (
    TripcraftAttraction,
    TripcraftCity,
    TripcraftCityDistance,
    TripcraftEvent,
    TripcraftFlight,
    TripcraftNearestStop,
    TripcraftRestaurant,
    TripcraftStay,
    TripcraftTerms,
)

TABLE_OF_SLOT = {
    "breakfast": TripcraftRestaurant, "lunch": TripcraftRestaurant, "dinner": TripcraftRestaurant,
    "morning": TripcraftAttraction, "afternoon": TripcraftAttraction, "stay": TripcraftStay,
}  # fmt: skip
"""Slot of a witness to the table of its places."""

RATES = ("self_driving_per_km", "self_driving_seats", "taxi_per_km", "taxi_seats")

Cell = tuple[str, str, str]


def trace(task: TaskView, world: Reference) -> Iterator[Origin]:
    """Yield the origin of every value of a trip."""
    yield Origin("query", "words", "tripcraft.wording", generation_ids=task.generation_ids)
    for field in ("messages", "repairs"):
        yield Origin(field, "choice", "tripcraft.plan")
    yield Origin("drawn", "choice", "tripcraft.draft")
    for key in task.record:
        yield Origin(f"record/{key}", "choice", "tripcraft.budget" if key == "budget" else "tripcraft.draft")
    yield Origin("proof", "choice", "tripcraft.solver")
    for key in ("metrics", "ways_in_town", "cost", "budget_slack"):
        yield Origin(f"proof/{key}", "choice", "tripcraft.scoring")
    yield Origin("checks", "choice", "tripcraft.scoring")
    for day in range(len(task.plan)):
        yield from _day(task, world, day)


def _day(task: TaskView, world: Reference, day: int) -> Iterator[Origin]:
    where, proof, shown = f"plan/{day}", task.proof, task.plan[day]
    cities = [task.record["origin_city_id"], *proof["cities"], task.record["origin_city_id"]]
    is_moving = day % 2 == 0
    here, there = cities[day // 2], cities[day // 2 + 1]
    yield Origin(where, "choice", "tripcraft.plan")
    if is_moving:
        yield Origin(f"{where}/current_city", "cells", "tripcraft.route", _both(world, here, there))
        yield _move(task, world, day // 2, here, there, f"{where}/transportation")
    else:
        yield Origin(f"{where}/current_city", "cells", "tripcraft.city", _city(world, there))
    items = list(enumerate(proof["days"][day]))
    for slot in ("breakfast", "lunch", "dinner"):
        for _, item in items:
            if item["slot"] == slot:
                place = _place(TripcraftRestaurant, item)
                yield Origin(f"{where}/{slot}", "cells", "tripcraft.named", (place, *_city(world, item["city_id"])))
    visits = [item for slot in ("morning", "afternoon") for _, item in items if item["slot"] == slot]
    if visits and shown["attraction"] != "-":
        places = [(_place(TripcraftAttraction, item), item["city_id"]) for item in visits]
        yield _listed(world, f"{where}/attraction", places)
    if shown["accommodation"] != "-":
        stay = proof["stays"][day // 2]
        cells = (_place(TripcraftStay, stay), *_city(world, stay["city_id"]))
        yield Origin(f"{where}/accommodation", "cells", "tripcraft.named", cells)
    if proof["events"][day]:
        events = [
            ((TripcraftEvent.table_name(), f"{event['city_id']}/{event['event_id']}", "name"), event["city_id"])
            for event in proof["events"][day]
        ]
        yield _listed(world, f"{where}/event", events)
    entries: list[Cell] = []
    for number, item in items:
        key = f"{item['city_id']}/{item['place_id']}"
        stop = TripcraftNearestStop.table_name()
        entries += [
            _place(TABLE_OF_SLOT[item["slot"]], item),
            *(("task", "", f"proof/days/{day}/{number}/{part}") for part in ("slot", "start_min", "end_min")),
            (stop, key, "stop_name"),
            (stop, key, "distance_m"),
        ]
    yield Origin(f"{where}/point_of_interest_list", "cells", "tripcraft.day_list", entries)


def _move(task: TaskView, world: Reference, leg: int, here: str, there: str, field: str) -> Origin:
    move = task.proof["moves"][leg]
    if move["mode"] == "flight":
        flight = TripcraftFlight.table_name()
        columns = ("flight_number", "dep_time", "arr_time", "arr_day_offset")
        cells = [(flight, move["flight_number"], column) for column in columns]
        return Origin(field, "cells", "tripcraft.flight", (*cells, *_both(world, here, there)))
    way = TripcraftCityDistance.table_name()
    cells = [
        ("task", "", f"proof/moves/{leg}/mode"),
        *((way, f"{here}/{there}", column) for column in ("duration_min", "distance_km")),
        *((TripcraftTerms.table_name(), world.currency, column) for column in RATES),
        ("task", "", "record/people"),
    ]
    return Origin(field, "cells", "tripcraft.drive", (*cells, *_both(world, here, there)))


def _listed(world: Reference, field: str, places: list[tuple[Cell, str]]) -> Origin:
    """Return the origin of several places; cities of one list are told apart by equally many parts."""
    parts = max(len(world.name_parts(city)) for _, city in places)
    cells: list[Cell] = [("literal", "", str(parts))]
    for place, city in places:
        cells += [place, *_city(world, city, parts)]
    return Origin(field, "cells", "tripcraft.listed", cells)


def _place(table: type, item: dict[str, str]) -> Cell:
    return table.table_name(), f"{item['city_id']}/{item['place_id']}", "name"


def _city(world: Reference, city_id: str, least: int = 0) -> list[Cell]:
    """Return the cells that a city's plan name is made of."""
    columns = world.name_parts(city_id)
    return [(TripcraftCity.table_name(), city_id, column) for column in columns] + [("literal", "", "")] * (
        least - len(columns)
    )


def _both(world: Reference, here: str, there: str) -> list[Cell]:
    parts = max(len(world.name_parts(here)), len(world.name_parts(there)))
    return [*_city(world, here, parts), *_city(world, there, parts)]
