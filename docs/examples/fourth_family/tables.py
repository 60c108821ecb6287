"""What a stroll's task asks, what its plan looks like, and what a recipe says of the family."""

from __future__ import annotations

from typing import Annotated, TypedDict

from pydantic import BaseModel, ConfigDict
from pydantic import Field as Key

from schemas.table import Field


class StrollsSection(BaseModel):
    """What a recipe says of strolls."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tasks_per_city: int = Key(ge=1, le=1000, description="Number of tasks, all distinct, in every city.")
    most_days: int = Key(default=4, ge=1, le=9, description="Days of the longest stroll.")


class Record(TypedDict):
    """What a query asks for."""

    days: Annotated[int, Field("Days of the stroll.", holds="ours")]
    least_stars: Annotated[float, Field("Stars that every place of the plan has at least.", holds="ours")]


class Drawing(TypedDict):
    """How a record was drawn."""

    attempt: Annotated[int, Field("Draws of the slot before this one.", holds="ours")]


class NamedPlace(TypedDict):
    """A place as a plan names it."""

    place_id: Annotated[str, Field("The place.", holds="ours")]
    name: Annotated[str, Field("Its name.", holds="source")]


class Day(TypedDict):
    """One day of a plan."""

    see: NamedPlace
    eat: NamedPlace


class Plan(TypedDict):
    """A plan: its days in order."""

    days: list[Day]


class Proof(TypedDict):
    """What is said of a witness beside its plan."""

    mean_stars: Annotated[float, Field("Mean stars of the plan's places.", holds="derived")]
