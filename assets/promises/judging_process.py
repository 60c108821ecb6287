"""What a process that judges plans must not have: what finds plans, and something else in the place of what judges."""

from __future__ import annotations

import sys

from assets.family import Family
from assets.named import module_of
from assets.promises.as_written import not_as_written
from assets.promises.executed_code import is_watched, ran

SOLVER_LIBRARIES = ("ortools",)
"""Libraries that find plans; a process that judges has none of them."""


def solvers(family: Family) -> list[str]:
    """Return the solvers that this process has imported or run, which judges of plans must not."""
    forbidden = {module_of(family.solve), module_of(family.draft)}
    imported = sorted(name for name in (*forbidden, *SOLVER_LIBRARIES) if name in sys.modules)
    return (
        [f"{family.check}: its process imported {name}, which finds plans" for name in imported]
        + [f"{family.check}: its process ran {what}, which may find plans" for what in ran(forbidden)]
        + replaced_judges(family)
    )


def replaced_judges(family: Family) -> list[str]:
    """Return what this process, if it is one of judges, has in the place of functions that judge."""
    return [
        f"{family.check}: its process has something else in the place of {name}, which judges, than its file has now: "
        "replaced by a module, or the file was edited meanwhile; build again"
        for name in (not_as_written() if is_watched() else ())
    ]
