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

from schemas.regions import REGION_NAMES
from sources.cities.country_names import NAMES as COUNTRY_NAMES


def plan_text(name: str) -> str:
    """Return a name as plans write it: one line, no invisible characters, and a comma for each semicolon.

    The published grammar separates items with semicolons and knows no escape.
    """
    text = name.replace(";", ",")
    if not name.isprintable():  # else no sign of it is a control, a format or a blank other than a space
        characters = (ch for ch in text if ch.isspace() or unicodedata.category(ch)[0] != "C")
        text = "".join(" " if ch.isspace() else ch for ch in characters)
    return (re.sub(" +", " ", text) if "  " in text else text).strip(" ,")


def region_name(region: str, country: str) -> str:
    """Return a region as people call it: `NE` of the US is Nebraska, `LI` of LI Liechtenstein; else as it is."""
    name = REGION_NAMES.get(country, {}).get(region, region)
    return COUNTRY_NAMES.get(country, name) if name == country else name


def city_plan_names(cities: Iterable[tuple[str, str, str, str]]) -> dict[str, str]:
    """Return the plan name of each city, from (city_id, name, region, country); unique (defect T13)."""
    rows = sorted(cities)
    forms = {
        city_id: [
            re.sub(r"\s+", " ", re.sub(r"[,;()]", " ", plan_text(" ".join(p for p in parts if p)))).strip()
            for parts in ((name,), (name, region), (name, region, country), (name, city_id))
        ]
        for city_id, name, region, country in rows
    }
    names: dict[str, str] = {}
    for level in range(4):
        uses = Counter(form[level].casefold() for city_id, form in forms.items() if city_id not in names)
        names_in_use = {name.casefold() for name in names.values()}
        for city_id, form in forms.items():
            free = uses[form[level].casefold()] == 1 and form[level].casefold() not in names_in_use and form[level]
            if city_id not in names and (free or level == 3):
                names[city_id] = form[level]
    return names
