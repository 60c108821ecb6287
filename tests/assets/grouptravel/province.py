"""A small province for the tests of drawn tables: three cities, fares among them and from home, many profiles."""

from __future__ import annotations

from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.profiles import Profile
from assets.grouptravel.skeleton import Skeleton
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.wishes.candidates import city_candidates, reach
from assets.grouptravel.wishes.postvalidation import Setting

WEEK = (1, 2, 3, 4, 5, 6, 7)
SIGHTS = ("museum", "temple", "park", "zoo", "castle")
DISHES = ("noodles", "hotpot", "seafood", "pizza", "bakery", "sushi")
STAYS = ("comfort", "economy", "luxury", "hostel")
NAMES = {"home": "Home", "a": "Aston", "b": "Barrow", "c": "Colby"}
MIDDLES = {"home": (60.0, 24.0), "a": (60.5, 24.0), "b": (60.8, 24.2), "c": (61.0, 24.4)}


def places(city: str) -> list[Poi]:
    name = NAMES[city]
    lat, lon = MIDDLES[city]
    found = []
    for poi_type, kinds, each, cost in (
        ("attractions", SIGHTS, 4, None),
        ("food", DISHES, 5, 12.0),
        ("hotels", STAYS, 2, 70.0),
    ):
        for number in range(len(kinds) * each):
            kind = kinds[number % len(kinds)]
            key = f"{city}-{poi_type}-{number:02d}"
            title = f"{name} {kind} {chr(65 + number)}"
            found.append(Poi(key, title, poi_type, kind, None, cost, lat + number / 1000, lon, number + 1))
    return found


POIS = Pois({NAMES[city]: places(city) for city in ("a", "b", "c")})
CITIES = {city: city_candidates(NAMES[city], POIS, EN) for city in ("a", "b", "c")}
PAIRS = [(one, other) for one in NAMES for other in NAMES if one != other]
FARES = Fares(
    {
        pair: [Service("train", 40.0, 480, 600, WEEK), Service("high_speed", 70.0, 540, 600, WEEK)]
        + ([Service("flight", 120.0, 600, 650, WEEK)] if "home" in pair else [])
        for pair in PAIRS
    }
)
PROFILES = [
    Profile(f"p{n:03d}", age, gender, is_married, is_parent, (SIGHTS[n % 5], DISHES[n % 6]), (SIGHTS[(n + 2) % 5],))
    for n, (age, gender, is_married, is_parent) in enumerate(
        (age, gender, married, parent)
        for age in (9, 13, 20, 22, 25, 30, 34, 40, 50, 58, 62, 70)
        for gender in ("female", "male")
        for married in (False, True)
        for parent in (False, True)
    )
]


def skeleton(
    group_id: str = "6-2", cities: tuple[str, ...] = ("a", "b"), days: int = 4, task_id: str = "t1"
) -> Skeleton:
    return Skeleton(task_id, "hard", 4.2, group_id, "home", cities, days, "2025-10-06", (1,))


def setting(of: Skeleton, fares: Fares = FARES) -> Setting:
    return Setting({NAMES[c]: CITIES[c] for c in of.city_ids}, reach(of, CITIES, fares), EN)
