"""The recipe's section: published by default, and every mistake named."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from assets.itinbench.section import ItinbenchSection
from assets.itinbench.tables import CUISINES


def test_the_published_distributions_are_the_default():
    section = ItinbenchSection(tasks_per_city=5)
    assert section.preference_counts == {1: 0.6, 2: 0.3, 3: 0.1}
    assert set(section.cuisines) == set(CUISINES)
    assert len(set(section.cuisines.values())) == len(set(section.days.values())) == 1


def test_keys_of_a_toml_table_are_read_as_numbers():
    assert ItinbenchSection.model_validate({"tasks_per_city": 5, "days": {"2": 1, "4": 3}}).days == {2: 1.0, 4: 3.0}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tasks_per_city": -1}, "greater than or equal to 0"),
        ({"tasks_per_city": 0}, "no task is asked for"),
        ({"tasks_per_city": 100_001}, "less than or equal to 100000"),
        ({"tasks_per_city": 5, "cuisine": {}}, "Extra inputs"),
        ({"tasks_per_city": 5, "cuisines": {"Martian": 1}}, "unknown value 'Martian'"),
        ({"tasks_per_city": 5, "days": {"5": 1}}, "unknown value 5"),
        ({"tasks_per_city": 5, "prices": {"cheap": -1, "moderate": 2}}, "weight below 0 or not finite: cheap"),
        ({"tasks_per_city": 5, "prices": {"cheap": float("inf")}}, "not finite: cheap"),
        ({"tasks_per_city": 5, "orientations": {"food": 0}}, "no value has a weight above 0"),
        ({"tasks_per_city": 5, "orientations": {}}, "no value has a weight above 0"),
    ],
)
def test_a_mistake_is_named(given: dict, message: str):
    with pytest.raises(ValidationError, match=message):
        ItinbenchSection.model_validate(given)
