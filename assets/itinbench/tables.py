"""The ItinBench family's own tables: the pool of places its tasks draw from, and the record of a task."""

from __future__ import annotations

from typing import TypedDict

from schemas.table import Field, Table
from schemas.task import Certificate, LineageEdge, NearestQuery, Task

CUISINES = (
    "US", "Mexican", "Irish", "French", "Italian", "Greek", "Indian",
    "Chinese", "Japanese", "Korean", "Vietnamese", "Thai", "Asian Fusion", "Middle Eastern",
)  # fmt: skip
"""The fourteen cuisines a query may name (paper, section 2.D of our facts)."""

PRICES: dict[str, tuple[int, ...]] = {"cheap": (1, 2), "moderate": (1, 2, 3), "expensive": (2, 3, 4)}
"""Price levels (number of signs) that satisfy a budget word (paper)."""

US_CUISINE_LABELS = ("American", "American (New)", "American (Traditional)")
"""Yelp labels that count as the cuisine `US` (paper)."""


class Record(TypedDict):
    """What a query asks for, in our own vocabulary; `export.py` turns it into the published labels."""

    days: int  # 2, 3 or 4
    price: str  # a key of PRICES
    orientation: str  # one of ATTRACTION_ORIENTATIONS; met by rating 2 (medium) or 3 (high)
    cuisine: str  # one of CUISINES
    restaurant: list[str]  # 1 to 3 of RESTAURANT_ATTRIBUTES; each met by rating 4 (good) or 5 (excellent)
    hotel: list[str]  # 1 to 3 of STAY_ATTRIBUTES; each met by rating 4 or 5


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


class ItinbenchDraft(Table):
    """One slot's record before it is worded: drawn from the published distributions, repaired where it had to be."""

    city_id: str = Field("The city.", key=True)
    task_id: str = Field("The task.", key=True)
    slot: int = Field("The task's slot in its city's set.", ge=0, holds="ours")
    record_json: str = Field("What the task will ask for, a Record.", holds="derived")
    nominal_json: str = Field("The Record that was drawn.", holds="derived")
    repairs_json: str = Field("Changes from the drawn record: [{field, from, to}].", holds="derived")
    attempt: int = Field("How many draws of this slot were dropped before.", ge=0, holds="ours")
    edits: int = Field("Edits between the draw and the record.", ge=0, holds="ours")
    why: str = Field("Why the draw was not kept; empty if it was.", holds="derived")


class ItinbenchTask(Task):
    """One ItinBench query with its record: preferences drawn from declared tables, no value of a place."""

    query: str = Field("The request in natural language.", pattern=r"(?s).*\S.*", holds="derived")
    record_json: str = Field("What the request asks for, a Record.", holds="derived")
    repairs_json: str = Field("Changes that made the drawn record satisfiable: [{field, from, to}].", holds="derived")


class ItinbenchCertificate(Certificate):
    """The witness of one ItinBench task: every preference met, every tour optimal, accepted by the checker."""


class ItinbenchContext(Table):
    """What a planner is given: the whole pool of a city, or the places that match one task, with clusters."""

    city_id: str = Field("The city.", key=True)
    task_id: str = Field("The task; empty for the context that all of the city's tasks share.", key=True)
    setting: str = Field(
        "`all_data` (published tasks 1 and 2), `filtered` (3) or `tool_clusters` (4).", key=True, holds="ours"
    )
    content: str = Field("The context as text, in the published form.")


class ItinbenchLineage(LineageEdge):
    """Where each value of an ItinBench task and certificate comes from."""


class ItinbenchNearestQuery(NearestQuery):
    """How alike an ItinBench query is to published ones and to the others of its city's set; in percent."""
