"""What is true of an invented world, as a table to measure readers of its reviews against."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

from sources.invented.world import World


class TrueRating(TypedDict):
    """The true rating of one attribute of one place: 1 to 5, orientations of attractions 0 to 3."""

    city_id: str
    native_id: str
    kind: str
    attribute: str
    rating: int


def truth(world: World) -> Iterator[TrueRating]:
    """Yield the true ratings of every open place; a place of two kinds has those of both."""
    for place in world.places():
        for kind, levels in place.ratings.items():
            for attribute, rating in levels.items():
                yield TrueRating(
                    city_id=place.city.city_id,
                    native_id=place.native_id,
                    kind=kind,
                    attribute=attribute,
                    rating=rating,
                )


def write_truth(world: World, path: Path) -> Path:
    """Return the path, after writing the true ratings there as CSV with a header."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(TrueRating.__annotations__), lineterminator="\n")
        writer.writeheader()
        writer.writerows(truth(world))
    return path
