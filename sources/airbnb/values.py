"""Values that all Airbnb files share: ids, room types and prices as text."""

from __future__ import annotations

import re

from schemas.rejection import Reason
from sources.formats.jsonl import RowError
from sources.formats.numbers import id_text, price_amount

ID_SPACE = "airbnb"
"""All files number the same listings, so one listing has one place_id whichever file it came from."""

ROOM_TYPE_BEGINNINGS = (
    ("entire", "entire_home"),
    ("private room", "private_room"),
    ("shared room", "shared_room"),
    ("hotel room", "hotel_room"),
    ("room in", "hotel_room"),
)
"""How room types begin: Airbnb's four ("Entire home/apt", …), and the titles of its pages ("Room in hotel")."""

CURRENCY_SIGNS = {"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "A$": "AUD", "CA$": "CAD", "R$": "BRL", "₹": "INR"}
"""Signs read as one currency; a bare $ is the exports' default currency, US dollars. Others (¥, kr) are ambiguous."""

_AMOUNT = re.compile(r"[0-9](?:[0-9.,' ]*[0-9])?")


def listing_id(text: str) -> str:
    """Return the digits that number a listing. Raises RowError for none, or digits lost to a spreadsheet (1.2E+17)."""
    text = id_text(text)
    if not text:
        raise RowError(Reason.MISSING_VALUE, "id: found nothing, expected digits")
    if not re.fullmatch(r"[0-9]{1,30}", text):
        raise RowError(Reason.BAD_VALUE, f"id: found {text!r}, expected digits")
    return text


def room_type(text: str) -> str:
    """Return what is let, in our words. Raises RowError(other_category) for what no rule covers."""
    for beginning, kind in ROOM_TYPE_BEGINNINGS:
        if text.strip().lower().startswith(beginning):
            return kind
    raise RowError(
        Reason.OTHER_CATEGORY, f"room type: found {text!r}, expected an entire home, or a private, shared or hotel room"
    )


def money(text: str) -> tuple[float | None, str | None]:
    """Return an amount and its currency's code, such as ("$1,234.00" → 1234.0, USD); None for what is not told.

    Nothing and zero are no price. Raises RowError(bad_value) for text that is neither.
    """
    text = text.replace("\u00a0", " ").replace("\u202f", " ").replace("’", "'").strip()
    match = _AMOUNT.search(text)
    if not text:
        return None, None
    rest = f"{text[: match.start()]}{text[match.end() :]}".strip() if match else ""
    amount = price_amount(match[0]) if match else None
    if amount is None or re.search(r"[0-9.,-]", rest):
        raise RowError(Reason.BAD_VALUE, f"price: found {text!r}, expected an amount such as $1,234.00 or 1.234,00 €")
    currency = rest if re.fullmatch("[A-Z]{3}", rest) else CURRENCY_SIGNS.get(rest)
    return (amount, currency) if amount else (None, None)
