"""The compromise protocol: which markers in a transcript change a user's table, and the effective tables they leave.

A marker `[dotted.path : JSON value]` on the last line of a user's message replaces one value of that user's table. It
counts only if the last message before it that others could see is the agent mentioning that user, and at most twice a
user (published benchmarks, 3.D). Paths that double a part or leave out the parent are repaired, as published.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from assets.grouptravel.conditions import CAP_RANGES
from assets.grouptravel.wishes.preferences import (
    CITIES,
    FIELDS,
    GLOBAL,
    Field,
    Table,
    cities_of,
    copy_of,
    get,
    put,
    unwrapped,
)
from schemas.json_lines import is_too_deep

QUOTA = 2
"""Compromises a user may agree to."""

AGENT = "Agent"

SILENCE = "[pass]"
"""What a user says who says nothing; it is not a message that others see."""

MAX_MARKER_CHARS = 2_000

_PATH = re.compile(r"[^\s\[\]:][^\[\]:]*")
_KNOWN = (GLOBAL, CITIES, *sorted({part for field in FIELDS for part in field.path}))


@dataclass(frozen=True)
class Marker:
    """A marker as written: its path and value, and the message without it."""

    path: str
    value: Any
    visible: str


@dataclass(frozen=True)
class Compromise:
    """One marker that was met: where it would change the user's table, and whether it did, or why not."""

    user: str
    path: str
    value: Any
    applied: bool
    why: str = ""


@dataclass(frozen=True)
class Effective:
    """The users' tables after the transcript, all markers in order, and how many each user has agreed to."""

    tables: dict[str, Any]
    compromises: tuple[Compromise, ...]
    used: dict[str, int]

    def is_compromisable(self, user: str) -> bool:
        """Return whether the user may still agree to a change."""
        return self.used.get(user, 0) < QUOTA


def read_marker(text: str) -> Marker | None:
    """Return the marker at the end of a message; None where there is none or its value cannot be read.

    A value that is no JSON but a bare word is that text; an unclosed list or object is closed (published repairs).
    """
    text = text.rstrip()
    line = text.rpartition("\n")[2][-MAX_MARKER_CHARS:]
    for at in (i for i, character in enumerate(line) if character == "["):
        path, colon, value_text = line[at + 1 : -1].partition(":")
        if not (colon and line.endswith("]") and _PATH.fullmatch(path.strip())):
            continue
        is_read, value = _value(value_text.strip())
        return Marker(path.strip(), value, text[: len(text) - len(line) + at].rstrip()) if is_read else None
    return None


def resolve_path(table: Table, path: str) -> tuple[str, ...] | None:
    """Return the way in the table that a path means, repaired; None if it leads nowhere.

    The way must end in something the table already holds: a compromise changes a preference, it invents no field.
    A city's name may hold dots.
    """
    parts = [_repaired(part) for part in path.split(".")]
    parts = [part for i, part in enumerate(parts) if i == 0 or part != parts[i - 1]]
    for parent in ((), (GLOBAL,), (CITIES,)):
        way = _walk(table, [*parent, *parts])
        if way is not None and way not in ((), (GLOBAL,), (CITIES,)):
            return way
    return None


def apply(entry: Any, marker: Marker, used: int, *, concessions_only: bool = False) -> tuple[Any, Compromise]:
    """Return the user's entry (or table) after the marker, a copy, and what came of it; the caller names the user.

    With `concessions_only` it must give something up (`is_concession`), and the user's entry must allow compromises:
    else a marker could wish for whatever a plan holds, and its worth would have no bound.
    """
    changed = copy_of(entry)
    table = unwrapped(changed)
    way = resolve_path(table, marker.path) if isinstance(table, dict) else None
    if used >= QUOTA:
        return changed, Compromise("", marker.path, marker.value, False, f"the user has already agreed {QUOTA} times")
    if way is None:
        return changed, Compromise("", marker.path, marker.value, False, "the path leads to no preference")
    at = table
    for part in way[:-1]:
        at = at[part]
    if concessions_only and not (is_able(entry, used) and is_concession(way, at[way[-1]], marker.value)):
        why = "the user does not compromise" if not is_able(entry, used) else "it gives nothing up"
        return changed, Compromise("", ".".join(way), marker.value, False, why)
    at[way[-1]] = marker.value
    if used + 1 >= QUOTA and isinstance(changed, dict) and "preference" in changed:
        changed["compromisable"] = False
    return changed, Compromise("", ".".join(way), marker.value, True)


def is_able(entry: Any, used: int) -> bool:
    """Return whether the task lets the user compromise; one who has begun to is able to go on."""
    return used > 0 or (isinstance(entry, dict) and entry.get("compromisable") is True)


def is_concession(way: tuple[str, ...], current_value: Any, value: Any) -> bool:
    """Return whether a value gives up something of what is held: fewer items of a list, a higher budget or cap.

    A cap of sights or hours rises at most to the largest of published tables, or to what it is.
    """
    if isinstance(current_value, list):
        return isinstance(value, list) and all(value.count(item) <= current_value.count(item) for item in value)
    if isinstance(current_value, bool) or not isinstance(current_value, (int, float)) or isinstance(value, bool):
        return False
    most = max(CAP_RANGES[way[-1]], current_value) if way[-1] in CAP_RANGES else math.inf
    return isinstance(value, (int, float)) and current_value <= value <= most and value < math.inf


def tables_restored_or_emptied(original_table: Table, conceded: Table) -> Iterator[Table]:
    """Yield the conceded table with each list that a compromise changed as it was or, of refusals, empty.

    By these the bounds count what compromises add (`witness/relaxed.py`). Anything else that lists without some items
    add comes of the order in which a name is looked for in them, and is no more than a user had or could have given up.
    """
    changes: list[list[tuple[Field, str, Any]]] = []
    for field in (field for field in FIELDS if field.is_list):
        for city in cities_of(conceded) if field.per_city else ("",):
            before = get(original_table, field, city)
            if before != get(conceded, field, city):
                emptied: list[tuple[Field, str, Any]] = [(field, city, [])] if field.sign < 0 else []
                changes.append([(field, city, before), *emptied])
    for combination in product(*changes):
        table = copy_of(conceded)
        for field, city, items in combination:
            put(table, field, city, items)
        yield table


def effective_tables(
    entries: Mapping[str, Any], transcript: Iterable[Any], *, concessions_only: bool = False
) -> Effective:
    """Return the tables that the messages of a transcript leave, from those it began with.

    A message is {"role", "content"}; roles other than the agent and the users (tools, systems) are not seen by others.
    A user whom the agent mentioned may answer until somebody else speaks. Nothing in a message is an error.
    """
    tables, used = dict(entries), dict.fromkeys(entries, 0)
    names = "|".join(re.escape(name) for name in sorted(entries, key=lambda name: (-len(name), name)))
    mention = re.compile(rf"@({names})(?![0-9])")
    compromises: list[Compromise] = []
    asked_user: str | None = None
    for message in transcript:
        role, text = (message.get("role"), message.get("content")) if isinstance(message, dict) else (None, None)
        if not isinstance(text, str) or text.strip() in ("", SILENCE):
            continue
        if role == AGENT:
            mentions = mention.findall(text) if names else []
            asked_user = mentions[-1] if mentions else None
        elif isinstance(role, str) and role in entries:
            marker = read_marker(text)
            if marker is not None and asked_user == role:
                tables[role], outcome = apply(tables[role], marker, used[role], concessions_only=concessions_only)
                compromises.append(Compromise(role, outcome.path, outcome.value, outcome.applied, outcome.why))
                used[role] += outcome.applied
            elif marker is not None:
                compromises.append(
                    Compromise(role, marker.path, marker.value, False, "the agent had not just asked this user")
                )
            asked_user = None
    return Effective(tables, tuple(compromises), used)


def _walk(table: Any, parts: list[str]) -> tuple[str, ...] | None:
    """Return the keys that the parts spell, where a key may be several parts joined by dots."""
    if not parts:
        return ()
    if not isinstance(table, dict):
        return None
    for key_length in range(1, len(parts) + 1):
        key = ".".join(parts[:key_length])
        if key in table:
            keys = _walk(table[key], parts[key_length:])
            if keys is not None:
                return (key, *keys)
    return None


def _repaired(part: str) -> str:
    return part if part in _KNOWN else next((key for key in _KNOWN if part.startswith(key + "_")), part)


def _value(text: str) -> tuple[bool, Any]:
    for candidate in (text, *(text + end for end in ("]", "}") if text.startswith("[" if end == "]" else "{"))):
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        return not is_too_deep(value), value
    is_bare = bool(text) and not text.startswith(("[", "{", '"', "-")) and not text.replace(".", "", 1).isdigit()
    return is_bare, text
