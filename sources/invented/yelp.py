"""Writes an invented world as Yelp files: `business.json`, `review.json` and saved Fusion businesses, `fusion.json`.

JSON lines, ASCII-escaped; attributes are strings holding Python literals, categories one string, as in the
Yelp Open Dataset. Rows are made in `yelp_rows.py`; what is wrong on purpose in `yelp_dirt.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from sources.invented.dirt import PlantedLine, hostile_name, write_dirt, write_lines
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
    extra = (planted_businesses(world, spoilt), repeated_businesses(world)) if dirt else ([], [])
    planted = [*write_lines(files["business"], _business_lines(world, dirt), *extra, gap=BUSINESS_GAP)]
    extra = (planted_reviews(world), repeated_reviews(world)) if dirt else ([], [])
    reviewed = [s.place for s in spoilt if s.is_reviewed]
    planted += write_lines(files["review"], _review_lines(world, reviewed), *extra, gap=REVIEW_GAP)
    planted += write_lines(files["fusion"], _fusion_lines(world, dirt), [], [], gap=1)
    write_dirt(folder, planted)
    return {role: [path] for role, path in files.items()}


def _name(place: Place, dirt: bool) -> tuple[str, str]:
    """Return the kind of dirt in the place's name, empty if none, and the name."""
    return (hostile_name(place) if dirt else None) or ("", place.name)


def _business_lines(world: World, dirt: bool) -> Iterator[PlantedLine]:
    for place in world.places():
        kind, name = _name(place, dirt)
        yield PlantedLine(kind, json_line(business_row(world, place, name)), place.native_id)


def _fusion_lines(world: World, dirt: bool) -> Iterator[PlantedLine]:
    for place in world.places():
        if place.kind != "other":
            kind, name = _name(place, dirt)
            yield PlantedLine(kind, json_line(fusion_row(world, place, name)), place.native_id)


def _review_lines(world: World, spoilt: list[Place]) -> Iterator[PlantedLine]:
    """Yield the reviews of the world's places and of the spoilt ones, block by block in the order of their ids."""
    block: list[bytes] = []
    for number, place in enumerate(chain(spoilt, world.places()), start=1):
        block += (review_line(review, place.native_id) for review in reviews(world, place))
        if number % PLACES_PER_BLOCK == 0:
            yield from _mixed(block)
            block = []
    yield from _mixed(block)


def _mixed(block: list[bytes]) -> Iterator[PlantedLine]:
    """Yield the lines sorted: they begin with the review's id, which is random, so this shuffles them."""
    return (PlantedLine("", line) for line in sorted(block))
