"""What a reader overlooks is made up for, and few votes say that they are few."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.reviews.leaning import EVEN, Recall, half_width, recalls, trimmed_mean

votes = st.lists(st.sampled_from([1.0, 1.8, 2.3, 3.0, 3.6, 4.3, 5.0]), min_size=1, max_size=30)


@given(votes)
def test_an_even_reader_is_not_corrected(values):
    left_out = int(len(values) * 0.25)
    middle = sorted(values)[left_out : len(values) - left_out]
    assert trimmed_mean(values, EVEN, 0.25) == math.fsum(middle) / len(middle)


@given(votes)
def test_complaints_overlooked_count_for_those_that_were_read(values):
    half = Recall(praise=0.8, complaint=0.4)
    assert min(values) - 1e-9 <= trimmed_mean(values, half, 0.25) <= max(values) + 1e-9
    # The slow way: twice as many voices for each complaint as for each word of praise, one and a half for neither.
    copies = {True: 4, False: 2}
    voices = sorted(v for v in values for _ in range(100 * (3 if v == 3 else copies[v < 3])))
    cut = len(voices) // 4 if int(len(values) * 0.25) else 0
    middle = voices[cut : len(voices) - cut]
    assert trimmed_mean(values, half, 0.25) == pytest.approx(math.fsum(middle) / len(middle), abs=0.02)


def test_a_reader_that_overlooks_complaints_rates_lower_than_it_hears():
    heard = [5.0, 5.0, 4.3, 1.0]
    assert trimmed_mean(heard, Recall(0.9, 0.5), 0) < trimmed_mean(heard, EVEN, 0)


def test_the_interval_narrows_with_the_votes_and_is_wide_for_one():
    widths = [half_width([4.0, 2.0] * n, EVEN) for n in (1, 5, 50)]
    assert widths == sorted(widths, reverse=True) and widths[-1] < 0.2
    assert half_width([5.0], EVEN) > 1


@given(votes, votes)
def test_the_interval_holds_whatever_the_order(values, more):
    assert half_width(values + more, EVEN) == pytest.approx(half_width(more + values, EVEN))


def test_recall_is_what_was_judged_of_what_was_labelled():
    rows = [
        {"reader": "rules", "subject": "food", "polarity": "positive", "sentences": 8, "judged": 8},
        {"reader": "rules", "subject": "food", "polarity": "negative", "sentences": 8, "judged": 4},
        {"reader": "learned", "subject": "food", "polarity": "negative", "sentences": 8, "judged": 0},
    ]
    assert recalls(rows, "rules") == dict.fromkeys(("flavor", "freshness"), Recall(0.9, 0.5))
    assert recalls(rows, "learned") == {} and recalls([], "rules") == {}
