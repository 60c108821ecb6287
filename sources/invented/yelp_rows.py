"""One invented place, or one review of it, as a row of a Yelp file."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from sources.invented.draws import one_of
from sources.invented.names import made_up_word
from sources.invented.reviewers import Review, shown_stars, star_ratings
from sources.invented.world import DAYS, MEALS, Place, World
from sources.invented.yelp_labels import alias, category_labels

NO_ATTRIBUTES_SHARE = 0.02
FUSION_KNOWS_PRICE_SHARE = 0.5
"""Of the prices that the business file lacks."""


def business_row(world: World, place: Place, name: str | None = None) -> dict[str, Any]:
    """Return the place as an object of `business.json`; `name` replaces its own."""
    rng = world.rng("yelp", place.place_key)
    ratings = star_ratings(world, place)
    return {
        "business_id": place.native_id,
        "name": place.name if name is None else name,
        "address": place.address,
        "city": _city_text(rng, place.city.name),
        "state": place.city.region.upper(),
        "postal_code": "" if rng.random() < 0.08 else f"{int(rng.random() * 100_000):05d}",
        "latitude": place.lat,
        "longitude": place.lon,
        "stars": shown_stars(ratings),
        "review_count": len(ratings),
        "is_open": 1,
        "attributes": _attributes(rng, place),
        "categories": ", ".join(category_labels(place, rng)),
        "hours": _hours(place),
    }


def fusion_row(world: World, place: Place, row: dict[str, Any]) -> dict[str, Any]:
    """Return the place's object of `business.json` as a business of Yelp's Fusion API, which knows some more prices."""
    rng = world.rng("fusion", place.place_key)
    is_price_known = place.is_price_listed or rng.random() < FUSION_KNOWS_PRICE_SHARE
    return {
        "id": place.native_id,
        "alias": f"{alias(place.name)}-{place.city.city_id}",
        "name": row["name"],
        "is_closed": False,
        "review_count": row["review_count"],
        "rating": row["stars"],
        "categories": [{"alias": alias(label), "title": label} for label in row["categories"].split(", ")],
        "coordinates": {"latitude": place.lat, "longitude": place.lon},
        "transactions": [],
        **({"price": "$" * place.price} if is_price_known else {}),
        "location": {"address1": place.address, "city": place.city.name, "state": row["state"]},
    }


def json_line(row: dict[str, Any]) -> bytes:
    """Return the row as one line of ASCII-escaped JSON, without spaces and newline; NaN is written as `NaN`."""
    return json.dumps(row, separators=(",", ":")).encode("ascii")


def review_line(review: Review, business_id: str) -> bytes:
    """Return the review as one line of `review.json`, without newline."""
    return (
        f'{{"review_id":"{review.review_id}","user_id":"{review.user_id}","business_id":"{business_id}",'
        f'"stars":{review.stars}.0,"useful":{review.useful},"funny":{review.funny},"cool":{review.cool},'
        f'"text":"{review.text_json}","date":"{review.date}"}}'
    ).encode("ascii")


def _city_text(rng: Random, name: str) -> str:
    """Return the free text of the city: mostly its name, sometimes in other case, or that of a suburb."""
    draw = rng.random()
    if draw < 0.9:
        return name
    if draw < 0.94:
        return name.upper()
    return name.lower() + " " if draw < 0.97 else f"{made_up_word(rng)} Heights"


def _attributes(rng: Random, place: Place) -> dict[str, str] | None:
    if place.is_price_listed and rng.random() >= NO_ATTRIBUTES_SHARE:
        priced = {"RestaurantsPriceRange2": str(place.price)}
    elif rng.random() < 0.5:
        return None
    else:
        priced = {"RestaurantsPriceRange2": "None"} if rng.random() < 0.3 else {}
    attributes = {"BusinessAcceptsCreditCards": str(rng.random() < 0.9), **priced}
    if rng.random() < 0.5:
        attributes["WiFi"] = one_of(rng, ("u'free'", "'no'", "u'paid'"))
    if "restaurant" in place.kinds:
        attributes["NoiseLevel"] = one_of(rng, ("u'average'", "'quiet'", "u'loud'", "None"))
        attributes["Ambience"] = repr({mood: rng.random() < 0.2 for mood in ("romantic", "casual", "hipster")})
        if place.meals:
            attributes["GoodForMeal"] = repr({meal: meal in place.meals for meal in MEALS})
    return attributes


def _hours(place: Place) -> dict[str, str] | None:
    if not place.hours:
        return None
    return {
        day: f"{_clock(opening)}-{_clock(closing)}" for day, (opening, closing) in zip(DAYS, place.hours, strict=True)
    }


def _clock(minute: int) -> str:
    return f"{minute // 60 % 24}:{minute % 60}"
