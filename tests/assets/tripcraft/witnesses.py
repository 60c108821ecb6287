"""What tests of witnesses share: a scattered town, and records that leave everything open."""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass
from typing import Any

import pandas as pd

from assets.core import drafting
from assets.family import Series, Slot, Solved
from assets.named import load
from assets.tripcraft.family import FAMILY
from assets.tripcraft.solver import Witness, solve

HOURS = ("Mo-Su 07:00-22:00", "Mo-Fr 08:00-16:00", "Tu-Su 17:00-23:30", "24/7", "not hours at all", "Mo-Su 06:30-11:00")


def spread(frames, seed):
    """Scatter the places over some kilometres, with prices, capacities and opening hours of all sorts."""
    rng = random.Random(seed)
    for kind in ("restaurants", "attractions", "stays"):
        n = len(frames[kind])
        frames[kind]["lat"] = [60 + rng.uniform(-0.05, 0.05) for _ in range(n)]
        frames[kind]["lon"] = [25 + rng.uniform(-0.1, 0.1) for _ in range(n)]
    for kind in ("restaurants", "attractions"):
        frames[kind]["opening_hours"] = [rng.choice([*HOURS, None, None, None]) for _ in frames[kind].index]
    frames["restaurants"]["avg_cost"] = [rng.randint(5, 60) for _ in frames["restaurants"].index]
    return frames


def witness(record, reference, task_id="tripcraft-t-0001"):
    """Return the record's witness."""
    found = solve(record, reference, task_id=task_id)
    assert isinstance(found, Witness), found
    return found


def persona(**changed):
    """Return a persona with some components changed."""
    base = {
        "Traveler Type": "Laidback Traveler",
        "Purpose of Travel": "Relaxation",
        "Spending Preference": "Economical Traveler",
        "Location Preference": "Cities",
    }
    return base | {key.replace("_", " "): value for key, value in changed.items()}


def free(record, days, chosen):
    """Return a record that asks for nothing but the persona."""
    asked = copy.deepcopy(record(days))
    asked["constraints"] = dict.fromkeys(asked["constraints"])
    return asked | {"persona": chosen, "budget": 100_000}


def visits(found, reference, day=None):
    """Return the attractions of a witness, or of one of its days."""
    by_id = {a.place_id: a for city in reference.cities for a in reference.attractions_in(city)}
    days = found.values["days"] if day is None else [found.values["days"][day]]
    return [by_id[item["place_id"]] for items in days for item in items if item["place_id"] in by_id]


def slot_of(name, days, level, seed=1):
    """Return the slot of that name for a trip of the length and level."""
    return Slot(name, 0, "xx", Series(f"{days}d-{level}", 1, level, {"days": days}), seed)


def step_of(table):
    """Return the step that makes the family's table, and its functions by name."""
    step = next(step for step in FAMILY.steps if step.output is table)
    return step, {name: load(function) for name, function in step.uses.items()}


def drafted(reference, section, seed, *, previous=None, most_unsolved=FAMILY.most_unsolved, **functions) -> Any:
    """Return the outcome of drafting a set in the reference, by the family's functions or those given instead."""
    step, uses = step_of(FAMILY.tables.draft)
    return drafting.drafts(
        step=step, uses=uses | functions, world=reference, section=section, area="xx", seed=seed, retired=[],
        attempts=FAMILY.attempts, most_unsolved=most_unsolved, previous=previous, ask=None,
    )  # fmt: skip


@dataclass(frozen=True)
class Rough:
    """A slot's record as drawn, or None and what stood in its way; `attempt` are the draws dropped before."""

    task_id: str
    record: dict | None
    attempt: int
    obstacles: str


UNPLANNED = {
    "depends": lambda *_: "",
    "solve": lambda *_: Solved([]),
    "prove": lambda record, plan, proof, world: proof,
    "check": lambda *_: [],
    "verify": lambda *_: [],
}
"""Functions by which whatever can be drawn counts as planned."""


def roughly(reference, section, seed):
    """Return a set's drafts by slot, as drawn: no solver has seen them."""
    outcome = drafted(reference, section, seed, **UNPLANNED)
    made = [Rough(row["task_id"], row["record"], row["attempt"], "") for row in outcome.rows.to_dict("records")]
    return [*made, *(Rough(lost["row"], None, 0, lost["detail"]) for lost in outcome.rejections)]


def drafts_of(tasks, reference):
    """Return the tasks' drafts: solved, and proven by the checker's side."""
    rows = []
    for task in tasks.to_dict("records"):
        found = witness(task["record"], reference, task["task_id"])
        proof = FAMILY.call("prove", task["record"], found.plan, found.values, reference)
        judged = FAMILY.call("check", task["record"], found.plan, reference)
        assert list(judged) + FAMILY.call("verify", task["record"], found.plan, proof, reference) == []
        rows.append({"task_id": task["task_id"], "plan": found.plan, "proof": proof, "depends_on": "0"})
    return pd.DataFrame(rows)
