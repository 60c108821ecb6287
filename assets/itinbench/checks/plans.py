"""Reading a plan in the family's native JSON, whatever a planner wrote: what is not a place counts as missing.

{"index" or "task_id", "plan": {"itinerary": [{"days", "breakfast", "morning_attractions": [], "lunch",
"afternoon_attractions": [], "dinner", "night_attractions": [], "accommodation"}]}}, each place {"name", "address"};
or the plan alone, {"itinerary": …}, as certificates keep it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from schemas.shown import in_few_words

MEALS = ("breakfast", "lunch", "dinner")
VISITS = ("morning_attractions", "afternoon_attractions", "night_attractions")

Named = tuple[str, str]
NOBODY: Named = ("-", "-")
"""The published spelling of a missing place."""


@dataclass(frozen=True)
class PlanDay:
    """One day as the plan names it: meals and visits in the published order of slots, each a name and an address."""

    meals: tuple[Named, ...]
    visits: tuple[tuple[Named, ...], ...]
    stay: Named


def plan_key(raw: Any) -> str | None:
    """Return the id of the task that the plan answers: its `task_id`, else its `index`; None if it has neither."""
    if not isinstance(raw, dict):
        return None
    for field in ("task_id", "index"):
        value = raw.get(field)
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            return str(value)
    return None


def read_plan(raw: Any, *, carry_stay: bool) -> tuple[list[PlanDay], list[str]]:
    """Return the plan's days, and a note for everything in it that is not what the format says.

    With `carry_stay` a missing stay is the previous day's, as the published extraction of plans has it.
    """
    notes: list[str] = []
    itinerary = _itinerary(raw)
    if not isinstance(itinerary, list):
        return [], [f"no itinerary: plan.itinerary is {in_few_words(itinerary)}, expected a list of days"]
    days: list[PlanDay] = []
    for number, entry in enumerate(itinerary, 1):
        if not isinstance(entry, dict):
            notes.append(f"day {number} is {in_few_words(entry)}, expected an object")
            entry = {}
        meals = tuple(_place(entry.get(slot), f"day {number} {slot}", notes) for slot in MEALS)
        visits = tuple(_places(entry.get(slot), f"day {number} {slot}", notes) for slot in VISITS)
        stay = _place(entry.get("accommodation"), f"day {number} accommodation", notes)
        if stay == NOBODY and carry_stay and days and days[-1].stay != NOBODY:
            stay = days[-1].stay
            notes.append(f"day {number} accommodation is missing: the previous day's is carried forward")
        days.append(PlanDay(meals, visits, stay))
    return days, notes


def day_labels(raw: Any) -> list[Any]:
    """Return what the plan calls its days, in their order; None for one that it does not call."""
    itinerary = _itinerary(raw)
    entries = itinerary if isinstance(itinerary, list) else []
    return [entry.get("days") if isinstance(entry, dict) else None for entry in entries]


def _itinerary(raw: Any) -> Any:
    plan = raw.get("plan", raw) if isinstance(raw, dict) else None
    return plan.get("itinerary") if isinstance(plan, dict) else None


def named_places(plan: Any) -> list[str]:
    """Return the names of the places that a plan goes to, as it writes them."""
    days, _ = read_plan(plan, carry_stay=False)
    places = [place for day in days for place in (*day.meals, *(p for visits in day.visits for p in visits), day.stay)]
    return [name for name, address in places if (name, address) != NOBODY]


def _places(value: Any, where: str, notes: list[str]) -> tuple[Named, ...]:
    if not isinstance(value, list):
        notes.append(f"{where} is {in_few_words(value)}, expected a list of places")
        return ()
    return tuple(_place(item, f"{where} {i}", notes) for i, item in enumerate(value, 1))


def _place(value: Any, where: str, notes: list[str]) -> Named:
    """Return the place's name and address; NOBODY, with a note, for what is no place."""
    if not isinstance(value, dict):
        notes.append(f"{where} is {in_few_words(value)}, expected a place with name and address")
        return NOBODY
    name, address = value.get("name"), value.get("address")
    if not isinstance(name, str) or not name.strip():
        notes.append(f"{where}: name is {in_few_words(name)}, expected text")
        return NOBODY
    if not isinstance(address, str):
        notes.append(f"{where}: address is {in_few_words(address)}, expected text")
        address = "-"
    return name, address
