"""Reading one review: the passages that speak of each attribute, and what they say of it.

A clause is judged by the words nearest to each aspect's name, with negation, boosts, damping, wishes and contrast.
The words are in `words.py` and the aspects' modules; adding up over reviews is in `rating.py`. The text is untrusted:
it is only ever looked up word by word, and a bounded part of it is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from assets.reviews.lexicon import Lexicon, Meaning, Role
from assets.reviews.words import (
    AFTER_DAMPS,
    COMPARATIVES,
    CONTRACTIONS,
    COORDINATORS,
    COPULAS,
    PRONOUNS,
    TICKETS,
    UNSURPASSED,
    WATCHED,
)

MAX_CHARACTERS_READ = 20_000
"""Four times the longest review that Yelp accepts (5,000 characters); what lies beyond it is not read."""
MAX_CLAUSE_WORDS = 60
"""A clause without punctuation is cut here, which bounds the work of pairing aspects and judgements."""
REACH = 12
"""A judgement further than this many words from an aspect's name does not speak of it."""
NEGATION_REACH = 5
MODIFIER_REACH = 2
UNREAL_REACH = 6
COMMA_DISTANCE = 3
BOOST = 0.5
"""How far a boost or a damping word moves a grade from or to the middle, on the 1 to 5 scale."""
DEGREE_BOOST = 0.7
PLAIN_DEGREE = 2.0
"""An orientation named without any word of amount."""
ABSENCE = 1.5
"""Grade of an aspect that is said to be missing, as in `no flavor`."""

EXCESS = 2.0
"""Grade of too much of something good, as in `too sweet`."""

_TOKEN = re.compile(r"[$€£]|[^\W\d_]+(?:['’][^\W\d_]+)*|[.!?;\n…]+|[,:()/&–—]")
_PRONOUNS = frozenset(PRONOUNS.split(", "))
_COPULAS = frozenset(word.strip() for word in COPULAS.split(","))
_CONTRACTIONS = frozenset(CONTRACTIONS.split(", "))
_PREDICATES = frozenset((Role.JUDGEMENT, Role.NEGATION, Role.BOOST, Role.DAMP))
_JOINTS = frozenset(COORDINATORS.split())
_CONTEXTS = tuple(
    (frozenset(words.replace(",", "").split()), frozenset(hidden))
    for words, hidden in ((WATCHED, ("activity", "nature", "history")), (TICKETS, ("shopping",)))
)
"""Words with which a clause, whatever else it names, says nothing of some orientations."""
ENDS = frozenset(".!?;\n…")
_QUOTES = frozenset('"“”„«»')
_PAUSES = frozenset((",", "and", ":", "(", ")", "–", "—"))
_TAG = re.compile(r"<[^<>]{0,500}>")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")


class Mention(NamedTuple):
    """One passage that speaks of an attribute: its grade or degree, its characters in the review text, and if to cite.

    One that is not sure enough to be cited as evidence is a vote all the same.
    """

    attribute: str
    value: float
    start: int
    end: int
    is_cited: bool = True


@dataclass(frozen=True, slots=True)
class Text:
    """A text's words and marks in lower case, and where each stands in the text as written."""

    words: list[str]
    matches: list[re.Match[str]]
    visible: list[int] | None
    _entries: dict[int, Item | None] = field(default_factory=dict, compare=False)

    def entries(self, lexicon: Lexicon) -> dict[int, Item | None]:
        """Return the lexicon's longest entry by the number of each word that begins one, if any fits; in order.

        Looked up once, so of one lexicon only.
        """
        if not self._entries:
            words, begins = self.words, lexicon.entries
            self._entries.update([(i, entry_at(words, i, lexicon)) for i, word in enumerate(words) if word in begins])
        return self._entries

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the characters, in the text as written, from one word to another."""
        start, end = self.matches[first].start(), self.matches[last].end()
        return (start, end) if self.visible is None else (self.visible[start], self.visible[end - 1] + 1)


@dataclass(slots=True)
class Item:
    """One entry found in a clause: its first word, the word after its last, and what it means."""

    at: int
    end: int
    meaning: Meaning


def read_review(text: str, lexicon: Lexicon, text_words: Text | None = None) -> list[Mention]:
    """Return the passages of the review that speak of an attribute, in reading order.

    `text[start:end]` is the passage: the clause in which the words stand. Reads at most MAX_CHARACTERS_READ characters.
    `text_words` is `words_of(text)`, where it is at hand.
    """
    text_words = text_words or words_of(text)
    words, entries = text_words.words, text_words.entries(lexicon)
    mentions: list[Mention] = []
    items: list[Item] = []
    before: tuple[str, ...] = ()
    first = skip_to = 0
    for i, word in enumerate(words):
        if i < skip_to:
            continue
        item = entries.get(i)
        is_end = item is None and word[0] in ENDS
        if item is None and not is_end:
            continue
        is_contrast = item is not None and item.meaning.role is Role.CONTRAST
        if is_end or is_contrast or i - first >= MAX_CLAUSE_WORDS:
            if items:
                before = _read_clause(_Clause(text_words, first, i, items), before, lexicon, mentions)
            first, items = i + is_end, []
        if item is not None:
            skip_to = item.end
            items.append(item)
    if items:
        _read_clause(_Clause(text_words, first, len(words), items), before, lexicon, mentions)
    return mentions


def words_of(text: str) -> Text:
    """Return the words and marks of the text; tags and invisible characters are passed over."""
    # Of all characters only this one grows when lowered, which would shift every offset behind it.
    text = text[:MAX_CHARACTERS_READ].replace("İ", "I").lower().replace("’", "'")
    if "<" in text:
        text = _TAG.sub(lambda tag: " " * len(tag.group()), text)
    visible = None
    if _INVISIBLE.search(text) is not None:
        visible = [i for i, character in enumerate(text) if not _INVISIBLE.match(character)]
        text = "".join(text[i] for i in visible)
    matches = list(_TOKEN.finditer(text))
    return Text([match.group() for match in matches], matches, visible)


def entry_at(words: list[str], i: int, lexicon: Lexicon) -> Item | None:
    """Return the longest entry that begins at a word; the word begins one at least."""
    following = words[i + 1] if i + 1 < len(words) else ""
    for entry, meaning in lexicon.entries[words[i]]:
        size = len(entry)
        if size == 1 or (entry[1] == following and (size == 2 or tuple(words[i : i + size]) == entry)):
            return Item(i, i + size, meaning)
    return None


@dataclass(frozen=True, slots=True)
class _Clause:
    """The words from `first` up to `end`, and the entries found among them."""

    text: Text
    first: int
    end: int
    items: list[Item]
    modifiers: list[Item] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.modifiers.extend(item for item in self.items if item.meaning.modifies)

    def between(self, a: Item, b: Item) -> list[str]:
        return self.text.words[a.end : b.at] if a.at < b.at else self.text.words[b.end : a.at]

    def before(self, item: Item, role: Role, reach: int) -> Item | None:
        """Return the first such entry that ends less than `reach` words before the item, with no pause between."""
        for other in self.modifiers:
            if role in (other.meaning.role, other.meaning.also) and 0 <= item.at - other.end < reach:
                between = self.text.words[other.end : item.at]
                if _PAUSES.isdisjoint(between):
                    return other
        return None

    def continues(self) -> bool:
        """Return whether the clause, after its contrast, says more of what the one before it named."""
        opening = self.items[0]
        is_contrast = opening.at == self.first and opening.meaning.role is Role.CONTRAST
        at = opening.end if is_contrast else self.first
        first, second = [*self.text.words[at : at + 2], "", ""][:2]
        if first in _CONTRACTIONS or (first in _PRONOUNS and second in _COPULAS):
            return True
        has_no_subject = first in _COPULAS or any(i.at == at and i.meaning.role in _PREDICATES for i in self.items)
        return is_contrast and has_no_subject

    def is_unsurpassed(self, negation: Item, item: Item) -> bool:
        """Return whether the negation denies a comparison: `never better`, `could not be more helpful`."""
        words = self.text.words
        compares = words[item.at] in COMPARATIVES or (item.at > self.first and words[item.at - 1] == "more")
        return words[negation.at] in UNSURPASSED and (compares or "such" in words[negation.end : item.at])

    def is_quoted(self, item: Item) -> bool:
        """Return whether the entry alone stands in quotation marks, which may mean its contrary."""
        first, last = self.text.matches[item.at], self.text.matches[item.end - 1]
        before, after = (
            first.string[max(0, first.start() - 1) : first.start()],
            last.string[last.end() : last.end() + 1],
        )
        return before in _QUOTES and after in _QUOTES and bool(before) and bool(after)

    def is_excess(self, item: Item) -> bool:
        return item.at > self.first and self.text.words[item.at - 1] == "too"

    def is_damped_after(self, item: Item) -> bool:
        return item.end < self.end and self.text.words[item.end] in AFTER_DAMPS

    def span(self) -> tuple[int, int]:
        first, last = self.first, min(self.end, max(self.first + MAX_CLAUSE_WORDS, self.items[-1].end)) - 1
        while first < self.items[0].at and not self.text.words[first][0].isalpha():
            first += 1
        while last >= self.items[-1].end and not self.text.words[last][0].isalpha():
            last -= 1
        return self.text.span(first, last)


def _read_clause(
    clause: _Clause, before: tuple[str, ...], lexicon: Lexicon, mentions: list[Mention]
) -> tuple[str, ...]:
    """Add the clause's mentions; return the attributes that a following pronoun would speak of."""
    names = [item for item in clause.items if item.meaning.role in (Role.ASPECT, Role.DECOY)]
    carries = clause.continues()
    if not any(item.meaning.role is Role.ASPECT for item in names) and not (carries and before and not names):
        return before
    neutral = [n for n in names if n.meaning.role is Role.DECOY or any(g is None for _, g in n.meaning.attributes)]
    values_by_position: dict[int, list[float]] = {}
    free: list[float] = []
    for judgement in clause.items:
        value = judgement.meaning.value and _value_in_context(judgement, judgement.meaning.value, clause, lexicon)
        if value is None:
            continue
        nearest = min(((_distance(judgement, n, clause), n.at) for n in neutral), default=(REACH + 1, 0))
        (free if nearest[0] > REACH else values_by_position.setdefault(nearest[1], [])).append(value)
    _share_over_coordination(neutral, values_by_position, clause)
    values_by_attribute: dict[str, list[float]] = {}
    plain: dict[str, list[float]] = {}
    for name in names:
        for attribute, grade in name.meaning.attributes:
            value = _value_of(name, grade, values_by_position.get(name.at, []), clause, lexicon)
            is_plain = (
                lexicon.is_degree and grade is None and name.at not in values_by_position and value == PLAIN_DEGREE
            )
            (plain if is_plain else values_by_attribute).setdefault(attribute, []).extend(
                [] if value is None else [value]
            )
    # A name without an amount says nothing of the degree beside one that has it.
    values_by_attribute.update(
        {attribute: values for attribute, values in plain.items() if not values_by_attribute.get(attribute)}
    )
    if not names and not lexicon.is_degree:
        values_by_attribute = dict.fromkeys(before, free)
    if lexicon.is_degree and values_by_attribute:
        hidden = _orientations_not_meant(clause)
        values_by_attribute = {
            attribute: values for attribute, values in values_by_attribute.items() if attribute not in hidden
        }
    start, end = clause.span()
    mentions.extend(
        Mention(attribute, fmean(values), start, end) for attribute, values in values_by_attribute.items() if values
    )
    return tuple(values_by_attribute) or before


def _orientations_not_meant(clause: _Clause) -> set[str]:
    """Return the orientations that other words of the clause show not to be meant."""
    words = set(clause.text.words[clause.first : clause.end])
    return {name for others, names in _CONTEXTS if not others.isdisjoint(words) for name in names}


def _value_of(name: Item, grade: float | None, values: list[float], clause: _Clause, lexicon: Lexicon) -> float | None:
    """Return what the clause says of a named aspect, or None if it only names it."""
    if grade is not None:
        return _value_in_context(name, grade, clause, lexicon)
    if values:
        return fmean(values)
    if lexicon.is_degree:
        return _value_in_context(name, PLAIN_DEGREE, clause, lexicon)
    return ABSENCE if clause.before(name, Role.NEGATION, 1) is not None else None


def _value_in_context(item: Item, value: float | None, clause: _Clause, lexicon: Lexicon) -> float | None:
    """Return the value after the words before it: boosts, damping, negation; None if only wished or quoted."""
    if value is None or clause.before(item, Role.UNREAL, UNREAL_REACH) is not None or clause.is_quoted(item):
        return None
    negation = clause.before(item, Role.NEGATION, NEGATION_REACH)
    if negation is not None and clause.is_unsurpassed(negation, item):
        return lexicon.high if value >= 3.0 or lexicon.is_degree else lexicon.low
    is_boosted = clause.before(item, Role.BOOST, MODIFIER_REACH) is not None
    is_damped = clause.before(item, Role.DAMP, MODIFIER_REACH) is not None
    step = is_boosted - is_damped - clause.is_damped_after(item)
    if lexicon.is_degree:
        return _negated_degree(item) if negation is not None else min(3.0, max(0.0, value + DEGREE_BOOST * step))
    if negation is not None:
        # Not excellent is 2.5 and not good 2, but not bad is 3.5 and not terrible 3: a denial lands near the middle.
        return max(2.0, value / 2) if value >= 3.0 else 2.5 + value / 2
    if value > 3.0 and clause.is_excess(item):
        return EXCESS
    away = 1 if value > 3.0 else -1 if value < 3.0 else 0
    return min(lexicon.high, max(lexicon.low, value + BOOST * step * away))


def _negated_degree(item: Item) -> float:
    return 0.5 if item.meaning.role is Role.JUDGEMENT else 0.0


def _distance(judgement: Item, name: Item, clause: _Clause) -> int:
    between = clause.between(judgement, name)
    return len(between) + 1 + COMMA_DISTANCE * sum(1 for word in between if word in _PAUSES)


def _share_over_coordination(names: list[Item], values_by_position: dict[int, list[float]], clause: _Clause) -> None:
    """Give a name without a judgement that of its neighbour, if only `and`, commas and articles lie between them."""
    for pairs in (pairwise(names), pairwise(names[::-1])):
        for source, target in pairs:
            if (
                source.at in values_by_position
                and target.at not in values_by_position
                and _JOINTS.issuperset(clause.between(source, target))
            ):
                values_by_position[target.at] = values_by_position[source.at]
