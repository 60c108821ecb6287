"""How unlike each other texts are: distinct-n and self-BLEU, and which texts repeat another nearly word for word."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

NEAR_DUPLICATE = 92.0
"""Normalised indel similarity, in percent, from which two texts count as one; our choice [I]."""
BLEU_ORDER = 4


def texts_of(tasks: Iterable[Mapping[Any, Any]]) -> list[str]:
    """Return the words of each task: its query, and the opening messages of a conversation."""
    return [" ".join([task["query"], *(message["content"] for message in task["messages"])]) for task in tasks]


def diversity(texts: Sequence[str]) -> dict[str, float]:
    """Return distinct-1 to distinct-3 (Li et al. 2016) and self-BLEU-4 (Zhu et al. 2018) of the texts, 0 to 1."""
    words = [_words(text) for text in texts]
    found = {f"distinct_{n}": _distinct(words, n) for n in (1, 2, 3)}
    return {**found, "self_bleu_4": _self_bleu(words)}


def repeated(text: str, earlier: Sequence[str]) -> str | None:
    """Return an earlier text that this one repeats nearly word for word, or None."""
    from rapidfuzz import fuzz, process

    found = process.extractOne(text.casefold(), [t.casefold() for t in earlier], scorer=fuzz.ratio)
    return earlier[found[2]] if found is not None and found[1] >= NEAR_DUPLICATE else None


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _ngrams(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def _distinct(texts: Iterable[Sequence[str]], n: int) -> float:
    grams = [gram for words in texts for gram in _ngrams(words, n)]
    return round(len(set(grams)) / len(grams), 6) if grams else 0.0


def _self_bleu(texts: Sequence[Sequence[str]]) -> float:
    """Return the mean BLEU of each text against all others; 0 for fewer than two. Add-one smoothing above unigrams."""
    if len(texts) < 2:
        return 0.0
    counts = [[Counter(_ngrams(words, n)) for n in range(1, BLEU_ORDER + 1)] for words in texts]
    most: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for number, by_order in enumerate(counts):
        for gram, count in (item for counter in by_order for item in counter.items()):
            most[gram] = sorted([*most.get(gram, []), (count, number)], reverse=True)[:2]
    lengths = sorted(len(words) for words in texts)
    scores = []
    for number, by_order in enumerate(counts):
        logs = 0.0
        for order, counter in enumerate(by_order):
            matched = sum(min(count, _elsewhere(most[gram], number)) for gram, count in counter.items())
            total = sum(counter.values())
            smooth = 1 if order else 0
            if matched + smooth == 0:
                logs = -math.inf
                break
            logs += math.log((matched + smooth) / (total + smooth)) / BLEU_ORDER
        own = len(texts[number])
        others = list(lengths)
        others.remove(own)
        closest = min(others, key=lambda length: (abs(length - own), length))
        penalty = 1.0 if own >= closest else math.exp(1 - closest / max(1, own))
        scores.append(penalty * math.exp(logs))
    return round(math.fsum(scores) / len(scores), 6)


def _elsewhere(most: Sequence[tuple[int, int]], number: int) -> int:
    """Return the greatest count of an n-gram in any text but this one."""
    return next((count for count, holder in most if holder != number), 0)
