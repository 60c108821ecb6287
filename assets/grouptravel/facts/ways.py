"""How long the way between two places of a city takes: measured where a matrix holds both, else modelled."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from assets.grouptravel.facts.distance import DETOUR, EARTH_RADIUS_KM, distance_km
from assets.grouptravel.facts.rides import Rides
from assets.grouptravel.vocabulary import LOCAL_SPEED_LIMITS_KMH

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import pyarrow as pa

    from assets.grouptravel.facts.poi import Poi

SPEEDS_KMH = {"transit": 18.0, "bicycle": 14.0, "walk": 4.8, "car": 30.0, "taxi": 30.0}
"""Great circle times the detour at these speeds, those of the sandbox's estimates (choice `routes`) [I]."""

LEAST_MOVE_MIN = 5
"""No move takes less: one leaves a place and enters another [I]."""

STOP_WITHIN_M = 500.0
"""A stop serves the places that are no farther from it than this [I]."""

USUAL_HEADWAY_S = 900
"""Between departures of a stop of which no timetable is known [I]; one waits half of it."""

NEVER_MIN = 10**6

MOST_WAYS_KEPT = 1 << 16
"""Ways whose least minutes are remembered, some 7 MB: plans of one task take the same ones."""

Basis = Literal["matrix", "timetable", "modelled"]
"""What a move's minutes rest on: a measured road matrix; a timetable for the wait, the ride modelled; a model alone."""

_MATRIX_MODES = {"foot": ("walk",), "bicycle": ("bicycle",), "car": ("car", "taxi")}


@dataclass(frozen=True)
class Served:
    """The stop that serves a place: which, how far it is, and the typical gap of its timetable where one is known."""

    stop_id: str
    distance_m: float
    headway_s: int | None = None

    @property
    def walk_s(self) -> float:
        """Return the seconds on foot between place and stop."""
        return 3.6 * DETOUR * self.distance_m / SPEEDS_KMH["walk"]

    @property
    def wait_s(self) -> float:
        """Return the seconds that one waits at the stop, half the gap between departures."""
        return (USUAL_HEADWAY_S if self.headway_s is None else self.headway_s) / 2


class Ways:
    """Least minutes between places, rounded down, and what a move costs.

    `grids` are (mode, place ids, seconds from each to each, nan where no road leads); `served` is the stop by place id.
    A mode whose grid holds both ends goes by it, and nowhere where it says that no road leads; but no move is faster
    than the mode can be as the crow flies, which validity refuses.
    """

    def __init__(
        self,
        grids: Iterable[tuple[str, list[str], np.ndarray]] = (),
        served: Mapping[str, Served] | None = None,
        rides: Rides | None = None,
    ):
        self._grids = list(grids)
        self._stops_by_place, self.rides = dict(served or {}), rides or Rides()
        self._at: dict[str, dict[str, tuple[int, int]]] = {}
        for number, (mode, ids, _) in enumerate(self._grids):
            self._at.setdefault(mode, {}).update({place: (number, at) for at, place in enumerate(ids)})
        self._least_in: dict[tuple[object, ...], dict[str, int]] = {}
        self._least: dict[tuple[object, ...], int] = {}

    @classmethod
    def of_tables(
        cls,
        matrix: pa.Table | pd.DataFrame | None = None,
        nearest: pd.DataFrame | None = None,
        served: pd.DataFrame | None = None,
        rides: Rides | None = None,
    ) -> Ways:
        """Return the ways of the rows of `DistanceMatrix`, `PlaceNearestStop` and `PlaceServedStop`.

        With a timetable the stop of a place is the nearest at which anything departs, of several dates' the nearest and
        most frequent: what a plan is held to is the least that holds on any of them.
        """
        return cls(_grids(matrix), _serving_stops(nearest, served), rides)

    @classmethod
    def joined(cls, parts: Iterable[Ways], rides: Rides) -> Ways:
        """Return the ways of several cities as one."""
        listed = list(parts)
        served = {place: stop for part in listed for place, stop in part._stops_by_place.items()}
        return cls([grid for part in listed for grid in part._grids], served, rides)

    def between(self, pois: Iterable[Poi]) -> Ways:
        """Return what is measured between these places, and their stops, without tariffs."""
        ids = [poi.place_id for poi in pois]
        grids = sorted({at[place][0] for at in self._at.values() for place in ids if place in at})
        return Ways(
            map(self._grids.__getitem__, grids), {p: self._stops_by_place[p] for p in ids if p in self._stops_by_place}
        )

    @property
    def floor(self) -> int:
        """Return the least minutes of a move of which an end is no known place."""
        return LEAST_MOVE_MIN

    def runs(self, mode: str, one: Poi, other: Poi) -> bool:
        """Return whether one can go by the mode at all: by transit, where stops serve both ends and are not the same.

        On a road that a matrix knows not to lead there, nobody goes.
        """
        if mode == "transit":
            begin, end = self._stops_by_place.get(one.place_id), self._stops_by_place.get(other.place_id)
            return begin is not None and end is not None and begin.stop_id != end.stop_id
        seconds = self._measured(mode, one, other)
        return seconds is None or seconds == seconds

    def serves(self, poi: Poi) -> bool:
        """Return whether a stop serves the place."""
        return poi.place_id in self._stops_by_place

    def minutes(self, mode: str, one: Poi, other: Poi) -> int:
        """Return the least minutes of a move by a local mode; of places without a point, the least of any move."""
        return self._least_minutes(mode, one, other, _km(one, other))

    def _least_minutes(self, mode: str, one: Poi, other: Poi, km: float | None) -> int:
        """Return the same, given how far apart the places are, None where that is not known."""
        seconds = self._measured(mode, one, other)
        if seconds is None or seconds != seconds:
            seconds = 0.0 if km is None else _modelled_s(mode, km)
            if mode == "transit" and self.runs(mode, one, other):
                begin, end = self._stops_by_place[one.place_id], self._stops_by_place[other.place_id]
                seconds += begin.walk_s + begin.wait_s + end.walk_s
        return max(LEAST_MOVE_MIN, int(seconds // 60), 0 if km is None else _possible_min(mode, km))

    def basis(self, mode: str, one: Poi | None, other: Poi | None) -> Basis:
        """Return what the minutes of a move rest on."""
        if one is None or other is None:
            return "modelled"
        if mode == "transit" and self.runs(mode, one, other):
            return "modelled" if self._stops_by_place[one.place_id].headway_s is None else "timetable"
        seconds = self._measured(mode, one, other)
        return "modelled" if seconds is None or seconds != seconds else "matrix"

    def price(self, mode: str, city: str, one: Poi | None, other: Poi | None, people: int) -> float | None:
        """Return what each of so many people pays for a move in a city, None where that is not known."""
        ends = (None, None) if one is None or other is None else (one.point, other.point)
        return self.rides.price(mode, city, *ends, people)

    def least(self, one: Poi, other: Poi) -> int:
        """Return the least minutes of a move by any mode."""
        way = (one.place_id, one.point, other.place_id, other.point)  # of published lists each city numbers its own
        if way not in self._least:
            if len(self._least) >= MOST_WAYS_KEPT:
                self._least.clear()
            km = _km(one, other)
            modes = (mode for mode in SPEEDS_KMH if mode == "taxi" or self.runs(mode, one, other))
            self._least[way] = min(self._least_minutes(mode, one, other, km) for mode in modes)
        return self._least[way]

    def known_of(self, pois: Iterable[Poi]) -> str:
        """Return a hash of all that is measured between these places, and of their stops: plans rest on it."""
        import numpy as np

        ids = sorted({poi.place_id for poi in pois})
        digest = hashlib.sha256()
        for mode, at in sorted(self._at.items()):
            for number in sorted({at[place][0] for place in ids if place in at}):
                grid_places = [place for place in ids if place in at and at[place][0] == number]
                rows = [at[place][1] for place in grid_places]
                digest.update(repr((mode, grid_places)).encode())
                digest.update(np.ascontiguousarray(self._grids[number][2][np.ix_(rows, rows)]).tobytes())
        digest.update(
            repr([(place, self._stops_by_place[place]) for place in ids if place in self._stops_by_place]).encode()
        )
        return digest.hexdigest()

    def least_in(self, pois: Iterable[Poi]) -> dict[str, int]:
        """Return, by place id, no more minutes than any move to the place from any other of these takes."""
        listed = list(pois)
        key = tuple((poi.place_id, poi.point) for poi in listed)
        if key not in self._least_in:
            self._least_in[key] = self._nearest(listed)
        return self._least_in[key]

    def _measured(self, mode: str, one: Poi, other: Poi) -> float | None:
        """Return a matrix's seconds, nan where it knows of no road; None where none holds both ends."""
        at = self._at.get(mode, {})
        origin, dest = at.get(one.place_id), at.get(other.place_id)
        if origin is None or dest is None or origin[0] != dest[0]:
            return None
        return float(self._grids[origin[0]][2][origin[1], dest[1]])

    def _nearest(self, pois: list[Poi]) -> dict[str, int]:
        import numpy as np
        from scipy.spatial import KDTree

        floor_min = {poi.place_id: LEAST_MOVE_MIN for poi in pois}
        placed = [poi for poi in pois if poi.point is not None]
        if len(placed) < 2 or len(placed) < len(pois):
            return floor_min
        chord, _ = KDTree(_vectors(placed)).query(_vectors(placed), k=2)
        fastest = max(SPEEDS_KMH.values())
        for poi, nearest in zip(placed, chord[:, 1], strict=True):
            # The chord is no longer than the great circle. A ride with its wait is modelled too, and takes longer.
            floor_min[poi.place_id] = max(LEAST_MOVE_MIN, int(60 * DETOUR * EARTH_RADIUS_KM * nearest / fastest))
        modelled = floor_min if self._has_modelled(pois) else dict.fromkeys(floor_min, NEVER_MIN)
        measured = dict(modelled)
        for at in self._at.values():
            for number in {at[poi.place_id][0] for poi in pois if poi.place_id in at}:
                grid_places = [poi.place_id for poi in pois if at.get(poi.place_id, (-1,))[0] == number]
                rows = [at[place][1] for place in grid_places]
                seconds = self._grids[number][2][np.ix_(rows, rows)].copy()
                np.fill_diagonal(seconds, np.inf)
                # Where no road is known the modelled time counts, in `floor_min` already.
                least = np.nan_to_num(seconds, nan=np.inf).min(axis=0)
                for place, least_seconds in zip(grid_places, least.tolist(), strict=True):
                    if least_seconds < np.inf:
                        measured[place] = max(LEAST_MOVE_MIN, min(int(least_seconds // 60), measured[place]))
        return {place: least if least < NEVER_MIN else floor_min[place] for place, least in measured.items()}

    def _has_modelled(self, pois: list[Poi]) -> bool:
        """Return whether some way between these places is not measured."""
        is_in_grids = all(
            poi.place_id in self._at.get(mode, {}) for mode in SPEEDS_KMH if mode != "transit" for poi in pois
        )
        one_grid = (
            all(len({at[poi.place_id][0] for poi in pois}) == 1 for at in self._at.values()) if is_in_grids else False
        )
        return not (is_in_grids and one_grid) or any(poi.place_id in self._stops_by_place for poi in pois)


def _grids(matrix: pa.Table | pd.DataFrame | None) -> list[tuple[str, list[str], np.ndarray]]:
    """Return each city's and mode's places, in the order of their ids, with the seconds between them."""
    import numpy as np
    import pyarrow as pa

    if matrix is None or not len(matrix):
        return []
    columns = ["city_id", "mode", "place_id", "times_s"]
    rows: pa.Table = matrix if isinstance(matrix, pa.Table) else pa.Table.from_pandas(matrix)
    rows = rows.select(columns)
    rows = rows.sort_by([(name, "ascending") for name in columns[:3]])
    grids, begin = [], 0
    keys = list(zip(rows["city_id"].to_pylist(), rows["mode"].to_pylist(), strict=True))
    while begin < len(keys):
        end = begin
        while end < len(keys) and keys[end] == keys[begin]:
            end += 1
        part = rows.slice(begin, end - begin)
        flat = pa.concat_arrays([chunk.flatten() for chunk in part["times_s"].chunks])
        seconds = flat.to_numpy(zero_copy_only=False).astype(np.float64).reshape(end - begin, end - begin)
        ids = part["place_id"].to_pylist()
        grids += [(mode, ids, seconds) for mode in _MATRIX_MODES.get(keys[begin][1], ())]
        begin = end
    return grids


def _serving_stops(nearest: pd.DataFrame | None, served: pd.DataFrame | None) -> dict[str, Served]:
    served_by_place: dict[str, Served] = {}
    timed = served is not None and len(served) > 0
    for frame, has_times in ((nearest, False), (served, True)):
        if frame is None or not len(frame) or (timed and not has_times):
            continue
        gaps = frame["headway_s"] if has_times else [None] * len(frame)
        for place, stop, metres, gap in zip(
            frame["place_id"], frame["stop_id"], frame["stop_distance_m"], gaps, strict=True
        ):
            # A single departure a day has no gap, and serves nobody.
            if metres > STOP_WITHIN_M or (has_times and (gap is None or gap != gap)):
                continue
            one = Served(str(stop), float(metres), int(gap) if has_times else None)
            best = served_by_place.get(str(place))
            if best is None or (one.walk_s + one.wait_s, one.stop_id) < (best.walk_s + best.wait_s, best.stop_id):
                served_by_place[str(place)] = one
    return served_by_place


def _km(one: Poi, other: Poi) -> float | None:
    """Return the great circle between two places, None where one of them is nowhere."""
    begin, end = one.point, other.point
    return None if begin is None or end is None else distance_km(begin, end)


def _modelled_s(mode: str, km: float) -> float:
    return 3600 * DETOUR * km / SPEEDS_KMH[mode]


def _possible_min(mode: str, km: float) -> int:
    """Return the least whole minutes in which the mode can be so far away as the crow flies.

    A matrix holds the ways between the roads next to places, which may be far from both: on two shores, say.
    """
    minutes = math.floor(60 * km / LOCAL_SPEED_LIMITS_KMH[mode])
    return minutes if km <= LOCAL_SPEED_LIMITS_KMH[mode] * minutes / 60 else minutes + 1


def _vectors(pois: list[Poi]) -> np.ndarray:
    import numpy as np  # the family declaration imports this module, and is read by every command

    lat, lon = np.radians(np.array([poi.point for poi in pois], dtype=float)).T
    return np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
