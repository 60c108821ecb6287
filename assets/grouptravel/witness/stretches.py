"""What a relaxed plan is made of: the services of a leg, the beds of a city, the stretches of a day, what fits them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from assets.grouptravel.conditions import CHILD_DAY, DAY, LATEST_ARRIVAL, MEAL_MIN, MEAL_WINDOWS, TRANSFER_MIN
from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.opening import Window
from assets.grouptravel.facts.pois import Poi, Pois
from assets.grouptravel.facts.trips import Trip
from assets.grouptravel.witness.worth import Class, Option

NO_CAP = 24
"""Above what any cap of a table is: of sights a day and of hours."""


if TYPE_CHECKING:
    import numpy as np

NEVER = (10**6, -(10**6))
"""When a visit that does not fit begins and ends."""


class NoPlanError(ValueError):
    """No plan of the trip exists; the message says what is missing."""


@dataclass(frozen=True)
class Stretch:
    """A part of a day in one city: `nth` city of the route, the services before and after it if any, when visits lie.

    `ridden` are (leg, service) by their positions.
    """

    day: int
    nth: int
    ridden: tuple[tuple[int, int], ...]
    opens: int
    closes: int


def services_of(trip: Trip, k: int, fares: Fares) -> list[Service]:
    """Return the services that a leg can mean: of its day, for a known price, that arrive by the latest hour."""
    date = trip.first_date + dt.timedelta(days=trip.leg_days[k])
    running = fares.services(trip.route[k], trip.route[k + 1], date=date)
    services = [s for s in running if s.price > 0 and s.departs < s.arrives <= LATEST_ARRIVAL]
    if not services:
        raise NoPlanError(f"nothing runs from {trip.route[k]} to {trip.route[k + 1]} on {date}")
    return services


def beds_of(city: str, pois: Pois) -> list[Poi]:
    """Return the cheapest hotel of each category, since others of it are worth no more. Raises NoPlanError."""
    best: dict[str, Poi] = {}
    for poi in pois.distinct(city, "hotels"):
        cheapest = best.get(poi.category)
        if poi.cost is not None and (cheapest is None or poi.cost < (cheapest.cost or 0.0)):
            best[poi.category] = poi
    if not best:
        raise NoPlanError(f"{city} has no hotel of a known price")
    return [best[category] for category in sorted(best)]


def fit(option: Option | Class, stretch: Stretch, meal: int | None) -> tuple[int, int] | None:
    """Return the earliest start and the latest end of a visit in a stretch; None where it does not fit."""
    return _fit(option.spans[stretch.day], option.stay_min, stretch.opens, stretch.closes, meal)


def fits(options: Sequence[Option], stretches: Sequence[Stretch], meals: Sequence[int | None]) -> np.ndarray:
    """Return the same for all: option by stretch by meal by (earliest start, latest end), in minutes, else NEVER."""
    import numpy as np

    first, last, until = np.array([_window(meal) for meal in meals]).T
    opens, closes = np.array([(stretch.opens, stretch.closes) for stretch in stretches]).T[:, :, None]
    days = sorted({stretch.day for stretch in stretches})
    at = [days.index(stretch.day) for stretch in stretches]
    rows: dict[tuple[int, int], int] = {}
    of_option = [rows.setdefault((id(option.spans), option.stay_min), len(rows)) for option in options]
    one_of_each = dict(zip(of_option, options, strict=True))
    listed = [[one_of_each[row].spans[day] for day in days] for row in range(len(rows))]
    stays = np.array([one_of_each[row].stay_min for row in range(len(rows))])[:, None, None]
    windows = np.empty((len(rows), len(stretches), len(meals), 2), dtype=int)
    windows[:] = NEVER
    for nth in range(max((len(spans) for of in listed for spans in of), default=0)):
        spans = np.array([[of[nth] if nth < len(of) else NEVER for of in by_day] for by_day in listed])[:, at, None, :]
        start = np.maximum(np.maximum(spans[..., 0], first), opens)
        end = np.minimum(np.minimum(spans[..., 1], closes), until)
        is_fit = (start <= last) & (start + stays <= end)
        windows[..., 0] = np.minimum(windows[..., 0], np.where(is_fit, start, NEVER[0]))
        windows[..., 1] = np.maximum(windows[..., 1], np.where(is_fit, end, NEVER[1]))
    return windows[of_option]


@lru_cache(maxsize=1 << 16)
def _fit(
    spans: Sequence[Window], stay_min: int, stretch_opens: int, stretch_closes: int, meal: int | None
) -> tuple[int, int] | None:
    first, last, until = _window(meal)
    windows = []
    for opens, closes in spans:
        start = max(opens, first, stretch_opens)
        end = min(closes, stretch_closes, until)
        if start <= last and start + stay_min <= end:
            windows.append((start, end))
    return (min(start for start, _ in windows), max(end for _, end in windows)) if windows else None


def _window(meal: int | None) -> tuple[int, int, int]:
    """Return the first and the last minute at which a visit begins, and until when it lasts at most."""
    if meal is None:
        return 0, NO_CAP * 60, NEVER[0]
    first, last = MEAL_WINDOWS[meal]
    return first, last, last + MEAL_MIN


def stretches_of(trip: Trip, legs: Sequence[Sequence[Service]]) -> list[list[Stretch]]:
    """Return, for each day of the trip, its stretches for every choice of services at their ends."""
    days = trip.leg_days
    opens, closes = CHILD_DAY if trip.children else DAY
    stretches: list[list[Stretch]] = [[] for _ in range(trip.days)]
    for nth in range(len(days) - 1):
        for day in range(days[nth], days[nth + 1] + 1):
            comes = list(enumerate(legs[nth])) if day == days[nth] else [(-1, None)]
            goes = list(enumerate(legs[nth + 1])) if day == days[nth + 1] else [(-1, None)]
            for (s, arrival), (t, departure) in product(comes, goes):
                first = max(opens, arrival.arrives + TRANSFER_MIN) if arrival else opens
                last = min(closes, departure.departs - TRANSFER_MIN) if departure else closes
                ridden = (*(((nth, s),) if arrival else ()), *(((nth + 1, t),) if departure else ()))
                if first < last:
                    stretches[day].append(Stretch(day, nth, ridden, first, last))
    return stretches


def widest(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Return, of a day's stretches, for each city one from its first arrival to its last departure.

    Whatever fits any of the city's stretches fits it, and it is one of them.
    """
    by_city: dict[int, list[Stretch]] = {}
    for stretch in stretches:
        by_city.setdefault(stretch.nth, []).append(stretch)
    return [min(city_stretches, key=lambda one: (one.opens, -one.closes)) for city_stretches in by_city.values()]
