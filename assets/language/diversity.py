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
    distinct_shares = {f"distinct_{n}": _distinct(words, n) for n in (1, 2, 3)}
    return {**distinct_shares, "self_bleu_4": _self_bleu(words)}


def repeated_text(text: str, earlier: Sequence[str]) -> str | None:
    """Return an earlier text that this one repeats nearly word for word, or None."""
    from rapidfuzz import fuzz, process

    match = process.extractOne(text.casefold(), [t.casefold() for t in earlier], scorer=fuzz.ratio)
    return earlier[match[2]] if match is not None and match[1] >= NEAR_DUPLICATE else None


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
    most: dict[tuple[str, ...], tuple[int, int, int]] = {}
    for number, by_order in enumerate(counts):
        for gram, count in (item for counter in by_order for item in counter.items()):
            greatest, holder, second = most.get(gram, (0, -1, 0))
            if count > greatest:
                most[gram] = (count, number, greatest)
            elif count > second:
                most[gram] = (greatest, holder, count)
    closest = _closest_lengths([len(words) for words in texts])
    scores = []
    for number, by_order in enumerate(counts):
        logs = 0.0
        for order, counter in enumerate(by_order):
            matched = 0
            for gram, count in counter.items():
                greatest, holder, second = most[gram]
                matched += min(count, second if holder == number else greatest)
            total = sum(counter.values())
            smooth = 1 if order else 0
            if matched + smooth == 0:
                logs = -math.inf
                break
            logs += math.log((matched + smooth) / (total + smooth)) / BLEU_ORDER
        text_length = len(texts[number])
        penalty = (
            1.0 if text_length >= closest[text_length] else math.exp(1 - closest[text_length] / max(1, text_length))
        )
        scores.append(penalty * math.exp(logs))
    return round(math.fsum(scores) / len(scores), 6)


def _closest_lengths(lengths: Sequence[int]) -> dict[int, int]:
    """Return by length of a text that of another one which is closest to it, the shorter of two."""
    counts = Counter(lengths)
    return {
        text_length: min(
            (o for o in counts if o != text_length or counts[text_length] > 1),
            key=lambda length: (abs(length - text_length), length),
        )
        for text_length in counts
    }
