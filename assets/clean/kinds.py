"""What kind of place a listing is: the published categories, the declared noise rules (I6) and the precedence (I4).

Data and the one function that reads it. How many places of a kind are kept is decided in `place.py`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

KIND_CATEGORIES: dict[str, tuple[str, ...]] = {
    "stay": ("Hotels",),
    "restaurant": ("Restaurants", "Food"),
    "attraction": (
        "Museums",
        "Parks",
        "Local Flavor",
        "Zoos",
        "Tours",
        "Landmarks & Historical Buildings",
        "Souvenir Shops",
    ),
}
"""The categories that make a listing a candidate of a kind, whole: `Hotels & Travel` is no stay (paper, 2.A)."""

SIGHTS = frozenset({"Museums", "Parks", "Zoos", "Landmarks & Historical Buildings"})
SIGHTSEEING = frozenset({"Bus Tours", "Boat Tours", "Walking Tours", "Bike tours", "Food Tours", "Historical Tours"})
LODGING_NAME = r"\b(hotel|inn|suites?|motel|hostel|lodge|resort|quarters|bed (&|and) breakfast)\b"
EATING = frozenset({"Restaurants", "Cafes", "Bakeries", "Coffee & Tea", "Desserts", "Ice Cream & Frozen Yogurt"})


@dataclass(frozen=True)
class NoiseRule:
    """Listings that carry a kind's category without being what a visitor means by it (defect I6).

    The rule disqualifies a listing for `kind` if it has one of `categories`, or if `name` is found in its name, in any
    case; unless it also has a category of `unless_categories` or `unless_name` is found in its name.
    """

    kind: str
    why: str
    categories: frozenset[str] = frozenset()
    name: str | None = None
    unless_categories: frozenset[str] = frozenset()
    unless_name: str | None = None

    def applies(self, name: str, categories: Collection[str]) -> bool:
        """Return whether the rule disqualifies a listing of this name and these categories."""
        is_named = self.name is not None and re.search(self.name, name, re.IGNORECASE) is not None
        if not is_named and self.categories.isdisjoint(categories):
            return False
        spared = self.unless_name is not None and re.search(self.unless_name, name, re.IGNORECASE) is not None
        return not spared and self.unless_categories.isdisjoint(categories)


NOISE_RULES: tuple[NoiseRule, ...] = (
    NoiseRule(
        "stay",
        "a restaurant at or near a hotel is no place to sleep",
        categories=frozenset({"Sushi Bars"}),
        name=r"\b(sushi|bistro|brasserie|steakhouse)\b",
        unless_name=r"\b(hotel|motel|hostel)\b",
    ),
    NoiseRule(
        "stay",
        "a club, a spa or a service for guests is no place to sleep",
        categories=frozenset({"Social Clubs", "Concierge", "Wedding Chapels"}),
        name=r"\b(concierge|league|club|spa)\b",
        unless_name=LODGING_NAME,
    ),
    NoiseRule(
        "restaurant",
        "a shop that sells food serves no meals",
        categories=frozenset(
            {"Grocery", "Convenience Stores", "Gas Stations", "Drugstores", "Beer, Wine & Spirits", "Wholesale Stores"}
        ),
        unless_categories=EATING,
    ),
    NoiseRule(
        "restaurant",
        "a caterer or a delivery service has no table to sit at",
        categories=frozenset({"Caterers", "Food Delivery Services"}),
        unless_categories=EATING,
    ),
    NoiseRule(
        "restaurant",
        "one visits a museum or a zoo for itself, not for its café",
        categories=frozenset({"Museums", "Zoos"}),
    ),
    NoiseRule(
        "attraction",
        "a counter for sandwiches or fast food is a meal, not a sight",
        categories=frozenset({"Cheesesteaks", "Fast Food", "Delis"}),
        name=r"\b(cheese ?steaks?|steaks)\b|hoagies\b|\bpopeyes\b",
        unless_categories=SIGHTS,
    ),
    NoiseRule(
        "attraction",
        "a shop for daily needs is no sight",
        categories=frozenset({"Grocery", "Convenience Stores", "Gas Stations", "Drugstores", "Beer, Wine & Spirits"}),
        name=r"\bshoprite\b|\b(supermarket|wine & good spirits)\b",
        unless_categories=SIGHTS,
    ),
    NoiseRule(
        "attraction",
        "a shop or lounge for smokers is no sight",
        categories=frozenset({"Vape Shops", "Tobacco Shops", "Head Shops", "Hookah Bars"}),
        name=r"\b(vape|cigars?|hookah)\b",
        unless_categories=SIGHTS,
    ),
    NoiseRule(
        "attraction",
        "a caterer or a promotion of restaurants is nowhere to go",
        categories=frozenset({"Caterers", "Food Delivery Services"}),
        name=r"\bcatering\b|\brestaurant week\b",
        unless_categories=SIGHTS,
    ),
    NoiseRule(
        "attraction",
        "a carrier takes people elsewhere",
        categories=frozenset({"Buses", "Taxis", "Limos", "Airport Shuttles", "Public Transportation", "Car Rental"}),
        name=r"\b(flixbus|trailways|cab|taxi|limousine)\b",
        unless_categories=SIGHTS | SIGHTSEEING,
    ),
    NoiseRule(
        "attraction",
        "an office, a practice or a service for residents is no sight",
        categories=frozenset(
            {
                "Dry Cleaning & Laundry",
                "Hair Salons",
                "Physical Therapy",
                "Post Offices",
                "Departments of Motor Vehicles",
                "Internet Service Providers",
                "Television Service Providers",
                "Parking",
            }
        ),
        name=r"\b(cleaners|salon|physical therapy|post office|parking)\b",
        unless_categories=SIGHTS,
    ),
)
"""Every declared noise rule. Names count as well, since the published tables have lost their categories."""


NO_SIGHT = {
    "shop=massage": "a massage parlour", "amenity=stripclub": "a strip club", "amenity=gambling": "a betting shop",
    "leisure=adult_gaming_centre": "a gaming hall", "leisure=hackerspace": "a workshop of its members",
    "tourism=picnic_site": "a picnic table", "amenity=boat_sharing": "shared boats",
    "amenity=dancing_school": "a school", "leisure=marina": "berths",
}  # fmt: skip
"""OpenStreetMap's tags of what its categories have among the sights and nobody travels to see, in words."""


FAMOUS_IF_KNOWN = frozenset({"leisure=marina"})
"""Those of them that people do travel to see where Wikidata knows them, such as Monaco's Port Hercule."""


def why_unseen(tags: Sequence[str], wikidata: str | None) -> str | None:
    """Return why nobody travels to see what a map has as a sight by these tags alone, or None if somebody may.

    `wikidata` is its item there, None where the map names none.
    """
    if not tags or not NO_SIGHT.keys() >= set(tags) or (wikidata and set(tags) <= FAMOUS_IF_KNOWN):
        return None
    return f"{NO_SIGHT[tags[0]]}, by its tag {tags[0]}: nobody travels to see it"


PASSED_BY = frozenset({
    "tourism=artwork", "historic=memorial", "historic=monument", "historic=fountain", "amenity=fountain",
    "historic=tomb", "tourism=viewpoint", "historic=wreck",
})  # fmt: skip
"""OpenStreetMap's tags of sights that a visitor looks at and walks on."""


def is_passed_by(tags: Sequence[str]) -> bool:
    """Return whether the tags that make it a sight all say that one looks at it and walks on."""
    return bool(tags) and set(tags) <= PASSED_BY


def candidate_kinds(claims: Sequence[str], categories: Collection[str]) -> list[str]:
    """Return the kinds that a listing could be: those its source claims, else those its categories give."""
    if claims:
        return list(claims)
    return [
        kind for kind, kind_categories in KIND_CATEGORIES.items() if not set(kind_categories).isdisjoint(categories)
    ]


def noise(kind: str, name: str, categories: Collection[str]) -> str | None:
    """Return why the listing is not what a visitor means by the kind, or None if no rule says so."""
    return next((r.why for r in NOISE_RULES if r.kind == kind and r.applies(name, categories)), None)


def by_precedence(kinds: Collection[str], meals: Collection[str]) -> list[str]:
    """Return the kinds with the one a place is used as first (defect I4): one place, one kind.

    A place whose meals are known is a restaurant first: distinct matching restaurants are what trips run out of (I1),
    and known meals tell a dining room from a hotel or a sight that also serves food. Then a stay, then an attraction.
    """
    order = ("restaurant", "stay", "attraction") if meals else ("stay", "attraction", "restaurant")
    return [kind for kind in order if kind in kinds]
