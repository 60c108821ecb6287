"""One integer program solved: always the same answer to the same program, and never a bound that is none."""

from __future__ import annotations

import math
from typing import Any


def solved(model: Any, limit: float, *, is_presolved: bool) -> tuple[Any, str]:
    """Return CP-SAT's solver after about `limit` seconds of its own time, and its status by name.

    One worker under a deterministic limit. The relaxation's rows are tight as they stand: a team's small program gains
    by a short presolve, a whole group's is solved sooner than presolved.
    """
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    solver.parameters.cp_model_presolve = is_presolved
    solver.parameters.max_presolve_iterations = 1
    solver.parameters.cp_model_probing_level = 0
    solver.parameters.symmetry_level = 0
    solver.parameters.max_deterministic_time = limit
    return solver, solver.status_name(solver.solve(model))


def bound_of(model: Any, solver: Any, status: str) -> int:
    """Return what no solution of a maximum exceeds.

    Where the time was over before CP-SAT had any bound, it says 0, which is none unless it is reached: then it is the
    most that the objective could be if no row but the counts' own limits held.
    """
    found = math.floor(solver.best_objective_bound + 1e-6)
    if found or status == "OPTIMAL":
        return found
    objective, ends = model.proto.objective, [list(variable.domain) for variable in model.proto.variables]
    terms = zip(objective.vars, objective.coeffs, strict=True)
    # A maximum is kept as the minimum of its negative.
    least = sum(min(coefficient * end for end in ends[variable]) for variable, coefficient in terms)
    return math.floor(-least - objective.offset)
