"""Numbers and ids as people's tools write them: thousands and decimals by comma, point or space, ids made floats."""

from __future__ import annotations

import re
import unicodedata

_SPACES = re.compile("[ \u00a0\u202f\u2009'\u2019]")
"""What stands between thousands where it is neither comma nor point."""
_GROUPED = {mark: re.compile(rf"[0-9]{{1,3}}(?:{re.escape(mark)}[0-9]{{3}})+") for mark in ",. "}
_FLOAT_ID = re.compile(r"([0-9]+)\.0+")


def decimal(text: str) -> float | None:
    """Return the number that the text is, None where it is none or could be two.

    `1,234.5` `1.234,5` `1 234,50` `1234.5` `10,00`; `1,234` and `1.204`, a mark with three digits after it, are
    thousands where the mark is a comma, and decimals where it is a point (`price_amount` decides otherwise).
    """
    sign, digits = (-1, text[1:]) if text[:1] == "-" else (1, text.removeprefix("+"))
    plain = _plain(digits.strip(), is_price=False)
    return None if plain is None else sign * float(plain)


MOST_DECIMALS = 3
"""Decimals that an amount of money may have; more is a mistyped number."""


def price_amount(text: str) -> float | None:
    """Return the amount of money that the text is, None where it is none.

    Money has no three decimals, so that a mark with three digits after it stands between thousands: `1.204` is 1204.
    """
    plain = _plain(text.strip(), is_price=True)
    return None if plain is None else float(plain)


def id_text(text: str) -> str:
    """Return an id without the `.0` that a table of floats gave it: `42932.0` is 42932."""
    match = _FLOAT_ID.fullmatch(text.strip())
    return match[1] if match else text.strip()


def is_currency_sign(sign: str) -> bool:
    """Return whether one character is the sign of a currency (Unicode's category Sc), as $, €, ₹ and ฿ are."""
    return unicodedata.category(sign) == "Sc"


def _plain(text: str, *, is_price: bool) -> str | None:
    """Return a number's text with a point for its decimals and nothing between thousands."""
    text = _SPACES.sub(" ", text)
    if not re.fullmatch(r"[0-9][0-9., ]*", text):
        return None
    commas, points, spaces = (text.count(mark) for mark in ",. ")
    if commas and points:
        mark = max(",.", key=text.rfind)
        integer_part, _, part = text.rpartition(mark)
        grouping = "." if mark == "," else ","
        return _joined(integer_part, grouping, part) if mark not in integer_part else None
    if spaces:
        mark = "," if commas else "."
        integer_part, _, part = text.partition(mark)
        return _joined(integer_part, " ", part) if commas + points <= 1 else None
    mark = "," if commas else "."
    if commas + points == 0:
        return text
    is_grouped = bool(_GROUPED[mark].fullmatch(text)) and not text.startswith("0")
    if commas + points > 1:
        return text.replace(mark, "") if is_grouped else None
    if is_grouped and (mark == "," or is_price):
        return text.replace(mark, "")
    if is_price and len(text.rpartition(mark)[2]) > MOST_DECIMALS:
        return None
    return text.replace(",", ".")


def _joined(integer_part: str, mark: str, part: str) -> str | None:
    if part and not part.isdecimal():
        return None
    if mark in integer_part and not _GROUPED[mark].fullmatch(integer_part):
        return None
    return f"{integer_part.replace(mark, '')}.{part or '0'}"
