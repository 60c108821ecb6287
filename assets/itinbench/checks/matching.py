"""Entity matching: which place of the pool a plan means by a name and an address (published scorer, facts 2.F).

Belongs to the scorer. What a plan looks like is `plans.py`; what the places must satisfy is `ratios.py`.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from math import ceil
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

Variant = Literal["paper", "released", "ours"]
VARIANTS: tuple[Variant, ...] = ("paper", "released", "ours")

OUT_OF_POOL = -1
MISSING = -2

MIN_TOTAL_RATIO = 120
"""Name ratio + address ratio, 0 to 100 each, from which a place is meant (published)."""

MIN_NAME_RATIO = 60
"""`ours` also asks for this much of the name, or for all words of one name in the other: a street names no place."""

MAX_TEXT = 500
"""Longer names and addresses are cut: no listing has them, and a plan may not make the scorer slow."""


def ratio(text: str, listed: str) -> int:
    """Return the similarity of two texts, 0 to 100: difflib's ratio (Ratcliff and Obershelp), rounded, as published."""
    return round(100 * SequenceMatcher(None, text, listed).ratio())


class Matcher:
    """The pool of one city, ready for look-ups by name and address.

    Ties go to the lowest place_id, so the order of the pool's rows changes nothing (the released code takes the first
    row of its files).
    """

    def __init__(self, places: pd.DataFrame, variant: Variant = "ours") -> None:
        self.variant: Variant = variant
        self._resolutions: dict[tuple[str, str, str], str | int] = {}
        self._pool: dict[str, tuple[list[str], list[str], list[str]]] = {}
        self._exact: dict[str, dict[tuple[str, str], list[str]]] = {}
        for kind in ("stay", "restaurant", "attraction"):
            rows = places.loc[places["kind"] == kind].sort_values("place_id", kind="stable")
            ids = [str(v) for v in rows["place_id"]]
            names = [str(v).lower() for v in rows["name"]]
            addresses = [str(v).lower() for v in rows["address"]]
            self._pool[kind] = (ids, names, addresses)
            exact = self._exact.setdefault(kind, {})
            for place_id, name, address in zip(ids, names, addresses, strict=True):
                exact.setdefault((name, address), []).append(place_id)

    def resolve(self, kind: str, name: str, address: str) -> str | int:
        """Return the place_id meant, OUT_OF_POOL, or MISSING when both name and address are "-".

        Case does not matter, nor does the address after its first comma. One place of exactly that name and address is
        it; for attractions an equal name suffices; else the place with the highest name ratio + address ratio, if that
        is at least MIN_TOTAL_RATIO. `ours` differs in three points: an address listed with a comma is also compared
        whole, several attractions of one name (chains, defect I4) are told apart by their address, and a match needs
        MIN_NAME_RATIO of the name, or all words of the shorter name in the longer (`Amis` for `Amis Trattoria`).
        """
        if name == "-" and address == "-":
            return MISSING
        key = (kind, name[:MAX_TEXT].lower(), address[:MAX_TEXT].lower())
        if key not in self._resolutions:
            self._resolutions[key] = self._find(*key)
        return self._resolutions[key]

    def _find(self, kind: str, name: str, address: str) -> str | int:
        street = address.split(",")[0]
        for where in (address, street) if self.variant == "ours" else (street,):
            place_ids = self._exact[kind].get((name, where), [])
            if len(place_ids) == 1:
                return place_ids[0]
        place_id = self._closest(kind, name, street)
        return OUT_OF_POOL if place_id is None else place_id

    def _closest(self, kind: str, name: str, street: str) -> str | None:
        from rapidfuzz import fuzz

        ids, names, addresses = self._pool[kind]
        alike = [i for i, listed in enumerate(names) if kind == "attraction" and _is_same(name, listed)]
        if alike and (self.variant != "ours" or len(alike) == 1):
            return ids[alike[0]]
        strict = self.variant == "ours"
        best, best_total = None, MIN_TOTAL_RATIO - 1
        if alike:
            best, best_total = ids[alike[0]], -1
        for i in alike or range(len(ids)):
            # rapidfuzz counts the longest common subsequence, difflib only some common blocks: an upper bound, cheap
            at_most = ceil(fuzz.ratio(name, names[i])) + ceil(fuzz.ratio(street, addresses[i]))
            if at_most <= best_total:
                continue
            by_name = ratio(name, names[i])
            total = by_name + ratio(street, addresses[i])
            if total > best_total and (not strict or by_name >= MIN_NAME_RATIO or _words_shared(name, names[i])):
                best, best_total = ids[i], total
        return best


def _is_same(name: str, listed: str) -> bool:
    """Return whether the rounded ratio is 100, which long names reach with a letter of difference."""
    may_be = abs(len(name) - len(listed)) <= 0.01 * (len(name) + len(listed))
    return name == listed or (may_be and ratio(name, listed) == 100)


def _words_shared(name: str, listed: str) -> bool:
    """Return whether all words of one name are words of the other."""
    one, other = set(name.split()), set(listed.split())
    return bool(one and other) and (one <= other or other <= one)
