"""The GroupTravelBench family's own tables: what its tasks are drawn from."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from schemas.table import Field, Table

POI_TYPES = ("attractions", "food", "hotels")
GENDERS = ("female", "male")
TIME_PATTERN = "([01][0-9]|2[0-3]):[0-5][0-9]"


class DateRange(TypedDict):
    """Dates of any year, over its end where the last comes before the first."""

    end: Annotated[str, Field("Last date, MM-DD.", holds="derived")]
    start: Annotated[str, Field("First date, MM-DD.", holds="derived")]


class TimeWindow(TypedDict):
    """Hours of a day."""

    close: Annotated[str, Field("Local HH:MM up to 24:00; not after `open` means the next day.", holds="derived")]
    open: Annotated[str, Field("Local HH:MM.", holds="derived")]


class HoursRule(TypedDict):
    """When a place is open on some weekdays of some dates."""

    date_range: DateRange | None
    time_windows: list[TimeWindow]
    weekdays: Annotated[
        list[int],
        Field("1 Monday to 7 Sunday; closed on one that no rule of its date lists.", holds="derived"),
    ]


class OpeningHours(TypedDict):
    """Opening hours in the published structure; the first rule that lists the day decides."""

    always_open: Annotated[bool, Field("Whether it never closes.", holds="derived")]
    basis: NotRequired[Annotated[str, Field("What they rest on where that is not a source alone.", holds="ours")]]
    rules: list[HoursRule]


class GroupPoi(Table):
    """A place as the published city lists have it: a name, a type, one category, opening hours."""

    city_id: str = Field("The city.", key=True)
    place_id: str = Field("Our stable id of the place.", key=True)
    name: str = Field("Name, as preferences and plans use it.", pattern=r"(?s).*\S.*")
    poi_type: str = Field("What the place is to a group.", isin=POI_TYPES, holds="ours")
    category: str = Field(
        "Category after the rules of the vocabulary; never empty.", pattern=r"(?s).*\S.*", holds="derived"
    )
    opening_hours: OpeningHours | None = Field(
        "Opening hours in the published structure, known or modelled as `basis` in it says; null if unknown.",
        holds="derived",
    )
    avg_cost: float | None = Field(
        "Price for one person, a meal or a night, in the city's currency, modelled where is_cost_modelled.",
        ge=0,
        holds="derived",
    )
    is_cost_modelled: bool = Field(
        "Whether avg_cost is the recipe's price of a level and not a known price.", holds="ours"
    )
    rank: int | None = Field(
        "Place in the city's list of its type, 1 the best known; null if nothing tells.", ge=1, holds="derived"
    )
    lat: float = Field("Latitude, WGS84 degrees.", ge=-90, le=90)
    lon: float = Field("Longitude, WGS84 degrees.", ge=-180, le=180)
    source_rows: list[str] = Field("Pointers to the source rows behind the values.")


class GroupFare(Table):
    """One timetabled service between two cities, with the price for one person."""

    origin_city_id: str = Field("From.", key=True)
    dest_city_id: str = Field("To.", key=True)
    mode: str = Field("How.", key=True, isin=("flight", "high_speed", "train"), holds="ours")
    dep_time: str = Field("Departure, local HH:MM.", key=True, pattern=TIME_PATTERN)
    arr_time: str = Field("Arrival, local HH:MM; not after the departure means the next day.", pattern=TIME_PATTERN)
    service: str = Field("The service's number or name, as the source has it.", key=True)
    price: float = Field(
        "Price for one person, in the section's currency; 0 says that it is unknown.", ge=0, holds="derived"
    )
    price_given: float = Field(
        "Price for one person as the source has it; 0 says that it is unknown.", ge=0, makes=("price",)
    )
    currency_given: str = Field("Currency of `price_given`, ISO 4217.", pattern="[A-Z]{3}", makes=("price",))
    rate_basis: str | None = Field(
        "What the rate rests on at which it was changed: the Big Mac index, an official peg or our rough estimate; "
        "null where it is given in the section's currency.",
        isin=("quoted", "pegged", "rough"),
        holds="ours",
    )
    is_price_modelled: bool = Field(
        "Whether price is of an ordinary day, and a day's is it times the day's factor.", holds="ours"
    )
    weekdays: list[int] = Field("Days it runs on, 1 Monday to 7 Sunday.")
    source_rows: list[str] = Field("Pointers to the source rows behind the values.")


class GroupRide(Table):
    """What one of so many people pays for a ride inside a city: a ticket, or a share of a taxi for up to four."""

    city_id: str = Field("The city.", key=True)
    mode: str = Field("How.", key=True, isin=("taxi", "transit"), holds="ours")
    people: int = Field(
        "How many ride together; of a ticket, whose price is the same for all, 1.", key=True, ge=1, le=8, holds="ours"
    )
    first: float = Field(
        "Price for one person with the first kilometre, in the section's currency.", ge=0, holds="derived"
    )
    per_km: float = Field("Price for one person of each further kilometre; 0 of a ticket.", ge=0, holds="derived")
    step: float = Field("What such prices are multiples of, after rounding.", ge=0, holds="ours")
    is_price_modelled: bool = Field("Whether the prices are modelled: price level times Big Macs.", holds="ours")
    price_level: str = Field(
        "What the price level rests on: both tables of sources, one of them, the currency's issuer, or our estimate.",
        isin=("both", "world_bank", "big_mac", "issuer", "rough", "median"),
        holds="ours",
    )
    country: str = Field("The country whose price level it is.", pattern="[A-Z]{2}", holds="ours")


class GroupClimate(Table):
    """What the weather of a city is usually like on a day of the year."""

    city_id: str = Field("The city.", key=True)
    month_day: str = Field(
        "Day of the year, MM-DD.", key=True, pattern="(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", holds="ours"
    )
    high_c: float = Field("Usual highest temperature, degrees Celsius.", ge=-90, le=60)
    low_c: float = Field("Usual lowest temperature, degrees Celsius.", ge=-90, le=60)
    rain_share: float = Field("Share of such days on which it rains or snows.", ge=0, le=1)
    condition: str = Field("What the day is like, in the source's word.", pattern=r"(?s).*\S.*")
    source_rows: list[str] = Field("Pointers to the source rows behind the values.")


class GroupCalendar(Table):
    """One day in one city on which a group may travel: whether it is a holiday, and what modelled fares cost on it."""

    city_id: str = Field("The city.", key=True)
    date: str = Field("The day, YYYY-MM-DD.", key=True, pattern="[0-9]{4}-[0-9]{2}-[0-9]{2}", holds="ours")
    weekday: int = Field("1 Monday to 7 Sunday.", ge=1, le=7, holds="ours")
    holiday: str | None = Field("The public holiday, by the `holidays` package; null on any other day.", holds="ours")
    fare_factor: float = Field(
        "What the modelled fare of a service that departs here on the day is times.", ge=0.01, holds="ours"
    )


class GroupProfile(Table):
    """An anonymous user, from whom the preferences of a group's member are drawn."""

    profile_id: str = Field("Our stable id of the profile.", key=True)
    age: int = Field("Years.", ge=0, le=120)
    gender: str = Field("Gender.", isin=GENDERS)
    is_married: bool = Field("Whether married.")
    is_parent: bool = Field("Whether a parent.")
    likes: list[str] = Field("Keywords of categories or names that are liked.")
    dislikes: list[str] = Field("Keywords of those that are not.")
    source_rows: list[str] = Field("Pointers to the source rows behind the values.")


class GroupCity(Table):
    """A city that groups can set out from or go to."""

    city_id: str = Field("The city.", key=True)
    name: str = Field("Its name in tasks and plans.", unique=True, pattern=r"(?s).*\S.*", holds="ours")
    tier: int = Field(
        "Weight with which it is drawn as a destination (3, 2 or 1); 0 for no destination.", ge=0, le=3, holds="derived"
    )
    is_departure: bool = Field("Whether groups set out from it.", holds="ours")
    lat: float = Field("Latitude of its middle, WGS84 degrees.", ge=-90, le=90, holds="ours")
    lon: float = Field("Longitude of its middle, WGS84 degrees.", ge=-180, le=180, holds="ours")


class GroupCluster(Table):
    """Adjacent cities that one trip can combine."""

    cluster_id: str = Field("The cluster.", key=True)
    city_ids: list[str] = Field("Its cities, in the order of a round trip.")
