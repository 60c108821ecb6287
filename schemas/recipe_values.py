"""What a value of a recipe may be: ids, addresses, codes of countries and moneys, lines of text, boxes of degrees."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated
from urllib.parse import parse_qsl, urlsplit

from pydantic import AfterValidator, model_validator
from pydantic import Field as Key

from schemas.shown import shown
from schemas.strict import Strict
from schemas.time_zones import is_time_zone

if TYPE_CHECKING:
    import numpy as np

USERS_COUNTRIES = "AA|Q[M-Z]|X[A-Z]|ZZ"
"""Codes that ISO 3166-1 leaves to its users, and gives to no country."""

NO_CURRENCY = "XXX"
"""ISO 4217's code where no currency is meant: a city of which the recipe names none."""

MAX_SEED = 2**32 - 1
"""The largest seed that all who draw take: that of scikit-learn's k-means."""

SLUG_LENGTH = 80
Slug = Annotated[str, Key(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=SLUG_LENGTH)]
Latitude = Annotated[float, Key(ge=-90, le=90, allow_inf_nan=False)]
Longitude = Annotated[float, Key(ge=-180, le=180, allow_inf_nan=False)]

KEYS_IN_ADDRESSES = {
    "access_key", "access_token", "api_key", "apikey", "app_key", "auth", "client_secret", "key", "passwd", "password",
    "secret", "sig", "signature", "token", "x_amz_signature", "x_goog_signature",
}  # fmt: skip
"""Parameters, in small letters and with `_` for `-`, under which services take a key or a signature."""


def _without_a_key(address: str) -> str:
    for name, _ in parse_qsl(urlsplit(address).query, keep_blank_values=True):
        if name.casefold().replace("-", "_") in KEYS_IN_ADDRESSES:
            raise ValueError(
                f"expected a public address, without `{name}`, since locks and releases print addresses; fetch the "
                "file yourself and name its path"
            )
    return address


Address = Annotated[str, Key(pattern=r"^https?://[^/\s@]+(/\S*)?$", max_length=2000), AfterValidator(_without_a_key)]


def _of_iana(zone: str) -> str:
    if not is_time_zone(zone):
        raise ValueError("expected the name of an IANA time zone, such as Europe/Lisbon")
    return zone


TimeZone = Annotated[str, AfterValidator(_of_iana)]


def _of_a_country(code: str) -> str:
    from babel.core import get_global

    if not re.fullmatch(USERS_COUNTRIES, code) and code not in get_global("territory_currencies"):
        raise ValueError("expected a country's code by ISO 3166-1, such as US or GB, or XX of an invented one")
    return code


Country = Annotated[str, Key(pattern=r"^[A-Z]{2}$"), AfterValidator(_of_a_country)]


def _of_money(code: str) -> str:
    from babel.core import get_global

    every = (currency[0] for listed in get_global("territory_currencies").values() for currency in listed)
    if not code.startswith("X") and code not in every:  # those with X are of no country
        raise ValueError("expected a currency's code by ISO 4217, such as EUR")
    return code


Currency = Annotated[str, Key(pattern=r"^[A-Z]{3}$"), AfterValidator(_of_money)]


def _of_a_language(code: str) -> str:
    from babel.core import get_global

    if not re.fullmatch("[a-z]{2,3}", code) or code not in get_global("likely_subtags"):
        raise ValueError("expected a language's code by ISO 639, the shortest it has, such as en or pt")
    return code


Language = Annotated[str, AfterValidator(_of_a_language)]


def line_problem(text: str) -> str:
    """Return, in words, what is expected of text that acts on what shows it; empty of other text."""
    if shown(text, keep="") != text:
        return "expected one line without control characters or marks of direction"
    return "expected no blanks around it" if text != text.strip() else ""


def _of_one_line(text: str) -> str:
    if problem := line_problem(text):
        raise ValueError(problem)
    return text


Line = Annotated[str, AfterValidator(_of_one_line)]
"""Text that tasks, prompts, pages and cards repeat as it is."""


class Box(Strict):
    """A box of WGS84 degrees; one whose `west` exceeds its `east` crosses the antimeridian."""

    south: Latitude = Key(description="Degrees.")
    west: Longitude = Key(description="Degrees.")
    north: Latitude = Key(description="Degrees.")
    east: Longitude = Key(description="Degrees.")

    @model_validator(mode="after")
    def _south_below_north(self) -> Box:
        if self.south >= self.north:
            raise ValueError(f"south ({self.south}) must be below north ({self.north})")
        return self

    @property
    def width(self) -> float:
        """Return how many degrees the box goes from west to east, also over the antimeridian."""
        return self.east - self.west + (360.0 if self.west > self.east else 0.0)

    @property
    def middle(self) -> tuple[float, float]:
        """Return latitude and longitude of the box's middle, also over the antimeridian."""
        east = self.east + (360.0 if self.west > self.east else 0.0)
        return (self.south + self.north) / 2, ((self.west + east) / 2 + 180.0) % 360.0 - 180.0

    def contains(self, lat: np.ndarray | float, lon: np.ndarray | float) -> np.ndarray:
        """Return, for each point in degrees or for one, whether it lies in the box or on its edge; NaN lies nowhere."""
        import numpy as np

        inside_lon = (lon >= self.west) & (lon <= self.east)
        if self.west > self.east:
            inside_lon = (lon >= self.west) | (lon <= self.east)
        return np.asarray((lat >= self.south) & (lat <= self.north) & inside_lon, dtype=bool)

    def meets(self, other: Box) -> bool:
        """Return whether the boxes have a point in common, also over the antimeridian."""
        between = (other.west - self.west) % 360.0 <= self.width or (self.west - other.west) % 360.0 <= other.width
        return self.south <= other.north and other.south <= self.north and between


def slug(text: str) -> str:
    """Return the text as a part of an id: lower case ASCII letters and digits, joined by hyphens.

    Other scripts are written in Latin letters, sign by sign (AnyAscii): `Москва` becomes `moskva`.
    """
    import unicodedata

    from anyascii import anyascii

    plain = unicodedata.normalize("NFKC", text)
    return re.sub(r"[^a-z0-9]+", "-", anyascii(plain).lower()).strip("-")
