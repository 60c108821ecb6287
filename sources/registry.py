"""Every source in one list: what `tripwright sources` prints, tests loop over and recipes may bind."""

from __future__ import annotations

from schemas.source import Source
from sources.airbnb import listings as airbnb
from sources.corrections import overrides as corrections
from sources.events import listings as events
from sources.flights import bts as flights
from sources.group import lists as group
from sources.gtfs import reader as gtfs
from sources.invented.source import SOURCE as INVENTED
from sources.labelled import sentences as labelled
from sources.numbeo import prices
from sources.openflights import airports
from sources.osm import extract as osm
from sources.overture import places as overture
from sources.prices import big_mac, world_bank
from sources.published import itinbench as published
from sources.published import queries as published_queries
from sources.published import travelplanner
from sources.tripadvisor import places as tripadvisor
from sources.wikivoyage import listings as wikivoyage
from sources.yelp import businesses as yelp

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
        world_bank.SOURCE,
        big_mac.SOURCE,
        group.SOURCE,
        wikivoyage.SOURCE,
        labelled.SOURCE,
        overture.SOURCE,
        corrections.SOURCE,
        INVENTED,
    )
}
