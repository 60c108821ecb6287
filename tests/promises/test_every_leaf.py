"""Every leaf of a whole release's manifest changed alone, and the release sealed again: an audit names each.

Whoever adds a leaf finds here that nothing bears it out. Of a public edition, see `test_public.py`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import pytest

from assets.families import families
from assets.promises.all_read import all_read
from assets.promises.whole import whole
from assets.release import audit, audit_said
from assets.release.audit_differences import different
from assets.release.audit_files import files_otherwise
from assets.release.audit_recipe import recipe_otherwise
from assets.release.reading import OpenedRelease, file_problems, unverified_release
from tests.promises.leaves import unnamed
from warehouse.home import Home

OF_RECIPE = {
    "recipe", "title", "seed", "cities", "missing_cities", "inputs", "engines", "settings", "section", "retired",
}  # fmt: skip
"""What is the recipe's and its lock's word, and named by `--recipe` alone."""

BELIEVED = ("facts",)
"""What steps counted beside their rows, which measures rest on: only `--rebuild` counts it again."""


def once(function: Callable[..., Any], rests_on: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is asked once for all that it rests on; the tables are the same in all edits."""
    answers: dict[str, Any] = {}

    def asked(*given: Any) -> Any:
        key = json.dumps(rests_on(*given), default=str)
        if key not in answers:
            answer = function(*given)
            answers[key] = answer if isinstance(answer, tuple) else [*answer]
        return answers[key]

    return asked


@pytest.fixture
def cheaper(monkeypatch):
    """Let what rests on few leaves be made once for each; card and description are made anew by a forger."""
    for name, rests_on in (
        ("measures_and_facts", lambda family, tables, facts: [facts, tables.section]),
        ("queries_otherwise", lambda manifest, *_: [manifest.seed, manifest.section]),
        ("_contexts", lambda release, *_: release.manifest.section),
        ("_nearest", lambda release, *_: release.manifest.inputs),
        ("exports_otherwise", lambda family, tables: tables.section),
    ):
        monkeypatch.setattr(audit_said, name, once(getattr(audit_said, name), rests_on))
    monkeypatch.setattr(audit_said, "texts_otherwise", lambda *_: [])


@pytest.mark.usefixtures("cheaper")
def test_whatever_a_manifest_says_is_named_if_it_is_otherwise(small_world, tmp_path):
    """Of one family, whose edits take a minute of a processor; what compares them is the core's."""
    name = "tripcraft"
    folder = shutil.copytree(small_world.releases[name], tmp_path / "edited", ignore=shutil.ignore_patterns("record"))
    promises, family = unverified_release(folder).manifest.promises, families()[name]
    of_recipe = (small_world.recipe.read_bytes(), small_world.recipe.with_suffix(".lock.json").read_bytes())
    snapshots = Home(str(small_world.home)).snapshots

    @cache
    def written(_: str) -> list[str]:
        release = unverified_release(folder)
        if problems := file_problems(release):
            return problems
        flaws = files_otherwise(release, audit_said.whole_tables(release))
        return flaws.broken + flaws.others

    def problems(release: OpenedRelease, leaf: str) -> Iterator[Iterable[str]]:
        manifest = release.manifest
        if manifest.withheld or manifest.opened:
            yield ["is judged as what it says to be"]
        yield audit._unreadable_section(manifest)
        yield different("promises", manifest.promises, promises)  # as the gate finds them
        yield written(manifest.model_dump_json(include={"files", "format", "canary", "settings"}))
        yield whole(release, family)
        yield all_read(release, family, snapshots)[0]
        if leaf.partition("/")[0] in OF_RECIPE:  # before what takes longest: the first that names a leaf is enough
            yield recipe_otherwise(manifest, *of_recipe)
        yield audit_said.said_otherwise(release, snapshots, promises["verified_tables"])

    assert [[*some] for some in problems(unverified_release(folder), "recipe")] == [[]] * 7
    assert unnamed(folder, BELIEVED, problems) == []
