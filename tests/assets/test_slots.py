"""Slots of retired tasks stay empty, and nobody's id changes for that."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assets.core.slots import slot_numbers


@given(wanted=st.integers(0, 40), retired=st.sets(st.integers(0, 80)))
def test_every_other_task_keeps_its_slot_and_the_set_its_size(wanted, retired):
    numbers = slot_numbers(wanted, str, {str(number) for number in retired})
    assert len(numbers) == len(set(numbers)) == wanted
    assert not set(numbers) & retired
    assert all(numbers[n] == n for n in range(wanted) if n not in retired)
    assert all(number >= wanted for n, number in enumerate(numbers) if n != number)
