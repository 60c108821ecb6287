"""A trip that a published set asks for, under names as published, and as a record of a world that has these names."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic import Field as Key

from assets.tripcraft.names import region_name
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.vocabulary import CONSTRAINTS, FORBIDDEN_BY, ROOM_TYPES_MEETING, TRANSPORT_REQUESTS
from assets.tripcraft.vocabulary import VISITED_CITIES as VISITED
from schemas.stable import content_hash


class AskedConstraints(BaseModel):
    """What a published trip asks for; what it leaves open is left out."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    house_rule: str | None = Key(default=None, description="What must be permitted.")
    cuisine: list[str] | None = Key(default=None, description="Cuisines, each to be served.")
    room_type: str | None = Key(default=None, description="What the room must be.")
    transportation: str | None = Key(default=None, description="`no flight` or `no self-driving`.")
    event: list[str] | None = Key(default=None, description="Kinds of event.")
    attraction: list[str] | None = Key(default=None, description="Categories of attractions.")

    @model_validator(mode="after")
    def _uses_known_words(self) -> AskedConstraints:
        for name, words in (
            ("house_rule", FORBIDDEN_BY), ("room_type", ROOM_TYPES_MEETING), ("transportation", TRANSPORT_REQUESTS),
        ):  # fmt: skip
            value = getattr(self, name)
            if value is not None and value not in words:
                raise ValueError(f"{name}: found {value!r:.40}, expected one of {', '.join(words)}")
        return self


class AskedTrip(BaseModel):
    """A task that a published set asks: kept if the recipe's world can meet it, else mended, else retired."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    task_id: str = Key(description="The task's id in the published set.")
    origin: str = Key(description="Name of the city where the trip starts and ends.")
    dest: str = Key(description="Name of the city of a 3-day trip, or of the region of a longer one.")
    days: Literal[3, 5, 7] = Key(description="Days of the trip.")
    dates: list[str] = Key(description="Its dates as published, ISO.")
    people: int = Key(ge=1, description="People in the party.")
    budget: int = Key(ge=0, description="For the whole party.")
    level: Literal["easy", "medium", "hard"] = Key(description="Difficulty as published.")
    constraints: AskedConstraints = Key(default=AskedConstraints(), description="What else is asked.")
    persona: dict[str, str] = Key(default={}, description="Component of the persona to its value.")
    query: str = Key(description="The request as published; kept where it says the record and nothing else.")

    @property
    def asks(self) -> dict[str, Any]:
        """Return what tells it apart from other trips: as drawn ones, all but the persona, and not its words."""
        return self.model_dump(exclude={"task_id", "persona", "query"})


def resolved(trip: AskedTrip, world: Reference) -> Record | str:
    """Return the trip as a record of the world, its dates as published, or which of its names the world lacks."""
    origin, dest = world.city_named(trip.origin), None
    if origin is None:
        return f"the origin {trip.origin!r:.60} is no city of the recipe"
    if VISITED[trip.days] == 1:
        city = world.city_named(trip.dest)
        if city is None:
            return f"the destination {trip.dest!r:.60} is no city of the recipe"
        dest, region, country = city.city_id, city.region, city.country
    else:
        regions = {(c.region, c.country) for c in world.cities.values() if trip.dest in _names(c.region, c.country)}
        if len(regions) != 1:
            return f"the destination {trip.dest!r:.60} is the name of {len(regions)} regions of the recipe, not of one"
        region, country = regions.pop()
    wishes = trip.constraints.model_dump()
    constraints: Any = {name: wishes[name] or None for name in CONSTRAINTS}
    record: Record = {
        "origin_city_id": origin.city_id,
        "dest_city_id": dest,
        "dest_region": region,
        "dest_country": country,
        "days": trip.days,
        "visiting_city_number": VISITED[trip.days],
        "dates": list(trip.dates),
        "people": trip.people,
        "constraints": constraints,
        "budget": trip.budget,
        "level": trip.level,
        "persona": dict(trip.persona),
    }
    return record


def dates_of(first: str, days: int) -> list[str] | None:
    """Return so many consecutive dates from the first, ISO; None if that is no date."""
    try:
        start = dt.date.fromisoformat(first)
    except ValueError:
        return None
    return [str(start + dt.timedelta(days=n)) for n in range(days)]


def queries_of(asked_trips: Iterable[Mapping[str, Any]], world: Reference) -> dict[str, str]:
    """Return the published text of each trip that the world can name, by its record's hash; of equals the first's."""
    queries: dict[str, str] = {}
    for fields in asked_trips:
        trip = AskedTrip.model_validate(fields)
        record = resolved(trip, world)
        if not isinstance(record, str):
            queries.setdefault(content_hash(record), trip.query)
    return queries


def _names(region: str, country: str) -> tuple[str, str]:
    return region, region_name(region, country)
