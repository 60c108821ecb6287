"""What `ours` asks of every plan, as declared numbers: least stays, meals, the day, nights, transfers, caps.

The publication leaves these open, so that a plan without them can be worth anything: thirty visits of a minute, five
lunches, free moves. Where no source is named a number is our choice [I]; all of them are on the page of the family.
"""

from __future__ import annotations

from assets.grouptravel.facts.categories import ATTRACTIONS, TAGS

_LONG, _MIDDLE, _EVENING, _SHORT = 90, 60, 45, 30

_STAYS_EN = {
    **dict.fromkeys(("theatre", "zoo", "theme park", "boat tour", "workshop", "tour", "outdoor activity"), _LONG),
    **dict.fromkeys(("cinema", "concert hall", "water park"), _LONG),
    **dict.fromkeys(("museum", "spa", "amusement", "art gallery", "casino", "aquarium", "planetarium"), _MIDDLE),
    **dict.fromkeys(("sauna", "bowling alley", "escape room", "arts centre"), _MIDDLE),
    **dict.fromkeys(("nightlife", "brewery", "winery", "bar", "pub", "nightclub"), _EVENING),
}
LEAST_STAYS_MIN = {
    **_STAYS_EN,
    **{zh: _STAYS_EN[en] for en, zh in (*ATTRACTIONS.values(), *TAGS.values()) if en in _STAYS_EN},
    "啤酒厂": _EVENING,
}
"""Least minutes at a sight by category; of any other, a landmark, a park or a shop among them, LEAST_STAY_MIN."""

LEAST_STAY_MIN = _SHORT
MEAL_MIN = 45

MEAL_WINDOWS = ((8 * 60, 10 * 60 + 30), (11 * 60, 14 * 60 + 30), (17 * 60, 21 * 60))
"""First and last minute at which breakfast, lunch and dinner start; nobody eats twice in one of them."""

MEAL_GAP_MIN = 120
"""From the end of somebody's meal to the beginning of the next: late breakfasts and early lunches are no two meals."""

DAY = (8 * 60, 22 * 60)
CHILD_DAY = (8 * 60, 21 * 60)
"""Minutes of the day between which visits lie, and those that a small child joins."""

TRANSFER_MIN = 30
"""Between an arrival and the first visit, and between the last visit and a departure."""

AT_ONCE_MIN = 15
"""Teams that come to one place within so many minutes are not apart: no plan of ours sends them [I]."""

LATEST_ARRIVAL = 22 * 60 + 30

CAP_RANGES = {"max_poi_per_day": 4, "max_active_hours": 10}
"""The largest caps of published tables (3.D): as far as a compromise raises one."""


def least_stay_min(kind: str, category: str) -> int:
    """Return the least minutes of a visit: `kind` is attractions or food, `category` that of the place."""
    return MEAL_MIN if kind == "food" else LEAST_STAYS_MIN.get(category, LEAST_STAY_MIN)


def meal_of(start: int) -> int | None:
    """Return which meal starts at a minute of the day, 0 breakfast; None for none."""
    return next((n for n, (first, last) in enumerate(MEAL_WINDOWS) if first <= start <= last), None)
