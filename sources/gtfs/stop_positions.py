"""Stops of a feed that cannot be where it says: latitude and longitude exchanged, or out of every vehicle's reach.

Coordinates that are missing, no numbers, off the globe or at 0, 0 are seen in `gtfs_feed.py`. A stop is suspected here
only if it is far from the feed's middle, and a far stop is good as long as something could drive there: feeds of
coaches, trains and ferries keep all of theirs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from schemas.counts import counted
from schemas.rejection import Reason

FAR_M = 50_000.0
"""From the feed's middle, the median latitude and longitude: as far as a nearest stop may be (defect T13)."""

SWAPPED_BACK_M = 5_000.0
"""Exchanged back, a swapped stop is at most this far from a stop that is not far: as near as places are to stops."""

MAX_KMH = 500.0
"""The fastest a vehicle may go between stops: the limit for rail, the highest of all, in the Canonical GTFS Schedule
Validator (`fast_travel_between_consecutive_stops`)."""

ROUNDED_S = 60
"""Times are often given in whole minutes."""


class Legs(NamedTuple):
    """Pairs of stops that follow each other in some trip, as positions in the list of stops, and seconds between."""

    start: np.ndarray
    end: np.ndarray
    seconds: np.ndarray


def misplaced_stops(lat_lon: np.ndarray, legs: Legs) -> dict[int, tuple[Reason, str]]:
    """Return the positions of the stops that cannot be where they are said to be, each with the reason and the words.

    `lat_lon`, shape (n, 2), is in degrees. Of the stops farther than 50 km from the feed's middle, one is swapped if
    with latitude and longitude exchanged it lies within 5 km of a stop that is not far, and nothing could drive to it
    as it is written: it has no leg, or one that takes more than 500 km/h. One is misplaced if every leg to and from it
    takes more.
    """
    from pyproj import Geod

    geod = Geod(ellps="WGS84")

    def metres(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return geod.inv(one[:, 1], one[:, 0], other[:, 1], other[:, 0])[2]

    if not len(lat_lon):
        return {}
    from_middle_m = metres(lat_lon, np.broadcast_to(np.median(lat_lon, axis=0), lat_lon.shape).copy())
    far = from_middle_m > FAR_M
    near = lat_lon[~far]
    if not far.any():
        return {}
    touches = far[legs.start] | far[legs.end]
    start, end, seconds = (column[touches] for column in legs)
    limit_m = (seconds + ROUNDED_S) * MAX_KMH / 3.6
    impossible = metres(lat_lon[start], lat_lon[end]) > limit_m
    n = len(lat_lon)
    every = np.bincount(start, minlength=n) + np.bincount(end, minlength=n)
    bad = np.bincount(start[impossible], minlength=n) + np.bincount(end[impossible], minlength=n)
    problems = {}
    for i in np.flatnonzero(far).tolist():
        lat, lon = lat_lon[i].tolist()
        exchanged = np.broadcast_to([lon, lat], near.shape).copy()
        is_mirrored = abs(lon) <= 90 and len(near) > 0 and metres(exchanged, near).min() <= SWAPPED_BACK_M
        where = f"{lat}, {lon} is {from_middle_m[i] / 1000:.0f} km from the feed's middle"
        if is_mirrored and (bad[i] or not every[i]):
            problems[i] = Reason.SWAPPED_COORDINATES, f"{where}; exchanged, it is among the feed's stops"
        elif every[i] and bad[i] == every[i]:
            problems[i] = (
                Reason.OUT_OF_REACH,
                f"{where}, and each of {counted(every[i], 'way')} there takes over {MAX_KMH:.0f} km/h",
            )
    return problems
