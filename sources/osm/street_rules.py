"""Which OpenStreetMap ways the `graph` engine lets a traveller use, in which direction, and how fast.

Tag meanings are those of the OpenStreetMap wiki (Key:access, Key:oneway, Key:maxspeed); speeds are the defaults of the
OSRM profiles of the same name (version 26.10.0, `speeds`), so that the two engines differ in method and not in rules.
Turns, surfaces and traffic lights cost nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

KMH_PER_MPH = 1.609344
FORBIDDEN = ("no", "private", "agricultural", "forestry", "delivery")
YES, REVERSE, NO = ("yes", "true", "1"), ("-1", "reverse"), ("no", "false", "0")
_LIMIT = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*(km/h|mph)?")


@dataclass(frozen=True)
class StreetRules:
    """A way of travelling: the classes it may use with their speeds in km/h, and the tags that open or close a way."""

    speeds_kmh: Mapping[str, float]
    access_keys: tuple[str, ...]
    oneway_keys: tuple[str, ...]
    obeys_limits: bool


@dataclass(frozen=True)
class WayUse:
    """How a way may be used: speed in metres per second, and whether along and against its nodes' order."""

    speed_m_s: float
    is_open_forward: bool
    is_open_backward: bool


_FOOT = "primary primary_link secondary secondary_link tertiary tertiary_link unclassified residential living_street"
_FOOT += " service track path steps pedestrian platform footway pier"
_BICYCLE = "cycleway primary primary_link secondary secondary_link tertiary tertiary_link residential unclassified"
_BICYCLE += " living_street service"
_CAR = {
    "motorway": 90, "motorway_link": 45, "trunk": 85, "trunk_link": 40, "primary": 65, "primary_link": 30,
    "secondary": 55, "secondary_link": 25, "tertiary": 40, "tertiary_link": 20, "unclassified": 25, "residential": 25,
    "living_street": 10, "service": 15,
}  # fmt: skip

RULES = {
    "car": StreetRules(_CAR, ("motorcar", "motor_vehicle", "vehicle", "access"), ("oneway",), True),
    "foot": StreetRules(dict.fromkeys(_FOOT.split(), 5), ("foot", "access"), ("oneway:foot",), False),
    "bicycle": StreetRules(
        dict.fromkeys(_BICYCLE.split(), 15) | {"track": 12, "path": 13},
        ("bicycle", "vehicle", "access"),
        ("oneway:bicycle", "oneway"),
        False,
    ),
}


def use_of(tags: Mapping[str, str], rules: StreetRules) -> WayUse | None:
    """Return how the way may be used, or None if not at all. The most specific tag that is present decides."""
    speed_kmh = rules.speeds_kmh.get(tags.get("highway", ""))
    access = next((tags[key] for key in rules.access_keys if key in tags), "yes")
    if speed_kmh is None or access in FORBIDDEN or tags.get("area") == "yes":
        return None
    if rules.obeys_limits and (limit := _LIMIT.fullmatch(tags.get("maxspeed", ""))):
        posted = float(limit[1]) * (KMH_PER_MPH if limit[2] == "mph" else 1)
        speed_kmh = min(speed_kmh, posted) if posted > 0 else speed_kmh
    oneway = next((tags[key] for key in rules.oneway_keys if key in tags), "")
    if oneway not in YES + REVERSE + NO and "oneway" in rules.oneway_keys:
        implied = tags.get("junction") in ("roundabout", "circular") or tags["highway"] == "motorway"
        oneway = "yes" if implied else ""
    return WayUse(speed_kmh / 3.6, oneway not in REVERSE, oneway not in YES)
