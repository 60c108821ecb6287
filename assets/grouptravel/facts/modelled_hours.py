"""When a place is open of which no source says: modelled by its kind and country, and marked `"basis": "modelled"`.

The mark stands in the structure of hours itself, so that it goes wherever the hours go: tables, exports, tools. The
hours are ours [I], usual ones of a kind; countries differ by when people eat, shop, and rest.
"""

from __future__ import annotations

from typing import Any

from assets.grouptravel.facts.kinds import kinds_of

MODELLED, FROM_DARK = "modelled", "known, from 18:00"
"""What hours rest on, where that is not a source alone."""

DARK, SMALL_HOURS = "18:00", "06:00"

WEEK = (1, 2, 3, 4, 5, 6, 7)
Window = tuple[str, str]

SIGHTS: dict[str, tuple[Window, ...]] = {
    "museum": (("10:00", "18:00"),), "theatre": (("18:00", "23:00"),), "park": (("06:00", "22:00"),),
    "zoo": (("09:00", "18:00"),), "theme park": (("10:00", "19:00"),), "spa": (("10:00", "20:00"),),
    "shopping": (("10:00", "19:00"),), "amusement": (("12:00", "23:00"),), "casino": (("18:00", "24:00"),),
    "nightlife": (("18:00", "24:00"),), "brewery": (("15:00", "22:00"),), "landmark": (("09:00", "18:00"),),
    "boat tour": (("10:00", "18:00"),), "tour": (("10:00", "17:00"),), "workshop": (("10:00", "18:00"),),
    "outdoor activity": (("09:00", "19:00"),),
    **dict.fromkeys(("public art", "memorial", "monument", "fountain", "viewpoint", "beach"), (("00:00", "24:00"),)),
}  # fmt: skip
ANY_SIGHT = (("09:00", "18:00"),)

MEALS: dict[str, tuple[Window, ...]] = {
    "cafe": (("07:30", "18:00"),), "bakery": (("07:00", "18:00"),), "fast food": (("07:00", "22:00"),),
    "ice cream": (("11:00", "21:00"),), "pub food": (("11:00", "23:00"),), "brunch": (("07:30", "15:00"),),
    "sandwiches": (("07:30", "19:00"),), "tea": (("08:00", "19:00"),), "juice": (("08:00", "19:00"),),
    "kebab": (("10:30", "23:00"),),
}  # fmt: skip
ANY_MEAL = (("11:00", "22:00"),)

NOON_AND_EVENING: dict[str, tuple[Window, ...]] = {
    **dict.fromkeys(("ES", "AR", "UY"), (("13:00", "16:00"), ("20:00", "23:30"))),
    **dict.fromkeys(("PT", "GR", "CY"), (("12:30", "15:30"), ("19:00", "23:30"))),
    **dict.fromkeys(("IT", "MT", "SM", "VA", "HR", "BR"), (("12:00", "15:00"), ("19:00", "23:00"))),
    **dict.fromkeys(("FR", "MC", "BE", "LU", "CH", "LI"), (("11:30", "14:30"), ("18:30", "22:30"))),
    **dict.fromkeys(("JP", "KR"), (("11:00", "14:30"), ("17:00", "22:00"))),
}  # fmt: skip
"""Where restaurants close between the two meals."""

FROM_BREAKFAST_ON = frozenset({"CN", "HK", "MO", "TW", "VN", "TH", "LA", "KH", "MM", "SG", "MY", "ID", "PH", "IN", "LK",
                               "BD", "NP", "PK", "MX", "GT", "EG", "US", "CA"})  # fmt: skip
"""Where ordinary restaurants serve breakfast too."""
ALL_DAY = (("07:00", "22:00"),)

CLOSED_ON: dict[str, dict[str, tuple[int, ...]]] = {
    "museum": dict.fromkeys(
        ("AT", "BE", "CH", "DE", "DK", "ES", "FI", "GR", "HU", "IT", "JP", "KR", "LI", "NL", "PL", "PT", "SE", "CN"),
        (1,),
    ),
    "shopping": dict.fromkeys(("AT", "BE", "CH", "DE", "FR", "GR", "LI", "LU", "MC", "NO"), (7,)),
}
"""Weekdays, 1 Monday, on which a kind is usually closed, by country."""


def modelled_hours(poi_type: str, category: str, country: str) -> dict[str, Any] | None:
    """Return the usual hours of a kind in a country, in the published structure and marked; None for a stay.

    A window until midnight ends at 24:00, so that no rule reaches into the next day.
    """
    if poi_type == "hotels":
        return None
    kinds = kinds_of(category)
    if poi_type == "food":
        usual = ALL_DAY if country in FROM_BREAKFAST_ON else NOON_AND_EVENING.get(country, ANY_MEAL)
        windows = next((MEALS[kind] for kind in kinds if kind in MEALS), usual)
    else:
        windows = next((SIGHTS[kind] for kind in kinds if kind in SIGHTS), ANY_SIGHT)
    closed = {day for kind in kinds for day in CLOSED_ON.get(kind, {}).get(country, ())}
    return {
        "always_open": False,
        "rules": [
            {
                "date_range": None,
                "weekdays": [day for day in WEEK if day not in closed],
                "time_windows": [{"open": opens, "close": closes} for opens, closes in windows],
            }
        ],
        "basis": MODELLED,
    }


def after_dark(hours: dict[str, Any]) -> dict[str, Any]:
    """Return known hours of nightlife, every key of the table filled in, as they count: from 18:00 on, and marked so.

    What is open by day alone is then always closed, and so are the dates of which no rule says anything: a bar of one
    season would else be open at noon in the others.
    """
    if hours.get("always_open") is True:
        return {"always_open": False, "rules": [_rule(None, list(WEEK), [(DARK, "24:00")])], "basis": FROM_DARK}
    rules = []
    for rule in hours["rules"]:
        windows = [(window["open"], window["close"]) for window in rule["time_windows"]]
        late = [
            (opens if closes <= SMALL_HOURS else max(opens, DARK), closes)
            for opens, closes in windows
            if closes > DARK or closes <= SMALL_HOURS or closes <= opens
        ]
        if late and rule["weekdays"]:
            rules.append(_rule(rule["date_range"], list(rule["weekdays"]), late))
        elif rule["date_range"] is not None:
            rules.append(_rule(rule["date_range"], [], [("00:00", "24:00")]))
    if all(rule["date_range"] is not None for rule in rules):
        rules.append(_rule(None, [], [("00:00", "24:00")]))
    return {"always_open": False, "rules": rules, "basis": FROM_DARK}


def _rule(span: dict[str, str] | None, weekdays: list[int], windows: list[Window]) -> dict[str, Any]:
    listed = [{"open": opens, "close": closes} for opens, closes in windows]
    return {"date_range": span, "weekdays": weekdays, "time_windows": listed}


def is_modelled(hours: Any) -> bool:
    """Return whether hours in the published structure are modelled and not a source's."""
    return isinstance(hours, dict) and hours.get("basis") == MODELLED
