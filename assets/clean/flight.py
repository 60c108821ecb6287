"""Flights between the recipe's cities, from BTS's and TravelPlanner's files: timed and numbered.

Files are read in batches, and no text is kept: a flight takes about fifty bytes until it is written, and a rejected
row twenty, so that the ten million flights that numbers suffice for stay below a gigabyte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assets.step import Outcome, RawFile, distinct_files
from schemas.recipe import City
from sources.flights.values import MISSING, code_text

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


def flights(
    on_time: list[RawFile],
    travelplanner: list[RawFile],
    city_airport: pd.DataFrame,
    *,
    cities: list[City],
) -> Outcome:
    """Return every flight between two of the cities, and each other row of the files with the reason.

    A flight whose airports serve several cities is offered for each pair, and counts in `rows_in` as often. One that
    its source does not price has no price. Raises SourceError for a file that is not what its role promises,
    or for more flights than there are numbers.
    """
    from assets.clean.flight_ends import AirportEnds, NameEnds
    from assets.clean.flight_offers import Offers
    from assets.clean.flight_rows import OfferFile
    from sources.flights import bts
    from sources.published import travelplanner as published

    zones = sorted({*(city.time_zone for city in cities), *city_airport["time_zone"].tolist()})
    offers = Offers(zones)
    airports = AirportEnds(city_airport, cities, zones)
    for file in distinct_files(on_time):
        source, batches = bts.on_time(file)
        offers.begin(OfferFile(source, code_text, names_airports=True, currency=None))
        for batch in batches:
            offers.add(batch, airports.of(batch))
    by_name = NameEnds(cities, zones)
    for file in distinct_files(travelplanner):
        source, names, batches = published.flights(file)
        offers.begin(OfferFile(source, names.names.__getitem__, names_airports=False, currency=published.CURRENCY))
        for batch in batches:
            offers.add(_under_bts_names(batch), by_name.of(batch, names))
    return offers.outcome(cities)


def _under_bts_names(batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return TravelPlanner's columns under the names that BTS's have."""
    import numpy as np

    absent = np.full(len(batch["record"]), MISSING)
    ends = {"origin": batch["origin_name"], "dest": batch["dest_name"]}
    return {**batch, **ends, "carrier": absent, "number": absent, "planned_dep": absent, "air": absent}
