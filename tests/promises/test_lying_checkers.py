"""A checker that does not look is found by the plans it must refuse, and unused rows by a world without them.

The judges run in the tests' own process, with a family whose checker lies; the family's real one is tried beside it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pyarrow as pa
import pytest

from assets.families import families
from assets.promises import certified, field_exchange
from assets.promises.cells import index_of
from assets.promises.certified import Job, judge
from assets.promises.field_exchange import REFUSALS, WISHES_TRIED, judge_fields
from assets.promises.mutants import names_in
from assets.promises.row_removal import _without, removed_rows
from assets.release.reading import open_release
from assets.tripcraft.tables import TripcraftFlight
from tests.promises import lying
from tests.promises.editing import edited

FAMILIES = ("itinbench", "tripcraft", "grouptravel")
EMPTY, UNKNOWN, CHANGED = "the empty plan", "a plan with an unknown place", "a plan with one value changed"
LAST, FIRST = "a plan without its last day", "a plan without its first day"


@pytest.fixture
def judged(small_world, monkeypatch):
    """Return a function that gives what a checker accepted that it must refuse, by kind, and the number of tasks."""

    def judge_with(name: str, check: str) -> tuple[Counter[str], int]:
        family = families()[name]
        lying.FAMILY[0] = family
        lying.WITNESSES.clear()
        every = families() | {name: replace(family, check=check or family.check, verify=None)}
        monkeypatch.setattr(certified, "families", lambda: every)
        release = open_release(small_world.releases[name])
        task_ids = tuple(release.rows("tasks")["task_id"].to_pylist())
        found = judge(Job(release.folder, task_ids, frozenset(task_ids)), index_of(release).rows)
        said = [problem.partition(" accepts ")[2] for problem in found.problems if " accepts " in problem]
        kinds = Counter(text.partition(";")[0].partition(" (")[0] for text in said)
        assert all(kinds[kind] == 0 or kind.replace(" ", "_") in found.offered for kind in (EMPTY, LAST, FIRST))
        return kinds, len(task_ids)

    return judge_with


@pytest.mark.parametrize("family", FAMILIES)
def test_the_familys_own_checker_accepts_nothing_that_it_must_refuse(judged, family):
    assert judged(family, "")[0] == {}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_checker_that_accepts_everything_is_named_for_every_kind_of_every_task(judged, family):
    accepted, tasks = judged(family, "tests.promises.lying:accepts")
    assert {kind: accepted[kind] for kind in (EMPTY, UNKNOWN, CHANGED, LAST, FIRST)} == dict.fromkeys(
        (EMPTY, UNKNOWN, CHANGED, LAST, FIRST), tasks
    )
    if family == "itinbench":  # of several cities, so that each task has one whose witness must not be its own
        others = [kind for kind in accepted if kind.startswith("the witness of ")]
        assert sum(accepted[kind] for kind in others) == tasks
        assert all(kind.endswith(", a trip of another length or city") for kind in others)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_checker_that_looks_at_the_first_day_only_is_named_by_a_plan_without_its_last(judged, family):
    accepted, tasks = judged(family, "tests.promises.lying:first_day_only")
    assert accepted[LAST] == tasks
    assert accepted[EMPTY] == 0, "it does look at the first day"


def twin_of(key: str) -> str:
    """Return the key of a place's twin."""
    city_id, place_id, kind = key.split("/")
    return f"{city_id}/{place_id}-twin/{kind}"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_field_is_exchanged_until_five_tasks_refuse_or_thirty_were_tried(small_world, monkeypatch, family):
    release = open_release(small_world.releases[family])
    job = Job(release.folder, (), frozenset(release.rows("tasks")["task_id"].to_pylist()))
    tried = judge_fields(job).fields
    assert tried and all(refused <= REFUSALS and asked <= WISHES_TRIED for asked, refused in tried.values())
    assert any(refused for _, refused in tried.values())
    monkeypatch.setattr(field_exchange, "REFUSALS", 1)
    fewer = judge_fields(job).fields
    assert fewer.keys() == tried.keys() and all(refused <= 1 for _, refused in fewer.values())
    real = families()[family]
    blind = replace(real, check="tests.promises.lying:accepts", verify=None)
    monkeypatch.setattr(field_exchange, "families", lambda: families() | {family: blind})
    blindly = judge_fields(job).fields
    assert blindly.keys() == tried.keys() and not any(refused for _, refused in blindly.values())
    assert all(blindly[name][0] >= asked for name, (asked, _) in tried.items())


def test_rows_that_a_family_only_says_it_uses_are_named_by_a_world_without_them(small_world, tmp_path):
    """A twin of each place that a witness names: equal in all but its id, read from the same record, never used."""
    whole = open_release(small_world.releases["itinbench"])
    edges = [row for row in whole.rows("lineage").to_pylist() if row["cells"] and row["field"].endswith("/name")]
    first = {edge["task_id"]: edge["cells"][0]["row"] for edge in reversed(edges)}

    def with_twins(rows):
        keys = {f"{row['city_id']}/{row['place_id']}/{row['kind']}": row for row in rows}
        return [
            *rows,
            *({**keys[key], "place_id": f"{keys[key]['place_id']}-twin"} for key in sorted(set(first.values()))),
        ]

    release = open_release(edited(whole.folder, tmp_path, {"itinbench_place": with_twins}))
    job = Job(release.folder, tuple(first), frozenset())
    twins = {task_id: ("itinbench_place", twin_of(key)) for task_id, key in first.items()}
    assert sorted(problem.partition(":")[0] for problem in removed_rows(job, twins).problems) == sorted(first)
    used = {task_id: ("itinbench_place", key) for task_id, key in first.items()}
    assert removed_rows(Job(whole.folder, tuple(first), frozenset()), used).problems == []


def test_a_row_without_which_no_world_is_made_hides_no_row_that_is_not_used(small_world):
    """The only row of the trips' terms is taken from one task, an unused restaurant from every other."""
    release = open_release(small_world.releases["tripcraft"])
    ids = sorted(release.rows("tasks")["task_id"].to_pylist())
    terms = release.rows("tripcraft_terms")["currency"].to_pylist()
    used = {cell["row"] for edge in release.rows("lineage").to_pylist() for cell in edge["cells"]}
    eaten_at = (f"{row['city_id']}/{row['place_id']}" for row in release.rows("tripcraft_restaurant").to_pylist())
    unused = next(key for key in eaten_at if key not in used)
    removed = {ids[0]: ("tripcraft_terms", terms[0])} | dict.fromkeys(ids[1:], ("tripcraft_restaurant", unused))
    problems = removed_rows(Job(release.folder, tuple(ids), frozenset()), removed).problems
    assert len(terms) == 1 and len(ids) > 1
    assert [problem.partition(":")[0] for problem in problems] == ids[1:]


@pytest.mark.parametrize("places", [(0,), (2,), (4,), (0, 1), (1, 2, 4), (0, 1, 2, 3, 4), ()])
def test_a_large_table_loses_the_rows_that_are_taken_away_and_no_other(small_world, places):
    flights = open_release(small_world.releases["tripcraft"]).rows("tripcraft_flight")
    rows = pa.concat_tables([flights.slice(0, 2), flights.slice(2, 3)])
    numbers = rows["flight_number"].to_pylist()
    left = _without(TripcraftFlight, rows, {numbers[place] for place in places} | {"F0"})
    assert left["flight_number"].to_pylist() == [n for place, n in enumerate(numbers) if place not in places]
    assert left.schema == rows.schema


def test_a_plan_is_tried_with_names_that_stand_in_it_alone(small_world):
    opened = certified.opened_once(small_world.releases["itinbench"])
    task = next(iter(opened.views.values()))
    cells = [
        ("t/1", "Zoo"),
        ("t/2", "Elsewhere"),
        ("t/3", "Z"),
        ("t/4", "museum, to bed"),
        ("t/5", "to bed"),
        ("t/6", 3),
    ]
    assert set(names_in({"days": [["a Zoo, a museum"], ["to bed", 3]]}, task, cells)) == {"Zoo", "to bed"}
