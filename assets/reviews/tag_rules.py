"""What a tag of OpenStreetMap says of a place's orientation or quality: a declared table, and nothing by guess.

A rule stands where the wiki's definition of the tag itself says what the place is for. A thing of historic interest, a
protected piece of nature, a shop: the whole of it, degree 3. What is one purpose of several: degree 2. Where a
definition names a subject as one of many (`tourism=museum`: science, history, art or culture) or says nothing of it
(`tourism=attraction`, `tourism=viewpoint`, `amenity=theatre`), the tag is no evidence, and the attribute stays unknown.
No tag says how the food of a restaurant tastes, how it is served, or whether it is worth its price.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

WIKI = "https://wiki.openstreetmap.org/wiki/"


@dataclass(frozen=True)
class TagRule:
    """Attractions with one of the key's values are of the degree, 0 to 3, in the orientation.

    `says` is why, in our words, after the page of the wiki that defines the tag.
    """

    key: str
    values: tuple[str, ...]
    orientation: str
    degree: int
    says: str

    def page(self, value: str) -> str:
        """Return the address of the page that defines a value."""
        return f"{WIKI}Tag:{self.key}%3D{value}"


@dataclass(frozen=True)
class Finding:
    """What a tag says of one attribute of a place: the tag that is its evidence, and the rating."""

    attribute: str
    rating: int
    tag: str


def _rule(orientation: str, degree: int, says: str, **tags: str) -> list[TagRule]:
    return [TagRule(key, tuple(values.split()), orientation, degree, says) for key, values in tags.items()]


RULES: tuple[TagRule, ...] = (
    *_rule(
        "history",
        3,
        "something of historic interest, kept or in ruins",
        historic="aqueduct archaeological_site castle city_gate fort manor monastery monument palace ruins ship temple "
        "tomb tower wreck",
    ),
    *_rule("history", 2, "recalls a person or an event, or is an old building still in use",
           historic="memorial church mosque lighthouse mine fountain"),
    *_rule("nature", 3, "a protected area of nature, or a piece of unbuilt land or water",
           leisure="nature_reserve", boundary="national_park", natural="beach waterfall cave_entrance geyser"),
    *_rule("nature", 2, "green open space, planted or kept for recreation", leisure="park garden"),
    *_rule("nature", 2, "keeps live animals to be seen", tourism="zoo aquarium"),
    *_rule("activity", 3, "one comes to do a sport or a game", leisure="bowling_alley miniature_golf golf_course "
           "horse_riding ice_rink trampoline_park escape_game amusement_arcade water_park"),
    *_rule("activity", 3, "one comes to ride, to row or to dive", tourism="theme_park",
           amenity="boat_rental boat_sharing dive_centre"),
    *_rule("activity", 3, "one comes to learn something by doing it", amenity="cooking_school dancing_school"),
    *_rule("food", 2, "makes or keeps drinks, often tasted there", tourism="wine_cellar",
           craft="brewery winery distillery"),
    *_rule("shopping", 3, "shops or stalls, many under one roof or on one square", shop="mall department_store",
           amenity="marketplace"),
    *_rule("shopping", 2, "one shop, of gifts and souvenirs", shop="gift"),
)  # fmt: skip
"""Of several rules for one orientation the first that matches counts; they stand from the highest degree down."""

LOWEST_CLASS, HIGHEST_CLASS = 1, 5
"""A stay's quality by its official class: a star each, a half star counting for none. Above five stays at five [I]."""


def findings(kind: str, tags: tuple[str, ...], hotel_class: float | None) -> Iterator[Finding]:
    """Yield what the tags of a place say, one finding an attribute: `tags` are texts such as `historic=castle`.

    `hotel_class` is the tag `stars` of a stay, None if it has none.
    """
    if kind == "stay" and hotel_class is not None and hotel_class >= LOWEST_CLASS:
        yield Finding("quality", min(math.floor(hotel_class), HIGHEST_CLASS), f"stars={hotel_class:g}")
    if kind != "attraction":
        return
    best: dict[str, Finding] = {}
    for rule in RULES:
        tag = next((tag for value in rule.values if (tag := f"{rule.key}={value}") in tags), None)
        if tag:
            best.setdefault(rule.orientation, Finding(rule.orientation, rule.degree, tag))
    yield from best.values()


def findings_of(place: Mapping[str, Any]) -> dict[str, Finding]:
    """Return what the tags of a mapped place (a row of `OsmPlace`) say, by attribute."""
    tag_findings = findings(place["kind"], tuple(place["tags"]), place["hotel_class"])
    return {finding.attribute: finding for finding in tag_findings}
