"""Whether a place meets a record, and the six ratios of a plan. Belongs to the scorer; the solver has its own."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import pandas as pd

from assets.itinbench.checks.feasibility import VISITS_PER_DAY
from assets.itinbench.checks.matching import MISSING, Matcher, Variant
from assets.itinbench.checks.plans import MEALS, PlanDay
from assets.itinbench.tables import PRICES, US_CUISINE_LABELS, Record

Entry = str | int
"""A place_id, or OUT_OF_POOL or MISSING."""

Ratio = tuple[int, int]
"""Numerator and denominator."""

MIN_RATING = 4
"""Restaurants and stays: good or excellent meets a preference (facts 2.D)."""

MIN_LEVEL = 2
"""Attractions: medium or high meets an orientation (facts 2.D)."""


@dataclass(frozen=True)
class MatchedDay:
    """One day of a plan as places of the pool."""

    meals: tuple[Entry, ...]
    visits: tuple[tuple[Entry, ...], ...]
    stay: Entry

    def entries(self) -> list[Entry]:
        """Return everything the day names, in the order of its slots."""
        return [*self.meals, *(v for part in self.visits for v in part), self.stay]

    def found_visits(self) -> list[str]:
        """Return the day's visits that are in the pool, in order."""
        return [v for part in self.visits for v in part if isinstance(v, str)]


def match_days(days: list[PlanDay], matcher: Matcher) -> list[MatchedDay]:
    """Return the days with each name and address replaced by the place it means.

    In `ours` an empty morning or afternoon is one missing visit, and so is each that a day has less than are asked for,
    so that leaving out is never better than failing.
    """
    matched = []
    for day in days:
        meals = tuple(matcher.resolve("restaurant", *meal) for meal in day.meals)
        visits = [tuple(matcher.resolve("attraction", *visit) for visit in part) for part in day.visits]
        if matcher.variant == "ours":
            *by_day, night = [part or ((MISSING,) if i < 2 else ()) for i, part in enumerate(visits)]
            night = tuple(entry for entry in night if entry != MISSING)  # that there is none is not one that is missing
            left_out = VISITS_PER_DAY - sum(map(len, (*by_day, night)))
            visits = [*by_day, (*night, *(MISSING,) * left_out)]
        matched.append(MatchedDay(meals, tuple(visits), matcher.resolve("stay", *day.stay)))
    return matched


def with_missing_days(days: list[MatchedDay], day_count: int) -> list[MatchedDay]:
    """Return the days, and for each that is asked for and not there one of which everything is missing."""
    missing = MatchedDay((MISSING,) * len(MEALS), ((MISSING,), (MISSING, MISSING), (MISSING,)), MISSING)
    return [*days, *[missing] * (day_count - len(days))]


def without_further_visits(day: MatchedDay) -> MatchedDay:
    """Return the day with no more visits than are asked for: what is missing, and the first of those that it names."""
    visits_left = VISITS_PER_DAY - sum(part.count(MISSING) for part in day.visits)
    parts: list[tuple[Entry, ...]] = []
    for part in day.visits:
        entries = [entry for entry in part if entry != MISSING]
        parts.append((*entries[: max(0, visits_left)], *(MISSING,) * part.count(MISSING)))
        visits_left -= len(entries)
    return replace(day, visits=tuple(parts))


class Pool:
    """The facts of every place by kind and id. A wish that is null is none: every place meets it (`clashes.py`)."""

    def __init__(self, places: pd.DataFrame) -> None:
        self._rows: dict[tuple[str, str], dict[str, Any]] = {
            (str(row["kind"]), str(row["place_id"])): {str(k): v for k, v in row.items()}
            for row in places.to_dict("records")
        }

    def point(self, kind: str, place_id: str) -> tuple[float, float]:
        """Return the place's latitude and longitude in degrees."""
        row = self._rows[kind, place_id]
        return float(row["lat"]), float(row["lon"])

    def get(self, kind: str, place_id: str) -> dict[str, Any]:
        """Return the place's row."""
        return self._rows[kind, place_id]

    def fits_price(self, kind: str, entry: Entry, record: Record) -> bool:
        """Return whether the place's price level is one of the budget word's; an unknown price never is."""
        budget: str | None = record["price"]
        return budget is None or self._number(kind, entry, "price_level") in PRICES[budget]

    def fits_cuisine(self, entry: Entry, record: Record) -> bool:
        """Return whether one of the restaurant's cuisines is the record's."""
        cuisine: str | None = record["cuisine"]
        if cuisine is None or not isinstance(entry, str):
            return cuisine is None
        cuisines = US_CUISINE_LABELS if record["cuisine"] == "US" else (record["cuisine"],)
        row = self._rows["restaurant", entry]
        return row["cuisine_1"] in cuisines or row["cuisine_2"] in cuisines

    def fits_rating(self, kind: str, entry: Entry, attribute: str) -> bool:
        """Return whether the restaurant's or stay's attribute is good or excellent."""
        rating = self._number(kind, entry, attribute)
        return rating is not None and rating >= MIN_RATING

    def fits_orientation(self, entry: Entry, record: Record) -> bool:
        """Return whether the attraction's orientation is medium or high."""
        orientation: str | None = record["orientation"]
        level = None if orientation is None else self._number("attraction", entry, orientation)
        return orientation is None or (level is not None and level >= MIN_LEVEL)

    def price_level(self, kind: str, entry: Entry) -> int | None:
        """Return the place's number of price signs; None if it is unknown, or the entry is no place."""
        level = self._number(kind, entry, "price_level")
        return None if level is None else int(level)

    def _number(self, kind: str, entry: Entry, column: str) -> float | None:
        if not isinstance(entry, str):
            return None
        value: Any = self._rows[kind, entry][column]
        return None if pd.isna(value) else float(value)


@dataclass(frozen=True)
class Ratios:
    """A plan's six category ratios (facts 2.F); each a numerator and a denominator."""

    day: Ratio
    price: Ratio
    orientation: Ratio
    cuisine: Ratio
    restaurant: Ratio
    hotel: Ratio

    def items(self) -> list[tuple[str, Ratio]]:
        """Return category and ratio, in the published order."""
        return [(field.name, getattr(self, field.name)) for field in fields(self)]


def six_ratios(days: list[MatchedDay], n_given: int, record: Record, pool: Pool, variant: Variant) -> Ratios:
    """Return the plan's six ratios; `n_given` of its days are not made up.

    `released` and `paper`: failed entries stay in all denominators but the price of stays; with no stay at all,
    `released` has no hotel ratio.
    `ours`: failed entries stay in every denominator, and a restaurant or attraction counts the first time only (I2).
    """
    meals = [entry for day in days for entry in day.meals]
    visits = [entry for day in days for part in day.visits for entry in part]
    stays = [day.stay for day in days]
    priced_stays = stays if variant == "ours" else [e for e in stays if isinstance(e, str)]
    rated_stays = [] if variant == "released" and all(e == MISSING for e in stays) else stays
    total_meals, total_visits = len(meals), len(visits)
    if variant == "ours":
        meals, visits = list(dict.fromkeys(meals)), list(dict.fromkeys(visits))

    priced = (
        [("restaurant", e) for e in meals] + [("stay", e) for e in priced_stays] + [("attraction", e) for e in visits]
    )
    liked, wished = record["restaurant"], record["hotel"]
    return Ratios(
        day=(int(n_given == record["days"]), 1),
        price=(
            sum(pool.fits_price(kind, e, record) for kind, e in priced),
            total_meals + len(priced_stays) + total_visits,
        ),
        orientation=(sum(pool.fits_orientation(e, record) for e in visits), total_visits),
        cuisine=(sum(pool.fits_cuisine(e, record) for e in meals), total_meals),
        restaurant=(
            sum(pool.fits_rating("restaurant", e, a) for e in meals for a in liked),
            total_meals * len(liked),
        ),
        hotel=(
            sum(pool.fits_rating("stay", e, a) for e in rated_stays for a in wished),
            len(rated_stays) * len(wished),
        ),
    )
