"""Flight numbers in the published form, F and seven digits, for flights whose source has none that is unique.

And the hash that they, and whatever follows from them, are drawn by.
"""

from __future__ import annotations

import numpy as np

from schemas.travel import MAX_FLIGHT_NUMBERS


def flight_numbers(hashes: np.ndarray, numbers_in_use: np.ndarray) -> np.ndarray:
    """Return a number from 0 to 9,999,999 for each 64-bit hash, all different and none of `numbers_in_use`.

    Each flight takes the number its hash points at, or the next free one where that is gone, the lower hash first: a
    hash table with linear probing. So a new flight renumbers only those it pushes on, and the order of rows changes
    nothing but the numbers of equal hashes. Raises ValueError if there are more flights than numbers.
    """
    is_free = np.ones(MAX_FLIGHT_NUMBERS, dtype=bool)
    is_free[numbers_in_use] = False
    free = np.flatnonzero(is_free).astype(np.int32)
    if len(hashes) > len(free):
        raise ValueError(
            f"found {len(hashes) + len(numbers_in_use)} flights, more than the {MAX_FLIGHT_NUMBERS} numbers of the "
            "published form; expected fewer. Bind fewer months, or fewer cities."
        )
    order = np.argsort(hashes, kind="stable")
    home_slots = (hashes[order] >> np.uint64(11)).astype(np.float64) * 2.0**-53 * len(free)
    rank = np.arange(len(hashes))
    slot = np.maximum.accumulate(home_slots.astype(np.int64) - rank) + rank
    beyond = slot >= len(free)
    if beyond.any():
        # Probing goes on at the beginning, where the first slots may be gone as well.
        used = np.zeros(len(free), dtype=bool)
        used[slot[~beyond]] = True
        slot[beyond] = np.flatnonzero(~used)[: beyond.sum()]
    numbers = np.empty(len(hashes), dtype=np.int32)
    numbers[order] = free[slot]
    return numbers


def salted_hashes(values: np.ndarray, salt: np.uint64) -> np.ndarray:
    """Return a 64-bit hash of each value and the salt: the finaliser of SplitMix64 (Steele, Lea, Flood 2014)."""
    mix = values.astype(np.uint64) ^ salt
    mix = mix + np.uint64(0x9E3779B97F4A7C15)
    mix = (mix ^ (mix >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mix = (mix ^ (mix >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mix ^ (mix >> np.uint64(31))
