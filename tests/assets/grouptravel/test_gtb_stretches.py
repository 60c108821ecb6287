"""Stretches of a day: what fits one of a city's fits its widest."""

from __future__ import annotations

from itertools import product

from assets.grouptravel.witness.stretches import Stretch, fit, widest
from assets.grouptravel.witness.worth import Class

COMES, GOES = (480, 720, 900), (600, 840, 1200)


def test_what_fits_a_stretch_of_a_city_fits_the_widest_and_nothing_else_does():
    listed = [Stretch(0, nth, (), a, b) for nth, a, b in product((0, 1), COMES, GOES) if a < b]
    wide = widest(listed)
    assert [(one.nth, one.opens, one.closes) for one in wide] == [(0, 480, 1200), (1, 480, 1200)]
    seen = set()
    for opens, length, stay, meal in product(range(420, 1200, 60), (60, 240, 600), (30, 120, 300), (None, 0, 1, 2)):
        place = Class("Oulu", "attractions", (1,), stay, (((opens, opens + length),),), 1)
        fits_any = any(fit(place, stretch, meal) for stretch in listed)
        assert [bool(fit(place, one, meal)) for one in wide] == [fits_any, fits_any], place
        seen.add(fits_any)
    assert seen == {False, True}
