"""A published GroupTravelBench folder as the tables of a release: its tasks, its places, and plans if it has any.

The folder has no fares, no climate and no profiles: these tables have no rows.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assets.core.opening import is_degree, opened_city, opened_task, pointers, published_files, read_published
from assets.family import Opened
from assets.grouptravel.asked import request_of
from assets.grouptravel.facts.opening import read_opening, typed_hours
from assets.grouptravel.plan import is_finite_number, read_plan
from assets.grouptravel.published.opened import OpenedFolder, open_files, places_with_names
from assets.grouptravel.published.published_folder import PLACES, TASKS, WITNESSES, listed_places
from assets.grouptravel.tables import POI_TYPES, GroupCity, GroupPoi
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.wishes.preferences import read_table
from schemas.json_lines import lines_told, unstorable
from schemas.recipe_values import NO_CURRENCY, slug
from schemas.rejection import Reason
from schemas.source import SourceError

TASK_TABLE = "grouptravel_task"


def open_folder(folder: Path) -> Opened:
    """Return a published folder as tables.

    Raises SourceError naming every file that is missing, and every line that loses a task or a plan.
    """
    present_files = published_files({name: folder / name for name in (*TASKS, PLACES, WITNESSES)})
    tasks = next((name for name in TASKS if name in present_files), TASKS[0])
    missing = [name for name in (tasks, PLACES) if name not in present_files]
    if missing:
        raise SourceError(
            f"{folder.name} is not a GroupTravelBench folder as published:\n"
            + "\n".join(f"  - {name}: found no such file" for name in missing)
            + f"\nName the folder that holds {TASKS[0]} and {PLACES}."
        )
    files = read_published({name: folder / name for name in (tasks, PLACES, WITNESSES)})
    opened_folder = open_files(files)
    if opened_folder.damaged:
        raise SourceError(
            f"{folder.name} holds what is no task or plan:\n{lines_told(opened_folder.damaged)}\n"
            "Mend these lines, or get the file again."
        )
    return _opened(opened_folder, files)


def named_places(plan: Any) -> list[str]:
    """Return the names of the places that a plan goes to, as it writes them."""
    return [act.location for _, _, act in read_plan(plan).visits if act.location]


def _opened(opened_folder: OpenedFolder, files: Mapping[str, bytes]) -> Opened:
    city_ids = _city_ids(opened_folder)
    rejected: list[dict[str, str]] = []
    places = _places(opened_folder.vocabulary, files[PLACES], city_ids, rejected)
    tasks = []
    for number, (task_id, record) in enumerate(opened_folder.records.items(), 1):
        try:
            tasks.append(_task(task_id, number, record, city_ids))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            rejected.append(_rejection(TASK_TABLE, task_id, f"{type(error).__name__}: {error}"))
    points: dict[str, list[tuple[Any, Any]]] = {city_id: [] for city_id in city_ids.values()}
    for row in places:
        points[row["city_id"]].append((row["lat"], row["lon"]))
    cities = (opened_city(city_id, name, points[city_id]) for name, city_id in city_ids.items())
    return Opened(
        files=files,
        tasks=tasks,
        rows={
            GroupPoi: places,
            GroupCity: [_city(opened_folder, name, city, points[city]) for name, city in city_ids.items()],
        },
        unknown={GroupPoi: ("lat", "lon"), GroupCity: ("lat", "lon")},
        cities=[city for city in cities if city is not None],
        section={"language": opened_folder.vocabulary.language, "currency": NO_CURRENCY},
        rejected=rejected,
        gold={task_id: plan for task_id, plan in opened_folder.witnesses.items() if task_id in opened_folder.records},
        notes=opened_folder.problems,
    )


def _city_ids(opened_folder: OpenedFolder) -> dict[str, str]:
    """Return an id for each city that has places or that a task names."""
    requests = [request_of(record) for record in opened_folder.records.values()]
    names = sorted({*opened_folder.cities, *(city for one in requests for city in one.route)})
    ids: dict[str, str] = {}
    for name in names:
        plain = slug(name)[:60] or "city"
        alike = sum(one == plain or one.startswith(f"{plain}-") for one in ids.values())
        ids[name] = f"{plain}-{alike + 1}" if alike else plain
    return ids


def _city(opened_folder: OpenedFolder, name: str, city_id: str, points: list[tuple[Any, Any]]) -> dict[str, Any]:
    coordinates = [(lat, lon) for lat, lon in points if lat is not None]
    middle = (
        [sum(values) / len(coordinates) for values in zip(*coordinates, strict=True)] if coordinates else [None, None]
    )
    departures = {record["metadata"]["departure_city"] for record in opened_folder.records.values()}
    place = {"city_id": city_id, "name": name, "tier": 0, "is_departure": name in departures}
    return {**place, "lat": middle[0], "lon": middle[1]}


def _places(
    vocabulary: Vocabulary, data: bytes, city_ids: Mapping[str, str], rejected: list[dict[str, str]]
) -> list[dict[str, Any]]:
    """Return the places. Published, the last of a name counts, and a name means the first by id here: ids run back."""
    at, rows = pointers(PLACES, data), []
    for city, listed in listed_places(PLACES, io.BytesIO(data)):
        places = places_with_names(listed)
        for number, row in enumerate(places, 1):
            pointer = at.pointer(f"{city}, place {number}")
            kind = row.get("poi_type")
            if kind not in POI_TYPES:
                detail = f"found poi_type {kind!r:.40}, expected one of {', '.join(POI_TYPES)}"
                rejected.append(_rejection(GroupPoi.table_name(), pointer, detail))
                continue
            hours, _ = read_opening(row.get("opening_hours"))
            lat, lon = _point(row.get("location"))
            cost, category = row.get("avg_cost"), row.get("custom_category")
            rows.append(
                {
                    "city_id": city_ids[city], "place_id": f"{len(places) - number:06d}", "name": row["name"],
                    "poi_type": kind,
                    "category": vocabulary.category(category if isinstance(category, str) else "", kind),
                    "opening_hours": typed_hours(hours),
                    "avg_cost": cost if is_finite_number(cost) and cost >= 0 else None,
                    "is_cost_modelled": False, "rank": None,
                    "lat": lat, "lon": lon, "source_rows": [pointer],
                }
            )  # fmt: skip
    return rows


def _rejection(step: str, row: str, detail: str) -> dict[str, str]:
    return {"step": step, "row": row, "reason": Reason.BAD_VALUE.value, "detail": detail[:300]}


def _point(text: Any) -> tuple[float | None, float | None]:
    """Return lat and lon of `lon,lat`; None twice for anything else."""
    try:
        lon, lat = (float(part) for part in str(text).split(","))
    except ValueError:
        return None, None
    return (lat, lon) if is_degree(lat, 90) and is_degree(lon, 180) else (None, None)


def _task(task_id: str, number: int, record: Mapping[str, Any], city_ids: Mapping[str, str]) -> dict[str, Any]:
    """Return the task's row. Raises ValueError, KeyError or TypeError where the record says too little for one."""
    request, metadata = request_of(record), record["metadata"]
    if request.days is None:
        raise ValueError(f"its date {metadata.get('date')!r:.40} is no length of a trip that we know")
    trip_city_ids = [city_ids[city] for city in request.cities]
    typed = {
        "time": record["time"],
        "context": str(record.get("context") or ""),
        "metadata": {
            **{key: str(metadata.get(key) or "") for key in ("departure_city", "date", "group_id", "group_name")},
            "cities": list(request.cities),
            **{key: [str(one) for one in metadata.get(key) or []] for key in ("group_tags", "compromise_pattern")},
            "child_members": [
                {"user": str(child["user"]), "role": str(child.get("role") or "")}
                for child in metadata["child_members"]
            ],
        },
        "user_preferences": {user: _entry(entry) for user, entry in record["user_preferences"].items()},
        "difficulty_score": float(record.get("difficulty_score", "nan")),
        "difficulty_type": str(record.get("difficulty_type") or ""),
        "departure_city_id": city_ids[request.departure_city],
        "city_ids": trip_city_ids,
        "days": request.days,
    }
    messages = [{"role": str(one["role"]), "content": str(one["content"])} for one in record["initial_messages"]]
    query = record.get("query")
    if not isinstance(query, str) or not query.strip():
        raise ValueError("it has no query text")
    return opened_task(task_id, "+".join(trip_city_ids), number, query, typed, typed["difficulty_type"], messages)


def _entry(entry: Any) -> dict[str, Any]:
    """Return a member's entry with every field of its table, numbers whole. Raises ValueError where one is not."""
    table, _ = read_table(entry)
    if table is None:
        raise ValueError("a member has no preference table")
    constraints = table["global_constraints"]
    for of, name in (
        (constraints, "avg_budget"),
        *((constraints["intensity"], key) for key in constraints["intensity"]),
    ):
        if of[name] != int(of[name]) or unstorable(int(of[name])):
            raise ValueError(f"{name} is {of[name]!r:.20}, expected a whole number of at most 64 bits")
        of[name] = int(of[name])
    return {
        "role": str(entry.get("role") or ""),
        "preference": table,
        "compromisable": bool(entry.get("compromisable")),
    }
