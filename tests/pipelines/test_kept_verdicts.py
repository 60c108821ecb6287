"""A gate judges no witness twice by the same code; what it rests on is in the verdict's name, and audits judge anew.

A verdict that somebody else wrote into the home is none.
"""

from __future__ import annotations

import dataclasses
import json
from unittest.mock import Mock

import pytest

from assets.core import worlds
from assets.core.worlds import task_views
from assets.families import families
from assets.named import load
from assets.promises import certified, words
from assets.promises import gate as gate_module
from assets.promises.cells import index_of
from assets.promises.certified import Job, judge, opened_once
from assets.promises.gate import gate
from assets.promises.verdicts import VERDICTS_KEY, KeptVerdicts
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from pipelines.releases.codes import judging_code
from tests.promises.editing import edited
from warehouse.home import Home
from warehouse.own_key import KEY_FILE, signature
from warehouse.store import Store


@pytest.fixture(scope="module")
def release(small_world):
    return open_release(small_world.releases["itinbench"])


def test_a_second_gate_judges_nobody_and_says_the_same(release, small_world, tmp_path, monkeypatch):
    snapshots, kept = Home(str(small_world.home)).snapshots, KeptVerdicts(Store(str(tmp_path)), "code")
    first = gate(release, snapshots, kept=kept)
    monkeypatch.setattr(gate_module, "_judging", lambda *_: pytest.fail("judged again"))
    assert gate(release, snapshots, kept=kept).as_manifest() == first.as_manifest()
    (key,) = kept.store.keys(VERDICTS_KEY)
    kept.store.put(key, b'{"accepted": 3}')
    with pytest.raises(pytest.fail.Exception, match="judged again"):
        gate(release, snapshots, kept=kept)
    with pytest.raises(pytest.fail.Exception, match="judged again"):
        gate(release, snapshots)


@pytest.mark.parametrize("signed", ["", "another user's", "of another release"])
def test_a_verdict_that_somebody_else_wrote_is_not_believed(release, small_world, tmp_path, monkeypatch, signed):
    def another_s_plan(rows):
        first, second, *others = rows
        return [{**first, "plan": second["plan"]}, second, *others]

    monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "cache"))
    lying = open_release(edited(release.folder, tmp_path, {"certificates": another_s_plan}))
    snapshots, kept = Home(str(small_world.home)).snapshots, KeptVerdicts(Store(str(tmp_path / "kept")), "code")
    gate(release, snapshots, kept=kept)
    (key,) = kept.store.keys(VERDICTS_KEY)
    stated, _, body = kept.store.read(key).partition(b"\n")
    assert json.loads(body)["accepted"] == lying.manifest.counts["certified"]
    name = kept.name_of(lying, families()["itinbench"])
    if signed == "":
        stated = b""
    elif signed == "another user's":
        (tmp_path / "cache" / KEY_FILE).unlink()
        stated = str(signature(name, body)).encode()
        (tmp_path / "cache" / KEY_FILE).unlink()
    kept.store.put(f"{VERDICTS_KEY}/{name}", stated + b"\n" + body)
    problems = gate(lying, snapshots, kept=kept).problems
    assert any("the witness is not accepted" in problem for problem in problems)


def test_a_verdict_s_name_holds_all_that_it_rests_on(release):
    def name(damaged="", code="code", **manifest):
        files = [f.model_copy(update={"sha256": "0" * 64}) if f.path == damaged else f for f in release.manifest.files]
        other = dataclasses.replace(release, manifest=release.manifest.model_copy(update={"files": files, **manifest}))
        return KeptVerdicts(Store("memory://kept"), code).name_of(other, families()["itinbench"])

    judged = ("tasks", "certificates", "lineage", "itinbench_place", "tag_rating")
    names = [name(), name(code="other"), name(section={}), *(name(f"{table}.parquet") for table in judged)]
    assert len(set(names)) == len(names)
    assert {name("README.md"), name("nearest_query.parquet")} == {name()}


@pytest.mark.parametrize("name", sorted(families()))
def test_whatever_of_a_family_is_asked_when_it_is_judged_is_in_the_code_that_its_verdicts_rest_on(
    name, small_world, monkeypatch
):
    asked, code = set(), Mock()
    for module in (certified, words, worlds):
        monkeypatch.setattr(module, "load", lambda named: asked.add(named) or load(named))
    release = open_release(small_world.releases[name])
    views = task_views((tables := release_tables(release)).tasks, tables.certificates)
    ids = frozenset(view.task_id for view in views)
    opened_once.cache_clear()
    judge(Job(release.folder, tuple(sorted(ids)), ids), index_of(release).rows)
    judging_code(families()[name], code)
    assert len(asked) >= 5
    assert asked <= set(code.hash_of.call_args.args)
