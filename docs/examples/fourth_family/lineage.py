"""Where each value of a task comes from: what is chosen names its rule, what is known names its cells."""

from __future__ import annotations

from collections.abc import Iterator

from assets.family import Origin, TaskView
from assets.strolls.world import World, places_of
from schemas.places import Place

RULES = {
    "strolls.draft": "Drawn by a generator seeded with the recipe's seed and the task's id.",
    "strolls.words": "Worded by templates chosen by the task's id, and read back.",
    "strolls.form": "No conversation, and no repair.",
    "strolls.check": "Verdict of the checker.",
}


def trace(task: TaskView, _: World) -> Iterator[Origin]:
    """Yield the origin of every value of a task."""
    yield Origin("query", "words", "strolls.words")
    yield from (Origin(name, "choice", "strolls.form") for name in ("messages", "repairs"))
    yield from (Origin(name, "choice", "strolls.draft") for name in ("record", "drawn"))
    yield Origin("checks", "choice", "strolls.check")
    table, city = Place.table_name(), task.city_id
    cells = [(table, f"{city}/{place_id}", "stars") for place_id in places_of(task.plan)]
    yield Origin("proof/mean_stars", "cells", "mean_stars", cells)
    for number, day in enumerate(task.plan["days"]):
        for part, place in day.items():
            for column in place:
                cell = (table, f"{city}/{place['place_id']}", column)
                yield Origin(f"plan/days/{number}/{part}/{column}", "cells", "equal", [cell])
