"""What every router answers: a square matrix of road distances and times, and who computed it.

How an answer is obtained belongs in `osrm.py` and `streets.py`; how it is kept as a table, in `assets/spatial/`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np


@dataclass(frozen=True)
class Router:
    """Who computes: everything that decides a distance besides the two points. An empty field is unknown."""

    engine: str
    version: str
    algorithm: str
    profile: str
    extract_sha256: str = ""
    server: str = ""

    @property
    def label(self) -> str:
        """Return the known fields as one text, such as `engine=osrm version=26.10.0 algorithm=ch profile=foot …`."""
        return " ".join(f"{name}={value}" for name, value in asdict(self).items() if value)


@dataclass(frozen=True)
class RoadMatrix:
    """Ways between n points, row = origin, column = destination; NaN where no road leads, never 0.

    `distances_m` and `times_s` have shape (n, n), of the fastest way by the router's profile. `snap_distances_m`, shape
    (n,), is how far each point is from the road where its ways begin and end; NaN if no road is near enough.
    """

    distances_m: np.ndarray
    times_s: np.ndarray
    snap_distances_m: np.ndarray
    router: Router
