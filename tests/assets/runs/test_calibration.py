"""What runs teach: shares, means and correlations with their intervals, and what they say of tasks and levels."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from statistics import correlation

import pyarrow.parquet as pq
import pytest

from assets.core.no_solution import LEVEL
from assets.runs.calibration import bootstrapped, calibration, discrimination, wilson
from assets.runs.leaderboard import MOST_NAME_CHARACTERS, leaderboard_page, said_of, score_rows, write
from assets.runs.records import Head, Line, Run, RunError, read_run
from assets.runs.scores import ScoredRun
from assets.runs.setting import Outcome

LEVELS = {"t1": "easy", "t2": "easy", "t3": "hard", "t4": "hard"}


def scored(planner: str, *percents: float) -> ScoredRun:
    """Return a run of four tasks; what is above 0 is solved."""
    lines = {task_id: Line(task_id, level, "…", cost=0.25) for task_id, level in LEVELS.items()}
    run = Run(Path("x.jsonl"), Head("r1", "itinbench", planner), lines, "2026-01-01")
    outcomes = {task_id: Outcome(value > 0, value) for task_id, value in zip(LEVELS, percents, strict=True)}
    metrics = {
        task_id: {"a": value, "b": 2 * value, "c": -value} for task_id, value in zip(LEVELS, percents, strict=True)
    }
    return ScoredRun(run, {}, outcomes, metrics)


RUNS = [
    scored("witness", 100, 99, 98, 97), scored("greedy", 60, 70, 0, 20), scored("random", 0, 2, 0, 0),
    scored("careful", 80, 85, 0, 41),
]  # fmt: skip


def test_levels_stand_from_the_easiest_to_the_hardest():
    run = scored("greedy", 60, 70, 0, 20)
    for task_id, level in zip(LEVELS, ("hard", "medium", "easy", "own"), strict=True):
        run.run.lines[task_id] = replace(run.run.lines[task_id], level=level)
    ((_, means),) = calibration([run]).ranked
    assert list(means) == ["", "easy", "medium", "hard", "own"]


def test_wilsons_interval_by_its_formula():
    hits, of, z = 3, 10, 1.959963984540054
    p = hits / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    assert wilson(hits, of) == (round(middle - half, 4), round(middle + half, 4))


def test_an_interval_of_a_mean_holds_it_and_is_the_same_every_time():
    values = [0.0, 100.0, 50.0, 60.0, 70.0]
    low, high = bootstrapped(values) or (0, 0)
    assert 0 < low < 56 < high < 100
    assert bootstrapped(values) == (low, high)
    assert (bootstrapped([5.0]), bootstrapped([5.0, 5.0])) == (None, (5.0, 5.0))


@pytest.mark.parametrize(
    ("own", "rest", "value", "has_interval"),
    [
        ([1, 2, 3, 4], [10, 20, 30, 40], 1.0, True),
        ([4, 3, 2, 1], [10, 20, 30, 40], -1.0, True),
        ([1, 2, 3], [10, 20, 30], 1.0, False),
        ([1, 1, 1, 1], [10, 20, 30, 40], None, False),
        ([1], [10], None, False),
    ],
)
def test_discrimination(own, rest, value, has_interval):
    found, interval = discrimination(own, rest)
    assert (found, interval is not None) == (value, has_interval)


def test_tasks_levels_and_metrics():
    found = calibration(RUNS)
    assert [(t.task_id, t.solved_by) for t in found.tasks if t.task_id in ("t1", "t3")] == [
        ("t1", ("witness", "greedy", "careful")), ("t3", ("witness",)),
    ]  # fmt: skip
    assert (found.unsolved, found.always_solved) == ([], ["t2"])
    assert found.by_planner["greedy"][""].percent == 37.5
    assert found.by_planner["greedy"]["easy"].tasks == 2
    assert {name for name, _, _ in found.levels_that_do_not_separate} == {"random"}
    assert ("a", "b", 1.0) in found.agreeing
    assert ("a", "c", -1.0) in found.contradicting
    third = found.tasks[2]
    elsewhere = [(100 + 99 + 97) / 3, (60 + 70 + 20) / 3, (0 + 2 + 0) / 3, (80 + 85 + 41) / 3]
    assert third.discrimination == round(correlation([98, 0, 0, 0], elsewhere), 3)
    assert third.discrimination_interval is not None


def test_figures_that_agree_are_told_together():
    found = replace(calibration(RUNS), agreeing=[("a", "b", 1.0), ("a", "d", 0.99), ("b", "d", 0.98)])
    lines = [line.partition(":")[0] for line in said_of(found) if "nearly as" in line]
    assert lines == ["the metric a orders the plans nearly as b, d", "the metric b orders the plans nearly as d"]


def test_two_runs_of_one_planner_are_two_rows():
    assert set(calibration([RUNS[0], RUNS[0]]).by_planner) == {"witness", "witness (2)"}


def test_the_leaderboard_is_written_with_costs_and_the_release(tmp_path):
    found = calibration(RUNS)
    paths = write(tmp_path, "r1", found, RUNS)
    rows = pq.read_table(paths[0]).to_pylist()
    assert {(row["release"], row["begun"]) for row in rows} == {("r1", "2026-01-01")}
    whole = next(row for row in rows if (row["planner"], row["level"]) == ("witness", ""))
    assert (whole["tasks"], whole["percent"], whole["cost"], whole["solved"]) == (4, 98.5, 1.0, 1.0)
    tasks = pq.read_table(paths[1]).to_pylist()
    assert [row["task_id"] for row in tasks] == list(LEVELS)
    page = paths[2].read_text()
    assert page.index("witness") < page.index("careful") < page.index("greedy") < page.index("random")
    assert "solved by every planner: 1 of 4 tasks" in "\n".join(said_of(found))


NAMES = {
    "html": "<b>x</b><script>alert(1)</script>",
    "link": "![i](http://e/x.png) [x](javascript:alert(1))",
    "cell": "|a|`b`|",
    "lines": "a\n\n# First of all\n- a",
    "terminal": "\x1b[2J\x1b]0;t\x07",
    "direction": "\u202ekcatta",
    "long": "A" * 10_000,
}
ACTS_ON_A_PAGE = re.compile(r"(?<!\\)[<>`!\[]|\x1b|\x07|\u202e")


@pytest.mark.parametrize("name", NAMES.values(), ids=list(NAMES))
@pytest.mark.parametrize("lacking", [0, 3])
def test_a_planners_name_is_nothing_but_text_on_the_page(name, lacking):
    plain, page = (
        leaderboard_page(calibration([replace(scored(one, 1, 2, 3, 4), lacking=lacking)]), "r1") for one in ("x", name)
    )
    assert not ACTS_ON_A_PAGE.search(page)
    assert len(page.splitlines()) == len(plain.splitlines())
    assert len(page) < len(plain) + 4 * 4 * MOST_NAME_CHARACTERS


def test_a_head_that_no_table_holds_is_no_head_of_a_run(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"run": {"release": "r1", "family": "itinbench", "planner": "\ud800"}}) + "\n")
    with pytest.raises(RunError, match="half of a surrogate pair"):
        read_run(path)


def test_pairs_of_metrics_that_are_not_shown_are_counted():
    pairs = [(f"m{n}", f"n{n}", -0.9) for n in range(13)]
    lines = said_of(replace(calibration(RUNS), agreeing=pairs[:10], contradicting=pairs))
    assert [line for line in lines if "more pairs" in line] == [
        "and 3 more pairs of metrics that contradict each other"
    ]
    assert sum("rank correlation" in line for line in lines) == 10


def test_lines_in_another_order_have_the_same_intervals():
    outcomes = {f"t{n:02}": Outcome(True, n * n / 7) for n in range(1, 26)}
    lines = {task_id: Line(task_id, "easy", "…") for task_id in outcomes}
    run = ScoredRun(Run(Path("x.jsonl"), Head("r1", "itinbench", "greedy"), lines), {}, outcomes, {})
    turned = replace(run, outcomes=dict(reversed(outcomes.items())))
    assert calibration([turned]).by_planner == calibration([run]).by_planner


def with_extra(run: ScoredRun, *percents: float) -> ScoredRun:
    """Return a run with tasks without a solution beside its own."""
    extra = {f"t{n}.no-solution": Outcome(value > 0, value) for n, value in enumerate(percents)}
    lines = {task_id: Line(task_id, LEVEL, "…", cost=0.5) for task_id in extra}
    return replace(run, run=replace(run.run, lines=run.run.lines | lines), outcomes=run.outcomes | extra)


def test_nobody_leads_by_tasks_without_a_solution_that_he_added():
    plain, boasting = scored("greedy", 60, 70, 0, 20), with_extra(scored("careful", 50, 70, 0, 20), 100, 100, 100)
    found = calibration([plain, boasting])
    assert [name for name, _ in found.ranked] == ["greedy", "careful"]
    means = found.by_planner["careful"]
    assert (means[""].tasks, means[""].percent, means[LEVEL].tasks, means[LEVEL].percent) == (4, 35.0, 3, 100.0)
    assert (
        found.tasks[0].discrimination == calibration([plain, scored("careful", 50, 70, 0, 20)]).tasks[0].discrimination
    )
    assert "careful is right about 3 of 3 tasks without a solution" in said_of(found)
    costs = {row["level"]: row["cost"] for row in score_rows(found, [plain, boasting]) if row["name"] == "careful"}
    assert costs == {"": 1.0, "easy": 0.5, "hard": 0.5, LEVEL: 1.5}
