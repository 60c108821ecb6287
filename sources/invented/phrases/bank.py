"""Sentences ready to be put together: every choice spelt out, in JSON string escapes, with and without a capital."""

from __future__ import annotations

import itertools
import json
import re
from functools import cache
from random import Random
from typing import NamedTuple

from sources.invented.phrases import attractions, restaurants, stays
from sources.invented.phrases.common import ASIDES, CLOSINGS, DISHES, LINKS, OFF_TOPIC, OPENINGS

PHRASES: dict[str, dict[str, dict[int, str]]] = {
    "restaurant": {
        "flavor": restaurants.FLAVOR,
        "freshness": restaurants.FRESHNESS,
        "service": restaurants.SERVICE,
        "environment": restaurants.ENVIRONMENT,
        "value": restaurants.VALUE,
    },
    "stay": {
        "quality": stays.QUALITY,
        "location": stays.LOCATION,
        "service": stays.SERVICE,
        "safety": stays.SAFETY,
    },
    "attraction": {
        "family": attractions.FAMILY,
        "history": attractions.HISTORY,
        "activity": attractions.ACTIVITY,
        "nature": attractions.NATURE,
        "food": attractions.FOOD,
        "shopping": attractions.SHOPPING,
    },
}
"""Kind of place → attribute → how the reviewer found it → templates, one a line."""

_CHOICE = re.compile(r"\[([^\]]*)\]")


class Sentence(NamedTuple):
    """One sentence without its full stop, escaped for a JSON string."""

    capital: str  # as a sentence of its own
    inner: str  # after a comma or a linking word


class Bank:
    """Sentences to draw from; every template is equally likely, then every spelling of it."""

    def __init__(self, templates: str) -> None:
        self.templates = tuple(
            tuple(Sentence(_escaped(text[0].upper() + text[1:]), _escaped(text)) for text in spellings(line))
            for line in templates.strip().splitlines()
        )
        self._count = len(self.templates)

    def draw(self, rng: Random) -> Sentence:
        """Return one sentence."""
        place = rng.random() * self._count
        template = int(place)
        spelt = self.templates[template]
        return spelt[int((place - template) * len(spelt))]


def spellings(template: str) -> list[str]:
    """Return every text that the template's `[a|b]` choices allow, in order."""
    parts = _CHOICE.split(template)
    options = [part.split("|") if position % 2 else [part] for position, part in enumerate(parts)]
    return ["".join(choice) for choice in itertools.product(*options)]


@cache
def opinions(kind: str, attribute: str) -> dict[int, Bank]:
    """Return what can be said of the attribute of a kind of place, by how the reviewer found it."""
    return {level: Bank(templates) for level, templates in PHRASES[kind][attribute].items()}


@cache
def openings(kind: str) -> Bank:
    """Return first sentences of reviews of a kind of place."""
    return Bank(OPENINGS[kind])


@cache
def closings(mood: str) -> Bank:
    """Return last sentences: of a `bad`, `mixed` or `good` visit."""
    return Bank(CLOSINGS[mood])


@cache
def asides() -> Bank:
    """Return sentences that say nothing of the place."""
    return Bank(ASIDES)


@cache
def off_topic() -> Bank:
    """Return sentences of reviews that are not reviews."""
    return Bank(OFF_TOPIC)


@cache
def links() -> tuple[str, ...]:
    """Return words that lead into a sentence, capitalised."""
    return tuple(line[0].upper() + line[1:] for line in LINKS.strip().splitlines())


@cache
def dishes(cuisine: str) -> tuple[str, ...]:
    """Return the cuisine's dishes."""
    return tuple(map(_escaped, DISHES[cuisine]))


def _escaped(text: str) -> str:
    return json.dumps(text)[1:-1]
