"""Which language a review is in, so that word lists of one language are not laid on another."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

READ = frozenset(("en",))
"""ISO 639-1 codes of the languages that the word lists and the learned weights are of."""
UNKNOWN = "und"
"""ISO 639's code of a text too short, or too mixed, to tell; its words are looked up all the same."""
LEAST_WORDS = 5
LEAST_PROBABILITY = 0.9
MAX_CHARACTERS_LOOKED_AT = 300
ENGLISH_SHARE = 0.2
"""From this share of the commonest English words on, a text is English without further question."""
COMMONEST_WORDS = """the and to it for that with this they were you have but are very there our would from which been
    when if their because them"""
COMMONEST = frozenset(COMMONEST_WORDS.split())
"""Common English words that are common in no other language written with Latin letters."""

_WORD = re.compile(r"[^\W\d_]+")


def language_of(text: str) -> str:
    """Return the ISO 639-1 code of the text's language by its beginning, UNKNOWN where that does not show."""
    beginning = text[:MAX_CHARACTERS_LOOKED_AT].lower()
    roughly = beginning.split()
    if len(roughly) >= LEAST_WORDS and sum(word in COMMONEST for word in roughly) >= ENGLISH_SHARE * len(roughly):
        return "en"
    words = _WORD.findall(beginning)
    is_latin = all(word.isascii() for word in words)
    if is_latin and len(words) < LEAST_WORDS:
        return UNKNOWN
    if sum(word in COMMONEST for word in words) >= ENGLISH_SHARE * len(words):
        return "en" if words else UNKNOWN
    language, probability = _identifier().classify(" ".join(words))
    return language if probability >= LEAST_PROBABILITY else UNKNOWN


def is_read(language: str) -> bool:
    """Return whether the word lists may be laid on a text of this language."""
    return language in READ or language == UNKNOWN


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_modelpath(MODEL_DIR / MODEL_FILE, norm_probs=True)
