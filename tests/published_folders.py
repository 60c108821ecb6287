"""Small folders in the three published shapes, of invented places: what `tripwright open` is tried on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from assets.grouptravel.export import task_files
from assets.grouptravel.facts.opening import typed_hours
from assets.itinbench.native import FILES, native_rows
from assets.itinbench.words.labels import eval_info
from assets.tripcraft.export import export_files
from assets.tripcraft.published.database import database
from tests.assets.grouptravel.weekend import POIS, USERS, good_plan, table
from tests.assets.itinbench.town import RECORD, town, witness
from tests.assets.tripcraft.conftest import EAST, Trip, invented_frames, record_of, reference_of

INDEXES = (3, 7)
"""The numbers of the ItinBench folder's queries: not those that an export of ours would give."""


def written(folder: Path, files: dict[str, bytes]) -> Path:
    """Write the files below the folder and return it."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def itinbench(folder: Path) -> tuple[Path, list[dict[str, Any]]]:
    """Write an ItinBench folder, and return it and a perfect plan for each query."""
    files = {f"{stem}.jsonl": _lines(native_rows(town(), kind)) for kind, stem in FILES.items()}
    files["humanQuerys.jsonl"] = _lines([{"index": n, "query": f"Query {n}, please."} for n in INDEXES])
    files["evals.jsonl"] = _lines([{"index": n, "eval_info": eval_info(RECORD)} for n in INDEXES])
    return written(folder, files), [{"index": n, "plan": witness()["plan"]} for n in INDEXES]


def tripcraft(folder: Path) -> tuple[Path, list[dict[str, Any]]]:
    """Write a TripCraft folder of one trip of each length, and return it and the gold plans."""
    frames = invented_frames()
    world, tasks, certificates = reference_of(frames), [], []
    for days in (3, 5, 7):
        record = record_of(days)
        task_id, values = f"tripcraft-{days}d", {"cities": EAST[: record["visiting_city_number"]], "remark": ""}
        tasks.append({"task_id": task_id, "query": f"A trip of {days} days.", "record": record})
        certificates.append({"task_id": task_id, "plan": Trip(world, record).plan(), "proof": values})
    files = export_files(pd.DataFrame(tasks), pd.DataFrame(certificates), database(frames, world), world)
    kept = {name: data for name, data in files.items() if not name.startswith("ref_info")}
    return written(folder, kept), [{"task_id": c["task_id"], "plan": c["plan"]} for c in certificates]


def grouptravel(folder: Path) -> tuple[Path, list[dict[str, Any]]]:
    """Write a GroupTravelBench folder of one task, and return it and a good plan."""
    kinds = {"place_id": "place_id", "name": "name", "poi_type": "poi_type", "category": "category", "cost": "avg_cost"}
    places = [
        {"city_id": city, "lat": poi.lat, "lon": poi.lon, **{to: getattr(poi, of) for of, to in kinds.items()},
         "opening_hours": typed_hours(poi.hours)}
        for city in ("Oulu", "Kemi") for poi in POIS.in_city(city)
    ]  # fmt: skip
    metadata = {
        "departure_city": "Home", "cities": ["Oulu"], "date": "two days and one night", "group_id": "3-3",
        "group_name": "friends", "group_tags": ["three"], "compromise_pattern": [], "child_members": [],
    }  # fmt: skip
    record = {
        "time": "2025-10-06", "context": "", "metadata": metadata, "difficulty_score": 1.0, "difficulty_type": "easy",
        "user_preferences": {user: {"role": "friend", "preference": table(), "compromisable": True} for user in USERS},
    }  # fmt: skip
    cities = pd.DataFrame([{"city_id": name, "name": name} for name in ("Home", "Kemi", "Oulu")])
    task = {"task_id": "t1", "query": "A trip to Oulu.", "record": record, "messages": []}
    files = task_files(pd.DataFrame(places), cities, pd.DataFrame([task]))
    return written(folder, files), [{"task_id": "t1", "plan": good_plan()}]


FOLDERS = {"itinbench": itinbench, "tripcraft": tripcraft, "grouptravel": grouptravel}


def _lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()
