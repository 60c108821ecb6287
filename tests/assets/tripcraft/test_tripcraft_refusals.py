"""What has no witness is refused with the reason, in words, and only when there is none."""

from __future__ import annotations

import pytest

from assets.tripcraft import solver
from assets.tripcraft.scoring import score_plan
from assets.tripcraft.solver import Unsolvable, Witness, solve
from assets.tripcraft.witness.selection import Effort
from tests.assets.tripcraft.witnesses import witness


def test_a_tight_budget_is_kept_and_a_smaller_one_is_refused_with_the_least_cost(world, record):
    asked = record(3)
    asked["budget"] = 0
    refused = solve(asked, world, task_id="t")
    assert isinstance(refused, Unsolvable) and refused.is_proven
    low, high = 0, 5000
    while high - low > 1:
        asked["budget"] = (low + high) // 2
        low, high = (
            (low, asked["budget"]) if isinstance(solve(asked, world, task_id="t"), Witness) else (asked["budget"], high)
        )
    asked["budget"] = high
    assert score_plan(asked, witness(asked, world).plan, world).cost == high
    asked["budget"] = low
    refused = solve(asked, world, task_id="t")
    assert isinstance(refused, Unsolvable) and f"{high}, the budget is {low}" in refused.reasons[0]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda t, r: _forbid(t), "no stay in amble"),
        (lambda t, r: _empty(t, "flights") or _empty(t, "city_distances"), "no way from harbour to amble"),
        (lambda t, r: _empty(t, "events"), "no event of Music"),
        (lambda t, r: _empty(t, "attractions"), "no attraction in amble"),
        (lambda t, r: _open(t, "Mo-Su 17:00-23:00"), "no choice of places in amble"),
        (lambda t, r: _close_workshops(t), "no choice of places in amble offers Classes & Workshops"),
        (lambda t, r: r["constraints"].update(cuisine=["Thai"]), "no Thai food in amble"),
        (lambda t, r: t["nearest_stops"].__setitem__("stop_name", " "), "no stay in amble"),
    ],
)  # fmt: skip
def test_what_cannot_be_planned_is_refused_with_the_reason(frames, build, record, change, reason):
    tables, asked = frames(), record(3)
    change(tables, asked)
    refused = solve(asked, build(tables), task_id="t")
    assert isinstance(refused, Unsolvable) and refused.is_proven
    assert any(text.startswith(reason) for text in refused.reasons), refused.reasons


def test_a_task_whose_searches_took_all_their_effort_is_undecided_and_says_so(world, record, monkeypatch):
    spent = Effort()
    monkeypatch.setattr(solver, "Effort", lambda: spent)
    assert isinstance(solve(record(3), world, task_id="t"), Witness)
    assert 0 < spent.time_left < Effort().time_left
    spent.time_left = 0.0
    refused = solve(record(3), world, task_id="t")
    assert isinstance(refused, Unsolvable) and not refused.is_proven
    assert [reason.kind for reason in refused.reasons] == ["undecided"]


def _empty(tables, name):
    tables[name] = tables[name].iloc[:0]


def _open(tables, hours):
    tables["restaurants"]["opening_hours"] = hours


def _close_workshops(tables):
    sights = tables["attractions"]
    sights.loc[["Classes & Workshops" in kinds for kinds in sights["categories"]], "opening_hours"] = "Mo-Su off"


def _forbid(tables):
    tables["stays"]["house_rules"] = [["No pets"] for _ in tables["stays"].index]
