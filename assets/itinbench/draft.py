"""Drafts: one satisfiable record a slot, all of a city's set distinct, with what was changed to get there and why.

What is satisfiable is `satisfiable.py`, draws are `nominal.py`, repairs `repair.py`, and the weights that choose among
them `weights.py`. Words are `wording.py`; the loop over the slots is the core's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from assets.core.repairs import repairs
from assets.family import Drawn, Refused, Series, Slot
from assets.itinbench.limits import limited_record
from assets.itinbench.repairs.nominal import FAMILY, nominal
from assets.itinbench.repairs.repair import EDIT_COST, gumbel, options
from assets.itinbench.repairs.satisfiable import Feasibility, feasibility
from assets.itinbench.repairs.space import FIELDS, SHAPE, cell_at, cell_of, edits_from, record_at
from assets.itinbench.repairs.weights import (
    MARGINALS,
    fit,
    log_weight,
    published_shares,
    shares_of,
    target_shares,
    weighted_records,
)
from assets.itinbench.section import ItinbenchSection
from assets.itinbench.tables import Drawing, Record
from assets.itinbench.witness.selection import told_apart
from assets.itinbench.world import World
from schemas.counts import counted
from schemas.source import SourceError
from schemas.stable import stable_hash

PUBLISHED, HARD = "published", "hard"
"""The levels: records as published, and with limits that couple their places."""

WORDED_ANEW = "worded anew, since the record was changed or the text does not say it"

MAX_EDITS = 3
"""A draw that would need more edits than this is not repaired but refused, and the slot draws again."""

MAX_ATTEMPTS = 25
"""Draws a slot may make; after that it takes the smallest repair of its last draw to a record that nobody has."""


def slots(section: ItinbenchSection) -> list[Series]:
    """Return a city's slots: those of the published form, then the hard ones; each level's ids stay its own."""
    most = section.baseline_at_most
    series = [Series("", section.tasks_per_city, PUBLISHED, greedy_at_most=most.get(PUBLISHED, 1.0))]
    hard = Series(HARD, section.hard_tasks_per_city, HARD, greedy_at_most=most.get(HARD, 1.0))
    return [*series, *([hard] if hard.count else [])]


@dataclass(frozen=True)
class Drafting:
    """What the drafts of one city's set are made with."""

    section: ItinbenchSection
    supply: Feasibility
    satisfiable: np.ndarray
    weights: dict[str, np.ndarray]
    world: World

    def facts(self, drawn_slots: Sequence[tuple[Slot, Drawn]]) -> dict[str, Any]:
        """Return the statistics of the set (see `_facts`)."""
        return {"satisfiable_records": int(self.satisfiable.sum()), **_facts(self, [drawn for _, drawn in drawn_slots])}


def prepare(world: World, section: ItinbenchSection, slots: Sequence[Slot]) -> Drafting:
    """Return what a city's set is drafted with; only places that a plan can name without being mistaken count.

    Raises SourceError if the pool has fewer distinct satisfiable records than tasks are asked for.
    """
    supply = feasibility(world.places.loc[told_apart(world.places)])
    allowed = weighted_records(section)
    satisfiable = supply.satisfiable & allowed
    available = int(satisfiable.sum())
    if available < len(slots):
        raise SourceError(_too_few(slots[0].area, len(slots), available, supply, allowed))
    return Drafting(section, supply, satisfiable, fit(section, satisfiable), world)


def draft(slot: Slot, attempt: int, drafting: Drafting, records_in_use: Sequence[Record]) -> Drawn | Refused:
    """Return the slot's record, which the pool can satisfy strictly.

    A draw that can be satisfied is kept. Any other is repaired by the smallest change: a satisfiable record of which no
    edit could be undone, with the fewest edits possible, or one more where the variety of the set asks for it (an edit
    is another length, price, orientation or cuisine, or one preference added, dropped or exchanged). Among these the
    slot chooses by weight, with noise that depends on its task_id and the record alone. A draw that needs more than
    `MAX_EDITS` edits is refused. After `MAX_ATTEMPTS` draws the slot takes the smallest repair to a record that nobody
    has. So a changed place that makes no record satisfiable or unsatisfiable changes nothing.

    What a published set asks stands in place of draws: it is kept, or repaired whatever that takes to a record that
    neither that set nor another slot has.
    """
    allowed, asked_tasks = drafting.satisfiable, drafting.section.asked
    draw = (
        asked_tasks[slot.number % len(asked_tasks)].record if asked_tasks else nominal(drafting.section, slot, attempt)
    )
    cell = cell_of(draw)
    if asked_tasks and (attempt or not allowed[cell]):
        # What a task asks that may be kept is no repair of another.
        records_in_use = [*records_in_use, *(task.record for task in asked_tasks)]
    if records_in_use and (attempt >= MAX_ATTEMPTS or (asked_tasks and (attempt or not allowed[cell]))):
        allowed = allowed.copy()
        allowed[tuple(np.array([cell_of(record) for record in records_in_use]).T)] = False
    flat, edits = options(cell, allowed)
    noise = gumbel(stable_hash(FAMILY, "repair", slot.task_id, attempt), flat)
    score = log_weight(drafting.weights, np.unravel_index(flat, SHAPE)) - EDIT_COST * edits + noise
    best = int(np.argmax(score))
    why = drafting.supply.shortfall(cell) or ("" if allowed[cell] else "an earlier slot has this record")
    if not asked_tasks and attempt < MAX_ATTEMPTS and int(edits.min()) > MAX_EDITS:
        return Refused(why, "too_many_edits")
    record = record_at(cell_at(int(flat[best])), draw)
    changes = repairs(_fields(draw), record)
    if asked_tasks and drafting.world.query_of(record) is None:
        changes.append(
            {"field": "query", "before": asked_tasks[slot.number % len(asked_tasks)].query, "after": WORDED_ANEW}
        )
    if slot.level == HARD:
        limits = limited_record(slot, attempt, record, drafting.world)
        if isinstance(limits, Refused):
            return limits
        record = limits
    how = Drawing(nominal=draw, edits=int(edits[best]), fewest_edits=int(edits.min()), why=why)
    return Drawn(dict(record), slot.area, dict(how), changes)


def drawn_from(slot: Slot, drawn: Drawing, _: World, section: ItinbenchSection) -> tuple[dict[str, Any], str | None]:
    """Return the fields of the record that a task's repairs changed, and the words of a published one.

    Raises ValueError where it is none that the slot draws, or none that the published set asks.
    """
    task = section.asked[slot.number % len(section.asked)] if section.asked else None
    draws = [task.record] if task else (nominal(section, slot, attempt) for attempt in range(MAX_ATTEMPTS + 1))
    stated = _fields(drawn["nominal"])
    if stated not in map(_fields, draws):
        raise ValueError(f"its slot draws no such record: {stated}")
    return stated, task.query if task else None


def drawn_again(slot: Slot, record: Record, drawn: Drawing, drafting: Drafting) -> dict[str, Any]:
    """Return the edits between draw and record, what the pool lacks for the draw, and the fewest edits of any repair.

    The last only where no other slot's record limits the repair: of a set that is drawn, but for last draws.
    """
    section, draw = drafting.section, drawn["nominal"]
    cell = cell_of(draw)
    edits = int(edits_from(cell)[cell_of(record)])
    shortfall = drafting.supply.shortfall(cell)
    again: dict[str, Any] = {"edits": edits, "why": shortfall or ("an earlier slot has this record" if edits else "")}
    if not section.asked and _fields(draw) != _fields(nominal(section, slot, MAX_ATTEMPTS)):
        _, edits_of_repairs = options(cell, drafting.satisfiable)
        again["fewest_edits"] = int(edits_of_repairs.min())
    return again


def _fields(record: Record) -> dict[str, Any]:
    return {field: record[field] for field in FIELDS}


def _facts(drafting: Drafting, draws: Sequence[Drawn]) -> dict[str, Any]:
    """Return the set's statistics: nominal against realised shares of every marginal, and what the repairs did.

    `published` is the section's share, `target` the same over what the city can satisfy, `nominal` what the slots drew
    and `realised` what they have. Shares are rounded to four decimals.
    """
    drawn = np.array([cell_of(draw.drawn["nominal"]) for draw in draws])
    have = np.array([cell_of(cast("Record", draw.record)) for draw in draws])
    columns = {
        "published": published_shares(drafting.section),
        "target": target_shares(drafting.section, drafting.satisfiable),
        "nominal": shares_of(drawn),
        "realised": shares_of(have),
    }
    marginals = {
        m.name: {
            str(value): {name: round(float(shares[m.name][i]), 4) for name, shares in columns.items()}
            | {"weight": round(float(drafting.weights[m.name][i]), 2)}
            for i, value in enumerate(m.values)
        }
        for m in MARGINALS
    }
    edits = [draw.drawn["edits"] for draw in draws]
    fewest = [draw.drawn["fewest_edits"] for draw in draws]
    return {
        "marginals": marginals,
        "kept": edits.count(0),
        "repaired": len(edits) - edits.count(0),
        "repaired_with_one_edit_more_than_the_fewest": sum(a > b for a, b in zip(edits, fewest, strict=True)),
        "edits": dict(sorted(Counter(map(str, edits)).items())),
        "repaired_fields": {f: sum(e["field"] == f for draw in draws for e in draw.repairs) for f in FIELDS},
    }


def _too_few(city_id: str, count: int, available: int, supply: Feasibility, allowed: np.ndarray) -> str:
    return (
        f"{city_id}: {counted(count, 'task')} asked for, but only {counted(available, 'distinct record')} can be "
        f"satisfied, of {int(allowed.sum())} that the recipe's distributions allow. At most "
        f"{int(supply.restaurants.max())} restaurants (6 needed for two days), {int(supply.attractions.max())} "
        f"attractions (8 needed) and {int(supply.stays.max())} stays (1 needed) match any one demand. Ask for fewer "
        "tasks (`tasks_per_city`), or "
        f'give the city more places with ratings and prices, or let unsure ratings count (`ratings = "rounded"`).'
    )
