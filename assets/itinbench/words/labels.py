"""The published words: phrases, labels and the query record as ItinBench's files spell them, read and written.

Values of one cell belong here. Whole files are `export.py`; the wording of queries is `wording.py`.
Source: the released tables, and facts 2.A, 2.C and 2.D.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from assets.itinbench.tables import CUISINES, PRICES, Record
from schemas.reviews import ATTRACTION_ORIENTATIONS, RESTAURANT_ATTRIBUTES, STAY_ATTRIBUTES

RATING_WORDS = {1: "bad", 2: "below average", 3: "average", 4: "good", 5: "excellent"}
LEVEL_WORDS = {0: "no", 1: "low", 2: "medium", 3: "high"}
UNKNOWN_PRICE = "Unknown price"
UNKNOWN_MEALS = "Unknown"
NOT_APPLICABLE = "Not Applicable"
"""The published filler of an absent cuisine; ours also for an absent rating, for which the publication has no word."""

LIMIT_LABELS = {"most_walk_m": "way of a day at most {} m", "most_signs": "all places at most {} price signs"}

DAY_LABELS = {2: "2 day", 3: "3 days", 4: "4 days"}
"""The first one is published without its plural."""


def rating_phrase(attribute: str, rating: int | None) -> str:
    """Return a restaurant's or stay's rating as published, such as `good flavor`; `Not Applicable` if unrated."""
    return NOT_APPLICABLE if rating is None else f"{RATING_WORDS[rating]} {attribute}"


def read_rating(attribute: str, phrase: str) -> int | None:
    """Return the rating, 1 to 5, behind a published phrase. Raises ValueError if it is no phrase of the attribute."""
    return _number_of_phrase({rating_phrase(attribute, n): n for n in RATING_WORDS}, phrase, f"a rating of {attribute}")


def orientation_phrase(orientation: str, level: int | None) -> str:
    """Return an attraction's level as published, such as `medium history oriented`; `Not Applicable` if unrated."""
    return NOT_APPLICABLE if level is None else f"{LEVEL_WORDS[level]} {orientation_label(orientation)}"


def read_orientation(orientation: str, phrase: str) -> int | None:
    """Return the level, 0 to 3, behind a published phrase. Raises ValueError if it is no phrase of the orientation."""
    return _number_of_phrase(
        {orientation_phrase(orientation, n): n for n in LEVEL_WORDS}, phrase, f"a level of {orientation}"
    )


def orientation_label(orientation: str) -> str:
    """Return the orientation as queries and columns name it, such as `history oriented`."""
    return f"{orientation} oriented"


def price_signs(level: int | None) -> str:
    """Return the price level as `$` to `$$$$`, or the published words for an unknown price."""
    return UNKNOWN_PRICE if level is None else "$" * level


def read_price(signs: str) -> int | None:
    """Return the number of price signs, None for an unknown price. Raises ValueError for anything else."""
    if signs in ("", UNKNOWN_PRICE):
        return None
    return _number_of_phrase({price_signs(n): n for n in (1, 2, 3, 4)}, signs, "a price")


def meals_label(meals: Sequence[str]) -> str:
    """Return the meals as one published cell, such as `lunch, dinner`; `Unknown` if there are none."""
    return ", ".join(meals) or UNKNOWN_MEALS


def read_meals(label: str) -> list[str]:
    """Return the meals of a published cell, in its order; both published spellings of nothing give none."""
    return [] if label in ("", UNKNOWN_MEALS) else [meal.strip() for meal in label.split(",")]


def cuisine_label(cuisine: str) -> str:
    """Return a place's cuisine label as published; `Not Applicable` if it has none."""
    return cuisine or NOT_APPLICABLE


def read_cuisine(label: str) -> str:
    """Return a place's cuisine label, empty if the published cell says that there is none."""
    return "" if label == NOT_APPLICABLE else label


def eval_info(record: Record) -> dict[str, list[Any]]:
    """Return the record as the published `eval_info`: every value in a list, keys in the published order."""
    return {
        "day": [DAY_LABELS[record["days"]]],
        "price": [f"{record['price']} budget"],
        "attraction": [orientation_label(record["orientation"])],
        "cuisine": [record["cuisine"]],
        "restaurant": [f"good {attribute}" for attribute in record["restaurant"]],
        "hotel": [f"good {attribute}" for attribute in record["hotel"]],
        "preference_count": [preference_count(record)],
        **({"limits": limits} if (limits := _limit_labels(record)) else {}),
    }


def _limit_labels(record: Record) -> list[str]:
    """Return a hard record's limits, a key of ours that the published scripts do not read; empty without any."""
    return [label.format(record[key]) for key, label in LIMIT_LABELS.items() if record.get(key)]


def preference_count(record: Record) -> int:
    """Return the number of things a query asks for: four general ones and every stated preference (facts, 2.D)."""
    return 4 + len(record["restaurant"]) + len(record["hotel"])


def read_eval_info(info: Mapping[str, Any]) -> Record:
    """Return the record behind a published `eval_info`.

    Raises ValueError naming every key that is missing, not a list, or holds what the publication does not use.
    """
    problems: list[str] = []

    def values(key: str, values_by_label: Mapping[str, Any], at_most: int) -> list[Any]:
        labels = info.get(key)
        if (
            not isinstance(labels, list)
            or not 1 <= len(labels) <= at_most
            or any(str(v) not in values_by_label for v in labels)
        ):
            problems.append(f"`{key}` is {labels!r}, expected 1 to {at_most} of {list(values_by_label)}")
            return []
        if len(set(labels)) != len(labels):
            problems.append(f"`{key}` says something twice: {labels!r}")
        return [values_by_label[value] for value in labels]

    days = values("day", {label: n for n, label in DAY_LABELS.items()}, 1)
    price = values("price", {f"{price} budget": price for price in PRICES}, 1)
    orientation = values("attraction", {orientation_label(o): o for o in ATTRACTION_ORIENTATIONS}, 1)
    cuisine = values("cuisine", {cuisine: cuisine for cuisine in CUISINES}, 1)
    restaurant = values("restaurant", {f"good {a}": a for a in RESTAURANT_ATTRIBUTES}, 3)
    hotel = values("hotel", {f"good {a}": a for a in STAY_ATTRIBUTES}, 3)
    count = 4 + len(restaurant) + len(hotel)
    if info.get("preference_count") != [count] and not problems:
        problems.append(f"`preference_count` is {info.get('preference_count')!r}, expected [{count}]")
    limits: Any = {}
    for label in info.get("limits", []):
        stated_limit = {
            key: int(match[1])
            for key, form in LIMIT_LABELS.items()
            if (match := re.fullmatch(form.replace("{}", r"(\d+)"), str(label)))
        }
        limits |= stated_limit
        problems += [] if stated_limit else [f"`limits` holds {label!r}, expected {' or '.join(LIMIT_LABELS.values())}"]
    if problems:
        raise ValueError("not a published eval_info: " + "; ".join(problems))
    return Record(
        days=days[0],
        price=price[0],
        orientation=orientation[0],
        cuisine=cuisine[0],
        restaurant=restaurant,
        hotel=hotel,
        **limits,
    )


def _number_of_phrase(phrases: Mapping[str, int], phrase: str, what: str) -> int | None:
    if phrase == NOT_APPLICABLE:
        return None
    if phrase not in phrases:
        raise ValueError(f"{phrase!r} is not {what}; expected one of {list(phrases)}")
    return phrases[phrase]
