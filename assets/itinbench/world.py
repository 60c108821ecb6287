"""The world of one city: the pool of places that its tasks may use, and the judge of plans made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from assets.family import TaskView, Violation
from assets.itinbench.checks.certify import Checker
from assets.itinbench.checks.limits import PRICE_SIGNS, WALKING
from assets.itinbench.checks.proof import otherwise_measured
from assets.itinbench.checks.rules import RULES
from assets.itinbench.evidence import known_places
from assets.itinbench.tables import ItinbenchPlace, Record
from assets.rows import ReleaseTables
from schemas.stable import content_hash

if TYPE_CHECKING:
    import pandas as pd


class World:
    """One city's pool, and the texts of the tasks that a published set asks of it."""

    def __init__(self, places: pd.DataFrame, asked_tasks: Sequence[Mapping[str, Any]] = ()) -> None:
        """Take rows of `ItinbenchPlace`, and records with their `query` and whether it `is_kept`."""
        self.places, self.is_asked = places, bool(asked_tasks)
        self.queries: dict[str, str] = {}
        for task in asked_tasks:
            record = {key: value for key, value in task.items() if key not in ("query", "is_kept")}
            if task.get("is_kept", True):
                self.queries.setdefault(content_hash(record), str(task["query"]))

    def query_of(self, record: Record) -> str | None:
        """Return the text in which a published set asks the record, if there is one that is kept."""
        return self.queries.get(content_hash(record)) if self.queries else None

    @cached_property
    def checker(self) -> Checker:
        """Return the judge of plans, made once."""
        return Checker(self.places)

    @cached_property
    def refs(self) -> dict[tuple[str, str, str], str]:
        """Return the key of each row, as lineage names it, by kind, name and address."""
        columns = (self.places[c] for c in ("kind", "name", "address", "city_id", "place_id"))
        rows = zip(*columns, strict=True)
        return {(kind, name, address): f"{city}/{place}/{kind}" for kind, name, address, city, place in rows}

    @cached_property
    def row_hashes(self) -> dict[tuple[str, str], str]:
        """Return a hash of every row but its provenance, by place_id and kind."""
        plain = self.places.drop(columns="source_rows").astype(object)
        plain = plain.where(plain.notna(), None)
        return {(row["place_id"], row["kind"]): content_hash(row) for row in plain.to_dict("records")}


def world(tables: ReleaseTables) -> World:
    """Return the world of one city's tables."""
    return World(known_places(tables), tables.section.get("asked", ()))


def check(record: Record, plan: Any, world: World) -> list[Violation]:
    """Return every break of the rules of certification (`checks/certify.py`)."""
    return [Violation(violation.rule, violation.text) for violation in world.checker.breaks(plan, record, sparing=True)]


def verify(_: Record, plan: Any, proof: dict[str, Any], world: World) -> list[Violation]:
    """Return what is said of a witness beside its plan and is not so (`checks/proof.py`)."""
    return [Violation("proof", text) for text in otherwise_measured(world.checker, plan, proof)]


def asked(record: Record) -> list[str]:
    """Return the rules that ask something of the record: a limit asks nothing where the record has none."""
    limits = {WALKING: record.get("most_walk_m"), PRICE_SIGNS: record.get("most_signs")}
    return [rule for rule in RULES if rule not in limits or limits[rule] is not None]


def passes(record: Record, plan: Any, world: World) -> bool:
    """Return whether the plan is valid by the published metrics, corrected, and keeps the record's limits."""
    return world.checker.meets(plan, record)


def uses(task: TaskView, world: World) -> set[tuple[str, str]]:
    """Return the rows of the pool that the plan names."""
    rows = set()
    for day in task.plan["itinerary"]:
        for slot, value in day.items():
            for place in value if isinstance(value, list) else [value]:
                if isinstance(place, dict):
                    ref = world.refs.get((kind_of(slot), place["name"], place["address"]))
                    rows |= {(ItinbenchPlace.table_name(), ref)} if ref else set()
    return rows


def kind_of(slot: str) -> str:
    """Return the kind of place that a part of a plan's day names."""
    return "stay" if slot == "accommodation" else "attraction" if slot.endswith("attractions") else "restaurant"
