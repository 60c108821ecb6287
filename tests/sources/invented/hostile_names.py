"""What a name shows of each kind of dirt in names, whatever file it stands in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SHOWN_BY: dict[str, Callable[[str], bool]] = {
    "name_comma": lambda name: ", Sons," in name,
    "name_quote": lambda name: '"' in name,
    "name_html": lambda name: "<script>" in name,
    "name_emoji": lambda name: "\U0001f35c" in name,
    "name_rtl": lambda name: "\u202e" in name,
    "name_newline": lambda name: "\n" in name,
    "name_zero_width": lambda name: "\u200b" in name,
    "name_entity": lambda name: "&amp;" in name,
    "name_formula": lambda name: name.startswith("="),
    "name_sql": lambda name: "DROP TABLE" in name,
}


def hostile_names(name_of: Callable[..., Any]) -> dict[str, Callable[..., bool]]:
    """Return by kind whether what holds a name shows that dirt; `name_of` gives the name of what it is given."""

    def of(is_shown: Callable[[str], bool]) -> Callable[..., bool]:
        return lambda *row: is_shown(str(name_of(*row)))

    return {kind: of(is_shown) for kind, is_shown in SHOWN_BY.items()}
