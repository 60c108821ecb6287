"""How much of what a query may ask a city's places can satisfy, value by value: what `build --estimate` shows."""

from __future__ import annotations

from typing import Any

import numpy as np

from assets.itinbench.repairs.satisfiable import feasibility
from assets.itinbench.repairs.space import SHAPE
from assets.itinbench.repairs.weights import MARGINALS, weighted_records
from assets.itinbench.section import ItinbenchSection
from assets.itinbench.witness.selection import told_apart
from assets.itinbench.world import world
from assets.rows import ReleaseTables


def feasible(tables: ReleaseTables, section: ItinbenchSection) -> list[dict[str, Any]]:
    """Return a row for each value: `what`, `value`, the `records` that may be drawn with it, and how many can be met.

    A satisfiable record has different places enough that meet all it asks. The first row counts all records.
    """
    places = world(tables).places
    allowed = weighted_records(section)
    satisfiable = feasibility(places.loc[told_apart(places)]).satisfiable & allowed
    rows = [{"what": "record", "value": "any", **_counts(int(allowed.sum()), int(satisfiable.sum()))}]
    for marginal in MARGINALS:
        others = tuple(axis for axis in range(len(SHAPE)) if axis != marginal.axis)
        feasible_counts, drawn = (
            np.asarray(cells.sum(axis=others)) @ marginal.holds for cells in (satisfiable, allowed)
        )
        rows += [
            {"what": marginal.name, "value": str(value), **_counts(int(drawn[i]), int(feasible_counts[i]))}
            for i, value in enumerate(marginal.values)
        ]
    return rows


def _counts(records: int, satisfiable: int) -> dict[str, Any]:
    share = round(satisfiable / records, 4) if records else 0.0
    return {"records": records, "satisfiable": satisfiable, "share": share}
