"""What code a release and its kept verdicts rest on: with other code they are made again."""

from __future__ import annotations

from assets.families import all_steps
from assets.family import Family
from assets.promises.certified import judge
from assets.promises.check_trials import judge_checks
from assets.promises.field_exchange import judge_fields
from assets.promises.place_renaming import renamed_places
from assets.promises.row_removal import removed_rows
from assets.promises.score_trials import judge_scores
from assets.runs.setting import setting_of
from pipelines.walk.fingerprint import Code

RELEASE = "pipelines.releases.release:release"


def judging_code(family: Family, code: Code) -> str:
    """Return the hash of the code that kept verdicts rest on: what judges, and whatever it asks of the family."""
    setting = setting_of(family.name)
    functions = (family.check, family.verify, family.asked, family.uses, family.world, family.part, family.read)
    functions += (family.passes, family.score, setting.wishes_of, setting.with_wishes)
    judges = (judge, judge_fields, removed_rows, renamed_places, judge_scores, judge_checks)
    return code.hash_of(*judges, declaration(family), *(name for name in functions if name))


def release_code(family: Family, code: Code) -> str:
    """Return the hash of the code that a release rests on beside its steps': what declares, judges, measures, exports.

    What draws its page is no part of it, nor is what drafts, words, solves and traces: the tables that these made have
    fingerprints of their own. Its tools are, for a reference planner has nothing else.
    """
    setting = setting_of(family.name)
    functions = (family.measures, family.check, family.verify, family.asked, family.uses, family.world, family.slots)
    judges = (family.read, family.score, family.export, family.published_check, *family.baselines.values())
    judges += (*family.planners.values(), family.passes, family.tools)
    judges += (*setting.planners.values(), setting.careful, setting.outcome)
    steps = all_steps([family])
    sources = (steps[table.table_name()].sources for table in (*family.world_tables, *family.context))
    cells = (*family.derivations.values(), *sources)
    return code.hash_of(RELEASE, *(name for name in (declaration(family), *functions, *judges, *cells) if name))


def declaration(family: Family) -> str:
    """Return the name of the family's declaration: its rules, choices, wishes and what must be accepted."""
    return f"assets.{family.name}.family:FAMILY"
