"""What each city can support: every family's requirements, met or the reason why not, before anything is built.

What a family requires is declared by the family; what a city has is counted by the steps. This module only compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Requirement:
    """One thing a family needs of every city: how much of what, and what would give it."""

    family: str
    requirement: str
    needed: int
    noun: str
    remedy: str


def city_coverage(counts: Mapping[str, Mapping[str, int]], requirements: Iterable[Requirement]) -> pd.DataFrame:
    """Return a row for each city and requirement: is_met, needed, found, and the reason where it is not met.

    `counts` gives, for each city, how many it has of each requirement's name; what is not counted is 0.
    """
    rows = []
    wanted = sorted(requirements, key=lambda r: (r.family, r.requirement))
    for city_id in sorted(counts):
        for need in wanted:
            found = counts[city_id].get(need.requirement, 0)
            is_met = found >= need.needed
            reason = "" if is_met else f"found {found} {need.noun}, expected at least {need.needed}; {need.remedy}"
            rows.append((city_id, need.family, need.requirement, is_met, need.needed, found, reason))
    columns = ["city_id", "family", "requirement", "is_met", "needed", "found", "reason"]
    return pd.DataFrame(rows, columns=pd.Index(columns))
