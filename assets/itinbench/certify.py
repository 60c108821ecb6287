"""Strict certification of a witness plan: what a task's plan must be for the task to ship. Never imports the solver."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from assets.itinbench.matching import Matcher
from assets.itinbench.metrics import VISITS_PER_DAY, PlanScore, score_plan
from assets.itinbench.plans import MEALS, NOBODY, VISITS, Named, PlanDay, read_plan
from assets.itinbench.ratios import Pool
from assets.itinbench.tables import Record

if TYPE_CHECKING:
    import pandas as pd

SLOT_VISITS = (1, 2, 1)
"""Attractions of a morning, an afternoon and a night (facts 2.D)."""


class Checker:
    """The pool of one city, ready to certify witness plans; make it once for many plans."""

    def __init__(self, places: pd.DataFrame) -> None:
        self._pool = Pool(places)
        self._matcher = Matcher(places, "ours")
        self._listed: dict[tuple[str, str, str], list[str]] = {}
        for kind, place_id, name, address in zip(
            places["kind"], places["place_id"], places["name"], places["address"], strict=True
        ):
            self._listed.setdefault((str(kind), str(name), str(address)), []).append(str(place_id))

    def violations(self, plan: Any, record: Record) -> list[str]:
        """Return every rule that the plan breaks, in words; empty means certified.

        The rules: the record's number of days; breakfast, lunch and dinner at restaurants, no two the same in the whole
        trip, each of the budget, the cuisine and good in every restaurant preference; one, two and one attractions a
        morning, afternoon and night, no two the same, each of the budget and the orientation; every night at one stay
        of the budget, good in every hotel preference; no place used as two things; every place spelled as the pool
        lists it, and so that the scorer understands that place; no gap to the optimum of a day or of the whole trip and
        no cluster jump, in the scorer's metric.
        """
        days, found = read_plan(plan, carry_stay=False)
        if len(days) != record["days"]:
            found.append(f"the plan has {len(days)} days; the record asks for {record['days']}")
        used = [self._read_day(number, day, found) for number, day in enumerate(days, 1)]
        for kind, where, place_id in [use for uses in used for use in uses]:
            found.extend(f"{where}: {problem}" for problem in self._unfit(kind, place_id, record))
        found.extend(_repetitions([use for uses in used for use in uses]))
        found.extend(_gaps(score_plan("", plan, record, self._pool, self._matcher)))
        return found

    def _read_day(self, number: int, day: PlanDay, found: list[str]) -> list[tuple[str, str, str]]:
        """Return the day's places as kind, slot and place_id; what is no place of the pool goes to `found`."""
        named: list[tuple[str, str, Named]] = [
            ("restaurant", f"day {number} {slot}", meal) for slot, meal in zip(MEALS, day.meals, strict=True)
        ]
        for slot, part, wanted in zip(VISITS, day.visits, SLOT_VISITS, strict=True):
            if len(part) != wanted:
                found.append(f"day {number} {slot} has {len(part)} attractions; expected {wanted}")
            named.extend(("attraction", f"day {number} {slot} {i}", visit) for i, visit in enumerate(part, 1))
        if sum(len(part) for part in day.visits) != VISITS_PER_DAY:
            found.append(f"day {number} has {sum(len(p) for p in day.visits)} attractions; expected {VISITS_PER_DAY}")
        named.append(("stay", f"day {number} accommodation", day.stay))
        return [
            (kind, where, place_id)
            for kind, where, place in named
            if (place_id := self._find(kind, where, place, found))
        ]

    def _find(self, kind: str, where: str, place: Named, found: list[str]) -> str | None:
        if place == NOBODY:
            found.append(f"{where} is missing")
            return None
        listed = self._listed.get((kind, *place), [])
        if not listed:
            found.append(f"{where}: {place[0]!r}, {place[1]!r} is no {kind} of the pool")
            return None
        if len(listed) > 1:
            found.append(f"{where}: {place[0]!r}, {place[1]!r} is listed {len(listed)} times in the pool")
        if self._matcher.resolve(kind, *place) != listed[0]:
            found.append(f"{where}: the scorer takes {place[0]!r}, {place[1]!r} for another place than {listed[0]}")
        return listed[0]

    def _unfit(self, kind: str, place_id: str, record: Record) -> Iterator[str]:
        """Yield every demand of the record that the place does not meet."""
        name = self._pool.get(kind, place_id)["name"]
        if not self._pool.fits_price(kind, place_id, record):
            yield f"{name!r} is not of a {record['price']} budget"
        if kind == "attraction" and not self._pool.fits_orientation(place_id, record):
            yield f"{name!r} is not {record['orientation']} oriented"
        if kind == "restaurant" and not self._pool.fits_cuisine(place_id, record):
            yield f"{name!r} does not serve {record['cuisine']} food"
        wanted = {"restaurant": record["restaurant"], "stay": record["hotel"]}.get(kind, [])
        for attribute in wanted:
            if not self._pool.fits_rating(kind, place_id, attribute):
                yield f"{name!r} has no good {attribute}"


def check_witness(plan: Any, record: Record, places: pd.DataFrame) -> list[str]:
    """Return every rule of certification that the plan breaks; empty means certified (see `Checker.violations`)."""
    return Checker(places).violations(plan, record)


def _repetitions(uses: list[tuple[str, str, str]]) -> list[str]:
    """Return where a place is used again: any but the stay, as which one place must serve every night."""
    found: list[str] = []
    first: dict[str, tuple[str, str]] = {}
    stays = list(dict.fromkeys(place_id for kind, _, place_id in uses if kind == "stay"))
    if len(stays) > 1:
        found.append(f"the plan has {len(stays)} stays; expected one for all nights")
    for kind, where, place_id in uses:
        before = first.setdefault(place_id, (kind, where))
        if before[1] != where and not kind == before[0] == "stay":
            found.append(f"{where}: {place_id} is used before, as {before[1]}")
    return found


def _gaps(score: PlanScore) -> list[str]:
    """Return every tour that is longer than its optimum, and everything that could not be measured."""
    found = [
        f"day {number}: the tour is {gap.planned:.9g} long, its optimum {gap.optimal:.9g}"
        for number, gap in enumerate(score.days, 1)
        if gap.planned != gap.optimal
    ]
    if score.trip is None or score.jumps is None:
        return [*found, "the whole trip cannot be measured"]
    if score.trip.planned != score.trip.optimal:
        found.append(f"the trip is {score.trip.planned:.9g} long, its optimum {score.trip.optimal:.9g}")
    if score.jumps[0] != 0:
        found.append(f"the trip has {score.jumps[0]} cluster jumps; expected 0")
    return found
