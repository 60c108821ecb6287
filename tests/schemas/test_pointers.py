"""Pointers into plain data: every leaf is found at its own, which has one spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.pointers import value_at, values

KEYS = st.text("a/~01²", max_size=3)
DATA = st.recursive(
    st.none() | st.integers(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner), max_leaves=8
)


@given(DATA)
def test_every_leaf_stands_at_its_pointer(data):
    leaves = values(data, "plan")
    assert len({pointer for pointer, _ in leaves}) == len(leaves) > 0
    assert [value_at({"plan": data}, pointer) for pointer, _ in leaves] == [leaf for _, leaf in leaves]


@pytest.mark.parametrize("pointer", [
    "plan/01", "plan/²", "plan/٠", "plan/-1", "plan/+1", "plan/1_0", "plan/ 1", "plan/", "plan/2",
    "plan/1" + "0" * 5_000, "plan/0/a~b", "plan/0/a~0b/x", "plan/0/c/d", "other", "",
])  # fmt: skip
def test_another_spelling_of_a_pointer_is_none(pointer):
    whole = {"plan": [{"a~b": 1, "c/d": 2}, 3]}
    assert [value_at(whole, known) for known in ("plan/0/a~0b", "plan/0/c~1d", "plan/1")] == [1, 2, 3]
    with pytest.raises(KeyError):
        value_at(whole, pointer)
