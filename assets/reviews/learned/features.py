"""What a clause, and a subject found in it, look like to the learned weights: names with counts in tenths.

Learning and reading take features from here alone. Counts are integers, so that every processor adds them alike.
"""

from __future__ import annotations

from itertools import pairwise

from assets.reviews.learned.scan import Clause, Sentence

ONE = 10
"""A feature that is there, in tenths."""
NEAR = 7
"""A word of the clause or of one beside it, which says less than one of the clause itself."""
CHARACTERS = (3, 4, 5)
"""Lengths of the pieces of a word that carry weights of their own, so that unseen forms of a word are known."""
PIECE = 2
KNOWN = 40
"""What the word lists know counts as much as several words."""
RULE_REACH = 10
"""A grade of the rules counts as at most one grade from the middle."""
WIDE_REACH = 20


def word_pieces(word: str) -> list[str]:
    """Return the pieces of a word between blanks, each once, in order."""
    padded = f" {word} "
    found = (padded[i : i + n] for n in CHARACTERS for i in range(len(padded) - n + 1))
    return list(dict.fromkeys(found))


def finding_features(clause: Clause) -> dict[str, int]:
    """Return what tells which subjects a clause speaks of: words, pieces of words, what the word lists name."""
    found: dict[str, int] = {}
    for word in dict.fromkeys(clause.words):
        found[f"word {word}"] = ONE
        for piece in word_pieces(word):
            found[f"piece {piece}"] = found.get(f"piece {piece}", 0) + PIECE
    for name in sorted(clause.named):
        found[f"known {name}"] = KNOWN
    return found


def judging_features(sentence: Sentence, at: int, subject: str, rule_value: float | None) -> dict[str, int]:
    """Return what tells how a clause judges a subject: its words, those beside it, and what the rules read.

    `rule_value` is the grade that the rules give the subject in this sentence, None if they give none.
    """
    own, near = clauses_around(sentence, at)
    found = {f"here {phrase}": ONE for phrase in phrases([own])}
    found |= {f"near {phrase}": NEAR for phrase in phrases(near)}
    return found | judging_counts(sentence, at, subject, rule_value)


def clauses_around(sentence: Sentence, at: int) -> tuple[Clause, list[Clause]]:
    """Return a clause, and it with those right beside it."""
    return sentence.clauses[at], sentence.clauses[max(0, at - 1) : at + 2]


def phrases(clauses: list[Clause]) -> list[str]:
    """Return the words and pairs of neighbours of the clauses, each once, in order."""
    words = clauses[0].words if len(clauses) == 1 else [word for clause in clauses for word in clause.words]
    return list(dict.fromkeys([*words, *map(" ".join, pairwise(words))]))


def judging_counts(sentence: Sentence, at: int, subject: str, rule_value: float | None) -> dict[str, int]:
    """Return the features of judging that are no words."""
    own, near = clauses_around(sentence, at)
    balance = own.praise - own.blame
    found = {
        f"subject {subject}": ONE,
        "judged here": _within(balance, WIDE_REACH),
        "judged here, which way": ONE * ((balance > 0) - (balance < 0)),
        "judged near": _within(sum([clause.praise - clause.blame for clause in near]), WIDE_REACH),
        "judged anywhere": _within(sum([clause.praise - clause.blame for clause in sentence.clauses]), WIDE_REACH),
        "strength here": min(WIDE_REACH, own.praise + own.blame),
        "strength near": min(WIDE_REACH, sum([clause.praise + clause.blame for clause in near])),
    }
    if rule_value is not None:
        found["rules judge"] = ONE
        found["rules' grade"] = 2 * _within(round((rule_value - 3) * 10), RULE_REACH)
    return found


def _within(value: int, reach: int) -> int:
    return max(-reach, min(reach, value))
