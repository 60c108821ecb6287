"""How groups' trips stand in a recipe that is written of open files."""

from __future__ import annotations

import json

from assets.first_recipe import FamilyChoice, FirstRecipe, Survey


def section(survey: Survey, chosen: FamilyChoice) -> list[str]:
    """Return the lines of the section: tasks by difficulty, in the money of the first city."""
    return [
        f"# {chosen.tasks} of each difficulty. `tripwright schema` prints every key there is.",
        "[families.grouptravel]",
        f"currency = {json.dumps(survey.cities[0].facts.currency)}",
        f"tasks = {chosen.tasks_by_level}",
        "",
    ]


INVENTED = "fares between cities, the people of the groups, the usual weather"

FIRST_RECIPE = FirstRecipe(
    section=section,
    modelled="prices of meals and nights that no source tells; ways between cities",
    invented="what the groups ask for",
    adds=(
        ("group", "fares between cities (group) that are real"),
        ("gtfs", "a feed (gtfs): when something leaves"),
        ("airbnb", "listings (airbnb): what a night costs"),
    ),
    invents=lambda _: {"group": INVENTED},
)
