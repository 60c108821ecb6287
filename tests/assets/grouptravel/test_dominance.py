"""When visits fit, for many at once as for one; and options that others make needless: the bound is the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.grouptravel.vocabulary import EN
from assets.grouptravel.witness import relaxed
from assets.grouptravel.witness.dominance import Fitting, undominated
from assets.grouptravel.witness.relaxed import Relaxation
from assets.grouptravel.witness.stretches import NEVER, Stretch, fit, fits
from assets.grouptravel.witness.worth import Option, options_of
from tests.assets.grouptravel import province as world
from tests.assets.grouptravel.test_gtb_solver import NAMED, trip_of

MINUTES = st.integers(0, 24 * 4).map(lambda quarter: 15 * quarter)
WINDOW = st.tuples(MINUTES, MINUTES).map(lambda pair: tuple(sorted(pair)))
DAY = st.lists(WINDOW, max_size=3).map(tuple)
EVERY_MEAL = (None, 0, 1, 2)


def option(spans: tuple[tuple[tuple[int, int], ...], ...], stay_min: int) -> Option:
    return Option("Oulu", "food", 1, (), 0.0, stay_min, 0, spans, ())


@given(
    st.lists(st.tuples(st.tuples(DAY, DAY), st.sampled_from([30, 60, 120])), min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 1), WINDOW), min_size=1, max_size=4),
)
def test_all_visits_fit_when_each_alone_does(hours, windows):
    options = [option(spans, stay) for spans, stay in hours]
    stretches = [Stretch(day, 0, (), opens, closes) for day, (opens, closes) in windows]
    found = fits(options, stretches, EVERY_MEAL)
    assert found.shape == (len(options), len(stretches), len(EVERY_MEAL), 2)
    for o, one in enumerate(options):
        for s, stretch in enumerate(stretches):
            for m, meal in enumerate(EVERY_MEAL):
                assert tuple(found[o, s, m]) == (fit(one, stretch, meal) or NEVER)


def all_that_fit(options, stretches, *_) -> list[Fitting]:
    """Return every option that fits somewhere, whatever others are as good."""
    kept = []
    for one in options:
        meals = (0, 1, 2) if one.kind == "food" else (None,)
        times = [
            (n, meal or 0, *when)
            for n, stretch in enumerate(stretches.get(one.city, ()))
            for meal in meals
            if (when := fit(one, stretch, meal)) is not None
        ]
        kept += [Fitting(one, *np.array(times).T)] if times else []
    return kept


@pytest.mark.parametrize("with_compromise", [False, True])
@pytest.mark.parametrize("cities", [("a",), ("a", "b")])
def test_what_is_left_out_changes_no_bound(cities, with_compromise, monkeypatch):
    for seed in range(3):
        trip = replace(trip_of("2-3", cities, 3, seed), compromisable=("User1", "User2"))
        options = options_of(trip, world.POIS, EN, with_compromise=with_compromise)

        def bound(options=options, trip=trip) -> tuple[int, int]:
            one = Relaxation(trip, world.POIS, NAMED, EN, options, with_compromise=with_compromise)
            found = one.solve(2.0)
            assert found is not None
            return len(one._visits.variable), found.bound

        few = bound()
        with monkeypatch.context() as patched:
            patched.setattr(relaxed, "undominated", all_that_fit)
            every = bound()
        assert few[1] == every[1]
        assert few[0] <= every[0]


def test_an_option_that_fits_in_another_city_alone_is_left_out():
    stretches = {"Oulu": [Stretch(0, 0, (), 540, 1320)]}
    here, there = option((((540, 1320),),), 60), replace(option((((540, 1320),),), 60), city="Vaasa")
    assert [one.option for one in undominated([here, there], stretches, {"food": 3})] == [here]
    assert np.array_equal(fits([here], stretches["Oulu"], [None])[0, 0, 0], (540, 1320))


@pytest.mark.parametrize(
    ("changes", "is_kept"),
    [
        ({}, False),
        ({"points": 4}, False),
        ({"points": 4, "cost": 1.0}, True),
        ({"points": 4, "move_min": 1}, True),
        ({"points": 4, "stay_min": 30}, True),
        ({"points": 4, "spans": (((480, 1320),),)}, True),
        ({"points": 4, "spans": (((600, 1260),),)}, False),
        ({"points": 4, "gains": (("User1", (2, 0, 0)),)}, True),
    ],
)
def test_an_option_is_left_out_for_as_many_as_are_needed_that_are_as_good(changes, is_kept):
    stretches = {"Oulu": [Stretch(0, 0, (), 480, 1320)]}
    good = replace(option((((540, 1320),),), 60), points=5, cost=9.0, move_min=5)
    three = [replace(good, members=(poi,)) for poi in world.POIS.distinct("Aston", "food")[:3]]
    other = replace(good, members=world.POIS.distinct("Aston", "food")[3:4], **changes)
    kept = [one.option for one in undominated([*three, other], stretches, {"food": 3})]
    assert kept == ([*three, other] if is_kept else three)
    assert other in [one.option for one in undominated([*three[:2], other], stretches, {"food": 3})]
