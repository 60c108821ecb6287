"""The preference table of one user: its fields, tiers and weights, reading one from anywhere, and its atomic items.

The published shape (3.D) is kept as plain JSON. How a table is made belongs in `preference_tables.py`.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from assets.grouptravel.plan import is_finite_number
from schemas.counts import counted

STRONG, WEAK = 2, 1
"""Weights of must, reject, budget and intensity, and of prefer, avoid, category and hotel (3.D)."""

GLOBAL, CITIES = "global_constraints", "city_specific_preferences"


@dataclass(frozen=True)
class Field:
    """One field of a table: where it is, and what an item of it is worth when a plan meets it (sign and weight).

    `sign` is 1 for what is wanted, -1 for what is not, 0 for a cap. `rank` orders tiers from strong to weak.
    """

    path: tuple[str, ...]
    sign: int
    weight: int
    per_city: bool = False

    @property
    def name(self) -> str:
        """Return the path as the published markers write it; `*` stands for the city."""
        return ".".join((CITIES, "*", *self.path) if self.per_city else (GLOBAL, *self.path))

    @property
    def is_list(self) -> bool:
        """Return whether the field holds items; a cap is a number."""
        return self.sign != 0


FIELDS: tuple[Field, ...] = (
    Field(("avg_budget",), 0, STRONG),
    Field(("transport", "must"), 1, STRONG),
    Field(("transport", "prefer"), 1, WEAK),
    Field(("transport", "avoid"), -1, WEAK),
    Field(("transport", "reject"), -1, STRONG),
    Field(("intensity", "max_poi_per_day"), 0, STRONG),
    Field(("intensity", "max_active_hours"), 0, STRONG),
    Field(("hotel_preference", "prefer"), 1, WEAK),
    Field(("hotel_preference", "avoid"), -1, WEAK),
    Field(("attractions", "must_visit"), 1, STRONG, True),
    Field(("attractions", "reject_visit"), -1, STRONG, True),
    Field(("attractions", "category_pref", "positive"), 1, WEAK, True),
    Field(("attractions", "category_pref", "negative"), -1, WEAK, True),
    Field(("food", "must_eat"), 1, STRONG, True),
    Field(("food", "prefer_eat"), 1, WEAK, True),
    Field(("food", "avoid_eat"), -1, WEAK, True),
    Field(("food", "reject_eat"), -1, STRONG, True),
)

Table = dict[str, Any]
"""A preference table in the published shape."""


@dataclass(frozen=True)
class Item:
    """One atomic preference: a field, the city it is about (empty for a global one), and one item or number."""

    field: Field
    city: str
    value: Any

    @property
    def path(self) -> str:
        """Return the dotted path of the field that holds it."""
        return self.field.name.replace("*", self.city, 1) if self.field.per_city else self.field.name


def empty_table(cities: tuple[str, ...] = ()) -> Table:
    """Return a table of no preferences, with every list there is and caps of 0, which count as none."""
    table: Table = {GLOBAL: {}, CITIES: {city: {} for city in cities}}
    for field in FIELDS:
        for city in cities if field.per_city else ("",):
            put(table, field, city, [] if field.is_list else 0)
    return table


def get(table: Any, field: Field, city: str = "") -> Any:
    """Return what the table holds in the field; None where the way there is broken."""
    at = table
    for key in (CITIES, city, *field.path) if field.per_city else (GLOBAL, *field.path):
        at = at.get(key) if isinstance(at, dict) else None
    return at


def put(table: Table, field: Field, city: str, value: Any) -> None:
    """Set what the table holds in the field, making the objects on the way there."""
    *way, last = (CITIES, city, *field.path) if field.per_city else (GLOBAL, *field.path)
    at = table
    for key in way:
        at = at.setdefault(key, {})
    at[last] = value


def cities_of(table: Any) -> tuple[str, ...]:
    """Return the cities the table has preferences for, in its order."""
    cities = table.get(CITIES) if isinstance(table, dict) else None
    return tuple(cities) if isinstance(cities, dict) else ()


def items_of(table: Table) -> Iterator[Item]:
    """Yield the table's atomic preferences, as the paper counts them: every list item, every cap above 0."""
    for field in FIELDS:
        for city in cities_of(table) if field.per_city else ("",):
            field_value = get(table, field, city)
            if field.is_list:
                yield from (Item(field, city, value) for value in field_value or ())
            elif field_value:
                yield Item(field, city, field_value)


def unwrapped(entry: Any) -> Any:
    """Return the table inside {role, preference, compromisable}; a bare table is returned as it is."""
    return entry["preference"] if isinstance(entry, dict) and "preference" in entry else entry


def read_table(raw: Any) -> tuple[Table | None, list[str]]:
    """Return the table with every field present and of its type, and a problem for all that had to be left out.

    None where there is no table at all: neither global constraints nor city preferences.
    """
    raw_table = unwrapped(raw)
    if not isinstance(raw_table, dict) or not (GLOBAL in raw_table or CITIES in raw_table):
        return None, [f"no preference table: expected an object with {GLOBAL} or {CITIES}"]
    problems: list[str] = []
    cities = raw_table.get(CITIES)
    if cities is not None and not isinstance(cities, dict):
        problems.append(f"{CITIES} is of type {type(cities).__name__}, expected an object by city")
    table = empty_table(cities_of(raw_table))
    for field in FIELDS:
        for city in cities_of(raw_table) if field.per_city else ("",):
            field_value = get(raw_table, field, city)
            where = Item(field, city, None).path
            if field_value is None:
                continue
            if field.is_list:
                put(table, field, city, _items(field_value, where, problems))
            elif is_finite_number(field_value) and field_value >= 0:
                put(table, field, city, field_value)
            else:
                problems.append(f"{where} is {field_value!r:.40}, expected a number of at least 0")
    return table, problems


def copy_of(table: Table) -> Table:
    """Return a copy that shares nothing with the table."""
    return copy.deepcopy(table)


def _items(raw_items: Any, where: str, problems: list[str]) -> list[str]:
    if not isinstance(raw_items, list):
        problems.append(f"{where} is of type {type(raw_items).__name__}, expected a list")
        return []
    bad = [value for value in raw_items if not isinstance(value, str) or not value.strip()]
    if bad:
        problems.append(f"{where} holds {counted(len(bad), 'item')} other than text, such as {bad[0]!r:.40}")
    return [value for value in raw_items if isinstance(value, str) and value.strip()]
