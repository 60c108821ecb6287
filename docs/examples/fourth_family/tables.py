"""What a round trip's task asks, what its plan looks like, and what a recipe says of the family."""

from __future__ import annotations

from typing import Annotated, TypedDict

from pydantic import BaseModel
from pydantic import Field as Key

from schemas.table import Field


class RoundtripsSection(BaseModel, extra="forbid", frozen=True):
    """What a recipe says of round trips."""

    tasks: int = Key(ge=1, le=10_000, description="Number of tasks over all cities, all distinct.")
    most_days: int = Key(default=5, ge=2, le=9, description="Days of the longest trip.")
    budgets: list[int] = Key(default=[300, 400, 500, 700], min_length=1, description="What both flights may cost.")
    currency: str = Key(default="USD", pattern="[A-Z]{3}", description="Of the budgets, and of the flights used.")


class Record(TypedDict):
    """What a query asks for."""

    origin_city_id: Annotated[str, Field("Where the trip begins and ends.")]
    dest_city_id: Annotated[str, Field("Where it leads.")]
    days: Annotated[int, Field("Days from leaving to coming back, both counted.", holds="ours")]
    dates: Annotated[list[str], Field("Local dates of the flights out and back.", holds="ours")]
    budget: Annotated[int, Field("What both flights cost at most, in the section's currency.", holds="ours")]


class Drawing(TypedDict):
    """How a record was drawn."""

    attempt: Annotated[int, Field("Draws of the slot before this one.", holds="ours")]


class Leg(TypedDict):
    """A flight as a plan names it, on the date that the record gives."""

    flight_number: Annotated[str, Field("Its number.")]
    dep_time: Annotated[str, Field("Local time of departure, HH:MM.")]
    arr_time: Annotated[str, Field("Local time of arrival, HH:MM.")]
    price: Annotated[int, Field("One seat, in the section's currency.")]


class Sight(TypedDict):
    """What a day's visit is to."""

    place_id: Annotated[str, Field("The place.", holds="ours")]
    name: Annotated[str, Field("Its name.")]


class Plan(TypedDict):
    """A plan: the flights, and what is seen on each day."""

    out: Leg
    back: Leg
    days: list[Sight]


class Proof(TypedDict):
    """What is said of a witness beside its plan."""

    cost: Annotated[int, Field("Both flights, in the section's currency.", holds="derived")]
