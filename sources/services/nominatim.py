"""Where a town is, asked by osmnx from a Nominatim server: its boundary or node in OpenStreetMap. Opens the network.

Where a town ends is read from the map that is then asked for (`sources/osm/town.py`), not from the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from schemas.counts import counted
from schemas.recipe_values import Box
from schemas.shown import one_line
from schemas.source import SourceError
from sources.osm.named_places import RADIUS_M, PlaceNode
from sources.osm.outline import boxed
from sources.osm.town import all_names, rounded, spelled, surroundings
from sources.services.fetch import words_of
from sources.services.overpass import ATTEMPTS, BUSY, osmnx_settings

if TYPE_CHECKING:
    import requests

PUBLIC_GEOCODER = "https://nominatim.openstreetmap.org"
MAX_ANSWER_BYTES = 256 << 20
OTHERS = 3
"""Other towns of a name that are told."""


@dataclass(frozen=True)
class GeocodedTown:
    """A town by its element of OpenStreetMap: its name as asked if it bears it, all that it is called, and its box.

    `others` are what further towns are called that the geocoder found by the name.
    """

    native_id: str
    name: str
    display_name: str
    box: Box
    others: tuple[str, ...] = ()


def geocoded_town(
    name: str, *, country: str | None = None, region: str | None = None, endpoint: str = PUBLIC_GEOCODER
) -> GeocodedTown:
    """Return the town that is best known by a name, which may go on after a comma to say where it lies.

    Towns come before districts, counties and countries of the name; of several the geocoder says which is best known.
    Raises SourceError if it knows none, stays busy, refuses, cannot be reached, or answers anything but places.
    """
    query = {"q": ", ".join(part for part in (name, region) if part), "namedetails": "1"}
    answer = _search(query | ({"countrycodes": country.lower()} if country else {}), endpoint)
    towns = [town for result in answer if (town := _town(result, name.partition(",")[0].strip())) is not None]
    if not towns:
        raise SourceError(
            f"{endpoint}: found no town named {one_line(query['q'])!r}; expected one of OpenStreetMap's. Say more "
            "of where it lies (`Springfield, Missouri`, or --country and --region), or give its map with --map FILE."
        )
    _, best = min(towns, key=lambda town: town[0])
    display_names = dict.fromkeys(town.display_name for _, town in sorted(towns, key=lambda town: town[0]))
    others = [text for text in display_names if text != best.display_name][:OTHERS]
    return GeocodedTown(best.native_id, best.name, best.display_name, best.box, tuple(others))


def _search(query: dict[str, str], endpoint: str) -> list[Any]:
    """Return the places that the server answers with."""
    import osmnx
    import requests
    from osmnx._errors import InsufficientResponseError

    places: list[Any] = []
    busy = 0

    def take(response: requests.Response, **_: Any) -> None:
        nonlocal busy
        if response.status_code in BUSY:
            busy += 1
            if busy >= ATTEMPTS:
                raise _error(endpoint, f"status {response.status_code}, {counted(busy, 'time')}")
            return
        begins = f"an answer that begins with {response.content[:60]!r}"
        if response.status_code != 200:
            raise _error(endpoint, f"status {response.status_code}")
        if len(response.content) > MAX_ANSWER_BYTES:
            raise _error(endpoint, f"more than {MAX_ANSWER_BYTES:,} bytes")
        try:
            answer = response.json()
        except ValueError:
            raise _error(endpoint, begins) from None
        if not isinstance(answer, list):
            raise _error(endpoint, begins)
        places.extend(answer)

    with osmnx_settings(nominatim_url=endpoint, hook=take):
        try:
            osmnx.geocode_to_gdf(query)
        except SourceError:
            raise
        except requests.RequestException as error:
            raise _error(endpoint, f"no whole answer ({words_of(error)})") from None
        except (InsufficientResponseError, TypeError, KeyError, ValueError):
            pass  # it knows no place, or none by an outline: what it answered is judged here
    return places


def _error(endpoint: str, reply: str) -> SourceError:
    return SourceError(
        f"{endpoint}: found {reply}; expected the places of a name. Try later, name another server with --geocoder, or "
        "give the town's map with --map FILE."
    )


def _town(result: Any, query_name: str) -> tuple[tuple[bool, float], GeocodedTown] | None:
    """Return a place and its rank, the best lowest, if it is an area or the node of a town; None if it is neither."""
    import shapely
    from shapely.geometry import shape

    try:
        kind, native_id = str(result["osm_type"]), f"{result['osm_type']}/{int(result['osm_id'])}"
        names: Mapping[str, str] = {str(key): str(text) for key, text in (result.get("namedetails") or {}).items()}
        name = one_line(names.get("name") or str(result["display_name"]).partition(",")[0])
        lat, lon = float(result["lat"]), float(result["lon"])
        is_town = result.get("addresstype", result["type"]) in RADIUS_M
        if kind in ("relation", "way") and (is_town or result["type"] == "administrative"):
            parts: list[Any] = shapely.get_parts(shape(result["geojson"])).tolist()
            areas = sorted((part for part in parts if part.geom_type == "Polygon"), key=lambda part: -part.area)
            town_area = next((part for part in areas if part.covers(shapely.Point(lon, lat))), areas[0])
            west, south, east, north = town_area.bounds
            box = rounded(boxed(south, west, north, east))
        elif kind == "node" and result["type"] in RADIUS_M:
            box = rounded(surroundings(PlaceNode(native_id, {"name": name}, result["type"], lat, lon, None)))
        else:
            return None
        rank = not is_town, -float(result["importance"])
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, shapely.errors.ShapelyError):
        return None
    bears = spelled(all_names(names), query_name)
    return rank, GeocodedTown(native_id, query_name if bears else name, one_line(str(result["display_name"])), box)
