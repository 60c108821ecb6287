"""ItinBench plans out of planners' prose: days, their slots, and under each its places by name and address.

Read are the layouts that the published planners use: slots as headings, list entries or a table's first column; places
as `Name:` and `Address:` on lines of their own or on one, in brackets, or behind a comma or dash. A place is copied in
the words of the text. Where nothing tells a name from its address, a pool may: the longest listed name that the text
begins with. A text of which anything is left that looks like a place but has no slot is not read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from assets.language.marked_text import Line, day_number, lines_of

Place = dict[str, str]

SINGLE = ("breakfast", "lunch", "dinner", "accommodation")
LISTS = ("morning_attractions", "afternoon_attractions", "night_attractions")
SLOTS = ("breakfast", "morning_attractions", "lunch", "afternoon_attractions", "dinner", "night_attractions",
         "accommodation")  # fmt: skip
MOST_WORDS = 8
"""A loose line of more words is prose, not a name."""

FEWEST_REMARK_WORDS = 4
"""Brackets with fewer words may belong to the name: the published reading keeps most of those."""

FEWEST_SLOTS = 3
"""A day with fewer filled slots is no day of a plan."""

_TIMES = (
    ("morning", "morning_attractions"),
    ("afternoon", "afternoon_attractions"),
    ("night", "night_attractions"),
    ("evening", "night_attractions"),
)
_KINDS = r"attractions?|activit(?:y|ies)|visits?|sightseeing|sights?|spots?|places?"
_SLOT = re.compile(
    r"^(?:day \d+ )?(?:"
    r"(?P<meal>breakfast|brunch|lunch|dinner|supper)(?: restaurant| spot| place| time)?"
    rf"|(?P<time>(?:late |early |mid-?)?(?:morning|afternoon|night|evening))(?: time)?(?: (?P<kind>{_KINDS}))?"
    rf"|(?:{_KINDS})(?: in the| for the|,)? ?(?P<when>morning|afternoon|night|evening)"
    r"|(?P<stay>accommodations?|hotels?|stay|lodging|overnight(?: stay)?|where to stay|check-?in)"
    r")(?: \d| recommendations?| options?| suggestions?)*(?: ?\(.*\))?$",
    re.IGNORECASE,
)
_MEALS = {"breakfast": "breakfast", "brunch": "breakfast", "lunch": "lunch", "dinner": "dinner", "supper": "dinner"}
_MEAL_AT = re.compile(
    r"^(?:(?:have|eat|enjoy|grab|take) )?(?:(?:an?|your) )?(?P<meal>breakfast|brunch|lunch|dinner|supper) (?:at|in) "
    r"(?P<place>.+)$",
    re.IGNORECASE,
)
_ANY_SLOT = re.compile(r"\b(?:breakfast|lunch|dinner|morning|afternoon|night|evening)\b", re.IGNORECASE)
_NAME = re.compile(r"^(?:(?:place|hotel|restaurant|attraction|venue|business)[ _]?)?names?(?: ?\d)?$", re.IGNORECASE)
_ADDRESS = re.compile(r"^(?:street |full )?(?:address(?:es)?|location)(?: ?\d)?$", re.IGNORECASE)
_INLINE_NAME = re.compile(r"[\s,;|–—-]*\bname\s*[:：]\s*", re.IGNORECASE)
_NUMBERED = re.compile(r"^(?:[ivx]{1,4}|[IVX]{1,4})[.)]\s+")
_CLOCK = r"\d{1,2}(?::\d\d)?\s*(?:[ap]\.?m\.?)?"
_AT_TIME = re.compile(rf"^{_CLOCK}(?:\s*(?:[–—-]|to)\s*{_CLOCK})?\s*[:|–—-]\s*", re.IGNORECASE)
_LOCATED = re.compile(r",?\s*\(?\b(?:located|situated)$", re.IGNORECASE)
_QUOTED = re.compile(r"^[\"“”]([^\"“”]+)[\"“”]$")
_ARTICLE = re.compile(r"^(?:the|an?|inc|llc|ltd|co)\.?$", re.IGNORECASE)
"""What a name may end in behind a comma: `Barnes, The`."""

_DAY_CELL = re.compile(r"^(?:day\s*)?(\d{1,2})$", re.IGNORECASE)
_INLINE = re.compile(r"[\s,;|–—-]*\b(?:address|location)\s*[:：]\s*", re.IGNORECASE)
_NOTE = re.compile(
    r"^(?:note|price|cuisine|rating|ratings|stars|budget|cost|service|value|flavou?r|freshness|environment|quality|"
    r"safety|location|description|why|reason|features?|details?|reviews?|meal|type|orientation|transport(?:ation)?|"
    r"time|duration|distance|highlights?|tips?|atmosphere|amenities|good for|preferences?|category)\b",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"^(?:-|–|—|n/?a|none|null|nothing|not (?:applicable|specified|provided|available).*|skip.*)?\.?$", re.IGNORECASE
)
_BRACKETED = re.compile(r"^(?P<name>[^()]+?(?:\([^()]*\)[^()]*?)?)\s*\((?P<address>[^()]*\d[^()]*)\)\.?$")
_REMARK = re.compile(r"\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\.?$")
_STREET = re.compile(r"^(?:\d|[A-Z]?\d+[A-Za-z]{0,2}\b|[NSEW]\.? \d)")


class _Day:
    """The slots of one day while its lines are read."""

    def __init__(self) -> None:
        self.places: dict[str, list[Place]] = {slot: [] for slot in SLOTS}
        self.slot = ""
        self.is_loose = False
        self.address = ""
        self.named_slots: set[str] = set()

    def open(self, slot: str) -> None:
        """Turn to a slot; what follows belongs to it."""
        self.slot, self.is_loose, self.address = slot, False, ""
        self.named_slots.add(slot)


def read_layout(text: str, pool: Mapping[str, Sequence[str]] | None = None) -> dict[str, Any] | None:
    """Return the native plan of a text, or None if it is none that can be read without a guess.

    `pool` holds the listed names of `stay`, `restaurant` and `attraction`, which help to cut a name from its address.
    A day without a stay has the previous day's, as the published reading carries it on.
    """
    days: list[_Day] = []
    shared = _Day()
    lines = list(lines_of(text))
    for line, following in zip_longest(lines, lines[1:]):
        number = day_number(line) if not line.cells else None
        if line.cells and (cell := _DAY_CELL.match(line.cells[0])) and len(line.cells) > 2 and _slot(line.cells[1]):
            if int(cell[1]) not in (len(days), len(days) + 1):
                return None
            days += [_Day()] * (int(cell[1]) - len(days))
            if not _row(line.cells[1:], days[-1], pool):
                return None
        elif number is not None:
            if number != len(days) + 1:
                return None
            days.append(_Day())
            if (
                line.value
                and line.label
                and not _read_line(Line(line.value, "", line.value, False), None, days[-1], pool)
            ):
                return None
        elif not _read_line(line, following, days[-1] if days else shared, pool):
            return None
    if not days or any(len(day.named_slots & set(SLOTS)) < FEWEST_SLOTS for day in days):
        return None
    stay = shared.places["accommodation"][-1:]
    itinerary = []
    for number, day in enumerate(days, 1):
        stay = day.places["accommodation"][-1:] or stay
        if any(len(day.places[slot]) > 1 for slot in SINGLE):
            return None
        native_day: dict[str, Any] = {"days": str(number)}
        for slot in SLOTS:
            places = stay if slot == "accommodation" else day.places[slot]
            native_day[slot] = places if slot in LISTS else places[0] if places else nobody()
        itinerary.append(native_day)
    return {"itinerary": itinerary}


def nobody() -> Place:
    """Return the published spelling of a missing place."""
    return {"name": "-", "address": "-"}


def _read_line(line: Line, following: Line | None, day: _Day, pool: Mapping[str, Sequence[str]] | None) -> bool:
    """Take in one line of a day; False if it may name a place and cannot be placed."""
    if line.cells:
        return _row(line.cells, day, pool)
    slot = _slot(line.label or line.text)
    if slot is not None:
        day.open(slot)
        return not line.label or not line.value or _add(line.value, day, pool)
    meal = _MEAL_AT.match(line.text)
    if meal is not None:
        day.open(_MEALS[meal["meal"].lower()])
        return _add(meal["place"], day, pool)
    if not day.slot:
        return True
    if _NAME.match(line.label):
        return _add(line.value, day, pool, is_name=True)
    places = day.places[day.slot]
    if _ADDRESS.match(line.label):
        address, *name = _INLINE_NAME.split(line.value, maxsplit=1)
        if name:
            return _put({"name": _without_remark(name[0], day.slot, pool), "address": _address_or_dash(address)}, day)
        if not places or places[-1]["address"] != "-":
            day.address = _address_or_dash(line.value)  # of the place whose name comes next
        else:
            places[-1]["address"] = _address_or_dash(line.value)
        return True
    if line.label and _NOTE.match(line.label):
        return True
    if line.is_heading and not line.value:
        day.slot = ""
        return True
    if places and places[-1]["address"] == "-" and _STREET.match(line.text):
        places[-1]["address"] = line.text
        return True
    if following is not None and not line.label and _STREET.match(following.text) and _is_name(line.text):
        day.is_loose = True
        return _put({"name": _without_remark(line.text, day.slot, pool), "address": "-"}, day)
    if places and not day.is_loose:
        place = _cut(line.text, day.slot, pool, is_loose=True)
        if place is not None and _STREET.match(place["address"]):
            return _put(place, day)
        return line.text[-1:] in ".!" or not _ANY_SLOT.search(line.text)
    day.is_loose = True
    return _add(line.text, day, pool, is_loose=True)


def _is_name(text: str) -> bool:
    return len(text.split()) <= MOST_WORDS and text[-1:] not in ".!?:" and not _STREET.match(text)


def _row(row: Sequence[str], day: _Day, pool: Mapping[str, Sequence[str]] | None) -> bool:
    """Take in a table's row: a slot, a name, and an address if there is a third cell; heads and rules are none."""
    slot = _slot(row[0])
    if slot is None:
        return True
    day.open(slot)
    cells = [cell for cell in row[1:] if cell]
    if not cells or _NOTHING.match(cells[0]):
        return True
    if len(cells) == 1:
        return _add(cells[0], day, pool)
    return _put({"name": cells[0], "address": _address_or_dash(cells[1])}, day)


def _slot(label: str) -> str | None:
    bare = _AT_TIME.sub("", _NUMBERED.sub("", label.replace("’", "'").replace("_", " ")))
    plain_label = re.sub(r"[^\w()/ -]", "", bare).strip(" -")
    cut = _SLOT.match(plain_label)
    if cut is None:
        return None
    if cut["meal"]:
        return _MEALS[cut["meal"].lower()]
    if cut["stay"]:
        return "accommodation"
    time_word = (cut["time"] or cut["when"]).lower()
    return next(slot for word, slot in _TIMES if word in time_word)


def _add(
    value: str, day: _Day, pool: Mapping[str, Sequence[str]] | None, *, is_name: bool = False, is_loose: bool = False
) -> bool:
    """Put the place that a value names into the day's slot; False if its name and address cannot be told apart.

    A loose line (without a label) that is no place is prose, and says nothing.
    """
    if _NOTHING.match(value):
        return True
    cut = re.sub(r"^names?\s*[:：]\s*", "", value, flags=re.IGNORECASE)
    is_name = is_name or cut != value
    parts = _INLINE.split(cut, maxsplit=1)
    if len(parts) == 2 and parts[0].strip():
        name = _without_remark(parts[0].strip(" ,;(-"), day.slot, pool)
        return _put({"name": name, "address": _address_or_dash(parts[1].strip(" )"))}, day)
    if is_name:
        return _put({"name": _without_remark(cut, day.slot, pool), "address": "-"}, day)
    if day.slot in LISTS and ";" in cut:
        return all(_add(part.strip(), day, pool) for part in cut.split(";") if part.strip())
    place = _cut(cut, day.slot, pool, is_loose=is_loose)
    if place is not None:
        return _put(place, day)
    return is_loose


def _put(place: Place, day: _Day) -> bool:
    name, address = (_QUOTED.sub(r"\1", place[key].strip(" ,;")) for key in ("name", "address"))
    if _NOTHING.match(name):
        return True
    if address == "-" and day.address:
        address, day.address = day.address, ""
    if day.slot in SINGLE and day.places[day.slot]:
        return day.places[day.slot][0]["name"] == name  # a second choice is nobody's to take
    day.places[day.slot].append({"name": name, "address": _REMARK.sub("", address) or "-"})
    return True


def _address_or_dash(text: str) -> str:
    return "-" if _NOTHING.match(text) else text


def _cut(text: str, slot: str, pool: Mapping[str, Sequence[str]] | None, *, is_loose: bool) -> Place | None:
    """Return `Name (address)`, `Name, 12 Street, …` or `Name - 12 Street`; else by the longest listed name, or None.

    What has neither comma nor dash is a name; on a loose line only if it is short and no sentence.
    """
    place_text = text.rstrip(".")
    bracketed = _BRACKETED.match(place_text)
    if bracketed:
        return {"name": bracketed["name"], "address": bracketed["address"]}
    for mark in (", ", " - ", " – ", " — ", ": ", " at "):
        parts = place_text.split(mark)
        for at in range(1, len(parts)):
            name, address = mark.join(parts[:at]), mark.join(parts[at:])
            is_whole = at == 1 or _ARTICLE.match(parts[at - 1]) or _listed_name(name, slot, pool) == name
            if _STREET.match(address) and is_whole:
                return {"name": _LOCATED.sub("", name.strip()), "address": address.strip()}
    listed = _listed_name(place_text, slot, pool)
    if listed:
        return {
            "name": place_text[: len(listed)],
            "address": _address_or_dash(place_text[len(listed) :].strip(" ,;:()–—-")),
        }
    if is_loose and (
        place_text != text or len(text.split()) > MOST_WORDS or text[-1:] in "!?:" or not text[:1].isupper()
    ):
        return None
    name, comma, address = place_text.partition(", ")
    if not comma and not re.search(r"\s[–—-]\s", place_text):
        return {"name": _without_remark(name, slot, pool), "address": "-"}
    return {"name": name, "address": address} if comma and "," not in address and not is_loose else None


def _without_remark(name: str, slot: str, pool: Mapping[str, Sequence[str]] | None) -> str:
    """Return the name without a remark of FEWEST_REMARK_WORDS in brackets behind it, unless a listed name holds it."""
    remark = _REMARK.search(name)
    is_long = remark is not None and len(remark[0].split()) >= FEWEST_REMARK_WORDS
    return name if not is_long or "(" in _listed_name(name, slot, pool) else _REMARK.sub("", name)


def _listed_name(text: str, slot: str, pool: Mapping[str, Sequence[str]] | None) -> str:
    """Return the longest listed name that the text begins with, up to a word's end; "" if none."""
    kind = "stay" if slot == "accommodation" else "attraction" if slot in LISTS else "restaurant"
    lowered = text.casefold().replace("’", "'")
    names = [
        name
        for name in (pool or {}).get(kind, ())
        if lowered.startswith(name.casefold().replace("’", "'")) and not lowered[len(name) : len(name) + 1].isalnum()
    ]
    return max(names, key=len, default="")
