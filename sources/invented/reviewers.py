"""Who writes about an invented place, how many stars they give, and what they say: true ratings seen through noise.

Fast on purpose (a gigabyte of reviews is written from here): texts are put together from pieces that are
escaped for JSON once, and each place has one generator.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import cache, lru_cache
from random import Random
from typing import NamedTuple

from sources.invented.phrases.bank import Bank, asides, closings, dishes, links, off_topic, openings, opinions
from sources.invented.phrases.common import EMOJI
from sources.invented.world import Place, World

MENTION_SHARE = {
    "flavor": 0.65, "freshness": 0.45, "service": 0.6, "environment": 0.5, "value": 0.5,
    "quality": 0.7, "location": 0.6, "safety": 0.45,
}  # fmt: skip
"""How often a review speaks of an attribute."""

ORIENTATION_MENTION_SHARE = (0.14, 0.3, 0.5, 0.65)
"""How often a review speaks of an orientation, by its true level: people seldom write of what is not there."""

ELABORATION_SHARE = 0.5
"""How often a second sentence follows on the same attribute."""
OFF_TOPIC_SHARE = 0.05
CARELESS_SHARE = 0.07
"""Reviewers whose opinions have nothing to do with the place."""
ONE_OFF_SHARE = 0.34
TWO_OFF_SHARE = 0.05
"""How often an opinion is one or two levels off the truth."""
MOOD_WEIGHT = 0.15
"""An opinion that is off errs upwards half the time, and this much more for each star above the place's quality."""
USELESS_SHARE = 0.35
"""Reviews that nobody marked useful (the published filter drops them)."""
MAX_REVIEWS = 400
MAX_REVIEWS_OTHER = 5
FIRST_YEAR, YEARS = 2014, 11
USERS = 20_000


class Review(NamedTuple):
    """One review; `text_json` is the text escaped for a JSON string, without the quotes."""

    review_id: str
    user_id: str
    stars: int
    useful: int
    funny: int
    cool: int
    text_json: str
    date: str


class _Opinion(NamedTuple):
    """What reviewers of a place may say of one attribute."""

    share: float
    rating: int
    lowest: int
    highest: int
    banks: dict[int, Bank]


def star_ratings(world: World, place: Place) -> list[int]:
    """Return the stars of each of the place's reviews: many have few reviews, few have many."""
    rng = world.rng("stars", place.place_key)
    count = min(MAX_REVIEWS, int(2 + 7 / math.sqrt(1 - rng.random())))
    if place.kind == "other":
        count = min(count, MAX_REVIEWS_OTHER)
    random, middle = rng.random, place.quality + 0.5
    return [max(1, min(5, int(middle + 2.4 * (random() + random() - 1)))) for _ in range(count)]


def shown_stars(ratings: list[int]) -> float:
    """Return the mean as a site shows it, in half stars."""
    return int(2 * sum(ratings) / len(ratings) + 0.5) / 2


def reviews(world: World, place: Place) -> Iterator[Review]:
    """Yield the place's reviews, as many as `star_ratings`, in no order that means anything."""
    rng = world.rng("reviews", place.place_key)
    opinions_held = _opinions(place)
    menu = dishes(place.cuisines[0] if place.cuisines else "")
    opening = openings(place.kind) if place.kind != "other" else off_topic()
    users, (dates, times) = _users(world.seed), _dates_and_times()
    random, bits = rng.random, rng.getrandbits
    for stars in star_ratings(world, place):
        text = _text(rng, opening, opinions_held, menu, stars, stars - place.quality)
        useful = 0 if random() < USELESS_SHARE else int(1 / (1 - 0.95 * random()))
        extra = bits(24)
        yield Review(
            f"{bits(88):022x}",
            users[int(random() * USERS)],
            stars,
            useful,
            extra & 1,
            extra >> 1 & 1,
            text,
            dates[int(random() * len(dates))] + times[extra >> 2 & 1023],
        )


def _opinions(place: Place) -> list[_Opinion]:
    place_opinions = []
    for kind, ratings in place.ratings.items():
        lowest, highest = (0, 3) if kind == "attraction" else (1, 5)
        for attribute, rating in ratings.items():
            share = ORIENTATION_MENTION_SHARE[rating] if kind == "attraction" else MENTION_SHARE[attribute]
            place_opinions.append(_Opinion(share, rating, lowest, highest, opinions(kind, attribute)))
    return place_opinions


def _text(
    rng: Random, opening: Bank, opinions_held: list[_Opinion], menu: tuple[str, ...], stars: int, mood: float
) -> str:
    random = rng.random
    sentences = []
    if not opinions_held or random() < OFF_TOPIC_SHARE:
        sentences.append(off_topic().draw(rng).capital + ".")
    else:
        sentences += [opening.draw(rng).capital + "." for share in (0.75, 0.3) if random() < share]
        sentences += _opinion_sentences(rng, opinions_held, 0.5 + MOOD_WEIGHT * mood)
        for share in (0.5, 0.25):
            if random() < share:
                sentences.insert(int(random() * (len(sentences) + 1)), asides().draw(rng).capital + ".")
        if random() < 0.5:
            sentences.append(
                closings("bad" if stars < 3 else "mixed" if stars == 3 else "good").draw(rng).capital + "."
            )
        if random() < 0.04:
            sentences.append(_EMOJI_JSON[int(random() * len(_EMOJI_JSON))])
    text = ("\\n\\n" if random() < 0.1 else " ").join(sentences) or "\\u2014"
    while "{dish}" in text:
        text = text.replace("{dish}", menu[int(random() * len(menu))], 1)
    return text


def _opinion_sentences(rng: Random, opinions_held: list[_Opinion], upwards: float) -> list[str]:
    """Return sentences on some of the attributes, each as the reviewer found it, some joined into one.

    `upwards` is the share of opinions off the truth that are too kind.
    """
    random = rng.random
    is_careless = random() < CARELESS_SHARE
    first = int(random() * len(opinions_held))
    sentences: list[str] = []
    pending = ""
    was_good = False
    for share, rating, lowest, highest, banks in opinions_held[first:] + opinions_held[:first]:
        if random() >= share:
            continue
        level = _perceived(rng, rating, lowest, highest, upwards, is_careless)
        sentence = banks[level].draw(rng)
        is_good = 2 * level > lowest + highest
        if pending:
            sentences.append(f"{pending}, {'and' if is_good == was_good else 'but'} {sentence.inner}.")
            pending = ""
            continue
        if random() < 0.16:
            link = links()[int(random() * len(links()))]
            text = f"{link} {sentence.inner}"
        else:
            text = sentence.capital
        if random() < 0.25:
            pending, was_good = text, is_good
        else:
            sentences.append(text + ("!" if level in (lowest, highest) and random() < 0.2 else "."))
        if random() < ELABORATION_SHARE and not pending:
            sentences.append(banks[level].draw(rng).capital + ".")
    if pending:
        sentences.append(pending + ".")
    return sentences


def _perceived(rng: Random, rating: int, lowest: int, highest: int, upwards: float, is_careless: bool) -> int:
    """Return the level that a reviewer found."""
    draw = rng.random()
    if is_careless:
        return lowest + int(draw * (highest - lowest + 1))
    if draw >= TWO_OFF_SHARE + ONE_OFF_SHARE:
        return rating
    off = 2 if draw < TWO_OFF_SHARE else 1
    return min(highest, rating + off) if rng.random() < upwards else max(lowest, rating - off)


@lru_cache(maxsize=4)
def _users(seed: int) -> tuple[str, ...]:
    rng = Random(seed)  # noqa: S311 invented people
    return tuple(f"{rng.getrandbits(88):022x}" for _ in range(USERS))


@cache
def _dates_and_times() -> tuple[list[str], list[str]]:
    dates = [
        f"{year}-{month:02d}-{day:02d} "
        for year in range(FIRST_YEAR, FIRST_YEAR + YEARS)
        for month in range(1, 13)
        for day in range(1, 29)
    ]
    times = [f"{8 + step // 64:02d}:{step * 7 % 60:02d}:{step * 13 % 60:02d}" for step in range(1024)]
    return dates, times


_EMOJI_JSON = tuple(json.dumps(emoji)[1:-1] for emoji in EMOJI)
