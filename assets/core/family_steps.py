"""The steps that the core makes of a family's functions: drafts, tasks, certificates, lineage, contexts, queries.

Each names the functions that it uses: a changed word words again, and solves nothing.
"""

from __future__ import annotations

from typing import Any

from assets.accounts import Keys, Rows
from assets.family import Family
from assets.step import Raw, Step


def family_steps(family: Family) -> tuple[Step, ...]:
    """Return the steps of a family, in the order in which one reads what others make."""
    contexts = () if family.context_table is None else (_contexts(family, family.context_table),)
    return (_drafts(family), _tasks(family), _certificates(family), _lineage(family), *contexts, _queries(family))


def _step(
    family: Family, output: type, run: str, inputs: tuple[Any, ...], functions: dict[str, str], **options: Any
) -> Step:
    return Step(output, run, inputs, per=family.per, family=family.name, uses=functions, arrow=family.arrow, **options)


def _functions_of(family: Family, *fields: str) -> dict[str, str]:
    """Return the functions of these fields that the family has."""
    return {name: getattr(family, name) for name in fields if getattr(family, name)}


def _drafts(family: Family) -> Step:
    drawing = ("slots", "world", "prepare", "draft", "draft_by_model", "identity")
    solving = ("depends", "part", "solve", "check", "verify", "prove", "passes", "harden")
    greedy = {"greedy": family.planners["greedy"]} if "greedy" in family.planners else {}
    return _step(
        family,
        family.tables.draft,
        "assets.core.drafting:drafts",
        family.world_tables,
        _functions_of(family, *drawing, *solving) | greedy,
        job=family.job,
        settings={"attempts": family.attempts, "most_unsolved": family.most_unsolved},
        world=family.world_tables,
        accounts="slots",
        shard="assets.core.drafting:solver",
    )


def _tasks(family: Family) -> Step:
    draft = family.tables.draft
    return _step(
        family,
        family.tables.task,
        "assets.core.wording:tasks",
        (draft, *family.world_tables),
        _functions_of(family, "world", "word", "read", "word_by_model"),
        job="wording" if family.word_by_model and not family.job else family.job,
        world=family.world_tables,
        accounts=Rows((draft,)),
    )


def _certificates(family: Family) -> Step:
    tables = family.tables
    return _step(
        family,
        tables.certificate,
        "assets.core.certifying:certificates",
        (tables.task, tables.draft),
        _functions_of(family, "asked"),
        settings={"checks": list(family.checks)},
        accounts=Rows((tables.task,)),
    )


def _lineage(family: Family) -> Step:
    tables = family.tables
    return _step(
        family,
        tables.lineage,
        "assets.core.tracing:lineage",
        (tables.task, tables.certificate, *family.world_tables),
        _functions_of(family, "world", "trace"),
        world=family.world_tables,
        accounts=Keys("task_id", (tables.certificate,), each=True),
    )


def _contexts(family: Family, table: type) -> Step:
    tables = family.tables
    return _step(
        family,
        table,
        "assets.core.contexts:contexts",
        (tables.task, tables.certificate, *family.world_tables),
        _functions_of(family, "contexts"),
        accounts=Keys("task_id", (tables.task,)),
    )


def _queries(family: Family) -> Step:
    task = family.tables.task
    return _step(
        family,
        family.tables.nearest,
        "assets.language.nearest_query:nearest_queries",
        (task, *family.query_files, Raw("published_queries", "queries")),
        {},
        checks=("assets.language.nearest_query:no_query_repeats_a_published_one",),
        accounts=Keys("task_id", (task,), each=True),
    )
