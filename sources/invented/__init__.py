"""An invented world in every provider's own format, at any scale, with known truth and planted dirt.

    python -c "from pathlib import Path; from sources.invented import generate; generate(Path('world'), cities=3)"

A new provider is one module with `write(world, folder, dirt)` and one line in `PROVIDERS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sources.invented import yelp
from sources.invented.cities import Box, CitySpec, world_cities
from sources.invented.generate import Files, Writer, write_world
from sources.invented.truth import truth, write_truth
from sources.invented.world import INVENTED, World, make_world

__all__ = [
    "INVENTED",
    "PROVIDERS",
    "Box",
    "CitySpec",
    "World",
    "generate",
    "make_world",
    "truth",
    "world_cities",
    "write_truth",
]

PROVIDERS: dict[str, Writer] = {
    "yelp": yelp.write,
}


def generate(
    folder: Path,
    *,
    providers: Sequence[str] = tuple(PROVIDERS),
    cities: int | Sequence[CitySpec] = 1,
    scale: float = 1.0,
    seed: int = 0,
    dirt: bool = True,
) -> Files:
    """Return provider → role → files, after writing the world's files: equal arguments give equal bytes.

    `folder/<provider>/` holds the provider's files and `dirt.csv` (kind, file, line, native_id of each planted defect);
    `folder/truth.csv` the true ratings. Scale 1 is 485 places a city. Raises ValueError for an unknown
    provider, a city given twice, or a scale that is not above 0.
    """
    unknown = [name for name in providers if name not in PROVIDERS]
    if unknown:
        raise ValueError(f"no invented files for {unknown}; providers are {sorted(PROVIDERS)}")
    return write_world(folder, {name: PROVIDERS[name] for name in providers}, cities, scale, seed, dirt)
