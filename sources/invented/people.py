"""Anonymous users from whom the members of groups are drawn: age, gender, family, tastes."""

from __future__ import annotations

from typing import Any

from schemas.stable import stable_hash
from sources.invented.draws import one_of
from sources.invented.group_words import is_chinese, taste_words
from sources.invented.world import World, weighted

PROFILES = 1_000
"""At scale 1; the published benchmark has 3,718."""
FEWEST = 240
"""Enough at any scale for every role of every kind of group."""
AGE_BANDS = ((3, 8), (9, 17), (18, 25), (26, 39), (40, 55), (56, 80))
AGE_WEIGHTS = (5, 10, 25, 28, 17, 15)
MARRIED_SHARE = (0.0, 0.0, 0.08, 0.6, 0.8, 0.85)
PARENT_SHARE = (0.0, 0.0, 0.3, 0.7, 0.85, 0.95)
"""Of the married, by age band; of the others a tenth from 26 on."""
LIKES, DISLIKES = 6, 4


def profile_count(world: World) -> int:
    """Return how many users there are."""
    return max(FEWEST, round(PROFILES * world.scale))


def profile(world: World, number: int) -> dict[str, Any]:
    """Return the user of that number; nobody likes and dislikes the same."""
    rng = world.rng("profile", number)
    band = weighted(rng, AGE_WEIGHTS)
    lowest, highest = AGE_BANDS[band]
    age = lowest + int(rng.random() * (highest - lowest + 1))
    is_married = rng.random() < MARRIED_SHARE[band]
    is_parent = rng.random() < (PARENT_SHARE[band] if is_married else 0.1 if band > 2 else 0.0)
    words = taste_words(chinese=is_chinese(world.cities[0]))
    draws = {word: rng.random() for word in words}
    order = sorted(words, key=draws.__getitem__)
    likes = 1 + int(rng.random() * LIKES)
    return {
        "profile_id": f"u{stable_hash('profile', world.seed, number):016x}",
        "age": age,
        "gender": "female" if rng.random() < 0.5 else "male",
        "marital_status": "married" if is_married else one_of(rng, ("single", "single", "divorced")),
        "parenting_status": "parent" if is_parent else "none",
        "tastes": {"likes": order[:likes], "dislikes": order[likes : likes + int(rng.random() * (DISLIKES + 1))]},
    }
