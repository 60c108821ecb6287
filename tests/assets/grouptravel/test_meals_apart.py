"""Nobody eats again within two hours: the check that says so, and the plans that keep to it."""

from __future__ import annotations

import random
from itertools import pairwise, permutations
from typing import Any

import pytest

from assets.grouptravel.checks.day_conditions import meals
from assets.grouptravel.checks.validity_facts import Case
from assets.grouptravel.conditions import MEAL_GAP_MIN, MEAL_MIN, MEAL_WINDOWS
from assets.grouptravel.plan import read_plan
from assets.grouptravel.variants import VARIANTS
from assets.grouptravel.witness.parts import Part
from assets.grouptravel.witness.realisation import Realiser
from assets.grouptravel.witness.schedule import MIDNIGHT, Frame, Move, Stop, Timed, ordered, quick
from assets.grouptravel.witness.stretches import Stretch
from assets.grouptravel.witness.worth import Option
from tests.assets.grouptravel.test_attacker import wide_trip
from tests.assets.grouptravel.weekend import FACTS, POIS, acts, at, good_plan

PLACES = POIS.in_city("Oulu")
FOOD, SIGHTS = POIS.in_city("Oulu", "food"), POIS.in_city("Oulu", "attractions")
MOVE = quick(POIS.ways)


@pytest.mark.parametrize("end", ["10:00", "10:01"])
@pytest.mark.parametrize(
    ("at_breakfast", "at_lunch", "hungry"),
    [
        (["All"], ["All"], ["User1", "User2", "User3"]),
        (["User1", "User2"], ["User2", "User3"], ["User2"]),
        (["User1", "User3"], ["User2"], []),
    ],
)
def test_who_eats_again_too_soon_is_named(at_breakfast, at_lunch, hungry, end):
    plan = good_plan()
    lunch = next(act for act in acts(plan) if act.get("location") == "Spice Pot")
    lunch["participants"] = at_lunch
    acts(plan).insert(1, at("food", "09:15", end, "Noodle House", at_breakfast, avg_cost=30))
    named = [
        issue.user for issue in meals(Case(read_plan(plan), FACTS, VARIANTS["ours"])) if issue.kind == "eats_too_soon"
    ]
    assert named == (hungry if end > "10:00" else [])


def is_apart(timed: list[Timed], within: tuple[int, int] = (0, MIDNIGHT)) -> bool:
    eaten = [(begin, end) for stop, begin, end in timed if stop.meal is not None]
    in_frame = all(within[0] <= begin and end <= within[1] for begin, end in eaten)
    return in_frame and all(other[0] - one[1] >= MEAL_GAP_MIN for one, other in pairwise(eaten))


def one_after_the_other(stops: tuple[Stop, ...], frame: Frame, move: Move) -> bool:
    """Return whether these stops can be visited in this order, each as early as can be: what `ordered` looks for."""
    at, now, fed = frame.origin, 0, frame.meals[0]
    for stop in stops:
        assert at is not None
        now = max(now + move(at, stop.poi)[1], frame.opens, stop.spans[0][0])
        if stop.meal is not None:
            now = max(now, fed, MEAL_WINDOWS[stop.meal][0])
            if now > MEAL_WINDOWS[stop.meal][1]:
                return False
        now += stop.stay_min
        if now > (min(frame.closes, frame.meals[1]) if stop.meal is not None else frame.closes):
            return False
        at, fed = stop.poi, now + MEAL_GAP_MIN if stop.meal is not None else fed
    return True


def test_meals_are_put_in_order_apart_and_where_that_can_be_it_is_found():
    draws, bed = random.Random(2), POIS.in_city("Oulu", "hotels")[0]
    found, lost = 0, 0
    for _ in range(800):
        meal_of = draws.choice(((0, 1), (1, 2)))
        chosen: list[Any] = [(poi, MEAL_MIN, 0, meal) for poi, meal in zip(FOOD, meal_of, strict=True)]
        sights = draws.sample(SIGHTS, draws.randint(1, 3))
        chosen += [(poi, draws.choice((30, 90)), draws.choice((0, 630, 690)), None) for poi in sights]
        stops = [Stop(poi, stay, ((first, MIDNIGHT),), meal) for poi, stay, first, meal in chosen]
        eaten = (draws.choice((0, 0, 700)), draws.choice((MIDNIGHT, MIDNIGHT, 1100)))
        frame = Frame(bed, bed, draws.randrange(420, 640), draws.choice((800, 860, 1100)), 6000.0, meals=eaten)
        minutes = {(a.place_id, b.place_id): draws.choice((5, 20, 90)) for a in PLACES for b in PLACES}
        move = by_table(minutes)
        order = ordered(stops, frame, move)
        assert (order is not None) is any(one_after_the_other(given, frame, move) for given in permutations(stops))
        assert order is None or is_apart(order[0], eaten)
        found, lost = found + (order is not None), lost + (order is None)
    assert min(found, lost) > 50


def by_table(minutes: dict[tuple[str, str], int]) -> Move:
    return lambda one, other: ("walk", minutes[one.place_id, other.place_id])


def part_of(opens: int, closes: int, timed: list[Timed]) -> Part:
    frame = Frame(None, None, opens, closes, 6000.0)
    return Part(Stretch(0, 0, (), opens, closes), frame, [], timed, MOVE)


@pytest.mark.parametrize(
    ("eaten", "opens", "begins"),
    [
        ((0, 590, 635), 660, 755),  # breakfast in the city before: lunch waits
        ((0, 480, 525), 660, 660),
        ((2, 1020, 1065), 660, 660),  # dinner in the next city: lunch ends two hours before
        ((2, 1020, 1065), 856, None),
    ],
)
def test_what_is_eaten_in_one_city_counts_in_the_others_of_the_day(eaten, opens, begins):
    realiser, (one, other) = Realiser(wide_trip(), POIS, [], []), FOOD
    meal, start, end = eaten
    beside = part_of(start, end, [(Stop(other, MEAL_MIN, ((0, MIDNIGHT),), meal), start, end)])
    here = part_of(opens, 960, [])
    option = Option("Oulu", "food", 1, (), 0.0, MEAL_MIN, 0, (((0, MIDNIGHT),),), (one,))
    here.visits = [(option, Stop(one, MEAL_MIN, option.spans[0], 1))]
    assert realiser._order(here, [here, beside]) is (begins is not None)
    assert [start for _, start, _ in here.timed] == ([begins] if begins else [])


def test_who_has_eaten_early_is_not_forgotten_for_who_walked_less():
    bed, (one, other), (far, late) = POIS.in_city("Oulu", "hotels")[0], FOOD, SIGHTS[:2]
    breakfast, lunch = (Stop(poi, MEAL_MIN, ((0, MIDNIGHT),), meal) for poi, meal in ((one, 0), (other, 1)))
    first, second = Stop(far, 90, ((0, MIDNIGHT),), None), Stop(late, 30, ((690, 720),), None)
    slow = {(bed.place_id, one.place_id), (far.place_id, late.place_id)}
    order = ordered(
        [breakfast, lunch, first, second],
        Frame(bed, bed, 480, 775, 6000.0),
        lambda a, b: ("walk", 20 if (a.place_id, b.place_id) in slow else 5),
    )
    assert order is not None
    assert [stop for stop, _, _ in order[0]] == [breakfast, first, second, lunch]
