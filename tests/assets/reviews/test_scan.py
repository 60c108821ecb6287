"""A text as clauses: where one ends and the next begins, and which of its words are looked at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.reviews.learned.features import clause_counts
from assets.reviews.learned.reader import NAMED_ALONE, find
from assets.reviews.learned.scan import sentences
from assets.reviews.learned.weights import ANY_FEATURE, BITS, SCALE, Weights, packed, unpacked
from assets.reviews.lexicon import lexicon
from schemas.reviews import SUBJECTS

LEXICON = lexicon("restaurant")


def clauses(text: str) -> list[list[str]]:
    """Return the words of each clause, sentence after sentence."""
    return [[" ".join(clause.words) for clause in one.clauses] for one in sentences(text, LEXICON)[1]]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The soup was cold: the waiter was kind.", ["the soup was cold", "the waiter was kind"]),
        ("The soup was cold – the waiter was kind.", ["the soup was cold", "the waiter was kind"]),
        ("The soup (a cold one) was late.", ["the soup", "a cold one", "was late"]),
        ("Soup: it was cold.", ["soup it was cold"]),
        ("The soup was cold, and the waiter was kind.", ["the soup was cold", "and the waiter was kind"]),
        ("The soup, the bread, the wine.", ["the soup the bread the wine"]),
        ("It cost $ 9 but we paid.", ["it cost $", "but we paid"]),
        ("(The soup was cold)", ["the soup was cold"]),
    ],
)
def test_a_clause_ends_at_a_colon_a_bracket_a_dash_and_a_contrast(text, parts):
    assert clauses(text) == [parts]


def test_a_sentence_ends_at_its_mark_and_one_without_words_is_none():
    assert clauses("Cold soup... Kind waiter! ?!") == [["cold soup"], ["kind waiter"]]


def test_words_of_an_idle_phrase_are_not_looked_at_unless_nothing_else_is_there():
    assert clauses("We will check out the soup.") == [["we will the soup"]]
    assert clauses("Check it out!") == [["check it out"]]


integers = st.integers(-(1 << (BITS - 3)), 1 << (BITS - 3))


@given(st.lists(st.tuples(integers, integers, integers, integers), min_size=2, max_size=2))
def test_a_sum_of_packed_integers_is_the_sum_of_each(fours):
    first, second = fours
    assert unpacked(packed(first) + packed(second), 4) == tuple(a + b for a, b in zip(first, second, strict=True))
    assert unpacked(packed(first[:2]) - packed(second[:2]), 2) == (first[0] - second[0], first[1] - second[1])


def against(logit: float) -> Weights:
    """Return weights by which every clause speaks of each subject with these logits."""
    return Weights.of({"model": name, "feature": ANY_FEATURE, "weight": round(logit * SCALE)} for name in SUBJECTS)


@pytest.mark.parametrize(
    ("text", "logit", "subjects"),
    [
        ("The patio looks onto a car park.", NAMED_ALONE + 0.1, ["room"]),
        ("The patio looks onto a car park.", NAMED_ALONE - 0.1, []),
        ("The patio and the waiter face a car park.", NAMED_ALONE + 0.1, []),
        ("We came on Monday.", NAMED_ALONE + 0.1, []),
        (f"The patio looks onto a car park{' and another' * 6}.", NAMED_ALONE + 0.1, []),
    ],
)
def test_a_short_sentence_speaks_of_the_one_subject_it_names(text, logit, subjects):
    assert [finding.subject for finding in find(text, against(logit), LEXICON)] == subjects


def test_what_stands_alone_counts_as_near_and_anywhere():
    (alone,), (pair,) = (sentences(text, LEXICON)[1] for text in ("Excellent soup.", "Excellent soup, but rude staff."))
    assert clause_counts(alone, 0) == {
        "judged here": 20,
        "judged here, which way": 10,
        "judged near": 20,
        "judged anywhere": 20,
        "strength here": 20,
        "strength near": 20,
    }
    rude = pair.clauses[1].blame
    assert {name: count for name, count in clause_counts(pair, 0).items() if count} == {
        "judged here": 20,
        "judged here, which way": 10,
        "judged near": 20 - rude,
        "judged anywhere": 20 - rude,
        "judged after": -rude,
        "judged across a contrast": -rude,
        "strength here": 20,
        "strength near": 20,
    }
