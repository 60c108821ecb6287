"""The rules that the family's lineage names, each with what it does: a release's manifest declares them."""

from __future__ import annotations

RULES = {
    "grouptravel.draft": "Drawn by the difficulty's allowed sizes, each choice from its own hash of seed and task "
    "(assets/grouptravel/draft.py); drawn again where no trip exists (assets/grouptravel/drafting.py).",
    "grouptravel.archetypes": "Roles, tags and plan of generation of the 22 kinds of group "
    "(assets/grouptravel/archetypes.py).",
    "grouptravel.difficulty": "The fitted formula by people, days and cities (assets/grouptravel/difficulty.py).",
    "grouptravel.cities": "Names of the recipe's cities (assets/grouptravel/facts/world.py).",
    "grouptravel.preferences": "Drawn from what the city offers by the member's profile, or inherited, or made by the "
    "model calls beside this rule, and held to twelve rules (assets/grouptravel/wishes/preference_tables.py, "
    "preferences_by_model.py, postvalidation.py).",
    "grouptravel.wording": "Worded by templates, messages by these or by the model calls beside this rule, and read "
    "back (assets/grouptravel/vocabulary.py, wishes/messages.py, messages_by_model.py, message_reading.py).",
    "grouptravel.repair": "Tries that had no trip, and what was drawn instead (assets/grouptravel/drafting.py).",
    "grouptravel.solver": "The best plan found of all that stay together, and the bound on them "
    "(assets/grouptravel/solver.py); what it is worth to each (assets/grouptravel/checks/utility.py).",
    "grouptravel.splits": "The best plan found with splits, and a bound on all of them "
    "(assets/grouptravel/witness/teams.py); what is given up in a compromise "
    "(assets/grouptravel/witness/concessions.py).",
    "grouptravel.plan": "The native plan's own form: days, times of the group's slots, local moves "
    "(assets/grouptravel/witness/as_plan.py).",
    "grouptravel.ways": "A move is walked when that takes at most 20 minutes, else ridden where stops serve both ends, "
    "else by taxi; who has no money for rides walks or cycles up to 45 minutes. Its minutes are a matrix's, a "
    "timetable's wait with a modelled ride, or modelled, as it says; on foot and by bicycle it costs nothing "
    "(assets/grouptravel/facts/ways.py, rides.py).",
    "grouptravel.prices": "The recipe's price of a meal or a night by price level "
    "(assets/grouptravel/facts/places.py).",
    "grouptravel.season": "A modelled fare is its ordinary day's price times the recipe's factors of the month and of "
    "public holidays (assets/grouptravel/facts/calendars.py).",
    "grouptravel.validity": "Verdicts of the nine checks and of the scorer (assets/grouptravel/checks/validity.py).",
}
"""Every rule that an edge may name, and what it does."""
