"""The pool: a city's places with their ratings side by side, as drafts, witnesses and scores read them."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import pandas as pd

from assets.clean.modelled_price import PriceModel
from assets.itinbench.candidates import MET_LEVEL, MET_RATING
from assets.itinbench.guide import pool_row
from assets.itinbench.section import ItinbenchSection
from assets.itinbench.tables import PREFIX, ItinbenchPlace
from assets.itinbench.witness.selection import told_apart
from assets.step import Outcome
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.reviews import ATTRIBUTES
from schemas.wikivoyage import KIND_OF, WikivoyageListing

HALF = 0.5
"""An estimate is rounded half up: from so much below a rating on it is that rating."""

RATED = sorted({attribute for attributes in ATTRIBUTES.values() for attribute in attributes})


def itinbench_places(
    place: pd.DataFrame,
    place_rating: pd.DataFrame,
    wikivoyage_listing: pd.DataFrame,
    guide_rating: pd.DataFrame,
    tag_rating: pd.DataFrame,
    price_level: pd.DataFrame,
    big_mac: pd.DataFrame,
    *,
    city: City,
    section: ItinbenchSection,
) -> Outcome:
    """Return the city's places with one column an attribute, null where nothing rates it surely (`is_sure`).

    By the section they are the recipe's own, or the listings of a guide. A place of which nothing is rated is rejected,
    and one that a plan, which names places by name and address, could not tell from another. What a map's tags say of a
    listing keeps it here, and stands in a table of its own (`evidence.py`).
    """
    if section.places == "guide":
        return guide_places(
            wikivoyage_listing, guide_rating, set(tag_rating["listing_id"]), city, PriceModel(price_level, big_mac)
        )
    return rated_places(place, place_rating, are_all_known=section.ratings == "rounded")


def rated_places(place: pd.DataFrame, place_rating: pd.DataFrame, *, are_all_known: bool = False) -> Outcome:
    """Return the recipe's own places that are rated."""
    rows = []
    for row in place.to_dict("records"):
        cuisines = [*row["cuisines"], "", ""]
        rows.append(
            {
                **{
                    name: row[name]
                    for name in ("city_id", "place_id", "kind", "name", "address", "lat", "lon", "stars")
                },
                "price_level": row["price_level"],
                "native_id": row["place_id"].partition(":")[2],
                "cuisine_1": cuisines[0],
                "cuisine_2": cuisines[1],
                "meals": row["meals"],
                "source_rows": row["source_rows"],
            }
        )
    return _outcome(rows, place_rating, [], len(place), are_all_known=are_all_known)


def guide_places(
    listing: pd.DataFrame, guide_rating: pd.DataFrame, tagged: Collection[str], city: City, prices: PriceModel
) -> Outcome:
    """Return the guide's listings that its prose rates, or that are among those `tagged`, by listing_id.

    One that says no position is no place that a tour can go to. The ratings here are the prose's alone.
    """
    rejected: list[dict[str, str]] = []
    rows = []
    for row in WikivoyageListing.arrow(listing).to_pylist():
        if row["kind"] not in KIND_OF:
            detail = f"listed as {row['kind']}: neither a meal, a stay nor a sight"
            rejected.append(_rejection(row["listing_id"], Reason.OTHER_CATEGORY, detail))
        elif row["lat"] is None:
            rejected.append(_rejection(row["listing_id"], Reason.MISSING_VALUE, "the guide does not say where it is"))
        else:
            rows.append({**pool_row(row, city, prices), "source_rows": row["source_rows"]})
    ratings = guide_rating.assign(place_id=PREFIX + guide_rating["place_id"].astype(str))
    return _outcome(
        rows, ratings, rejected, len(listing), kept_place_ids={PREFIX + listing_id for listing_id in tagged}
    )


def is_sure(kind: str, low: float | None, high: float | None) -> bool:
    """Return whether the whole interval of an estimate, 90 %, meets what tasks ask of such places, or none of it does.

    A rating that was not read, but given, has no interval, and is taken as it is.
    """
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return True
    least = (MET_LEVEL if kind == "attraction" else MET_RATING) - HALF
    return not low < least <= high


def _outcome(
    places: list[dict[str, Any]],
    ratings: pd.DataFrame,
    rejected: list[dict[str, str]],
    rows_in: int,
    *,
    are_all_known: bool = False,
    kept_place_ids: Collection[str] = (),
) -> Outcome:
    """Return the places with their ratings and what stands behind these; those that cannot be used are rejected.

    Those of `kept_place_ids` are places without a rating too.
    Facts: `unsure_ratings` of these places, which are unknown unless all count as known.
    """
    keys = ratings["place_id"].tolist()
    kind_of = {place["place_id"]: place["kind"] for place in places}
    columns = (ratings[name].tolist() for name in ("attribute", "rating", "score_low", "score_high"))
    rating_of: dict[tuple[str, str], int] = {}
    unsure = 0
    for place_id, attribute, rating, *interval in zip(keys, *columns, strict=True):
        if place_id not in kind_of:
            continue
        is_unsure = not is_sure(kind_of[place_id], *interval)
        unsure += is_unsure
        if are_all_known or not is_unsure:
            rating_of[place_id, attribute] = rating
    behind: dict[str, list[str]] = {}
    generation_ids_by_place: dict[str, list[str]] = {}
    for place_id, pointers, calls in zip(
        keys, ratings["source_rows"].tolist(), ratings["generation_ids"].tolist(), strict=True
    ):
        behind.setdefault(place_id, []).extend(pointers)
        generation_ids_by_place.setdefault(place_id, []).extend(calls)
    rows = []
    for place in places:
        place_id = place["place_id"]
        if place_id not in behind and place_id not in kept_place_ids:
            rejected.append(_rejection(place_id.removeprefix(PREFIX), Reason.NO_EVIDENCE, "no attribute is rated"))
            continue
        rows.append(
            {
                **place,
                **{a: rating_of.get((place_id, a)) if a in ATTRIBUTES[place["kind"]] else None for a in RATED},
                "source_rows": list(dict.fromkeys([*place["source_rows"], *behind.get(place_id, ())])),
                "generation_ids": list(dict.fromkeys(generation_ids_by_place.get(place_id, ()))),
            }
        )
    frame = pd.DataFrame(rows, columns=[column.name for column in ItinbenchPlace.columns()])
    frame = frame.astype(dict.fromkeys(("price_level", *RATED), "Int64"))
    is_apart = told_apart(frame)
    lost = frame[~is_apart]
    rejected += [
        _rejection(place_id.removeprefix(PREFIX), Reason.AMBIGUOUS_NAME, f"{name[:80]!r} at {address[:80]!r}")
        for place_id, name, address in zip(lost["place_id"], lost["name"], lost["address"], strict=True)
    ]
    return Outcome(frame[is_apart], rejected, rows_in=rows_in, facts={"unsure_ratings": unsure})


def _rejection(row: str, reason: Reason, detail: str) -> dict[str, str]:
    return {"row": row, "reason": reason.value, "detail": detail}
