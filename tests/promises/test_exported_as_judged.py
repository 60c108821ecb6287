"""What `export` writes is what the gate has judged: a family that exports otherwise afterwards hands out nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from assets.named import load
from assets.promises.faithful import hash_of_export
from assets.release.exporting import export_release, release_tables
from assets.release.reading import ReleaseError
from assets.rows import ReleaseTables
from tests.recipes import command

EXPORT = "assets.itinbench.export.export"
Files = dict[str, Any]


class SaysAll(bytes):
    """Says of itself that it holds whatever it is asked for."""

    def find(self, *_: Any) -> int:
        return 0


def other_words(files: Files) -> Files:
    """Return the files with the words of the queries exchanged for others."""
    return {path: data.replace(b"plan", b"leap") for path, data in files.items()}


def one_file_more(files: Files) -> Files:
    return {**files, "NOTES.txt": b"as it was"}


@pytest.fixture
def exports(monkeypatch) -> Callable[[Callable[[Files], Files]], None]:
    """Return a function that has the family export otherwise from now on."""
    real = load("assets.itinbench.export:export")

    def exports(otherwise: Callable[[Files], Files]) -> None:
        monkeypatch.setattr(EXPORT, lambda tables: otherwise(dict(real(tables))))

    return exports


def test_an_export_is_what_was_judged(release, tmp_path):
    exported = export_release(release, "itinbench", tmp_path / "out")
    assert not exported.is_judged_anew
    assert any(path.endswith("humanQuerys.jsonl") for path in exported.sizes)


@pytest.mark.parametrize(
    "otherwise",
    [other_words, lambda files: {path: SaysAll(data) for path, data in other_words(files).items()}],
    ids=["other words", "files that say that they hold all words"],
)
def test_an_export_that_comes_out_otherwise_and_does_not_hold_is_refused_and_leaves_nothing(
    release, tmp_path, exports, otherwise
):
    exports(otherwise)
    with pytest.raises(ReleaseError, match=r"otherwise than was judged .*\n  - .* stands in no exported file as it is"):
        export_release(release, "itinbench", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_export_of_other_plans_than_were_judged_is_refused(release, tmp_path, exports):
    """Its words are the tasks' own, and each plan is another task's: the published checker sees it."""

    def exchanged(tables: ReleaseTables) -> ReleaseTables:
        rows = tables.certificates
        plans = [*rows["plan"][1:], rows["plan"].iloc[0]]
        return replace(tables, tables={**tables.tables, "certificates": rows.assign(plan=plans)})

    real = load("assets.itinbench.export:export")
    other = real(exchanged(release_tables(release)))
    exports(lambda _: dict(other))
    with pytest.raises(ReleaseError, match="the published checker refuses the exported witness"):
        export_release(release, "itinbench", tmp_path / "out")


def test_an_export_that_comes_out_otherwise_and_holds_is_judged_anew_and_told(small_world, release, tmp_path, exports):
    exports(one_file_more)
    words = ("export", release.version, tmp_path / "out", "--format", "itinbench")
    code, told = command(*words, home=small_world.home)
    assert (code, told["judged_anew"]) == (0, True)
    assert (tmp_path / "out" / "NOTES.txt").read_bytes() == b"as it was"


def test_a_manifest_says_the_hash_of_the_export_and_an_audit_finds_another(small_world, release):
    said: Mapping[str, Any] = json.loads((release.folder / "manifest.json").read_text())["promises"]["published"]
    files = load("assets.itinbench.export:export")(release_tables(release))
    assert said["sha256"] == hash_of_export(files) != hash_of_export(one_file_more(dict(files)))
