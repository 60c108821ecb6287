"""Preference tables by a model, under the candidate lists and the twelve rules (3.C); judged by `postvalidation.py`.

Who takes over what from whom is the archetype's plan, as for the rules: members of all tasks who come first are asked
about together, then those who take over from them.

What a sight is called is what strangers wrote, and whatever a model makes of it would be a wish that nobody checks: it
is shown sights by number and kind, and chooses among these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any

from assets.grouptravel import prompts
from assets.grouptravel.archetypes import TableStep
from assets.grouptravel.facts.profiles import Profile
from assets.grouptravel.skeleton import Skeleton
from assets.grouptravel.wishes.postvalidation import Setting, age_problems, problems
from assets.grouptravel.wishes.preferences import CITIES, GLOBAL, Table
from assets.language.answers import Shape
from assets.language.asking import Ask, Later, Prompt, Unanswered, estimated_tokens
from assets.language.untrusted import FENCE_RULES, fenced
from schemas.rejection import Reason

INSTRUCTIONS = files(prompts) / "preferences.md"
ANSWER_TOKENS = 450


class Transport(Shape):
    """Modes between cities, by tier."""

    must: list[str]
    prefer: list[str]
    avoid: list[str]
    reject: list[str]


class Intensity(Shape):
    """Caps of a day."""

    max_poi_per_day: int
    max_active_hours: int


class HotelPreference(Shape):
    """Kinds of hotel."""

    prefer: list[str]
    avoid: list[str]


class GlobalConstraints(Shape):
    """What holds for the whole trip."""

    avg_budget: int
    transport: Transport
    intensity: Intensity
    hotel_preference: HotelPreference


class CityPreference(Shape):
    """What is wanted of one city."""

    city: str
    must_visit: list[str]
    reject_visit: list[str]
    category_positive: list[str]
    category_negative: list[str]
    must_eat: list[str]
    prefer_eat: list[str]
    avoid_eat: list[str]
    reject_eat: list[str]


class TableAnswer(Shape):
    """One member's table."""

    global_constraints: GlobalConstraints
    cities: list[CityPreference]


@dataclass
class ModelTask:
    """One task's tables and opening messages: what they are made from, and those made so far, by member.

    `generation_ids` are the calls of tables in the order of generation, then those of messages in the order of members;
    `problem` says why the task stopped.
    """

    skeleton: Skeleton
    setting: Setting
    members: dict[int, Profile]
    seed: int
    tables: dict[int, Table] = field(default_factory=dict)
    messages: dict[int, str] = field(default_factory=dict)
    generation_ids: list[str] = field(default_factory=list)
    problem: str = ""
    reason: Reason = Reason.NO_VALID_ANSWER


def ask_for_tables(tasks: Sequence[ModelTask], ask: Ask, language: str, message: Later) -> None:
    """Fill in the tables of all tasks, member by member in the order of generation; a task whose answer fails stops.

    `message` is what a member's opening message, which follows the tables, will use, as estimated.
    """
    plans = {id(task): [step for step in task.skeleton.archetype.plan if step.strategy != "skip"] for task in tasks}
    for position in range(max((len(plan) for plan in plans.values()), default=0)):
        turns = [(t, plans[id(t)][position]) for t in tasks if not t.problem and position < len(plans[id(t)])]
        table_prompts = []
        for task, step in turns:
            members = len(plans[id(task)])
            table_prompts.append(_prompt(task, step, language, members - position - 1, replace(message, calls=members)))
        for (task, step), answer in zip(turns, ask(table_prompts), strict=True):
            if isinstance(answer, Unanswered):
                task.problem = f"User{step.user}: {answer.problem}"
            else:
                task.tables[step.user] = _table(answer.value, step, _partner(task, step), sights_of(task.setting))
                task.generation_ids.append(answer.generation_id)


def _prompt(task: ModelTask, step: TableStep, language: str, tables_left: int, messages: Later) -> Prompt:
    archetype, partner, profile = task.skeleton.archetype, _partner(task, step), task.members[step.user]
    modes, reach = task.setting.vocabulary.modes, task.setting.reach
    facts: dict[str, Any] = {
        "language": language,
        "group": archetype.name[0 if language == "zh" else 1],
        "role": archetype.roles[step.user - 1].name(task.setting.vocabulary.language),
        "age": profile.age,
        "likes": list(profile.likes),
        "dislikes": list(profile.dislikes),
        "days": task.skeleton.days,
        "lowest_possible_budget": round(reach.floor or 0),
        "modes_that_serve_the_whole_trip": [modes[key] for key in reach.whole_trip_modes],
        "modes_that_serve_a_part": [modes[key] for key in reach.part_trip_modes],
        "modes": list(modes.values()),
    }
    cities = [
        {
            "city": name,
            "attractions": {
                sight: task.setting.vocabulary.category(p.category, "attractions")
                for sight, p in zip(sights_of(task.setting)[name], c.attractions, strict=True)
            },
            "attraction_categories": list(c.attraction_categories),
            "food": list(c.food_categories),
            "kinds_of_hotel": list(c.hotel_categories),
        }
        for name, c in task.setting.cities.items()
    ]
    inherited_wishes = {"taken_over": _taken_over(step, partner)}
    system, user = (
        f"{INSTRUCTIONS.read_text(encoding='utf-8')}\n{FENCE_RULES}",
        fenced([facts, *cities, inherited_wishes]),
    )
    return Prompt(
        row=f"{task.skeleton.task_id}/User{step.user}",
        system=system,
        user=user,
        shape=TableAnswer,
        check=_checker(task.setting, step, partner, profile.age),
        answer_tokens=ANSWER_TOKENS,
        later=(Later(tables_left, estimated_tokens(system + user), ANSWER_TOKENS), messages),
    )


def _checker(setting: Setting, step: TableStep, partner: Table | None, age: int) -> Callable[[TableAnswer], list[str]]:
    sights = sights_of(setting)
    names_and_sights = sorted(
        ((name, s) for of in sights.values() for s, name in of.items()), key=lambda pair: -len(pair[0])
    )

    def unnamed(text: str) -> str:
        for name, sight in names_and_sights:
            text = text.replace(name, sight)
        return text

    def check(value: TableAnswer) -> list[str]:
        """Return every rule that the member's table breaks, and cities that are not the trip's, once each."""
        if sorted(city.city for city in value.cities) != sorted(setting.cities):
            return [f"same_cities: the trip's cities are {', '.join(setting.cities)}, once each"]
        table = _table(value, step, partner, sights)
        broken_rules = [*problems(table, setting), *age_problems(table, setting, age)]
        return [unnamed(f"{p.rule} {p.path}: {p.detail}") for p in broken_rules][:12]

    return check


def sights_of(setting: Setting) -> dict[str, dict[str, str]]:
    """Return, by city, what a model calls each sight, and the sight's name."""
    return {
        name: {f"sight {number}": poi.name for number, poi in enumerate(city.attractions, 1)}
        for name, city in setting.cities.items()
    }


def _table(value: TableAnswer, step: TableStep, partner: Table | None, sights: dict[str, dict[str, str]]) -> Table:
    """Return the published shape of an answer, sights by their names, with what the member takes over (3.D)."""
    table: Table = {GLOBAL: value.global_constraints.model_dump(), CITIES: {}}
    for city in value.cities:
        names = sights.get(city.city, {})
        table[CITIES][city.city] = {
            "attractions": {
                "must_visit": [names.get(sight, sight) for sight in city.must_visit],
                "reject_visit": [names.get(sight, sight) for sight in city.reject_visit],
                "category_pref": {"positive": list(city.category_positive), "negative": list(city.category_negative)},
            },
            "food": {tier: list(getattr(city, tier)) for tier in ("must_eat", "prefer_eat", "avoid_eat", "reject_eat")},
        }
    inherited_wishes = _taken_over(step, partner)
    table[GLOBAL] = inherited_wishes.get(GLOBAL, table[GLOBAL])
    for name, city_wishes in inherited_wishes.get(CITIES, {}).items():
        if name in table[CITIES]:
            table[CITIES][name]["attractions"]["category_pref"] = city_wishes["category_pref"]
            table[CITIES][name]["food"] |= {tier: city_wishes[tier] for tier in ("prefer_eat", "avoid_eat")}
    return table


def _taken_over(step: TableStep, partner: Table | None) -> dict[str, Any]:
    """Return what the strategy takes over: all that is global, and for `copy_minor` categories and weaker food."""
    if partner is None:
        return {}
    inherited_wishes: dict[str, Any] = {GLOBAL: partner[GLOBAL]}
    if step.strategy == "copy_minor":
        inherited_wishes[CITIES] = {
            name: {
                "category_pref": city["attractions"]["category_pref"],
                "prefer_eat": city["food"]["prefer_eat"],
                "avoid_eat": city["food"]["avoid_eat"],
            }
            for name, city in partner[CITIES].items()
        }
    return inherited_wishes


def _partner(task: ModelTask, step: TableStep) -> Table | None:
    return task.tables.get(step.partner) if step.partner is not None else None
