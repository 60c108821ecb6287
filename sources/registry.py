"""Every source in one list: what `tripwright sources` prints, tests loop over and recipes may bind."""

from __future__ import annotations

from schemas.source import Source
from sources import (
    airbnb,
    airports,
    cities,
    corrections,
    events,
    flights,
    group,
    gtfs,
    osm,
    prices,
    published,
    published_queries,
    travelplanner,
    tripadvisor,
    yelp,
)
from sources.invented.source import SOURCE as INVENTED

SOURCES: dict[str, Source] = {
    source.name: source
    for source in (
        yelp.SOURCE,
        published.SOURCE,
        published_queries.SOURCE,
        osm.SOURCE,
        gtfs.SOURCE,
        airbnb.SOURCE,
        tripadvisor.SOURCE,
        events.SOURCE,
        flights.SOURCE,
        travelplanner.SOURCE,
        airports.SOURCE,
        prices.SOURCE,
        cities.US_CITIES,
        cities.GEONAMES,
        group.SOURCE,
        corrections.SOURCE,
        INVENTED,
    )
}
