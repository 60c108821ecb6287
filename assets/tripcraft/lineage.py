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
    TripcraftJourney,
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

SCHEDULED_IN = {"flight": TripcraftFlight, "train": TripcraftJourney, "coach": TripcraftJourney}
"""Mode of a way to the table of its services."""

RATES = ("self_driving_per_km", "self_driving_seats", "taxi_per_km", "taxi_seats")

Cell = tuple[str, str, str]


def trace(task: TaskView, world: Reference) -> Iterator[Origin]:
    """Yield the origin of every value of a trip."""
    is_asked, mended = bool(world.queries), {edit["field"].partition("/")[0] for edit in task.repairs}
    words = "tripcraft.asked" if is_asked and task.query in world.queries.values() else "tripcraft.wording"
    yield Origin("query", "words", words, generation_ids=task.generation_ids)
    yield Origin("messages", "choice", "tripcraft.plan")
    yield Origin("repairs", "choice", "tripcraft.mend" if is_asked else "tripcraft.plan")
    yield Origin("drawn", "choice", "tripcraft.asked" if is_asked else "tripcraft.draft")
    for key in task.record:
        rule_if_drawn = "tripcraft.budget" if key == "budget" else "tripcraft.draft"
        rule_if_asked = "tripcraft.mend" if key in mended else "tripcraft.asked"
        yield Origin(f"record/{key}", "choice", rule_if_asked if is_asked else rule_if_drawn)
    yield Origin("proof", "choice", "tripcraft.solver")
    yield Origin("proof/remark", "words", "tripcraft.remark")
    for key in ("metrics", "ways_in_town", "cost", "budget_slack"):
        yield Origin(f"proof/{key}", "choice", "tripcraft.scoring")
    yield from _costs(task, world)
    yield Origin("checks", "choice", "tripcraft.scoring")
    for day in range(len(task.plan)):
        yield from _day(task, world, day)


def _day(task: TaskView, world: Reference, day: int) -> Iterator[Origin]:
    where, proof, plan_day = f"plan/{day}", task.proof, task.plan[day]
    cities = [task.record["origin_city_id"], *proof["cities"], task.record["origin_city_id"]]
    origin, dest = cities[day // 2], cities[day // 2 + 1]
    yield Origin(where, "choice", "tripcraft.plan")
    if day % 2 == 0:
        yield Origin(f"{where}/current_city", "cells", "tripcraft.route", (_city(origin), _city(dest)))
        yield _move(task, world, day // 2, origin, dest, f"{where}/transportation")
    else:
        yield Origin(f"{where}/current_city", "cells", "equal", (_city(dest),))
    items = list(enumerate(proof["days"][day]))
    for slot in ("breakfast", "lunch", "dinner"):
        meals = [_place(TripcraftRestaurant, item) for _, item in items if item["slot"] == slot]
        yield from _origin_of_places(f"{where}/{slot}", meals)
    visits = [
        _place(TripcraftAttraction, i) for slot in ("morning", "afternoon") for _, i in items if i["slot"] == slot
    ]
    yield from _origin_of_places(f"{where}/attraction", visits)
    if plan_day["accommodation"] != "-":
        yield from _origin_of_places(f"{where}/accommodation", [_place(TripcraftStay, proof["stays"][day // 2])])
    event_table = TripcraftEvent.table_name()
    events = [(event_table, f"{e['city_id']}/{e['event_id']}", "name") for e in proof["events"][day]]
    yield from _origin_of_places(f"{where}/event", events)
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


def _costs(task: TaskView, world: Reference) -> Iterator[Origin]:
    """Yield the origin of what each way and each night costs the party."""
    people = ("task", "", "record/people")
    for number, move in enumerate(task.proof["moves"]):
        field = f"proof/moves/{number}/cost"
        if (table := SCHEDULED_IN.get(move["mode"])) is not None:
            cell = (table.table_name(), move["flight_number"], "price")
            yield Origin(field, "cells", "tripcraft.seats", (cell, people))
            continue
        way = (TripcraftCityDistance.table_name(), f"{move['origin_city_id']}/{move['dest_city_id']}", "distance_km")
        rates = ((TripcraftTerms.table_name(), world.currency, column) for column in RATES)
        cells = (("task", "", f"proof/moves/{number}/mode"), way, *rates, people)
        yield Origin(field, "cells", "tripcraft.car", cells)
    for number, stay in enumerate(task.proof["stays"]):
        key = f"{stay['city_id']}/{stay['place_id']}"
        cells = [(TripcraftStay.table_name(), key, column) for column in ("price", "max_occupancy")]
        yield Origin(f"proof/stays/{number}/cost_per_night", "cells", "tripcraft.night", (*cells, people))


def _move(task: TaskView, world: Reference, leg: int, origin: str, dest: str, field: str) -> Origin:
    move, ends = task.proof["moves"][leg], (_city(origin), _city(dest))
    table = SCHEDULED_IN.get(move["mode"])
    if table is TripcraftJourney:
        columns = ("mode", "journey_number", "dep_time", "arr_time", "arr_day_offset")
        cells = [(table.table_name(), move["flight_number"], column) for column in columns]
        return Origin(field, "cells", "tripcraft.journey", (*cells, *ends))
    if table is TripcraftFlight:
        columns = ("flight_number", "dep_time", "arr_time", "arr_day_offset")
        cells = [(table.table_name(), move["flight_number"], column) for column in columns]
        return Origin(field, "cells", "tripcraft.flight", (*cells, *ends))
    way = TripcraftCityDistance.table_name()
    cells = [
        ("task", "", f"proof/moves/{leg}/mode"),
        *((way, f"{origin}/{dest}", column) for column in ("duration_min", "distance_km")),
        *((TripcraftTerms.table_name(), world.currency, column) for column in RATES),
        ("task", "", "record/people"),
    ]
    return Origin(field, "cells", "tripcraft.drive", (*cells, *ends))


def _origin_of_places(field: str, places: list[Cell]) -> Iterator[Origin]:
    """Yield the origin of places as a plan names them; none where there is none."""
    if places:
        cells = [cell for place in places for cell in (place, _city(place[1].split("/")[0]))]
        yield Origin(field, "cells", "tripcraft.named", cells)


def _place(table: type, item: dict[str, str]) -> Cell:
    return table.table_name(), f"{item['city_id']}/{item['place_id']}", "name"


def _city(city_id: str) -> Cell:
    return TripcraftCity.table_name(), city_id, "plan_name"
