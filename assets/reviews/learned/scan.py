"""A text as sentences of clauses, each with its words and with what the rules' word lists find in it.

Learning and reading see a text through this module alone, so both see the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

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
    listed_names: set[str] = field(default_factory=set)
    praise: int = 0
    blame: int = 0
    words_judging: tuple[int, int] | None = None
    """How the weights say that its words judge: of itself, and of clauses beside it; kept once it was added up."""
    judging: int | None = None
    """How they say that it judges, whatever the subject. Both are of one set of weights."""

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
    text_words = words_of(text)
    text_sentences = [Sentence(list(clauses)) for clauses in _split(text_words.words)]
    for sentence in text_sentences:
        for clause in sentence.clauses:
            _look_up(clause, text_words, lexicon)
    return text_words, text_sentences


def _split(words: list[str]) -> Iterator[list[Clause]]:
    clauses: list[Clause] = []
    clause: Clause | None = None
    for i, word in enumerate(words):
        mark = word[0]
        if mark in _MARKS:
            if mark in ENDS:
                if clauses:
                    yield clauses
                clauses, clause = [], None
            elif word in BREAKS and clause is not None and len(clause.words) >= MIN_CLAUSE_WORDS:
                clause = None
            continue
        is_opening = word in OPENERS or (word == "and" and words[i - 1] == ",")
        if clause is None or (is_opening and len(clause.words) >= MIN_CLAUSE_WORDS):
            clause = Clause(i, i)
            clauses.append(clause)
        clause.words.append(word)
        clause.last = i
    if clauses:
        yield clauses


def _look_up(clause: Clause, text_words: Text, lexicon: Lexicon) -> None:
    """Note what the word lists find in the clause: `food:named`, `food:graded`, praise and blame."""
    words, entries, negated_until, skip_to = text_words.words, text_words.entries(lexicon), -1, clause.first
    idle: set[int] = set()
    for i in range(clause.first, clause.last + 1):
        item = entries.get(i)
        if item is None or i < skip_to:
            continue
        skip_to = item.end
        meaning = item.meaning
        if meaning.role is Role.IDLE and item.end - i > 1:
            idle.update(range(i, item.end))
        if meaning.role is Role.NEGATION:
            negated_until = item.end + NEGATION_REACH
        if meaning.value is None and not meaning.attributes:
            continue
        names, tenths = _names_and_tenths(meaning.attributes, meaning.value)
        clause.listed_names.update(names)
        if tenths:
            if i < negated_until:
                tenths = -tenths
            if tenths > 0:
                clause.praise += tenths
            else:
                clause.blame -= tenths
    if idle:
        telling_words = [words[i] for i in range(clause.first, clause.last + 1) if i not in idle]
        clause.words = [word for word in telling_words if word[0] not in _MARKS] or clause.words


@cache
def _names_and_tenths(
    attributes: tuple[tuple[str, float | None], ...], value: float | None
) -> tuple[tuple[str, ...], int]:
    """Return what an entry names, as features know it, and how it judges, in tenths from the middle grade."""
    grades = [grade for grade in (value, *(grade for _, grade in attributes)) if grade is not None]
    names = (f"{SUBJECT_OF[attribute]}:{'named' if grade is None else 'graded'}" for attribute, grade in attributes)
    return tuple(names), round((sum(grades) / len(grades) - 3) * TENTHS) if grades else 0


_MARKS = ENDS | BREAKS | frozenset(",/&")
