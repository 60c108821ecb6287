"""Plans that the published code has no score for: what its gate takes for no plan, and what it stops at."""

from __future__ import annotations

from typing import Any

from assets.grouptravel.plan import LEG

MALFORMED = "malformed"
"""What the gate before the scorers refuses: no list of days, or a first day without segments."""

PAID = ("food", "hotel", LEG)


def refusal(raw: Any) -> str | None:
    """Return MALFORMED, or the name of the exception that the published code ends with; None for what it scores."""
    if isinstance(raw, dict) and "days" not in raw and isinstance(raw.get("plan"), dict):
        raw = raw["plan"]
    days = raw.get("days") if isinstance(raw, dict) else None
    first = days[0] if isinstance(days, list) and days else None
    if not isinstance(days, list) or not isinstance(first, dict) or not first.get("city_segments"):
        return MALFORMED
    return next((stop for day in days if (stop := _stops(day)) is not None), None)


def _stops(day: Any) -> str | None:
    """Return what the published code raises at a day: it walks lists unlooked, and turns costs into numbers."""
    if not isinstance(day, dict):
        return AttributeError.__name__
    segments = day.get("city_segments", [])
    if not isinstance(segments, list):
        return TypeError.__name__
    for segment in segments:
        if not isinstance(segment, dict):
            return AttributeError.__name__
        if segment.get("type") != LEG and not isinstance(segment.get("activities", []), list):
            return TypeError.__name__
    entries = [entry for segment in segments for entry in (segment, *_activities(segment))]
    if not all(isinstance(entry, dict) for entry in entries):
        return AttributeError.__name__
    costs = [entry.get("avg_cost") for entry in entries if entry.get("type") in PAID]
    return next((stop for cost in costs if (stop := _stops_at_cost(cost)) is not None), None)


def _activities(segment: dict[str, Any]) -> list[Any]:
    """Return a segment's activities; a leg's, which nobody walks, may be no list."""
    activities = segment.get("activities")
    return activities if isinstance(activities, list) else []


def _stops_at_cost(cost: Any) -> str | None:
    if not cost:
        return None
    try:
        float(cost)
    except (TypeError, ValueError, OverflowError) as error:
        return type(error).__name__
    return None
