"""Hashes that depend on their arguments alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from schemas.stable import stable_hash, stable_hashes


@given(st.lists(st.text() | st.integers(), max_size=3), st.lists(st.text(), max_size=4))
def test_what_keys_share_is_hashed_once_and_changes_no_hash(seed, keys):
    assert list(stable_hashes(seed, keys)) == [stable_hash(*seed, key) for key in keys]
