"""Labelled sentences of a made-up kind, enough to learn from: each subject by a word that no word list has."""

from __future__ import annotations

from sources.labelled.sentences import LabelledSentence

WORDS = {"food": "zanzibo", "staff": "quorbel", "ambience": "miltrane", "price": "vorpend"}
WAYS = {"positive": "delighted", "negative": "appalled", "neutral": "arrived with"}
FILLERS = ("on Monday", "with my cousin", "after the rain", "near the harbour", "in March", "for an hour")


def sentence(text: str, *labels: tuple[str, str]) -> LabelledSentence:
    return LabelledSentence(text, labels, "labelled.train@0#sentence[0]")


def made_up() -> list[LabelledSentence]:
    """Return sentences of two clauses, each of one subject, and some of one clause of none."""
    found = []
    for n, first in enumerate(WORDS):
        for second in list(WORDS)[n + 1 :]:
            for way, how in WAYS.items():
                for other, what in WAYS.items():
                    for filler in FILLERS:
                        text = f"The {WORDS[first]} {how} us {filler}, but the {WORDS[second]} {what} me."
                        found.append(sentence(text, (first, way), (second, other)))
    found += [sentence(f"We came {a} and left {b}.", ("miscellaneous", "neutral")) for a in FILLERS for b in FILLERS]
    return found
