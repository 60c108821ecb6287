"""What a request asks for, read from its words: a record without ids, as far as words can say it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Mapping
from typing import Any

from assets.tripcraft.numbers import SIGNS
from assets.tripcraft.records import Record
from assets.tripcraft.rules import facts_of
from assets.tripcraft.vocabulary import QUERY_CUISINES, VISITED_CITIES
from schemas.regions import REGION_NAMES
from sources.cities.country_names import NAMES as COUNTRY_NAMES

_MONEY = re.compile(r"\d[\d,]*\s*([A-Z]{3})\b|\b([A-Z]{3})\s*\d")
_REGION = re.compile(r"\b(?:cities|towns|city|town) (?:in|of|across) ([^,;?!.]+)")


class UnreadError(Exception):
    """A request does not say what a trip needs to be planned; the text names it."""


def asked_of(query: str, persona: Mapping[str, str], cities: Mapping[str, str]) -> Record:
    """Return the record that a query states, by names. `cities` are those of the world, each with its state.

    Raises UnreadError naming all that the query leaves open.
    """
    # Tools tell codes of states and countries, requests their names, which anybody knows.
    codes = {
        name: code
        for code in sorted(set(cities.values()))
        for of_country in (COUNTRY_NAMES, *REGION_NAMES.values())
        if (name := of_country.get(code)) and name not in cities
    }
    spelt = {*cities, *codes, *(code for code in cities.values() if not code.isdigit())}
    names = sorted(spelt, key=lambda name: (-len(name), name))
    money = _MONEY.search(query)
    signed = next((code for code, sign in SIGNS.items() if sign in query), "")
    currency = (money[1] or money[2]) if money else signed
    facts = facts_of(query, names, codes, QUERY_CUISINES, currency)
    days, (origin, dest, region) = facts["days"], _ends(query, facts, cities)
    dates = _dates(facts["dates"], days)
    needed = {
        "days": days in VISITED_CITIES, "people": facts["people"], "budget": facts["budget"], "dates": dates,
        "origin": origin, "destination": dest if days == min(VISITED_CITIES) else region,
    }  # fmt: skip
    missing = [what for what, value in needed.items() if not value]
    if missing:
        raise UnreadError(f"the request says no {', '.join(missing)}")

    def only(what: str) -> Any:
        return facts[what][0] if len(facts[what]) == 1 else None

    constraints: Any = {name: only(name) for name in ("house_rule", "room_type", "transportation")}
    constraints |= {kind: facts[kind] or None for kind in ("cuisine", "event", "attraction")}
    return {
        "origin_city_id": origin, "dest_city_id": dest if days == min(VISITED_CITIES) else None,
        "dest_region": region, "dest_country": "", "days": days, "visiting_city_number": VISITED_CITIES[days],
        "dates": dates, "people": facts["people"], "budget": facts["budget"], "level": "", "persona": dict(persona),
        "constraints": constraints,
    }  # fmt: skip


def _ends(query: str, facts: Mapping[str, Any], cities: Mapping[str, str]) -> tuple[str, str, str]:
    """Return where the trip starts, its one destination, and the state of its destinations; empty where unknown."""
    origin = next((name for name in facts["origin"] if name in cities), "")
    others = [name for name in facts["places"] if name in cities and name != origin]
    dest = others[0] if len(others) == 1 else ""
    if dest:
        return origin, dest, cities[dest]
    return origin, "", _region(query, facts["places"], set(cities.values()))


def _region(query: str, places: Collection[str], states: Collection[str]) -> str:
    stated = [name for name in places if name in states]
    if len(stated) == 1:
        return stated[0]
    match = _REGION.search(query)
    words = match[1].split() if match else []
    prefixes = (" ".join(words[:n]) for n in range(len(words), 0, -1))
    return next((name for name in prefixes if name in states), "")


def _dates(ends: list[str], days: int | None) -> list[str]:
    """Return every date of the trip; nothing where the first and the last do not fit its length."""
    if not ends or not days:
        return []
    first, last = map(dt.date.fromisoformat, ends)
    if (last - first).days + 1 != days:
        return []
    return [(first + dt.timedelta(days=n)).isoformat() for n in range(days)]
