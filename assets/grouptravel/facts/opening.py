"""Opening hours in the published structure: when a place is open on a date, and whether a visit fits.

null, or {"always_open": bool, "rules": [{"date_range": {"start": "MM-DD", "end": "MM-DD"} or null, "weekdays": [1..7],
"time_windows": [{"open": "HH:MM", "close": "HH:MM"}]}]}, 1 = Monday (published benchmarks, 3.A).
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from assets.grouptravel.plan import MINUTES_PER_DAY, minutes
from assets.grouptravel.tables import HoursRule, OpeningHours
from assets.grouptravel.variants import OURS, Variant
from schemas.clock import clock_face

Window = tuple[int, int]
"""Opening and closing in minutes from the day's midnight; a closing after midnight is above 1,440."""

EVERY_DAY = (1, 2, 3, 4, 5, 6, 7)
CLOSED: dict[str, Any] = {}
"""The rule of a day on which nothing is open."""

_MONTH_DAY = re.compile(r"(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")


def read_opening(raw: Any) -> tuple[dict[str, Any] | None, list[str]]:
    """Return the hours if every part of them is as declared, else None, with every problem; null gives none."""
    if raw is None:
        return None, []
    if not isinstance(raw, dict):
        return None, [f"opening_hours is of type {type(raw).__name__}, expected an object or null"]
    problems: list[str] = []
    rules = raw.get("rules", [])
    if not isinstance(raw.get("always_open", False), bool):
        problems.append("always_open is not true or false")
    if not isinstance(rules, list):
        return None, [*problems, "rules is not a list"]
    for number, rule in enumerate(rules, 1):
        problems += [f"rule {number}: {problem}" for problem in _rule_problems(rule)]
    return (None, problems) if problems else (raw, [])


def typed_hours(hours: dict[str, Any] | None) -> OpeningHours | None:
    """Return hours that are as declared (`read_opening`) with every key of the table, those left out filled in."""
    if hours is None:
        return None
    rules: list[HoursRule] = []
    for rule in hours.get("rules", ()):
        span, windows = rule.get("date_range"), rule.get("time_windows", ())
        rules.append(
            {
                "date_range": {"end": span["end"], "start": span["start"]} if span else None,
                "time_windows": [{"close": window["close"], "open": window["open"]} for window in windows],
                "weekdays": [int(day) for day in rule.get("weekdays", EVERY_DAY)],
            }
        )
    typed: OpeningHours = {"always_open": hours.get("always_open", False), "rules": rules}
    return {**typed, "basis": str(hours["basis"])} if "basis" in hours else typed


def windows_on(hours: Any, date: dt.date, variant: Variant = OURS) -> list[Window] | None:
    """Return when it is open on a date, ascending; [] closed; None where nothing is known or it never closes.

    The first rule whose dates fit decides, and closes the weekdays it does not list (published). In ours a later
    rule for the same dates may open them: "Mo-Fr 9-17; Sa 10-14" are two rules.
    A rule without windows that can be read is passed over.
    """
    decided = _deciding_rule(hours, date, variant)
    return None if decided is None else sorted(_windows(decided.get("time_windows")))


def _deciding_rule(hours: Any, date: dt.date, variant: Variant) -> dict[str, Any] | None:
    """Return the rule that says when it is open on a date, CLOSED for none; None where nothing is known."""
    if not isinstance(hours, dict) or hours.get("always_open") is True:
        return None
    rules = hours.get("rules")
    is_closed = False
    for rule in rules if isinstance(rules, list) else ():
        if not isinstance(rule, dict) or not _covers(rule.get("date_range"), date):
            continue
        weekdays = rule.get("weekdays", EVERY_DAY)
        if isinstance(weekdays, (list, tuple)) and date.isoweekday() not in weekdays:
            if variant.first_rule_decides:
                return CLOSED
            is_closed = True
            continue
        if _windows(rule.get("time_windows")):
            return rule
    return CLOSED if is_closed else None


def is_open(hours: Any, date: dt.date, start: int, end: int, variant: Variant = OURS) -> bool | None:
    """Return whether a visit from `start` to `end` (minutes) lies in one window; None where nothing is known.

    A window that closes after midnight also serves the small hours of the next date. Windows that touch are one.
    """
    if variant.windows_stand_alone:
        return is_open_as_text(hours, date, clock_face(start), clock_face(end), variant)
    spans = open_spans(hours, date, variant)
    return None if spans is None else is_within(spans, start, end)


def is_open_as_text(hours: Any, date: dt.date, start: str, end: str, variant: Variant) -> bool | None:
    """Return whether a visit lies in one window, all times compared as text (released); None: nothing is known."""
    decided = _deciding_rule(hours, date, variant)
    if decided is None or not (start and end):
        return None
    windows = [window for window in decided.get("time_windows", ()) if _is_window(window)]
    return any(window["open"] <= start and end <= window["close"] for window in windows)


def open_spans(hours: Any, date: dt.date, variant: Variant = OURS) -> list[Window] | None:
    """Return when it is open on a date, the small hours after the night before included; None: nothing is known."""
    today = windows_on(hours, date, variant)
    if today is None:
        return None
    before = windows_on(hours, date - dt.timedelta(days=1), variant) if date > dt.date.min else None
    late = [(0, close - MINUTES_PER_DAY) for _, close in before or () if close > MINUTES_PER_DAY]
    return _joined([*late, *today])


def has_dates(hours: Any) -> bool:
    """Return whether some rule is not of every week of the year: without, a day of the week is like any other such."""
    rules = hours.get("rules") if isinstance(hours, dict) else None
    return (
        any(isinstance(rule, dict) and rule.get("date_range") for rule in rules) if isinstance(rules, list) else False
    )


def is_within(spans: list[Window], start: int, end: int) -> bool:
    """Return whether a visit lies in one of the spans."""
    return any(opens <= start and end <= closes for opens, closes in spans)


def _covers(span: Any, date: dt.date) -> bool:
    """Return whether the date lies in the range, which may run over the year's end; no range covers every date."""
    if not isinstance(span, dict) or not span:
        return True
    start, end, day = str(span.get("start", "01-01")), str(span.get("end", "12-31")), date.strftime("%m-%d")
    return start <= day <= end if start <= end else day >= start or day <= end


def _windows(listed: Any) -> list[Window]:
    windows = []
    for window in listed if isinstance(listed, list) else ():
        opens, closes = (
            (_minute(window.get(key)) for key in ("open", "close")) if isinstance(window, dict) else (None, None)
        )
        if opens is not None and closes is not None:
            windows.append((opens, closes if closes > opens else closes + MINUTES_PER_DAY))
    return windows


def _is_window(window: Any) -> bool:
    return isinstance(window, dict) and all(_minute(window.get(key)) is not None for key in ("open", "close"))


def _joined(windows: list[Window]) -> list[Window]:
    joined: list[Window] = []
    for opens, closes in sorted(windows):
        if joined and opens <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(closes, joined[-1][1]))
        else:
            joined.append((opens, closes))
    return joined


def _minute(text: Any) -> int | None:
    return MINUTES_PER_DAY if text == "24:00" else minutes(text)


def _rule_problems(rule: Any) -> list[str]:
    if not isinstance(rule, dict):
        return ["is not an object"]
    problems = []
    span, weekdays, windows = (
        rule.get("date_range"),
        rule.get("weekdays", list(EVERY_DAY)),
        rule.get("time_windows", []),
    )
    if span is not None and not (
        isinstance(span, dict) and all(_MONTH_DAY.fullmatch(str(span.get(key))) for key in ("start", "end"))
    ):
        problems.append(f"date_range {span!r:.60} is not MM-DD to MM-DD")
    if not isinstance(weekdays, list) or not all(day in EVERY_DAY and not isinstance(day, bool) for day in weekdays):
        problems.append(f"weekdays {weekdays!r:.60} are not numbers from 1 to 7")
    if not isinstance(windows, list) or len(_windows(windows)) != len(windows):
        problems.append(f"time_windows {windows!r:.60} are not all HH:MM to HH:MM")
    return problems
