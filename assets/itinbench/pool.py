"""The pool: a city's places with their ratings side by side, as drafts, witnesses and scores read them."""

from __future__ import annotations

import pandas as pd

from assets.itinbench.tables import ItinbenchPlace
from assets.itinbench.witness.selection import told_apart
from assets.step import Outcome
from schemas.rejection import Reason
from schemas.reviews import ATTRIBUTES

RATED = sorted({attribute for attributes in ATTRIBUTES.values() for attribute in attributes})


def itinbench_places(place: pd.DataFrame, place_rating: pd.DataFrame) -> Outcome:
    """Return the city's places with one column an attribute, null where nothing rates it.

    A place of which nothing is rated is rejected, and one that a plan, which names places by name and address,
    could not tell from another.
    """
    is_rated = place["place_id"].isin(place_rating["place_id"])
    unrated = [
        {"row": place_id, "reason": Reason.NO_EVIDENCE.value, "detail": "no attribute is rated"}
        for place_id in place.loc[~is_rated, "place_id"]
    ]
    known = {
        (row.place_id, row.attribute): row.rating
        for row in place_rating[["place_id", "attribute", "rating"]].itertuples()
    }
    behind: dict[str, list[str]] = {}
    asked: dict[str, list[str]] = {}
    for place_id, calls in zip(place_rating["place_id"].tolist(), place_rating["generation_ids"].tolist(), strict=True):
        asked.setdefault(place_id, []).extend(calls)
    for place_id, pointers in zip(place_rating["place_id"].tolist(), place_rating["source_rows"].tolist(), strict=True):
        behind.setdefault(place_id, []).extend(pointers)
    rows = []
    for found in place[is_rated].to_dict("records"):
        place_id, kind = found["place_id"], found["kind"]
        cuisines = [*found["cuisines"], "", ""]
        rows.append(
            {
                **{
                    name: found[name]
                    for name in ("city_id", "place_id", "kind", "name", "address", "lat", "lon", "stars")
                },
                "price_level": found["price_level"],
                "native_id": place_id.partition(":")[2],
                "cuisine_1": cuisines[0],
                "cuisine_2": cuisines[1],
                "meals": found["meals"],
                **{a: known.get((place_id, a)) if a in ATTRIBUTES[kind] else None for a in RATED},
                "source_rows": list(dict.fromkeys([*found["source_rows"], *behind.get(place_id, [])])),
                "generation_ids": list(dict.fromkeys(asked.get(place_id, []))),
            }
        )
    frame = pd.DataFrame(rows, columns=[column.name for column in ItinbenchPlace.columns()])
    frame = frame.astype(dict.fromkeys(("price_level", *RATED), "Int64"))
    is_apart = told_apart(frame)
    lost = frame[~is_apart]
    rejected = [
        {"row": place_id, "reason": Reason.AMBIGUOUS_NAME.value, "detail": f"{name[:80]!r} at {address[:80]!r}"}
        for place_id, name, address in zip(lost["place_id"], lost["name"], lost["address"], strict=True)
    ]
    return Outcome(frame[is_apart], [*unrated, *rejected], rows_in=len(place))
