"""The learned weights by model and feature, and the scores they give: integers from end to end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, repeat
from struct import Struct
from typing import Any

from assets.reviews.learned.features import (
    KNOWN,
    NEAR,
    ONE,
    PIECE,
    clause_counts,
    clauses_around,
    long_pieces,
    subject_counts,
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

BITS = 64
"""Room for one of several integers that are kept in one, so that one addition adds all: more than any sum needs."""
_HALF = 1 << (BITS - 1)
_LAYOUT = {size: Struct(f">{size}q") for size in (2, 4)}
_BIAS = {size: sum(_HALF << n * BITS for n in range(size)) for size in _LAYOUT}
_TWO, _HALF_OF_TWO = (1 << 2 * BITS) - 1, 1 << (2 * BITS - 1)

Scores = tuple[int, ...]
"""One score for each of SUBJECTS, in its order."""


def packed(values: Iterable[int]) -> int:
    """Return several integers as one: sums of such are the sums of each, and `unpacked` tells them apart again."""
    bit_fields = 0
    for value in values:
        bit_fields = (bit_fields << BITS) + value
    return bit_fields


def unpacked(bit_fields: int, size: int) -> tuple[int, ...]:
    """Return the integers that a sum of packed ones holds."""
    # With half of the room added, each field is what it holds plus that half: its highest bit flipped back, it is it.
    return _LAYOUT[size].unpack(((bit_fields + _BIAS[size]) ^ _BIAS[size]).to_bytes(size * BITS // 8, "big"))


@dataclass(frozen=True)
class Weights:
    """Weights by feature, each packed: of finding for all subjects at once, of judging for its two questions at once.

    `known_weights` are those of what the word lists name; `phrase_weights` those of phrases, of their own clause and of
    one beside it, times what each counts, and `pairs` the same by a phrase's two words; `prior` is how often a subject
    is praised.
    """

    finding: Mapping[str, int]
    judging: Mapping[str, int]
    known_weights: Mapping[str, int]
    phrase_weights: Mapping[str, int]
    pairs: Mapping[tuple[str, ...], int]
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
        known_weights = {
            name[len("known ") :]: KNOWN * weight for name, weight in finding.items() if name.startswith("known ")
        }
        phrase_weights: dict[str, int] = {}
        for kind, count in (("here ", ONE << 2 * BITS), ("near ", NEAR)):
            for name, weight in judging.items():
                if name.startswith(kind):
                    phrase = name[len(kind) :]
                    phrase_weights[phrase] = phrase_weights.get(phrase, 0) + count * weight
        pairs = {tuple(phrase.split(" ")): weight for phrase, weight in phrase_weights.items() if " " in phrase}
        return cls(finding, judging, known_weights, phrase_weights, pairs, prior)

    def scores(self, clause: Clause) -> Scores:
        """Return how much a clause speaks of each subject, in SCALE; 0 is even odds."""
        words = set(clause.words)
        try:
            total = sum(map(self._words.__getitem__, words))
        except KeyError:
            total = sum(map(self._word, words))
        total += self.finding.get(ANY_FEATURE, 0) + sum(map(self.known_weights.get, clause.listed_names, repeat(0)))
        return unpacked(total, len(SUBJECTS))

    def knows(self, word: str) -> bool:
        """Return whether the word itself, and not only pieces of it, tells what a clause speaks of."""
        return f"word {word}" in self.finding

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
        """Return how a word and its pieces judge, and remember it: as `_words_judging` of a clause."""
        total = self._judged_words.get(word)
        if total is None:
            pieces = PIECE * sum(self.judging.get(f"piece {piece}", 0) for piece in long_pieces(word))
            total = (pieces << 2 * BITS) + self.phrase_weights.get(word, 0)
            if len(self._judged_words) < MAX_WORDS_KEPT:
                self._judged_words[word] = total
        return total

    def judgement(self, sentence: Sentence, at: int, subject: str, rule_value: float | None) -> tuple[int, ...]:
        """Return how surely a clause judges a subject, and how surely for the better, in SCALE: `judging_features`.

        How often the labelled sentences praise the subject is left out of the second; it stands in `prior`.
        """
        clause = sentence.clauses[at]
        if clause.judging is None:
            clause.judging = self._judging(sentence, at)
        total = clause.judging + self._weighted_sum(subject_counts(subject, rule_value))
        return unpacked(total, 2)

    def _judging(self, sentence: Sentence, at: int) -> int:
        """Return how a clause judges whatever the subject, both answers packed."""
        own_clause, near = clauses_around(sentence, at)
        total = self.judging.get(ANY_FEATURE, 0) + self._weighted_sum(clause_counts(sentence, at))
        return total + self._words_judging(own_clause)[0] + sum([self._words_judging(clause)[1] for clause in near])

    def _weighted_sum(self, counts: Mapping[str, int]) -> int:
        return sum([count * self.judging.get(name, 0) for name, count in counts.items() if count])

    def _words_judging(self, clause: Clause) -> tuple[int, int]:
        """Return how the words of a clause judge: of itself, then of a clause beside it; both answers packed."""
        if clause.words_judging is None:
            words = set(clause.words)
            try:
                total = sum(map(self._judged_words.__getitem__, words))
            except KeyError:
                total = sum(map(self._judged_word, words))
            total += sum(map(self.pairs.get, set(pairwise(clause.words)), repeat(0)))
            near = ((total + _HALF_OF_TWO) & _TWO) - _HALF_OF_TWO
            clause.words_judging = (total - near) >> 2 * BITS, near
        return clause.words_judging
