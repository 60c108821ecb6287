"""Amounts in words: of one of a thing as of one, and money of any currency in figures."""

from __future__ import annotations

import pytest

from schemas.counts import counted, in_figures
from schemas.page import fact


@pytest.mark.parametrize(
    ("number", "told"), [(16732, "16,732"), (749.5, "749.5"), (1_250_000.0, "1,250,000"), (1234567.25, "1,234,567.25")]
)
def test_an_amount_is_told_in_figures_and_not_by_powers_of_ten(number, told):
    assert in_figures(number) == told
    assert fact("Price", number, "IDR a night") == (("Price", f"{told} IDR a night"),)


def test_one_of_a_thing_is_told_as_one():
    assert [counted(number, "service") for number in (0, 1, 1200)] == ["0 services", "1 service", "1,200 services"]
