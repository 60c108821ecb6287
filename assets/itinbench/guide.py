"""What a listing of a travel guide is as a place of the pool: its kind, its cuisines, its price level.

Read from the guide's own words by declared rules; what they do not say is unknown and satisfies nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from assets.clean.modelled_price import MEAL_LEVELS, NIGHT_LEVELS, PriceModel
from assets.itinbench.tables import PREFIX
from schemas.recipe import City
from schemas.wikivoyage import KIND_OF

SECTION_LEVELS = {"budget": 1, "mid-range": 3, "midrange": 3, "splurge": 4}
"""Price levels by the headings under which guides list where to eat and sleep.

The upper of the levels that a heading may stand for, so that a place passes for no cheaper than it may be [I].
"""

SIGNS: dict[str, str] = {
    "ALL": "lek", "BAM": "KM", "BDT": "৳|tk", "BGN": "лв|lv", "BOB": "Bs", "BWP": "P", "BYN": "Br", "CHF": "Fr|SFr|Sfr",
    "CNY": "¥|元|RMB", "CRC": "₡", "CZK": "Kč", "DKK": "kr", "EGP": "E£|LE", "GEL": "₾", "GHS": "GH₵|₵", "GTQ": "Q",
    "HNL": "L", "HUF": "Ft", "IDR": "Rp", "INR": "₹|Rs", "ISK": "kr", "JPY": "¥|円", "KES": "KSh|Sh", "KHR": "៛",
    "KRW": "₩|원", "KZT": "₸", "LAK": "₭", "LKR": "Rs", "MAD": "Dh|Dhs", "MGA": "Ar", "MKD": "den", "MMK": "K",
    "MNT": "₮", "MUR": "Rs", "MYR": "RM", "NGN": "₦", "NIO": "C$", "NOK": "kr", "NPR": "Rs|रू", "PAB": "B/", "PEN": "S/",
    "PHP": "₱", "PKR": "Rs", "PLN": "zł", "PYG": "₲", "RON": "lei", "RSD": "din", "RUB": "₽|руб", "RWF": "RF",
    "SCR": "Rs", "SEK": "kr", "THB": "฿", "TRY": "₺|TL", "TWD": "NT$", "TZS": "TSh|Sh", "UAH": "₴|грн",
    "UGX": "USh|Sh", "VND": "₫|đ", "ZAR": "R", "ZMW": "K",
}  # fmt: skip
"""How a currency is written at home, where guides write of it, beside its code and its name (CLDR's narrow signs, and
others in use)."""

FREE = re.compile(r"\b(free|no charge|no admission charge)\b", re.IGNORECASE)
NOT_FREE = re.compile(
    r"\b(free (for|with|under|if)|(children|kids|seniors|members|students)\b[^.;,]*\bfree)", re.IGNORECASE
)

KITCHENS: dict[str, tuple[str, str]] = {
    "American": ("american|new england|southern", "diner|barbecue|bbq|burgers?|hamburgers?|chowder|lobster rolls?"),
    "Mexican": ("mexican", "taquer[ií]a|tacos?|burritos?|enchiladas?|quesadillas?"),
    "Irish": ("irish", ""),
    "French": ("french", "brasserie|cr[eê]pes?|coq au vin|bouillabaisse"),
    "Italian": ("italian|sicilian|tuscan|neapolitan", "trattoria|osteria|ristorante|cannoli"),
    "Greek": ("greek", "souvlaki|gyros?|moussaka"),
    "Indian": ("indian|punjabi", "tandoori|naan|biryani|dosas?|thali"),
    "Chinese": ("chinese|cantonese|szechuan|sichuan|shanghainese", "dim sum|peking duck"),
    "Japanese": ("japanese", "sushi|sashimi|izakaya|ramen|teriyaki|tempura"),
    "Korean": ("korean", "bibimbap|kimchi|bulgogi"),
    "Vietnamese": ("vietnamese", "pho|banh mi|bánh mì|phở"),
    "Thai": ("thai", "pad thai|tom yum"),
    "Asian Fusion": ("asian fusion|pan-asian", ""),
    "Middle Eastern": ("middle eastern|lebanese|persian|israeli|syrian", "falafel|shawarma|hummus"),
}  # fmt: skip
"""Label of a cuisine, its kitchen's adjectives, and dishes or houses of no other: pasta is served everywhere."""

FOOD = (
    "food|foods|cuisine|cooking|kitchen|restaurant|restaurants|dish|dishes|fare|menu|place|joint|eatery|bistro|cafe|café|"
    "pub|grill|buffet|specialties|specialities|classics|favorites|favourites|meals?|seafood|steakhouse|bakery|pizza|"
    "pizzeria|tavern|bar|barbecue|deli|staples|flavors|flavours|noodles|noodle|soup|soups|lunch|dinner|breakfast|brunch"
)
"""What a kitchen's adjective must stand before, at most three words away: a French consulate serves no food."""

MAX_CUISINES = 2


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]:
    return tuple(
        (
            label,
            re.compile(rf"\b(?:{names})\b(?:[\s,/&-]+[\w'’-]+){{0,3}}?[\s,/&-]+(?:{FOOD})\b", re.IGNORECASE),
            re.compile(rf"\b(?:{names}{'|' if dishes else ''}{dishes})\b", re.IGNORECASE),
        )
        for label, (names, dishes) in KITCHENS.items()
    )  # fmt: skip


def cuisines_of(listing: Mapping[str, Any]) -> list[str]:
    """Return at most two cuisines of a listing to eat, in the order in which name, section and prose speak of them."""
    heads, prose = f"{listing['name']} · {listing['alt']} · {listing['section']}", str(listing["content"])
    mentions: list[tuple[int, int, str]] = []
    for label, near_food, name_pattern in _patterns():
        dishes = KITCHENS[label][1]
        if match := name_pattern.search(heads):
            mentions.append((0, match.start(), label))
            continue
        starts = [m.start() for m in (near_food.search(prose), _dish(dishes, prose)) if m]
        if starts:
            mentions.append((1, min(starts), label))
    return [label for *_, label in sorted(mentions)][:MAX_CUISINES]


def _dish(dishes: str, prose: str) -> re.Match[str] | None:
    return re.search(rf"\b(?:{dishes})\b", prose, re.IGNORECASE) if dishes else None


def said_level(listing: Mapping[str, Any]) -> int | None:
    """Return the price level that the guide's words give by themselves: free, or a heading; None where neither does."""
    if is_free(listing["price"]):
        return 1
    return SECTION_LEVELS.get(str(listing["section"]).strip().casefold())


def is_free(price: str) -> bool:
    """Return whether a price's words say that nothing is paid, and not by some visitors alone."""
    return bool(FREE.search(price)) and not NOT_FREE.search(price) and not re.search(r"\d", price)


def amount(price: str, currency: str) -> float | None:
    """Return the first amount of a price's words in a currency, the middle of a range; None where there is none."""
    number = r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?!\d)|\d+(?:\.\d+)?)"
    before, after = ("|".join(re.escape(sign) for sign in signs) for signs in _signs(currency))
    first = rf"(?<![^\W\d])(?:{before})\.?\s?{number}(?:\s?[-–]\s?(?:(?:{before})\.?\s?)?{number})?"
    last = rf"{number}(?:\s?[-–]\s?{number})?\s?(?:{after})(?![^\W\d])"
    match = re.search(first, price, re.IGNORECASE) or re.search(last, price, re.IGNORECASE)
    if match is None:
        return None
    amounts = [_number(text, currency) for text in match.groups() if text]
    middle = sum(amounts) / len(amounts)
    return middle if middle > 0 else None


def _number(text: str, currency: str) -> float:
    """Return what a number says: a point before three figures parts thousands, but in money of thousandths."""
    from babel.numbers import get_currency_precision

    in_thousands = re.fullmatch(r"\d{1,3}(\.\d{3})+", text) and get_currency_precision(currency) < 3
    return float(text.replace("." if in_thousands else ",", ""))


@cache
def _signs(currency: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return how a currency is written before an amount, and after it: its code, signs and name, longest first.

    A dollar is at home a plain one; a single letter is a sign before an amount alone.
    """
    from babel.numbers import get_currency_name, get_currency_symbol

    symbol = get_currency_symbol(currency, "en_US")
    names = [get_currency_name(currency, count, "en").rpartition(" ")[2] for count in (1, 2)]
    before = {currency, symbol, *(("$",) if symbol.endswith("$") else ()), *SIGNS.get(currency, currency).split("|")}
    after = {sign for sign in before if len(sign) > 1 or not sign.isascii() or not sign.isalpha()} | set(names)
    one, other = (tuple(sorted(signs, key=lambda sign: (-len(sign), sign))) for signs in (before, after))
    return one, other


def price_level(listing: Mapping[str, Any], city: City, prices: PriceModel) -> int | None:
    """Return a listing's price level, 1 to 4: of an amount by the country's price level, else as the guide's words say.

    An amount is of the level whose modelled price of a meal, or of a double room, it is nearest to by ratio. Tickets
    are measured by meals, as providers' price signs do [I].
    """
    paid = amount(listing["price"], city.currency)
    if paid is None or city.currency not in prices.rates:
        return said_level(listing)
    hamburger = prices.us_price * prices.level(city.country, city.currency).value
    hamburgers = paid / (hamburger * prices.rate(city.currency).units_per_usd)
    steps = [2 * level for level in NIGHT_LEVELS] if listing["kind"] == "sleep" else MEAL_LEVELS
    return 1 + min(range(len(steps)), key=lambda n: abs(math.log(hamburgers / steps[n])))


def pool_row(listing: Mapping[str, Any], city: City, prices: PriceModel) -> dict[str, Any]:
    """Return a listing as a row of the pool, without its ratings."""
    kind = KIND_OF[listing["kind"]]
    labels = [*(cuisines_of(listing) if kind == "restaurant" else []), "", ""]
    return {
        **{name: listing[name] for name in ("city_id", "name", "address", "lat", "lon")},
        "place_id": PREFIX + listing["listing_id"],
        "native_id": listing["listing_id"],
        "kind": kind,
        "stars": None,
        "price_level": price_level(listing, city, prices),
        "cuisine_1": labels[0],
        "cuisine_2": labels[1],
        "meals": [],
    }
