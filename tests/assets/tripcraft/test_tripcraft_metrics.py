"""The five continuous metrics against slow oracles, and the fit of their parameters."""

from __future__ import annotations

import dataclasses
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.tripcraft.checks.case import Case
from assets.tripcraft.checks.metrics import (
    edit_distance,
    meal_score,
    ordering,
    persona_score,
    spatial,
    stop_score,
    temporal_attraction,
    temporal_meal,
    temporal_meal_full_days,
    timed_days,
    visit_score,
)
from assets.tripcraft.checks.parameters import TABLE_10, TimedDay, TimedVisit, fit_parameters
from assets.tripcraft.plan import read_plan
from assets.tripcraft.scoring import METRICS, check_counts, score_plan, summarise
from assets.tripcraft.variants import OURS, PAPER, RELEASED

word = st.text(alphabet="xyz", max_size=6)
hour = st.floats(0, 24)


@pytest.mark.parametrize("days", [3, 5, 7])
@pytest.mark.parametrize("meal", ["breakfast", "lunch", "dinner"])
def test_a_meal_scores_its_normal_density_over_its_peak(days, meal):
    p = TABLE_10[days].meal(meal)
    shared = p.correlation * p.sd_mid_h * p.sd_duration_h
    precision = np.linalg.inv(np.array([[p.sd_mid_h**2, shared], [shared, p.sd_duration_h**2]]))
    for start, end in ((8.0, 9.0), (14.0, 14.5), (19.5, 21.5)):
        off = np.array([(start + end) / 2 - p.mean_mid_h, end - start - p.mean_duration_h])
        assert meal_score(p, start, end) == pytest.approx(float(np.exp(-off @ precision @ off / 2)), rel=1e-9)


@settings(deadline=None)
@given(hour, hour, st.sampled_from([3, 5, 7]))
def test_a_meal_scores_between_nothing_and_one(start, length, days):
    assert 0 <= meal_score(TABLE_10[days].lunch, start, start + length) <= 1


@settings(deadline=None)
@given(st.floats(0, 12), st.floats(0.5, 5), st.integers(0, 8), st.booleans())
def test_a_visit_scores_no_more_than_the_chance_of_its_day(duration, mean, n, is_adventurous):
    p = TABLE_10[5]
    rate = p.lambda_adventurous if is_adventurous else p.lambda_laidback
    chance = math.exp(-rate) * math.prod(rate / i for i in range(1, n + 1))
    score = visit_score(p, duration, mean, n, is_adventurous=is_adventurous)
    assert 0 <= score <= chance * (1 + 1e-9)
    best = mean - p.k_h * n if is_adventurous else mean + p.k_h * (p.n_max - n)
    assert visit_score(p, best, mean, n, is_adventurous=is_adventurous) == pytest.approx(chance)


@settings(deadline=None)
@given(st.floats(0, 50_000), st.floats(0, 50_000))
def test_a_nearer_stop_scores_no_less(a, b):
    near, far = sorted((a, b))
    assert 0 <= stop_score(far) <= stop_score(near) <= 1


def test_the_stop_score_has_no_step_at_five_kilometres():
    assert stop_score(5000) == 0.5
    assert stop_score(5000 + 1e-6) == pytest.approx(0.5)


def slow_distance(a: str, b: str) -> int:
    if not a or not b:
        return len(a) + len(b)
    return min(
        slow_distance(a[1:], b) + 1,
        slow_distance(a, b[1:]) + 1,
        slow_distance(a[1:], b[1:]) + (a[0] != b[0]),
    )


@settings(deadline=None)
@given(word, word)
def test_the_edit_distance_is_the_recursive_one(a, b):
    assert edit_distance(a, b) == edit_distance(b, a) == slow_distance(a, b)


def test_plan_means_are_over_the_plan_and_released_over_days(world, record, trip):
    asked, plan = record(3), trip(record(3)).plan()
    plan[1]["point_of_interest_list"] = plan[1]["point_of_interest_list"].replace("100.25m", "5000.00m")
    by_day = [[stop_score(item.distance_m or 0) for item in day.items] for day in read_plan(plan).days]
    flat = [score for day in by_day for score in day]
    assert spatial(Case(asked, read_plan(plan), world, PAPER)) == pytest.approx(sum(flat) / len(flat))
    assert spatial(Case(asked, read_plan(plan), world, RELEASED)) == pytest.approx(
        sum(sum(day) / len(day) for day in by_day) / len(by_day)
    )
    assert len({len(day) for day in by_day}) > 1


def test_a_plan_comes_no_nearer_to_stops_by_saying_so(world, record, trip):
    asked, plan = record(3), trip(record(3)).plan()
    nearer = [
        {**day, "point_of_interest_list": re.sub(r"[\d.]+m away", "0.00m away", day["point_of_interest_list"])}
        for day in plan
    ]
    honest, told = (spatial(Case(asked, read_plan(days), world, OURS)) for days in (plan, nearer))
    assert 0.9 < honest < 1
    assert told < honest
    assert spatial(Case(asked, read_plan(nearer), world, PAPER)) == 1.0


def without(plan, day, meal):
    """Leave a meal out of the day's field and list."""
    name = plan[day][meal].rpartition(",")[0]
    parts = plan[day]["point_of_interest_list"].split("; ")
    kept = "; ".join(part for part in parts if not part.startswith(f"{name}, visit"))
    return [*plan[:day], plan[day] | {meal: "-", "point_of_interest_list": kept}, *plan[day + 1 :]]


def without_a_stop(day):
    """Leave the stop of the first entry out, on a day of which nothing is asked."""
    return re.sub(r", nearest transit: [^;]+", "", day["point_of_interest_list"], count=1)


@pytest.mark.parametrize(
    ("metric", "lacking"),
    [
        (temporal_meal, lambda plan: without(plan, 1, "dinner")),
        (temporal_meal_full_days, lambda plan: without(plan, 1, "dinner")),
        (temporal_attraction, lambda plan: [plan[0], plan[1] | {"attraction": "-"}, plan[2]]),
        (
            spatial,
            lambda plan: [
                day
                | {
                    "point_of_interest_list": re.sub(
                        r", nearest transit: Stop of amble-r\d+, [\d.]+m away", "", day["point_of_interest_list"]
                    )
                }
                for day in plan
            ],
        ),
        (spatial, lambda plan: [day | {"point_of_interest_list": "."} for day in plan[:2]] + plan[2:]),
        (spatial, lambda plan: [plan[0] | {"point_of_interest_list": without_a_stop(plan[0])}, *plan[1:]]),
    ],
)
def test_what_a_full_day_lacks_is_worth_nothing(world, record, trip, metric, lacking):
    """Three meals, a sight and two nights, and each entry's stop: as published, what is left out is no part."""
    asked, plan = record(3), trip(record(3)).plan()
    honest, left_out = (metric(Case(asked, read_plan(days), world, OURS)) for days in (plan, lacking(plan)))
    paper = metric(Case(asked, read_plan(lacking(plan)), world, PAPER))
    assert honest == metric(Case(asked, read_plan(plan), world, PAPER))
    assert left_out < min(honest, paper)


def test_the_metrics_of_a_plan_by_hand(world, record, trip):
    asked, plan = record(3), trip(record(3)).plan()
    p = TABLE_10[3]
    meals = [
        meal_score(p.lunch, 850 / 60, 910 / 60), meal_score(p.dinner, 1210 / 60, 1280 / 60),
        meal_score(p.breakfast, 550 / 60, 600 / 60), meal_score(p.lunch, 850 / 60, 910 / 60),
        meal_score(p.dinner, 1210 / 60, 1280 / 60),
        meal_score(p.breakfast, 550 / 60, 600 / 60), meal_score(p.lunch, 850 / 60, 910 / 60),
    ]  # fmt: skip
    metrics = score_plan(asked, plan, world).metrics
    assert metrics is not None
    assert metrics["temporal_meal"] == pytest.approx(sum(meals) / 7)
    assert metrics["temporal_meal_full_days"] == pytest.approx(sum(meals[2:5]) / 3)
    # Two visits of 2.5 h: kinds 2 and 10 take 1.5 h each, kinds 3 and 11 take 2.5 and 3 h.
    visits = [visit_score(p, 2.5, mean, 1, is_adventurous=True) for mean in (1.5, 2.75)]
    assert metrics["temporal_attraction"] == pytest.approx(sum(visits) / 2, abs=1e-12)
    assert (metrics["persona"], metrics["ordering"]) == (None, None)


def test_a_plan_without_anything_to_measure_scores_nothing(world, record):
    case = Case(record(3), read_plan([{}, {}, {}]), world, PAPER)
    assert (temporal_meal(case), temporal_attraction(case), spatial(case)) == (0.0, 0.0, 0.0)
    assert ordering(case, read_plan([{}, {}, {}])) == 1.0


def test_missing_and_extra_days_count_in_the_ordering(world, record, trip):
    gold = read_plan(trip(record(5)).plan())
    half = Case(record(5), read_plan(trip(record(5)).plan()[:3]), world, OURS)
    assert ordering(half, gold) == pytest.approx(3 / 5)


def embed_by_letters(texts):
    return np.array([[text.count(letter) for letter in "abcdefgh"] for text in texts], dtype=float)


def test_the_persona_score_is_the_mean_cosine_of_every_pair():
    persona, names = {"B": "bad cafe", "A": "head"}, ["a bed", "deed", "zzz"]

    def cosine(a: str, b: str) -> float:
        x, y = embed_by_letters([a, b])
        lengths = math.sqrt(float(x @ x)) * math.sqrt(float(y @ y))
        return float(x @ y) / lengths if lengths else 0.0

    expected = sum(cosine(a, b) for a in persona.values() for b in names) / 6
    assert persona_score(persona, names, embed_by_letters) == pytest.approx(expected)
    assert persona_score(persona, ["zzz"], embed_by_letters) == 0.0
    assert persona_score(persona, [], embed_by_letters) == 0.0
    assert persona_score(persona, names, None) is None


def test_an_embedding_of_the_wrong_shape_is_named():
    with pytest.raises(ValueError, match=r"shape \(3,\), expected 3 rows"):
        persona_score({"A": "a", "B": "b"}, ["c"], lambda texts: np.zeros(len(texts)))


def test_the_persona_score_of_a_plan_uses_every_name_in_its_lists(world, record, trip):
    asked, plan = record(3), trip(record(3)).plan()
    metrics = score_plan(asked, plan, world, embed=embed_by_letters).metrics
    names = [item.name for day in read_plan(plan).days for item in day.items]
    assert metrics is not None
    assert metrics["persona"] == persona_score(asked["persona"], names, embed_by_letters)


def test_the_summary_averages_what_was_delivered(world, record, trip):
    asked = record(3)
    good, none = score_plan(asked, trip(asked).plan(), world), score_plan(asked, None, world)
    summary = summarise([good, none])
    assert good.metrics is not None
    halved = {name: None if value is None else value / 2 for name, value in good.metrics.items()}
    assert {metric: summary[metric] for metric in METRICS} == halved  # one that is not there is worth nothing
    assert {metric: summarise([good, none], PAPER)[metric] for metric in METRICS} == good.metrics
    assert {summarise([none])[metric] for metric in METRICS} == {None}
    counts = check_counts([good, none])
    assert len(counts) == 17
    assert all(count == {"pass": 1, "fail": 0, "not judged": 1} for count in counts.values())


def test_the_fit_finds_the_parameters_that_made_the_plans():
    true, rng = TABLE_10[5], np.random.default_rng(7)
    days = []
    for i in range(6000):
        meals = {}
        for meal in ("breakfast", "lunch", "dinner"):
            p = true.meal(meal)
            shared = p.correlation * p.sd_mid_h * p.sd_duration_h
            mid, length = rng.multivariate_normal(
                [p.mean_mid_h, p.mean_duration_h], [[p.sd_mid_h**2, shared], [shared, p.sd_duration_h**2]]
            )
            meals[meal] = (float(mid - length / 2), float(mid + length / 2))
        is_adventurous = i % 2 == 0
        n = min(int(rng.poisson(true.lambda_adventurous if is_adventurous else true.lambda_laidback)), true.n_max)
        rushed = true.n_min - n if is_adventurous else true.n_max - n
        visits = tuple(
            TimedVisit(float(rng.normal(3.0 + true.k_h * rushed, true.sd_duration_h)), 3.0) for _ in range(n)
        )
        days.append(TimedDay(is_adventurous, meals, visits))
    fitted = fit_parameters(days)
    for meal in ("breakfast", "lunch", "dinner"):
        assert dataclasses.astuple(fitted.meal(meal)) == pytest.approx(dataclasses.astuple(true.meal(meal)), abs=0.05)
    assert (fitted.n_max, fitted.n_min) == (true.n_max, true.n_min)
    assert fitted.k_h == pytest.approx(true.k_h, abs=0.03)
    assert fitted.sd_duration_h == pytest.approx(true.sd_duration_h, abs=0.03)
    assert fitted.lambda_laidback == pytest.approx(true.lambda_laidback, abs=0.05)
    assert fitted.lambda_adventurous == pytest.approx(true.lambda_adventurous, abs=0.08)


def test_the_fit_reads_plans_and_names_what_is_missing(world, record, trip):
    asked = record(3)
    days = timed_days(Case(asked, read_plan(trip(asked).plan()), world, OURS))
    assert [len(day.visits) for day in days] == [0, 1, 1]
    assert days[1].meals["breakfast"] == pytest.approx((550 / 60, 10.0))
    with pytest.raises(ValueError, match=r"breakfast: 2 timed.*no day of a traveller who is laid-back") as error:
        fit_parameters(days)
    assert "lunch: 3 timed" in str(error.value)
