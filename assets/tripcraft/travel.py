"""How long it takes to get from place to place within a city: from a matrix where there is one, else estimated."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assets.tripcraft.entities import Attraction, Restaurant, Stay

Place = Attraction | Restaurant | Stay

DETOUR = 1.3
"""Way over geodesic in towns [I]."""

WALK_M_PER_MIN = 80.0
"""4.8 km/h [I]."""

LONGEST_WALK_MIN = 20.0

RIDE_M_PER_MIN = 400.0
"""24 km/h by taxi in traffic [I]."""

RIDE_WAIT_MIN = 5.0


@dataclass(frozen=True)
class Travel:
    """Travel times between the places of a trip; `matrix_s` seconds by (from, to) place_id, where a road leads."""

    matrix_s: Mapping[tuple[str, str], float] = field(default_factory=dict)

    def table(self, places: Sequence[Place]) -> dict[tuple[str, str], int]:
        """Return whole minutes by (from, to) place_id between all the places, the slower way round counting."""
        from pyproj import Geod

        n = len(places)
        pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
        lat, lon = [p.lat for p in places], [p.lon for p in places]
        a, b = [i for i, _ in pairs], [j for _, j in pairs]
        geod = Geod(ellps="WGS84")
        apart = geod.inv([lon[i] for i in a], [lat[i] for i in a], [lon[j] for j in b], [lat[j] for j in b])[2]
        found = {(place.place_id, place.place_id): 0 for place in places}
        for (i, j), metres in zip(pairs, apart, strict=True):
            one, other = places[i].place_id, places[j].place_id
            known = [s for key in ((one, other), (other, one)) if (s := self.matrix_s.get(key)) is not None]
            minutes = math.ceil(max(known) / 60) if known else estimate_min(round(metres, 3))
            found[one, other] = found[other, one] = minutes
        return found


def estimate_min(geodesic_m: float) -> int:
    """Return whole minutes for the distance: on foot up to `LONGEST_WALK_MIN`, else by taxi, never less than that."""
    way = geodesic_m * DETOUR
    walk = way / WALK_M_PER_MIN
    ride = max(LONGEST_WALK_MIN, way / RIDE_M_PER_MIN + RIDE_WAIT_MIN)
    return math.ceil(walk if walk <= LONGEST_WALK_MIN else ride)
