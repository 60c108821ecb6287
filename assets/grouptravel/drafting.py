"""Drafts and tasks: every slot drawn until its group has a trip, at most three times again; then put into words."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import pandas as pd

from assets.grouptravel.draft import DraftError, Draws, Skeleton
from assets.grouptravel.facts.fares import Fastest
from assets.grouptravel.facts.profiles import Profile, assigned, read_profiles
from assets.grouptravel.facts.world import World
from assets.grouptravel.records import task_record
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.solver import NoPlanError, ensure_a_plan
from assets.grouptravel.tables import GroupDraft, GroupTask
from assets.grouptravel.vocabulary import VOCABULARIES
from assets.grouptravel.wishes import messages_by_model
from assets.grouptravel.wishes.candidates import reach
from assets.grouptravel.wishes.message_reading import Terms, misread
from assets.grouptravel.wishes.messages import WordingError, opening, worded
from assets.grouptravel.wishes.postvalidation import MAX_TRIES, Setting, child_problems
from assets.grouptravel.wishes.preference_tables import Made, make_tables
from assets.grouptravel.wishes.preferences import Table
from assets.grouptravel.wishes.preferences_by_model import Asked, ask_for_tables
from assets.language.asking import Ask
from assets.step import Outcome
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.source import SourceError
from schemas.stable import canonical_json, content_hash, stable_hash


@dataclass(frozen=True)
class Drawn:
    """One try at one slot: its skeleton and seed, its members, their tables, and why it is no task if it is none."""

    skeleton: Skeleton
    seed: int
    members: dict[int, Profile]
    made: Made
    why_not: str = ""


def drafts(
    city: pd.DataFrame,
    cluster: pd.DataFrame,
    poi: pd.DataFrame,
    fare: pd.DataFrame,
    calendar: pd.DataFrame,
    profile: pd.DataFrame,
    *,
    cities: list[City],
    seed: int,
    section: GroupTravelSection,
    retired: Collection[str] = (),
) -> Outcome:
    """Return a draft for every slot that has a trip within four tries; every failed try is a rejection.

    A try fails when no profile fits a role, when a table cannot hold the twelve rules, or when the group staying
    together has no plan. Raises SourceError where the recipe's cities can give no tasks.
    """
    world = World(city, poi, fare, calendar, VOCABULARIES[section.language])
    profiles = read_profiles(profile)
    draws = _draws(city, cluster, cities, section, retired, world.fares_by_id.fastest)
    rows, rejected = [], []
    facts = {"dropped_items": 0, "tables_made_again": 0}
    for position in range(len(draws.slots)):
        for attempt in range(1 + MAX_TRIES):
            at = attempt_seed(seed, attempt)
            drawn = _drawn(draws.skeleton(position, at), world, profiles, at, section)
            if not drawn.why_not:
                facts["dropped_items"] += drawn.made.dropped_items
                facts["tables_made_again"] += drawn.made.made_again
                rows.append(_draft(drawn, attempt, section, rejected))
                break
            task_id = drawn.skeleton.task_id
            rejected.append(
                {"row": f"{task_id}#{attempt}", "reason": Reason.UNSATISFIABLE.value, "detail": drawn.why_not}
            )
    frame = pd.DataFrame(rows, columns=[column.name for column in GroupDraft.columns()])
    return Outcome(frame, rejected, facts=facts)


def tasks(
    draft: pd.DataFrame,
    city: pd.DataFrame,
    poi: pd.DataFrame,
    fare: pd.DataFrame,
    calendar: pd.DataFrame,
    profile: pd.DataFrame,
    *,
    section: GroupTravelSection,
    ask: Ask | None = None,
) -> Outcome:
    """Return each draft as a task, its tables and opening messages made by rules or by a model that is asked.

    Rejected is a draft without a table that holds the twelve rules, one whose tables leave its group no plan, and one
    of which an opening message does not read back as exactly the preferences that it is to say.
    """
    world = World(city, poi, fare, calendar, VOCABULARIES[section.language])
    by_id = {found.profile_id: found for found in read_profiles(profile)}
    rows, rejected = [], []
    by_model = _asked(draft, world, by_id, ask, section) if ask is not None else {}
    for found in draft.sort_values("task_id").to_dict("records"):
        skeleton, kept = read_draft(found)
        members = {int(user): by_id[profile_id] for user, profile_id in kept["members"].items()}
        told = by_model.get(found["task_id"])
        if told is not None and told.problem:
            rejected.append({"row": found["task_id"], "reason": told.reason.value, "detail": told.problem})
            continue
        tables = told.tables if told else _made(skeleton, world, members, kept["seed"], section).tables
        try:
            messages = _messages(skeleton, tables, world, kept["seed"], section, told.messages if told else None)
        except WordingError as error:
            rejected.append({"row": found["task_id"], "reason": Reason.WORDING_DISAGREES.value, "detail": str(error)})
            continue
        record = task_record(skeleton, tables, world.names, messages, section)
        rows.append(
            {
                "task_id": found["task_id"],
                "city_id": found["city_id"],
                "slot": found["slot"],
                "query": record["query"],
                "record_json": json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False),
                "repairs_json": canonical_json(kept["repairs"]),
                "engine": ask.model if ask else "rules",
                "generation_ids": told.generation_ids if told else [],
                "content_hash": content_hash([record["query"], record]),
            }
        )
    frame = pd.DataFrame(rows, columns=[column.name for column in GroupTask.columns()])
    calls = [call for row in rows for call in row["generation_ids"]]
    return Outcome(frame, rejected, rows_in=len(draft), generations=calls)


def attempt_seed(seed: int, attempt: int) -> int:
    """Return the seed of a try: the recipe's for the first."""
    return stable_hash(seed, "again", attempt) if attempt else seed


def read_draft(row: dict[Any, Any]) -> tuple[Skeleton, dict[str, Any]]:
    """Return a draft's skeleton, and what else it keeps: seed, members' profiles by user, repairs, language."""
    kept = json.loads(row["skeleton_json"])
    skeleton = Skeleton(
        task_id=row["task_id"],
        slot=int(row["slot"]),
        difficulty=row["difficulty"],
        score=float(row["difficulty_score"]),
        group_id=row["group_id"],
        departure_city_id=kept["departure_city_id"],
        city_ids=tuple(kept["city_ids"]),
        days=kept["days"],
        date=kept["date"],
        compromisable=tuple(kept["compromisable"]),
    )
    return skeleton, kept


def _draws(
    city: pd.DataFrame,
    cluster: pd.DataFrame,
    cities: list[City],
    section: GroupTravelSection,
    retired: Collection[str],
    fastest: Fastest,
) -> Draws:
    countries = sorted({c.country.lower() for c in cities})
    region = countries[0] if len(countries) == 1 else "world"
    try:
        return Draws(city, cluster, region=region, section=section, retired=retired, fastest=fastest)
    except DraftError as error:
        raise SourceError(
            f"grouptravel: {error}. Bind places to more cities, add a city to set out from, or ask for other tasks."
        ) from None


def _drawn(skeleton: Skeleton, world: World, profiles: list[Profile], seed: int, section: GroupTravelSection) -> Drawn:
    archetype = skeleton.archetype
    members, problems = assigned(archetype, profiles, skeleton.task_id, seed)
    ages = {user: member.age for user, member in members.items()}
    problems += [f"{p.path}: {p.detail}" for p in child_problems(archetype, ages, set(archetype.with_table))]
    problems += [problem for key in skeleton.city_ids for problem in world.candidates[key].problems()]
    if problems:
        return Drawn(skeleton, seed, members, Made(), "; ".join(problems))
    made = _made(skeleton, world, members, seed, section)
    if made.failures:
        why = "; ".join(f"{p.rule} {p.path}: {p.detail}" for p in made.failures)
        return Drawn(skeleton, seed, members, made, why)
    try:
        ensure_a_plan(world.trip(skeleton, made.tables), world.pois, world.fares, world.vocabulary)
    except NoPlanError as error:
        return Drawn(skeleton, seed, members, made, str(error))
    return Drawn(skeleton, seed, members, made)


def _made(
    skeleton: Skeleton, world: World, members: dict[int, Profile], seed: int, section: GroupTravelSection
) -> Made:
    return make_tables(skeleton, _setting(skeleton, world), members, seed=seed, budget_step=section.budget_step)


def _setting(skeleton: Skeleton, world: World) -> Setting:
    reached = reach(skeleton, world.candidates, world.fares_by_id, world.middles)
    return Setting({world.names[key]: world.candidates[key] for key in skeleton.city_ids}, reached, world.vocabulary)


def _asked(
    draft: pd.DataFrame, world: World, by_id: dict[str, Profile], ask: Ask, section: GroupTravelSection
) -> dict[str, Asked]:
    """Return what a model made for each draft; one whose tables leave its group no plan has that problem."""
    asked = {}
    for found in draft.sort_values("task_id").to_dict("records"):
        skeleton, kept = read_draft(found)
        members = {int(user): by_id[profile_id] for user, profile_id in kept["members"].items()}
        asked[found["task_id"]] = Asked(skeleton, _setting(skeleton, world), members, kept["seed"])
    ask_for_tables(list(asked.values()), ask, section.language, messages_by_model.estimate())
    for told in asked.values():
        if not told.problem:
            try:
                ensure_a_plan(world.trip(told.skeleton, told.tables), world.pois, world.fares, world.vocabulary)
            except NoPlanError as error:
                told.problem, told.reason = str(error), Reason.UNSATISFIABLE
    messages_by_model.ask_for_messages(list(asked.values()), ask, section.currency)
    return asked


def _draft(drawn: Drawn, attempt: int, section: GroupTravelSection, rejected: list[dict[str, str]]) -> dict[str, Any]:
    skeleton = drawn.skeleton
    failed = [entry["detail"] for entry in rejected if entry["row"].rpartition("#")[0] == skeleton.task_id]
    kept = {
        "departure_city_id": skeleton.departure_city_id,
        "city_ids": skeleton.city_ids,
        "days": skeleton.days,
        "date": skeleton.date,
        "compromisable": skeleton.compromisable,
        "language": section.language,
        "seed": drawn.seed,
        "members": {str(user): member.profile_id for user, member in sorted(drawn.members.items())},
        "repairs": [{"field": "skeleton", "from": failed, "to": f"drawn again: try {attempt + 1}"}] if attempt else [],
    }
    return {
        "task_id": skeleton.task_id,
        "city_id": "+".join(skeleton.city_ids),
        "slot": skeleton.slot,
        "difficulty": skeleton.difficulty,
        "difficulty_score": skeleton.score,
        "group_id": skeleton.group_id,
        "skeleton_json": canonical_json(kept),
    }


def _messages(
    skeleton: Skeleton,
    tables: dict[int, Table],
    world: World,
    seed: int,
    section: GroupTravelSection,
    by_model: dict[int, str] | None,
) -> dict[int, str]:
    """Return each member's opening message. Raises WordingError where one does not read back as what it is to say."""
    terms = Terms([world.names[key] for key in skeleton.city_ids], section.language, section.currency)
    messages, problems = {}, []
    for user in sorted(tables):
        keys = (seed, skeleton.task_id, f"User{user}")
        said = opening(tables[user], *keys)
        text = by_model[user] if by_model else worded(said, section.language, section.currency, *keys)
        messages[user] = text
        problems += [f"User{user}: {text!r:.120}: {problem}" for problem in misread(text, said, terms)]
    if problems:
        raise WordingError("; ".join(problems))
    return messages
