"""The TripCraft family's own tables (what a trip may use) and the record of a task.

How a row is looked up belongs in `reference.py`; how a plan is written and read belongs in `plan.py`.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, NotRequired, TypedDict

from schemas.table import Field, Table

LENGTHS = (3, 5, 7)
"""Days of a trip (paper, section 1.A of our facts)."""

VISITED_CITIES: dict[int, int] = {3: 1, 5: 2, 7: 3}
"""Cities a trip of each length visits; those of longer trips lie in one region (1.A)."""

LEVELS = ("easy", "medium", "hard")

CATEGORY_DURATION_H: dict[str, float] = {
    "Boat Tours & Water Sports": 3.5,
    "Casinos & Gambling": 2.5,
    "Classes & Workshops": 1.5,
    "Concerts & Shows": 2.5,
    "Food & Drink": 2.5,
    "Fun & Games": 1.5,
    "Museums": 3.0,
    "Nature & Parks": 4.5,
    "Nightlife": 2.5,
    "Outdoor Activities": 4.0,
    "Shopping": 1.5,
    "Sights & Landmarks": 3.0,
    "Spas & Wellness": 2.0,
    "Water & Amusement Parks": 5.0,
    "Zoos & Aquariums": 2.5,
}
"""Hours a visit takes, for each of the fifteen attraction categories (paper, 1.A)."""

SEGMENTS = ("Sports", "Arts & Theatre", "Music", "Film")
"""Kinds of event (1.A)."""

QUERY_CUISINES = ("Chinese", "American", "Italian", "Mexican", "Indian", "Mediterranean", "French")
"""The seven cuisines a query may ask for (1.D)."""

HOUSE_RULES = ("No parties", "No smoking", "No children under 10", "No pets", "No visitors")
"""What a stay may forbid (1.A)."""

FORBIDDEN_BY: dict[str, str] = {
    "parties": "No parties",
    "smoking": "No smoking",
    "children under 10": "No children under 10",
    "visitors": "No visitors",
    "pets": "No pets",
}
"""What a query may ask to be permitted, and the house rule that forbids it (1.D)."""

ROOM_TYPES = ("shared_room", "private_room", "entire_home")

ROOM_TYPES_MEETING: dict[str, tuple[str, ...]] = {
    "shared room": ("shared_room",),
    "not shared room": ("private_room", "entire_home"),
    "private room": ("private_room",),
    "entire room": ("entire_home",),
}
"""The room types that meet each request; `entire room` is an entire home (defect T6)."""

TRANSPORT_REQUESTS = ("no flight", "no self-driving")

NO_VEHICLE = "no vehicle"
"""A request that no trip meets and no draft makes: of a world of trains alone, it shows that requests are judged."""

EXCLUDED_BY: dict[str, tuple[str, ...]] = {
    "no flight": ("flight",),
    "no self-driving": ("self_driving",),
    NO_VEHICLE: ("flight", "train", "coach", "self_driving", "taxi"),
}
"""What may be asked of the transport, and the modes that it excludes."""

CONSTRAINTS = ("house_rule", "cuisine", "room_type", "transportation", "event", "attraction")
"""The six local constraints of a record (1.D); the budget is the seventh hard constraint."""

PERSONA: dict[str, tuple[str, ...]] = {
    "Traveler Type": ("Laidback Traveler", "Adventure Seeker"),
    "Purpose of Travel": ("Relaxation", "Adventure", "Cultural Exploration", "Nature"),
    "Spending Preference": ("Luxury Traveler", "Economical Traveler"),
    "Location Preference": ("Beaches", "Mountains", "Cities", "Wildlife/Forest"),
}
"""The four persona components and their values (1.D; the sampler and some strings are inferred [I])."""


WISHES: dict[str, tuple[Any, ...]] = {
    "house_rule": tuple(FORBIDDEN_BY),
    "cuisine": tuple([cuisine] for cuisine in QUERY_CUISINES),
    "room_type": tuple(ROOM_TYPES_MEETING),
    "transportation": (*TRANSPORT_REQUESTS, NO_VEHICLE),
    "event": tuple([segment] for segment in SEGMENTS),
    "attraction": tuple([category] for category in CATEGORY_DURATION_H),
}
"""What each constraint may ask."""

DATES_OF_ANOTHER_LENGTH = (["2026-01-01"], [f"2026-01-{day:02}" for day in range(1, 31)])
"""Dates of no trip's length: where nothing of a world is dated, a plan holds on any other date."""


class Constraints(TypedDict):
    """The local constraints of a task; null where the query asks for nothing."""

    house_rule: Annotated[str | None, Field("What must be permitted.", holds="ours")]
    cuisine: Annotated[list[str] | None, Field("Cuisines, each served at least once.", holds="ours")]
    room_type: Annotated[str | None, Field("What the room must be.", holds="ours")]
    transportation: Annotated[str | None, Field("`no flight` or `no self-driving`.", holds="ours")]
    event: Annotated[list[str] | None, Field("Kinds of event, each attended at least once.", holds="ours")]
    attraction: Annotated[list[str] | None, Field("Categories, each visited at least once.", holds="ours")]


class Record(TypedDict):
    """What a query asks for, by ids; `export.py` turns it into the published labels and plan names."""

    origin_city_id: Annotated[str, Field("Where the trip starts and ends.")]
    dest_city_id: Annotated[str | None, Field("The one city of a 3-day trip; null for longer trips.")]
    dest_region: Annotated[str, Field("Region of the cities to visit.", holds="ours")]
    dest_country: Annotated[str, Field("Its country, ISO 3166-1 alpha-2.", holds="ours")]
    days: Annotated[int, Field("3, 5 or 7.", holds="ours")]
    visiting_city_number: Annotated[int, Field("Cities to visit: 1, 2 or 3.", holds="ours")]
    dates: Annotated[list[str], Field("Consecutive ISO dates, one a day.", holds="ours")]
    people: Annotated[int, Field("People in the party.", holds="ours")]
    constraints: Constraints
    budget: Annotated[int, Field("For the whole party, in the release's currency.", holds="derived")]
    level: Annotated[str, Field("easy, medium or hard.", holds="ours")]
    persona: Annotated[dict[str, str], Field("Component of the persona to its value.", holds="ours")]


class Drawing(TypedDict):
    """How a record was drawn."""

    attempt: Annotated[int, Field("Draws of this slot that were dropped before.", holds="ours")]
    greedy_cost: NotRequired[
        Annotated[
            int, Field("What a greedy plan costs that the budget is set below; null where none is.", holds="derived")
        ]
    ]
    published_id: NotRequired[Annotated[str, Field("Id of the published task that it is; null of a draw.")]]
    edits: NotRequired[Annotated[int, Field("Fields that differ from the published task.", holds="ours")]]
    why: NotRequired[Annotated[str, Field("Why it was mended, with the defect's id; may be empty.", holds="ours")]]


class PlanDay(TypedDict):
    """One day of a plan, keys in the published order."""

    days: Annotated[int, Field("The day's number, from 1.", holds="ours")]
    current_city: str
    transportation: str
    breakfast: str
    attraction: str
    lunch: str
    dinner: str
    accommodation: str
    event: str
    point_of_interest_list: str


class ProvenMove(TypedDict):
    """How one leg is travelled."""

    mode: Annotated[str, Field("flight, train, coach, self_driving or taxi.", holds="ours")]
    origin_city_id: str
    dest_city_id: str
    date: Annotated[str, Field("ISO date.", holds="ours")]
    flight_number: Annotated[str | None, Field("Number of the flight, train or coach; null for a drive.")]
    cost: Annotated[int, Field("Of the whole party.", holds="derived")]


class ProvenStay(TypedDict):
    """Where the party sleeps in one city."""

    city_id: str
    place_id: str
    rooms: Annotated[int, Field("Rooms that hold the party.", holds="derived")]
    cost_per_night: Annotated[int, Field("Of all rooms.", holds="derived")]


class ProvenItem(TypedDict):
    """One entry of a day: a place, what for, and when, minutes from midnight."""

    city_id: str
    place_id: str
    slot: Annotated[str, Field("Meal, part of the day, or `stay`.", holds="ours")]
    start_min: Annotated[int, Field("Minutes from midnight.", holds="ours")]
    end_min: Annotated[int, Field("Minutes from midnight.", holds="ours")]


class ProvenEvent(TypedDict):
    """One event attended."""

    city_id: str
    event_id: str


class Ways(TypedDict):
    """Ways between places of a day: found by a router, or estimated."""

    routed: Annotated[int, Field("Ways that a router found.", holds="derived")]
    estimated: Annotated[int, Field("Ways estimated from the geodesic.", holds="derived")]


class Proof(TypedDict):
    """What a witness is made of, what it costs and scores, and its remark."""

    cities: Annotated[list[str], Field("The cities visited, in order.", holds="ours")]
    moves: list[ProvenMove]
    stays: list[ProvenStay]
    days: list[list[ProvenItem]]
    events: list[list[ProvenEvent]]
    cost: Annotated[int, Field("Of the whole trip and party.", holds="derived")]
    is_proven_best: Annotated[bool, Field("Whether the solver showed that nothing suits better.", holds="ours")]
    remark: Annotated[str, Field("Why the plan is as it is.")]
    metrics: Annotated[dict[str, float | None], Field("The published metrics; null where undefined.", holds="derived")]
    budget_slack: Annotated[int, Field("Budget less cost.", holds="derived")]
    ways_in_town: Ways


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
    times_s: list[float] = Field(
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
