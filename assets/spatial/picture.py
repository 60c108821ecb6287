"""The map of a city as a table row: the picture itself, as text that Parquet keeps and Dagster and releases show."""

from __future__ import annotations

import base64

import pandas as pd

from assets.spatial.map import city_map
from assets.step import RawFile
from schemas.recipe import City, SpatialSection
from schemas.spatial import CityMap

ATTRIBUTION = "Drawn by tripwright from its own tables. Map data © OpenStreetMap contributors where bound."


def picture(
    places: pd.DataFrame,
    stops: pd.DataFrame,
    clusters: pd.DataFrame,
    extracts: list[RawFile],
    *,
    city: City,
    spatial: SpatialSection | None,
) -> pd.DataFrame:
    """Return one row with the PNG of the city's places, stops, clusters and streets; none if there is no point."""
    from sources.osm.city_extract import city_extract
    from sources.osm.streets import StreetGraph

    points = pd.concat([places[["kind", "lat", "lon"]], stops[["lat", "lon"]].assign(kind="stop")])
    inside = points[city.contains(points["lat"].to_numpy(), points["lon"].to_numpy())]
    columns = [column.name for column in CityMap.columns()]
    if inside.empty:
        return pd.DataFrame(columns=columns)
    mode = (spatial or SpatialSection()).modes[0]
    parts = [city_extract(file, city.bounds) for file in extracts]
    lines = [StreetGraph(part.path, part.sha256, mode).lines for part in parts]
    image = city_map(
        city.name,
        inside,
        clusters=clusters.merge(places[["place_id", "lat", "lon"]], on="place_id"),
        streets=lines[0] if lines else None,
        attribution=ATTRIBUTION,
    )
    row = {"city_id": city.city_id, "png_base64": base64.b64encode(image).decode(), "size_bytes": len(image)}
    return pd.DataFrame([row], columns=columns)
