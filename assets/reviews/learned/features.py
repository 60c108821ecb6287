"""What a clause, and a subject found in it, look like to the learned weights: names with counts in tenths.

Learning and reading take features from here alone. Counts are integers, so that every processor adds them alike.
"""

from __future__ import annotations

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
    clauses = sentence.clauses
    own, near = clauses[at], clauses[max(0, at - 1) : at + 2]
    found = {f"subject {subject}": ONE}
    for phrase in _phrases([own]):
        found[f"here {phrase}"] = ONE
    for phrase in _phrases(near):
        found[f"near {phrase}"] = NEAR
    balance = own.praise - own.blame
    beside = sum(clause.praise - clause.blame for clause in near)
    whole = sum(clause.praise - clause.blame for clause in clauses)
    found["judged here"] = _within(balance, WIDE_REACH)
    found["judged here, which way"] = ONE * ((balance > 0) - (balance < 0))
    found["judged near"] = _within(beside, WIDE_REACH)
    found["judged anywhere"] = _within(whole, WIDE_REACH)
    found["strength here"] = min(WIDE_REACH, own.praise + own.blame)
    found["strength near"] = min(WIDE_REACH, sum(clause.praise + clause.blame for clause in near))
    if rule_value is not None:
        found["rules judge"] = ONE
        found["rules' grade"] = 2 * _within(round((rule_value - 3) * 10), RULE_REACH)
    return {name: count for name, count in found.items() if count}


def _phrases(clauses: list[Clause]) -> list[str]:
    """Return the words and pairs of neighbours of the clauses, each once, in order."""
    words = [word for clause in clauses for word in clause.words]
    return list(dict.fromkeys([*words, *(f"{a} {b}" for a, b in zip(words, words[1:], strict=False))]))


def _within(value: int, reach: int) -> int:
    return max(-reach, min(reach, value))
