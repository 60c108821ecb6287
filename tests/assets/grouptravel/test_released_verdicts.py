"""What the published code said of 1,560 plans, and what `released` says of them: the same, in every number."""

from __future__ import annotations

import gzip
import json
import tarfile
from collections import Counter

import pytest

from assets.grouptravel.published.checker import published_verdict
from assets.grouptravel.published.opened import open_folder
from assets.grouptravel.variants import RELEASED
from schemas.source import SourceError
from tests.conftest import SHARED

VERDICTS = SHARED / "golden" / "verdicts" / "grouptravel"
PLANS = 1_560


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    if not VERDICTS.is_dir():
        pytest.skip("the verdicts of the published code (../shared/golden) are not on this machine")
    folder = tmp_path_factory.mktemp("published")
    with tarfile.open(VERDICTS / "published_folder.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return open_folder(folder)


def verdicts() -> list[dict]:
    with gzip.open(VERDICTS / "verdicts.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def told(plan, case) -> dict:
    verdict = published_verdict(plan, case)
    return {key: value for key, value in verdict.items() if key != "failed"}


def test_every_verdict_utility_and_fairness_is_that_of_the_published_code(opened):
    cases, differ = opened.cases(), Counter()
    rows = verdicts()
    for row in rows:
        differ[row["kind"]] += told(row["plan"], cases[row["task_id"]]) != row["published"]
    assert opened.problems == ()
    assert (len(rows), len(cases)) == (PLANS, 60)
    assert {kind: n for kind, n in differ.items() if n} == {}


@pytest.mark.parametrize(
    "difference", ["windows_stand_alone", "fairness_over_all", "refuses_as_coded", "names_are_exact"]
)
def test_without_a_slip_of_the_published_code_the_verdicts_differ_or_stay(opened, difference, monkeypatch):
    """Each difference but the last, which these tasks do not show, is needed for the verdicts to agree."""
    changed = type(RELEASED)(**{**RELEASED.__dict__, difference: not getattr(RELEASED, difference)})
    monkeypatch.setattr("assets.grouptravel.published.checker.RELEASED", changed)
    cases = opened.cases()
    shown = [row for row in verdicts() if row["kind"] in ("witness", "badtime", "pad_hm", "seg_none")]
    differ = sum(told(row["plan"], cases[row["task_id"]]) != row["published"] for row in shown)
    assert (differ == 0) is (difference == "names_are_exact")


def test_a_folder_without_tasks_is_named(tmp_path):
    with pytest.raises(SourceError, match=r"found no datas/test\.jsonl"):
        open_folder(tmp_path)
