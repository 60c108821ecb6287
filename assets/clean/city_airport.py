"""Which airports serve which of the recipe's cities: by distance, never by name (defect T13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assets.step import Outcome
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.travel import MAX_AIRPORT_M

if TYPE_CHECKING:
    import pandas as pd


def city_airports(airport: pd.DataFrame, *, cities: list[City]) -> Outcome:
    """Return each city's airports: all within 80 km of the middle of its box, by WGS84 geodesic.

    A city without one is rejected with the distance of the nearest: no flight leads there. An airport without a known
    time zone is taken to keep the zone of the city it serves.
    """
    import numpy as np
    import pandas as pd
    from pyproj import Geod

    geod = Geod(ellps="WGS84")
    airport = airport.sort_values("iata", ignore_index=True)
    lat, lon = (airport[name].to_numpy(dtype=float) for name in ("lat", "lon"))
    rows, rejected = [], []
    for city in sorted(cities, key=lambda c: c.city_id):
        middle_lat, middle_lon = centre(city)
        away = np.round(
            np.asarray(geod.inv(np.full(len(lon), middle_lon), np.full(len(lat), middle_lat), lon, lat)[2]), 1
        )
        near = np.flatnonzero(away <= MAX_AIRPORT_M)
        for i in near.tolist():
            zone = airport["time_zone"][i]
            zone = zone if isinstance(zone, str) else city.time_zone
            rows.append((city.city_id, airport["iata"][i], float(away[i]), zone))
        if not len(near):
            nearest = (
                f"{airport['iata'][away.argmin()]} is {away.min() / 1000:.0f} km away" if len(away) else "none read"
            )
            detail = f"no airport within {MAX_AIRPORT_M / 1000:.0f} km of {middle_lat}, {middle_lon}: {nearest}"
            rejected.append({"row": city.city_id, "reason": str(Reason.NO_AIRPORT), "detail": detail})
    return Outcome(pd.DataFrame(rows, columns=["city_id", "iata", "distance_m", "time_zone"]), rejected)


def centre(city: City) -> tuple[float, float]:
    """Return latitude and longitude of the middle of the city's box, also where it crosses the antimeridian."""
    box = city.bounds
    east = box.east + 360 if box.west > box.east else box.east
    lon = (box.west + east) / 2
    return (box.south + box.north) / 2, lon - 360 if lon > 180 else lon
