"""The published folder: a release's tasks and places as the files that GroupTravelBench's own scripts read.

Beside them stand the witnesses, `witness.jsonl`, in the shape of a planner's plans: the published checker accepts them
in these very files (`published/checker.py`).
"""

from __future__ import annotations

import datetime as dt
import io
import json
from collections.abc import Iterable
from typing import Any

import pandas as pd

from assets.grouptravel.asked import request_of
from assets.grouptravel.facts.rows import rows_of
from assets.grouptravel.published.dated_hours import dated_hours
from assets.grouptravel.published.published_folder import PLACES, WITNESSES
from assets.grouptravel.published.published_folder import TASKS as TASK_FILES
from assets.grouptravel.records import published_task
from assets.grouptravel.tables import GroupCity, GroupPoi
from assets.grouptravel.tools.warm import cache_files
from assets.rows import ReleaseTables

TASKS = TASK_FILES[0]


def export(tables: ReleaseTables) -> dict[str, bytes | Iterable[bytes]]:
    """Return the published files of a release, with its witnesses and the answers that its tools give."""
    files = task_files(tables[GroupPoi], tables[GroupCity], tables.tasks, tables.certificates)
    return {**files, **cache_files(tables)}


def task_files(
    poi: pd.DataFrame, city: pd.DataFrame, task: pd.DataFrame, certificate: pd.DataFrame | None = None
) -> dict[str, bytes]:
    """Return the published files as relative path to bytes: a task record a line, and each city's places (3.D, 3.A).

    The published code keeps the last place of a name: a city's places stand in descending order of `place_id`, so that
    it keeps the one that the name means here, the first. Hours hold the dates on which a task is in the city.
    """
    records = [published_task(row) for row in task.sort_values("task_id").to_dict("records")]
    names = dict(zip(city["city_id"], city["name"], strict=True))
    dates = dates_in_cities(records)
    dated: dict[tuple[str, int], str] = {}  # equal hours are mostly one object, which the frame holds
    places, last = io.BytesIO(), None
    columns = ("city_id", "name", "poi_type", "category", "opening_hours", "lat", "lon", "avg_cost")
    for city_id, name, kind, category, hours, lat, lon, cost in rows_of(
        poi.sort_values(["city_id", "place_id"], ascending=[True, False]), *columns
    ):
        key = (city_id, id(hours))
        if key not in dated:
            dated[key] = _json(dated_hours(hours, dates.get(names[city_id], [])))
        what = _json({"name": name, "poi_type": kind, "custom_category": category})
        where = _json({"location": f"{lon},{lat}", "avg_cost": cost})
        place = f'{what[:-1]},"opening_hours":{dated[key]},{where[1:]}'  # hours, which are long, are written once
        separator = ",\n"
        if city_id != last:
            begins = "{\n" if last is None else "\n],\n"
            separator = f"{begins}{_json(names[city_id])}: [\n"
        places.write(f"{separator}{place}".encode())
        last = city_id
    places.write(b"\n]\n}\n" if last is not None else b"{\n\n}\n")
    files = {TASKS: "".join(f"{_json(record)}\n" for record in records).encode(), PLACES: places.getvalue()}
    return files if certificate is None else {**files, WITNESSES: _witnesses(certificate)}


def dates_in_cities(records: list[dict[str, Any]]) -> dict[str, list[dt.date]]:
    """Return the dates, in order, on which a task of the published records may be in each city, by its name."""
    dates_by_city: dict[str, set[dt.date]] = {}
    for record in records:
        request = request_of(record)
        for city in request.cities:
            dates_by_city.setdefault(city, set()).update(request.dates)
    return {city: sorted(dates) for city, dates in dates_by_city.items()}


def _witnesses(certificate: pd.DataFrame) -> bytes:
    rows = certificate.sort_values("task_id")
    plans = zip(rows["task_id"], rows["plan"], strict=True)
    return "".join(f"{_json({'task_id': task_id, 'plan': _published(plan)})}\n" for task_id, plan in plans).encode()


def _published(value: Any) -> Any:
    """Return a plan without the key of our own, what a move's minutes rest on."""
    if isinstance(value, dict):
        return {key: _published(part) for key, part in value.items() if key != "basis"}
    return [_published(part) for part in value] if isinstance(value, list) else value


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
