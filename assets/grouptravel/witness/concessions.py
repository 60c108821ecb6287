"""What a member who may compromise can give up: a refusal is emptied, or a cap raised as far as a plan needs it.

Two a member at most, each one marker of the published protocol (`compromise.py`); nobody wishes for something new,
since a plan's worth would then have no bound [I].
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping
from typing import Any

from assets.grouptravel.checks.compromise import Marker, apply
from assets.grouptravel.conditions import CAP_RANGES
from assets.grouptravel.wishes.preferences import CITIES, GLOBAL, Table, unwrapped
from assets.grouptravel.witness.stretches import NO_CAP


def path_of(*parts: str, city: str = "") -> str:
    """Return the dotted path of a field, as markers write it."""
    return ".".join((CITIES, city, *parts) if city else (GLOBAL, *parts))


def lowest_cap(
    tables: Mapping[str, Table], users: Iterable[str], name: str, given_up: Container[tuple[str, str]]
) -> float:
    """Return the lowest cap of these users on a day, after what is given up; NO_CAP where nobody has one."""
    lowest = float(NO_CAP)
    for user in users:
        cap = tables[user][GLOBAL]["intensity"][name]
        if (user, path_of("intensity", name)) in given_up:
            cap = max(cap, CAP_RANGES[name])
        lowest = min(lowest, cap) if cap > 0 else lowest
    return lowest


def conceded(
    entries: Mapping[str, Any], given_up: Iterable[tuple[str, str]], costs: Mapping[str, float]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the entries after (user, path) are given up, and each marker as {user, path, value}.

    `costs` is what the plan costs each user. Raises ValueError for a marker that the protocol does not take.
    """
    changed, markers, used = dict(entries), [], dict.fromkeys(entries, 0)
    for user, path in given_up:
        marker = Marker(path, _value(unwrapped(changed[user]), path, costs.get(user, 0.0)), "")
        changed[user], outcome = apply(changed[user], marker, used[user])
        if not outcome.applied:
            raise ValueError(f"{user} cannot give up {path}: {outcome.why}")
        used[user] += 1
        markers.append({"user": user, "path": path, "value": marker.value})
    return changed, markers


def _value(table: Table, path: str, cost: float) -> Any:
    constraints = table[GLOBAL]
    if path == path_of("avg_budget"):
        return max(constraints["avg_budget"], math.ceil(cost))
    if path == path_of("intensity", "max_poi_per_day"):
        return max(constraints["intensity"]["max_poi_per_day"], CAP_RANGES["max_poi_per_day"])
    if path == path_of("intensity", "max_active_hours"):
        return max(constraints["intensity"]["max_active_hours"], CAP_RANGES["max_active_hours"])
    return []
