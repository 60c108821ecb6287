"""What a source says of a row, struck or moved by whoever can write, hashes made anew: the audit names each."""

from __future__ import annotations

from typing import Any

import pytest

from assets.families import families
from assets.promises.cells import index_of
from assets.promises.sources import rows_from_sources
from assets.promises.traceable import TraceReport
from assets.promises.values import edges_by_task
from assets.release.audit import audit_release
from assets.release.reading import OpenedRelease, open_release
from tests.promises.editing import edited
from warehouse.home import Home

Rows = list[dict[str, Any]]


def rules_struck(stays: Rows) -> Rows:
    """Let everybody do as they please in the first stay whose rules are known by one of its files alone."""
    next(stay for stay in stays if stay["house_rules"] and len(stay["source_rows"]) > 1)["house_rules"] = None
    return stays


def hours_struck(attractions: Rows) -> Rows:
    """Have nobody know when the first sight of known hours is open."""
    next(place for place in attractions if place["opening_hours"])["opening_hours"] = None
    return attractions


def moved(restaurants: Rows) -> Rows:
    """Have the first restaurant stand in the last one's city."""
    return [{**restaurants[0], "city_id": restaurants[-1]["city_id"]}, *restaurants[1:]]


@pytest.fixture(scope="module")
def told(small_world, tmp_path_factory):
    """Return what is said of the rows of an honest release, and of one of which all of this was done."""
    snapshots = Home(str(small_world.home)).snapshots

    def of(release: OpenedRelease) -> list[str]:
        index = index_of(release, edges_by_task(release.rows("lineage")))
        return rows_from_sources(release, families()["tripcraft"], index, TraceReport(), snapshots).problems

    whole = small_world.releases["tripcraft"]
    changes = {"tripcraft_stay": rules_struck, "tripcraft_attraction": hours_struck, "tripcraft_restaurant": moved}
    return of(open_release(whole)), of(open_release(edited(whole, tmp_path_factory.mktemp("struck"), changes)))


def test_an_honest_release_lacks_nothing_that_its_records_say(told):
    assert told[0] == []


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ("tripcraft_stay", "house_rules is None; its records say ["),
        ("tripcraft_attraction", "opening_hours is None; its records say '"),
        ("tripcraft_restaurant", ", which is not in its city"),
    ],
)
def test_what_was_struck_or_moved_is_named(told, table, text):
    (problem,) = (problem for problem in told[1] if problem.startswith(f"{table}/"))
    assert text in problem


def test_a_table_without_which_no_world_can_be_made_is_a_problem_of_the_release_and_no_fault_of_ours(
    small_world, tmp_path
):
    release = open_release(edited(small_world.releases["tripcraft"], tmp_path, {"tripcraft_terms": lambda _: []}))
    (problem,) = audit_release(release, Home(str(small_world.home)).snapshots).problems
    assert problem.startswith("no witness can be judged by these tables")
    assert "assets.tripcraft." in problem
