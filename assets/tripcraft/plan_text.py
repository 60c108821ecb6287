"""TripCraft's plans in text: day blocks with the native plan's own field names (1.D), values as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from assets.language.answers import Shape
from assets.language.plan_texts import PlanText
from assets.tripcraft.plan import DAY_KEYS

FIELDS = ("current_city", *DAY_KEYS)
ALIASES = {"attractions": "attraction", "events": "event", "poi_list": "point_of_interest_list",
           "point_of_interest": "point_of_interest_list", "points_of_interest": "point_of_interest_list",
           "hotel": "accommodation", "transport": "transportation", "city": "current_city"}  # fmt: skip
FEWEST_FIELDS = 3
"""A day with fewer of the native fields is prose that happens to hold colons."""

INSTRUCTIONS = """You copy a travel plan from text into JSON, day by day. You change, add and correct nothing.

For each day give: current_city (the city, or "from A to B" on a day of moving), transportation, breakfast, lunch,
dinner, attraction (several joined by ";"), accommodation, event, point_of_interest_list (entries joined by ";", such as
"Name, visit from 10:00 to 11:30, nearest transit: Stop, 98.06m away"). Write places as "Name, City". Use the words of
the text. What the text does not say is "-".

Answer in JSON: {"plan": [{"days": 1, "current_city": text, …}, …]}"""

_GRAMMAR = re.compile(
    r"\b(?:(?:flight|train|coach) number|from|to|departure time|arrival time|self-driving|taxi|duration|distance|cost|"
    r"visit|stay|nearest transit|m away|away)\b",
    re.IGNORECASE,
)


class TextDay(Shape):
    """One day as the text says it."""

    days: int
    current_city: str
    transportation: str
    breakfast: str
    attraction: str
    lunch: str
    dinner: str
    accommodation: str
    event: str
    point_of_interest_list: str


class TextPlan(Shape):
    """A plan as the text says it."""

    plan: list[TextDay]


def _native_plan(blocks: Mapping[int, Mapping[str, str]]) -> list[dict[str, Any]] | None:
    """Return the native plan; None if any block has too few of its fields, or one twice."""
    plan = []
    for number, block in blocks.items():
        fields = [(ALIASES.get(name, name), value) for name, value in block.items()]
        values_by_field = {name: value for name, value in fields if name in FIELDS}
        if len(values_by_field) < FEWEST_FIELDS or len(values_by_field) < sum(name in FIELDS for name, _ in fields):
            return None
        plan.append({"days": number, **{name: values_by_field.get(name) or "-" for name in FIELDS}})
    return plan


def _unwrapped(value: Any) -> Any:
    """Return the days of `{"plan": [day, …]}`, or of a mapping of the days in order, `{"Day 1": day, …}`."""
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("plan"), list):
        return value["plan"]
    keys = [re.fullmatch(r"day[ _-]?(\d+)", str(key), re.IGNORECASE) for key in value]
    numbers = [int(key[1]) for key in keys if key is not None]
    return list(value.values()) if numbers and numbers == list(range(1, len(value) + 1)) else value


def _is_plan(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(day, dict) and "current_city" in day and "transportation" in day for day in value)
    )


def _names(plan: Any) -> Iterator[str]:
    """Yield what lies between the grammar's own words, entry by entry: names, cities, times, numbers."""
    for day in plan:
        for name in FIELDS:
            value = day.get(name)
            for part in re.split(r"[;,:]|\s-\s", _GRAMMAR.sub(";", value if isinstance(value, str) else "")):
                if part.strip(" -."):
                    yield part.strip()


PLAN_TEXT = PlanText(
    read=_native_plan,
    is_plan=_is_plan,
    names=_names,
    shape=TextPlan,
    instructions=INSTRUCTIONS,
    unwrapped=_unwrapped,
    native=lambda value: [day.model_dump() for day in value.plan],
)
