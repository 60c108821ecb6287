"""An opened TripCraft set's tasks as a recipe's section asks for them: under their published names, in their order."""

from __future__ import annotations

from typing import Any

from assets.rows import ReleaseTables
from assets.tripcraft.asked import AskedTrip
from assets.tripcraft.tables import TripcraftCity
from assets.tripcraft.vocabulary import CONSTRAINTS, LEVELS

DRAWN_KEYS = ("counts", "tasks", "baseline_at_most", "variant")
"""What a recipe says of drawing tasks, which a set that is asked for does not heed."""


def mended(tables: ReleaseTables) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """Return the section that asks for the opened set's tasks; no files: the form does not say where places lie."""
    rows = tables.tasks.sort_values("task_id", kind="stable").to_dict("records")
    cities = tables[TripcraftCity]
    names = dict(zip(cities["city_id"], cities["plan_name"], strict=True))
    trips = [_asked_trip(row, names).model_dump(mode="json", exclude_none=True) for row in rows]
    return {**dict.fromkeys(DRAWN_KEYS), "asked": trips}, {}


def _asked_trip(row: dict[Any, Any], names: dict[str, str]) -> AskedTrip:
    record = row["record"]
    constraints = record["constraints"]
    plain_constraints = {name: None if constraints[name] is None else _plain(constraints[name]) for name in CONSTRAINTS}
    dest = record["dest_city_id"]
    return AskedTrip.model_validate(
        {
            "task_id": row["task_id"],
            "origin": names[record["origin_city_id"]],
            "dest": names[dest] if dest else record["dest_region"],
            **{name: record[name] for name in ("days", "people", "budget")},
            "dates": list(record["dates"]),
            "level": record["level"] if record["level"] in LEVELS else _level(plain_constraints),
            "constraints": plain_constraints,
            "persona": {key: value for key, value in dict(record["persona"]).items() if value is not None},
            "query": row["query"],
        }
    )


def _level(constraints: dict[str, Any]) -> str:
    """Return the level of a task that names none: by how many constraints it has, as published ones have them."""
    return LEVELS[min(2, sum(value is not None for value in constraints.values()))]


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) else list(value)
