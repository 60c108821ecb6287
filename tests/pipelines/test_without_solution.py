"""Tasks without a solution that a recipe asks for: a file of the release, exported beside the published ones."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from assets.core.claims import no_plan_claim
from assets.families import families
from assets.grouptravel.unsolvable.tasks import is_right as is_right_of_groups
from assets.itinbench.unsolvable.tasks import is_right
from assets.release.exporting import export_release, release_tables
from assets.release.reading import NO_SOLUTION, ReleaseError, open_release
from pipelines.releases.without_solution import KEY, without_solution


@pytest.fixture(scope="module")
def release(small_world):
    return open_release(small_world.releases["itinbench"])


def test_a_recipe_that_asks_for_them_gets_them_with_their_proofs(release, small_world):
    lines = [json.loads(line) for line in (release.folder / NO_SOLUTION).read_text(encoding="utf-8").splitlines()]
    assert len(lines) == release.manifest.measures[KEY] == 2
    tables = release_tables(release)
    released = set(tables.tasks["task_id"])
    for line in lines:
        assert line["proof"]["near"] in released
        assert line["canary"] == release.manifest.canary
        assert is_right(tables, line, no_plan_claim(tuple(map(tuple, line["proof"]["clash"]))), None)
    other = open_release(small_world.releases["tripcraft"])
    assert not (other.folder / NO_SOLUTION).exists()
    assert KEY not in other.manifest.measures


def test_they_are_exported_as_a_file_of_their_own(release, tmp_path):
    export_release(release, "itinbench", tmp_path / "out")
    assert (tmp_path / "out" / NO_SOLUTION).read_bytes() == (release.folder / NO_SOLUTION).read_bytes()
    ids = [json.loads(line)["task_id"] for line in (tmp_path / "out" / NO_SOLUTION).read_text().splitlines()]
    others = "".join(p.read_text() for p in (tmp_path / "out").glob("*.jsonl") if p.name != NO_SOLUTION)
    assert not any(task_id in others for task_id in ids)


def test_more_than_can_be_found_are_refused(release):
    section = SimpleNamespace(**{KEY: 1_000})
    with pytest.raises(ReleaseError, match=r"tasks_without_solution asks for 1000. Ask for at most \d+"):
        without_solution(families()["itinbench"], release_tables(release), section, 1)
    assert without_solution(families()["itinbench"], release_tables(release), SimpleNamespace(), 1) == {}


def test_a_group_without_a_solution_comes_with_its_messages(small_world):
    tables = release_tables(open_release(small_world.releases["grouptravel"]))
    made = without_solution(families()["grouptravel"], tables, SimpleNamespace(**{KEY: 1}), 1)[NO_SOLUTION]
    line = json.loads(made)
    assert {message["role"] for message in line["messages"]} == set(line["record"]["user_preferences"])
    assert is_right_of_groups(tables, line, no_plan_claim(tuple(map(tuple, line["proof"]["clash"]))), None)
