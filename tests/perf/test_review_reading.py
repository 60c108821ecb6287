"""The measures of a reader of reviews, worked out by hand: what it finds, which way it judges, what it leans to."""

from __future__ import annotations

import re

import pytest

from perf import review_reading
from perf.review_reading import UNSURE, leaning, table

TRUTHS = [{"food": "positive"}, {"food": "negative", "service": "positive"}, {"service": "negative"}, {}]
READINGS = [{"food": 1.0}, {"food": 2.0}, {"service": -UNSURE}, {"value": 1.0}]


def test_what_is_found_and_judged_is_counted_by_subject_and_over_all(capsys, monkeypatch):
    monkeypatch.setattr(review_reading, "SAMPLES", 40)
    table(TRUTHS, READINGS)
    lines = [re.sub(r" +", " ", line).strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[:5] == [
        "food precision 1.000 recall 1.000 F1 1.000 right by sign 0.500 of 2, of the judged 0.500 of 2 sentences 2",
        "service precision 1.000 recall 0.500 F1 0.667 right by sign 1.000 of 1, of the judged none sentences 2",
        "room precision 0.000 recall 0.000 F1 0.000 right by sign none , of the judged none sentences 0",
        "value precision 0.000 recall 0.000 F1 0.000 right by sign none , of the judged none sentences 0",
        "all precision 0.750 recall 0.750 F1 0.750 right by sign 0.667 of 3, of the judged 0.500 of 2",
    ]
    assert [line.partition(" (")[0] for line in lines[5:]] == [
        "recall of praise less that of complaints, over all: -0.500",
        "recall of praise less that of complaints, mean of the subjects: -0.500",
    ]


@pytest.mark.parametrize("lean", [review_reading._lean, review_reading._mean_lean])
def test_the_interval_of_a_leaning_holds_it_and_lies_in_what_is_possible(monkeypatch, lean):
    monkeypatch.setattr(review_reading, "SAMPLES", 200)
    low, middle, high = leaning(TRUTHS, READINGS, lean)
    assert -1 <= low <= middle <= high <= 1
    assert low < high
