"""CP-SAT as every search of ours uses it: the same answer on every machine, whatever happens meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpSolver


def deterministic_solver(limit: float) -> CpSolver:
    """Return a solver of one worker that ends at `limit`, in CP-SAT's deterministic time.

    By itself CP-SAT takes Ctrl-C for the end of the time, even in a process that ignores it, and answers with the best
    so far: a worse plan, which would be kept as if the whole search had given it. Here Ctrl-C is the caller's.
    """
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = limit
    solver.parameters.catch_sigint_signal = False
    return solver
