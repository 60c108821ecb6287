"""The checks of a plan against the facts: opening hours, prices, timetables, and how fast one can move in a city."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cached_property

from assets.grouptravel.checks.entries import Entry, entries_of
from assets.grouptravel.checks.utility import ride_price
from assets.grouptravel.facts.fares import Fares
from assets.grouptravel.facts.money import in_hundredths
from assets.grouptravel.facts.opening import is_open_as_text, is_within, open_spans
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import TYPE_OF_ACTIVITY, Pois, distance_km
from assets.grouptravel.plan import LOCAL, Activity, Day, Plan
from assets.grouptravel.variants import Variant
from assets.grouptravel.vocabulary import CAR, EN, LOCAL_SPEED_LIMITS_KMH, Vocabulary

PRICE_TOLERANCE = 0.01
"""In paper, a stated cost agrees with a known price within this share of it, and always within one unit [I]; in ours
it is that price in hundredths, as `utility.py` counts it: less on every meal would be a wider budget."""


@dataclass(frozen=True)
class Issue:
    """One thing that is wrong with a plan: the check that found it, its published type, the day, the user if any."""

    check: str
    kind: str
    day: int
    user: str
    detail: str

    @property
    def in_words(self) -> str:
        """Return what is wrong, in words."""
        return f"{self.kind} on day {self.day} {self.user} {self.detail}".strip()


@dataclass(frozen=True)
class Facts:
    """What a plan is checked against. Without fares, dates or a departure city, what needs them is not looked at."""

    users: tuple[str, ...]
    pois: Pois
    vocabulary: Vocabulary = EN
    departure_city: str | None = None
    first_date: dt.date | None = None
    fares: Fares | None = None
    children: tuple[str, ...] = ()
    """Users too small for a table."""
    days: int | None = None
    cities: tuple[str, ...] = ()
    """The cities gone to, in the order in which the task names them."""


@dataclass(frozen=True)
class Case:
    """One plan to check: against which facts, by which reading of the rules."""

    plan: Plan
    facts: Facts
    variant: Variant

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Return what is done inside cities, in the order of the plan."""
        return tuple(entries_of(self.plan, self.facts.users, self.facts.pois))


def opening_hours(case: Case) -> list[Issue]:
    """Check 5: visits lie in opening hours where place, hours and date are known; in paper and ours meals too (G9)."""
    issues: list[Issue] = []
    kinds = ("attraction", "food") if case.variant.restaurants_have_hours else ("attraction",)
    for position, day in enumerate(case.plan.days):
        date = date_of(case, position)
        if case.variant.dates_are_the_task_s and case.facts.first_date and day.date not in ("", str(date)):
            issues.append(Issue("opening_hours", "wrong_date", day.number, "", f"{day.date!r:.40}, expected {date}"))
        for block in day.blocks if date is not None else ():
            for act in block.activities or ():
                if act.kind not in kinds or date is None:
                    continue
                poi = case.facts.pois.find(act.location, block.city, TYPE_OF_ACTIVITY[act.kind])
                if poi is not None and _is_in_hours(poi, date, act, case) is False:
                    when = f"{act.location}, {date} {act.start_text} to {act.end_text}"
                    issues.append(Issue("opening_hours", "outside_opening_hours", day.number, "", when))
    return issues


def _is_in_hours(poi: Poi, date: dt.date, act: Activity, case: Case) -> bool | None:
    """Return whether the visit lies in opening hours; None where the hours or its times are not known."""
    variant, memo = case.variant, case.facts.pois.found_out
    if variant.windows_stand_alone:
        return is_open_as_text(poi.hours, date, act.start_text, act.end_text, variant)
    if act.start is None or act.end is None:
        return None
    key = ("spans", poi.place_id, date, variant.first_rule_decides)
    if key not in memo:
        memo[key] = open_spans(poi.hours, date, variant)
    return None if memo[key] is None else is_within(memo[key], act.start, act.end)


def costs(case: Case) -> list[Issue]:
    """Check 8: food, hotels and legs have a cost; in paper and ours at least 0 and in line with the price (G9).

    A move inside a city need not say what it costs; in ours what it says is the price.
    """
    issues = []
    for position, day in enumerate(case.plan.days):
        date = date_of(case, position)
        priced: list[tuple[Activity, list[float]]] = [(leg, _leg_prices(leg, date, case.facts)) for leg in day.legs]
        for block in day.blocks:
            paid = (act for act in block.activities or () if act.kind in ("food", "hotel"))
            priced += [(act, _place_prices(act, block.city, case.facts)) for act in paid]
        if case.variant.local_moves_cost:
            moves = [(act, block.city) for block in day.blocks for act in block.activities or () if act.kind == LOCAL]
            for act, city in (one for one in moves if one[0].cost is not None):
                price = ride_price(act, city, case.facts.users, case.facts.pois)
                priced += [(act, [] if price is None else [price])]
        for act, listed_prices in priced:
            if act.cost is None:
                issues.append(Issue("costs", "missing_avg_cost", day.number, "", act.place))
            elif case.variant.costs_are_known and (
                act.cost < 0
                or (listed_prices and not any(_agrees(act.cost, price, case.variant) for price in listed_prices))
            ):
                prices = ", ".join(f"{price:g}" for price in listed_prices[:5]) or "at least 0"
                issues.append(
                    Issue("costs", "wrong_avg_cost", day.number, "", f"{act.place}: {act.cost:g}, not {prices}")
                )
    return issues


def services(case: Case) -> list[Issue]:
    """Return legs by modes that are not allowed or do not run, and local moves that nothing is fast enough for (G9)."""
    issues = []
    for position, day in enumerate(case.plan.days):
        date = date_of(case, position)
        for leg in day.legs:
            mode = case.facts.vocabulary.mode_key(leg.mode)
            what = f"{leg.mode!r:.30} from {leg.origin} to {leg.destination} at {leg.start_text}"
            if case.variant.legs_are_public and mode in (None, CAR):
                issues.append(Issue("intercity", "leg_by_other_mode", day.number, "", what))
            if case.variant.legs_have_service and not _runs(leg, mode, date, case):
                issues.append(Issue("intercity", "no_such_service", day.number, "", what))
        if case.variant.local_moves_are_feasible:
            issues += _too_fast(day, case.facts)
    return issues


def date_of(case: Case, position: int) -> dt.date | None:
    """Return the date of the plan's day at a position: the task's where it is known, else what the plan says.

    None where that is no date, and after the calendar's last.
    """
    try:
        if case.variant.dates_are_the_task_s and case.facts.first_date is not None:
            return case.facts.first_date + dt.timedelta(days=position)
        return dt.datetime.strptime(case.plan.days[position].date, "%Y-%m-%d").date()
    except (ValueError, OverflowError):
        return None


def _runs(leg: Activity, mode: str | None, date: dt.date | None, case: Case) -> bool:
    facts = case.facts
    if facts.fares is None or (mode == CAR and not case.variant.conditions_hold):
        return mode is not None
    timetable = facts.fares.services(leg.origin, leg.destination, mode=mode, date=date)
    return mode is not None and any((s.departs, s.arrives) == (leg.start, leg.end) for s in timetable)


def _too_fast(day: Day, facts: Facts) -> list[Issue]:
    issues = []
    for block in day.blocks:
        for act in block.activities or ():
            if act.kind != LOCAL or act.start is None or act.end is None:
                continue
            one, other = (facts.pois.meant(name, block.city) for name in (act.origin, act.destination))
            apart = distance_km(one.point, other.point) if one and other and one.point and other.point else None
            mode = next((key for key, word in facts.vocabulary.local_modes.items() if word == act.mode), "taxi")
            if apart is not None and apart > LOCAL_SPEED_LIMITS_KMH[mode] * (act.end - act.start) / 60:
                what = f"{apart:.1f} km from {act.origin} to {act.destination} in {act.end - act.start} min"
                issues.append(Issue("intercity", "impossible_local_move", day.number, "", what))
    return issues


def _leg_prices(leg: Activity, date: dt.date | None, facts: Facts) -> list[float]:
    mode = facts.vocabulary.mode_key(leg.mode)
    if facts.fares is None or mode in (None, CAR):
        return []
    timetable = facts.fares.services(leg.origin, leg.destination, mode=mode, date=date)
    timed = [service for service in timetable if (service.departs, service.arrives) == (leg.start, leg.end)]
    return [service.price for service in timed or timetable]


def _place_prices(act: Activity, city: str, facts: Facts) -> list[float]:
    poi = facts.pois.find(act.location, city, TYPE_OF_ACTIVITY[act.kind])
    return [poi.cost] if poi is not None and poi.cost is not None else []


def _agrees(stated: float, price: float, variant: Variant) -> bool:
    if variant.conditions_hold:
        return in_hundredths(stated) == in_hundredths(price)
    return abs(stated - price) <= max(1.0, PRICE_TOLERANCE * price)
