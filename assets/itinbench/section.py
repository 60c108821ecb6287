"""The ItinBench section of a recipe: how many tasks a city gets, and the distributions its drafts are drawn from."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator
from pydantic import Field as Key

from assets.core.published_set import DESCRIPTION, PublishedSet, set_problem
from assets.itinbench.tables import CUISINES, PRICES, Record
from schemas.counts import counted
from schemas.reviews import ATTRACTION_ORIENTATIONS, RESTAURANT_ATTRIBUTES, STAY_ATTRIBUTES

DAYS = (2, 3, 4)
"""Lengths of a trip, in days, that the published queries ask for (facts, 2.D)."""

COUNTS = (1, 2, 3)
"""How many preferences a query may state of its restaurants, and how many of its hotel (facts, 2.D)."""

MAX_TASKS = 100_000
"""A slot number has five digits."""


def _weights_of(vocabulary: tuple[Hashable, ...]) -> Callable[[dict], dict]:
    def check(weights: dict) -> dict:
        bad = [f"{key}: {weight}" for key, weight in weights.items() if not (math.isfinite(weight) and weight >= 0)]
        problems = [f"unknown value {key!r}" for key in weights if key not in vocabulary]
        problems += [f"weight below 0 or not finite: {entry}" for entry in bad]
        if not bad and not sum(weights.values()) > 0:
            problems.append("no value has a weight above 0")
        if problems:
            allowed = ", ".join(str(key) for key in vocabulary)
            raise ValueError("; ".join(problems) + f". Give weights, on any scale, to some of: {allowed}")
        return weights

    return check


class AskedTask(BaseModel):
    """A task that a published set asks: kept if the city can satisfy it, else mended by the fewest edits."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    days: Literal[2, 3, 4] = Key(description="Days of the trip.")
    price: Literal["cheap", "moderate", "expensive"] = Key(description="Budget word.")
    orientation: str = Key(description="Orientation of the attractions.")
    cuisine: str = Key(description="Cuisine of every meal.")
    restaurant: list[str] = Key(min_length=1, max_length=3, description="Attributes in which restaurants are good.")
    hotel: list[str] = Key(min_length=1, max_length=3, description="Attributes in which the stay is good.")
    query: str = Key(description="The request as published.")
    is_kept: bool = Key(default=True, description="Whether that text, which must then say just the record, is kept.")

    @model_validator(mode="after")
    def _uses_known_words(self) -> AskedTask:
        vocabularies = (
            (ATTRACTION_ORIENTATIONS, [self.orientation]),
            (CUISINES, [self.cuisine]),
            (RESTAURANT_ATTRIBUTES, self.restaurant),
            (STAY_ATTRIBUTES, self.hotel),
        )
        unknown = [word for words, task_words in vocabularies for word in task_words if word not in words]
        if unknown or len(set(self.restaurant)) < len(self.restaurant) or len(set(self.hotel)) < len(self.hotel):
            raise ValueError(f"found words that no record has, {unknown}, or one twice")
        return self

    @property
    def record(self) -> Record:
        """Return what is asked as a record."""
        record: Any = self.model_dump(exclude={"query", "is_kept"})
        return record


class ItinbenchSection(BaseModel):
    """What a recipe says of ItinBench. A distribution left out is the published one; a value left out has weight 0."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    places: Literal["reviewed", "guide"] = Key(
        default="reviewed",
        description="Where the places come from: those of the recipe that reviews or a published table rate, or the "
        "listings of a travel guide (wikivoyage), rated by what it says of them.",
    )
    ratings: Literal["sure", "rounded"] = Key(
        default="sure",
        description="Which ratings read from reviews count: those whose whole 90 % interval meets what may be asked, "
        "or fails it, while others are unknown; or all, rounded, which towns of few reviews need.",
    )
    tasks_per_city: int = Key(
        ge=0, le=MAX_TASKS, description="Number of tasks of the published form, all distinct, in every city."
    )
    hard_tasks_per_city: int = Key(
        default=0,
        ge=0,
        le=MAX_TASKS,
        description="Number of hard tasks, distinct from these: with a limit on each day's way and on all price signs.",
    )
    tasks_without_solution: int = Key(
        default=0,
        ge=0,
        le=MAX_TASKS,
        description="Number of tasks that no plan meets, each one wish from a released one, in a file of their own.",
    )
    baseline_at_most: dict[Literal["published", "hard"], Annotated[float, Key(ge=0, le=1)]] = Key(
        default={},
        description="Share of a level's tasks that the greedy planner may pass; the others are drawn until it fails. "
        "No limit where nothing is given.",
    )
    days: Annotated[dict[int, float], AfterValidator(_weights_of(DAYS))] = Key(
        default_factory=lambda: dict.fromkeys(DAYS, 1.0), description="Weight of each length of trip, in days."
    )
    prices: Annotated[dict[str, float], AfterValidator(_weights_of(tuple(PRICES)))] = Key(
        default_factory=lambda: dict.fromkeys(PRICES, 1.0), description="Weight of each budget word."
    )
    orientations: Annotated[dict[str, float], AfterValidator(_weights_of(ATTRACTION_ORIENTATIONS))] = Key(
        default_factory=lambda: dict.fromkeys(ATTRACTION_ORIENTATIONS, 1.0),
        description="Weight of each orientation of attractions.",
    )
    cuisines: Annotated[dict[str, float], AfterValidator(_weights_of(CUISINES))] = Key(
        default_factory=lambda: dict.fromkeys(CUISINES, 1.0), description="Weight of each cuisine."
    )
    preference_counts: Annotated[dict[int, float], AfterValidator(_weights_of(COUNTS))] = Key(
        default_factory=lambda: {1: 0.6, 2: 0.3, 3: 0.1},
        description="Weight of each number of preferences, for restaurants and for the hotel alike.",
    )

    asked: list[AskedTask] = Key(
        default=[],
        description="Tasks that a published set asks, in place of draws: `tripwright mend` writes them. "
        "`tasks_per_city` is their number.",
    )
    asked_of: PublishedSet | None = Key(default=None, exclude_if=lambda value: value is None, description=DESCRIPTION)

    @model_validator(mode="after")
    def _asks_for_tasks(self) -> ItinbenchSection:
        if problem := set_problem(self.asked, self.asked_of):
            raise ValueError(problem)
        if self.asked and (self.tasks_per_city != len(self.asked) or self.hard_tasks_per_city):
            raise ValueError(
                f"`asked` has {counted(len(self.asked), 'task')}; set `tasks_per_city` to that, and no "
                "`hard_tasks_per_city`"
            )
        if not self.tasks_per_city + self.hard_tasks_per_city:
            raise ValueError("no task is asked for; give `tasks_per_city` or `hard_tasks_per_city`")
        return self
