"""The word lists of one kind of place, compiled to one look-up from a first word to the entries that begin with it.

The words are in `words.py`, `opinion_aspects.py` and `orientation_aspects.py`; text is read by them in `reading.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from assets.reviews.opinion_aspects import RESTAURANT_ASPECTS, STAY_ASPECTS, Aspect
from assets.reviews.orientation_aspects import ORIENTATION_ASPECTS
from assets.reviews.words import (
    BOOSTS,
    CONTRASTS,
    DAMPS,
    DAMPS_OF_OPINION,
    DECOYS,
    DEGREES,
    GRADES,
    GROUNDS,
    IDLE,
    IDLE_OF_SIGHTS,
    NEGATIONS,
    UNREAL,
)

ASPECTS: dict[str, dict[str, Aspect]] = {
    "restaurant": RESTAURANT_ASPECTS,
    "stay": STAY_ASPECTS,
    "attraction": ORIENTATION_ASPECTS,
}
GRADE_PER_VALENCE = 0.6
"""VADER's valences run from -4 to 4, its `good` is 1.9 and its `excellent` 2.7: 3 + 0.6 v puts them at 4.1 and 4.6."""
WEAKEST_VALENCE = 1.0
"""Words that VADER's raters placed nearer to neutral than this judge too little to be read."""


class Role(IntEnum):
    """What an entry does in a clause."""

    ASPECT = 0
    DECOY = 1
    JUDGEMENT = 2
    NEGATION = 3
    BOOST = 4
    DAMP = 5
    UNREAL = 6
    CONTRAST = 7
    IDLE = 8


MODIFIERS = frozenset((Role.NEGATION, Role.BOOST, Role.DAMP, Role.UNREAL))


@dataclass(frozen=True)
class Meaning:
    """What one entry does, the attributes it names (with the grade it gives them, if any) or the value it judges by."""

    role: Role
    attributes: tuple[tuple[str, float | None], ...] = ()
    value: float | None = None
    also: Role | None = None

    @property
    def modifies(self) -> bool:
        """Return whether the entry changes what a later word of its clause says."""
        return self.role in MODIFIERS or self.also is not None


@dataclass(frozen=True)
class Lexicon:
    """Entries by first word, longest first, the words of those that name an attribute, and the scale they grade on."""

    entries: dict[str, tuple[tuple[tuple[str, ...], Meaning], ...]]
    naming: frozenset[str]
    low: float
    high: float
    is_degree: bool


@cache
def lexicon(kind: str) -> Lexicon:
    """Return the compiled lexicon of a kind of place; a word of the kind's attributes hides its general meaning."""
    is_degree = kind == "attraction"
    meanings: dict[str, Meaning] = {}
    general: tuple[tuple[str, Meaning], ...] = (
        (DECOYS, Meaning(Role.DECOY)),
        (UNREAL, Meaning(Role.UNREAL)),
        (f"{IDLE}, {IDLE_OF_SIGHTS}, {GROUNDS}" if is_degree else IDLE, Meaning(Role.IDLE)),
        (NEGATIONS, Meaning(Role.NEGATION)),
        (CONTRASTS, Meaning(Role.CONTRAST)),
    )
    if not is_degree:
        meanings.update(_valences())
    for text, meaning in general:
        for entry in _entries(text):
            meanings[entry] = meaning
            if meaning.role is Role.DECOY:
                meanings.setdefault(_plural(entry), meaning)
    judged = {entry: grade for grade, text in (DEGREES if is_degree else GRADES).items() for entry in _entries(text)}
    meanings.update({entry: Meaning(Role.JUDGEMENT, value=grade) for entry, grade in judged.items()})
    for text, role in ((BOOSTS, Role.BOOST), (DAMPS if is_degree else f"{DAMPS}, {DAMPS_OF_OPINION}", Role.DAMP)):
        for entry in _entries(text):
            value = judged.get(entry)
            meanings[entry] = Meaning(role) if value is None else Meaning(Role.JUDGEMENT, value=value, also=role)
    for entry, attributes in _aspect_entries(ASPECTS[kind]).items():
        meanings[entry] = Meaning(Role.ASPECT, tuple(sorted(attributes.items())))
    by_first: dict[str, list[tuple[tuple[str, ...], Meaning]]] = {}
    for entry, meaning in sorted(meanings.items()):
        words = tuple(entry.split())
        by_first.setdefault(words[0], []).append((words, meaning))
    compiled = {first: tuple(sorted(entries, key=lambda e: -len(e[0]))) for first, entries in by_first.items()}
    naming = frozenset(word for entry, meaning in meanings.items() if meaning.attributes for word in entry.split())
    return Lexicon(compiled, naming, 0.0 if is_degree else 1.0, 3.0 if is_degree else 5.0, is_degree)


def _aspect_entries(aspects: dict[str, Aspect]) -> dict[str, dict[str, float | None]]:
    grades_by_entry: dict[str, dict[str, float | None]] = {}
    for attribute, aspect in aspects.items():
        for name in _entries(aspect.names):
            grades_by_entry.setdefault(name, {})[attribute] = None
            grades_by_entry.setdefault(_plural(name), {}).setdefault(attribute, None)
    for attribute, aspect in aspects.items():
        for grade, text in aspect.graded.items():
            for entry in _entries(text):
                grades_by_entry.setdefault(entry, {})[attribute] = grade
    return grades_by_entry


def _valences() -> dict[str, Meaning]:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return {
        word: Meaning(Role.JUDGEMENT, value=min(5.0, max(1.0, 3.0 + GRADE_PER_VALENCE * valence)))
        for word, valence in SentimentIntensityAnalyzer().lexicon.items()
        if abs(valence) >= WEAKEST_VALENCE and word.isalpha()
    }


def _entries(text: str) -> Iterator[str]:
    """Yield the comma-separated entries, with hyphens read as spaces, as `reading.py` reads them."""
    for entry in text.split(","):
        yield " ".join(entry.replace("-", " ").split())


def _plural(name: str) -> str:
    if name.endswith(("s", "x", "ch", "sh")):
        return name + "es"
    if name.endswith("y") and name[-2] not in "aeiou":
        return name[:-1] + "ies"
    return name + "s"
