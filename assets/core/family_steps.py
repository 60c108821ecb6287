"""The steps that the core makes of a family's functions: drafts, tasks, certificates, lineage, contexts, queries."""

from __future__ import annotations

from assets.accounts import Keys, Rows
from assets.family import Family
from assets.step import Raw, Step


def family_steps(family: Family) -> tuple[Step, ...]:
    """Return the steps, each naming the functions that it uses: a changed word words again, and solves nothing."""
    made, world = family.tables, family.world_tables

    def uses(*names: str) -> dict[str, str]:
        return {name: getattr(family, name) for name in names if getattr(family, name)}

    def step(output: type, run: str, inputs: tuple, functions: dict[str, str], **options) -> Step:
        return Step(
            output, run, inputs, per=family.per, family=family.name, uses=functions, arrow=family.arrow, **options
        )

    steps = [
        step(
            made.draft,
            "assets.core.drafting:drafts",
            world,
            uses(
                "slots", "world", "prepare", "draft", "draft_by_model", "identity", "depends", "part", "solve", "check"
            )
            | uses("verify", "prove", "passes", "harden")
            | ({"greedy": family.planners["greedy"]} if "greedy" in family.planners else {}),
            job=family.job,
            settings={"attempts": family.attempts, "most_unsolved": family.most_unsolved},
            world=world,
            accounts="slots",
            shard="assets.core.drafting:solver",
        ),
        step(
            made.task,
            "assets.core.wording:tasks",
            (made.draft, *world),
            uses("world", "word", "read", "word_by_model"),
            job="wording" if family.word_by_model and not family.job else family.job,
            world=world,
            accounts=Rows((made.draft,)),
        ),
        step(
            made.certificate,
            "assets.core.certifying:certificates",
            (made.task, made.draft),
            uses("asked"),
            settings={"checks": list(family.checks)},
            accounts=Rows((made.task,)),
        ),
        step(
            made.lineage,
            "assets.core.tracing:lineage",
            (made.task, made.certificate, *world),
            uses("world", "trace"),
            world=world,
            accounts=Keys("task_id", (made.certificate,), each=True),
        ),
    ]
    if family.context_table is not None:
        steps.append(
            step(
                family.context_table,
                "assets.core.contexts:contexts",
                (made.task, made.certificate, *world),
                uses("contexts"),
                accounts=Keys("task_id", (made.task,)),
            )
        )
    steps.append(
        step(
            made.nearest,
            "assets.language.nearest_query:nearest_queries",
            (made.task, *family.query_files, Raw("published_queries", "queries")),
            {},
            checks=("assets.language.nearest_query:no_query_repeats_a_published_one",),
            accounts=Keys("task_id", (made.task,), each=True),
        )
    )
    return tuple(steps)
