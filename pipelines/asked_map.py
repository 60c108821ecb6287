"""A map of cities of which only the names are given: asked from OpenStreetMap's servers, and kept beside the recipe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipelines.init import slug_of
from schemas.stable import content_hash
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

        It is named by the towns' elements too, so that no map is taken for one of another town of the name.
        Raises SourceError where a town or its map cannot be had.
        """
        towns = [self._town(name) for name in names]
        elements_hash = content_hash([town.native_id for town in towns])[:8]
        path = self.folder / f"{slug_of([town.name for town in towns])}-{elements_hash}.osm.pbf"
        if path.is_file() and not self.force:
            self.say(f"taking {path}, which was asked for before (--force asks again)")
            return path, [town.name for town in towns]
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
        self.say(f"{name} is {town.display_name} ({town.native_id}){others if town.others else ''}")
        return town
