"""The learned weights by model and feature, and the scores they give: integers from end to end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assets.reviews.learned.features import (
    KNOWN,
    NEAR,
    ONE,
    PIECE,
    clauses_around,
    judging_counts,
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

Scores = tuple[int, int, int, int]
"""One score for each of SUBJECTS, in its order."""
_NO_SCORES: Scores = (0, 0, 0, 0)
_NEITHER = (0, 0)


@dataclass(frozen=True)
class Weights:
    """Weights by feature: of finding for all subjects at once, of judging for its two questions at once.

    `here` and `near` are those of phrases, times what a phrase counts; `prior` is how often a subject is praised.
    """

    finding: Mapping[str, Scores]
    judging: Mapping[str, tuple[int, int]]
    here: Mapping[str, tuple[int, int]]
    near: Mapping[str, tuple[int, int]]
    prior: Mapping[str, int]
    _words: dict[str, Scores] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> Weights:
        """Return the weights of a `review_reader` table's rows."""
        by_model: dict[str, dict[str, int]] = {name: {} for name in (*SUBJECTS, JUDGED, SIGN)}
        for row in rows:
            by_model[row["model"]][row["feature"]] = int(row["weight"])
        names = {name for subject in SUBJECTS for name in by_model[subject]}
        food, service, room, value = (by_model[subject] for subject in SUBJECTS)
        finding = {n: (food.get(n, 0), service.get(n, 0), room.get(n, 0), value.get(n, 0)) for n in names}
        judged, sign = by_model[JUDGED], by_model[SIGN]
        prior = {subject: round(ONE * sign.pop(f"subject {subject}", 0) * PRIOR_SHARE) for subject in SUBJECTS}
        judging = {name: (judged.get(name, 0), sign.get(name, 0)) for name in {*judged, *sign}}
        here, near = (
            {
                name.removeprefix(f"{where} "): (count * weights[0], count * weights[1])
                for name, weights in judging.items()
                if name.startswith(f"{where} ")
            }
            for where, count in (("here", ONE), ("near", NEAR))
        )
        return cls(finding, judging, here, near, prior)

    def scores(self, clause: Clause) -> Scores:
        """Return how much a clause speaks of each subject, in SCALE; 0 is even odds."""
        food, service, room, value = self.finding.get(ANY_FEATURE, _NO_SCORES)
        for word in set(clause.words):
            found = self._words.get(word) or self._word(word)
            food += found[0]
            service += found[1]
            room += found[2]
            value += found[3]
        for name in clause.named:
            known = self.finding.get(f"known {name}", _NO_SCORES)
            food += KNOWN * known[0]
            service += KNOWN * known[1]
            room += KNOWN * known[2]
            value += KNOWN * known[3]
        return food, service, room, value

    def _word(self, word: str) -> Scores:
        """Return a word's scores with those of its pieces, and remember them."""
        parts = [(ONE, self.finding.get(f"word {word}", _NO_SCORES))]
        parts += [(PIECE, self.finding[name]) for p in word_pieces(word) if (name := f"piece {p}") in self.finding]
        food, service, room, value = (sum(count * scores[n] for count, scores in parts) for n in range(4))
        if len(self._words) < MAX_WORDS_KEPT:
            self._words[word] = (food, service, room, value)
        return food, service, room, value

    def judgement(self, sentence: Sentence, at: int, subject: str, rule_value: float | None) -> tuple[int, int]:
        """Return how surely a clause judges a subject, and how surely for the better, in SCALE: `judging_features`.

        How often the labelled sentences praise the subject is left out of the second; it stands in `prior`.
        """
        own, near = clauses_around(sentence, at)
        judged, sign = self.judging.get(ANY_FEATURE, _NEITHER)
        for name, count in judging_counts(sentence, at, subject, rule_value).items():
            if count and name in self.judging:
                weights = self.judging[name]
                judged += count * weights[0]
                sign += count * weights[1]
        for texts, by_phrase in ((phrases([own]), self.here), (phrases(near), self.near)):
            for phrase in texts:
                if phrase in by_phrase:
                    weights = by_phrase[phrase]
                    judged += weights[0]
                    sign += weights[1]
        return judged, sign
