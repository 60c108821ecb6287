"""What a certificate says of a witness beside its plan, measured again from the plan and the pool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

from assets.itinbench.checks.certify import Checker
from assets.itinbench.checks.limits import ways_m
from assets.itinbench.checks.plans import MEALS
from assets.itinbench.checks.ratios import MatchedDay
from assets.itinbench.checks.tours import Day, trip_length

SERVED_AS = {"breakfast": {"breakfast", "brunch"}, "lunch": {"lunch"}, "dinner": {"dinner"}}
"""By meal of a plan, what the meals of a restaurant that is known to serve it are called."""

LENGTH_TIE, METRE_TIE = 1e-8, 2e-3
"""Lengths in thousandths of a degree, and in metres, that differ by less are equal: sums are rounded when written."""


def otherwise_measured(checker: Checker, plan: Any, proof: dict[str, Any]) -> Iterator[str]:
    """Yield what is said of a plan that the checker accepts and is not so."""
    days = checker.matched_days(plan)
    yield from _different("place_ids", proof["place_ids"], _place_ids(days))
    yield from _tours(checker, days, proof["scorer"])
    yield from _geodesic(checker, days, proof["geodesic"])
    yield from _meals(checker, days, proof)


def _place_ids(days: list[MatchedDay]) -> dict[str, Any]:
    return {
        "stay": days[0].stay,
        "attractions": [day.found_visits() for day in days],
        "restaurants": [list(day.meals) for day in days],
    }


def _tours(checker: Checker, days: list[MatchedDay], proof: dict[str, Any]) -> Iterator[str]:
    """Yield where lengths differ from those of the plan, which are the least: the rules of certification ask that."""
    ways = [_day(checker, str(day.stay), day.found_visits()) for day in days]
    yield from _different("scorer/unit", proof["unit"], "thousandths of a degree")
    for name, stated, lengths in (
        ("days_optimum", proof["days_optimum"], [trip_length([way]) for way in ways]),
        ("trip_optimum", [proof["trip_optimum"]], [trip_length(ways)]),
    ):
        if not _alike(stated, lengths, LENGTH_TIE):
            yield f"scorer/{name} is said to be {stated}, found {lengths}"


def _geodesic(checker: Checker, days: list[MatchedDay], proof: dict[str, Any]) -> Iterator[str]:
    """Yield where metres are not those of the plan, and of the days that are said to be the least trip's."""
    stay, best = days[0].stay, proof["optimum_days"]
    planned = [day.found_visits() for day in days]
    yield from _different("geodesic/unit", proof["unit"], "m")
    yield from _different("geodesic/differs", proof["differs"], proof["trip_optimum_m"] < proof["trip_m"])
    visits, others = (Counter(chain.from_iterable(of_days)) for of_days in (planned, best))
    if list(map(len, best)) != list(map(len, planned)) or visits != others:
        yield "geodesic/optimum_days are not the plan's attractions, as many a day"
        return
    for name, of_days in (("trip_m", planned), ("trip_optimum_m", best)):
        length_m = sum(filter(None, ways_m([MatchedDay((), (tuple(day),), stay) for day in of_days], checker.pool)))
        if not _alike([proof[name]], [length_m], METRE_TIE):
            yield f"geodesic/{name} is said to be {proof[name]}, found {length_m:.3f}"


def _meals(checker: Checker, days: list[MatchedDay], proof: dict[str, Any]) -> Iterator[str]:
    served = {
        meal: sum(
            not SERVED_AS[meal].isdisjoint(checker.pool.get("restaurant", str(day.meals[at]))["meals"]) for day in days
        )
        for at, meal in enumerate(MEALS)
    }
    yield from _different("meals_known_as_served", proof["meals_known_as_served"], served)
    breakfasts = served["breakfast"]
    lacking = f"not offered by {len(days) - breakfasts} of {len(days)} days"
    breakfast_proof = {
        "days": len(days),
        "served": breakfasts,
        "statement": "served" if breakfasts == len(days) else lacking,
    }
    yield from _different("breakfast", {name: proof["breakfast"][name] for name in breakfast_proof}, breakfast_proof)


def _day(checker: Checker, stay: str, visits: list[str]) -> Day:
    start = checker.pool.point("stay", stay)
    return Day(start, start, tuple(checker.pool.point("attraction", visit) for visit in visits))


def _alike(stated: list[float], measured: list[float], tie: float) -> bool:
    return len(stated) == len(measured) and all(abs(a - b) <= tie for a, b in zip(stated, measured, strict=True))


def _different(name: str, stated: Any, measured: Any) -> Iterator[str]:
    if stated != measured:
        yield f"{name} is said to be {stated!r:.80}, found {measured!r:.80}"
