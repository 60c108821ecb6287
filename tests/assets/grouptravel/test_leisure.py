"""When the visits of a schedule are: later where people would have them later, and always as the schedule allows."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise, permutations
from typing import Any

from assets.grouptravel.conditions import AT_ONCE_MIN, MEAL_GAP_MIN, MEAL_MIN, MEAL_WINDOWS
from assets.grouptravel.witness.leisure import (
    MEALS_BEGIN,
    ROUND_MIN,
    SIGHTS_BEGIN,
    idleness,
    in_turn,
    lingering,
    unhurried,
    with_a_sight_elsewhere,
)
from assets.grouptravel.witness.parts import Part
from assets.grouptravel.witness.realisation import Realiser
from assets.grouptravel.witness.schedule import MIDNIGHT, Frame, Move, Stop, Timed, ordered
from assets.grouptravel.witness.stretches import Stretch
from tests.assets.grouptravel.test_attacker import wide_trip
from tests.assets.grouptravel.test_full_days import planned, town
from tests.assets.grouptravel.weekend import POIS

BED, FOOD = POIS.in_city("Oulu", "hotels")[0], POIS.in_city("Oulu", "food")
SIGHTS = [replace(poi, category="museum") for poi in POIS.in_city("Oulu", "attractions")]
ALWAYS = ((0, MIDNIGHT),)
DAY = Frame(BED, BED, 480, 1320, 6000.0)


def near(one: Any, other: Any) -> tuple[str, int]:
    return "walk", 5


def meals(*numbers: int) -> list[Stop]:
    return [Stop(FOOD[number % 2], MEAL_MIN, ALWAYS, number) for number in numbers]


def sight(number: int = 0, spans: tuple[tuple[int, int], ...] = ALWAYS, category: str = "museum") -> Stop:
    return Stop(replace(SIGHTS[number], category=category), 30, spans, None)


def begins(timed: list[Timed]) -> list[int]:
    return [begin for _, begin, _ in timed]


def at_leisure(stops: list[Stop], frame: Frame = DAY, move: Move = near) -> list[Timed]:
    order = in_turn(stops, frame, move)
    assert order is not None
    return unhurried(order[0], frame, move)


def test_meals_are_when_people_have_them_and_sights_lie_between():
    assert begins(at_leisure(meals(0, 1, 2))) == list(MEALS_BEGIN)
    breakfast, first, second, lunch = begins(at_leisure([*meals(0), sight(0), sight(1), *meals(1)]))
    assert (breakfast, lunch) == MEALS_BEGIN[:2]
    waits = (first - breakfast - MEAL_MIN, second - first - 30, lunch - second - 30)
    assert max(waits) - min(waits) <= 2 * ROUND_MIN
    assert begins(at_leisure([sight(), *meals(1)]))[0] >= SIGHTS_BEGIN


def test_what_follows_a_meal_goes_with_it_and_holds_it_where_it_must():
    late = sight(0, ((1080, 1140),))  # shuts at seven: the dinner before it cannot be at seven
    dinner, last = begins(at_leisure([*meals(2), late]))
    assert (dinner, last) == (1110 - 5 - MEAL_MIN, 1110)
    dinner, bar = begins(at_leisure([*meals(2), sight(0, category="bar")]))
    assert dinner == MEALS_BEGIN[2] and bar >= dinner + MEAL_MIN + 5


def test_what_comes_after_is_left_its_time():
    early_lunch = Stop(FOOD[1], MEAL_MIN, ((660, 710),), 1)
    assert begins(at_leisure([*meals(0), early_lunch])) == [665 - MEAL_GAP_MIN - MEAL_MIN, 665]
    far = begins(at_leisure(meals(2), move=lambda one, other: ("walk", 300 if other is BED else 5)))
    assert far == [1135 - MEAL_MIN]  # in bed at midnight, five hours from here


def test_other_teams_minutes_are_kept_clear_of():
    frame = replace(DAY, shunned=frozenset({MEALS_BEGIN[2], MEALS_BEGIN[2] + ROUND_MIN + MEAL_MIN}))
    assert begins(at_leisure(meals(2), frame)) == [MEALS_BEGIN[2] + 2 * ROUND_MIN]
    met = replace(DAY, arrivals_by_place={FOOD[0].place_id: (MEALS_BEGIN[2] + 10,)})
    assert abs(begins(at_leisure(meals(2), met))[0] - MEALS_BEGIN[2] - 10) > AT_ONCE_MIN


def is_kept_to(timed: list[Timed], frame: Frame, move: Move) -> bool:
    """Return whether visits lie in hours, mealtimes, the day and the ways between them, by their own definitions."""
    at, now, fed = frame.origin, frame.opens, frame.meals[0]
    for stop, begin, end in timed:
        assert at is not None
        is_open = any(opens <= begin and end <= shuts for opens, shuts in stop.spans)
        is_meal = stop.meal is not None
        last = min(frame.closes, frame.meals[1]) if is_meal else frame.closes
        arrives = move(at, stop.poi)[1] + (now if at is not frame.origin else 0)
        if not (is_open and end - begin >= stop.stay_min and begin >= max(arrives, frame.opens) and end <= last):
            return False
        if stop.meal is not None and not (
            begin >= fed and MEAL_WINDOWS[stop.meal][0] <= begin <= MEAL_WINDOWS[stop.meal][1]
        ):
            return False
        at, now, fed = stop.poi, end, end + MEAL_GAP_MIN if is_meal else fed
    return frame.bed is None or at is None or now + move(at, frame.bed)[1] < MIDNIGHT


def test_whatever_can_be_ordered_is_kept_to_when_it_is_spread():
    draws, moved = random.Random(5), 0
    places = [*FOOD, *SIGHTS, BED]
    for _ in range(1500):
        stops = [replace(stop, spans=((draws.choice((0, 600)), draws.choice((1100, 1300))),)) for stop in meals(1, 2)]
        for number in range(draws.randint(0, 3)):
            first = draws.choice((0, 540, 1020))
            spans = ((first, first + draws.choice((120, 600))), (1200, 1300)) if draws.random() < 0.7 else ALWAYS
            stops.append(replace(sight(number), spans=spans, stay_min=draws.choice((30, 90))))
        frame = replace(
            DAY,
            opens=draws.randrange(480, 720),
            closes=draws.choice((1200, 1320)),
            meals=(draws.choice((0, 700)), draws.choice((MIDNIGHT, 1180))),
        )
        minutes = {(a.place_id, b.place_id): draws.choice((5, 20, 90)) for a in places for b in places}

        def move(one: Any, other: Any, minutes: dict[tuple[str, str], int] = minutes) -> tuple[str, int]:
            return "walk", minutes[one.place_id, other.place_id]

        order = ordered(stops, frame, move)
        for timed in () if order is None else (order[0], *_otherwise(order[0], frame, move)):
            spread = unhurried(timed, frame, move)
            longer, more = lingering(spread, frame, move, 60)
            assert is_kept_to(spread, frame, move) and is_kept_to(longer, frame, move)
            assert begins(longer) == begins(spread) and more <= 60
            assert all(end - begin == stop.stay_min for stop, begin, end in spread)
            assert [stop for stop, _, _ in spread] == [stop for stop, _, _ in timed]
            assert all(one <= other for one, other in zip(begins(timed), begins(spread), strict=True))
            moved += begins(spread) != begins(timed)
    assert moved > 500


def _otherwise(timed: list[Timed], frame: Frame, move: Move) -> list[list[Timed]]:
    orders = (in_turn(stops, frame, move) for stops in with_a_sight_elsewhere(timed))
    return [order[0] for order in orders if order is not None]


def test_an_order_fits_as_it_is_searched_for():
    stops = [*meals(1, 2), sight(0, ((1140, 1200),)), sight(1)]
    best = ordered(stops, DAY, near)
    in_orders = [order for given in permutations(stops) if (order := in_turn(given, DAY, near)) is not None]
    assert best is not None and min(active for _, active in in_orders) == best[1]
    assert in_turn(stops, replace(DAY, active_min=best[1] - 1), near) is None


class Priced(Realiser):
    """A realiser of an ordered day whose moves cost a coin for each meal that another stop comes after."""

    def __init__(self, left: float) -> None:
        super().__init__(wide_trip(), POIS, [], [])
        self._money_left = left

    def _rides(self, part: Part) -> float:
        pairs = pairwise(stop.meal is not None for stop, _, _ in part.timed)
        return float(sum(is_meal and not is_next_meal for is_meal, is_next_meal in pairs))


def taken_time(stops: list[Stop], left: float = 9.0) -> Part:
    order = ordered(stops, DAY, near)
    assert order is not None
    part = Part(Stretch(0, 0, (), 480, 1320), DAY, [], order[0], near, order[1])
    realiser = Priced(left)
    realiser._take_time(part, [part])
    assert realiser._money_left >= 0
    return part


def test_sights_are_not_kept_for_after_dinner_nor_all_for_the_morning():
    part = taken_time([*meals(0, 1, 2), sight(0), sight(1), sight(2)])
    longest = max(begin - end for (_, _, end), (_, begin, _) in pairwise(part.timed))
    kinds = ["meal" if stop.meal is not None else "sight" for stop, _, _ in part.timed]
    assert kinds[0] == kinds[-1] == "meal" and longest <= 150
    assert part.active == 3 * 60 + 7 * 5


def test_nightlife_stays_in_the_evening():
    part = taken_time([*meals(0, 1, 2), sight(0, ((1080, 1320),), "bar"), sight(1, ((1080, 1320),), "pub")])
    assert [stop.meal for stop, _, _ in part.timed] == [0, 1, 2, None, None]


def test_another_order_is_paid_for():
    stops = [*meals(0, 1, 2), sight(0), sight(1), sight(2)]
    order = ordered(stops, DAY, near)
    assert order is not None
    unpaid, paid = taken_time(stops, 0.0).timed, taken_time(stops, 1.0).timed
    assert [stop for stop, _, _ in unpaid] == [stop for stop, _, _ in order[0]]
    assert idleness(paid) < idleness(unpaid)


def test_a_plan_that_is_found_takes_its_time():
    _, best = planned(town(theatre=5), cap=4)
    dinners = [choice.start for choice in best.choices if choice.poi.poi_type == "food" and choice.start > 960]
    assert dinners and min(dinners) >= MEALS_BEGIN[2] - 15  # the last before the train


def test_two_short_times_idle_are_less_than_one_long():
    stops = meals(0, 1, 2)
    even = [(stops[0], 500, 545), (stops[1], 700, 745), (stops[2], 1000, 1045)]
    uneven = [(stops[0], 500, 545), (stops[1], 900, 945), (stops[2], 1000, 1045)]
    assert idleness(even) == 155**2 + 255**2 < idleness(uneven) == 355**2 + 55**2


def test_visits_last_as_long_as_people_like_where_there_is_time():
    stops = [*meals(0), sight(0), *meals(1), sight(1, category="memorial"), *meals(2)]
    timed = at_leisure(stops)
    longer, more = lingering(timed, DAY, near, 6000)
    assert [end - begin for _, begin, end in longer] == [45, 60, 60, 30, 90]
    assert begins(longer) == begins(timed) and more == 30
    assert [end for _, _, end in lingering(timed, DAY, near, 12)[0]][1] == timed[1][2] + 10  # the cap leaves 12 minutes
    shunned = replace(DAY, shunned=frozenset({timed[1][2] + 30}))
    assert lingering(timed, shunned, near, 30)[0][1][2] == timed[1][2] + 25
    shut = [replace(stop, spans=((0, end + 10),)) if stop.meal is None else stop for stop, _, end in timed]
    until = [(stop, begin, end) for stop, (_, begin, end) in zip(shut, timed, strict=True)]
    assert lingering(until, DAY, near, 6000)[0][1][2] == timed[1][2] + 10


def test_where_the_best_order_cannot_be_paid_the_next_best_is_taken():
    stops = [*meals(0, 1, 2), sight(0), sight(1), sight(2)]
    order = ordered(stops, DAY, near)
    assert order is not None
    part = Part(Stretch(0, 0, (), 480, 1320), DAY, [], order[0], near, order[1])
    realiser = Priced(9.0)
    spreads = [unhurried(of, DAY, near) for of in _otherwise(unhurried(order[0], DAY, near), DAY, near)]
    best = min(spreads, key=idleness)
    realiser._rides = lambda part: 99.0 if part.timed == best else 0.0  # type: ignore[method-assign]
    realiser._take_time(part, [part])
    assert begins(part.timed) != begins(unhurried(order[0], DAY, near))
