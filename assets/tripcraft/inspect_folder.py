"""An audit of a published TripCraft folder: the defects of 1.G that its files show, and how its gold plans fare.

Works on the files as they are, by the released evaluator's own look-ups. Queries are judged against the places of the
city or region that they name; what nothing there offers no plan can meet.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from assets.tripcraft.published.checker import judge
from assets.tripcraft.published.folder import LENGTHS, PublishedSet, PublishedTask, files_of, published_set
from assets.tripcraft.published.hard import ROOM_TYPE
from assets.tripcraft.published.world import FILES, Row, World, price_of
from assets.tripcraft.variants import PUBLISHED_DENOMINATORS

FARTHEST_STOP_M = 50_000.0
"""A nearest stop farther away is another city's of the same name (T13)."""

SHOWN = 10

Finding = dict[str, Any]


def inspect_path(path: Path) -> dict[str, Finding]:
    """Return the findings of a published folder, or of a `.tar.gz` of one, by defect. Raises SourceError."""
    files = files_of(path)
    opened = published_set(files)
    return inspect(opened, _cities(files))


def inspect(opened: PublishedSet, cities: Iterable[str]) -> dict[str, Finding]:
    """Return what was counted, by defect: a title, the counts, and what shows it; `cities` are all names listed."""
    world, tasks = opened.world, list(opened.tasks.values())
    failed = _failure_counts(tasks, world)
    return {
        "denominators": _denominators(tasks),
        "gold_plans": {
            "title": "Gold plans that the released evaluator refuses, by check (T5, T12)",
            "plans": sum(task.gold is not None for task in tasks),
            "failed": dict(sorted(failed.items())),
        },
        "entire_rooms": _entire_rooms(tasks, world),
        "prices": _prices(world),
        "unsatisfiable": _unsatisfiable(tasks, world),
        "homonyms": _homonyms(world, cities),
        "stopless": _stopless(world),
    }


def _cities(files: dict[str, bytes]) -> list[str]:
    text = files[f"database/{FILES['cities'][0]}"].decode("utf-8-sig")
    return [row["city"] for row in csv.DictReader(text.splitlines())]


def _denominators(tasks: list[PublishedTask]) -> Finding:
    """T1: numbers of plans and of hard constraints that the evaluator divides by, whatever the folder holds."""
    counts = {}
    for days in LENGTHS:
        tasks_of_length = [task for task in tasks if task.query["days"] == days]
        constraint_count = sum(
            value is not None for task in tasks_of_length for value in task.query["local_constraint"].values()
        )
        plans, _, hard = PUBLISHED_DENOMINATORS[days]
        counts[f"{days}_days"] = {
            "queries": len(tasks_of_length),
            "divided_by": plans,
            "hard_constraints": len(tasks_of_length) + constraint_count,
            "hard_divided_by": hard,
        }
    return {"title": "Numbers that the evaluator divides by, and the folder's own (T1)", **counts}


def _failure_counts(tasks: list[PublishedTask], world: World) -> Counter[str]:
    failed: Counter[str] = Counter()
    for task in tasks:
        if task.gold is not None:
            failed.update(
                name for name, verdict in judge(task.query, task.gold, world).items() if verdict.holds is False
            )
    return failed


def _entire_rooms(tasks: list[PublishedTask], world: World) -> Finding:
    """T6: queries for an entire room, and stays that say what the evaluator looks for."""
    task_ids = [task.task_id for task in tasks if task.query["local_constraint"]["room type"] == "entire room"]
    stays = [stay for city_stays in world.stays.values() for stay in city_stays]
    return {
        "title": "Queries for an entire room, which no stay of the table is to the evaluator (T6)",
        "queries": len(task_ids),
        "stays_it_accepts": sum(stay["roomType"] == ROOM_TYPE["entire room"] for stay in stays),
        "stays_let_whole": sum(stay["roomType"] in ("entire_home", "entire_room") for stay in stays),
        "shown": task_ids[:SHOWN],
    }


def _prices(world: World) -> Finding:
    """T7: stays whose price does not parse and counts as 0, and those whose text would end the run."""
    free, crashing = 0, []
    stays = [stay for city_stays in world.stays.values() for stay in city_stays]
    for stay in stays:
        try:
            free += price_of(stay) == 0
        except ValueError:
            crashing.append(stay["name"])
    return {
        "title": "Stays that cost the evaluator nothing, or end its run (T7)",
        "stays": len(stays), "cost_nothing": free, "end_the_run": len(crashing), "shown": crashing[:SHOWN],
    }  # fmt: skip


def _unsatisfiable(tasks: list[PublishedTask], world: World) -> Finding:
    """T8: queries that ask for what no place of the city or region named offers, by constraint and level."""
    by_kind: Counter[str] = Counter()
    task_ids = []
    for task in tasks:
        missing = list(_missing(task.query, world))
        if missing:
            by_kind.update(f"{task.query.get('level', '?')}: {kind}" for kind in missing)
            task_ids.append(task.task_id)
    return {
        "title": "Queries that nothing in the place they name can meet (T8)",
        "queries": len(task_ids), "by_level_and_constraint": dict(sorted(by_kind.items())), "shown": task_ids[:SHOWN],
    }  # fmt: skip


def _missing(query: Any, world: World) -> Iterable[str]:
    """Yield the constraints of the query that no row of its city, or of its region's cities, meets."""
    dest, constraints = query["dest"], query["local_constraint"]
    cities = [dest] if query["days"] == LENGTHS[0] else [city for city, state in world.states.items() if state == dest]

    def rows(table: Any) -> list[Row]:
        return [row for city in cities for row in table.get(city, ())]

    cuisines, categories, segments = (_kind_list(constraints[key]) for key in ("cuisine", "attraction", "event"))
    dates = {"-".join(reversed(date.split("-"))) for date in query["date"]}
    event_segments = {row["segmentName"] for row in rows(world.events) if row["dateTitle"] in dates}
    if any(not any(kind in row["cuisines"] for row in rows(world.restaurants)) for kind in cuisines):
        yield "cuisine"
    if any(not any(kind in row["subcategories"] for row in rows(world.attractions)) for kind in categories):
        yield "attraction"
    if any(kind not in event_segments for kind in segments):
        yield "event"


def _kind_list(kinds: Any) -> list[str]:
    return [kinds] if isinstance(kinds, str) else list(kinds or ())


def _homonyms(world: World, cities: Iterable[str]) -> Finding:
    """T13: names of several cities, of which the evaluator keeps one, and stops too far to be the city's."""
    twice = sorted(name for name, count in Counter(cities).items() if count > 1)
    far = [(city, row.poi) for city, rows in world.stops.items() for row in rows if row.distance_m > FARTHEST_STOP_M]
    city_names = [*twice, *sorted({city for city, _ in far})][:SHOWN]
    return {
        "title": "City names listed twice, and nearest stops beyond 50 km (T13)",
        "names_listed_twice": len(twice), "far_stops": len(far), "shown": city_names,
    }  # fmt: skip


def _stopless(world: World) -> Finding:
    """T14: places without a row in the table of nearest stops."""
    total, stopless = 0, 0
    for table in (world.restaurants, world.attractions, world.stays):
        for city, rows in table.items():
            poi_names = {row.poi for row in world.stops.get(city, ())}
            total += len(rows)
            stopless += sum(row["name"] not in poi_names for row in rows)
    return {"title": "Places without a nearest stop (T14)", "places": total, "without": stopless}
