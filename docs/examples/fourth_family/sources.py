"""What a place must be, by the source records that its row points to: the gate reads these again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assets.clean.cuisines import cuisines
from assets.clean.kinds import by_precedence, candidate_kinds, noise


def place(row: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return, by column, the values that a place may have of its records: what the clean stage makes of each."""
    found: dict[str, list[Any]] = {"kind": [], "cuisines": [], "meals": []}
    for record in (one for one in records if "kind" in one):
        labels = record["categories"]
        claimed = candidate_kinds([record["kind"]] if record["kind"] else [], labels)
        kinds = [kind for kind in claimed if noise(kind, record["name"], labels) is None]
        found["kind"] += by_precedence(kinds, record["meals"])[:1]
        is_eaten_at = row["kind"] == "restaurant"
        found["cuisines"].append(list(record["cuisines"] or cuisines(labels)) if is_eaten_at else [])
        found["meals"].append(list(record["meals"]) if is_eaten_at else [])
    return found
