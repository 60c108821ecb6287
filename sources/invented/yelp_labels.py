"""How Yelp would name what an invented place is: category labels and Fusion's aliases for them."""

from __future__ import annotations

import re
from random import Random

from sources.invented.draws import one_of
from sources.invented.world import Place

CUISINE_LABELS: dict[str, tuple[tuple[str, ...], ...]] = {
    "US": (("American (New)",), ("American (Traditional)",), ("American (Traditional)", "Burgers"),
           ("American (New)", "Bars")),
    "Mexican": (("Mexican",), ("Mexican", "Tacos")),
    "Irish": (("Irish", "Pubs"), ("Irish", "Irish Pub", "Bars")),
    "French": (("French",), ("French", "Creperies")),
    "Italian": (("Italian",), ("Italian", "Pizza")),
    "Greek": (("Greek",), ("Greek", "Mediterranean")),
    "Indian": (("Indian",), ("Indian", "Vegetarian")),
    "Chinese": (("Chinese",), ("Chinese", "Noodles"), ("Chinese", "Dim Sum")),
    "Japanese": (("Japanese", "Sushi Bars"), ("Japanese", "Ramen"), ("Japanese",)),
    "Korean": (("Korean",), ("Korean", "Barbeque")),
    "Vietnamese": (("Vietnamese",), ("Vietnamese", "Sandwiches")),
    "Thai": (("Thai",),),
    "Asian Fusion": (("Asian Fusion",),),
    "Middle Eastern": (("Middle Eastern",), ("Middle Eastern", "Falafel", "Halal")),
}  # fmt: skip
"""The ways each cuisine may be labelled."""

STYLE_LABELS = (
    ("Cafes", "Coffee & Tea"), ("Bakeries", "Desserts"), ("Burgers", "Fast Food"), ("Pubs", "Bars", "Nightlife"),
    ("Sandwiches", "Delis"), ("Ice Cream & Frozen Yogurt", "Desserts"), ("Cafes", "Breakfast & Brunch"),
)  # fmt: skip
"""The ways a place of no cuisine may be labelled."""

STAY_LABELS = (("Event Planning & Services",), ("Bed & Breakfast",), ("Hostels",), ("Resorts",), (), (), ())
ATTRACTION_LABELS: dict[str, tuple[str, ...]] = {
    "museum": ("Museums", "Arts & Entertainment"),
    "park": ("Parks", "Active Life"),
    "local flavor": ("Local Flavor",),
    "zoo": ("Zoos", "Active Life"),
    "tour": ("Tours", "Hotels & Travel"),
    "landmark": ("Landmarks & Historical Buildings", "Public Services & Government"),
    "souvenir shop": ("Souvenir Shops", "Shopping"),
}
OTHER_LABELS: dict[str, tuple[str, ...]] = {
    "dentist": ("Dentists", "General Dentistry", "Health & Medical"),
    "car rental": ("Car Rental", "Hotels & Travel"),
    "hair salon": ("Hair Salons", "Beauty & Spas"),
    "mechanic": ("Auto Repair", "Automotive"),
    "pharmacy": ("Drugstores", "Shopping"),
}


def category_labels(place: Place, rng: Random) -> list[str]:
    """Return the labels of the place, in the free order in which Yelp gives them."""
    labels: list[str] = []
    if "restaurant" in place.kinds:
        labels += ["Restaurants"] if rng.random() < 0.8 else ["Restaurants", "Food"]
        for cuisine in place.cuisines:
            labels += one_of(rng, CUISINE_LABELS[cuisine])
        if not place.cuisines and place.kind == "restaurant":
            labels += one_of(rng, STYLE_LABELS)
            if rng.random() < 0.3:
                labels = ["Food" if label == "Restaurants" else label for label in labels]
    if "stay" in place.kinds:
        labels += ["Hotels", "Hotels & Travel", *one_of(rng, STAY_LABELS)]
    if place.kind == "attraction":
        labels += ATTRACTION_LABELS[place.trade]
    if place.also == "attraction":
        labels.append("Local Flavor")
    if place.kind == "other":
        labels += OTHER_LABELS[place.trade]
    order = {label: rng.random() for label in labels}
    return sorted(order, key=order.__getitem__)


def alias(label: str) -> str:
    """Return the label as a Fusion alias: lower case, letters and digits only."""
    return re.sub(r"[^a-z0-9]+", "", label.lower())
