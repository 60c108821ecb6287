"""What tests of witnesses share: a scattered town, and records that leave everything open."""

from __future__ import annotations

import copy
import json
import random

import pandas as pd

from assets.tripcraft.solver import Witness, solve

HOURS = ("Mo-Su 07:00-22:00", "Mo-Fr 08:00-16:00", "Tu-Su 17:00-23:30", "24/7", "not hours at all", "Mo-Su 06:30-11:00")

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


def witness(record, reference):
    """Return the record's witness."""
    found = solve(record, reference, task_id="tripcraft-t-0001")
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


def drafts_of(tasks, reference):
    """Return the tasks' drafts, solved."""
    rows = []
    for task in tasks.to_dict("records"):
        found = solve(json.loads(task["record_json"]), reference, task_id=task["task_id"])
        assert isinstance(found, Witness), found
        rows.append(
            {
                "task_id": task["task_id"],
                "witness_json": json.dumps(found.plan),
                "values_json": json.dumps(found.values),
                "depends_on": "0",
            }
        )
    return pd.DataFrame(rows)
