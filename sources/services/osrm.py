"""The client of any OSRM server: square tables of road distances and times, in as many requests as its limits ask.

Running a server of our own is `osrm_engine.py`; the protocol is OSRM's HTTP API, Table and Nearest services, version 1.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import numpy as np
import requests
from numpy.typing import ArrayLike
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

from schemas.counts import counted
from schemas.source import SourceError
from sources.services.routing import RoadMatrix, Router

PROFILE_IN_URL = {"car": "driving", "foot": "foot", "bicycle": "bike"}
"""Our modes as the public OSRM servers name them in the path; a server that runs one profile ignores the name."""

BUSY = (429, 502, 503, 504)
TOO_LONG = (413, 414, 431)
"""HTTP statuses that mean `ask again later`, and those by which a proxy refuses a long request."""


BELOW_ZERO_NOISE = 5.0
"""Between two points that snap to almost one spot of a street OSRM answers a little less than 0: -1.1 m was seen in
Porto, by car. So little is 0; anything further below is no answer of OSRM's."""


class RouterSilentError(SourceError):
    """The server gave no answer at all, or said that it is busy, every time it was asked."""


class _TooBigError(Exception):
    """The server limits the size of a table below what was asked."""


class _NoSegmentError(Exception):
    """The server found no road near enough to at least one coordinate."""


class OsrmClient:
    """Tables from one OSRM server, over one reused connection.

    `url` is the server's root, with any prefix (`https://host/routed-foot`). `max_side` is the largest square to ask
    for at once; whatever it is, a server that refuses is asked for halves until it answers, and that size is kept.
    `expected_data` is the data version every answer must carry. Close it, or use it as a context manager.
    """

    def __init__(
        self,
        url: str,
        profile: str,
        *,
        router: Router | None = None,
        max_side: int = 1000,
        timeout_s: float = 120.0,
        attempts: int = 4,
        first_wait_s: float = 0.5,
        expected_data: str | None = None,
    ) -> None:
        if profile not in PROFILE_IN_URL:
            raise ValueError(f"profile {profile!r} is not known; expected one of {', '.join(PROFILE_IN_URL)}")
        self.url = url.rstrip("/")
        self._profile = profile
        self._router = router
        self._side = max_side
        self._timeout_s = timeout_s
        self._attempts = attempts
        self._first_wait_s = first_wait_s
        self._expected_data = expected_data
        self._session = requests.Session()
        if urlsplit(self.url).hostname in ("127.0.0.1", "localhost", "::1"):
            # On loopback a proxy only harms, and packing a table takes longer than sending it.
            self._session.trust_env = False
            self._session.headers["Accept-Encoding"] = "identity"

    def __enter__(self) -> OsrmClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._session.close()

    def table(self, lat: ArrayLike, lon: ArrayLike) -> RoadMatrix:
        """Return the ways between all the points, which are sent with 6 decimals (11 cm).

        Raises SourceError saying what the server answered if it is no OSRM table, RouterSilentError if it keeps silent,
        and ValueError for coordinates that are not degrees.
        """
        lat, lon = np.asarray(lat, dtype=float), np.asarray(lon, dtype=float)
        if not ((np.abs(lat) <= 90) & (np.abs(lon) <= 180)).all():
            raise ValueError(
                "a latitude or longitude is not within ±90, ±180 degrees; reject such places before routing"
            )
        points = [f"{x:.6f},{y:.6f}" for y, x in zip(lat, lon, strict=True)]
        try:
            return self._square(points)
        except _NoSegmentError:
            return self._square_where_roads_are(points)

    def _square_where_roads_are(self, points: list[str]) -> RoadMatrix:
        """Return the table with NaN for the points that have no road near, which are asked for one by one."""
        near = np.array([self._has_road(point) for point in points])
        near_points = [point for point, has_road in zip(points, near, strict=True) if has_road]
        try:
            part = self._square(near_points)
        except _NoSegmentError:
            raise SourceError(
                f"{self._address()} finds a road near each of {counted(len(near_points), 'point')}, but not near all"
            ) from None
        n = len(points)
        distances, times, snap = np.full((n, n), np.nan), np.full((n, n), np.nan), np.full(n, np.nan)
        distances[np.ix_(near, near)] = part.distances_m
        times[np.ix_(near, near)] = part.times_s
        snap[near] = part.snap_distances_m
        return RoadMatrix(distances, times, snap, part.router)

    def _has_road(self, point: str) -> bool:
        try:
            self._get(f"nearest/v1/{PROFILE_IN_URL[self._profile]}/{point}?generate_hints=false")
        except _NoSegmentError:
            return False
        return True

    def _square(self, points: list[str]) -> RoadMatrix:
        while True:
            try:
                return self._square_in_blocks(points, self._side)
            except _TooBigError as refusal:
                side = min(self._side, len(points)) // 2
                if side == 0:
                    raise SourceError(f"{self._address()} refuses even a table of one way: {refusal}") from None
                self._side = side

    def _square_in_blocks(self, points: list[str], side: int) -> RoadMatrix:
        n = len(points)
        distances, times, snap = np.empty((n, n)), np.empty((n, n)), np.empty(n)
        data = ""
        for top in range(0, n, side):
            rows = range(top, min(top + side, n))
            for left in range(0, n, side):
                columns = range(left, min(left + side, n))
                answer = self._block(
                    [points[i] for i in rows], None if rows == columns else [points[j] for j in columns]
                )
                block = np.s_[rows.start : rows.stop, columns.start : columns.stop]
                distances[block] = self._grid(answer, "distances", (len(rows), len(columns)))
                times[block] = self._grid(answer, "durations", (len(rows), len(columns)))
                snap[rows.start : rows.stop] = self._snaps(answer, len(rows))
                data = str(answer.get("data_version", ""))
        return RoadMatrix(distances, times, snap, self._router or self._named_server(data))

    def _block(self, origins: list[str], destinations: list[str] | None) -> dict[str, Any]:
        """Return the answer for origins × destinations, or for a square if `destinations` is None."""
        if destinations is None and len(origins) == 1:
            destinations = origins  # the protocol wants two coordinates at least
        path = ";".join(origins + (destinations or []))
        query = "annotations=distance,duration&generate_hints=false"
        if destinations is not None:
            numbers = [str(i) for i in range(len(origins) + len(destinations))]
            query += f"&sources={';'.join(numbers[: len(origins)])}&destinations={';'.join(numbers[len(origins) :])}"
        return self._get(f"table/v1/{PROFILE_IN_URL[self._profile]}/{path}?{query}")

    def _get(self, path: str) -> dict[str, Any]:
        wait = wait_exponential(multiplier=self._first_wait_s, max=30)
        asking = Retrying(
            stop=stop_after_attempt(self._attempts),
            wait=wait,
            retry=retry_if_exception_type(RouterSilentError),
            reraise=True,
        )
        return asking(self._ask_once, path)

    def _ask_once(self, path: str) -> dict[str, Any]:
        try:
            response = self._session.get(f"{self.url}/{path}", timeout=self._timeout_s)
        except requests.Timeout:
            raise RouterSilentError(f"{self._address()} gave no answer within {self._timeout_s:g} s") from None
        except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
            raise RouterSilentError(
                f"{self._address()} refused or dropped the connection; is the server running?"
            ) from None
        except requests.RequestException as error:
            raise SourceError(f"{self._address()} cannot be asked: {str(error)[:200]}; check the address") from None
        if response.status_code in BUSY:
            raise RouterSilentError(
                f"{self._address()} answers HTTP {response.status_code}, it is busy; try again later"
            )
        if response.status_code in TOO_LONG:
            raise _TooBigError(f"HTTP {response.status_code}")
        answer = self._parse(response)
        code = answer["code"]
        if code == "TooBig":
            raise _TooBigError(answer.get("message", code))
        if code == "NoSegment":
            raise _NoSegmentError
        if code != "Ok":
            raise SourceError(f"{self._address()} refuses the request: {code}: {str(answer.get('message'))[:200]}")
        if self._expected_data is not None and answer.get("data_version") != self._expected_data:
            raise SourceError(
                f"{self._address()} answers from data {str(answer.get('data_version'))[:80]!r}; "
                f"expected {self._expected_data!r}: another server listens there"
            )
        return answer

    def _parse(self, response: requests.Response) -> dict[str, Any]:
        try:
            answer = json.loads(response.content, parse_constant=_refuse_constant)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or not isinstance(answer.get("code"), str):
            raise self._garbage(
                f"HTTP {response.status_code} {response.headers.get('Content-Type', 'of no type')} "
                f"beginning {response.content[:80]!r}"
            )
        return answer

    def _grid(self, answer: dict[str, Any], key: str, shape: tuple[int, int]) -> np.ndarray:
        try:
            grid = np.array(answer.get(key), dtype=float)
        except (TypeError, ValueError):
            raise self._garbage(f"`{key}` that are not numbers or null in rows of one length") from None
        if grid.shape != shape:
            raise self._garbage(f"`{key}` of shape {grid.shape} where {shape} were asked for")
        if (grid < -BELOW_ZERO_NOISE).any():
            raise self._garbage(f"`{key}` below 0")
        return np.maximum(grid, 0.0)

    def _snaps(self, answer: dict[str, Any], n: int) -> np.ndarray:
        try:
            snaps = np.array([source["distance"] for source in answer["sources"]], dtype=float)
        except (KeyError, TypeError, ValueError):
            raise self._garbage("`sources` without the distance of each to its road") from None
        if snaps.shape != (n,):
            raise self._garbage(f"{len(snaps)} `sources` where {n} were asked for")
        return snaps

    def _garbage(self, reply: str) -> SourceError:
        return SourceError(
            f"{self._address()} answered {reply}; expected an answer of OSRM's Table service, version 1. Check that "
            "the address is that of an OSRM server"
        )

    def _named_server(self, data_version: str) -> Router:
        return Router("osrm", "", "", self._profile, extract_sha256=data_version, server=self._address())

    def _address(self) -> str:
        """Return the server's address without user, password and query."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")
