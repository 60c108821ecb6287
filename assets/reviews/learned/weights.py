"""The learned weights by model and feature, and the scores they give: integers from end to end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

from assets.reviews.learned.features import (
    KNOWN,
    NEAR,
    ONE,
    PIECE,
    clauses_around,
    judging_counts,
    long_pieces,
    phrases,
    word_pieces,
)
from assets.reviews.learned.scan import Clause, Sentence
from schemas.reviews import SUBJECTS

SCALE = 1 << 14
"""A weight or score of one logit."""
ANY_FEATURE = "always"
"""The feature that every clause has: the intercept."""
JUDGED, SIGN = "judged", "sign"
PRIOR_SHARE = 0.5
"""What counts of how often the labelled sentences praise a subject: they were chosen to disagree within a sentence."""
MAX_WORDS_KEPT = 200_000
"""Words whose weights are remembered; more are looked up piece by piece each time."""

BITS = 48
"""Room for one of several integers that are kept in one, so that one addition adds all: more than any sum needs."""

Scores = tuple[int, ...]
"""One score for each of SUBJECTS, in its order."""


def packed(values: Iterable[int]) -> int:
    """Return several integers as one: sums of such are the sums of each, and `unpacked` tells them apart again."""
    whole = 0
    for value in values:
        whole = (whole << BITS) + value
    return whole


def unpacked(whole: int, size: int) -> tuple[int, ...]:
    """Return the integers that a sum of packed ones holds."""
    half, mask = 1 << (BITS - 1), (1 << BITS) - 1
    values = []
    for _ in range(size):
        value = ((whole + half) & mask) - half
        values.append(value)
        whole = (whole - value) >> BITS
    return tuple(reversed(values))


@dataclass(frozen=True)
class Weights:
    """Weights by feature, each packed: of finding for all subjects at once, of judging for its two questions at once.

    `named` are those of what the word lists name, `here` and `near` those of phrases, times what each counts; `prior`
    is how often a subject is praised.
    """

    finding: Mapping[str, int]
    judging: Mapping[str, int]
    named: Mapping[str, int]
    here: Mapping[str, int]
    near: Mapping[str, int]
    prior: Mapping[str, int]
    _words: dict[str, int] = field(default_factory=dict, repr=False)
    _judged_words: dict[str, int] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> Weights:
        """Return the weights of a `review_reader` table's rows."""
        by_model: dict[str, dict[str, int]] = {name: {} for name in (*SUBJECTS, JUDGED, SIGN)}
        for row in rows:
            by_model[row["model"]][row["feature"]] = int(row["weight"])
        names = {name for subject in SUBJECTS for name in by_model[subject]}
        finding = {name: packed(by_model[subject].get(name, 0) for subject in SUBJECTS) for name in names}
        judged, sign = by_model[JUDGED], by_model[SIGN]
        prior = {subject: round(ONE * sign.pop(f"subject {subject}", 0) * PRIOR_SHARE) for subject in SUBJECTS}
        judging = {name: packed((judged.get(name, 0), sign.get(name, 0))) for name in {*judged, *sign}}
        named, here, near = (
            {name.removeprefix(kind): count * weight for name, weight in weights.items() if name.startswith(kind)}
            for kind, count, weights in (("known ", KNOWN, finding), ("here ", ONE, judging), ("near ", NEAR, judging))
        )
        return cls(finding, judging, named, here, near, prior)

    def scores(self, clause: Clause) -> Scores:
        """Return how much a clause speaks of each subject, in SCALE; 0 is even odds."""
        words = set(clause.words)
        try:
            total = sum(map(self._words.__getitem__, words))
        except KeyError:
            total = sum(map(self._word, words))
        total += self.finding.get(ANY_FEATURE, 0) + sum(map(self.named.get, clause.named, repeat(0)))
        return unpacked(total, len(SUBJECTS))

    def _word(self, word: str) -> int:
        """Return a word's scores with those of its pieces, and remember them."""
        if word in self._words:
            return self._words[word]
        total = ONE * self.finding.get(f"word {word}", 0)
        total += PIECE * sum(self.finding.get(f"piece {piece}", 0) for piece in word_pieces(word))
        if len(self._words) < MAX_WORDS_KEPT:
            self._words[word] = total
        return total

    def _judged_word(self, word: str) -> int:
        """Return how the pieces of a word judge, and remember it."""
        total = self._judged_words.get(word)
        if total is None:
            total = PIECE * sum(self.judging.get(f"piece {piece}", 0) for piece in long_pieces(word))
            if len(self._judged_words) < MAX_WORDS_KEPT:
                self._judged_words[word] = total
        return total

    def judgement(self, sentence: Sentence, at: int, subject: str, rule_value: float | None) -> tuple[int, ...]:
        """Return how surely a clause judges a subject, and how surely for the better, in SCALE: `judging_features`.

        How often the labelled sentences praise the subject is left out of the second; it stands in `prior`.
        """
        own, near = clauses_around(sentence, at)
        total = self.judging.get(ANY_FEATURE, 0)
        for name, count in judging_counts(sentence, at, subject, rule_value).items():
            total += count * self.judging.get(name, 0)
        total += sum(map(self.here.get, phrases([own]), repeat(0)))
        total += sum(map(self._judged_word, set(own.words)))
        total += sum(map(self.near.get, phrases(near), repeat(0)))
        return unpacked(total, 2)
