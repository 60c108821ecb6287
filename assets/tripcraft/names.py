"""How plans name cities and places, so that the published readers can cut the names out of a plan's text again.

A city's **plan name** is its name where the release has one city of that name; else name and region ("Bloomington IN"),
then name, region and country, then name and city_id. It holds no comma, semicolon or parenthesis, because the published
readers cut names at those (defect T13). The choice is declared in every release.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable


def plan_text(name: str) -> str:
    """Return a name as plans write it: one line, no invisible characters, and a comma for each semicolon.

    The published grammar separates items with semicolons and knows no escape.
    """
    shown = "".join(" " if ch.isspace() else ch for ch in name if ch.isspace() or unicodedata.category(ch)[0] != "C")
    return re.sub(r"\s+", " ", shown.replace(";", ",")).strip(" ,")


LEVELS = (("name",), ("name", "region"), ("name", "region", "country"), ("name", "city_id"))
"""What tells a city from its namesakes: the first of these that no other city shares."""


def plan_city(parts: Iterable[str]) -> str:
    """Return the plan name that is made of these parts of a city's identity, empty ones left out."""
    return re.sub(r"\s+", " ", re.sub(r"[,;()]", " ", plan_text(" ".join(p for p in parts if p)))).strip()


def city_plan_names(cities: Iterable[tuple[str, str, str, str]]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return each city's plan name, unique (defect T13), and what it is made of.

    Takes (city_id, name, region, country).
    """
    rows = [dict(zip(("city_id", "name", "region", "country"), row, strict=True)) for row in sorted(cities)]
    forms = {row["city_id"]: [plan_city(row[part] for part in parts) for parts in LEVELS] for row in rows}
    names: dict[str, str] = {}
    made_of: dict[str, tuple[str, ...]] = {}
    for level in range(4):
        uses = Counter(form[level].casefold() for city_id, form in forms.items() if city_id not in names)
        taken = {name.casefold() for name in names.values()}
        for city_id, form in forms.items():
            free = uses[form[level].casefold()] == 1 and form[level].casefold() not in taken and form[level]
            if city_id not in names and (free or level == 3):
                names[city_id], made_of[city_id] = form[level], LEVELS[level]
    return {city_id: (name, made_of[city_id]) for city_id, name in names.items()}
