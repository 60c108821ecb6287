"""Reading opening messages that somebody else wrote: which preferences a message reveals, and how strongly (G4).

Free text cannot be read for certain. A preference counts as revealed where its name, or its number beside the word for
what it caps, stands in the message: counts are of mentions, and examples are given to be looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from assets.grouptravel.wishes.preferences import STRONG, Item, Table, items_of

SOFT_WORDS = (
    "最好", "尽量", "可以的话", "如果可以", "有机会", "倾向", "比较想", "if possible", "ideally", "preferably",
    "would like", "would rather", "would prefer", "try to", "hopefully",
)  # fmt: skip
"""Words with a way out, which a must, a refusal or a cap has no use for."""

CAP_WORDS = {
    "avg_budget": ("预算", "元", "块", "人均", "budget", "spend", "cost", "eur", "usd", "cny"),
    "max_poi_per_day": ("景点", "地方", "sight", "attraction", "place"),
    "max_active_hours": ("小时", "hour"),
}
NUMERALS = {
    1: ("一", "one"), 2: ("两", "二", "two"), 3: ("三", "three"), 4: ("四", "four"), 5: ("五", "five"),
    6: ("六", "six"), 7: ("七", "seven"), 8: ("八", "eight"), 9: ("九", "nine"), 10: ("十", "ten"),
}  # fmt: skip

_CLAUSE = re.compile(r"[，。！？；!?;\n]|,(?!\d)|\.(?:\s|$)")

_MASK = "\ue000"
"""Stands for a name that holds a clause's end, while the message is split into clauses."""


def revealed(table: Table, message: str) -> Iterator[tuple[list[Item], str]]:
    """Yield each preference that the message mentions, with the clause it stands in.

    A name counts once, however many tiers and cities have it: these are the items yielded together.
    """
    clauses = _clauses(message)
    items_by_name: dict[tuple[str, Any], list[Item]] = {}
    for item in items_of(table):
        items_by_name.setdefault(("" if item.field.is_list else item.field.path[-1], item.value), []).append(item)
    for items in items_by_name.values():
        clause = _clause_of(items[0], message, clauses)
        if clause is not None:
            yield items, clause


def is_softened(items: list[Item], clause: str) -> bool:
    """Return whether what is strong wherever it stands is said in a clause that leaves a way out."""
    folded_clause = clause.casefold()
    return all(item.field.weight == STRONG for item in items) and any(word in folded_clause for word in SOFT_WORDS)


def _clause_of(item: Item, message: str, clauses: list[str]) -> str | None:
    if not item.field.is_list:
        return next((clause for clause in clauses if _caps(item.field.path[-1], item.value, clause)), None)
    item_text = str(item.value)
    if not _CLAUSE.search(item_text):
        return next((clause for clause in clauses if _names(item_text, clause)), None)
    if not _names(item_text, message):
        return None
    masked = re.sub(re.escape(item_text), _MASK, message, flags=re.IGNORECASE)
    return next(clause for clause in _clauses(masked) if _MASK in clause).replace(_MASK, item_text)


def _clauses(message: str) -> list[str]:
    return [clause.strip() for clause in _CLAUSE.split(message) if clause.strip()]


def _names(name: str, text: str) -> bool:
    """Return whether the text holds the name; a Latin one as whole words."""
    if name.isascii():
        return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, flags=re.IGNORECASE) is not None
    return name in text


def _caps(field: str, value: Any, clause: str) -> bool:
    folded_clause = clause.casefold()
    if not any(word in folded_clause for word in CAP_WORDS[field]):
        return False
    digits = f"{value:g}" if value < 1e5 else str(int(value))
    if re.search(rf"(?<![\d.]){re.escape(digits)}(?![\d.]*\d)", folded_clause.replace(",", "")):
        return True
    return value == int(value) and any(_names(numeral, folded_clause) for numeral in NUMERALS.get(int(value), ()))
