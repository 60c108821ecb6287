"""ItinBench's plans in text: day blocks that name meals, attractions by time of day, and the stay (2.D)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from assets.itinbench.checks.plans import MEALS, VISITS
from assets.itinbench.plan_layout import read_layout
from assets.language.answers import Shape
from assets.language.plan_texts import Names, PlanText

ALIASES = {"morning": "morning_attractions", "morning_attraction": "morning_attractions",
           "afternoon": "afternoon_attractions", "afternoon_attraction": "afternoon_attractions",
           "night": "night_attractions", "evening": "night_attractions", "evening_attractions": "night_attractions",
           "night_attraction": "night_attractions", "hotel": "accommodation", "stay": "accommodation"}  # fmt: skip
FIELDS = (*MEALS, *VISITS, "accommodation")
FEWEST_FIELDS = 3

INSTRUCTIONS = """You copy a travel plan from text into JSON, day by day. You change, add and correct nothing.

For each day give breakfast, lunch, dinner and accommodation, each one place, and morning_attractions,
afternoon_attractions and night_attractions, each a list of places in the order of the text. A place is its name and its
street address, in the words of the text; where the text says none, name and address are "-", and a list is empty.

Answer in JSON: {"itinerary": [{"days": "1", "breakfast": {"name": text, "address": text}, …}, …]}"""


class TextPlace(Shape):
    """A place as the text names it."""

    name: str
    address: str


class TextDay(Shape):
    """One day as the text says it."""

    days: str
    breakfast: TextPlace
    morning_attractions: list[TextPlace]
    lunch: TextPlace
    afternoon_attractions: list[TextPlace]
    dinner: TextPlace
    night_attractions: list[TextPlace]
    accommodation: TextPlace


class TextPlan(Shape):
    """A plan as the text says it."""

    itinerary: list[TextDay]


def _native_plan(blocks: Mapping[int, Mapping[str, str]]) -> dict[str, Any] | None:
    """Return the native plan; None if a block has too few fields, or a place whose name and address cannot be told."""
    days = []
    for number, block in blocks.items():
        fields = {ALIASES.get(name, name): value for name, value in block.items()}
        if sum(name in FIELDS for name in fields) < FEWEST_FIELDS:
            return None
        day: dict[str, Any] = {"days": str(number)}
        for name in FIELDS:
            places = [_place(part) for part in fields.get(name, "").split(";") if part.strip(" -.")]
            if None in places or (name not in VISITS and len(places) > 1):
                return None
            day[name] = places if name in VISITS else places[0] if places else {"name": "-", "address": "-"}
        days.append(day)
    return {"itinerary": days}


def _place(text: str) -> dict[str, str] | None:
    """Return `Name (address)`, or `Name, address` where only one comma could divide them; else None."""
    place_text = text.strip().rstrip(".")
    bracketed = re.fullmatch(r"([^()]+?)\s*\(([^()]+)\)", place_text)
    if bracketed:
        return {"name": bracketed[1], "address": bracketed[2]}
    name, comma, address = place_text.partition(", ")
    return {"name": name, "address": address} if comma and "," not in address else None


def _names(plan: Any) -> Iterator[str]:
    itinerary = plan.get("itinerary") or []
    for day in itinerary:
        for name in FIELDS:
            value = day.get(name)
            for place in value if isinstance(value, list) else [value]:
                if isinstance(place, dict):
                    yield from (str(place[k]) for k in ("name", "address") if str(place.get(k, "-")).strip(" -"))


def _names_by_task(frame: Callable[[str], Any]) -> dict[str, Names]:
    """Return, by task, the names of its city's places by kind."""
    cities = {
        city_id: {str(kind): sorted(set(rows["name"])) for kind, rows in places.groupby("kind")}
        for city_id, places in frame("itinbench_place").groupby("city_id")
    }
    tasks = frame("tasks")
    return {task: cities.get(city, {}) for task, city in zip(tasks["task_id"], tasks["city_id"], strict=True)}


PLAN_TEXT = PlanText(
    read=_native_plan,
    is_plan=lambda value: isinstance(value, dict) and isinstance(value.get("itinerary"), list)
    and all(isinstance(day, dict) for day in value["itinerary"]),
    names=_names,
    shape=TextPlan,
    instructions=INSTRUCTIONS,
    native=lambda value: value.model_dump(),
    layout=read_layout,
    unwrapped=lambda value: value["plan"] if isinstance(value, dict) and "plan" in value else value,
    place_names_from=("itinbench_place", "tasks"),
    place_names=_names_by_task,
)  # fmt: skip
