"""Tasks and certificates that do not belong together: the gate names each, and a task that is there twice."""

from __future__ import annotations

import pytest

from assets.promises.cells import index_of
from assets.promises.gate import _elsewhere, _strangers, gate
from assets.promises.traceable import TraceReport
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from tests.promises.editing import edited
from warehouse.home import Home

FAMILIES = ("itinbench", "tripcraft", "grouptravel")


def first_of_its_city(rows):
    """Return the tasks, each of which asks what the first of its city does."""
    records = {row["city_id"]: row["record"] for row in reversed(rows)}
    return [{**row, "record": records[row["city_id"]]} for row in rows]


@pytest.fixture
def told(small_world, tmp_path):
    """Return a function from a family and changes of tables to what is told, and the tasks as they were."""

    def tell(family, changes):
        release = open_release(small_world.releases[family])
        copy = open_release(edited(release.folder, tmp_path, changes))
        return _strangers(copy, release_tables(copy)), release.rows("tasks").to_pylist()

    return tell


@pytest.mark.parametrize("family", FAMILIES)
def test_of_an_honest_release_nothing_is_told(told, family):
    assert told(family, {})[0] == []


@pytest.mark.parametrize(
    ("name", "change", "text"),
    [
        ("certificates", lambda rows: rows[1:], "has no certificate"),
        ("tasks", lambda rows: rows[1:], "has a certificate, and is no task"),
        (
            "tasks",
            lambda rows: [{**rows[0], "city_id": f"{rows[0]['city_id']}+xx-no-where"}, *rows[1:]],
            "is about xx-no-where, no city of the release",
        ),
    ],
)
def test_a_task_or_a_certificate_alone_and_a_city_from_elsewhere_are_told(told, name, change, text):
    problems, tasks = told("itinbench", {name: change})
    assert problems == [f"{tasks[0]['task_id']}: {text}"]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_task_that_asks_the_same_as_another_of_its_city_is_told(told, family):
    problems, tasks = told(family, {"tasks": first_of_its_city})
    first = {row["city_id"]: row["task_id"] for row in reversed(tasks)}
    assert problems == [
        f"{row['task_id']}: asks the same as {first[row['city_id']]}; tasks of a release are distinct"
        for row in tasks
        if row["task_id"] != first[row["city_id"]]
    ]
    assert problems


@pytest.mark.parametrize(("family", "field"), [("tripcraft", "level"), ("grouptravel", "context")])
def test_tasks_that_differ_in_what_nobody_judges_alone_ask_the_same(told, family, field):
    """Else a number of its own would make a task of a task that is there."""

    def numbered(rows):
        return [{**r, "record": r["record"] | {field: str(n)}} for n, r in enumerate(first_of_its_city(rows))]

    problems, tasks = told(family, {"tasks": numbered})
    others = len(tasks) - len({row["city_id"] for row in tasks})
    assert len([problem for problem in problems if "asks the same as" in problem]) == others > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_a_task_with_places_in_a_city_that_it_is_not_about_is_told(small_world, family):
    """By what tasks say that they are about, splits share no city."""
    release = open_release(small_world.releases[family])
    index, tasks = index_of(release), release_tables(release).tasks
    rows = [(t, key) for t, by_key in index.rows.items() for key, row in by_key.items() if row.get("place_id")]
    traced = TraceReport(rows={row: {f"{tasks['task_id'][0]}:plan"} for row in rows})
    cities = {(index.row(*row) or {})["city_id"] for row in rows}
    others = sorted(cities.difference(tasks["city_id"][0].split("+")))
    (told,) = _elsewhere(tasks, traced, index)
    assert others and told.startswith(f"{tasks['task_id'][0]}: has places in {', '.join(others)}; its city_id, ")
    assert _elsewhere(tasks.assign(city_id="+".join(sorted(cities))), traced, index) == []


def test_the_gate_tells_of_a_task_that_says_it_is_about_another_city(small_world, tmp_path):
    release = open_release(small_world.releases["tripcraft"])
    first, *others = release.rows("tasks").to_pylist()
    city = next(row["city_id"] for row in others if row["city_id"] != first["city_id"])
    folder = edited(release.folder, tmp_path, {"tasks": lambda rows: [rows[0] | {"city_id": city}, *rows[1:]]})
    problems = gate(open_release(folder), Home(str(small_world.home)).snapshots, workers=1).problems
    assert [problem for problem in problems if problem.startswith(f"{first['task_id']}: has places in ")]
