"""Where each value of a task comes from: what is chosen names its rule, what is known names its cells."""

from __future__ import annotations

from collections.abc import Iterator

from assets.family import Origin, TaskView
from assets.roundtrips.world import World, flight_keys
from schemas.places import Place
from schemas.travel import Flight

RULES = {
    "roundtrips.draft": "Drawn by the recipe's seed and the task's id; there is no conversation, and no repair.",
    "roundtrips.words": "Worded by templates chosen by the task's id, and read back.",
    "roundtrips.check": "Verdict of the checker.",
}


def trace(task: TaskView, _: World) -> Iterator[Origin]:
    """Yield the origin of every value of a task."""
    yield Origin("query", "words", "roundtrips.words")
    yield from (Origin(name, "choice", "roundtrips.draft") for name in ("record", "drawn", "messages", "repairs"))
    yield Origin("checks", "choice", "roundtrips.check")
    flights = flight_keys(task)
    yield Origin("proof/cost", "cells", "sum", [(Flight.table_name(), key, "price") for key in flights.values()])
    for leg, key in flights.items():
        for column in task.plan[leg]:
            yield Origin(f"plan/{leg}/{column}", "cells", "equal", [(Flight.table_name(), key, column)])
    for number, sight in enumerate(task.plan["days"]):
        for column in sight:
            cell = (Place.table_name(), f"{task.record['dest_city_id']}/{sight['place_id']}", column)
            yield Origin(f"plan/days/{number}/{column}", "cells", "equal", [cell])
