"""Nominal drafts: records drawn from the published distributions, slot by slot, whatever the city can satisfy."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np

from assets.family import Slot
from assets.itinbench.section import ItinbenchSection
from assets.itinbench.tables import Record
from schemas.reviews import RESTAURANT_ATTRIBUTES, STAY_ATTRIBUTES
from schemas.stable import stable_rng

BLOCK = 42
"""Slots that share one stratification: the least common multiple of 3 days, 3 prices, 6 orientations, 14 cuisines."""

FAMILY = "itinbench"


def nominal(section: ItinbenchSection, slot: Slot, attempt: int = 0) -> Record:
    """Return the slot's draw from the section's distributions; it depends on nothing but these arguments.

    Every field is drawn on its own (facts, 2.D): the four general ones and the two numbers of preferences by weight,
    the preferences themselves without replacement and in random order. First attempts are Latin hypercube samples over
    blocks of 42 slots (McKay, Beckman and Conover 1979): each slot's draw has exactly the section's distribution, and a
    block holds every value as often as its weight says, so that a set of a few hundred is not lopsided by chance.
    Later attempts are independent draws.
    """
    rng = stable_rng(FAMILY, "nominal", slot.seed, slot.task_id, attempt)
    jitter = rng.random(6)
    if attempt == 0:
        block, position = divmod(slot.number, BLOCK)
        strata = [_strata(slot.seed, slot.area, block, field)[position] for field in range(6)]
        points = [(stratum + within) / BLOCK for stratum, within in zip(strata, jitter, strict=True)]
    else:
        points = [float(point) for point in jitter]
    return Record(
        days=_pick(section.days, points[0]),
        price=_pick(section.prices, points[1]),
        orientation=_pick(section.orientations, points[2]),
        cuisine=_pick(section.cuisines, points[3]),
        restaurant=_some(RESTAURANT_ATTRIBUTES, _pick(section.preference_counts, points[4]), rng),
        hotel=_some(STAY_ATTRIBUTES, _pick(section.preference_counts, points[5]), rng),
    )


@lru_cache(maxsize=64)
def _strata(seed: int, area: str, block: int, field: int) -> list[int]:
    return stable_rng(FAMILY, "strata", seed, area, block, field).permutation(BLOCK).tolist()


def _pick(weights: dict[Any, float], point: float) -> Any:
    """Return the value at a point of [0, 1) of the weights' cumulative distribution, keys in sorted order."""
    keys = sorted(key for key, weight in weights.items() if weight > 0)
    bounds = list(accumulate(weights[key] for key in keys))
    return keys[min(bisect_right(bounds, point * bounds[-1]), len(keys) - 1)]


def _some(attributes: tuple[str, ...], count: int, rng: np.random.Generator) -> list[str]:
    return [attributes[i] for i in rng.permutation(len(attributes))[:count]]
