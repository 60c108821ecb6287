"""The persona is respected: each component, by the declared map, where constraints leave a choice."""

from __future__ import annotations

import pytest

from assets.tripcraft.persona import LOCATION_CATEGORIES, PURPOSE_CATEGORIES
from assets.tripcraft.solver import Witness, solve
from assets.tripcraft.vocabulary import CATEGORY_DURATION_H, PERSONA
from tests.assets.tripcraft.witnesses import free, persona, visits, witness


def test_the_adventurous_see_more_on_a_full_day_than_the_laid_back(world, record, days):
    calm = witness(free(record, days, persona()), world)
    keen = witness(free(record, days, persona(**{"Traveler_Type": "Adventure Seeker"})), world)
    for day in range(1, days, 2):
        assert (len(visits(calm, world, day)), len(visits(keen, world, day))) == (1, 2)


@pytest.mark.parametrize("days", [3, 5])
@pytest.mark.parametrize(
    ("component", "value", "categories"),
    [("Purpose_of_Travel", value, kinds) for value, kinds in PURPOSE_CATEGORIES.items()]
    + [("Location_Preference", value, kinds) for value, kinds in LOCATION_CATEGORIES.items()],
)
def test_visits_serve_the_purpose_and_the_location_where_the_city_can(
    world, record, days, component, value, categories
):
    nothing = persona(**{"Purpose_of_Travel": "-", "Location_Preference": "-"})
    plain = solve(free(record, days, nothing), world, task_id="t")
    found = solve(free(record, days, nothing | {component.replace("_", " "): value}), world, task_id="t")
    assert isinstance(plain, Witness) and isinstance(found, Witness)
    fitting, by_chance = (
        sum(not set(seen.categories).isdisjoint(categories) for seen in visits(w, world)) for w in (found, plain)
    )
    assert fitting >= max(by_chance, 2 * (days // 2) if len(categories) > 2 else days // 2)


def test_luxury_costs_more_than_economy_in_stays_and_in_meals(world, record, days):
    cheap = witness(free(record, days, persona()), world)
    dear = witness(free(record, days, persona(**{"Spending_Preference": "Luxury Traveler"})), world)
    assert dear.values["stays"][0]["cost_per_night"] > cheap.values["stays"][0]["cost_per_night"]
    assert dear.values["cost"] > cheap.values["cost"]


def test_the_map_of_personas_names_published_values_and_categories():
    assert set(PURPOSE_CATEGORIES) == set(PERSONA["Purpose of Travel"])
    assert set(LOCATION_CATEGORIES) == set(PERSONA["Location Preference"])
    named = {kind for found in (PURPOSE_CATEGORIES, LOCATION_CATEGORIES) for kinds in found.values() for kind in kinds}
    assert named <= set(CATEGORY_DURATION_H)
