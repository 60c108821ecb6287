"""Where the files of one city lie: `<provider>/<city_id>/<city_id>.<what it is>`, and how a path tells its city."""

from __future__ import annotations

from pathlib import Path

from sources.invented.cities import CitySpec


def city_file(folder: Path, city: CitySpec, ending: str) -> Path:
    """Return the path of the city's file in the provider's folder, such as `osm/us-in-x/us-in-x.osm.pbf`.

    The city's folder is made if it is not there.
    """
    city_folder = folder / city.city_id
    city_folder.mkdir(parents=True, exist_ok=True)
    return city_folder / f"{city.city_id}.{ending}"


def city_of(path: Path) -> str | None:
    """Return the city_id of a file of one city, or None for one that all cities share."""
    return path.parent.name if path.name.startswith(f"{path.parent.name}.") else None
