"""The solver's choice of places: which meet a record, and which of them make a compact trip. Not used by the scorer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from assets.itinbench.candidates import Demands
from assets.itinbench.tables import Record
from schemas.stable import stable_hash

MEALS_PER_DAY = 3
VISITS_PER_DAY = 4

SHORTLIST = 5
"""Candidates, lowest hash first, of which the one that makes the most compact trip is taken."""

BREAKFAST_MEALS = ("breakfast", "brunch")

_METRES_PER_DEGREE = 111_195.0
"""One degree of a great circle on the mean sphere (6,371,008.8 m); good enough to say which place is nearer."""


def told_apart(places: pd.DataFrame) -> pd.Series:
    """Return which places a plan can name without being mistaken: it names them by name and address.

    Those with a name, of which no other of the kind has name and address (in any case), and, since the published scorer
    reads an address up to its first comma, that have no namesake of their kind if their address has a comma.
    """
    names = places["name"].str.strip().str.lower()
    spelled = pd.DataFrame({"kind": places["kind"], "name": names, "address": places["address"].str.lower()})
    cut = spelled.duplicated(["kind", "name"], keep=False) & places["address"].str.contains(",", regex=False)
    return ~spelled.duplicated(keep=False) & ~cut & ~names.isin(["", "-"])


class Matches:
    """The places of a pool that meet records: answers to single demands, and rows that several records share, once."""

    def __init__(self, places: pd.DataFrame) -> None:
        """Take rows of `ItinbenchPlace`."""
        self._places = places
        self._demands, self._is_clear = Demands(places), told_apart(places).to_numpy(dtype=bool)
        self._rows: dict[bytes, pd.DataFrame] = {}

    def of(self, record: Record) -> dict[str, pd.DataFrame]:
        """Return the places of each kind that meet everything the record asks and can be `told_apart`, by place_id."""
        return {kind: self._of(self._demands.matching(kind, record)) for kind in ("stay", "restaurant", "attraction")}

    def _of(self, is_asked: np.ndarray) -> pd.DataFrame:
        """Return the rows that are asked for; nobody writes into them."""
        meets = self._is_clear & is_asked
        matches = self._rows.get(key := meets.tobytes())
        if matches is None:
            rows = self._places.loc[meets].sort_values("place_id", kind="stable")
            matches = self._rows[key] = rows.reset_index(drop=True)
        return matches


def matching(places: pd.DataFrame, record: Record) -> dict[str, pd.DataFrame]:
    """Return the places of each kind that meet a record, as `Matches.of` does."""
    return Matches(places).of(record)


def shortages(pools: dict[str, pd.DataFrame], days: int) -> dict[str, tuple[int, int]]:
    """Return what there is too little of for so many days: kind, or `all` places together, with found and needed.

    Empty means that a certified trip exists: one stay, and different places for 3 meals and 4 visits a day, where a
    place that is of two kinds is used once (Hall's theorem for two kinds and one stay).
    """
    stays, restaurants, attractions = (set(pools[k]["place_id"]) for k in ("stay", "restaurant", "attraction"))
    meals, visits = MEALS_PER_DAY * days, VISITS_PER_DAY * days
    short = {
        kind: (len(place_ids), needed)
        for kind, place_ids, needed in (
            ("stay", stays, 1),
            ("restaurant", restaurants, meals),
            ("attraction", attractions, visits),
            ("all", restaurants | attractions, meals + visits),
        )
        if len(place_ids) < needed
    }
    if not short and not any(_leaves_enough({stay}, restaurants, attractions, meals, visits) for stay in stays):
        short["all"] = (len(restaurants | attractions | stays), meals + visits + 1)
    return short


def _leaves_enough(used: set[str], restaurants: set[str], attractions: set[str], meals: int, visits: int) -> bool:
    eat, see = restaurants - used, attractions - used
    return len(eat) >= meals and len(see) >= visits and len(eat | see) >= meals + visits


@dataclass(frozen=True)
class Choice:
    """A stay, the attractions of the trip (by place_id), and the restaurants still free to serve its meals."""

    stay: pd.Series
    attractions: pd.DataFrame
    restaurants: pd.DataFrame


def choose(task_id: str, pools: dict[str, pd.DataFrame], days: int) -> Choice:
    """Return a compact choice; the pools must have no `shortages`.

    Centre: of the SHORTLIST attractions with the lowest hash of task and place, the one whose nearest attractions are
    nearest. Attractions that are restaurants too are left to the meals unless there are too few others; then those that
    serve no breakfast go first. Stay: of the SHORTLIST of stays that are nothing else, the nearest to the chosen
    attractions; if all stays are something else too, the first that leaves enough places.
    """
    restaurants, attractions, stays = pools["restaurant"], pools["attraction"], pools["stay"]
    visits, meals = VISITS_PER_DAY * days, MEALS_PER_DAY * days
    eat, see = set(restaurants["place_id"]), set(attractions["place_id"])
    early = set(restaurants["place_id"][restaurants["meals"].map(serves_breakfast)])
    single = stays[~stays["place_id"].isin(eat | see)]
    if single.empty:
        able = stays[[_leaves_enough({stay}, eat, see, meals, visits) for stay in stays["place_id"]]]
        ordered = _by_hash(task_id, able)
        single = ordered.iloc[np.argsort(ordered["place_id"].isin(early), kind="stable")].head(1)
        attractions = attractions[~attractions["place_id"].isin(single["place_id"])]
    nearest_attractions = _nearest_group(task_id, attractions, eat, early, visits)
    shortlist = _by_hash(task_id, single).head(SHORTLIST)
    far = metres(
        shortlist["lat"], shortlist["lon"], nearest_attractions["lat"].to_numpy(), nearest_attractions["lon"].to_numpy()
    ).sum(axis=1)
    stay = shortlist.iloc[int(np.argmin(far))]
    used = {*nearest_attractions["place_id"], stay["place_id"]}
    return Choice(stay, nearest_attractions, restaurants[~restaurants["place_id"].isin(used)].reset_index(drop=True))


def _nearest_group(
    task_id: str, attractions: pd.DataFrame, eat: set[str], early: set[str], visits: int
) -> pd.DataFrame:
    """Return so many attractions around a centre, by place_id; see `choose`."""
    double = attractions["place_id"].isin(eat)
    pure, doubles = attractions[~double].reset_index(drop=True), attractions[double]
    if len(pure) < visits:
        late_first = doubles.iloc[np.argsort(doubles["place_id"].isin(early), kind="stable")]
        group = pd.concat([pure, late_first.head(visits - len(pure))])
        return group.sort_values("place_id", kind="stable").reset_index(drop=True)
    centres = _by_hash(task_id, pure).head(SHORTLIST)
    far = metres(centres["lat"], centres["lon"], pure["lat"].to_numpy(), pure["lon"].to_numpy())
    nearest = np.argsort(far, axis=1, kind="stable")[:, :visits]
    best = int(np.argmin(np.take_along_axis(far, nearest, axis=1).sum(axis=1)))
    return pure.iloc[np.sort(nearest[best])].reset_index(drop=True)


def serves_breakfast(meals: Iterable[str]) -> bool:
    """Return whether breakfast or brunch is among the meals."""
    return any(meal in BREAKFAST_MEALS for meal in meals)


def _by_hash(task_id: str, places: pd.DataFrame) -> pd.DataFrame:
    """Return the places by the hash of task and place, so that a new place moves no other."""
    ids = places["place_id"].tolist()
    return places.iloc[sorted(range(len(ids)), key=lambda i: (stable_hash(task_id, ids[i]), i))]


def metres(lat: pd.Series, lon: pd.Series, to_lat: np.ndarray, to_lon: np.ndarray) -> np.ndarray:
    """Return approximate distances in whole metres, shape (len(lat), len(to_lat)): equirectangular at each first place.

    Whole numbers, so that sums and ties do not depend on rounding; for choosing only, never for a certificate.
    """
    here_lat, here_lon = lat.to_numpy(dtype=float)[:, None], lon.to_numpy(dtype=float)[:, None]
    east = (to_lon[None, :] - here_lon + 180) % 360 - 180
    return np.rint(
        np.hypot(east * np.cos(np.radians(here_lat)), to_lat[None, :] - here_lat) * _METRES_PER_DEGREE
    ).astype(np.int64)
