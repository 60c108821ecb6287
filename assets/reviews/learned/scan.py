"""A text as sentences of clauses, each with its words and with what the rules' word lists find in it.

Learning and reading see a text through this module alone, so both see the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from assets.reviews.lexicon import Lexicon, Role
from assets.reviews.reading import ENDS, Text, words_of
from assets.reviews.words import CONTRASTS
from schemas.reviews import SUBJECTS

BREAKS = frozenset((":", "(", ")", "–", "—"))
CONTRASTING = frozenset(word.strip() for word in CONTRASTS.split(",") if " " not in word.strip())
OPENERS = CONTRASTING | frozenset(("because", "which", "who", "when", "after", "before", "so", "then", "until"))
"""Words at which another clause begins, as well as after a comma before `and`."""
MIN_CLAUSE_WORDS = 2
NEGATION_REACH = 4
SUBJECT_OF = {attribute: subject for subject, attributes in SUBJECTS.items() for attribute in attributes}
TENTHS = 10
"""Valences are counted in tenths of a grade, as integers."""


@dataclass(slots=True)
class Clause:
    """Words of one clause in order, what is named and graded in it, and how it judges, in tenths of a grade."""

    first: int
    last: int
    words: list[str] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    praise: int = 0
    blame: int = 0

    @property
    def balance(self) -> int:
        """Return the praise less the blame."""
        return self.praise - self.blame


@dataclass(slots=True)
class Sentence:
    """The clauses between two ends."""

    clauses: list[Clause]

    @property
    def first(self) -> int:
        """Return the number of its first word in the text."""
        return self.clauses[0].first


def sentences(text: str, lexicon: Lexicon) -> tuple[Text, list[Sentence]]:
    """Return the text's words and its sentences; a sentence without words is left out."""
    read = words_of(text)
    found = [Sentence(list(clauses)) for clauses in _split(read.words)]
    for sentence in found:
        for clause in sentence.clauses:
            _look_up(clause, read, lexicon)
    return read, found


def _split(words: list[str]) -> Iterator[list[Clause]]:
    clauses: list[Clause] = []
    clause: Clause | None = None
    for i, word in enumerate(words):
        if word[0] in ENDS:
            if clauses:
                yield clauses
            clauses, clause = [], None
            continue
        is_word = word[0].isalpha() or word in _SIGNS
        is_opening = word in BREAKS or word in OPENERS or (word == "and" and i > 0 and words[i - 1] == "," and is_word)
        if clause is None or (is_opening and len(clause.words) >= MIN_CLAUSE_WORDS):
            if not is_word:
                continue
            clause = Clause(i, i)
            clauses.append(clause)
        if is_word:
            clause.words.append(word)
            clause.last = i
    if clauses:
        yield clauses


def _look_up(clause: Clause, read: Text, lexicon: Lexicon) -> None:
    """Note what the word lists find in the clause: `food:named`, `food:graded`, praise and blame."""
    words, entries, negated_until, skip_to = read.words, lexicon.entries, -1, clause.first
    for i in range(clause.first, clause.last + 1):
        if i < skip_to or words[i] not in entries:
            continue
        item = read.entry(i, lexicon)
        if item is None:
            continue
        skip_to = item.end
        meaning = item.meaning
        if meaning.role is Role.NEGATION:
            negated_until = item.end + NEGATION_REACH
        grades = [] if meaning.value is None else [meaning.value]
        for attribute, grade in meaning.attributes:
            clause.named.add(f"{SUBJECT_OF[attribute]}:{'named' if grade is None else 'graded'}")
            if grade is not None:
                grades.append(grade)
        if grades:
            tenths = round((sum(grades) / len(grades) - 3) * TENTHS)
            if i < negated_until:
                tenths = -tenths
            clause.praise += max(0, tenths)
            clause.blame += max(0, -tenths)


_SIGNS = frozenset("$€£")
