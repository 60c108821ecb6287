"""The GroupTravelBench section of a recipe: how many tasks of each difficulty, when, in which language and currency."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic import Field as Key

from assets.clean.exchange import budget_step as usual_step
from assets.grouptravel.archetypes import ARCHETYPES, BY_ID
from assets.grouptravel.difficulty import DAYS_LEVEL, DIFFICULTIES, Difficulty
from schemas.counts import counted

Weight = Annotated[float, Key(ge=0, allow_inf_nan=False)]
Price = Annotated[float, Key(gt=0, lt=1e9, allow_inf_nan=False)]
Prices = tuple[Price, Price, Price, Price]
Factor = Annotated[float, Key(ge=0.1, le=10, allow_inf_nan=False)]
Count = Annotated[int, Key(ge=0, le=100_000)]


class GroupTravelSection(BaseModel):
    """What a recipe says of GroupTravelBench. A distribution left out is the published one, or uniform."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tasks: dict[Difficulty, Count] = Key(
        default_factory=lambda: {"easy": 200, "medium": 250, "hard": 200}, description="Tasks of each difficulty."
    )
    tasks_without_solution: Count = Key(
        default=0,
        description="Groups whose firm wishes no plan keeps, one wish from released ones, in a file of their own.",
    )
    first_date: dt.date = Key(default=dt.date(2025, 9, 1), description="First date a group may set out on.")
    last_date: dt.date = Key(default=dt.date(2026, 5, 1), description="Last date a group may set out on.")
    language: Literal["zh", "en"] = Key(default="en", description="Language of tables, messages and queries.")
    currency: str = Key(
        pattern=r"^[A-Z]{3}$",
        description="Of budgets, fares and the modelled prices, as messages name it; ISO 4217. It must be named.",
    )
    budget_step: int = Key(
        default=50,
        ge=1,
        le=100_000_000,
        description="Budgets are multiples of this; left out, about what 50 US dollars are in the currency.",
    )
    places: Literal["own", "lists"] = Key(
        default="own", description="Destinations' places: the recipe's own, or the bound lists of places by city."
    )
    meal_prices: Prices | None = Key(
        default=None,
        description="Price of a meal by price level, where none is known; left out, modelled by country and kind.",
    )
    bed_prices: Prices | None = Key(
        default=None,
        description="Price of a night by price level, where none is known; left out, modelled by country and kind.",
    )
    season: dict[int, Factor] = Key(
        default_factory=dict, description="By month, 1 to 12: what a modelled fare is multiplied by; 1 if left out."
    )
    holiday_factor: Factor = Key(
        default=1.0, description="What a modelled fare is multiplied by on a public holiday of the city it leaves."
    )
    archetypes: dict[str, Weight] = Key(
        default_factory=lambda: {a.group_id: float(a.count) for a in ARCHETYPES},
        description="Weight of each archetype, by id; the published counts.",
    )
    days: dict[int, Weight] = Key(
        default_factory=lambda: dict.fromkeys(DAYS_LEVEL, 1.0), description="Weight of each length, 2 to 7 days."
    )
    cities: dict[int, Weight] = Key(
        default_factory=lambda: dict.fromkeys((1, 2, 3), 1.0), description="Weight of each number of cities, 1 to 3."
    )

    @model_validator(mode="before")
    @classmethod
    def _step_of_the_currency(cls, section: Any) -> Any:
        if isinstance(section, dict) and "budget_step" not in section and isinstance(section.get("currency"), str):
            return {**section, "budget_step": usual_step(section["currency"])}
        return section

    @model_validator(mode="after")
    def _is_consistent(self) -> GroupTravelSection:
        problems = [f"archetype {key!r} is not known" for key in self.archetypes if key not in BY_ID]
        problems += [f"{counted(days, 'day')}: expected 2 to 7" for days in self.days if days not in DAYS_LEVEL]
        problems += [f"{counted(n, 'city', 'cities')}: expected 1 to 3" for n in self.cities if n not in (1, 2, 3)]
        problems += [f"season: month {month}, expected 1 to 12" for month in self.season if not 1 <= month <= 12]
        if not self.levels:
            problems.append("no task is asked for; give `tasks`")
        for name, weights in (("archetypes", self.archetypes), ("days", self.days), ("cities", self.cities)):
            if not sum(weights.values()) > 0:
                problems.append(f"{name}: no weight is above 0")
        if self.last_date < self.first_date:
            problems.append(f"last_date {self.last_date} is before first_date {self.first_date}")
        if problems:
            raise ValueError("; ".join(problems))
        return self

    @property
    def levels(self) -> tuple[Difficulty, ...]:
        """Return the difficulties that tasks are asked of, the easiest first."""
        return tuple(level for level in DIFFICULTIES if self.tasks.get(level, 0))
