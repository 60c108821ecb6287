"""Strict certification of a witness plan: what a task's plan must be for the task to ship. Never imports the solver."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from assets.itinbench.checks.limits import broken_limits, price_signs, ways_m
from assets.itinbench.checks.matching import Matcher
from assets.itinbench.checks.metrics import PlanScore, judge_plan, score_plan
from assets.itinbench.checks.plans import MEALS, NOBODY, VISITS, Named, PlanDay, day_labels, read_plan
from assets.itinbench.checks.ratios import MatchedDay, Pool, match_days
from assets.itinbench.checks.rules import RULES
from assets.itinbench.tables import Record
from schemas.counts import counted
from schemas.shown import in_few_words

if TYPE_CHECKING:
    import pandas as pd

SLOT_VISITS = (1, 2, 1)
"""Attractions of a morning, an afternoon and a night (facts 2.D)."""


class Violation(NamedTuple):
    """One break of one of the RULES, in words."""

    rule: str
    text: str


class _Use(NamedTuple):
    kind: str
    where: str
    place_id: str


class Checker:
    """The pool of one city, ready to certify witness plans; make it once for many plans."""

    def __init__(self, places: pd.DataFrame) -> None:
        self._pool = Pool(places)
        self._matcher = Matcher(places, "ours")
        self._ids_by_place: dict[tuple[str, str, str], list[str]] = {}
        columns = (places[column] for column in ("kind", "place_id", "name", "address"))
        for kind, place_id, name, address in zip(*columns, strict=True):
            self._ids_by_place.setdefault((str(kind), str(name), str(address)), []).append(str(place_id))

    @property
    def pool(self) -> Pool:
        """Return the facts of the city's places."""
        return self._pool

    def checks(self, plan: Any, record: Record) -> list[dict[str, Any]]:
        """Return every rule with its verdict: [{check, holds}], in the order of RULES."""
        broken = {violation.rule for violation in self.breaks(plan, record)}
        return [{"check": rule, "holds": rule not in broken} for rule in RULES]

    def violations(self, plan: Any, record: Record) -> list[str]:
        """Return every break of the RULES in words, `rule: what was found`; empty means certified."""
        return [f"{rule}: {text}" for rule, text in self.breaks(plan, record)]

    def breaks(self, plan: Any, record: Record, *, sparing: bool = False) -> list[Violation]:
        """Return every break of the RULES; `plan` as `plans.py` describes it.

        A `sparing` judge looks at tours, which takes longest, only where nothing else is broken.
        """
        days, notes = read_plan(plan, carry_stay=False)
        violations = [Violation("format", note) for note in notes]
        if len(days) != record["days"]:
            violations.append(
                Violation("days", f"the plan has {counted(len(days), 'day')}; the record asks for {record['days']}")
            )
        violations += [
            Violation("days", f"day {number} is called {in_few_words(label)}, expected '{number}'")
            for number, label in enumerate(day_labels(plan), 1)
            if label != str(number)
        ]
        uses: list[_Use] = []
        for number, day in enumerate(days, 1):
            uses.extend(self._read_day(number, day, violations))
        for use in uses:
            violations.extend(self._unfit(use, record))
        violations.extend(_repetitions(uses))
        violations.extend(
            Violation(*broken) for broken in broken_limits(match_days(days, self._matcher), record, self._pool)
        )
        if not violations or not sparing:
            violations.extend(_gaps(score_plan("", plan, record, self._pool, self._matcher)))
        return violations

    def meets(self, plan: Any, record: Record) -> bool:
        """Return whether the plan is valid by the published metrics (VR), corrected, and keeps the record's limits."""
        return judge_plan("", plan, record, self._pool, self._matcher)[0].valid

    def limits_broken(self, plan: Any, record: Record) -> list[str]:
        """Return the rules of the limits that the plan breaks."""
        days, _ = read_plan(plan, carry_stay=True)
        return [rule for rule, _ in broken_limits(match_days(days, self._matcher), record, self._pool)]

    def matched_days(self, plan: Any) -> list[MatchedDay]:
        """Return the days of a plan as places of the pool."""
        return match_days(read_plan(plan, carry_stay=False)[0], self._matcher)

    def ways_and_signs(self, plan: Any) -> tuple[list[float | None], int | None]:
        """Return the way of each day in metres, and the price signs of the plan's places; None where unknown."""
        days = match_days(read_plan(plan, carry_stay=True)[0], self._matcher)
        return ways_m(days, self._pool), price_signs(days, self._pool)

    def _read_day(self, number: int, day: PlanDay, violations: list[Violation]) -> Iterator[_Use]:
        """Yield the day's places; what is no place of the pool goes to `violations`."""
        day_places: list[tuple[str, str, Named]] = [
            ("restaurant", f"day {number} {slot}", meal) for slot, meal in zip(MEALS, day.meals, strict=True)
        ]
        for slot, part, expected_count in zip(VISITS, day.visits, SLOT_VISITS, strict=True):
            if len(part) != expected_count:
                violations.append(
                    Violation(
                        "visits",
                        f"day {number} {slot} has {counted(len(part), 'attraction')}; expected {expected_count}",
                    )
                )
            day_places.extend(("attraction", f"day {number} {slot} {i}", visit) for i, visit in enumerate(part, 1))
        day_places.append(("stay", f"day {number} accommodation", day.stay))
        for kind, where, place in day_places:
            place_id = self._find(kind, where, place, violations)
            if place_id is not None:
                yield _Use(kind, where, place_id)

    def _find(self, kind: str, where: str, place: Named, violations: list[Violation]) -> str | None:
        if place == NOBODY:
            violations.append(Violation("format", f"{where} is missing"))
            return None
        spelled = f"{where}: {place[0]!r}, {place[1]!r}"
        listed = self._ids_by_place.get((kind, *place), [])
        if not listed:
            violations.append(Violation("pool", f"{spelled} is no {kind} of the pool"))
            return None
        if len(listed) > 1:
            violations.append(Violation("pool", f"{spelled} is listed {counted(len(listed), 'time')} in the pool"))
        elif self._matcher.resolve(kind, *place) != listed[0]:
            violations.append(Violation("pool", f"{spelled}: the scorer takes it for another place than {listed[0]}"))
        return listed[0]

    def _unfit(self, use: _Use, record: Record) -> Iterator[Violation]:
        """Yield every demand of the record that the place does not meet."""
        kind, where, place_id = use
        what = f"{where}: {self._pool.get(kind, place_id)['name']!r}"
        if not self._pool.fits_price(kind, place_id, record):
            yield Violation("budget", f"{what} is not of a {record['price']} budget")
        if kind == "attraction" and not self._pool.fits_orientation(place_id, record):
            yield Violation("orientation", f"{what} is not {record['orientation']} oriented")
        if kind == "restaurant" and not self._pool.fits_cuisine(place_id, record):
            yield Violation("cuisine", f"{what} does not serve {record['cuisine']} food")
        rule, attributes = {"restaurant": ("restaurant", record["restaurant"]), "stay": ("hotel", record["hotel"])}.get(
            kind, ("", [])
        )
        for attribute in attributes:
            if not self._pool.fits_rating(kind, place_id, attribute):
                yield Violation(rule, f"{what} has no good {attribute}")


def check_witness(plan: Any, record: Record, places: pd.DataFrame) -> list[str]:
    """Return every break of the RULES in words, `rule: what was found`; empty means certified."""
    return Checker(places).violations(plan, record)


def _repetitions(uses: list[_Use]) -> Iterator[Violation]:
    """Yield where a place is used again, and whether the nights are spent at several stays."""
    stays = {use.place_id for use in uses if use.kind == "stay"}
    if len(stays) > 1:
        yield Violation("one_stay", f"the plan has {counted(len(stays), 'stay')}; expected one for all nights")
    first: dict[str, _Use] = {}
    for use in uses:
        before = first.setdefault(use.place_id, use)
        if before is not use and not use.kind == before.kind == "stay":
            yield Violation("distinct", f"{use.where}: {use.place_id} is used before, as {before.where}")


def _gaps(score: PlanScore) -> Iterator[Violation]:
    """Yield every tour that is longer than its optimum, and what could not be measured."""
    for number, gap in enumerate(score.days, 1):
        if gap.planned != gap.optimal:
            yield Violation("day_tours", f"day {number} is {gap.planned:.9g} long, its optimum {gap.optimal:.9g}")
    if score.trip is None or score.jumps is None:
        yield Violation("trip", "the whole trip cannot be measured")
        return
    if score.trip.planned != score.trip.optimal:
        yield Violation("trip", f"the trip is {score.trip.planned:.9g} long, its optimum {score.trip.optimal:.9g}")
    if score.jumps[0] != 0:
        yield Violation("jumps", f"the trip has {counted(score.jumps[0], 'cluster jump')}; expected 0")
