"""Integer programs of a maximum: their best solutions, and what no solution exceeds.

The linear relaxation comes first. Whatever numbers y the solver gives as its duals (those of rows of at most made at
least 0), a solution x has points·x <= points·x + y·(most - A x) = y·most + r·x with r = points - A'y, and so at most
`top` = y·most + the sum of r_j u_j over r_j > 0, u_j being the most of x_j. A solution that takes any of a variable
with r_j < 0 has at most top + r_j. So the search begins with the few variables of which a first one loses little, of
these with those that were made together with one that the linear solution takes, and goes on with those alone that a
better solution could take: the others are proved to be 0 in it. Of variables in turn (`in_turn`) a solution has the
first few at 1 and the others at 0, so it makes no more than the relaxation of just that case: the greatest of these is
a `top` too, and lower where the relaxation of all takes parts of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

from assets.core.cp_sat import deterministic_solver

if TYPE_CHECKING:
    import numpy as np

CORE = 0.5
"""Points that a first one of a variable may lose in the first search."""

FIRST = 1 / 3
"""Of the time, what the first search has at most; what it leaves is the proof's."""

FAR, AGAIN = 0.03, 13
"""Of the linear relaxation's top: where the best solution known lies further below it, it is sought so many times as
long whether there is a better one."""

NEAR = 1e-4
"""Above the error of the arithmetic, which differs by machine, and below a point: no choice hangs on the error."""


@dataclass(frozen=True)
class Solution:
    """The best solution found, by variable, with its points and what none exceeds; no counts where none was found."""

    counts: tuple[int, ...]
    points: int
    bound: int


class Program:
    """Counts from 0, rows of sums, and the points to be made most of."""

    def __init__(self, ceiling: float = math.inf) -> None:
        """Take a total of which it is known from elsewhere that no solution exceeds it."""
        self._ceiling = ceiling
        self._most: list[int] = []
        self._points: list[int] = []
        self._made_with: list[int] = []
        self._constant = 0
        self._rows: list[tuple[Sequence[int], Sequence[int], int, bool]] = []
        self._turns: Sequence[int] = ()
        self._spent = 0.0
        """Deterministic time of the last search."""

    def count(self, most: int, points: int = 0) -> int:
        """Return a new variable, the number of it, of 0 to `most`, each of which makes so many points."""
        return self.counts([most], points)[0]

    def counts(self, most: Sequence[int], points: int) -> range:
        """Return as many new variables, each of 0 to its own most, all of which make so many points.

        They are ways to do one thing: where one of them serves, another may.
        """
        first = len(self._most)
        self._made_with += [first] * len(most)
        self._most += most
        self._points += [points] * len(most)
        return range(first, len(self._most))

    def most_of(self, variable: int) -> int:
        """Return the most that a variable can be."""
        return self._most[variable]

    def add(self, points: int, variable: int | None = None) -> None:
        """Add points for each of a variable, or for every solution."""
        if variable is None:
            self._constant += points
        else:
            self._points[variable] += points

    def at_most(self, variables: Sequence[int], factors: Sequence[int] | None, most: int) -> None:
        """Keep the sum of factors (1 each without) times variables to at most so much."""
        self._rows.append((variables, factors or (1,) * len(variables), most, False))

    def exactly(self, variables: Sequence[int], total: int) -> None:
        """Keep the sum of the variables to so much."""
        self._rows.append((variables, (1,) * len(variables), total, True))

    def in_turn(self, variables: Sequence[int]) -> None:
        """Keep variables of 0 or 1 to an order: none is 1 unless all before it are.

        Where the linear relaxation takes a part of one, each number of them that can be 1 is relaxed by itself.
        """
        self._turns = variables
        for before, after in pairwise(variables):
            self.at_most((after, before), (1, -1), 0)

    @property
    def top(self) -> int:
        """Return what no solution exceeds, by the linear relaxation and the ceiling."""
        return math.floor(min(self._dual[0] + NEAR, self._ceiling))

    def solve(self, limit: float, above: int | None = None, *, is_for_bound: bool = True) -> Solution | None:
        """Return the best solution within `limit` of CP-SAT's deterministic time; None if none is `above` a total.

        One worker under a deterministic limit: the same input gives the same answer. Where no bound is asked for, the
        first search is all, has all the time, and its None says nothing of other solutions.
        """
        import numpy as np

        if above is not None and self.top <= above:
            return None
        exact, loss, is_taken = self._dual
        is_core = loss <= CORE + NEAR
        if not is_for_bound:
            return self._search(np.flatnonzero(is_core), limit, above, top=self.top)
        best = _of_two(None, self._search(np.flatnonzero(is_core & is_taken), FIRST * limit, above, top=self.top))
        if best is not None and best.points >= self.top:
            return best
        least = best.points if best is not None else above
        able = np.flatnonzero(loss <= exact - least - 1 + NEAR) if least is not None else np.arange(len(loss))
        is_far = least is None or self.top - least > FAR * abs(self.top)
        time_left = AGAIN * limit if is_far else limit - self._spent
        proof = self._search(able, time_left, least, top=self.top, is_proof=True)
        if proof is None:
            return best and Solution(best.counts, best.points, best.points)
        bound, best = min(self.top, proof.bound), _of_two(best, proof)
        return Solution(best.counts, best.points, max(best.points, bound)) if best else Solution((), bound, bound)

    def find(self, limit: float) -> Solution | None:
        """Return the best solution found of all variables, without a look at the linear relaxation; None if none is."""
        import numpy as np

        return self._search(np.arange(len(self._most)), limit, None)

    @cached_property
    def _matrix(self) -> Any:
        """Return the rows' factors, row by variable, each row's sum, and whether it is exact."""
        import numpy as np
        from scipy.sparse import csr_matrix

        begins = np.cumsum([0, *(len(row[0]) for row in self._rows)])
        size = int(begins[-1])
        columns = np.fromiter(chain.from_iterable(row[0] for row in self._rows), dtype=np.int64, count=size)
        factors = np.fromiter(chain.from_iterable(row[1] for row in self._rows), dtype=np.float64, count=size)
        matrix = csr_matrix((factors, columns, begins), shape=(len(self._rows), len(self._most)))
        return matrix, np.array([float(row[2]) for row in self._rows]), np.array([row[3] for row in self._rows])

    @cached_property
    def _dual(self) -> tuple[float, np.ndarray, np.ndarray]:
        """Return what no solution exceeds, what each variable's first one loses of it, and which the linear one takes.

        Taken are those that were made with one that it takes.
        """
        import numpy as np

        turns = list(self._turns)
        top, loss, values = self._relaxed([], [])
        if turns and np.abs(values[turns] - values[turns].round()).max() > NEAR:
            cases = [self._relaxed(turns[:n], turns[n:]) for n in range(len(turns) + 1)]
            of_cases, _, values = max(cases, key=lambda case: case[0])
            top = min(top, of_cases)
            loss = np.min([top - of_case + lost for of_case, lost, _ in cases], axis=0)
        together = np.array(self._made_with)
        return top, loss, np.isin(together, together[values > NEAR])

    def _relaxed(self, ones: Sequence[int], noughts: Sequence[int]) -> tuple[float, np.ndarray, np.ndarray]:
        """Return the same of the solutions in which these variables are 1 and 0, and the linear one's values."""
        import numpy as np

        matrix, sums, is_exact = self._matrix
        points, most = np.array(self._points, dtype=float), np.array(self._most, dtype=float)
        most[[*ones, *noughts]] = 0
        remaining_sums = sums - matrix[:, ones].sum(axis=1).A1 if ones else sums
        duals, values = linear_optimum(points, most, matrix, remaining_sums, is_exact)
        duals = np.where(is_exact, duals, np.maximum(0, duals))
        reduced = points - matrix.T @ duals
        top = float(duals @ remaining_sums + np.maximum(reduced, 0) @ most + points[ones].sum()) + self._constant
        loss = np.maximum(-reduced, 0)
        loss[ones], loss[noughts], values[ones] = 0, np.inf, 1
        return top, loss, values

    def _search(
        self, able: np.ndarray, limit: float, above: int | None, *, top: int | None = None, is_proof: bool = False
    ) -> Solution | None:
        """Return the best solution of these variables, the others 0, and what none of theirs exceeds; None if none is.

        One that makes `top`, which none exceeds, ends the search. One worker, under a deterministic limit. For a proof
        it seeks what is just below its bound.
        """
        import numpy as np
        from ortools.sat.python import cp_model

        matrix, sums, is_exact = self._matrix
        most = np.array(self._most)[able]
        rows = matrix[:, able].tocsr()
        can_bind = is_exact | (rows.maximum(0) @ most > sums)
        model = cp_model.CpModel()
        for n in most.tolist():
            model.proto.variables.add().domain.extend([0, n])
        points = np.array(self._points)[able]
        listed = [
            (rows.indices[begin:end].tolist(), rows.data[begin:end].astype(int).tolist(), int(sums[n]), is_exact[n])
            for n, begin, end in zip(
                *(
                    of.tolist()
                    for of in (np.flatnonzero(can_bind), rows.indptr[:-1][can_bind], rows.indptr[1:][can_bind])
                ),
                strict=True,
            )
        ]
        worth = np.flatnonzero(points)
        if above is not None:
            listed.append((worth.tolist(), (-points[worth]).tolist(), self._constant - above - 1, False))
        for variables, factors, total, exact in listed:
            row = model.proto.constraints.add().linear
            row.vars.extend(variables)
            row.coeffs.extend(factors)
            row.domain.extend([total if exact else cp_model.INT_MIN, total])
        objective = model.proto.objective
        objective.vars.extend(worth.tolist())
        objective.coeffs.extend((-points[worth]).tolist())
        objective.scaling_factor = -1.0
        if top is not None:
            objective.domain.extend([self._constant - top, cp_model.INT_MAX])
        solver = deterministic_solver(limit)
        solver.parameters.linearization_level = 2
        solver.parameters.max_presolve_iterations = 1
        solver.parameters.cp_model_probing_level = 0
        solver.parameters.symmetry_level = 0
        solver.parameters.use_objective_lb_search = is_proof
        status = solver.status_name(solver.solve(model))
        self._spent = solver.response_proto.deterministic_time
        if status == "INFEASIBLE":
            return None
        # Where the time is over before there is any bound, 0 is said, which is none; the least the points can be is.
        bound = math.floor(solver.best_objective_bound + NEAR)
        if status != "OPTIMAL":
            anything = int(np.maximum(points, 0) @ most)
            bound = min(bound, anything) if bound else anything
        if status not in ("OPTIMAL", "FEASIBLE"):
            return Solution((), bound + self._constant, bound + self._constant)
        counts = np.zeros(len(self._most), dtype=int)
        counts[able] = np.array(solver.response_proto.solution)
        return Solution(tuple(counts.tolist()), round(solver.objective_value) + self._constant, bound + self._constant)


def linear_optimum(
    points: np.ndarray, most: np.ndarray, matrix: Any, sums: np.ndarray, is_exact: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows' duals and the variables' values where points @ x is most, each x from 0 to its most.

    Each row of `matrix` @ x is at most, or exactly, its sum. All 0 where GLOP says of none that it is the optimum: then
    nothing is known but what the variables' own most allow.
    """
    import numpy as np
    from ortools.linear_solver.python import model_builder_helper

    model: Any = model_builder_helper.ModelBuilderHelper()
    least = np.where(is_exact, sums, -np.inf)
    model.fill_model_from_sparse_data(np.zeros(len(most)), most, points, least, sums, matrix)
    model.set_maximize(True)
    solver: Any = model_builder_helper.ModelSolverHelper("GLOP")
    solver.set_solver_specific_parameters("use_preprocessing: false")  # which takes longer than what it saves
    solver.solve(model)
    if solver.status() != model_builder_helper.SolveStatus.OPTIMAL:
        return np.zeros(len(sums)), np.zeros(len(most))
    return solver.dual_values(), solver.variable_values()


def _of_two(best: Solution | None, other: Solution | None) -> Solution | None:
    """Return the other, which was sought above the best known, if it was found."""
    return other if other is not None and other.counts else best


def _is_open(solution: Solution) -> bool:
    """Return whether a search ended before it knew that there is nothing better."""
    return not solution.counts or solution.bound > solution.points
