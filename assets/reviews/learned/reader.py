"""Reading a restaurant's review by learned weights and rules together: the rules know, the learned part finds.

A subject that the weights find in a sentence is read from the clause that speaks of it most. What the rules read in a
sentence stands where the weights do not speak against it. The text is untrusted: it is looked up, bounded as for rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assets.reviews.learned.scan import SUBJECT_OF, Sentence, sentences
from assets.reviews.learned.weights import SCALE, Weights
from assets.reviews.lexicon import Lexicon
from assets.reviews.reading import Mention, Text, read_review
from schemas.reviews import SUBJECTS

FOUND = {"food": -0.4, "service": -0.5, "room": -0.8, "value": -0.5}
"""Logits from which the weights find a subject; chosen on the `val` sentences for the best F1 of each."""
FOUND_UNNAMED = {"food": 1.0, "service": 0.3, "room": -0.8, "value": 0.6}
"""The same where the word lists name nothing of the subject, which ordinary sentences without it show to be needed."""
SPOKEN_AGAINST = {"food": -2.0, "service": -2.0, "room": -0.8, "value": -1.0}
"""Logits under which a sentence that speaks of another subject does not speak of this one, whatever the rules read."""
JUDGED, DECIDED = 0.0, 1.5
"""Logits from which a subject is judged and not only mentioned, and from which it shows which way.

With less, and with the labelled sentences' prior, service was judged worse in the invented world than by rules alone.
"""
CERTAIN = 0.7
"""Logits of the sign from which the weights outweigh a grade that the rules read."""
PRAISE, BLAME = 4.3, 1.8
"""Grades of a judgement that only the weights read: the middles of the word lists' good and bad grades."""
MIDDLE = 3.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One subject in one sentence: where, how surely in logits, its grade if it is judged, and the rules' passages.

    `sign` is the best guess of which way a subject is judged, be it judged or not.
    """

    subject: str
    start: int
    end: int
    logit: float
    value: float | None
    sign: int
    mentions: tuple[Mention, ...]


def rule_grades(read: Text, found: Sequence[Sentence], mentions: Sequence[Mention]) -> list[dict[str, float]]:
    """Return the rules' mean grade of each subject, sentence by sentence."""
    grades = []
    for mine in _by_sentence(read, found, mentions):
        values: dict[str, list[float]] = {}
        for mention in mine:
            values.setdefault(SUBJECT_OF[mention.attribute], []).append(mention.value)
        grades.append({subject: sum(given) / len(given) for subject, given in values.items()})
    return grades


def find(text: str, weights: Weights, lexicon: Lexicon) -> list[Finding]:
    """Return every subject that each sentence of the text speaks of, judged or only mentioned, in reading order."""
    read, found = sentences(text, lexicon)
    mentions = read_review(text, lexicon, read)
    findings: list[Finding] = []
    for sentence, mine in zip(found, _by_sentence(read, found, mentions), strict=True):
        findings += _find(read, sentence, mine, weights)
    return findings


def read_learned(text: str, weights: Weights, lexicon: Lexicon) -> list[Mention]:
    """Return the passages of the review that judge an attribute, in reading order."""
    mentions = []
    for finding in find(text, weights, lexicon):
        if finding.value is None:
            continue
        if finding.mentions:
            mentions += finding.mentions
        else:
            mentions.append(Mention(SUBJECTS[finding.subject][0], finding.value, finding.start, finding.end))
    return mentions


def _find(read: Text, sentence: Sentence, mentions: list[Mention], weights: Weights) -> list[Finding]:
    scores = [weights.scores(clause) for clause in sentence.clauses]
    columns = dict(zip(SUBJECTS, zip(*scores, strict=True), strict=True))
    most = {subject: max(column) for subject, column in columns.items()}
    logits = {subject: score / SCALE for subject, score in most.items()}
    named = {name.partition(":")[0] for clause in sentence.clauses for name in clause.named}
    least = {subject: (FOUND if subject in named else FOUND_UNNAMED)[subject] for subject in SUBJECTS}
    is_spoken_of = any(logits[subject] > least[subject] for subject in SUBJECTS)
    findings = []
    for subject in SUBJECTS:
        mine = tuple(mention for mention in mentions if SUBJECT_OF[mention.attribute] == subject)
        floor = SPOKEN_AGAINST[subject] if mine else least[subject]
        is_found = logits[subject] > floor or (bool(mine) and not is_spoken_of)
        if is_found:
            at = columns[subject].index(most[subject])
            findings.append(_judge(read, sentence, subject, at, logits[subject], mine, weights))
    return findings


def _judge(
    read: Text, sentence: Sentence, subject: str, at: int, logit: float, mine: tuple[Mention, ...], weights: Weights
) -> Finding:
    rules = sum(mention.value for mention in mine) / len(mine) if mine else None
    judged, sign = (total / SCALE for total in weights.judgement(sentence, at, subject, rules))
    value: float | None = None
    kept = mine
    if rules is not None and (rules == MIDDLE or (rules > MIDDLE) == (sign > 0) or abs(sign) < CERTAIN):
        value = rules
    elif judged > JUDGED and abs(sign) > DECIDED:
        value, kept = (PRAISE if sign > 0 else BLAME), ()
    start, end = read.span(sentence.clauses[at].first, sentence.clauses[at].last)
    if value is not None and rules is not None and kept:
        way = (value > MIDDLE) - (value < MIDDLE)
    else:
        way = 1 if (sign if value is not None else sign + weights.prior[subject] / SCALE) > 0 else -1
    return Finding(subject, start, end, logit, value, way, kept)


def _by_sentence(read: Text, found: Sequence[Sentence], mentions: Sequence[Mention]) -> list[list[Mention]]:
    """Return each sentence's mentions: those that begin before the next sentence does."""
    ends = [read.span(sentence.first, sentence.first)[0] for sentence in found[1:]] + [1 << 62]
    grouped: list[list[Mention]] = [[] for _ in found]
    at = 0
    for mention in sorted(mentions, key=lambda m: (m.start, m.end)):
        while at < len(ends) - 1 and mention.start >= ends[at]:
            at += 1
        if grouped:
            grouped[at].append(mention)
    return grouped
