"""Tasks said to be drawn otherwise than their slots draw them, and slots without a task: an audit names each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assets.release import measures
from assets.release.audit_said import said_otherwise
from assets.release.reading import OpenedRelease, open_release
from tests.promises.editing import Rows, edited, sealed
from tests.small_world import SmallWorld
from warehouse.home import Home


def drawn(**values: Any) -> Callable[[Rows], Rows]:
    """Return what says of the first task that it was drawn otherwise."""
    return lambda rows: [{**rows[0], "drawn": {**rows[0]["drawn"], **values}}, *rows[1:]]


def said_of(small_world: SmallWorld, folder: Path) -> list[str]:
    """Return what an audit says of an edited release beside what its gate does."""
    return [*said_otherwise(open_release(folder), Home(str(small_world.home)).snapshots, ())]


@pytest.mark.parametrize(
    ("family", "values", "told"),
    [
        ("itinbench", {"why": "no museum"}, 'drawn: says why "no museum", its slot draws'),
        ("itinbench", {"edits": 9}, "edits 9, its slot draws"),
        ("itinbench", {"fewest_edits": 3}, "fewest_edits 3, its slot draws"),
        ("tripcraft", {"attempt": 77}, "ValueError: its slot draws another record by attempt 77"),
        ("tripcraft", {"why": "T8: no food"}, 'drawn: says why "T8: no food", its slot draws null'),
        ("tripcraft", {"published_id": "3d-1"}, 'drawn: says published_id "3d-1", its slot draws null'),
        ("grouptravel", {"attempt": 2}, "ValueError: its slot draws another trip by attempt 2"),
        ("grouptravel", {"seed": "4"}, 'drawn: says seed "4", its slot draws "3"'),
        (
            "grouptravel",
            {"profiles": [{"key": "User1", "value": "u0"}]},
            'drawn: says profiles {"User1": "u0"}, its slot draws {',
        ),
    ],
)
def test_what_the_slot_did_not_draw_is_named(small_world, tmp_path, family, values, told):
    folder = edited(small_world.releases[family], tmp_path, {"tasks": drawn(**values)})
    first = open_release(folder).rows("tasks")["task_id"][0].as_py()
    assert any(problem.startswith(f"{first}: ") and told in problem for problem in said_of(small_world, folder))


def without_last_task(release: OpenedRelease, tmp_path: Path, reason: str | None) -> Path:
    """Return a copy of a release without its last task, which a row says was rejected for a reason, if there is one."""
    gone = release.rows("tasks")["task_id"].to_pylist()[-1]

    def rejected(rows: Rows) -> Rows:
        row = {"step": "itinbench_draft", "row": gone, "reason": reason, "detail": "no plan"}
        return [*rows, {**rows[0], **row}]

    def without(rows: Rows) -> Rows:
        return [row for row in rows if row["task_id"] != gone]

    changes = dict.fromkeys(("tasks", "certificates", "lineage", "nearest_query"), without)
    return edited(release.folder, tmp_path, changes | ({"rejections": rejected} if reason else {}))


def unworded(manifest: dict[str, Any]) -> None:
    """Say that a model gave one task no words."""
    next(e for e in manifest["accounting"] if e["step"] == "itinbench_task")["rejected"]["no_valid_answer"] = 1


FEWER = "tasks.parquet: holds 5 certified tasks, and the section asks for 6; a build releases nothing then"


def test_a_slot_without_a_task_is_named_though_it_is_said_to_be_rejected(release: OpenedRelease, small_world, tmp_path):
    gone = release.rows("tasks")["task_id"].to_pylist()[-1]
    silent = f"{gone}: is a slot without a task, and no rejection says why"
    for reason in ("unsatisfiable", None):
        problems = said_of(small_world, without_last_task(release, tmp_path / str(reason), reason))
        assert FEWER in problems
        assert any(silent in problem for problem in problems) is (reason is None)


def test_a_slot_without_a_task_is_named_though_a_model_that_nobody_asked_is_said_to_have_left_it_without_words(
    release: OpenedRelease, small_world, tmp_path, monkeypatch
):
    monkeypatch.setattr(measures, "MOST_UNANSWERED", 0.5)  # or six tasks are too few for one to be pardoned
    folder = sealed(without_last_task(release, tmp_path, "no_valid_answer"), None, unworded)
    assert FEWER in said_of(small_world, folder)


def test_a_task_that_is_said_to_be_rejected_and_retired_is_named(release: OpenedRelease, small_world, tmp_path):
    first = release.rows("tasks").to_pylist()[0]
    row = {"step": "itinbench_draft", "row": first["task_id"], "reason": "unsatisfiable", "detail": "no plan"}

    def retire(manifest: dict[str, Any]) -> None:
        manifest["retired"].append({"task_id": first["task_id"], "city_id": first["city_id"], "reason": "gone"})

    folder = edited(release.folder, tmp_path, {"rejections": lambda rows: [*rows, {**rows[0], **row}]})
    assert any(f"rejections.parquet: '{row['row']}' is a task" in problem for problem in said_of(small_world, folder))
    problems = said_of(small_world, sealed(folder, None, retire))
    assert any(f"retired: '{row['row']}' is a task of the release" in problem for problem in problems)


def test_a_task_that_a_model_is_said_to_have_left_without_words_is_named(release: OpenedRelease, small_world, tmp_path):
    folder = sealed(edited(release.folder, tmp_path, {}), None, unworded)
    told = "manifest.json: accounting: 1 task got no words of a model, and none was asked"
    assert told in said_of(small_world, folder)
