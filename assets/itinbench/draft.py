"""Drafts: one satisfiable record a slot, all of a city's set distinct, with what was changed to get there and why.

What is satisfiable is `satisfiable.py`, draws are `nominal.py`, repairs `repair.py`, and the weights that choose among
them `weights.py`. Words are `wording.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from assets.core.slots import slot_numbers
from assets.itinbench.repairs.nominal import FAMILY, nominal, task_id_of
from assets.itinbench.repairs.repair import EDIT_COST, gumbel, options
from assets.itinbench.repairs.satisfiable import Feasibility, feasibility
from assets.itinbench.repairs.space import FIELDS, SHAPE, Cell, cell_at, cell_of, record_at
from assets.itinbench.repairs.weights import (
    MARGINALS,
    fit,
    log_weight,
    published_shares,
    shares_of,
    target_shares,
    wanted,
)
from assets.itinbench.section import ItinbenchSection
from assets.itinbench.tables import Record
from assets.itinbench.witness.selection import told_apart
from schemas.rejection import Reason
from schemas.stable import stable_hash

if TYPE_CHECKING:
    import pandas as pd

MAX_EDITS = 3
"""A draw that would need more edits than this is not repaired but rejected, and the slot draws again."""

MAX_ATTEMPTS = 25
"""Draws a slot may make; after that it takes the smallest repair of its last draw to a record that nobody has."""


class DraftError(ValueError):
    """The city cannot give so many distinct tasks; the message says how many it can, and what is scarce."""


class Draft(TypedDict):
    """One slot's record, the draw it came from, and how far apart they are."""

    task_id: str
    slot: int
    record: Record
    nominal: Record
    repairs: list[dict[str, Any]]  # {field, from, to} of every field that the repair changed
    attempt: int  # 0 for the slot's first draw
    edits: int  # edits from the draw to the record; 0 if it was kept
    fewest_edits: int  # the least that any repair of this draw has
    why: str  # why the draw was not kept: what the pool lacks for it, or who has it; empty if it was kept


@dataclass(frozen=True)
class Drafts:
    """A city's set: its drafts by slot, the draws that were dropped and why, and the set's statistics."""

    rows: list[Draft]
    rejections: list[dict[str, str]]
    facts: dict[str, Any]


def draft_set(
    places: pd.DataFrame, *, city_id: str, seed: int, section: ItinbenchSection, retired: Collection[str] = ()
) -> Drafts:
    """Return `section.tasks_per_city` distinct drafts that the pool of one city can satisfy strictly.

    A slot's draw that can be satisfied is kept. Any other is repaired by the smallest change: a satisfiable record of
    which no edit could be undone, with the fewest edits possible, or one more where the variety of the set asks for it
    (an edit is another length, price, orientation or cuisine, or one preference added, dropped or exchanged). Among
    these the slot chooses by weight, with noise that depends on its task_id and the record alone. A draw that needs
    more than `MAX_EDITS` edits (`unsatisfiable`) or becomes a record that an earlier slot has (`duplicate`) is
    rejected, and the slot draws again. The slot's outcome so depends on seed, task_id, what the pool can satisfy near
    its draw, and weights that move slowly; a changed place that makes no record satisfiable or unsatisfiable changes
    nothing.

    The slots of `retired` tasks stay empty. Only places that a plan can name without being mistaken count, as in the
    solver.

    Raises DraftError if the pool has fewer distinct satisfiable records than tasks are asked for.
    """
    found = feasibility(places.loc[told_apart(places)])
    allowed = wanted(section)
    satisfiable = found.satisfiable & allowed
    available = int(satisfiable.sum())
    if available < section.tasks_per_city:
        raise DraftError(_too_few(city_id, section.tasks_per_city, available, found, allowed))
    city = _City(city_id, seed, section, found, satisfiable, fit(section, satisfiable))
    numbers = slot_numbers(section.tasks_per_city, lambda slot: task_id_of(city_id, slot), retired)
    rows = [city.draft(slot) for slot in numbers]
    return Drafts(rows, city.rejections, {"satisfiable_records": available, **_facts(section, city, rows)})


@dataclass
class _City:
    """One city's set while it is being drafted: `taken` says which slot has which record."""

    city_id: str
    seed: int
    section: ItinbenchSection
    found: Feasibility
    satisfiable: np.ndarray
    weights: dict[str, np.ndarray]
    taken: dict[Cell, str] = field(default_factory=dict)
    rejections: list[dict[str, str]] = field(default_factory=list)

    def draft(self, slot: int) -> Draft:
        """Return the slot's draft, and take its record."""
        task_id = task_id_of(self.city_id, slot)
        for attempt in range(MAX_ATTEMPTS):
            draft = self._repaired(slot, attempt, self.satisfiable)
            cell = cell_of(draft["record"])
            if draft["fewest_edits"] > MAX_EDITS:
                self._reject(task_id, attempt, Reason.UNSATISFIABLE, draft["why"])
            elif cell in self.taken:
                self._reject(task_id, attempt, Reason.DUPLICATE, f"{self.taken[cell]} has the same record")
            else:
                break
        else:
            free = self.satisfiable.copy()
            free[tuple(np.array(list(self.taken)).T)] = False
            draft = self._repaired(slot, MAX_ATTEMPTS, free)
        self.taken[cell_of(draft["record"])] = task_id
        return draft

    def _repaired(self, slot: int, attempt: int, allowed: np.ndarray) -> Draft:
        """Return the slot's draw of this attempt as one of the allowed records."""
        task_id = task_id_of(self.city_id, slot)
        draw = nominal(self.section, self.city_id, slot, self.seed, attempt)
        cell = cell_of(draw)
        flat, edits = options(cell, allowed)
        noise = gumbel(stable_hash(FAMILY, "repair", task_id, attempt), flat)
        score = log_weight(self.weights, np.unravel_index(flat, SHAPE)) - EDIT_COST * edits + noise
        best = int(np.argmax(score))
        record = record_at(cell_at(int(flat[best])), draw)
        return Draft(
            task_id=task_id,
            slot=slot,
            record=record,
            nominal=draw,
            repairs=_repairs(draw, record),
            attempt=attempt,
            edits=int(edits[best]),
            fewest_edits=int(edits.min()),
            why=self.found.shortfall(cell) or ("" if allowed[cell] else "an earlier slot has this record"),
        )

    def _reject(self, task_id: str, attempt: int, reason: Reason, detail: str) -> None:
        self.rejections.append({"row": f"{task_id}#{attempt}", "reason": reason.value, "detail": detail})


def _repairs(draw: Record, record: Record) -> list[dict[str, Any]]:
    return [{"field": f, "from": draw[f], "to": record[f]} for f in FIELDS if draw[f] != record[f]]


def _facts(section: ItinbenchSection, city: _City, rows: list[Draft]) -> dict[str, Any]:
    """Return the set's statistics: nominal against realised shares of every marginal, and what the repairs did.

    `published` is the section's share, `target` the same over what the city can satisfy, `nominal` what the slots drew
    and `realised` what they have. Shares are rounded to four decimals.
    """
    drawn = np.array([cell_of(row["nominal"]) for row in rows])
    have = np.array([cell_of(row["record"]) for row in rows])
    columns = {
        "published": published_shares(section),
        "target": target_shares(section, city.satisfiable),
        "nominal": shares_of(drawn),
        "realised": shares_of(have),
    }
    marginals = {
        m.name: {
            str(value): {name: round(float(shares[m.name][i]), 4) for name, shares in columns.items()}
            | {"weight": round(float(city.weights[m.name][i]), 2)}
            for i, value in enumerate(m.values)
        }
        for m in MARGINALS
    }
    repaired = [row for row in rows if row["edits"]]
    return {
        "marginals": marginals,
        "kept": len(rows) - len(repaired),
        "repaired": len(repaired),
        "repaired_with_one_edit_more_than_the_fewest": sum(row["edits"] > row["fewest_edits"] for row in rows),
        "edits": dict(sorted(Counter(str(row["edits"]) for row in rows).items())),
        "repaired_fields": {f: sum(r["field"] == f for row in rows for r in row["repairs"]) for f in FIELDS},
        "rejected": dict(sorted(Counter(r["reason"] for r in city.rejections).items())),
    }


def _too_few(city_id: str, count: int, available: int, found: Feasibility, allowed: np.ndarray) -> str:
    return (
        f"{city_id}: {count} tasks are asked for, but only {available} distinct records can be satisfied, of "
        f"{int(allowed.sum())} that the recipe's distributions allow. At most {int(found.restaurants.max())} "
        f"restaurants (6 needed for two days), {int(found.attractions.max())} attractions (8 needed) and "
        f"{int(found.stays.max())} stays (1 needed) match any one demand. Ask for fewer tasks (`tasks_per_city`), or "
        f"give the city more places with ratings and prices."
    )
