"""One day's plan in forms that planners write: each text says the same places, names and addresses."""

from __future__ import annotations

import json
from typing import Any

CAFE = {"name": "Café Olé (Old City)", "address": "147 N 3rd St"}
RODIN = {"name": "Rodin Museum", "address": "2151 Benjamin Franklin Pkwy"}
BARNES = {"name": "Barnes, The", "address": "2025 Benjamin Franklin Pkwy"}
ZAHAV = {"name": "Zahav", "address": "237 St James Pl, Philadelphia, PA 19106"}
CLUB = {"name": "Club Quarters", "address": "1628 Chestnut St"}
NOBODY = {"name": "-", "address": "-"}

ONE_DAY: dict[str, Any] = {
    "days": "1",
    "breakfast": CAFE,
    "morning_attractions": [RODIN],
    "lunch": NOBODY,
    "afternoon_attractions": [BARNES, RODIN],
    "dinner": ZAHAV,
    "night_attractions": [],
    "accommodation": CLUB,
}

_ROWS = (
    ("Breakfast", [CAFE]), ("Morning Attraction", [RODIN]), ("Lunch", []), ("Afternoon Attractions", [BARNES, RODIN]),
    ("Dinner", [ZAHAV]), ("Night Attraction", []), ("Accommodation", [CLUB]),
)  # fmt: skip


def _lines(head: str, slot: str, place: str, none: str, *, end: str = "", other: dict[str, str] | None = None) -> str:
    """Return the day, each slot by one form and each of its places by another; `other` are names of slots."""
    text = head
    for name, places in _ROWS:
        shown = (other or {}).get(name, name)
        text += slot.format(slot=shown, upper=shown.upper(), lower=shown.lower())
        text += "".join(place.format(n=n, **p) for n, p in enumerate(places, 1)) or none
    return text + end


EMOJI = {
    "Breakfast": "🥐 Breakfast",
    "Morning Attraction": "🖼️ Morning",
    "Lunch": "🥪 Lunch",
    "Dinner": "🍽️ Dinner",
    "Afternoon Attractions": "🏛️ Afternoon",
    "Night Attraction": "🌙 Night",
    "Accommodation": "🏨 Stay",
}
TIMED = {
    "Breakfast": "Breakfast (8:00 AM)",
    "Morning Attraction": "Morning (9:30 AM – 12:00 PM)",
    "Lunch": "Lunch (12:30 PM)",
    "Afternoon Attractions": "Afternoon (2:00 PM – 5:00 PM)",
    "Dinner": "Dinner (7:00 PM)",
    "Night Attraction": "Night",
    "Accommodation": "Overnight stay",
}
CLOCK = {
    "Breakfast": "8:00 AM - Breakfast",
    "Morning Attraction": "9:30 AM - Morning Attraction",
    "Lunch": "12:30 PM - Lunch",
    "Afternoon Attractions": "2:00 PM - Afternoon Attractions",
    "Dinner": "19:00 - Dinner",
    "Night Attraction": "21:00 - Night",
    "Accommodation": "Accommodation",
}
PLAIN = {
    "Morning Attraction": "Morning",
    "Afternoon Attractions": "Afternoon",
    "Night Attraction": "Evening",
    "Accommodation": "Hotel",
}
SNAKE = {
    "Morning Attraction": "morning_attractions",
    "Afternoon Attractions": "afternoon_attractions",
    "Night Attraction": "night_attractions",
    "Accommodation": "accommodation",
}

_TABLE = "| Time | Place | Address |\n|:--|:-:|--:|\n"


def _table(head: str, row: str, none: str) -> str:
    return head + "".join(
        row.format(slot=PLAIN.get(name, name), **place) for name, places in _ROWS for place in places or [NOBODY]
    ).replace("| - | - |", none)


FORMS: dict[str, str] = {
    "name and address under bold slots": _lines(
        "### Day 1\n", "**{slot}:**\n", "- **Name:** {name}\n- **Address:** {address}\n", "- None\n"
    ),
    "address before name": _lines("Day 1:\n", "- {slot}:\n", "  - Address: {address}\n  - Name: {name}\n", "  - N/A\n"),
    "address before name on one line": _lines(
        "Day 1\n", "{slot}:\n", "* Address: {address}, Name: {name}\n", "* none\n"
    ),
    "numbering with brackets": _lines("Day 1\n", "1) {slot}\n", "   a) {name} ({address})\n", "   -\n"),
    "roman numbering": _lines("DAY ONE\n", "IV. {slot}\n", "   {n}. {name} – {address}\n", "   None\n"),
    "nested lists": _lines("* Day 1\n", "  * {slot}\n", "    * {name}\n      * {address}\n", "    * None\n"),
    "headings without a colon": _lines("# Day One\n", "## {slot}\n", "{name}\n{address}\n\n", "None\n"),
    "headings with an underline": _lines(
        "Day 1\n=====\n", "{slot}\n--------\n", "{name}, {address}\n", "Nothing planned.\n"
    ),
    "capitals": _lines("DAY 1\n", "{upper}:\n", "NAME: {name}\nADDRESS: {address}\n", "NONE\n"),
    "emoji before slots": _lines("🗓️ **Day 1**\n", "**{slot}**\n", "- {name} ({address})\n", "- None\n", other=EMOJI),
    "pins before addresses": _lines(
        "## Day 1 🌞\n", "- **{slot}**: ", "{name} 📍 {address}\n", "none\n", other=PLAIN
    ).replace("2025 Benjamin Franklin Pkwy\n", "2025 Benjamin Franklin Pkwy\n- **Afternoon**: "),
    "times behind slots": _lines(
        "**Day 1:**\n", "- **{slot}:**\n", "  - {name}, {address}\n", "  - None\n", other=TIMED
    ),
    "times before slots": _lines(
        "Day 1\n", "**{slot}**\n", "- Name: {name}\n- Address: {address}\n", "-\n", other=CLOCK
    ),
    "a table": _table("**Day 1**\n\n" + _TABLE, "| {slot} | {name} | {address} |\n", "| - | - |"),
    "a table with dashes for nothing": _table(
        "Day 1\n\n" + _TABLE, "| **{slot}** | {name} | {address} |\n", "| — | — |"
    ),
    "a table without outer bars": _table(
        "Day 1\nTime | Place | Address\n---|---|---\n", "{slot} | {name} | {address}\n", "x"
    )
    .replace("Lunch | - | -", "Lunch | N/A | N/A")
    .replace("Evening | - | -", "Evening | N/A | N/A"),
    "a table of two columns": _table(
        "Day 1\n\n| Slot | Where |\n|---|---|\n", "| {slot} | {name} ({address}) |\n", "x"
    ).replace("- (-)", "None"),
    "a table with a column of days": _table(
        "| Day | Slot | Name | Address |\n|---|---|---|---|\n", "| 1 | {slot} | {name} | {address} |\n", "| - | - |"
    ),
    "chatter around": "Of course! Here's a day you'll love. It keeps to your budget.\n\n"
    + _lines("## Day 1: Art and food\n", "**{slot}**: ", "\n- {name} ({address})", " None", end="\n")
    .replace("**M", "\n**M")
    .replace("**L", "\n**L")
    .replace("**A", "\n**A")
    .replace("**D", "\n**D")
    .replace("**N", "\n**N")
    + "\n\nThis stays within budget. Would you like dinner at another place, or a hotel nearer to the museums? 😊\n",
    "a German decimal in a note": _lines(
        "Day 1\n",
        "- {slot}:\n",
        "  - Name: {name}\n  - Address: {address}\n  - Rating: 4,5 von 5\n  - Price: 12,50 €\n",
        "  - None\n",
    ),
    "quotes round names": _lines("Day 1\n", "{slot}:\n", 'Name: "{name}", Address: "{address}"\n', "None\n"),
    "italics": _lines("_Day 1_\n", "*{slot}*\n", "*{name}*, _{address}_\n", "*none*\n"),
    "keys as in the published JSON": _lines(
        "Day: 1\n", "{lower}:\n", "  name: {name}\n  address: {address}\n", "  name: -\n  address: -\n", other=SNAKE
    ),
    "a list with dashes between": _lines("Day 1 –\n", "{slot} –\n", "{name} — {address}\n", "—\n"),
    "an asterisk for bold and list": _lines(
        "* **Day 1:**\n", "    * **{slot}:**\n", "        * **{name}**: {address}\n", "        * None\n"
    ),
    "Windows line ends": _lines("Day 1\r\n", "{slot}:\r\n", "- {name} ({address})\r\n", "- None\r\n"),
    "a numbered day": _lines("1. Day 1\n", "   - {slot}: \n", "     - {name}, {address}\n", "     - None\n"),
    "ordinals": _lines("First Day\n", "{slot}:\n", "{name} ({address})\n", "Not applicable\n"),
    "located at": _lines("Day 1\n", "{slot}:\n", "- {name}, located at {address}\n", "- None\n"),
    "full-width colons": _lines("Day 1：\n", "{slot}：\n", "- Name：{name}\n- Address：{address}\n", "- None\n"),
    "HTML": _lines("<h3>Day 1</h3>\n", "<b>{slot}</b>\n", "<li>{name} ({address})</li>\n", "<li>None</li>\n"),
    "bold with the colon outside": _lines(
        "**Day 1**:\n", "- **{slot}**:\n", "  - **Name**: {name}, **Address**: {address}\n", "  - none\n"
    ),
    "the day within brackets": _lines("[Day 1]\n", "[{slot}]\n", "{name} ({address})\n", "None\n"),
    "JSON in prose": f"Here you go:\n\n{json.dumps({'itinerary': [ONE_DAY]}, ensure_ascii=False, indent=1)}\n\nEnjoy!",
}
