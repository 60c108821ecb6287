"""Slots of retired tasks stay empty, and nobody's id changes for that."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assets.core.slots import area_of, slot_numbers, slots_of
from assets.family import Series


@given(wanted=st.integers(0, 40), retired=st.sets(st.integers(0, 80)))
def test_every_other_task_keeps_its_slot_and_the_set_its_size(wanted, retired):
    numbers = slot_numbers(wanted, str, {str(number) for number in retired})
    assert len(numbers) == len(set(numbers)) == wanted
    assert not set(numbers) & retired
    assert all(numbers[n] == n for n in range(wanted) if n not in retired)
    assert all(number >= wanted for n, number in enumerate(numbers) if n != number)


CITY_IDS = st.lists(
    st.sampled_from(("us-in-a", "us-in-b", "us-or-a", "fr-x-a", "de-y-c")), min_size=1, max_size=4, unique=True
)


@given(one=CITY_IDS, other=CITY_IDS)
def test_two_sets_of_cities_share_no_id(one, other):
    ids = [
        {slot.task_id for slot in slots_of("family", area_of(cities, recipe), [Series("easy", 9)], 7, ())}
        for cities, recipe in ((one, "first"), (other, "second"))
    ]
    assert all(len(found) == 9 for found in ids)
    is_one_city = len(set(one)) == 1 and set(one) == set(other)
    assert bool(ids[0] & ids[1]) == is_one_city  # a city's tasks keep their ids, whichever recipe asks for them


def test_the_cities_of_one_recipe_share_no_id():
    ids = [
        slot.task_id for city in ("us-in-a", "us-or-a") for slot in slots_of("family", city, [Series("", 50)], 7, ())
    ]
    assert len(set(ids)) == 100
