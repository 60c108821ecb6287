"""What a certificate says of a witness, edited beside a plan that stays as it was: each edit is named."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from assets.families import families
from assets.itinbench.world import verify
from assets.promises.certified import opened_once

Proof = dict[str, Any]


@pytest.fixture(scope="module")
def witnesses(small_world):
    """Return each task of the small world that has a witness, with its world."""
    opened = opened_once(small_world.releases["itinbench"])
    return [(view, opened.world(families()["itinbench"], view)) for view in opened.views.values()]


def other_attraction(proof: Proof) -> None:
    """Visit on the first day what is visited on the second."""
    days = proof["place_ids"]["attractions"]
    days[0][0] = days[1][0]


def shorter_trip(proof: Proof) -> None:
    """Say that on the ground a trip would be half as long."""
    proof["geodesic"].update(trip_optimum_m=proof["geodesic"]["trip_m"] / 2, differs=True)


EDITS: tuple[tuple[Callable[[Proof], Any], str], ...] = (
    (other_attraction, "place_ids is said to be"),
    (lambda proof: proof["place_ids"].update(stay="osm:node/1"), "place_ids is said to be"),
    (lambda proof: proof["scorer"].update(trip_optimum=1.0), "scorer/trip_optimum is said to be [1.0], found"),
    (lambda proof: proof["scorer"]["days_optimum"].pop(), "scorer/days_optimum is said to be"),
    (lambda proof: proof["scorer"].update(unit="metres"), "scorer/unit is said to be 'metres'"),
    (lambda proof: proof["geodesic"].update(trip_m=1.0), "geodesic/trip_m is said to be 1.0"),
    (shorter_trip, "geodesic/trip_optimum_m is said to be"),
    (
        lambda proof: proof["geodesic"].update(differs=not proof["geodesic"]["differs"]),
        "geodesic/differs is said to be",
    ),
    (lambda proof: proof["geodesic"]["optimum_days"].pop(), "geodesic/optimum_days are not the plan's attractions"),
    (lambda proof: proof["breakfast"].update(served=9), "breakfast is said to be"),
    (lambda proof: proof["meals_known_as_served"].update(dinner=9), "meals_known_as_served is said to be"),
)


def test_nothing_is_said_of_honest_certificates(witnesses):
    said = [verify(view.record, view.plan, view.proof, world) for view, world in witnesses]
    assert said == [[]] * len(witnesses)


@pytest.mark.parametrize(("edit", "expected"), EDITS)
def test_what_is_not_so_is_named(witnesses, edit, expected):
    for view, world in witnesses:
        proof = copy.deepcopy(view.proof)
        edit(proof)
        said = [violation.text for violation in verify(view.record, view.plan, proof, world)]
        assert any(expected in text for text in said), (view.task_id, said)
