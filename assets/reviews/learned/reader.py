"""Reading a restaurant's review by learned weights and rules together: the rules know, the learned part finds.

A subject that the weights find in a sentence is read from the clause that speaks of it most. What the rules read in a
sentence stands where the weights do not speak against it. The text is untrusted: it is looked up, bounded as for rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import gt
from typing import NamedTuple

from assets.reviews.learned.scan import SUBJECT_OF, Sentence, sentences
from assets.reviews.learned.weights import SCALE, Weights
from assets.reviews.lexicon import Lexicon
from assets.reviews.reading import Mention, Text, read_review
from assets.reviews.words import AT_TABLE, ELSEWHERE
from schemas.reviews import SUBJECTS

FOUND = {"food": -0.5, "service": -0.5, "room": -0.75, "value": -1.5}
"""Logits from which the weights find a subject: for a good F1 of each on sentences held out of `train` and `val`."""
FOUND_UNNAMED = {"food": 0.5, "service": 0.25, "room": -0.75, "value": -1.25}
"""The same where the word lists name nothing of the subject, which ordinary sentences without it show to be needed."""
SPOKEN_AGAINST = {"food": -1.25, "service": -2.5, "room": -0.75, "value": -2.5}
"""Logits under which a sentence that speaks of another subject does not speak of this one, whatever the rules read."""
UNHEARD = {"food": -4.5, "service": -4.5, "room": -3.0, "value": -4.0}
"""The same of a long sentence that speaks of no subject; in a short one the weights may know no word."""
SHORT_WORDS = 15
NAMED_ALONE = -4.5
"""Logits from which a short sentence speaks of the one subject that the word lists name in it, if of no other: few of
the labelled sentences are short, and the word lists know more rooms and prices than these speak of."""
LEAST_UNKNOWN, UNKNOWN_SHARE = 2, 1 / 7
"""How many words of a text, and which share of its different words, neither the weights nor the word lists know for it
to be of another kind than the labelled sentences: 13 in 100 of MAMS's `val` sentences, held out, have as many, and of a
guide page's sentences on other matters than eating 89 in 100. What is found but food is then found in error, unless the
text surely speaks of food, names something at table or tells of a visit."""
TELLING = frozenset(
    ("i", "i'd", "i'll", "i'm", "i've", "me", "my", "our", "us", "we", "we'd", "we'll", "we're", "we've")
)
_ELSEWHERE, _AT_TABLE = frozenset(ELSEWHERE.replace(",", "").split()), frozenset(AT_TABLE.replace(",", "").split())
_FLOORS = {subject: (FOUND_UNNAMED[subject], FOUND[subject]) for subject in SUBJECTS}
_SUBJECT_NAMED = {f"{subject}:{how}": subject for subject in SUBJECTS for how in ("named", "graded")}
JUDGED, DECIDED = 0.0, 1.5
"""Logits from which a subject is judged and not only mentioned, and from which it shows which way.

With less, and with the labelled sentences' prior, service was judged worse in the invented world than by rules alone.
"""
CERTAIN = 0.7
"""Logits of the sign from which the weights outweigh a grade that the rules read."""
CITED_FOUND, CITED_JUDGED, CITED_SIGN = 3.0, 1.0, 3.0
"""Logits from which a passage is sure enough to be cited: that it speaks of the subject, that its words judge it, read
without the rules, and which way. Of passages that pass, 94 in 100 agree with labels held out of `train` and `val`."""
UNCITED = frozenset(
    ("than", "despite", "elsewhere", "another", "other", "others", "better", "if", "sounded", "supposed")
)
"""Words of comparisons, conditions and expectations, in which something else may be judged."""
PRAISE, BLAME = 4.3, 1.8
"""Grades of a judgement that only the weights read: the middles of the word lists' good and bad grades."""
MIDDLE = 3.0


class Finding(NamedTuple):
    """One subject in one sentence: where, how surely in logits, its grade if it is judged, and the rules' passages.

    `sign` is the best guess of which way a subject is judged, be it judged or not; `is_sure` whether the judgement is
    clear enough in `start` to `end` to be cited.
    """

    subject: str
    start: int
    end: int
    logit: float
    value: float | None
    sign: int
    mentions: tuple[Mention, ...]
    is_sure: bool


def rule_grades(
    text_words: Text, text_sentences: Sequence[Sentence], mentions: Sequence[Mention]
) -> list[dict[str, float]]:
    """Return the rules' mean grade of each subject, sentence by sentence."""
    grades = []
    for sentence_mentions in _by_sentence(text_words, text_sentences, mentions):
        values: dict[str, list[float]] = {}
        for mention in sentence_mentions:
            values.setdefault(SUBJECT_OF[mention.attribute], []).append(mention.value)
        grades.append(
            {subject: sum(mention_values) / len(mention_values) for subject, mention_values in values.items()}
        )
    return grades


def find(text: str, weights: Weights, lexicon: Lexicon) -> list[Finding]:
    """Return every subject that each sentence of the text speaks of, judged or only mentioned, in reading order."""
    text_words, text_sentences = sentences(text, lexicon)
    mentions = read_review(text, lexicon, text_words)
    findings: list[Finding] = []
    for sentence, sentence_mentions in zip(
        text_sentences, _by_sentence(text_words, text_sentences, mentions), strict=True
    ):
        findings += _find(text_words, sentence, sentence_mentions, weights)
    food = [finding for finding in findings if finding.subject == "food"]
    if len(food) == len(findings) or any(finding.logit > CITED_FOUND for finding in food):
        return findings
    return food if _is_of_another_kind(text_sentences, weights, lexicon) else findings


def read_learned(text: str, weights: Weights, lexicon: Lexicon) -> list[Mention]:
    """Return the passages of the review that judge an attribute, in reading order."""
    mentions = []
    for finding in find(text, weights, lexicon):
        if finding.value is None:
            continue
        if not finding.mentions:
            attribute = SUBJECTS[finding.subject][0]
            mentions.append(Mention(attribute, finding.value, finding.start, finding.end, finding.is_sure))
        for attribute, value, start, end, _ in finding.mentions:
            is_cited = finding.is_sure and start < finding.end and finding.start < end and _way(value) == finding.sign
            mentions.append(Mention(attribute, value, start, end, is_cited))
    return mentions


def _find(text_words: Text, sentence: Sentence, mentions: list[Mention], weights: Weights) -> list[Finding]:
    clauses = sentence.clauses
    scores = [weights.scores(clause) for clause in clauses]
    most = scores[0] if len(scores) == 1 else [max(column) for column in zip(*scores, strict=True)]
    named_subjects = {_SUBJECT_NAMED[name] for clause in clauses for name in clause.listed_names}
    logits = [score / SCALE for score in most]
    least = [_FLOORS[subject][subject in named_subjects] for subject in SUBJECTS]
    is_spoken_of = any(map(gt, logits, least))
    if not is_spoken_of and not named_subjects and not mentions:
        return []
    is_short = sum([len(clause.words) for clause in clauses]) <= SHORT_WORDS
    findings = []
    for n, subject in enumerate(SUBJECTS):
        subject_mentions = (
            tuple([mention for mention in mentions if SUBJECT_OF[mention[0]] == subject]) if mentions else ()
        )
        is_found = logits[n] > (SPOKEN_AGAINST[subject] if subject_mentions else least[n])
        if not is_found and not is_spoken_of:
            is_found = bool(subject_mentions) and (is_short or logits[n] > UNHEARD[subject])
            is_found = is_found or (is_short and named_subjects == {subject} and logits[n] > NAMED_ALONE)
        if is_found:
            at = 0 if len(scores) == 1 else [score[n] for score in scores].index(most[n])
            findings.append(_judge(text_words, sentence, subject, at, logits[n], subject_mentions, weights))
    if findings and findings[0].subject != "food" and _is_elsewhere(sentence):
        return []
    return findings


def _is_elsewhere(sentence: Sentence) -> bool:
    """Return whether a sentence speaks of sport, transport or the like and of nothing at table."""
    words = {word for clause in sentence.clauses for word in clause.words}
    return not _ELSEWHERE.isdisjoint(words) and _AT_TABLE.isdisjoint(words)


def _is_of_another_kind(text_sentences: Sequence[Sentence], weights: Weights, lexicon: Lexicon) -> bool:
    """Return whether many words of a text are unknown, and none shows a table or a visit."""
    words = {word for sentence in text_sentences for clause in sentence.clauses for word in clause.words}
    if not (_AT_TABLE.isdisjoint(words) and TELLING.isdisjoint(words)):
        return False
    unknown = sum(not weights.knows(word) for word in words - lexicon.naming)
    return unknown >= LEAST_UNKNOWN and unknown > UNKNOWN_SHARE * len(words)


def _judge(
    text_words: Text,
    sentence: Sentence,
    subject: str,
    at: int,
    logit: float,
    subject_mentions: tuple[Mention, ...],
    weights: Weights,
) -> Finding:
    rules = sum([mention.value for mention in subject_mentions]) / len(subject_mentions) if subject_mentions else None
    judged, sign = weights.judgement(sentence, at, subject, rules)
    judged, sign = judged / SCALE, sign / SCALE
    value: float | None = None
    cited_mentions = subject_mentions
    if rules is not None and (rules == MIDDLE or (rules > MIDDLE) == (sign > 0) or abs(sign) < CERTAIN):
        value = rules
    elif judged > JUDGED and abs(sign) > DECIDED:
        value, cited_mentions = (PRAISE if sign > 0 else BLAME), ()
    start, end = text_words.span(sentence.clauses[at].first, sentence.clauses[at].last)
    if value is not None and rules is not None and cited_mentions:
        way = _way(value)
    else:
        way = 1 if (sign if value is not None else sign + weights.prior[subject] / SCALE) > 0 else -1
    is_agreed = value is not None and (rules is None or _way(rules) == way)
    is_sure = is_agreed and logit > CITED_FOUND and sign * way > CITED_SIGN
    is_sure = is_sure and _is_clear(sentence, subject, at, weights)
    return Finding(subject, start, end, logit, value, way, cited_mentions, is_sure)


def _is_clear(sentence: Sentence, subject: str, at: int, weights: Weights) -> bool:
    """Return whether a clause names the subject and judges it by its words alone, and compares it with nothing."""
    clause = sentence.clauses[at]
    if not UNCITED.isdisjoint(clause.words) or not any(name.startswith(f"{subject}:") for name in clause.listed_names):
        return False
    return weights.judgement(sentence, at, subject, None)[0] > CITED_JUDGED * SCALE


def _way(value: float) -> int:
    """Return 1 of a grade above the middle, -1 of one below, 0 of the middle."""
    return (value > MIDDLE) - (value < MIDDLE)


def _by_sentence(
    text_words: Text, text_sentences: Sequence[Sentence], mentions: Sequence[Mention]
) -> list[list[Mention]]:
    """Return each sentence's mentions: those that begin before the next sentence does."""
    ends = [text_words.span(sentence.first, sentence.first)[0] for sentence in text_sentences[1:]] + [1 << 62]
    grouped: list[list[Mention]] = [[] for _ in text_sentences]
    at = 0
    for mention in sorted(mentions, key=lambda m: (m.start, m.end)):
        while at < len(ends) - 1 and mention.start >= ends[at]:
            at += 1
        if grouped:
            grouped[at].append(mention)
    return grouped
