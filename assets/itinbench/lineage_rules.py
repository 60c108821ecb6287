"""The rules by which values of ItinBench tasks are chosen or worded: a release's manifest declares them."""

from __future__ import annotations

RULES = {
    "itinbench.draft": "Drawn from the published distributions by a generator seeded with the recipe's seed and the "
    "task's id (assets/itinbench/repairs/nominal.py).",
    "itinbench.asked": "As the published set asks it that the recipe names; a text is kept where it says the record "
    "and nothing else (assets/itinbench/mend.py).",
    "itinbench.repair": "Changed by the smallest repair that made the drawn record satisfiable "
    "(assets/itinbench/repairs/repair.py).",
    "itinbench.limit": "A share of what a greedy plan of the record takes, rounded (assets/itinbench/limits.py).",
    "itinbench.wording": "Worded by templates chosen by the task's id (assets/itinbench/wording.py), or by the model "
    "call beside this rule; parsed back and compared (assets/itinbench/rules.py).",
    "itinbench.solver": "Computed from the witness's places and the pool: tours, optima, clusters "
    "(assets/itinbench/solver.py).",
    "itinbench.form": "The published form: day numbers, no conversation (assets/itinbench/solver.py).",
    "itinbench.certify": "Verdict of the independent checker (assets/itinbench/checks/certify.py).",
}
"""Every rule that an edge may name, and what it does."""
