"""Lineage: for every value of a task and its certificate, the row, rule or recipe key that it comes from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from assets.itinbench.tables import ItinbenchLineage, ItinbenchPlace


def lineage(task: pd.DataFrame, certificate: pd.DataFrame, pool: pd.DataFrame) -> pd.DataFrame:
    """Return the edges of all tasks of one city."""
    named = (pool[column].tolist() for column in ("kind", "name", "address"))
    place_ids = dict(zip(zip(*named, strict=True), pool["place_id"].tolist(), strict=True))
    calls = dict(zip(pool["place_id"].tolist(), pool["generation_ids"].tolist(), strict=True))
    city_ids = dict(zip(task["task_id"], task["city_id"], strict=True))
    edges = [edge for row in task.to_dict("records") for edge in _task_edges(row)]
    for row in certificate.to_dict("records"):
        edges += _certificate_edges(row, city_ids[row["task_id"]], place_ids, calls)
    frame = pd.DataFrame(edges, columns=[column.name for column in ItinbenchLineage.columns()])
    return frame.drop_duplicates().reset_index(drop=True)


def _task_edges(row: Mapping[Any, str]) -> Iterator[tuple[str, str, str, str]]:
    task_id = row["task_id"]
    yield task_id, "query", "rule", "itinbench.wording"
    yield from ((task_id, "query", "generation", call) for call in row["generation_ids"])
    yield task_id, "repairs_json", "rule", "itinbench.repair"
    repaired = {repair["field"] for repair in json.loads(row["repairs_json"])}
    for field in json.loads(row["record_json"]):
        yield task_id, f"record_json/{field}", "rule", "itinbench.repair" if field in repaired else "itinbench.draft"
        yield task_id, f"record_json/{field}", "recipe", "seed"


def _certificate_edges(
    row: Mapping[Any, str],
    city_id: str,
    place_ids: dict[tuple[str, str, str], str],
    calls: dict[str, list[str]],
) -> Iterator[tuple[str, str, str, str]]:
    task_id = row["task_id"]
    yield task_id, "values_json", "rule", "itinbench.solver"
    yield task_id, "checks_json", "rule", "itinbench.certify"
    for number, day in enumerate(json.loads(row["witness_json"])["itinerary"]):
        where = f"witness_json/itinerary/{number}"
        yield task_id, f"{where}/days", "rule", "itinbench.plan"
        for slot, value in day.items():
            if slot == "days":
                continue
            kind = "stay" if slot == "accommodation" else "attraction" if slot.endswith("attractions") else "restaurant"
            for position, place in enumerate(value) if isinstance(value, list) else [("", value)]:
                field = f"{where}/{slot}/{position}".rstrip("/")
                place_id = place_ids[kind, place["name"], place["address"]]
                yield task_id, field, "row", f"{ItinbenchPlace.table_name()}/{city_id}/{place_id}/{kind}"
                yield from ((task_id, field, "generation", call) for call in calls[place_id])
