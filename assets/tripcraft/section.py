"""The recipe section of the TripCraft family: how many tasks, when, and the distributions they are drawn from.

Every default is the published one (1.D); every key can be changed in a recipe.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from assets.core.published_set import DESCRIPTION, PublishedSet, set_problem
from assets.tripcraft.asked import AskedTrip
from assets.tripcraft.entities import CarRates
from assets.tripcraft.facts.money import FareModel, Money, NightModel, Rates
from assets.tripcraft.vocabulary import CATEGORY_DURATION_H, LEVELS, QUERY_CUISINES, ROOM_TYPES_MEETING, SEGMENTS
from schemas.counts import counted

Length = Annotated[Literal[3, 5, 7], BeforeValidator(lambda key: int(key) if str(key).isdecimal() else key)]
"""Days of a trip; a key of a TOML table is text."""

Level = Literal["easy", "medium", "hard"]
Count = Annotated[int, Field(ge=0, le=100_000)]
Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]
ConstraintName = Literal["house_rule", "cuisine", "room_type", "transportation", "event", "attraction"]

PUBLISHED_COUNTS: dict[Length, dict[Level, int]] = {
    3: {"easy": 91, "medium": 124, "hard": 129},
    5: {"easy": 52, "medium": 156, "hard": 116},
    7: {"easy": 75, "medium": 155, "hard": 102},
}
"""The 1,000 released queries by length and level (1.D)."""

SMALL_PARTY = 2
"""Parties up to this size may be asked to take a shared room (1.D)."""

LARGE_PARTY_ROOMS = ("private room", "entire room")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ByLevel(_Strict):
    """A count for each level that has constraints."""

    medium: int = Field(ge=0, description="Of a medium task.")
    hard: int = Field(ge=0, description="Of a hard task.")

    def of(self, level: str) -> int:
        """Return the level's count; easy has none."""
        return {"medium": self.medium, "hard": self.hard}.get(level, 0)


class TripcraftSection(_Strict):
    """What `[tripcraft]` in a recipe holds."""

    counts: dict[Length, dict[Level, Count]] | None = Field(
        default=None, description="Tasks by trip length and level; the published 1,000 where nothing is given."
    )
    tasks: dict[Length, Count] | None = Field(
        default=None, description="Tasks by trip length, shared among the levels in the published proportions."
    )
    tasks_without_solution: Count = Field(
        default=0, description="Trips that no plan meets, each one wish from a released one, in a file of their own."
    )
    variant: Literal["ours", "released"] = Field(
        default="ours", description="`released` draws as the published code does, with its defects (T6, T8, T9)."
    )
    first_date: dt.date = Field(default=dt.date(2024, 11, 1), description="First date a trip may start on.")
    last_date: dt.date = Field(default=dt.date(2024, 11, 30), description="Last date a trip may end on.")
    currency: str | None = Field(
        default=None, pattern=r"^[A-Z]{3}$", description="Money of all prices; the cities' own where they share one."
    )
    rates: Rates | None = Field(
        default=None, description="Exchange rates; without them an amount in another currency is rejected."
    )
    fares: FareModel | None = Field(
        default=None, description="What a flight costs that its source does not price; else such a flight is rejected."
    )
    nights: NightModel | None = Field(
        default=None, description="What a hotel's room costs where no source says; else such a hotel is rejected."
    )
    reference_meal: Money | None = Field(
        default=None,
        description="An inexpensive meal where the restaurant index is 100: for cities without a meal's price.",
    )
    flight_dates_from: tuple[dt.date, dt.date] | None = Field(
        default=None,
        description="First and last date of the flights as sources have them, moved into the trips' dates by whole "
        "weeks; those of no other date are used. Not moved where nothing is given.",
    )
    journey_dates_from: tuple[dt.date, dt.date] | None = Field(
        default=None, description="The same of trains and coaches: first and last service date that is moved."
    )
    event_dates_from: tuple[dt.date, dt.date] | None = Field(
        default=None, description="The same of events; dates without a year are those of this window."
    )
    people_easy: int = Field(default=1, ge=1, description="People of an easy task.")
    people: dict[int, Weight] = Field(
        default={2: 6.0, **dict.fromkeys(range(3, 9), 1.0)},
        description="Weights of the party's size at the other levels: 2 for half of the tasks, else 3 to 8 alike.",
    )
    constraints: ByLevel = Field(default=ByLevel(medium=1, hard=3), description="Distinct constraints a task has.")
    weights_medium: dict[ConstraintName, Weight] = Field(
        default={"house_rule": 1.0, "cuisine": 1.0, "room_type": 1.0, "event": 1.0, "attraction": 1.0},
        description="Weights of the constraints of a medium task.",
    )
    weights_hard: dict[ConstraintName, Weight] = Field(
        default={
            "house_rule": 0.2,
            "cuisine": 0.1,
            "room_type": 0.2,
            "transportation": 0.1,
            "event": 0.2,
            "attraction": 0.2,
        },
        description="Weights of the constraints of a hard task.",
    )
    cuisines: list[str] = Field(default=list(QUERY_CUISINES), description="Cuisines a task may ask for.")
    segments: list[str] = Field(default=list(SEGMENTS), description="Kinds of event a task may ask for.")
    categories: list[str] = Field(default=list(CATEGORY_DURATION_H), description="Attraction categories likewise.")
    attraction_labels: dict[str, str] = Field(
        default={},
        description='What a source\'s own word for a sight means, such as `Museu = "Museums"`: words for kinds of '
        "sights are known in English alone, others belong to no category.",
    )
    cuisines_asked: ByLevel = Field(default=ByLevel(medium=2, hard=4), description="Cuisines a task asks for.")
    segments_asked: ByLevel = Field(default=ByLevel(medium=1, hard=2), description="Kinds of event likewise.")
    categories_asked: ByLevel = Field(default=ByLevel(medium=1, hard=2), description="Attraction categories likewise.")
    least_region_cities: int = Field(default=4, ge=1, description="Cities a region needs for 5- and 7-day trips.")
    budget_factor: dict[str, float] = Field(
        default={"easy": 1.0, "medium": 0.75, "hard": 0.5}, description="What the estimate is multiplied by."
    )
    baseline_at_most: dict[Level, Annotated[float, Field(ge=0, le=1)]] = Field(
        default={},
        description="Share of a level's tasks, of each trip length, that the greedy planner may pass; the others are "
        "drawn until it fails, budgets below what its plan costs among them. No limit where nothing is given.",
    )
    budget_step: int = Field(default=100, ge=1, description="Budgets are multiples of this amount.")
    budget_margin: float = Field(
        default=1.1, ge=1, description="Least budget, as a multiple of a trip that meets everything cheaply."
    )
    longest_drive_min: int = Field(default=720, ge=1, le=1439, description="Longest drive a task counts on.")
    road_groups: list[list[str]] | None = Field(
        default=None,
        description="Ids of cities that roads join, in groups: where distances are only estimated, a road joins two "
        "cities that are in one group, and no others; with `[]` none. Without the key every two cities are joined.",
    )
    car_rates: CarRates = Field(default=CarRates(), description="What cars cost.")
    max_attempts: int = Field(default=2000, ge=1, description="Draws for one task before it is given up.")
    asked: list[AskedTrip] = Field(
        default=[],
        description="Tasks that a published set asks, in place of draws: `tripwright mend` writes them. No `counts`, "
        "`tasks` or `baseline_at_most` are given beside them.",
    )
    asked_of: PublishedSet | None = Field(default=None, exclude_if=lambda value: value is None, description=DESCRIPTION)

    @model_validator(mode="after")
    def _fits_together(self) -> TripcraftSection:
        problems = [problem] if (problem := set_problem(self.asked, self.asked_of)) else []
        if not self.lengths():
            problems.append("no task is asked for; give `tasks` or `counts`")
        if self.counts is not None and self.tasks is not None:
            problems.append("give either `counts` or `tasks`, not both")
        if self.asked and (self.counts is not None or self.tasks is not None or self.baseline_at_most):
            problems.append("`asked` says which tasks there are; leave out `counts`, `tasks` and `baseline_at_most`")
        if (self.last_date - self.first_date).days + 1 < max(self.lengths(), default=0):
            problems.append(f"{self.first_date} to {self.last_date} is shorter than the longest trip")
        for name, weights, demand in (
            ("weights_medium", self.weights_medium, self.constraints.medium),
            ("weights_hard", self.weights_hard, self.constraints.hard),
        ):
            if sum(weight > 0 for weight in weights.values()) < demand:
                problems.append(f"`{name}` has fewer positive weights than the {demand} constraints to draw")
        for name, pool, demand in (
            ("cuisines", self.cuisines, self.cuisines_asked),
            ("segments", self.segments, self.segments_asked),
            ("categories", self.categories, self.categories_asked),
        ):
            if len(set(pool)) < max(demand.medium, demand.hard):
                problems.append(f"`{name}` has {counted(len(set(pool)), 'value')}, fewer than a task asks for")
        for name, window in (
            ("flight_dates_from", self.flight_dates_from),
            ("journey_dates_from", self.journey_dates_from),
            ("event_dates_from", self.event_dates_from),
        ):
            if window is not None and window[1] < window[0]:
                problems.append(f"`{name}` ends on {window[1]}, before it begins on {window[0]}")
        problems += [
            f"segment `{s}` is unknown; one of {', '.join(SEGMENTS)}" for s in self.segments if s not in SEGMENTS
        ]
        problems += [f"category `{c}` is unknown" for c in self.categories if c not in CATEGORY_DURATION_H]
        problems += [
            f"`attraction_labels`: `{label}` means `{c}`, which is unknown; one of {', '.join(CATEGORY_DURATION_H)}"
            for label, c in self.attraction_labels.items()
            if c not in CATEGORY_DURATION_H
        ]
        if not any(self.people.values()) or min(self.people) < 1:
            problems.append("`people` needs a positive weight, and parties of at least 1")
        if set(self.budget_factor) != set(LEVELS):
            problems.append(f"`budget_factor` needs {', '.join(LEVELS)}")
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def lengths(self) -> list[int]:
        """Return the trip lengths that have tasks."""
        return sorted(days for days, levels in self.table().items() if sum(levels.values()))

    def factor(self, level: str) -> float:
        """Return what the level's budget estimate is multiplied by."""
        return self.budget_factor[level]

    def table(self) -> dict[Length, dict[Level, int]]:
        """Return the number of tasks by length and level."""
        if self.asked:
            trip_counts = Counter((trip.days, trip.level) for trip in self.asked)
            lengths: tuple[Length, ...] = (3, 5, 7)
            levels: tuple[Level, ...] = ("easy", "medium", "hard")
            counted: dict[Length, dict[Level, int]] = {
                n: {level: trip_counts[n, level] for level in levels} for n in lengths
            }
            return {days: of_level for days, of_level in counted.items() if any(of_level.values())}
        if self.tasks is None:
            counts = PUBLISHED_COUNTS if self.counts is None else self.counts
            return {
                days: {level: levels.get(level, 0) for level in PUBLISHED_COUNTS[3]} for days, levels in counts.items()
            }
        return {days: share(total, PUBLISHED_COUNTS[days]) for days, total in self.tasks.items()}


def rooms_for(people: int) -> tuple[str, ...]:
    """Return what a party of the size may ask of its room: a shared one if it is small (1.D)."""
    return tuple(ROOM_TYPES_MEETING) if people <= SMALL_PARTY else LARGE_PARTY_ROOMS


def start_dates(section: TripcraftSection, days: int) -> list[dt.date]:
    """Return the dates a trip may start on so that it ends in the window.

    The released variant never draws the window's last date (1.D), which ours does.
    """
    last = section.last_date - dt.timedelta(days=1 if section.variant == "released" else 0)
    count = (last - section.first_date).days + 2 - days
    return [section.first_date + dt.timedelta(days=i) for i in range(count)]


def share(total: int, proportions: dict[Level, int]) -> dict[Level, int]:
    """Return the total shared out in the proportions, by largest remainder; ties go to the earlier key."""
    denominator = sum(proportions.values())
    shares: dict[Level, int] = {key: total * part // denominator for key, part in proportions.items()}
    by_remainder: list[Level] = sorted(proportions, key=lambda key: -(total * proportions[key] % denominator))
    for key in by_remainder[: total - sum(shares.values())]:
        shares[key] += 1
    return shares
