"""The ways between a city's places, out of its distance matrix: the fastest of the recipe's ways of travelling."""

from __future__ import annotations

import numpy as np
import pandas as pd

from assets.spatial.distance_matrix import grids
from assets.tripcraft.facts.travel import RIDE_WAIT_MIN
from assets.tripcraft.tables import TripcraftTownWays


def town_ways(
    restaurant: pd.DataFrame, attraction: pd.DataFrame, stay: pd.DataFrame, matrix: pd.DataFrame
) -> pd.DataFrame:
    """Return the times between one city's places by the fastest of the matrix's modes, a ride waited for.

    The places are those that any mode reaches; the modes need not reach the same ones. Empty where there is no matrix.
    """
    columns = [c.name for c in TripcraftTownWays.columns()]
    pointers = {
        place_id: rows
        for f in (restaurant, attraction, stay)
        for place_id, rows in zip(f["place_id"], f["source_rows"], strict=True)
    }
    place_ids = sorted({place_id for place_id in matrix["place_id"] if place_id in pointers})
    if not place_ids:
        return pd.DataFrame(columns=columns)
    number_of = {place_id: number for number, place_id in enumerate(place_ids)}
    fastest = np.full((len(place_ids), len(place_ids)), np.nan)
    for mode, rows in matrix.groupby("mode", sort=True):
        ids, _, times = grids(rows)
        where = [i for i, place_id in enumerate(ids) if place_id in pointers]
        wait_s = RIDE_WAIT_MIN * 60 * ~np.eye(len(where), dtype=bool) if mode == "car" else 0
        numbers = np.ix_(*[[number_of[ids[i]] for i in where]] * 2)
        fastest[numbers] = np.fmin(fastest[numbers], times[np.ix_(where, where)] + wait_s)
    values_by_column = {
        "city_id": matrix["city_id"].iloc[0],
        "place_id": place_ids,
        "times_s": [[None if np.isnan(s) else round(s, 1) for s in row] for row in fastest.tolist()],
        "router": "; ".join(sorted(set(matrix["router"]))),
        "source_rows": [pointers[place_id] for place_id in place_ids],
    }
    return pd.DataFrame(values_by_column)[columns]
