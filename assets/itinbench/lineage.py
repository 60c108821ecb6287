"""Where each value of an ItinBench task comes from: the pool's rows, the draw, the solver, the words."""

from __future__ import annotations

from collections.abc import Iterator

from assets.family import Origin, TaskView
from assets.itinbench.tables import LIMITS, ItinbenchPlace
from assets.itinbench.world import World, kind_of


def trace(task: TaskView, world: World) -> Iterator[Origin]:
    """Yield the origin of every value of a task."""
    is_asked, is_kept_query = world.is_asked, task.query in world.queries.values()
    yield Origin(
        "query",
        "words",
        "itinbench.asked" if is_kept_query else "itinbench.wording",
        generation_ids=task.generation_ids,
    )
    yield Origin("messages", "choice", "itinbench.form")
    yield Origin("repairs", "choice", "itinbench.repair")
    yield Origin("drawn", "choice", "itinbench.asked" if is_asked else "itinbench.draft")
    repaired = {edit["field"] for edit in task.repairs}
    for field in task.record:
        by = "limit" if field in LIMITS else "repair" if field in repaired else "asked" if is_asked else "draft"
        yield Origin(f"record/{field}", "choice", f"itinbench.{by}")
    yield Origin("proof", "choice", "itinbench.solver")
    yield Origin("checks", "choice", "itinbench.certify")
    table = ItinbenchPlace.table_name()
    for number, day in enumerate(task.plan["itinerary"]):
        yield Origin(f"plan/itinerary/{number}/days", "choice", "itinbench.form")
        for slot, value in day.items():
            if slot == "days":
                continue
            for position, place in enumerate(value) if isinstance(value, list) else [("", value)]:
                where = f"plan/itinerary/{number}/{slot}/{position}".rstrip("/")
                row = world.refs[kind_of(slot), place["name"], place["address"]]
                for column in ("name", "address"):
                    yield Origin(f"{where}/{column}", "cells", "equal", ((table, row, column),))
