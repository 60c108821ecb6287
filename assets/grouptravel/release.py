"""A release's tables put to use: plans scored against its tasks and optima, its witnesses judged again."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from assets.family import ReleaseTables
from assets.grouptravel.checks.judging import UTILITIES, Judge
from assets.grouptravel.drafting import read_draft
from assets.grouptravel.export import export
from assets.grouptravel.facts.world import World
from assets.grouptravel.published.opened import open_files
from assets.grouptravel.scoring import Optima, score, task_case
from assets.grouptravel.solver import NoPlanError, ensure_a_plan
from assets.grouptravel.tables import (
    GroupCalendar,
    GroupCertificate,
    GroupCity,
    GroupDraft,
    GroupFare,
    GroupPoi,
    GroupTask,
)
from assets.grouptravel.variants import OURS, RELEASED
from assets.grouptravel.vocabulary import EN, VOCABULARIES
from schemas.stable import canonical_json


def score_plans(tables: ReleaseTables, plans: list[dict[str, Any]], variant: str) -> dict[str, Any]:
    """Return {variant, aggregate, trials} of the plans, in `ours` with their shares of what can be reached.

    `released` reads the tasks and places as the published code does: from the bytes of the export.
    """
    if variant == RELEASED.name:
        frames = (tables[GroupPoi], tables[GroupCity], tables[GroupTask])
        return score(plans, open_files(export(*frames)).cases(), variant=variant)
    world, cases = world_of(tables), {}
    best = {
        row["task_id"]: Optima(**json.loads(row["values_json"])["per_table"])
        for row in tables[GroupCertificate].to_dict("records")
    }
    for row in tables[GroupTask].sort_values("task_id").to_dict("records"):
        record = json.loads(row["record_json"])
        case = task_case(row["task_id"], record, world.pois, world.fares, world.vocabulary)
        cases[row["task_id"]] = replace(case, optima=best.get(row["task_id"]) if variant == OURS.name else None)
    return score(plans, cases, variant=variant)


def violations(tables: ReleaseTables) -> dict[str, list[str]]:
    """Return what is wrong with each task's plans by the nine checks and the scorer; nothing in a sound release."""
    world = world_of(tables)
    records = {row["task_id"]: json.loads(row["record_json"]) for row in tables[GroupTask].to_dict("records")}
    found = {}
    for row in tables[GroupCertificate].to_dict("records"):
        task_id = row["task_id"]
        judge = Judge(task_id, records[task_id], world)
        utilities = {column: int(row[column]) for column in UTILITIES}
        judged = judge.certificate(json.loads(row["witness_json"]), json.loads(row["plans_json"]), utilities)
        found[task_id] = judged["violations"]
        if canonical_json(judged["values"]) != row["values_json"]:
            found[task_id].append("values_json is not what the scorer finds")
    return found


def unsolvable(old: ReleaseTables, now: ReleaseTables) -> dict[str, str]:
    """Return, for every task of which the places and services of now allow no plan, the reason."""
    world = world_of(now)
    drawn = {row["task_id"]: row for row in old[GroupDraft].to_dict("records")}
    found = {}
    for row in old[GroupTask].to_dict("records"):
        skeleton, _ = read_draft(drawn[row["task_id"]])
        record = json.loads(row["record_json"])
        tables = {int(user[4:]): entry["preference"] for user, entry in record["user_preferences"].items()}
        try:
            ensure_a_plan(world.trip(skeleton, tables), world.pois, world.fares, world.vocabulary)
        except (NoPlanError, KeyError) as error:
            found[row["task_id"]] = f"no plan: {error}"
    return found


def world_of(tables: ReleaseTables) -> World:
    """Return the release's cities, places and fares, in the language of its tasks."""
    drafts = tables[GroupDraft].to_dict("records")
    vocabulary = VOCABULARIES[read_draft(drafts[0])[1]["language"]] if drafts else EN
    return World(tables[GroupCity], tables[GroupPoi], tables[GroupFare], tables[GroupCalendar], vocabulary)
