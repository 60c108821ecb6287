"""Lineage: for every value of a task and its certificate, the row, rule or recipe key that it comes from."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any

import pandas as pd

from assets.tripcraft.tables import (
    TripcraftAttraction,
    TripcraftEvent,
    TripcraftFlight,
    TripcraftNearestStop,
    TripcraftRestaurant,
    TripcraftStay,
    TripcraftTownWays,
)
from schemas.task import LineageEdge

FIELD_OF_SLOT = {
    "breakfast": ("breakfast", TripcraftRestaurant),
    "lunch": ("lunch", TripcraftRestaurant),
    "dinner": ("dinner", TripcraftRestaurant),
    "morning": ("attraction", TripcraftAttraction),
    "afternoon": ("attraction", TripcraftAttraction),
}
"""Slot of a witness to the plan's field and the table of its places."""

Edge = tuple[str, str, str, str]


def lineage(task: pd.DataFrame, certificate: pd.DataFrame, town_ways: pd.DataFrame) -> pd.DataFrame:
    """Return the edges of all tasks: task_id, field, kind and ref; rows are named `table/key/…`.

    `town_ways` is `TripcraftTownWays`: a way between two of its places rests on the row of where it begins.
    """
    routed = set(zip(town_ways["city_id"], town_ways["place_id"], strict=True))
    edges = [edge for row in task.to_dict("records") for edge in _task_edges(row)]
    edges += [edge for row in certificate.to_dict("records") for edge in _certificate_edges(row, routed)]
    frame = pd.DataFrame(edges, columns=[column.name for column in LineageEdge.columns()])
    return frame.drop_duplicates().reset_index(drop=True)


def _task_edges(row: Mapping[Any, Any]) -> Iterator[Edge]:
    task_id, record = row["task_id"], json.loads(row["record_json"])
    yield task_id, "query", "rule", "tripcraft.wording"
    yield from ((task_id, "query", "generation", call) for call in row["generation_ids"])
    yield task_id, "repairs_json", "rule", "tripcraft.draft"
    for key in record:
        field = f"record_json/{key}"
        yield task_id, field, "rule", "tripcraft.budget" if key == "budget" else "tripcraft.draft"
        yield task_id, field, "recipe", "seed"


def _certificate_edges(row: Mapping[Any, Any], routed: Collection[tuple[str, str]]) -> Iterator[Edge]:
    task_id, values = row["task_id"], json.loads(row["values_json"])
    yield task_id, "values_json", "rule", "tripcraft.solver"
    yield task_id, "values_json/metrics", "rule", "tripcraft.scoring"
    yield task_id, "values_json/ways_in_town", "rule", "tripcraft.scoring"
    yield task_id, "checks_json", "rule", "tripcraft.scoring"
    for day, items in enumerate(values["days"]):
        where = f"witness_json/{day}"
        yield task_id, where, "rule", "tripcraft.plan"
        yield task_id, f"{where}/current_city", "rule", "tripcraft.city"
        if day % 2 == 0:
            yield task_id, f"{where}/transportation", *_move(values["moves"][day // 2])
        for item in items:
            table = TripcraftStay
            if item["slot"] != "stay":
                field, table = FIELD_OF_SLOT[item["slot"]]
                yield task_id, f"{where}/{field}", "row", _ref(table, item["city_id"], item["place_id"])
            for source in (table, TripcraftNearestStop):
                yield (
                    task_id,
                    f"{where}/point_of_interest_list",
                    "row",
                    _ref(source, item["city_id"], item["place_id"]),
                )
        yield task_id, f"{where}/point_of_interest_list", "rule", "tripcraft.timetable"
        for ref in _routed_ways(items, routed):
            yield task_id, f"{where}/point_of_interest_list", "row", ref
            yield task_id, "values_json/ways_in_town/routed", "row", ref
        if day // 2 < len(values["stays"]):
            stay = values["stays"][day // 2]
            yield task_id, f"{where}/accommodation", "row", _ref(TripcraftStay, stay["city_id"], stay["place_id"])
        for event in values["events"][day]:
            yield task_id, f"{where}/event", "row", _ref(TripcraftEvent, event["city_id"], event["event_id"])


def _routed_ways(items: list[dict[str, Any]], routed: Collection[tuple[str, str]]) -> Iterator[str]:
    """Yield the row of every way of the day that a router found."""
    ends = [(item["city_id"], item["place_id"]) for item in items]
    for here, there in pairwise(ends):
        if here != there and here[0] == there[0] and here in routed and there in routed:
            yield _ref(TripcraftTownWays, *here)


def _move(move: Mapping[str, Any]) -> tuple[str, str]:
    if move["mode"] == "flight":
        return "row", _ref(TripcraftFlight, move["flight_number"])
    return "rule", "tripcraft.drive"


def _ref(table: type[Any], *key: str) -> str:
    return "/".join([table.table_name(), *key])
