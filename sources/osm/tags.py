"""The declared table from OpenStreetMap tags to kinds, TripCraft's categories and ItinBench's orientations.

Reading elements belongs in `osm.py`. A change here changes what places are, so it shows in every release's diff.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """Elements with one of the key's values are of the kind, and an attraction is of the category and orientations.

    Where `also` is given, one of its tags must be there too, and none of `unless` may be; an empty value is any value.
    """

    kind: str
    key: str
    values: tuple[str, ...]
    category: str | None = None
    orientations: tuple[str, ...] = ()
    also: tuple[tuple[str, str], ...] = ()
    unless: tuple[tuple[str, str], ...] = ()


def _attraction(category: str, orientations: str, **tags: str) -> list[Rule]:
    """Return one rule a key; its values are separated by spaces."""
    return [
        Rule("attraction", key, tuple(values.split()), category, tuple(orientations.split()))
        for key, values in tags.items()
    ]


_WATER_SPORTS = ("sailing", "surfing", "scuba_diving", "canoe", "kayak", "kitesurfing", "water_ski", "rowing")
_NOTABLE = (("wikidata", ""), ("wikipedia", ""), ("heritage", ""))
_SMALL_MEMORIALS = (
    *(("memorial", what) for what in ("stolperstein", "plaque", "blue_plaque", "plate", "bench", "ghost_bike")),
    ("memorial:type", "stolperstein"),
)
"""What is set into pavements and walls, thousands in a German city (OpenStreetMap wiki, Key:memorial)."""

RULES: tuple[Rule, ...] = (
    Rule("stay", "tourism", ("hotel", "motel", "hostel", "guest_house", "apartment", "chalet")),
    Rule("restaurant", "amenity", ("restaurant", "fast_food", "cafe", "food_court", "ice_cream")),
    *_attraction(
        "Boat Tours & Water Sports", "activity", amenity="boat_rental boat_sharing dive_centre", leisure="marina"
    ),
    Rule(
        "attraction",
        "leisure",
        ("sports_centre", "sports_hall"),
        "Boat Tours & Water Sports",
        ("activity",),
        tuple(("sport", sport) for sport in _WATER_SPORTS),
    ),
    *_attraction("Casinos & Gambling", "activity", amenity="casino gambling", leisure="adult_gaming_centre"),
    *_attraction(
        "Classes & Workshops",
        "activity",
        amenity="cooking_school dancing_school",
        leisure="hackerspace",
        craft="pottery",
    ),
    *_attraction("Concerts & Shows", "activity", amenity="theatre concert_hall music_venue arts_centre"),
    *_attraction("Food & Drink", "food", tourism="wine_cellar", craft="brewery winery distillery"),
    *_attraction(
        "Fun & Games",
        "family activity",
        amenity="cinema planetarium",
        leisure="bowling_alley miniature_golf amusement_arcade escape_game trampoline_park ice_rink",
    ),
    *_attraction("Museums", "history", tourism="museum gallery"),
    *_attraction(
        "Nature & Parks",
        "nature",
        leisure="park garden nature_reserve",
        boundary="national_park",
        natural="beach waterfall cave_entrance geyser",
    ),
    *_attraction("Nightlife", "activity", amenity="bar pub nightclub biergarten stripclub"),
    *_attraction(
        "Outdoor Activities",
        "activity nature",
        leisure="golf_course horse_riding beach_resort",
        aerialway="cable_car gondola",
        tourism="picnic_site",
    ),
    *_attraction("Shopping", "shopping", shop="mall department_store gift", amenity="marketplace"),
    *_attraction(
        "Sights & Landmarks",
        "history",
        tourism="attraction viewpoint artwork",
        historic="aqueduct archaeological_site castle church city_gate fort fountain lighthouse manor mine monastery "
        "monument mosque palace ruins ship temple tomb tower wreck",
    ),
    Rule("attraction", "historic", ("memorial",), "Sights & Landmarks", ("history",), unless=_SMALL_MEMORIALS),
    Rule("attraction", "amenity", ("place_of_worship", "fountain"), "Sights & Landmarks", ("history",), _NOTABLE),
    *_attraction("Spas & Wellness", "activity", leisure="sauna spa", amenity="spa public_bath", shop="massage"),
    *_attraction("Water & Amusement Parks", "family activity", tourism="theme_park", leisure="water_park"),
    *_attraction("Zoos & Aquariums", "family nature", tourism="zoo aquarium"),
)
"""Every rule that matches counts; the kind is that of the first. Bars and pubs are nightlife, not restaurants."""

PLACE_KEYS: tuple[str, ...] = tuple(sorted({rule.key for rule in RULES}))

STOP_TAGS: tuple[tuple[str, str], ...] = (
    ("highway", "bus_stop"),
    ("public_transport", "platform"),
    ("public_transport", "station"),
    ("railway", "tram_stop"),
    ("railway", "station"),
    ("railway", "halt"),
    ("amenity", "bus_station"),
    ("amenity", "ferry_terminal"),
)
"""Where passengers wait. Not `stop_position` (where the vehicle stands) and not entrances: both repeat a stop."""


@dataclass(frozen=True)
class Classified:
    """What an element is by its tags: the kind, and all that the matching rules say."""

    kind: str
    tags: tuple[str, ...]
    categories: tuple[str, ...]
    orientations: tuple[str, ...]


def classify(tags: Mapping[str, str]) -> Classified | None:
    """Return what the element is by `RULES`, or None if no rule matches. A tag may hold several values (`a;b`)."""
    matched = [(rule, value) for rule in RULES if rule.key in tags and (value := _match(rule, tags))]
    if not matched:
        return None
    kind = matched[0][0].kind
    matches_of_kind = [(rule, value) for rule, value in matched if rule.kind == kind]
    return Classified(
        kind,
        tuple(dict.fromkeys(f"{rule.key}={value}" for rule, value in matches_of_kind)),
        tuple(dict.fromkeys(rule.category for rule, _ in matches_of_kind if rule.category)),
        tuple(dict.fromkeys(orientation for rule, _ in matches_of_kind for orientation in rule.orientations)),
    )


def split_values(text: str) -> tuple[str, ...]:
    """Return the values of a tag that may hold several, separated by semicolons, in order, each once."""
    return tuple(dict.fromkeys(value.strip() for value in text.split(";") if value.strip()))


def _match(rule: Rule, tags: Mapping[str, str]) -> str | None:
    value = next((value for value in split_values(tags.get(rule.key, "")) if value in rule.values), None)
    if value is None or _has(tags, rule.unless) or (rule.also and not _has(tags, rule.also)):
        return None
    return value


def _has(tags: Mapping[str, str], pairs: tuple[tuple[str, str], ...]) -> bool:
    return any(key in tags and (not value or value in split_values(tags[key])) for key, value in pairs)
