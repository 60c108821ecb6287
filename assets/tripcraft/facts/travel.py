"""How long it takes to get from place to place within a city: by the road matrix where it has both, else estimated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from assets.tripcraft.entities import Attraction, Restaurant, Stay

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from pyproj import Geod

Place = Attraction | Restaurant | Stay

DETOUR = 1.3
"""Way over geodesic in towns [I]."""

WALK_M_PER_MIN = 80.0
"""4.8 km/h [I]."""

LONGEST_WALK_MIN = 20.0

RIDE_M_PER_MIN = 400.0
"""24 km/h by taxi in traffic [I]."""

RIDE_WAIT_MIN = 5.0

UNREACHABLE_MIN = 1440
"""What counts as the way to a place of the matrix to which no road leads: no day holds it."""


class TownWays:
    """Seconds from place to place by the recipe's router; a pair that the matrix does not hold is None."""

    def __init__(self, rows: pd.DataFrame | None = None) -> None:
        """Index the rows of `TripcraftTownWays`."""
        self._where: dict[str, tuple[str, int]] = {}
        self._times: dict[str, list[np.ndarray]] = {}
        if rows is None or rows.empty:
            return
        import numpy as np

        for row in rows.sort_values(["city_id", "place_id"]).to_dict("records"):
            times = self._times.setdefault(row["city_id"], [])
            self._where[row["place_id"]] = (row["city_id"], len(times))
            times.append(np.array(row["times_s"], dtype=float))

    def minutes(self, origin: str, dest: str) -> int | None:
        """Return whole minutes between two places, or None where the matrix does not hold both."""
        origin_position, dest_position = self._where.get(origin), self._where.get(dest)
        if origin_position is None or dest_position is None or origin_position[0] != dest_position[0]:
            return None
        seconds = float(self._times[origin_position[0]][origin_position[1]][dest_position[1]])
        return UNREACHABLE_MIN if math.isnan(seconds) else min(math.ceil(seconds / 60), UNREACHABLE_MIN)

    def of(self, place_id: str) -> list[float]:
        """Return the seconds from the place to each of its city's, for hashing."""
        if place_id not in self._where:
            return []
        city, index = self._where[place_id]
        return self._times[city][index].tolist()


def table(places: Sequence[Place], ways: TownWays) -> dict[tuple[str, str], int]:
    """Return whole minutes by (from, to) place_id between all the places, the slower way round counting."""
    n = len(places)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    lat, lon = [p.lat for p in places], [p.lon for p in places]
    a, b = [i for i, _ in pairs], [j for _, j in pairs]
    apart = _wgs84().inv([lon[i] for i in a], [lat[i] for i in a], [lon[j] for j in b], [lat[j] for j in b])[2]
    minutes_by_pair = {(place.place_id, place.place_id): 0 for place in places}
    for (i, j), metres in zip(pairs, apart, strict=True):
        one, other = places[i].place_id, places[j].place_id
        routed_min = ways.minutes(one, other), ways.minutes(other, one)
        minutes = estimate_min(round(metres, 3)) if None in routed_min else max(m for m in routed_min if m is not None)
        minutes_by_pair[one, other] = minutes_by_pair[other, one] = minutes
    return minutes_by_pair


def way_min(origin: Place, dest: Place, ways: TownWays) -> tuple[int, bool]:
    """Return whole minutes from one place to another of its city, and whether a router found the way."""
    routed = ways.minutes(origin.place_id, dest.place_id)
    if routed is not None:
        return routed, True
    return estimate_min(round(_wgs84().inv(origin.lon, origin.lat, dest.lon, dest.lat)[2], 3)), False


def estimate_min(geodesic_m: float) -> int:
    """Return whole minutes for the distance: on foot up to `LONGEST_WALK_MIN`, else by taxi, never less than that."""
    way = geodesic_m * DETOUR
    walk = way / WALK_M_PER_MIN
    ride = max(LONGEST_WALK_MIN, way / RIDE_M_PER_MIN + RIDE_WAIT_MIN)
    return math.ceil(walk if walk <= LONGEST_WALK_MIN else ride)


@lru_cache(maxsize=1)
def _wgs84() -> Geod:
    from pyproj import Geod

    return Geod(ellps="WGS84")
