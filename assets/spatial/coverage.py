"""What each city can support: every family's requirements, met or the reason why not, before anything is built.

What a family requires is declared by the family; what a city has is counted by the steps. This module only compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from assets.step import Requirement
from schemas.places import KINDS
from schemas.recipe import SpatialSection


def city_counts(
    places: pd.DataFrame, ratings: pd.DataFrame, stops: pd.DataFrame, feeds: pd.DataFrame, spatial: SpatialSection
) -> dict[str, int]:
    """Return how much of everything that families may require one city has.

    `served_dates` counts the trip dates within some feed's first and last day; a rated place has at least one rating.
    """
    rated = places["place_id"].isin(ratings["place_id"])
    counts = {f"{kind}s": int((places["kind"] == kind).sum()) for kind in KINDS}
    counts |= {f"rated_{kind}s": int(((places["kind"] == kind) & rated).sum()) for kind in KINDS}
    days = [
        day
        for day in spatial.trip_dates
        if any(
            first is not None and last is not None and first <= day <= last
            for first, last in zip(feeds["first_date"], feeds["last_date"], strict=True)
        )
    ]
    return {**counts, "stops": len(stops), "feeds": len(feeds), "served_dates": len(days)}


def city_coverage(counts: Mapping[str, Mapping[str, int]], requirements: Iterable[Requirement]) -> pd.DataFrame:
    """Return a row for each city and requirement: is_met, needed, found, and the reason where it is not met.

    `counts` gives, for each city, how many it has of each requirement's name; what is not counted is 0.
    """
    rows = []
    wanted = sorted(requirements, key=lambda r: (r.family, r.requirement))
    for city_id in sorted(counts):
        for need in wanted:
            found = counts[city_id].get(need.requirement, 0)
            is_met = found >= need.needed
            reason = "" if is_met else f"found {found} {need.noun}, expected at least {need.needed}; {need.remedy}"
            rows.append((city_id, need.family, need.requirement, is_met, need.needed, found, reason))
    columns = ["city_id", "family", "requirement", "is_met", "needed", "found", "reason"]
    return pd.DataFrame(rows, columns=pd.Index(columns))
