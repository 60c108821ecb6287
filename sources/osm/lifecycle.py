"""What tags say of an element that is no longer, not yet, or not for visitors what its other tags call it.

Mappers say so in many ways (OpenStreetMap wiki, "Lifecycle prefix" and "Comparison of life cycle concepts"); what they
say of a part of the element, or of a ruin that people come to see, leaves it where it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sources.formats.closed_names import closed_by_name
from sources.osm.tags import PLACE_KEYS, STOP_TAGS, Classified, split_values

REMOVED = ("demolished", "razed", "removed", "destroyed")
GONE = (*REMOVED, "disused", "abandoned", "closed", "proposed", "planned", "construction")
"""Keys that, set to yes, say that the element is not, or not yet, what its other tags say."""

PREFIXES = (*GONE, "ruins", "was")
"""Before a key they say the same of its value: `disused:tourism=hotel` beside `tourism=hotel`."""

STATUS = ("closed", "abandoned", "demolished", "construction")
NO_BUILDING = ("construction", "ruins", "collapsed", "demolished")
CLOSED_TO_VISITORS = ("no", "private")
"""A canteen, a club's bar, a garden. A castle is seen from outside; of a hotel it is said of its drive."""
OUTDOORS = {"Sights & Landmarks", "Nature & Parks"}
"""TripCraft's categories of what may be in ruins, or where a building was: there is something to see all the same."""

FIRST_ENDED = 2005
"""An earlier `end_date` is not that of what was mapped: OpenStreetMap began in August 2004. It dates a building."""

NEVER_OPEN = re.compile(
    r'((24/7|mo-su|00:00-24:00|mo-su 00:00-24:00) +)?(off|closed)( *"[^"]*")?', re.IGNORECASE | re.DOTALL
)
"""Hours of what is closed on every day, with a remark or without (OpenStreetMap wiki, Key:opening_hours)."""


def why_gone(tags: Mapping[str, str], what: Classified | None = None) -> str:
    """Return the words that say that the element is gone, not there yet, or closed to visitors; "" if none do.

    `what` is the place that its tags make it, None for a stop.
    """
    return _by_key(tags) or (_by_use(tags, what) if what else "") or closed_by_name(tags.get("name", ""))


def _by_key(tags: Mapping[str, str]) -> str:
    reasons = [f"{key}=yes" for key in GONE if tags.get(key) == "yes"]
    reasons += [f"operational_status={tags['operational_status']}"] if tags.get("operational_status") in STATUS else []
    hours = tags.get("opening_hours", "").strip()
    reasons += [f"opening_hours={hours}"] if NEVER_OPEN.fullmatch(hours) else []
    reasons += [f"{key}={tags[key]}" for key in _repeated(tags)]
    return reasons[0] if reasons else ""


def _repeated(tags: Mapping[str, str]) -> list[str]:
    """Return the keys with a prefix that say of a value that is there too that it is not.

    One beside another name with that prefix is of what was there before: a restaurant where a restaurant was.
    """
    keys = dict.fromkeys((*PLACE_KEYS, *(key for key, _ in STOP_TAGS)))
    prefixes = [p for p in PREFIXES if tags.get(f"{p}:name", tags.get("name")) == tags.get("name")]
    values = {key: set(split_values(tags.get(key, ""))) for key in keys}
    return [
        f"{p}:{key}" for key in keys for p in prefixes if values[key] & set(split_values(tags.get(f"{p}:{key}", "")))
    ]


def _by_use(tags: Mapping[str, str], what: Classified) -> str:
    access = tags.get("access", "")
    if access in CLOSED_TO_VISITORS and what.kind != "stay" and "Sights & Landmarks" not in what.categories:
        return f"access={access}"
    if OUTDOORS & set(what.categories):
        return ""
    ended = re.match(r"([12][0-9]{3})\b", tags.get("end_date", ""))
    if ended and int(ended[1]) >= FIRST_ENDED:
        return f"end_date={tags['end_date']}"
    if tags.get("ruins") == "yes" or tags.get("building") in NO_BUILDING:
        return "ruins=yes" if tags.get("ruins") == "yes" else f"building={tags['building']}"
    removed = next((f"{prefix}:building" for prefix in REMOVED if f"{prefix}:building" in tags), "")
    return f"{removed}={tags[removed]}" if removed and "building" not in tags else ""
