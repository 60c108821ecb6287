"""What `score` prints: every figure with what it says and which way is good."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console
from typer.testing import CliRunner

from assets.families import families
from assets.release.page.data import _difficulty as page_difficulty
from assets.release.reading import open_release
from pipelines import console, score_page
from pipelines.cli import app

COUNTS = {"n", "tasks", "trials", "days_counted", "tasks_without_plan", "second_plans_ignored"}
COUNTS |= {"plans_of_no_task", "trials_rated", "trials_of_no_task", "variant", "details", "checks"}


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
    assert printed.keys().isdisjoint(name for name, metric in metrics.items() if metric.of == "conversation")
    for name, metric in metrics.items():
        if metric.of == "plan":
            assert printed[name] == [console.in_unit(aggregate[name], metric.unit), metric.better, metric.says]


@pytest.mark.parametrize("family", sorted(families()))
def test_the_page_tells_the_same_metrics_in_the_same_words(family, small_world):
    rows = page_difficulty(open_release(small_world.releases[family]))
    metrics = families()[family].metrics
    assert rows
    for row in rows:
        metric = metrics[row["metric"]]
        assert (row["says"], row["unit"], row["better"], "plan") == (metric.says, metric.unit, metric.better, metric.of)


def test_what_a_conversation_tells_is_shown_of_a_run_alone(monkeypatch):
    sent = io.StringIO()
    for module in (console, score_page):
        monkeypatch.setattr(module, "OUT", Console(file=sent, width=console.PIPE_WIDTH))
    score_page.show_scores("grouptravel", "a run", {"pc": 12.0, "pv": 50.0})
    assert "12 %" in sent.getvalue()
    sent.truncate(0)
    score_page.show_scores("grouptravel", "witness", {"pc": 0.0, "pv": 50.0}, has_conversations=False)
    told = sent.getvalue()
    assert "0 %" not in told.replace("50 %", "")
    assert "these plans come without a conversation: pc" in told


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
