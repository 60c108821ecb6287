"""The native plan: how its texts are written and read back. Nothing here knows what exists or what is allowed.

A plan is a list of day objects of strings (1.D). Reading never raises, whatever it is given: what cannot be read is
kept as a problem, in words, for the checks to report. Dashes and the empty string all mean nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from schemas.clock import clock_face, minutes

MEALS = ("breakfast", "lunch", "dinner")

DAY_KEYS = ("transportation", *MEALS, "attraction", "accommodation", "event", "point_of_interest_list")
"""The eight keys that a day must have, beside `days` and `current_city` (1.F, check 10)."""

ScheduledMode = Literal["flight", "train", "coach"]
Mode = Literal["flight", "train", "coach", "self_driving", "taxi"]

SCHEDULED: tuple[ScheduledMode, ...] = ("flight", "train", "coach")
"""Ways that leave by a timetable, under a number of their own."""

OF_OTHERS = ("taxi", "self-driving", "flight")
"""Words by which the published evaluator tells modes wherever they stand in a text (1.F)."""

MAX_FIELD_CHARS = 10_000
"""A longer text is no plan's; reading it could take long."""

_TIME = r"([01]?\d|2[0-3]):([0-5]\d)"
_WHEN = rf"from (?P<start>{_TIME}) to (?P<end>{_TIME}|24:00)"
_VISIT = re.compile(rf"(?P<name>.+?),\s*(?P<verb>stay|visit) {_WHEN}\.?", re.DOTALL)
_TRANSIT = re.compile(r",\s*nearest transit:", re.IGNORECASE)
_METRES = re.compile(r"(\d+(?:\.\d+)?)\s*m\b.*", re.DOTALL)
_ROUTE = re.compile(r"\b[Ff]rom\s+(?P<both>.+?\s+to\s+[^,]+)", re.DOTALL)
NOTHING = ("", "-", "–", "—")
"""How a field or entry says that there is nothing, in any length of the dash."""
_CLOCK = {
    "departure": re.compile(rf"departure time:\s*{_TIME}", re.IGNORECASE),
    "arrival": re.compile(rf"arrival time:\s*{_TIME}", re.IGNORECASE),
}
_NUMBER = re.compile(r"(?:flight|train|coach) number:\s*([^,;]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NameCity:
    """A place or event as a field names it; `city` is empty where the text names none."""

    name: str
    city: str
    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a PoI list; minutes from the day's midnight, `end_min` past 1,440 where it lasts into the next day.

    `distance_m` is None where the text gives no number.
    """

    name: str
    verb: str
    start_min: int
    end_min: int
    stop_name: str | None
    distance_m: float | None
    text: str


@dataclass(frozen=True, slots=True)
class Transport:
    """A day's way between cities; what the text does not say is None."""

    mode: Mode | None
    flight_number: str | None
    routes: tuple[tuple[str, str], ...]
    dep_min: int | None
    arr_min: int | None
    text: str


@dataclass(frozen=True)
class Day:
    """One day of a plan, read: `fields` the raw texts, "" for nothing; `filled_count` native keys hold something."""

    fields: dict[str, str]
    filled_count: int
    missing: tuple[str, ...]
    routes: tuple[tuple[str, str], ...]
    transport: Transport | None
    meals: dict[str, NameCity]
    attractions: tuple[NameCity, ...]
    events: tuple[NameCity, ...]
    stay: NameCity | None
    items: tuple[Item, ...]
    problems: tuple[str, ...]

    @property
    def current_city(self) -> str:
        """Return the city text."""
        return self.fields["current_city"]

    @property
    def is_moving(self) -> bool:
        """Return whether the day is spent between two cities ("from A to B")."""
        return bool(self.routes)

    def items_named(self, name: str) -> list[Item]:
        """Return the PoI-list entries of exactly that name, in order."""
        return [item for item in self.items if item.name == name]


@dataclass(frozen=True)
class Plan:
    """A plan, read; `problems` tells what made it unreadable as a whole."""

    days: tuple[Day, ...] = ()
    problems: tuple[str, ...] = field(default=())


def name_city(name: str, city: str) -> str:
    """Return the text of a meal, attraction, event or stay."""
    return f"{name}, {city}"


def route_text(origin: str, dest: str) -> str:
    """Return the `current_city` text of a moving day."""
    return f"from {origin} to {dest}"


def flight_text(number: str, origin: str, dest: str, dep_min: int, arr_min: int) -> str:
    """Return the transport text of a flight (1.D)."""
    return scheduled_text("flight", number, origin, dest, dep_min, arr_min)


def scheduled_text(mode: ScheduledMode, number: str, origin: str, dest: str, dep_min: int, arr_min: int) -> str:
    """Return the transport text of a flight (1.D), and in the same words that of a train or coach."""
    times = f"Departure Time: {clock_face(dep_min)}, Arrival Time: {clock_face(arr_min)}"
    return f"{mode.capitalize()} Number: {number}, {route_text(origin, dest)}, {times}"


def drive_text(mode: Mode, origin: str, dest: str, duration_min: float, distance_km: float, cost: int) -> str:
    """Return the transport text of a drive; cost of one car (1.B)."""
    word = {"self_driving": "Self-driving", "taxi": "Taxi"}[mode]
    what = f"duration: {duration_min:g}, distance: {distance_km:g}, cost: {cost}"
    return f"{word}, {route_text(origin, dest)}, {what}"


def item_text(name: str, verb: str, start_min: int, end_min: int, stop_name: str, distance_m: float) -> str:
    """Return one entry of a PoI list (1.B)."""
    when = f"{verb} from {clock_face(start_min)} to {clock_face(end_min)}"
    return f"{name}, {when}, nearest transit: {stop_name}, {distance_m:.2f}m away"


def _without_digits(text: str) -> str:
    return re.sub("[0-9]", "0", text)


_SHAPES = tuple(_without_digits(item_text("", verb, 0, 0, "\n", 10_000.0)) for verb in ("visit", "stay"))


def stands_in_items(name: str) -> bool:
    """Return whether a name may stand in what an entry of a PoI list says of any place: its words, times, distance.

    The released evaluator times a meal by the first entry that holds its name, which for `19` is one at 19:00.
    """
    return any(_without_digits(name) in shape for shape in _SHAPES)


@lru_cache(maxsize=10_000)
def read_item(text: str) -> Item | str:
    """Return the PoI-list entry, or what is wrong with it.

    Names of places and stops may hold commas, and even the words of the grammar: the first place where the whole
    grammar fits before `nearest transit:` is taken.
    """
    entry = text.strip()
    cuts = [(m.start(), m.end()) for m in _TRANSIT.finditer(entry)] or [(len(entry), len(entry))]
    for head_end, tail_start in cuts:
        match = _VISIT.fullmatch(entry[:head_end].rstrip())
        if match is None:
            continue
        start, end = minutes(match["start"]), minutes(match["end"])
        stop, distance = _read_transit(entry[tail_start:])
        return Item(
            match["name"].strip(), match["verb"], start, end if end >= start else end + 1440, stop, distance, entry
        )
    return f"`{entry[:80]}` is not `<name>, visit|stay from HH:MM to HH:MM, nearest transit: <stop>, <metres>m away`"


def read_name_city(text: str) -> NameCity:
    """Return a field's name and city, cut at the last comma: city names hold none, place names may."""
    field_text = text.strip()
    name, comma, city = field_text.rpartition(",")
    return NameCity(name.strip(), city.strip(), text) if comma else NameCity(field_text, "", text)


def read_routes(text: str) -> tuple[tuple[str, str], ...]:
    """Return every way the text `from A to B` can be cut into A and B: city names may hold the word `to`."""
    match = _ROUTE.search(text)
    if match is None:
        return ()
    parts = re.split(r"\s+to\s+", match["both"])
    return tuple((" to ".join(parts[:i]).strip(), " to ".join(parts[i:]).strip()) for i in range(1, len(parts)))


def read_transport(text: str) -> Transport:
    """Return the day's transport; taxi is looked for first, then self-driving, then flight, as published, then ours."""
    lowered = text.lower()
    modes: tuple[tuple[str, Mode], ...] = (
        ("taxi", "taxi"),
        ("self-driving", "self_driving"),
        *((mode, mode) for mode in SCHEDULED),
    )
    head = lowered.split(" from ", 1)[0]
    mode: Mode | None = next((mode for word, mode in modes if word in head), None)
    number = _NUMBER.search(text)
    times = {key: pattern.search(text) for key, pattern in _CLOCK.items()}
    dep, arr = (int(m[1]) * 60 + int(m[2]) if m else None for m in (times["departure"], times["arrival"]))
    return Transport(mode, number[1].strip() if number else None, read_routes(text), dep, arr, text)


def read_plan(native: Any) -> Plan:
    """Return the plan read from its native form: a list of day objects. Never raises."""
    if not isinstance(native, list):
        return Plan(problems=(f"the plan is {type(native).__name__}, expected a list of days",))
    return Plan(tuple(_read_day(day) for day in native))


def _read_day(native: Any) -> Day:
    problems: list[str] = []
    if not isinstance(native, dict):
        problems.append(f"is {type(native).__name__}, expected an object")
        native = {}
    fields: dict[str, str] = {}
    for key in ("current_city", *DAY_KEYS):
        value = native.get(key)
        if value is not None and not isinstance(value, str):
            problems.append(f"`{key}` is {type(value).__name__}, expected text")
        field_text = value.strip() if isinstance(value, str) else ""
        if len(field_text) > MAX_FIELD_CHARS:
            problems.append(f"`{key}` has {len(field_text)} characters, expected at most {MAX_FIELD_CHARS}")
            field_text = ""
        fields[key] = "" if field_text in NOTHING else field_text
    items: list[Item] = []
    for part in _parts(fields["point_of_interest_list"]):
        item = read_item(part)
        if isinstance(item, Item):
            items.append(item)
        else:
            problems.append(item)
    return Day(
        fields=fields,
        filled_count=sum(1 for value in native.values() if value not in (None, *NOTHING, 0, False)),
        missing=tuple(key for key in DAY_KEYS if key not in native),
        routes=read_routes(fields["current_city"]),
        transport=read_transport(fields["transportation"]) if fields["transportation"] else None,
        meals={meal: read_name_city(fields[meal]) for meal in MEALS if fields[meal]},
        attractions=tuple(read_name_city(part) for part in _parts(fields["attraction"])),
        events=tuple(read_name_city(part) for part in _parts(fields["event"])),
        stay=read_name_city(fields["accommodation"]) if fields["accommodation"] else None,
        items=tuple(items),
        problems=tuple(problems),
    )


def _parts(text: str) -> list[str]:
    """Return the entries of a semicolon list as written, without empty ones."""
    return [part for part in text.split(";") if part.strip() not in (*NOTHING, ".")]


def _read_transit(text: str) -> tuple[str | None, float | None]:
    stop, comma, distance = text.strip().rpartition(",")
    if not comma:
        return text.strip() or None, None
    match = _METRES.fullmatch(distance.strip())
    return stop.strip(), float(match[1]) if match else None
