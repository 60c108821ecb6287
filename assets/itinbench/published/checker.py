"""What the released evaluator says of the witnesses in an export: its own reading (`released`) of the files alone.

It knows neither how tasks are drafted nor how witnesses are found.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assets.itinbench.checks.matching import Matcher
from assets.itinbench.checks.metrics import PASS_RATE, judge_plan
from assets.itinbench.checks.ratios import Pool
from assets.itinbench.published.folder import published_set
from schemas.counts import counted
from schemas.json_lines import json_lines, lines_told
from schemas.source import SourceError

WITNESSES = "witnesses.jsonl"
"""The witnesses in the shape of the published plans, `{"index", "task_id", "plan": {"itinerary": […]}}` a line."""

CATEGORIES = ("day", "price", "orientation", "cuisine", "restaurant", "hotel")

MUST_HOLD = ("in_pool", "complete", *CATEGORIES, "macro", "valid")
"""Checks that no witness of an export may fail: all."""


def verdicts(files: Mapping[str, bytes]) -> dict[str, dict[str, bool | None]]:
    """Return task_id to check to verdict for every witness of an export's files.

    Checks: `in_pool` and `complete` (the paper's OOP and MI), the six categories at three quarters each (None where
    nothing of the kind was named), `macro` and `valid`. A query without a witness holds nothing. Raises SourceError if
    the files are not a published folder with witnesses.
    """
    folders = sorted({path.rpartition("/")[0] for path in files if path.rpartition("/")[2] == "evals.jsonl"})
    if not folders:
        raise SourceError("this is not an ItinBench export: found no evals.jsonl")
    verdicts_by_task: dict[str, dict[str, bool | None]] = {}
    for folder in folders:
        prefix = f"{folder}/" if folder else ""
        of_folder = {path.removeprefix(prefix): data for path, data in files.items() if path.startswith(prefix)}
        verdicts_by_task |= _folder_verdicts(of_folder, folder or "the export")
    return verdicts_by_task


def _folder_verdicts(files: Mapping[str, bytes], name: str) -> dict[str, dict[str, bool | None]]:
    opened = published_set(files, name)
    plans = _witnesses(files, name)
    pool, matcher = Pool(opened.places), Matcher(opened.places, "released")
    verdicts_by_task: dict[str, dict[str, bool | None]] = {}
    for index, record in opened.records.items():
        plan = plans.get(index, {})
        score, _ = judge_plan(index, plan, record, pool, matcher)  # no verdict rests on its tours
        ratios = dict(score.ratios.items()) if score.ratios is not None else dict.fromkeys(CATEGORIES, (0, 1))
        verdicts_by_task[str(plan.get("task_id", index))] = {
            "in_pool": bool(plan) and not score.out_of_pool,
            "complete": not score.missing_info,
            **{category: _passes(*ratio) for category, ratio in ratios.items()},
            "macro": score.macro,
            "valid": score.valid,
        }
    return verdicts_by_task


def _passes(numerator: int, denominator: int) -> bool | None:
    return numerator / denominator >= PASS_RATE if denominator else None


def _witnesses(files: Mapping[str, bytes], name: str) -> dict[str, dict[str, Any]]:
    if WITNESSES not in files:
        raise SourceError(f"{name}: found no {WITNESSES}; export the release with its witnesses")
    plans: dict[str, dict[str, Any]] = {}
    problems = []
    for line in json_lines(files[WITNESSES], storable=True):
        if line.problem or "index" not in line.value:
            problem = line.problem or "expected an object with index and plan"
            problems.append(f"{WITNESSES}, line {line.number}: {problem}")
        else:
            plans[str(line.value["index"])] = line.value
    if problems:
        raise SourceError(f"{name}: {counted(len(problems), 'line')} without a plan:\n{lines_told(problems)}")
    return plans
