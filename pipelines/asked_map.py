"""A map of cities of which only the names are given: asked from OpenStreetMap's servers, and kept beside the recipe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipelines.init import slug_of
from pipelines.walk.recipes import RecipeError
from sources.services.nominatim import PUBLIC_GEOCODER, GeocodedTown, geocoded_town
from sources.services.overpass import PUBLIC_ENDPOINT, download_extract


@dataclass(frozen=True)
class MapAsking:
    """Where a map is asked for and put, and who is told of it meanwhile."""

    folder: Path
    say: Callable[[str], None]
    country: str | None = None
    region: str | None = None
    force: bool = False
    server: str | None = None
    """An Overpass server; the public one if None."""
    geocoder: str | None = None
    """A Nominatim server; the public one if None."""

    def __call__(self, names: Sequence[str]) -> tuple[Path, list[str]]:
        """Return the path of a map of the towns, and the names by which it knows them; one that is there is taken.

        Raises SourceError where a town or its map cannot be had, and RecipeError for names of which none is a file's.
        """
        path = self.folder / f"{slug_of([_own(name) for name in names])}.osm.pbf"
        if path.is_file() and not self.force:
            self.say(f"no map is given: taking {path}, which is there (--force asks for it again)")
            return path, [_own(name) for name in names]
        towns = [self._town(name) for name in names]
        server = self.server or PUBLIC_ENDPOINT
        self.say(f"asking {server} for a map of {', '.join(town.name for town in towns)}; a large city takes minutes")
        outlines = [town.native_id for town in towns]
        elements = download_extract([town.box for town in towns], path, outlines=outlines, endpoint=server)
        self.say(f"wrote {path}: {elements:,} elements, {path.stat().st_size:,} bytes, © OpenStreetMap contributors")
        return path, [town.name for town in towns]

    def _town(self, name: str) -> GeocodedTown:
        geocoder = self.geocoder or PUBLIC_GEOCODER
        self.say(f"no map is given: asking {geocoder} where {name} is")
        town = geocoded_town(name, country=self.country, region=self.region, endpoint=geocoder)
        others = f"; not {' · '.join(town.others)}, which --country, --region or words after a comma name"
        self.say(f"{name} is {town.called} ({town.native_id}){others if town.others else ''}")
        return town


def _own(name: str) -> str:
    """Return a name without what is said after a comma of where the town lies."""
    own = name.partition(",")[0].strip()
    if not own:
        raise RecipeError(f"found the name {name!r}; expected a city's")
    return own
