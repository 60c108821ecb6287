"""What a clause, and a subject found in it, look like to the learned weights: names with counts in tenths.

Learning and reading take features from here alone. Counts are integers, so that every processor adds them alike.
"""

from __future__ import annotations

from itertools import pairwise

from assets.reviews.learned.scan import CONTRASTING, Clause, Sentence

ONE = 10
"""A feature that is there, in tenths."""
NEAR = 7
"""A word of the clause or of one beside it, which says less than one of the clause itself."""
CHARACTERS = (3, 4, 5)
"""Lengths of the pieces of a word that carry weights of their own, so that unseen forms of a word are known."""
LEAST_JUDGING_PIECE = 4
PIECE = 2
KNOWN = 40
"""What the word lists know counts as much as several words."""
RULE_REACH = 10
"""A grade of the rules counts as at most one grade from the middle."""
WIDE_REACH = 20


def word_pieces(word: str) -> list[str]:
    """Return the pieces of a word between blanks, each once, in order."""
    padded = f" {word} "
    pieces = (padded[i : i + n] for n in CHARACTERS for i in range(len(padded) - n + 1))
    return list(dict.fromkeys(pieces))


def long_pieces(word: str) -> list[str]:
    """Return the pieces of a word that tell how it judges; the shortest only tell what it speaks of."""
    return [piece for piece in word_pieces(word) if len(piece) >= LEAST_JUDGING_PIECE]


def finding_features(clause: Clause) -> dict[str, int]:
    """Return what tells which subjects a clause speaks of: words, pieces of words, what the word lists name."""
    features: dict[str, int] = {}
    for word in dict.fromkeys(clause.words):
        features[f"word {word}"] = ONE
        for piece in word_pieces(word):
            features[f"piece {piece}"] = features.get(f"piece {piece}", 0) + PIECE
    for name in sorted(clause.listed_names):
        features[f"known {name}"] = KNOWN
    return features


def judging_features(sentence: Sentence, at: int, subject: str, rule_value: float | None) -> dict[str, int]:
    """Return what tells how a clause judges a subject: its words, those beside it, and what the rules read.

    `rule_value` is the grade that the rules give the subject in this sentence, None if they give none.
    """
    own_clause, near = clauses_around(sentence, at)
    features = {f"here {phrase}": ONE for phrase in phrases(own_clause)}
    for clause in near:
        for phrase in phrases(clause):
            features[f"near {phrase}"] = features.get(f"near {phrase}", 0) + NEAR
    for word in dict.fromkeys(own_clause.words):
        for piece in long_pieces(word):
            features[f"piece {piece}"] = features.get(f"piece {piece}", 0) + PIECE
    return features | judging_counts(sentence, at, subject, rule_value)


def clauses_around(sentence: Sentence, at: int) -> tuple[Clause, list[Clause]]:
    """Return a clause, and it with those right beside it."""
    return sentence.clauses[at], sentence.clauses[max(0, at - 1) : at + 2]


def phrases(clause: Clause) -> list[str]:
    """Return the words and pairs of neighbours of a clause, each once, in order."""
    return list(dict.fromkeys([*clause.words, *map(" ".join, pairwise(clause.words))]))


def judging_counts(sentence: Sentence, at: int, subject: str, rule_value: float | None) -> dict[str, int]:
    """Return the features of judging that are no words."""
    return subject_counts(subject, rule_value) | clause_counts(sentence, at)


def subject_counts(subject: str, rule_value: float | None) -> dict[str, int]:
    """Return those that tell which subject is judged and what the rules read of it."""
    counts = {f"subject {subject}": ONE}
    if rule_value is not None:
        counts["rules judge"] = ONE
        counts["rules' grade"] = 2 * _within(round((rule_value - 3) * 10), RULE_REACH)
    return counts


def clause_counts(sentence: Sentence, at: int) -> dict[str, int]:
    """Return those that tell how the clause and those around it judge, whatever the subject."""
    clauses = sentence.clauses
    if len(clauses) == 1:
        return _counts_alone(clauses[0])
    own_clause, near = clauses_around(sentence, at)
    balances = [clause.balance for clause in clauses]
    balance, before, after = balances[at], sum(balances[:at]), sum(balances[at + 1 :])
    return {
        "judged here": _within(balance, WIDE_REACH),
        "judged here, which way": ONE * ((balance > 0) - (balance < 0)),
        "judged near": _within(sum(balances[max(0, at - 1) : at + 2]), WIDE_REACH),
        "judged anywhere": _within(before + balance + after, WIDE_REACH),
        "judged before": _within(before, WIDE_REACH),
        "judged after": _within(after, WIDE_REACH),
        "judged across a contrast": _within(_across(sentence, at), WIDE_REACH),
        "strength here": min(WIDE_REACH, own_clause.praise + own_clause.blame),
        "strength near": min(WIDE_REACH, sum([clause.praise + clause.blame for clause in near])),
    }


def _counts_alone(clause: Clause) -> dict[str, int]:
    """Return the same of a clause that is its sentence."""
    balance, strength = clause.balance, min(WIDE_REACH, clause.praise + clause.blame)
    if not strength:
        return {}
    within = _within(balance, WIDE_REACH)
    return {
        "judged here": within,
        "judged here, which way": ONE * ((balance > 0) - (balance < 0)),
        "judged near": within,
        "judged anywhere": within,
        "strength here": strength,
        "strength near": strength,
    }


def _across(sentence: Sentence, at: int) -> int:
    """Return the balance of the clauses beside one that a word such as `but` sets against it."""
    clauses = sentence.clauses
    opens = clauses[at].words[0] in CONTRASTING
    across = clauses[at - 1].balance if at and opens else 0
    if at + 1 < len(clauses) and (opens or clauses[at + 1].words[0] in CONTRASTING):
        across += clauses[at + 1].balance
    return across


def _within(value: int, reach: int) -> int:
    return max(-reach, min(reach, value))
