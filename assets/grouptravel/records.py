"""What a task of GroupTravelBench asks, how it was drawn, a plan, and what is said of it: as typed dictionaries.

Keys and their order are the published ones; keys of our own are left out of an export.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, TypedDict

from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.skeleton import Skeleton
from assets.grouptravel.vocabulary import VOCABULARIES, context_text, duration_text
from assets.grouptravel.wishes.preferences import Table
from schemas.table import Field

OWN = ("departure_city_id", "city_ids", "days")
"""Keys of a record that the published record does not have."""


class ChildMember(TypedDict):
    """A member without a table."""

    user: Annotated[str, Field("The member.", holds="ours")]
    role: Annotated[str, Field("Role in the group.", holds="ours")]


class Metadata(TypedDict):
    """Who travels where."""

    departure_city: Annotated[str, Field("Where the trip starts and ends, by name.", holds="ours")]
    cities: Annotated[list[str], Field("Cities to visit, by name, in order.", holds="ours")]
    date: Annotated[str, Field("How long the trip is, in words.", holds="ours")]
    group_id: Annotated[str, Field("The archetype.", holds="ours")]
    group_name: Annotated[str, Field("Its name.", holds="ours")]
    group_tags: Annotated[list[str], Field("Its tags.", holds="ours")]
    compromise_pattern: Annotated[list[str], Field("Members who may compromise.", holds="ours")]
    child_members: list[ChildMember]


class Transport(TypedDict):
    """Modes between cities, by tier."""

    must: list[str]
    prefer: list[str]
    avoid: list[str]
    reject: list[str]


class Intensity(TypedDict):
    """Caps of a day."""

    max_poi_per_day: int
    max_active_hours: int


class HotelPreference(TypedDict):
    """Kinds of hotel."""

    prefer: list[str]
    avoid: list[str]


class GlobalConstraints(TypedDict):
    """What holds for the whole trip."""

    avg_budget: Annotated[int, Field("Of a person, in the section's currency.", holds="derived")]
    transport: Transport
    intensity: Intensity
    hotel_preference: HotelPreference


class CategoryPreference(TypedDict):
    """Kinds of sights."""

    positive: list[str]
    negative: list[str]


class AttractionPreference(TypedDict):
    """Sights of one city."""

    must_visit: Annotated[list[str], Field("Sights by name.", holds="source")]
    reject_visit: Annotated[list[str], Field("Sights by name.", holds="source")]
    category_pref: CategoryPreference


class FoodPreference(TypedDict):
    """Food in one city."""

    must_eat: list[str]
    prefer_eat: list[str]
    avoid_eat: list[str]
    reject_eat: list[str]


class CityPreference(TypedDict):
    """What is wanted of one city."""

    attractions: AttractionPreference
    food: FoodPreference


class Preference(TypedDict):
    """One member's table in the published shape."""

    global_constraints: GlobalConstraints
    city_specific_preferences: dict[str, CityPreference]


class UserEntry(TypedDict):
    """One member with a table."""

    role: Annotated[str, Field("Role in the group.", holds="ours")]
    preference: Preference
    compromisable: Annotated[bool, Field("Whether the member may compromise.", holds="ours")]


class Record(TypedDict):
    """What a group asks for."""

    time: Annotated[str, Field("First day, ISO date.", holds="ours")]
    context: Annotated[str, Field("Who travels when from where, in the published words.", holds="ours")]
    metadata: Metadata
    user_preferences: dict[str, UserEntry]
    difficulty_score: Annotated[float, Field("Score, to one decimal.", holds="ours")]
    difficulty_type: Annotated[str, Field("easy, medium or hard.", holds="ours")]
    departure_city_id: Annotated[str, Field("Where the trip starts and ends.", holds="ours")]
    city_ids: Annotated[list[str], Field("Cities to visit, in order.", holds="ours")]
    days: Annotated[int, Field("Days of the trip.", holds="ours")]


class Drawing(TypedDict):
    """How a group was drawn."""

    attempt: Annotated[int, Field("Draws of this slot that were dropped before.", holds="ours")]
    seed: Annotated[str, Field("The seed of this draw.", holds="ours")]
    profiles: Annotated[dict[str, str], Field("The profile behind each member with a table.", holds="ours")]


class Segment(TypedDict):
    """A leg between cities, or what is done in one."""

    type: NotRequired[str]
    from_city: NotRequired[str]
    to_city: NotRequired[str]
    transport_mode: NotRequired[str]
    start_time: NotRequired[str]
    end_time: NotRequired[str]
    avg_cost: NotRequired[float]
    city: NotRequired[str]
    activities: NotRequired[list[Activity]]  # fmt: skip


Activity = TypedDict(
    "Activity",
    {
        "type": str, "start_time": str, "end_time": str, "location": NotRequired[str],
        "transport_mode": NotRequired[str], "from": NotRequired[str], "to": NotRequired[str],
        "participants": NotRequired[list[str]], "avg_cost": NotRequired[float],
        "basis": NotRequired[Annotated[str, Field("A move's minutes: matrix, timetable or modelled.", holds="ours")]],
    },
)  # fmt: skip
"""A visit, a meal, a night, a move or a rest."""


class PlanDay(TypedDict):
    """One day of a plan."""

    day: Annotated[int, Field("From 1.", holds="ours")]
    date: Annotated[str, Field("ISO date.", holds="ours")]
    city_segments: list[Segment]


class Plan(TypedDict):
    """A plan in the published form."""

    days: list[PlanDay]


class Concession(TypedDict):
    """What one member gives up: a field of the table, and what it becomes, a list or a number."""

    user: Annotated[str, Field("The member.", holds="ours")]
    path: Annotated[str, Field("The field, dotted.", holds="ours")]
    items: list[str] | None
    number: float | None


class OtherPlan(TypedDict):
    """Another plan, and what is given up for it."""

    plan: Plan
    compromises: list[Concession]


class OtherPlans(TypedDict):
    """The plans that reach more than the witness; null where it is the witness itself."""

    split: OtherPlan | None
    compromise: OtherPlan | None
    compromise_split: OtherPlan | None


class Utility(TypedDict):
    """What the witness is worth."""

    total: float
    per_participant: float
    per_table: float
    users: dict[str, float]
    statement: str


class Reachable(TypedDict):
    """What can be reached, with splits or without, with compromise or without."""

    together_utility: float
    together_bound: float
    split_utility: float
    split_bound: float
    compromise_utility: float
    compromise_bound: float
    compromise_split_utility: float
    compromise_split_bound: float


class Conflicts(TypedDict):
    """Conflicts between members' tables, by source."""

    transport: int
    hotel_preference: int
    attractions: int
    food: int


class Proof(TypedDict):
    """What is said of a witness."""

    utility: Utility
    reachable: Annotated[Reachable, Field("Sums over the users with a table, less the cost of splits.")]
    per_table: Annotated[Reachable, Field("The same, for a user with a table.")]
    fairness: float
    cost: float
    conflicts: Conflicts
    plans: OtherPlans


def record_of(
    skeleton: Skeleton, tables: Mapping[int, Table], names: Mapping[str, str], section: GroupTravelSection
) -> dict[str, Any]:
    """Return the record of a draw; `tables` in order of generation, which the keys of user_preferences keep.

    `names` gives each city_id's name.
    """
    words, archetype = VOCABULARIES[section.language], skeleton.archetype
    language = 0 if section.language == "zh" else 1
    people = len(archetype.roles)
    roles = {n: role.name(section.language) for n, role in enumerate(archetype.roles, 1)}
    children = [n for n in roles if n not in archetype.with_table]
    departure = names[skeleton.departure_city_id]
    return {
        "time": skeleton.date,
        "context": context_text(
            words, departure, skeleton.date, archetype.name[language], people, tuple(roles[n] for n in children)
        ),
        "metadata": {
            "departure_city": departure,
            "cities": [names[city] for city in skeleton.city_ids],
            "date": duration_text(words, skeleton.days),
            "group_id": archetype.group_id,
            "group_name": archetype.name[language],
            "group_tags": [tag[language] for tag in archetype.tags],
            "compromise_pattern": [f"User{n}" for n in skeleton.compromisable],
            "child_members": [{"user": f"User{n}", "role": roles[n]} for n in children],
        },
        "user_preferences": {
            f"User{n}": {"role": roles[n], "preference": table, "compromisable": n in skeleton.compromisable}
            for n, table in tables.items()
        },
        "difficulty_score": skeleton.score,
        "difficulty_type": skeleton.difficulty,
        "departure_city_id": skeleton.departure_city_id,
        "city_ids": list(skeleton.city_ids),
        "days": skeleton.days,
    }


def people_count(record: Mapping[str, Any]) -> int:
    """Return how many people travel: those with a table of preferences, and children without one."""
    children = {child["user"] for child in record["metadata"]["child_members"]}
    return len(children | set(record["user_preferences"]))


def skeleton_of(task_id: str, record: Mapping[str, Any]) -> Skeleton:
    """Return the skeleton that a record was made of."""
    return Skeleton(
        task_id=task_id,
        difficulty=record["difficulty_type"],
        score=float(record["difficulty_score"]),
        group_id=record["metadata"]["group_id"],
        departure_city_id=record["departure_city_id"],
        city_ids=tuple(record["city_ids"]),
        days=int(record["days"]),
        date=record["time"],
        compromisable=tuple(int(user[4:]) for user in record["metadata"]["compromise_pattern"]),
    )


def tables_of(record: Mapping[str, Any]) -> dict[int, Table]:
    """Return the members' tables, in the order of generation."""
    return {int(user[4:]): entry["preference"] for user, entry in record["user_preferences"].items()}


def published_task(task: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a task as published: the record with its id, its words and no keys of ours, in the published order."""
    record = {key: value for key, value in task["record"].items() if key not in OWN}
    score, label = record.pop("difficulty_score"), record.pop("difficulty_type")
    return {
        "task_id": task["task_id"],
        "query": task["query"],
        **record,
        "initial_messages": list(task["messages"]),
        "difficulty_score": score,
        "difficulty_type": label,
    }
