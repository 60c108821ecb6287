"""Writes an invented world as Yelp files: `business.json`, `review.json` and saved Fusion businesses, `fusion.json`.

JSON lines, ASCII-escaped; attributes are strings holding Python literals, categories one string, as in the
Yelp Open Dataset. Rows are made in `yelp_rows.py`; what is wrong on purpose in `yelp_dirt.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from sources.invented.dirt import LineFile, hostile_name, write_dirt
from sources.invented.reviewers import reviews
from sources.invented.world import Place, World
from sources.invented.yelp_dirt import (
    planted_businesses,
    planted_reviews,
    repeated_businesses,
    repeated_reviews,
    spoilt_places,
)
from sources.invented.yelp_rows import business_row, fusion_row, json_line, review_line

PLACES_PER_BLOCK = 400
"""Reviews are mixed among those of this many places, so that they are in no order and memory stays bounded."""
BUSINESS_GAP = 7
REVIEW_GAP = 50


def write(world: World, folder: Path, dirt: bool = True) -> dict[str, list[Path]]:
    """Return the files written to the folder, by role; `dirt.csv` beside them lists what is planted in them."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {role: folder / f"{role}.json" for role in ("business", "review", "fusion")}
    spoilt = spoilt_places(world) if dirt else []
    extra = (planted_businesses(world, spoilt), repeated_businesses(world)) if dirt else ()
    with LineFile(files["business"], *extra, gap=BUSINESS_GAP) as business, LineFile(files["fusion"]) as fusion:
        for place in world.places():
            kind, name = (hostile_name(place) if dirt and world.hostile_names else None) or ("", place.name)
            row = business_row(world, place, name)
            business.add(json_line(row), kind, place.native_id)
            if place.kind != "other":
                fusion.add(json_line(fusion_row(world, place, row)), kind, place.native_id)
    extra = (planted_reviews(world), repeated_reviews(world)) if dirt else ()
    with LineFile(files["review"], *extra, gap=REVIEW_GAP) as review:
        for line in _review_lines(world, [s.place for s in spoilt if s.is_reviewed]):
            review.add(line)
    write_dirt(folder, [*business.dirt, *review.dirt, *fusion.dirt])
    return {role: [path] for role, path in files.items()}


def _review_lines(world: World, spoilt: list[Place]) -> Iterator[bytes]:
    """Yield the reviews of the spoilt places and of the world's, block by block in the order of their ids.

    Lines begin with the review's id, which is random: so to sort them is to shuffle them.
    """
    block: list[bytes] = []
    for number, place in enumerate(chain(spoilt, world.places()), start=1):
        block += (review_line(review, place.native_id) for review in reviews(world, place))
        if number % PLACES_PER_BLOCK == 0:
            yield from sorted(block)
            block = []
    yield from sorted(block)
