"""What a search for plans remembers of one question and uses for the next is what it would find out again."""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import replace

from assets.grouptravel.facts.opening import open_spans
from assets.grouptravel.witness import realisation, schedule
from assets.grouptravel.witness.realisation import Realiser
from assets.grouptravel.witness.schedule import Frame, Stop, ordered
from assets.grouptravel.witness.worth import ALL_DAY, _on_days
from tests.assets.grouptravel.test_attacker import wide_trip
from tests.assets.grouptravel.test_opening import hours, rule
from tests.assets.grouptravel.weekend import POIS

HOURS = (
    None,
    hours(rule("09:00", "17:00", [1, 2, 3, 4, 5]), rule("10:00", "14:00", [6])),
    hours(rule("18:00", "02:00", [5, 6])),
    hours(rule("10:00", "15:00", span=("11-01", "03-31")), rule("09:00", "20:00")),
    hours(rule("10:00", "15:00", [1], span=("06-01", "06-30"))),
)


def test_hours_of_days_asked_for_in_any_order_are_those_of_the_dates():
    known, draws = {}, random.Random(1)
    for _ in range(300):
        first, days = dt.date(2025, 1, 1) + dt.timedelta(draws.randrange(700)), draws.randint(1, 9)
        dates, held = [first + dt.timedelta(day) for day in range(days)], draws.choice(HOURS)
        spans = [open_spans(held, date) for date in dates]
        assert _on_days(held, dates, known) == tuple(ALL_DAY if of is None else tuple(of) for of in spans)


def test_visits_are_put_in_the_order_that_they_would_be_without_memory(monkeypatch):
    asked = []
    monkeypatch.setattr(realisation, "ordered", lambda *given: asked.append(given) or ordered(*given))
    draws, places = random.Random(1), [poi for poi in POIS.in_city("Oulu") if poi.poi_type != "hotels"]
    beds = POIS.in_city("Oulu", "hotels")
    realiser = Realiser(wide_trip(), POIS, [], [])
    moves = (realiser._pleasant, realiser._quick, schedule.walked(POIS.ways))
    questions = 0
    for _ in range(40):
        chosen = draws.sample(places, draws.randint(1, 4))
        stops = [Stop(poi, 60, ((9 * 60, 18 * 60),), 1 if poi.poi_type == "food" else None) for poi in chosen]
        frame = Frame(draws.choice([None, *beds]), beds[0], 8 * 60, 20 * 60, 600.0)
        one = draws.randrange(len(stops))
        others = [*stops[:one], replace(stops[one], **draws.choice(
            [{"stay_min": 240}, {"spans": ((12 * 60, 16 * 60),)}, {"meal": 2}, {"poi": places[-1]}]
        )), *stops[one + 1 :]]  # fmt: skip
        of_frame = {"opens": 14 * 60, "closes": 13 * 60, "active_min": 100.0, "station_min": 90, "bed": beds[1]}
        beside = {
            "shunned": frozenset(range(400, 900, 3)),
            "arrivals_by_place": {chosen[0].place_id: (800,)},
            "is_strict": True,
        }
        frames = [frame, *(replace(frame, **{key: value}) for key, value in {**of_frame, **beside}.items())]
        listed = [(given, frame, move) for given in (stops, others) for move in moves]
        listed += [(stops, of, moves[0]) for of in frames]
        for given in draws.sample(listed * 2, 2 * len(listed)):
            assert realiser._in_order(*given) == ordered(*given)
            questions += 1
    assert len(asked) < 0.8 * questions, "what was asked before is not asked again"
