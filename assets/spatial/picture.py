"""The map of a city as a table row: the picture itself, as text that Parquet keeps and Dagster and releases show."""

from __future__ import annotations

import base64

import pandas as pd

from assets.release.basemap.cut import basemap_of
from assets.release.basemap.stand_in import stand_in
from assets.release.licences import credit, release_licences
from assets.spatial.map import city_map
from assets.step import RawFile
from schemas.recipe import City, SpatialSection
from schemas.spatial import CityMap

ATTRIBUTION = "Drawn by tripwright from its own tables."


def picture(
    places: pd.DataFrame,
    stops: pd.DataFrame,
    clusters: pd.DataFrame,
    extracts: list[RawFile],
    *,
    city: City,
    spatial: SpatialSection | None,  # noqa: ARG001
) -> pd.DataFrame:
    """Return one row with the PNG of the city's places, stops and clusters on its ground; none if there is no point.

    Without an extract, or where it does not reach the city, the ground around the places stands in for it.
    """
    points = pd.concat([places[["kind", "lat", "lon"]], stops[["lat", "lon"]].assign(kind="stop")])
    inside = points[city.contains(points["lat"].to_numpy(), points["lon"].to_numpy())]
    columns = [column.name for column in CityMap.columns()]
    if inside.empty:
        return pd.DataFrame(columns=columns)
    ground = basemap_of(extracts, city)
    notice = f"{ATTRIBUTION} Ground: {credit(release_licences(extract.snapshot for extract in extracts))}"
    if ground.is_empty:
        notice = ATTRIBUTION
        ground = stand_in(city, inside["lat"].to_numpy(), inside["lon"].to_numpy(), [])
    image = city_map(
        city.name,
        inside,
        clusters=clusters.merge(places[["place_id", "lat", "lon"]], on="place_id"),
        ground=ground,
        attribution=notice,
    )
    row = {"city_id": city.city_id, "png_base64": base64.b64encode(image).decode(), "size_bytes": len(image)}
    return pd.DataFrame([row], columns=columns)
