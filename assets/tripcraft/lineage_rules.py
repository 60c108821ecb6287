"""The rules that the family's lineage names, each with what it does: a release's manifest declares them."""

from __future__ import annotations

RULES = {
    "tripcraft.draft": "Drawn from the published distributions by hashes of the recipe's seed, the task's id and the "
    "option (assets/tripcraft/draft.py).",
    "tripcraft.budget": "The published estimate on true quantities, at least what a trip that meets everything costs "
    "(assets/tripcraft/checks/budget.py); where the recipe limits how many tasks a greedy planner passes, a share of "
    "what its plan costs (assets/tripcraft/planners.py).",
    "tripcraft.asked": "As the published set asks it that the recipe names, in the recipe's world; a text is kept "
    "where it says the record and nothing else (assets/tripcraft/asked.py).",
    "tripcraft.mend": "Changed from what a published set asks, in as few fields as it takes, to what a trip meets "
    "(assets/tripcraft/mending.py).",
    "tripcraft.wording": "Worded by templates chosen by the task's id (assets/tripcraft/wording.py), or by the model "
    "call beside this rule; read back and compared (assets/tripcraft/rules.py).",
    "tripcraft.plan": "The published plan's own form: day numbers, and `-` where a day has nothing "
    "(assets/tripcraft/witness/timetable.py).",
    "tripcraft.city": "A city of the recipe, by a name that no other has (assets/tripcraft/names.py).",
    "tripcraft.drive": "The way by road between two cities of the recipe (assets/spatial/city_distance.py), at the "
    "rates of `tripcraft_terms`.",
    "tripcraft.timetable": "Times of meals by Table 10, of visits by the metric's expected duration, within opening "
    "hours and the ways between places (assets/tripcraft/witness/timetable.py).",
    "tripcraft.solver": "Chosen by CP-SAT from the places that meet the record, by the declared map of personas "
    "(assets/tripcraft/solver.py, selection.py, persona.py).",
    "tripcraft.remark": "Worded by templates from the plan and what stood for choice "
    "(assets/tripcraft/witness/remark.py).",
    "tripcraft.scoring": "Verdict or metric of the independent checker (assets/tripcraft/scoring.py).",
}
"""Every rule that an edge may name, and what it does."""
