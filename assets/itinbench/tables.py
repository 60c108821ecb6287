"""The ItinBench family's own tables: the pool of places its tasks draw from, and the record of a task."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from schemas.table import Field, Table

CUISINES = (
    "US", "Mexican", "Irish", "French", "Italian", "Greek", "Indian",
    "Chinese", "Japanese", "Korean", "Vietnamese", "Thai", "Asian Fusion", "Middle Eastern",
)  # fmt: skip
"""The fourteen cuisines a query may name (paper, section 2.D of our facts)."""

CUISINE_WORDS = {"US": "American", "Asian Fusion": "Asian fusion"}
"""Cuisines that running text spells in another way than the record."""

PRICES: dict[str, tuple[int, ...]] = {"cheap": (1, 2), "moderate": (1, 2, 3), "expensive": (2, 3, 4)}
"""Price levels (number of signs) that satisfy a budget word (paper)."""

US_CUISINE_LABELS = ("American", "American (New)", "American (Traditional)")
"""Yelp labels that count as the cuisine `US` (paper)."""


PREFIX = "wikivoyage:"
"""What the place_id of a guide's listing begins with."""


class Record(TypedDict):
    """What a query asks for, in our own vocabulary; `export.py` turns it into the published labels."""

    days: Annotated[int, Field("Days of the trip: 2, 3 or 4.", holds="ours")]
    price: Annotated[str, Field("Budget word, one of cheap, moderate, expensive.", holds="ours")]
    orientation: Annotated[str, Field("What attractions are oriented to; met by rating 2 or 3.", holds="ours")]
    cuisine: Annotated[str, Field("One of the fourteen cuisines.", holds="ours")]
    restaurant: Annotated[
        list[str], Field("1 to 3 attributes of restaurants; each met by rating 4 or 5.", holds="ours")
    ]
    hotel: Annotated[list[str], Field("1 to 3 attributes of the stay; each met by rating 4 or 5.", holds="ours")]
    most_walk_m: NotRequired[
        Annotated[int, Field("Metres a day's geodesic way from the stay and back may have.", holds="derived")]
    ]
    most_signs: NotRequired[
        Annotated[int, Field("Price signs that all places, the stay once, may have.", holds="derived")]
    ]


LIMITS = ("most_walk_m", "most_signs")
"""The fields of a record that only a hard one has."""


class Drawing(TypedDict):
    """How a record was drawn."""

    nominal: Annotated[Record, Field("The record that was drawn from the distributions.", holds="ours")]
    edits: Annotated[int, Field("Edits between the draw and the record.", holds="ours")]
    fewest_edits: Annotated[int, Field("The least that any repair of this draw has.", holds="ours")]
    why: Annotated[str, Field("Why the draw was not kept: what the pool lacks for it; empty if it was.")]


class NamedPlace(TypedDict):
    """A place as a plan names it."""

    name: Annotated[str, Field("Name.", holds="source")]
    address: Annotated[str, Field("Street address.", holds="source")]


class PlanDay(TypedDict):
    """One day of a plan, keys in the published order."""

    days: Annotated[str, Field("The day's number.", holds="ours")]
    breakfast: NamedPlace
    morning_attractions: list[NamedPlace]
    lunch: NamedPlace
    afternoon_attractions: list[NamedPlace]
    dinner: NamedPlace
    night_attractions: list[NamedPlace]
    accommodation: NamedPlace


class Plan(TypedDict):
    """A plan in the published form."""

    itinerary: list[PlanDay]


class PlaceIds(TypedDict):
    """The places of a witness by id: the stay, and what is visited and eaten day after day."""

    stay: Annotated[str, Field("The stay.", holds="ours")]
    attractions: Annotated[list[list[str]], Field("Attractions of each day.", holds="ours")]
    restaurants: Annotated[list[list[str]], Field("Restaurants of each day.", holds="ours")]


class Pools(TypedDict):
    """How many places match the record."""

    stay: int
    attraction: int
    restaurant: int


class ScorerTours(TypedDict):
    """The tours in the scorer's metric, which the witness follows."""

    unit: Annotated[str, Field("Thousandths of a degree.", holds="ours")]
    days_optimum: list[float]
    trip_optimum: float


class GeodesicTours(TypedDict):
    """The same tours on the WGS84 ellipsoid, beside the least ones."""

    unit: Annotated[str, Field("Metres.", holds="ours")]
    trip_m: float
    trip_optimum_m: float
    differs: bool
    optimum_days: Annotated[list[list[str]], Field("Attractions of each day of the least trip.", holds="ours")]


class Breakfasts(TypedDict):
    """Where breakfast is eaten."""

    days: int
    served: int
    offered_by: int
    statement: str


class Proof(TypedDict):
    """What is known of a witness beside its plan."""

    place_ids: PlaceIds
    pool: Pools
    scorer: ScorerTours
    geodesic: GeodesicTours
    breakfast: Breakfasts
    meals_known_as_served: dict[str, int]
    clusters: Annotated[dict[str, list[str]], Field("Clusters of the matching places, by place_id.", holds="derived")]


class ItinbenchPlace(Table):
    """Every place an ItinBench task of the city may use, with its ratings side by side."""

    city_id: str = Field("The city.", key=True)
    place_id: str = Field("Our stable id of the place.", key=True)
    kind: str = Field("What the place is used for.", key=True, isin=("stay", "restaurant", "attraction"), holds="ours")
    native_id: str = Field("The provider's id: the published files' `business_id`.")
    name: str = Field("Name.")
    address: str = Field("Street address, may be empty.")
    lat: float = Field("Latitude, WGS84 degrees.", ge=-90, le=90)
    lon: float = Field("Longitude, WGS84 degrees.", ge=-180, le=180)
    stars: float | None = Field("Mean rating shown by the provider, 1 to 5.", ge=1, le=5)
    price_level: int | None = Field("Number of price signs; null if unknown (meets no budget).", ge=1, le=4)
    cuisine_1: str = Field("First cuisine label of a restaurant; empty if none.")
    cuisine_2: str = Field("Second cuisine label of a restaurant; empty if none.")
    meals: list[str] = Field("Meals served, in the provider's order; empty if unknown.")
    flavor: int | None = Field("Restaurants: 1 to 5.", ge=1, le=5, holds="derived")
    freshness: int | None = Field("Restaurants: 1 to 5.", ge=1, le=5, holds="derived")
    service: int | None = Field("Restaurants and stays: 1 to 5.", ge=1, le=5, holds="derived")
    environment: int | None = Field("Restaurants: 1 to 5.", ge=1, le=5, holds="derived")
    value: int | None = Field("Restaurants: 1 to 5.", ge=1, le=5, holds="derived")
    quality: int | None = Field("Stays: 1 to 5.", ge=1, le=5, holds="derived")
    location: int | None = Field("Stays: 1 to 5.", ge=1, le=5, holds="derived")
    safety: int | None = Field("Stays: 1 to 5.", ge=1, le=5, holds="derived")
    family: int | None = Field("Attractions: 0 to 3.", ge=0, le=3, holds="derived")
    history: int | None = Field("Attractions: 0 to 3.", ge=0, le=3, holds="derived")
    activity: int | None = Field("Attractions: 0 to 3.", ge=0, le=3, holds="derived")
    nature: int | None = Field("Attractions: 0 to 3.", ge=0, le=3, holds="derived")
    food: int | None = Field("Attractions: 0 to 3.", ge=0, le=3, holds="derived")
    shopping: int | None = Field("Attractions: 0 to 3.", ge=0, le=3, holds="derived")
    source_rows: list[str] = Field("Pointers to the source rows behind the values.")
    generation_ids: list[str] = Field("The model calls behind the ratings; none where no model read the reviews.")


class ItinbenchContext(Table):
    """What a planner is given: the whole pool of a city, or the places that match one task, with clusters."""

    city_id: str = Field("The city.", key=True)
    task_id: str = Field("The task; empty for the context that all of the city's tasks share.", key=True)
    setting: str = Field(
        "`all_data` (published tasks 1 and 2), `filtered` (3) or `tool_clusters` (4).", key=True, holds="ours"
    )
    content: str = Field("The context as text, in the published form.")
