"""A search that is interrupted is no shorter: who leaves Ctrl-C to others gets the answer that he gets without it."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

from assets.core.cp_sat import deterministic_solver

ROOT = Path(__file__).resolve().parents[2]

SEARCHING = """
import os, random, signal
from ortools.sat.python import cp_model
from assets.core.cp_sat import deterministic_solver
from tests.assets.test_cp_sat import knapsack

class Interrupts(cp_model.CpSolverSolutionCallback):
    def on_solution_callback(self):
        os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.SIG_IGN)
solver = deterministic_solver(10.0)
print(solver.status_name(solver.solve(knapsack(), Interrupts())), round(solver.objective_value))
"""


def knapsack():
    """Return a model whose first solution is not its best."""
    from ortools.sat.python import cp_model

    drawn, model = random.Random(1), cp_model.CpModel()
    taken = [model.new_bool_var("") for _ in range(30)]
    for _ in range(10):
        model.add(sum(drawn.randint(1, 97) * one for one in taken) <= 600)
    model.maximize(sum(drawn.randint(1, 97) * one for one in taken))
    return model


def test_a_search_that_is_interrupted_in_a_process_that_ignores_it_gives_the_same():
    solver = deterministic_solver(10.0)
    expected = f"{solver.status_name(solver.solve(knapsack()))} {round(solver.objective_value)}"
    ran = subprocess.run([sys.executable, "-c", SEARCHING], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.stdout.strip(), expected.split()[0]) == (expected, "OPTIMAL"), ran.stderr


def test_every_search_is_by_such_a_solver():
    files = [path for room in ("assets", "pipelines", "sources") for path in (ROOT / room).rglob("*.py")]
    makers = [path.name for path in files if re.search(r"\bCpSolver\(", path.read_text(encoding="utf-8"))]
    assert makers == ["cp_sat.py"]
