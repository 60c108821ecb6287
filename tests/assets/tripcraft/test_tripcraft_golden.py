"""The worked TripCraft cases (`TC-*`), each under its own variant."""

from __future__ import annotations

import dataclasses
import datetime as dt
from itertools import permutations
from typing import Any

import pytest

from assets.tripcraft.checks.budget import PUBLISHED_MULTIPLIERS, published_budget, published_modes, round_half_even
from assets.tripcraft.checks.metrics import meal_score, stop_score, visit_score
from assets.tripcraft.checks.parameters import RELEASED_PARAMETERS, TABLE_10, MealParameters, MetricParameters
from assets.tripcraft.draft import start_dates
from assets.tripcraft.entities import CarRates
from assets.tripcraft.facts.durations import visit_duration_h
from assets.tripcraft.scoring import score_plan
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.variants import OURS, PAPER
from assets.tripcraft.vocabulary import CATEGORY_DURATION_H
from schemas.clock import minutes

MEALS = {"b": "breakfast", "l": "lunch", "d": "dinner"}


def close(value: Any) -> Any:
    return pytest.approx(value, rel=1e-5, abs=1e-6)


def hours(span: list[str]) -> tuple[float, float]:
    return minutes(span[0]) / 60, minutes(span[1]) / 60


@pytest.mark.parametrize("case_id", ["TC-MEAL-3", "TC-MEAL-PROMPT-3"])
def test_meal_scores(golden_case, case_id):
    case = golden_case(case_id)
    given = case["input"].get("params")
    scores = {
        key: meal_score(MealParameters(*given[key]) if given else TABLE_10[3].meal(MEALS[key]), *hours(span))
        for key, span in case["input"]["meals"].items()
    }
    assert {**scores, "mean": sum(scores.values()) / 3} == close(case["expected"])


def metric_parameters(given: dict[str, Any]) -> MetricParameters:
    return dataclasses.replace(
        TABLE_10[3],
        lambda_laidback=given["ll"],
        lambda_adventurous=given["la"],
        sd_duration_h=given["sd"],
        n_max=given["nmax"],
        n_min=given["nmin"],
        k_h=given["k"],
    )


@pytest.mark.parametrize("case_id", ["TC-ATTR-LAID-3", "TC-ATTR-ADV-3"])
def test_attraction_scores_of_one_day(golden_case, case_id):
    given = golden_case(case_id)["input"]
    parameters = metric_parameters(given["params"])
    assert parameters == TABLE_10[3]
    is_adventurous = given["persona"] == "Adventure Seeker"
    scores = [
        visit_score(parameters, duration, mean, given["n"], is_adventurous=is_adventurous)
        for duration, mean in zip(given["durations_h"], given["type_mean_h"], strict=True)
    ]
    assert sum(scores) / len(scores) == close(golden_case(case_id)["expected"])


def test_attraction_score_with_the_overwritten_k_t3(golden_case):
    case = golden_case("TC-ATTR-KBUG")
    given, parameters = case["input"], metric_parameters(case["input"]["params"])
    own = {meal: TABLE_10[3].meal(meal) for meal in MEALS.values()}
    assert parameters == dataclasses.replace(RELEASED_PARAMETERS, **own)

    def mean(k_h: float) -> float:
        pairs = zip(given["durations_h"], given["type_mean_h_truncated_to_int"], strict=True)
        used = dataclasses.replace(parameters, k_h=k_h)
        scores = [visit_score(used, duration, m, given["n"], is_adventurous=False) for duration, m in pairs]
        return sum(scores) / len(scores)

    assert mean(parameters.k_h) == close(case["expected"]["intended_k_0.2768"])
    assert mean(2.0) == pytest.approx(case["expected"]["actual_k_2_after_any_meal_scored"], abs=1e-3)


def test_attraction_duration(golden_case):
    case = golden_case("TC-DUR-1")
    assert case["input"]["table"] == CATEGORY_DURATION_H
    assert visit_duration_h(case["input"]["categories"]) == close(case["expected"])


def test_spatial_points(golden_case):
    case = golden_case("TC-SPAT-PTS")
    assert [stop_score(m) for m in case["input"]["metres"]] == [pytest.approx(e, rel=1e-5) for e in case["expected"]]


def test_released_budgets(golden_case):
    case = golden_case("TC-BUD-1")
    given = case["input"]
    for days, expected in case["expected"].items():
        length = int(days)
        assert list(PUBLISHED_MULTIPLIERS[length]) == given["multipliers_flight_hotel_meal"][days]
        modes = published_modes(given["flight_prices"], given["hotel_prices"], given["meal_costs"], length)
        assert dataclasses.asdict(modes) == close(expected["modes"])
        assert published_budget(modes, length, "easy", 1) == expected["easy"]
        assert published_budget(modes, length, "medium", 4) == expected["medium_4p"]
        assert published_budget(modes, length, "hard", 4) == expected["hard_4p"]


def test_rounding_to_hundreds(golden_case):
    case = golden_case("TC-BUD-ROUND")
    assert [round_half_even(value) for value in case["input"]["values"]] == case["expected"]


def test_the_date_window(golden_case):
    case = golden_case("TC-DATE-1")
    released, ours = TripcraftSection(variant="released"), TripcraftSection()
    assert released.first_date == dt.date.fromisoformat(case["input"]["first"])
    for days, count in case["expected"]["number_of_starts"].items():
        starts = start_dates(released, int(days))
        assert len(starts) == count
        assert str(starts[-1]) == case["expected"]["last_start"][days]
        assert str(starts[-1] + dt.timedelta(days=int(days) - 1)) == case["expected"]["last_end_date"]
        fixed = start_dates(ours, int(days))
        assert (len(fixed), str(fixed[-1] + dt.timedelta(days=int(days) - 1))) == (count + 1, "2024-11-30")


def test_the_party_sizes(golden_case):
    weights = TripcraftSection().people
    shares = {str(size): weight / sum(weights.values()) for size, weight in weights.items()}
    assert shares == close(golden_case("TC-PEOPLE-1")["expected"])


def test_the_inclusion_of_hard_constraints(golden_case):
    case = golden_case("TC-HARD-INC")
    weights = TripcraftSection().weights_hard
    assert {name.replace("_", " "): weight for name, weight in weights.items()} == case["input"]["weights"]
    included = dict.fromkeys(weights, 0.0)
    for drawn in permutations(weights, TripcraftSection().constraints.hard):
        chance, left = 1.0, 1.0
        for name in drawn:
            chance *= weights[name] / left
            left -= weights[name]
        for name in drawn:
            included[name] += chance
    assert {name.replace("_", " "): share for name, share in included.items()} == close(case["expected"])


@pytest.mark.parametrize("variant", [PAPER, OURS], ids=lambda v: v.name)
def test_the_printed_gold_plan_breaks_the_meal_gap_t12(golden_case, world, record, trip, variant):
    case = golden_case("TC-GAP-1")
    plan = trip(record(3)).plan()
    usual = {"breakfast": "09:10 to 10:00", "lunch": "14:10 to 15:10", "dinner": "20:10 to 21:20"}
    for meal, (start, end) in case["input"].items():
        plan[1]["point_of_interest_list"] = plan[1]["point_of_interest_list"].replace(usual[meal], f"{start} to {end}")
    score = score_plan(record(3), plan, world, variant=variant)
    assert score.commonsense is not None
    result = score.commonsense["meal_gaps"]
    assert result.holds is case["expected"]["pass"]
    gaps = [
        minutes(case["input"][b][0]) - minutes(case["input"][a][1])
        for a, b in (("breakfast", "lunch"), ("lunch", "dinner"))
    ]
    assert [gap / 60 for gap in gaps] == case["expected"]["gaps_h"]
    assert len(result.reasons) == 1 and "180 min" in result.reasons[0]


def test_car_costs(golden_case):
    case = golden_case("TC-COST-1")
    people = case["input"]["people"]
    for mode, key in (("self_driving", "self_driving_total"), ("taxi", "taxi_total")):
        assert [CarRates().cost(mode, km, people) for km in case["input"]["distance_km"]] == case["expected"][key]
