"""Drafts: a group, its trip and its members' tables for each slot, drawn again where the group has no trip."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assets.family import Drawn, Refused, Series, Slot
from assets.grouptravel.difficulty import DIFFICULTIES
from assets.grouptravel.draft import DraftError, Draws
from assets.grouptravel.facts.profiles import Profile, assigned
from assets.grouptravel.facts.world import World
from assets.grouptravel.records import record_of, skeleton_of, tables_of
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.skeleton import Skeleton
from assets.grouptravel.wishes import messages_by_model
from assets.grouptravel.wishes.candidates import open_during, reach
from assets.grouptravel.wishes.postvalidation import Setting, child_problems
from assets.grouptravel.wishes.preference_tables import make_tables
from assets.grouptravel.wishes.preferences_by_model import ModelTask, ask_for_tables
from assets.language.asking import Ask
from schemas.source import SourceError
from schemas.stable import stable_hash


def slots(section: GroupTravelSection) -> list[Series]:
    """Return a series for each difficulty."""
    return [Series(level, section.tasks[level], level) for level in DIFFICULTIES if section.tasks.get(level, 0)]


@dataclass(frozen=True)
class Drafting:
    """What groups are drawn from, and what was counted while they were."""

    world: World
    section: GroupTravelSection
    draws: Draws
    counts: dict[str, int] = field(default_factory=lambda: {"dropped_items": 0, "tables_made_again": 0})

    def facts(self, _: Sequence[tuple[Slot, Drawn]]) -> dict[str, Any]:
        """Return what was counted."""
        return self.counts


def prepare(world: World, section: GroupTravelSection, _: Sequence[Slot]) -> Drafting:
    """Return what groups are drawn from. Raises SourceError where the recipe's cities can give no tasks."""
    assert world.cluster_rows is not None, "a world to draft in is made with its clusters"
    try:
        draws = Draws(world.city_rows, world.cluster_rows, section=section, fastest=world.fares_by_id.fastest)
    except DraftError as error:
        lacking = [
            problem
            for city in world.candidates.values()
            if city.places_to_eat or city.hotels or city.attractions
            for problem in city.problems()
        ]
        reasons = f" ({'; '.join(lacking)})" if lacking else ""
        raise SourceError(
            f"grouptravel: {error}{reasons}. "
            "Bind places to more cities, add a city to set out from, or ask for other tasks."
        ) from None
    return Drafting(world, section, draws)


def attempt_seed(seed: int, attempt: int) -> int:
    """Return the seed of a try: the recipe's for the first."""
    return stable_hash(seed, "again", attempt) if attempt else seed


def draft(slot: Slot, attempt: int, drafting: Drafting, _: Sequence[Any] = ()) -> Drawn | Refused:
    """Return who travels where and when, with every member's table by rules, or why this draw is no task.

    It is none when no profile fits a role, or when a table cannot hold the twelve rules.
    """
    world, section = drafting.world, drafting.section
    seed = attempt_seed(slot.seed, attempt)
    skeleton = drafting.draws.skeleton(slot.task_id, slot.level, seed)  # type: ignore[arg-type]
    archetype = skeleton.archetype
    members, problems = assigned(archetype, world.profiles, skeleton.task_id, seed)
    ages = {user: member.age for user, member in members.items()}
    problems += [f"{p.path}: {p.detail}" for p in child_problems(archetype, ages, set(archetype.with_table))]
    setting = setting_of(skeleton, world)
    problems += [problem for city in setting.cities.values() for problem in city.problems()]
    if problems:
        return Refused("; ".join(problems), "nobody_fits")
    drawn_tables = make_tables(skeleton, setting, members, seed=seed, budget_step=section.budget_step)
    if drawn_tables.failures:
        return Refused("; ".join(f"{p.rule} {p.path}: {p.detail}" for p in drawn_tables.failures), "no_table")
    drafting.counts["dropped_items"] += drawn_tables.dropped_items
    drafting.counts["tables_made_again"] += drawn_tables.made_again
    how = _how(attempt, seed, members)
    record = record_of(skeleton, drawn_tables.tables, world.names, section)
    repairs = [{"field": "group", "before": "drawn", "after": f"drawn again: try {attempt + 1}"}] if attempt else []
    return Drawn(record, "+".join(skeleton.city_ids), how, repairs)


def drawn_again(slot: Slot, record: Mapping[str, Any], drawn: Mapping[str, Any], drafting: Drafting) -> dict[str, Any]:
    """Return the seed of a task's attempt and the profiles that it gives the group's members.

    Raises ValueError where the slot's draw of that attempt is of another trip or group.
    """
    attempt = drawn["attempt"]
    seed = attempt_seed(slot.seed, attempt)
    skeleton = drafting.draws.skeleton(slot.task_id, slot.level, seed)  # type: ignore[arg-type]
    if skeleton != skeleton_of(slot.task_id, record):
        raise ValueError(f"its slot draws another trip by attempt {attempt}")
    members, _ = assigned(skeleton.archetype, drafting.world.profiles, slot.task_id, seed)
    return _how(attempt, seed, members)


def _how(attempt: int, seed: int, members: Mapping[int, Profile]) -> dict[str, Any]:
    profiles = {f"User{user}": member.profile_id for user, member in sorted(members.items())}
    return {"attempt": attempt, "seed": str(seed), "profiles": profiles}


def draft_by_model(
    drawn: Mapping[Slot, Drawn], world: World, section: GroupTravelSection, ask: Ask
) -> dict[Slot, Drawn | Refused]:
    """Return each draw with tables that a model made instead; one whose answers break the rules is refused."""
    tasks_by_slot = {slot: model_task_of(slot.task_id, draw.record, draw.drawn, world) for slot, draw in drawn.items()}
    for task in tasks_by_slot.values():
        task.tables = {}
    ask_for_tables(list(tasks_by_slot.values()), ask, section.language, messages_by_model.estimate())
    drafts_by_slot: dict[Slot, Drawn | Refused] = {}
    for slot, task in tasks_by_slot.items():
        if task.problem:
            drafts_by_slot[slot] = Refused(task.problem, "no_answer", task.reason, is_final=True)
            continue
        record = record_of(task.skeleton, task.tables, world.names, section)
        drafts_by_slot[slot] = replace(drawn[slot], record=record, generation_ids=task.generation_ids)
    return drafts_by_slot


def model_task_of(task_id: str, record: Mapping[str, Any], drawn: Mapping[str, Any], world: World) -> ModelTask:
    """Return what a model is asked about for one task."""
    skeleton = skeleton_of(task_id, record)
    members = {int(user[4:]): world.profile(key) for user, key in drawn["profiles"].items()}
    return ModelTask(skeleton, setting_of(skeleton, world), members, int(drawn["seed"]), tables_of(record))


def setting_of(skeleton: Skeleton, world: World) -> Setting:
    """Return what tables of the skeleton's members may name, of sights those that open on a day of the trip."""
    reached = reach(skeleton, world.candidates, world.fares_by_id)
    days = [skeleton.first_date + dt.timedelta(days=day) for day in range(skeleton.days)]
    cities = {world.names[key]: open_during(world.candidates[key], days) for key in skeleton.city_ids}
    return Setting(cities, reached, world.vocabulary)
