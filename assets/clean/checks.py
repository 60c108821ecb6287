"""What must hold of a city's places beyond their schema, each check named as the sentence it asserts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assets.step import Verdict
from schemas.counts import counted
from schemas.places import KINDS
from schemas.recipe import City

if TYPE_CHECKING:
    import pandas as pd


def city_has_places_of_every_kind(place: pd.DataFrame, *, city: City) -> Verdict:
    """No trip can be made in a city that lacks stays, restaurants or attractions: its area or its files are wrong."""
    counts = {kind: int((place["kind"] == kind).sum()) for kind in KINDS}
    summary = ", ".join(f"{count} of kind {kind}" for kind, count in counts.items())
    if all(counts.values()):
        return Verdict(True, summary)
    box = city.bounds
    area = f"latitude {box.south} to {box.north}, longitude {box.west} to {box.east}"
    return Verdict(
        False,
        f"found {summary} inside the area of {city.city_id} ({area}); expected at least one of each. "
        "Correct the city's box or polygon in the recipe, or bind files that cover it.",
    )


def no_coordinates_outside_the_city(place: pd.DataFrame, *, city: City) -> Verdict:
    """Coverage is by area, never by name: a place of a homonym city must not come in (defect T13)."""
    outside = place[~city.contains(place["lat"].to_numpy(), place["lon"].to_numpy())]
    if outside.empty:
        return Verdict(True, f"each of {counted(len(place), 'place')} lies inside the area of {city.city_id}")
    examples = ", ".join(sorted(outside["place_id"])[:3])
    return Verdict(
        False, f"found {counted(len(outside), 'place')} outside the area of {city.city_id}, such as {examples}"
    )
