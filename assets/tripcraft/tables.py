"""The TripCraft family's own tables: what a trip may use.

How a row is looked up belongs in `reference.py`; how a plan is written and read belongs in `plan.py`.
"""

from __future__ import annotations

import datetime as dt

from assets.tripcraft.vocabulary import CATEGORY_DURATION_H, HOUSE_RULES, ROOM_TYPES, SEGMENTS
from schemas.table import Field, Table


class TripcraftCity(Table):
    """Every city a trip may start from or visit."""

    city_id: str = Field("The city.", key=True)
    name: str = Field("Its name; several cities may share one (defect T13).", pattern=r"(?s).*\S.*", holds="ours")
    plan_name: str = Field("Its name in plans, unique in the release.", pattern=r"(?s).*\S.*", holds="ours")
    region: str = Field("State, province or region; the country's code where it has none.", holds="ours")
    country: str = Field("ISO 3166-1 alpha-2.", holds="ours")
    time_zone: str = Field("IANA time zone.", holds="ours")
    currency: str = Field("ISO 4217 code of the money its people use.", holds="ours")


class TripcraftFlight(Table):
    """Every flight a trip may take: one row for each flight and date."""

    flight_number: str = Field("The published form: F and seven digits; unique.", key=True, holds="ours")
    origin_city_id: str = Field("City of departure.")
    dest_city_id: str = Field("City of arrival.")
    flight_date: dt.date = Field("Local date of departure, as moved into the trips' dates.", holds="derived")
    dep_time: str = Field(
        "Local time of departure, HH:MM.", pattern=r"([01]\d|2[0-3]):[0-5]\d", makes=("arr_day_offset", "elapsed_min")
    )
    arr_time: str = Field(
        "Local time of arrival, HH:MM.", pattern=r"([01]\d|2[0-3]):[0-5]\d", makes=("arr_day_offset", "elapsed_min")
    )
    arr_day_offset: int = Field("Local date of arrival minus that of departure, days.", ge=-1, le=2, holds="derived")
    elapsed_min: int = Field("Minutes from departure to arrival.", ge=1, holds="derived")
    distance_km: float = Field("Distance flown, kilometres.", ge=0)
    price: int = Field("One seat one way, in the reference's currency.", ge=0, holds="derived")
    price_given: float = Field("The price before it was converted, in `currency_given`.", ge=0, makes=("price",))
    currency_given: str = Field(
        "ISO 4217 code of the money that the price was given in.", pattern="[A-Z]{3}", makes=("price",)
    )
    is_modelled: bool = Field("Whether price or arrival come from a declared model, not from the source.", holds="ours")
    date_given: dt.date = Field(
        "Local date of departure in the source, before dates were moved.", makes=("flight_date",)
    )
    source_rows: list[str] = Field("Pointers to the source rows that the values came from.")


class TripcraftJourney(Table):
    """Every journey by train or coach that a trip may take: at most one change, one row for each date.

    `source_rows` lead, for each train or coach of the journey, to its calls in stop_times.txt where one gets on and
    off, its trip, its route, both stops and the calendar rows that say that it runs; last to the feed's time zone.
    """

    journey_number: str = Field("T (train) or C (coach) and seven digits; unique.", key=True, holds="ours")
    mode: str = Field("train or coach.", isin=("train", "coach"), makes=("price",))
    origin_city_id: str = Field("City of departure.", holds="derived")
    dest_city_id: str = Field("City of arrival.", holds="derived")
    journey_date: dt.date = Field("Local date of departure, as moved into the trips' dates.", holds="derived")
    trip_ids: list[str] = Field("GTFS trip_id of each train or coach, in order.")
    stops: list[str] = Field("Names of the stops where one gets on and off, in order.", makes=("distance_km",))
    dep_time: str = Field(
        "Local time of departure, HH:MM.", pattern=r"([01]\d|2[0-3]):[0-5]\d", makes=("arr_day_offset", "elapsed_min")
    )
    arr_time: str = Field(
        "Local time of arrival, HH:MM.", pattern=r"([01]\d|2[0-3]):[0-5]\d", makes=("arr_day_offset", "elapsed_min")
    )
    arr_day_offset: int = Field("Local date of arrival minus that of departure, days.", ge=-1, le=3, holds="derived")
    origin_time_zone: str = Field("IANA zone of the time of departure.", holds="ours")
    dest_time_zone: str = Field("IANA zone of the time of arrival.", holds="ours")
    elapsed_min: int = Field("Minutes from departure to arrival.", ge=1, holds="derived")
    distance_km: float = Field("Geodesic along the stops called at, kilometres, 1 decimal.", ge=0, holds="derived")
    price: int = Field("One seat one way, in the reference's currency, by the declared model.", ge=0, holds="derived")
    price_basis: str = Field("What the price level rests on that the model took.", holds="ours")
    is_modelled: bool = Field(
        "Whether the price comes from a declared model: always, no feed is read for it.", holds="ours"
    )
    service_date: dt.date = Field(
        "Service day of the first train or coach in its feed, before dates were moved: one of those of its calendar.",
        holds="derived",
    )
    source_rows: list[str] = Field("Pointers to the source rows that the values came from.")


class TripcraftRestaurant(Table):
    """Every restaurant a trip may eat at."""

    city_id: str = Field("The city.", key=True)
    place_id: str = Field("Our stable id of the place.", key=True)
    name: str = Field("Name.", pattern=r"(?s).*\S.*")
    avg_cost: int = Field("One meal for one person, in the reference's currency.", ge=0, holds="derived")
    cuisines: list[str] = Field("Cuisines served.")
    rating: float | None = Field("Mean rating, 0 to 5; null if unknown.", ge=0, le=5)
    lat: float = Field("Latitude, WGS84 degrees.", ge=-90, le=90)
    lon: float = Field("Longitude, WGS84 degrees.", ge=-180, le=180)
    opening_hours: str | None = Field("Opening hours in OpenStreetMap's grammar; null if unknown.")
    source_rows: list[str] = Field("Pointers to the source rows that the values came from.")


class TripcraftAttraction(Table):
    """Every attraction a trip may visit."""

    city_id: str = Field("The city.", key=True)
    place_id: str = Field("Our stable id of the place.", key=True)
    name: str = Field("Name.", pattern=r"(?s).*\S.*")
    categories: list[str] = Field(
        "One or more of the fifteen categories.", isin=tuple(CATEGORY_DURATION_H), holds="derived"
    )
    visit_duration_h: float = Field("Hours a visit takes: the mean over its categories.", ge=0, holds="derived")
    rating: float | None = Field("Mean rating, 0 to 5; null if unknown.", ge=0, le=5)
    address: str = Field("Street address, may be empty.")
    website: str = Field("Website, may be empty.")
    wikidata: str | None = Field("Wikidata's id of the place, where a map says it.", pattern=r"Q[1-9]\d*")
    is_passed_by: bool = Field("Whether one looks at it and walks on, by a map's tags: a sculpture.", holds="derived")
    lat: float = Field("Latitude, WGS84 degrees.", ge=-90, le=90)
    lon: float = Field("Longitude, WGS84 degrees.", ge=-180, le=180)
    opening_hours: str | None = Field("Opening hours in OpenStreetMap's grammar; null if unknown.")
    source_rows: list[str] = Field("Pointers to the source rows that the values came from.")


class TripcraftStay(Table):
    """Every stay a trip may sleep at."""

    city_id: str = Field("The city.", key=True)
    place_id: str = Field("Our stable id of the place.", key=True)
    name: str = Field("Name.", pattern=r"(?s).*\S.*")
    price: int = Field("One room for one night, in the reference's currency.", ge=0, holds="derived")
    price_given: float = Field("The price before it was converted, in `currency_given`.", ge=0, makes=("price",))
    currency_given: str = Field(
        "ISO 4217 code of the money that the price was given in.", pattern="[A-Z]{3}", makes=("price",)
    )
    is_modelled: bool = Field("Whether the price comes from the recipe's model, not from the source.", holds="ours")
    room_type: str = Field("What is let.", isin=ROOM_TYPES)
    house_rules: list[str] | None = Field("What is forbidden; null if unknown.", isin=HOUSE_RULES)
    unknown_rules: list[str] | None = Field("Rules neither laid down nor lifted; null if all.", isin=HOUSE_RULES)
    max_occupancy: int = Field("People one room holds.", ge=1)
    min_nights: int | None = Field("Fewest nights let; null if unknown.", ge=1)
    rating: float | None = Field("Mean rating, 0 to 5; null if unknown.", ge=0, le=5)
    lat: float = Field("Latitude, WGS84 degrees.", ge=-90, le=90)
    lon: float = Field("Longitude, WGS84 degrees.", ge=-180, le=180)
    source_rows: list[str] = Field("Pointers to the source rows that the values came from.")


class TripcraftEvent(Table):
    """Every event a trip may attend: one row for each event and date."""

    city_id: str = Field("The city.", key=True)
    event_id: str = Field("The provider's id of the event on that date.", key=True)
    name: str = Field("Name.", pattern=r"(?s).*\S.*")
    date: dt.date = Field("Local date.")
    date_given: dt.date = Field("Local date in the source, before dates were moved.", makes=("date",))
    segment: str = Field("Kind of event.", isin=SEGMENTS)
    address: str = Field("Street address, may be empty.")
    url: str = Field("Page of the event, may be empty.")
    source_rows: list[str] = Field("Pointers to the source rows that the values came from.")


class TripcraftNearestStop(Table):
    """The nearest transit stop of each place, as a plan names it."""

    city_id: str = Field("The city.", key=True)
    place_id: str = Field("The place.", key=True)
    stop_name: str = Field("The stop's name.")
    stop_lat: float = Field("The stop's latitude, WGS84 degrees.", ge=-90, le=90, makes=("distance_m",))
    stop_lon: float = Field("The stop's longitude, WGS84 degrees.", ge=-180, le=180, makes=("distance_m",))
    distance_m: float = Field("WGS84 geodesic, metres, two decimals.", ge=0, le=50_000, holds="derived")
    source_rows: list[str] = Field("Pointers to the source rows that the values came from.")


class TripcraftTownWays(Table):
    """How long the router says it takes from each place of a city to the others; no row where nothing was routed.

    The list runs over the same city's rows in the order of their `place_id`, the diagonal included.
    """

    city_id: str = Field("The city.", key=True)
    place_id: str = Field("The origin.", key=True)
    times_s: list[float | None] = Field(
        "Seconds to the place of each row of the city, in the order of `place_id`, by the fastest of the recipe's ways "
        "of travelling; null where no road leads.",
        holds="derived",
    )
    router: str = Field(
        "What computed them: engine, version, algorithm, profile and the extract's sha256.", holds="ours"
    )
    source_rows: list[str] = Field("Pointers to the source rows that say where the origin lies.")


class TripcraftCityDistance(Table):
    """The way by road between two cities; a pair without a row cannot be driven."""

    origin_city_id: str = Field("From.", key=True)
    dest_city_id: str = Field("To.", key=True)
    duration_min: float = Field("Minutes by car; a day (1,440) or more is no way to travel.", ge=0, holds="derived")
    distance_km: float = Field("Kilometres by car.", ge=0, holds="derived")


class TripcraftTerms(Table):
    """What the money of a release is, and what cars cost: one row."""

    currency: str = Field("ISO 4217 code of every price.", key=True, pattern="[A-Z]{3}", holds="ours")
    self_driving_per_km: float = Field("A car of one's own, for a kilometre.", ge=0, holds="ours")
    self_driving_seats: int = Field("People it holds.", ge=1, holds="ours")
    taxi_per_km: float = Field("A taxi, for a kilometre.", ge=0, holds="ours")
    taxi_seats: int = Field("People it holds.", ge=1, holds="ours")
