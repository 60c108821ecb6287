"""A published TripCraft folder as the tables of a release: its database, its queries, and its gold plans."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assets.core.opening import opened_city, opened_task
from assets.family import Opened
from assets.tripcraft.published.folder import PublishedTask, files_of, published_set
from assets.tripcraft.published.opened_rows import UNKNOWN_COLUMNS, Rows, database_rows
from assets.tripcraft.published.query import CONSTRAINT_LABELS
from assets.tripcraft.tables import TripcraftAttraction, TripcraftCity, TripcraftRestaurant, TripcraftStay
from assets.tripcraft.vocabulary import FORBIDDEN_BY, ROOM_TYPES_MEETING, TRANSPORT_REQUESTS, VISITED_CITIES
from schemas.json_lines import lines_told
from schemas.source import SourceError

ASKED = {"house_rule": FORBIDDEN_BY, "room_type": ROOM_TYPES_MEETING, "transportation": TRANSPORT_REQUESTS}
"""What the constraints that are one word may ask: nothing judges another word."""

LISTS = ("cuisine", "event", "attraction")


def open_folder(folder: Path) -> Opened:
    """Return a published folder, or a `.tar.gz` of one, as tables.

    Raises SourceError naming every file that is missing or damaged, and every query that no reading can judge.
    """
    files = files_of(folder)
    try:
        task_set = published_set(files)
    except SourceError as error:
        raise SourceError(f"{folder.name}: {error}") from None
    rows = database_rows(files)
    regions = {row["city_id"]: (row["region"], row["country"]) for row in rows.of[TripcraftCity]}
    problems: list[str] = []
    tasks = [_task(task, rows, regions, problems) for task in task_set.tasks.values()]
    if problems:
        raise SourceError(
            f"{folder.name}: these queries cannot be judged by the folder's own database:\n{lines_told(problems)}\n"
            "Name a folder whose queries are of its cities."
        )
    return Opened(
        files=files,
        tasks=[task for task in tasks if task is not None],
        rows=rows.of,
        unknown=UNKNOWN_COLUMNS,
        cities=_cities(rows),
        rejected=rows.rejected,
        gold={task.task_id: task.gold for task in task_set.tasks.values() if task.gold is not None},
    )


def named_places(plan: Any) -> list[str]:
    """Return the names of the restaurants, sights and stays that a plan goes to, as it writes them."""
    from assets.tripcraft.plan import read_plan

    places = []
    for day in read_plan(plan).days:
        places += [*day.meals.values(), *day.attractions, *((day.stay,) if day.stay is not None else ())]
    return [place.name for place in places]


def _cities(rows: Rows) -> list[dict[str, Any]]:
    kinds = (TripcraftRestaurant, TripcraftAttraction, TripcraftStay)
    points: dict[str, list[tuple[Any, Any]]] = {}
    for place in (place for kind in kinds for place in rows.of[kind]):
        points.setdefault(place["city_id"], []).append((place["lat"], place["lon"]))
    city_rows = ((row["city_id"], row["name"], row["region"], row["country"]) for row in rows.of[TripcraftCity])
    cities = (opened_city(i, name, points.get(i, []), region, country) for i, name, region, country in city_rows)
    return [city for city in cities if city is not None]


def _task(
    task: PublishedTask, rows: Rows, regions: Mapping[str, tuple[str, str]], problems: list[str]
) -> dict[str, Any] | None:
    """Return the task's row; None, with what is wrong among the problems, if the database cannot answer it."""
    query, wrong = task.query, []
    text = query.get("query")
    if not isinstance(text, str) or not text.strip():
        wrong.append("found no query text")
    origin = rows.city_ids.get(str(query["org"]))
    dest = rows.city_ids.get(str(query["dest"])) if query["days"] == min(VISITED_CITIES) else None
    if origin is None:
        wrong.append(f"org {query['org']!r:.60} is no city of cities.csv")
    if dest is None and query["days"] == min(VISITED_CITIES):
        wrong.append(f"dest {query['dest']!r:.60} is no city of cities.csv")
    dest_ids = [city for city, (region, _) in regions.items() if region == query["dest"]] if dest is None else [dest]
    if not dest_ids and query["days"] != min(VISITED_CITIES):
        wrong.append(f"dest {query['dest']!r:.60} is no state of cities.csv")
    constraints = {
        name: _wish(name, query["local_constraint"][label], wrong) for name, label in CONSTRAINT_LABELS.items()
    }
    problems += [f"{task.task_id}: {what}" for what in wrong]
    if wrong:
        return None
    region, country = regions[dest_ids[0]]
    record = {
        "origin_city_id": origin, "dest_city_id": dest, "dest_region": region, "dest_country": country,
        "days": query["days"], "visiting_city_number": int(query["visiting_city_number"]), "dates": query["date"],
        "people": query["people_number"], "constraints": constraints, "budget": int(query["budget"]),
        "level": str(query.get("level") or ""), "persona": _persona(task.persona),
    }  # fmt: skip
    return opened_task(task.task_id, "+".join(dest_ids), task.index, str(text), record, record["level"])


def _wish(name: str, value: Any, wrong: list[str]) -> Any:
    """Return what a constraint asks for, None for nothing; a list where it may ask for several."""
    if value is None or value in ("", "-", []):
        return None
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(one, str) for one in values):
        wrong.append(f"{name} asks for {value!r:.60}, expected text")
        return None
    if name in LISTS:
        return values
    if len(values) != 1 or values[0] not in ASKED[name]:
        wrong.append(f"{name} asks for {value!r:.60}, expected one of {', '.join(ASKED[name])}")
        return None
    return values[0]


def _persona(text: str) -> dict[str, str]:
    pairs = (part.partition(":") for part in text.split(";"))
    return {name.strip(): value.strip() for name, colon, value in pairs if colon}
