"""Places with other names: a checker that knows plans, and not what stands in the world, is named by them."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest

from assets.families import families
from assets.promises import place_renaming
from assets.promises.cells import index_of
from assets.promises.certified import Job, opened_once
from assets.promises.place_renaming import renamable, renamed_places
from assets.promises.values import edges_by_task
from assets.release.reading import open_release
from assets.tripcraft.tables import TripcraftFlight, TripcraftRestaurant
from schemas.stable import content_hash
from tests.promises import lying

FAMILIES = ("itinbench", "tripcraft", "grouptravel")
LYING = "tests.promises.lying:"


@pytest.fixture
def renaming(small_world, monkeypatch):
    """Return a function that gives the tasks of which a place is renamed, and what is found with another checker."""

    def renamed_with(name: str, check: str = "") -> tuple[list[str], list[str]]:
        family = families()[name]
        every = families() | {name: replace(family, check=check or family.check)}
        monkeypatch.setattr(place_renaming, "families", lambda: every)
        release = open_release(small_world.releases[name])
        views, edges = opened_once(release.folder).views, edges_by_task(release.rows("lineage"))
        names = renamable(views.values(), edges, index_of(release, edges).rows, views)
        assert len(names) == min(len(views), place_renaming.RENAMED_PLACES)
        return sorted(names), renamed_places(Job(release.folder, tuple(names), frozenset()), names).problems

    return renamed_with


@pytest.mark.parametrize("family", FAMILIES)
def test_the_familys_own_checker_accepts_a_place_by_its_new_name_and_no_more_by_its_old(renaming, family):
    assert renaming(family)[1] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_a_checker_that_knows_the_witnesses_by_heart_is_named_for_every_task(renaming, small_world, family):
    views = opened_once(small_world.releases[family]).views.values()
    lying.HEART.update(content_hash([view.record, view.plan]) for view in views)
    task_ids, problems = renaming(family, f"{LYING}by_heart")
    assert [
        problem.partition(":")[0] for problem in problems if "has another name, in the world" in problem
    ] == task_ids


@pytest.mark.parametrize("family", FAMILIES)
def test_a_checker_that_accepts_what_it_is_shown_first_is_named_for_every_task(renaming, family):
    lying.FIRST_SHOWN.clear()
    task_ids, problems = renaming(family, f"{LYING}first_shown")
    assert [problem.partition(":")[0] for problem in problems if "accepts its witness" in problem] == task_ids


@pytest.mark.parametrize(("column", "text"), [("name", "; {}"), ("address", "{}")])
def test_a_name_that_is_part_of_another_text_or_in_another_column_is_not_renamed(small_world, column, text):
    release = open_release(small_world.releases["itinbench"])
    views, edges = opened_once(release.folder).views, edges_by_task(release.rows("lineage"))
    rows = index_of(release, edges).rows
    names = renamable(views.values(), edges, rows, views)
    task_id, name = next(iter(names.items()))
    other = {table: dict(of) for table, of in rows.items()}
    other["itinbench_place"] |= {"x/y": {column: text.format(name)}}
    field, edge = next((name, edge) for name, edge in edges[task_id].items() if name.startswith("plan/"))
    more = {**edges[task_id], f"{field}/x": edge._replace(cells=(("itinbench_place", "x/y", column),))}
    assert name not in renamable(views.values(), edges | {task_id: more}, other, views).values()


def test_a_name_that_a_record_says_is_not_renamed(small_world):
    release = open_release(small_world.releases["itinbench"])
    views, edges = opened_once(release.folder).views, edges_by_task(release.rows("lineage"))
    rows = index_of(release, edges).rows
    task_id, name = next(iter(renamable(views.values(), edges, rows, views).items()))
    wishing = views | {task_id: replace(views[task_id], record={**views[task_id].record, "cuisine": name})}
    assert name not in renamable(wishing.values(), edges, rows, wishing).values()


def test_names_are_changed_wherever_columns_of_names_say_them_and_rows_without_them_stay_the_same(small_world):
    release = open_release(small_world.releases["tripcraft"])
    eaten_at, flights = (release.rows(name) for name in ("tripcraft_restaurant", "tripcraft_flight"))
    first = eaten_at["name"][0].as_py()
    for rows in (eaten_at, eaten_at.to_pandas()):
        changed = place_renaming._with_new_names(TripcraftRestaurant, rows, {first: "Q 1", "nobody's": "Q 2"})
        names = changed["name"].to_pylist() if isinstance(changed, pa.Table) else changed["name"].tolist()
        assert names == ["Q 1" if name == first else name for name in eaten_at["name"].to_pylist()]
    for rows in (flights, flights.to_pandas()):
        assert place_renaming._with_new_names(TripcraftFlight, rows, {first: "Q 1"}) is rows
