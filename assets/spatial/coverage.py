"""What each city can support: every family's requirements, met or the reason why not, before anything is built.

What a family requires is declared by the family; what a city has is counted by the steps. This module only compares.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

import pandas as pd

from assets.step import Requirement
from schemas.places import KINDS
from schemas.recipe import City, SpatialSection
from schemas.wikivoyage import KIND_OF
from sources.gtfs.service import runs_on

if TYPE_CHECKING:
    import pyarrow as pa

SERVED_DATES = "served_dates"
"""The requirement of transit service on the trip's dates: how many of them anything departs on."""


def coverage(
    places: pd.DataFrame,
    ratings: pd.DataFrame,
    stops: pd.DataFrame,
    feeds: pd.DataFrame,
    services: pd.DataFrame,
    departures: pa.Table,
    listed: pd.DataFrame,
    airports: pd.DataFrame,
    neighbours: pd.DataFrame,
    guide: pd.DataFrame,
    guide_ratings: pd.DataFrame,
    tag_ratings: pd.DataFrame,
    *,
    city: City,
    spatial: SpatialSection | None,
    requirements: list[Requirement],
) -> pd.DataFrame:
    """Return what the city can support: every requirement of every family, met or the reason why not."""
    dates = (spatial or SpatialSection()).trip_dates
    served = served_dates(dates, services, set(departures["service_id"].unique().to_pylist()))
    counts = city_counts(places, ratings, stops, feeds, served)
    counts |= guide_counts(counts, guide, {*guide_ratings["place_id"], *tag_ratings["listing_id"]})
    counts |= trip_counts(places, listed, airports, neighbours)
    counts_asked_for, details = {SERVED_DATES: len(set(dates))}, {SERVED_DATES: why_not_served(dates, served, feeds)}
    return city_coverage({city.city_id: counts}, requirements, counts_asked_for, details)


def city_counts(
    places: pd.DataFrame, ratings: pd.DataFrame, stops: pd.DataFrame, feeds: pd.DataFrame, served: Iterable[dt.date]
) -> dict[str, int]:
    """Return how much of everything that families may require one city has; a rated place has at least one rating."""
    rated = places["place_id"].isin(ratings["place_id"])
    counts = {f"{kind}s": int((places["kind"] == kind).sum()) for kind in KINDS}
    counts |= {f"rated_{kind}s": int(((places["kind"] == kind) & rated).sum()) for kind in KINDS}
    return {**counts, "stops": len(stops), "feeds": len(feeds), SERVED_DATES: len(list(served))}


def guide_counts(counts: Mapping[str, int], guide: pd.DataFrame, rated: Collection[str]) -> dict[str, int]:
    """Return how many rated places of each kind the longer of two lists has: our own places, and a guide's listings.

    A listing counts that is among those `rated`, by listing_id, and says where it is.
    """
    is_rated = guide["listing_id"].isin(list(rated)) & guide["lat"].notna()
    kinds = guide.loc[is_rated, "kind"].map(KIND_OF)
    return {f"rated_{kind}s": max(counts[f"rated_{kind}s"], int((kinds == kind).sum())) for kind in KINDS}


def trip_counts(
    places: pd.DataFrame, listed: pd.DataFrame, airports: pd.DataFrame, neighbours: pd.DataFrame
) -> dict[str, int]:
    """Return how much one city has of what a traveller from elsewhere needs: places of either list, and ways to come.

    Of a kind that both `places` and TripAdvisor (`listed`) hold the longer list counts: what both hold is the same in
    part. `ways_in` are airports near enough, and the `neighbours` of its row of CityNeighbours.
    """
    kinds = {f"trip_{kind}s": max(int((rows["kind"] == kind).sum()) for rows in (places, listed)) for kind in KINDS}
    return {**kinds, "ways_in": len(airports) + int(neighbours["neighbours"].sum())}


def served_dates(dates: Iterable[dt.date], services: pd.DataFrame, departing: Collection[str]) -> list[dt.date]:
    """Return those of the dates on which a service runs that departs anywhere, ascending.

    `services` are the city's rows of TransitService, `departing` the ids of the services that have departures.
    """
    columns = ["weekdays", "start_date", "end_date", "added_dates", "removed_dates"]
    patterns = services.loc[services["service_id"].isin(departing), columns].to_numpy(dtype=object).tolist()
    return [day for day in sorted(set(dates)) if any(runs_on(day, *pattern) for pattern in patterns)]


def why_not_served(dates: Iterable[dt.date], served: Collection[dt.date], feeds: pd.DataFrame) -> str:
    """Return why nothing departs on some of the dates: which they are, and on which days each feed runs."""
    missing = [day.isoformat() for day in sorted(set(dates)) if day not in served]
    if not missing:
        return ""
    spans = [
        f"`{feed}` runs {'never' if first is None else f'from {first} to {last}'}"
        for feed, first, last in zip(feeds["feed"], feeds["first_date"], feeds["last_date"], strict=True)
    ]
    dates_text = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
    return f"no feed on the dates {dates_text}: {'; '.join(spans) or 'none is bound'}"


def city_coverage(
    counts: Mapping[str, Mapping[str, int]],
    requirements: Iterable[Requirement],
    counts_asked_for: Mapping[str, int],
    details: Mapping[str, str],
) -> pd.DataFrame:
    """Return a row for each city and requirement: is_met, needed, found, and the reason where it is not met.

    `counts` gives, for each city, how many it has of each requirement's name; what is not counted is 0. By the same
    names, `counts_asked_for` gives how many the recipe asks for, and what it asks none of is met; `details` says more
    of why they are not there.
    """
    rows = []
    needs = sorted(requirements, key=lambda r: (r.family, r.requirement))
    for city_id in sorted(counts):
        for need in needs:
            count = counts[city_id].get(need.requirement, 0)
            needed = counts_asked_for[need.requirement] if need.needed == "every" else need.needed
            is_met = count >= needed
            more = f" ({details[need.requirement]})" if details.get(need.requirement) else ""
            reason = f"{need.noun}: found {count}{more}, expected at least {needed}; {need.remedy}"
            rows.append((city_id, need.family, need.requirement, is_met, needed, count, "" if is_met else reason))
    columns = ["city_id", "family", "requirement", "is_met", "needed", "found", "reason"]
    return pd.DataFrame(rows, columns=pd.Index(columns))
