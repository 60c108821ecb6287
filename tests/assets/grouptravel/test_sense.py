"""What people would laugh at is not in a plan that is worth as much without it."""

from __future__ import annotations

import pytest

from assets.grouptravel.conditions import MEAL_MIN
from assets.grouptravel.facts.kinds import manner
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.wishes.preferences import CITIES
from assets.grouptravel.witness import sense
from assets.grouptravel.witness.parts import Part
from assets.grouptravel.witness.schedule import MIDNIGHT, Frame, Stop
from assets.grouptravel.witness.sense import folly, settle
from assets.grouptravel.witness.stretches import Stretch
from assets.grouptravel.witness.worth import Option
from tests.assets.grouptravel.test_attacker import wide_trip
from tests.assets.grouptravel.test_full_days import planned, town

ALWAYS = ((0, MIDNIGHT),)
EVENING = ((1080, MIDNIGHT),)


def visit(category: str, meal: int | None = None, spans=ALWAYS, name: str = "") -> tuple[Option, Stop]:
    poi = Poi(name or category, name or category, "attractions" if meal is None else "food", category)
    option = Option("Oulu", poi.poi_type, 1, (), 0.0, MEAL_MIN, 5, (spans,) * 5, (poi,))
    return option, Stop(poi, MEAL_MIN, spans, meal)


def part(day: int, *visits: tuple[Option, Stop], nth: int = 0) -> Part:
    frame = Frame(None, None, 480, 1320, 6000.0)
    return Part(Stretch(day, nth, (), 480, 1320), frame, [*visits], [], lambda one, other: ("walk", 5))


def settled(*parts: Part, alike: tuple[tuple[Option, Stop], ...] = (), refuses: bool = False) -> list[list[str]]:
    def change(changes) -> bool:
        for one, visits in () if refuses else changes:
            one.visits = visits
        return not refuses

    settle(parts, change, lambda *_: iter(alike))
    listed = [sorted(one.visits, key=lambda of: (of[1].meal is None, of[1].meal or 0)) for one in parts]
    return [[stop.poi.category for _, stop in visits] for visits in listed]


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ([visit("pub")], [visit("pub"), visit("bar")]),
        ([visit("pub"), visit("cinema")], [visit("theatre"), visit("concert hall")]),
        ([visit("theatre"), visit("theatre", 1)], [visit("剧院"), visit("电影院")]),
        ([visit("cafe", 0)], [visit("local food", 0)]),
        ([visit("local food", 0)], [visit("steak", 0)]),
        ([visit("cafe", 1)], [visit("cafe", 2)]),
        ([visit("咖啡厅", 0)], [visit("牛排", 0)]),
    ],
)
def test_what_is_laughed_at(less, more):
    assert folly(stop for _, stop in less) < folly(stop for _, stop in more)


def test_breakfast_is_eaten_where_people_breakfast_whatever_day_has_the_place():
    grill, pancakes = visit("grilled food", 0), visit("pancakes", 2)
    assert settled(part(0, grill, pancakes)) == [["pancakes", "grilled food"]]
    assert settled(part(0, grill), part(1, pancakes)) == [["pancakes"], ["grilled food"]]


def test_a_place_that_is_shut_then_is_left_where_it_is_and_so_is_what_does_not_fit_or_lies_in_another_city():
    late = visit("pancakes", 2, EVENING)
    assert settled(part(0, visit("steak", 0), late)) == [["steak", "pancakes"]]
    parts = [part(0, visit("steak", 0)), part(1, visit("pancakes", 2), nth=1)]
    assert settled(*parts) == [["steak"], ["pancakes"]]
    assert settled(part(0, visit("steak", 0), visit("pancakes", 2)), refuses=True) == [["steak", "pancakes"]]


def test_a_second_bar_goes_to_another_evening_or_gives_way_to_a_sight_of_its_worth():
    bars = [visit("bar", spans=EVENING), visit("pub", spans=EVENING)]
    spread = settled(part(0, *bars), part(1, visit("museum")))
    assert sorted(map(sorted, spread)) in ([["bar"], ["museum", "pub"]], [["bar", "museum"], ["pub"]])
    assert sorted(settled(part(0, *bars), alike=(visit("nightclub"), visit("castle")))[0]) == ["bar", "castle"]
    assert sorted(settled(part(0, *bars))[0]) == ["bar", "pub"]


def test_two_evenings_share_the_bars_that_nothing_can_replace_and_the_shows():
    bars = [visit("bar", spans=EVENING, name=name) for name in "abc"]
    spread = settled(part(0, *bars), part(1, visit("bar", spans=EVENING, name="d"), visit("museum")))
    assert [day.count("bar") for day in spread] == [2, 2]
    shows = [visit("theatre", spans=EVENING), visit("cinema", spans=EVENING)]
    spread = settled(part(0, *shows), part(1, visit("museum"), visit("park")))
    assert [sum(kind in sense.SHOWS for kind in day) for day in spread] == [1, 1]
    assert sorted(settled(part(0, *shows), alike=(visit("concert hall"), visit("castle")))[0]) == ["castle", "theatre"]


@pytest.mark.parametrize("is_sensible", [True, False])
def test_a_plan_that_is_found_has_no_night_of_bars_and_is_worth_as_much(is_sensible, monkeypatch):
    pois, like = town(theatre=6, pub=6), wide_trip()
    for table in like.tables.values():
        table[CITIES]["Oulu"]["attractions"]["category_pref"]["positive"] = ["theatre", "pub"]
    monkeypatch.setattr("tests.assets.grouptravel.test_full_days.wide_trip", lambda: like)
    if not is_sensible:
        monkeypatch.setattr(sense, "NIGHT_OUT", 0)
        monkeypatch.setattr(sense, "is_nightlife", lambda _: False)
    _, best = planned(pois, cap=2)
    nights = [
        sum(
            c.day == day and c.poi.poi_type == "attractions" and manner(c.poi.category).is_after_dark
            for c in best.choices
        )
        for day in range(5)
    ]
    assert best.total == best.bound
    assert (max(nights) <= 1) is is_sensible
