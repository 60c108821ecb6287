"""Where one city's trips may sleep: listings with a price, and hotels that only a map or a review site knows."""

from __future__ import annotations

from typing import Any

import pandas as pd

from assets.step import Outcome
from assets.tripcraft.facts.fares import modelled_nights
from assets.tripcraft.facts.money import conversion_rate, no_rate
from assets.tripcraft.facts.trip_places import trip_places
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.tables import TripcraftStay
from schemas.rejection import Reason

HOTEL_ROOM = "private_room"
"""A room of a hotel is one that no stranger shares: a declared choice of ours."""

NO_PRICE = "no price"
NO_NIGHTS = "no price, and no `nights` in [families.tripcraft] to model one by"
"""Why a listing without a price is rejected, and why a hotel is, which the recipe may model one for."""

UNKNOWN_OCCUPANCY = 2
"""People that a room holds whose source does not say: a declared default of ours."""

MAY_BE_UNKNOWN = ("max_occupancy", "min_nights", "rating", "house_rules", "unknown_rules")
"""What a listing's source may leave out."""


def trip_stays(
    stay: pd.DataFrame,
    tripadvisor: pd.DataFrame,
    place: pd.DataFrame,
    terms: pd.DataFrame,
    *,
    section: TripcraftSection,
    seed: int,
) -> Outcome:
    """Return one city's stays with the price of a night in the terms' currency, whole units, at least 1.

    A listing's price is its source's, converted at the declared rate. A hotel that is no listing has the recipe's
    modelled price, if it declares one. What has no price, or one without a rate, is rejected.
    """
    currency = terms["currency"].iloc[0]
    listings = [_listing(row) for row in stay.to_dict("records")]
    hotels = trip_places(tripadvisor, place[~place["place_id"].isin(stay["place_id"])], "stay")
    rows, rejected = [], []
    for row in listings + _hotels(hotels.rows, section, seed):
        rate = (
            None if row["currency_given"] is None else conversion_rate(section.rates, row["currency_given"], currency)
        )
        if row["price_given"] is None:
            rejected.append(_rejection(row, Reason.MISSING_VALUE, NO_NIGHTS if row["is_hotel"] else NO_PRICE))
        elif rate is None:
            source_currency = row["currency_given"] or "an unknown currency"
            rejected.append(_rejection(row, Reason.NO_EXCHANGE_RATE, no_rate(source_currency, currency, section.rates)))
        else:
            rows.append({**row, "price": max(1, round(row["price_given"] * rate))})
    is_silent = [row["max_occupancy"] is None for row in rows]
    for row in rows:
        row["max_occupancy"] = row["max_occupancy"] or UNKNOWN_OCCUPANCY
    facts = {"unknown_occupancy": sum(is_silent), "modelled": sum(row["is_modelled"] for row in rows)}
    columns = [column.name for column in TripcraftStay.columns()]
    rows_in = len(listings) + hotels.rows_in
    return Outcome(pd.DataFrame(rows, columns=columns), rejected, hotels.merged, rows_in, facts)


def let_room_type(room_type: str) -> str:
    """Return what a listing of this room type counts as in a trip."""
    return HOTEL_ROOM if room_type == "hotel_room" else room_type


def _listing(row: dict[Any, Any]) -> dict[str, Any]:
    return {
        **{name: row[name] for name in ("city_id", "place_id", "name", "lat", "lon", "source_rows")},
        **{name: _none_for_null(row[name]) for name in MAY_BE_UNKNOWN},
        "room_type": let_room_type(row["room_type"]),
        "price_given": _none_for_null(row["price_per_night"]),
        "currency_given": _none_for_null(row["currency"]),
        "is_modelled": False,
        "is_hotel": False,
    }


def _hotels(rows: list[dict[str, Any]], section: TripcraftSection, seed: int) -> list[dict[str, Any]]:
    nights = section.nights
    prices = modelled_nights((row["place_id"] for row in rows), seed, nights) if nights else [None] * len(rows)
    return [
        {
            **row,
            "room_type": HOTEL_ROOM,
            "house_rules": None,
            "unknown_rules": None,
            "min_nights": None,
            "max_occupancy": nights.max_occupancy if nights else None,
            "price_given": price,
            "currency_given": nights.currency if nights else None,
            "is_modelled": True,
            "is_hotel": True,
        }
        for row, price in zip(rows, prices, strict=True)
    ]


def _rejection(row: dict[str, Any], reason: Reason, detail: str) -> dict[str, str]:
    return {"row": row["place_id"], "reason": reason.value, "detail": detail}


def _none_for_null(value: Any) -> Any:
    """Return the value, None for any null; a list stays as it is."""
    if isinstance(value, list):
        return value
    return None if value is None or value is pd.NA or value != value else value
