"""Which stop really serves a place on the trip's dates: published data ignores whether anything runs there."""

from __future__ import annotations

import pandas as pd

from assets.spatial.checks import feed_covers_the_trip_dates, transit_access
from assets.spatial.matrix_pool import matrix_pool
from assets.spatial.nearest_stop import nearest_served_stop, nearest_stop
from assets.step import Outcome
from schemas.recipe import SpatialSection
from schemas.spatial import PlaceNearestStop, PlaceServedStop
from sources.gtfs.service import service_on


def nearest_stops(places: pd.DataFrame, stops: pd.DataFrame) -> Outcome:
    """Return each place's nearest stop and the share of places near one; nothing in a city without any stop.

    `city_coverage` is where a city without stops is told.
    """
    if stops.empty:
        return Outcome(pd.DataFrame(columns=[column.name for column in PlaceNearestStop.columns()]))
    nearest = nearest_stop(places, stops)
    return Outcome(nearest, rows_in=len(places), facts=transit_access(nearest))


def served_stops(
    places: pd.DataFrame,
    nearest: pd.DataFrame,
    stops: pd.DataFrame,
    services: pd.DataFrame,
    departures: pd.DataFrame,
    *,
    spatial: SpatialSection | None,
) -> Outcome:
    """Return each pooled place's nearest stop with a departure on each trip date; a date without service has no row.

    Places that have no stop at all (`nearest` holds none for them) have no row either.
    A feed that does not cover a date costs that date's rows, not the city: the facts say which dates have no service.
    """
    spatial = spatial or SpatialSection()
    pool = matrix_pool(places[places["place_id"].isin(nearest["place_id"])], spatial.pool_size)
    daily_rows, covered = [], []
    for day in sorted(set(spatial.trip_dates)):
        running = service_on(day, services, departures)
        running = running[running["stop_id"].isin(stops["stop_id"])]
        if len(running):
            covered.append(day)
            daily_rows.append(nearest_served_stop(pool, stops, running))
    verdict = feed_covers_the_trip_dates(covered, spatial.trip_dates)
    columns = [column.name for column in PlaceServedStop.columns()]
    rows = pd.concat(daily_rows)[columns] if daily_rows else pd.DataFrame(columns=columns)
    return Outcome(rows, facts={"feed_covers_the_trip_dates": verdict.holds, "found": verdict.finding})
