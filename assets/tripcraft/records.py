"""What a task of TripCraft asks, how it was drawn, a plan's days, and what is said of a witness: typed dictionaries."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from schemas.table import Field


class Constraints(TypedDict):
    """The local constraints of a task; null where the query asks for nothing."""

    house_rule: Annotated[str | None, Field("What must be permitted.", holds="ours")]
    cuisine: Annotated[list[str] | None, Field("Cuisines, each served at least once.", holds="ours")]
    room_type: Annotated[str | None, Field("What the room must be.", holds="ours")]
    transportation: Annotated[str | None, Field("`no flight` or `no self-driving`.", holds="ours")]
    event: Annotated[list[str] | None, Field("Kinds of event, each attended at least once.", holds="ours")]
    attraction: Annotated[list[str] | None, Field("Categories, each visited at least once.", holds="ours")]


class Record(TypedDict):
    """What a query asks for, by ids; `export.py` turns it into the published labels and plan names."""

    origin_city_id: Annotated[str, Field("Where the trip starts and ends.")]
    dest_city_id: Annotated[str | None, Field("The one city of a 3-day trip; null for longer trips.")]
    dest_region: Annotated[str, Field("Region of the cities to visit.", holds="ours")]
    dest_country: Annotated[str, Field("Its country, ISO 3166-1 alpha-2.", holds="ours")]
    days: Annotated[int, Field("3, 5 or 7.", holds="ours")]
    visiting_city_number: Annotated[int, Field("Cities to visit: 1, 2 or 3.", holds="ours")]
    dates: Annotated[list[str], Field("Consecutive ISO dates, one a day.", holds="ours")]
    people: Annotated[int, Field("People in the party.", holds="ours")]
    constraints: Constraints
    budget: Annotated[int, Field("For the whole party, in the release's currency.", holds="derived")]
    level: Annotated[str, Field("easy, medium or hard.", holds="ours")]
    persona: Annotated[dict[str, str], Field("Component of the persona to its value.", holds="ours")]


class Drawing(TypedDict):
    """How a record was drawn."""

    attempt: Annotated[int, Field("Draws of this slot that were dropped before.", holds="ours")]
    greedy_cost: NotRequired[
        Annotated[
            int, Field("What a greedy plan costs that the budget is set below; null where none is.", holds="derived")
        ]
    ]
    published_id: NotRequired[Annotated[str, Field("Id of the published task that it is; null of a draw.")]]
    edits: NotRequired[Annotated[int, Field("Fields that differ from the published task.", holds="ours")]]
    why: NotRequired[Annotated[str, Field("Why it was mended, with the defect's id; may be empty.", holds="ours")]]


class PlanDay(TypedDict):
    """One day of a plan, keys in the published order."""

    days: Annotated[int, Field("The day's number, from 1.", holds="ours")]
    current_city: str
    transportation: str
    breakfast: str
    attraction: str
    lunch: str
    dinner: str
    accommodation: str
    event: str
    point_of_interest_list: str


class ProvenMove(TypedDict):
    """How one leg is travelled."""

    mode: Annotated[str, Field("flight, train, coach, self_driving or taxi.", holds="ours")]
    origin_city_id: str
    dest_city_id: str
    date: Annotated[str, Field("ISO date.", holds="ours")]
    flight_number: Annotated[str | None, Field("Number of the flight, train or coach; null for a drive.")]
    cost: Annotated[int, Field("Of the whole party.", holds="derived")]


class ProvenStay(TypedDict):
    """Where the party sleeps in one city."""

    city_id: str
    place_id: str
    rooms: Annotated[int, Field("Rooms that hold the party.", holds="derived")]
    cost_per_night: Annotated[int, Field("Of all rooms.", holds="derived")]


class ProvenItem(TypedDict):
    """One entry of a day: a place, what for, and when, minutes from midnight."""

    city_id: str
    place_id: str
    slot: Annotated[str, Field("Meal, part of the day, or `stay`.", holds="ours")]
    start_min: Annotated[int, Field("Minutes from midnight.", holds="ours")]
    end_min: Annotated[int, Field("Minutes from midnight.", holds="ours")]


class ProvenEvent(TypedDict):
    """One event attended."""

    city_id: str
    event_id: str


class Ways(TypedDict):
    """Ways between places of a day: found by a router, or estimated."""

    routed: Annotated[int, Field("Ways that a router found.", holds="derived")]
    estimated: Annotated[int, Field("Ways estimated from the geodesic.", holds="derived")]


class Proof(TypedDict):
    """What a witness is made of, what it costs and scores, and its remark."""

    cities: Annotated[list[str], Field("The cities visited, in order.", holds="ours")]
    moves: list[ProvenMove]
    stays: list[ProvenStay]
    days: list[list[ProvenItem]]
    events: list[list[ProvenEvent]]
    cost: Annotated[int, Field("Of the whole trip and party.", holds="derived")]
    is_proven_best: Annotated[bool, Field("Whether the solver showed that nothing suits better.", holds="ours")]
    remark: Annotated[str, Field("Why the plan is as it is.")]
    metrics: Annotated[dict[str, float | None], Field("The published metrics; null where undefined.", holds="derived")]
    budget_slack: Annotated[int, Field("Budget less cost.", holds="derived")]
    ways_in_town: Ways
