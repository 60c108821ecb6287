"""Every published family's export in its repository's own tree: nothing is lost, and a README says what to run."""

from __future__ import annotations

import pytest

from assets.families import families
from assets.itinbench.published.checker import WITNESSES

FILES = {
    "tripcraft": ["database/cities.csv", "database/flights.csv", "tripcraft_3day.csv", "annotation_3day.jsonl"],
    "itinbench": ["evals.jsonl", "restaurants.jsonl", "all_data.json", WITNESSES],
    "grouptravel": ["datas/test.jsonl", "poi2category/all_poi_by_city.json", "witness.jsonl"],
}
PUBLISHED = {
    "tripcraft": {"TripCraft_database/flights/cleaned_flights_november_2024.csv", "tripcraft_3day.csv"},
    "itinbench": {"Dataset/evals.jsonl", "Dataset/all_data.json", "Output/witness/evals/filteredDataRouteOP.jsonl"},
    "grouptravel": {"datas/test.jsonl", "poi2category/all_poi_by_city.json"},
}


def content(path: str) -> bytes:
    return b'"city","state","country"\n' if path.endswith("cities.csv") else path.encode()


@pytest.mark.parametrize("name", sorted(FILES))
def test_each_family_writes_its_published_tree(name):
    given = {path: content(path) for path in FILES[name]}
    found = families()[name].call("upstream", given)
    assert PUBLISHED[name] <= set(found) and set(given.values()) <= set(found.values())
    assert b"clone" in found["README.md"]


def test_each_city_of_itinbench_is_a_tree_of_its_own():
    found = families()["itinbench"].call("upstream", {"us-x/evals.jsonl": b"1", "us-y/evals.jsonl": b"2"})
    assert (found["us-x/Dataset/evals.jsonl"], found["us-y/Dataset/evals.jsonl"]) == (b"1", b"2")
