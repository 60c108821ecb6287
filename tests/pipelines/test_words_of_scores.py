"""What `score` prints: every figure with what it says and which way is good."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from assets.family import families
from pipelines import console
from pipelines.cli import app

COUNTS = {"n", "tasks", "trials", "days_counted", "tasks_without_plan", "second_plans_ignored"}
COUNTS |= {"plans_of_no_task", "trials_of_no_task", "variant", "details", "checks"}


@pytest.mark.parametrize("family", sorted(families()))
def test_every_figure_of_the_scores_says_what_it_means_and_which_way_is_good(family, small_world, monkeypatch):
    monkeypatch.setattr(console.OUT, "width", console.PIPE_WIDTH)
    words = ["score", str(small_world.releases[family]), "witness", "--home", str(small_world.home)]
    aggregate = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)["aggregate"]
    metrics = families()[family].metrics
    assert set(aggregate) - COUNTS == set(metrics)
    lines = [line.split("  ") for line in CliRunner().invoke(app, words).stdout.splitlines()]
    printed = {
        parts[0]: parts[1:] for line in lines if len(parts := [part.strip() for part in line if part.strip()]) > 1
    }
    for name, metric in metrics.items():
        assert printed[name] == [console.in_unit(aggregate[name], metric.unit), metric.better, metric.says]


@pytest.mark.parametrize(
    ("value", "unit", "told"),
    [
        (None, "%", "not measured"),
        (12.5, "%", "12.5 %"),
        (0.25, "0 to 1", "0.25"),
        (4.0, "places a day", "4 places a day"),
    ],
)
def test_a_figure_carries_its_unit(value, unit, told):
    assert console.in_unit(value, unit) == told
