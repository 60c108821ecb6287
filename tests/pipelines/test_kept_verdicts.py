"""A gate judges no witness twice by the same code; what it rests on is in the verdict's name, and audits judge anew."""

from __future__ import annotations

import dataclasses
from unittest.mock import Mock

import pytest

from assets.core import worlds
from assets.core.worlds import task_views
from assets.family import families
from assets.named import load
from assets.promises import certified, words
from assets.promises import gate as gate_module
from assets.promises.cells import index_of
from assets.promises.certified import Job, judge, opened_once
from assets.promises.gate import gate
from assets.promises.kept import VERDICTS_KEY, KeptVerdicts
from assets.promises.values import edges_by_task
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from pipelines.releases.release import judging_code
from warehouse.home import Home
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


def test_a_verdict_s_name_holds_all_that_it_rests_on(release):
    family, tables = families()["itinbench"], release_tables(release)
    views = task_views(tables.tasks, tables.certificates)
    checks = dict(zip(tables.certificates["task_id"], tables.certificates["checks"], strict=True))
    edges = edges_by_task(release.rows("lineage"))
    tried = frozenset(view.task_id for view in views)

    def name(views=views, checks=checks, edges=edges, tried=tried, release=release, code="code"):
        return KeptVerdicts(Store("memory://kept"), code).name_of(release, family, views, checks, edges, tried)

    first = views[0]
    world = [f.model_copy(update={"sha256": "0" * 64}) if "place" in f.path else f for f in release.manifest.files]
    other_world = dataclasses.replace(release, manifest=release.manifest.model_copy(update={"files": world}))
    edge = next(edge for edge in edges[first.task_id].values() if edge.field.startswith("plan/"))
    moved = {**edges, first.task_id: {**edges[first.task_id], edge.field: dataclasses.replace(edge, cells=())}}
    names = [
        name(),
        name(code="other"),
        name(views=[dataclasses.replace(first, plan={**first.plan, "more": 1}), *views[1:]]),
        name(views=[dataclasses.replace(first, record={**first.record, "price": "other"}), *views[1:]]),
        name(checks={**checks, first.task_id: []}),
        name(edges=moved),
        name(tried=tried - {first.task_id}),
        name(release=other_world),
        name(views=[dataclasses.replace(first, query="Said otherwise."), *views[1:]]),
    ]
    assert len(set(names)) == len(names)


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
