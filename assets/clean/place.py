"""Places that tasks may use: businesses of one kind each, without noise, as many of a kind as is kept.

What makes a kind is declared in `kinds.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assets.clean.kinds import KIND_CATEGORIES, by_precedence, candidate_kinds, noise
from assets.step import Outcome
from schemas.places import Place
from schemas.rejection import Reason

if TYPE_CHECKING:
    import pandas as pd

KEPT_COUNT = {"restaurant": 500}
"""How many of a city's most reviewed places of a kind are kept; all of the kinds not named (paper, 2.A)."""


def places(business: pd.DataFrame) -> Outcome:
    """Return the businesses of a city that are a stay, a restaurant or an attraction, each as one kind.

    A price that nobody knows stays null (defect I3): such a place meets no budget.
    """
    import pyarrow as pa

    place_rows: list[dict[str, Any]] = []
    rejected: list[dict[str, str]] = []
    for record in business.to_dict("records"):
        row = {str(name): value for name, value in record.items()}
        candidates = candidate_kinds(row["kinds"], row["categories"])
        faults = {kind: noise(kind, row["name"], row["categories"]) for kind in candidates}
        kinds = by_precedence([kind for kind in candidates if faults[kind] is None], row["meals"])
        if kinds:
            place_rows.append(_place(row, kinds[0]))
        elif candidates:
            detail = "; ".join(f"{kind}: {faults[kind]}" for kind in candidates)
            rejected.append(_rejection(row, Reason.CATEGORY_NOISE, f"{row['name'][:80]!r}: {detail}"))
        else:
            categories_text = ", ".join(row["categories"])[:120] or "no category"
            expected = ", ".join(c for kind_categories in KIND_CATEGORIES.values() for c in kind_categories)
            rejected.append(
                _rejection(row, Reason.OTHER_CATEGORY, f"found {categories_text}; expected one of {expected}")
            )
    for kind, count in KEPT_COUNT.items():
        ranked = sorted((p for p in place_rows if p["kind"] == kind), key=lambda p: (-_reviews(p), p["place_id"]))
        for place in ranked[count:]:
            detail = f"{_reviews(place)} reviews; the {count} most reviewed of kind {kind} are kept"
            rejected.append(_rejection(place, Reason.BEYOND_KEPT_COUNT, detail))
        beyond = {p["place_id"] for p in ranked[count:]}
        place_rows = [p for p in place_rows if p["place_id"] not in beyond]
    return Outcome(pa.Table.from_pylist(place_rows, schema=Place.arrow_schema()), rejected, rows_in=len(business))


def _place(row: dict[str, Any], kind: str) -> dict[str, Any]:
    """Return the business as a place of the kind, with nulls as None."""
    place = {c.name: row[c.name] for c in Place.columns() if c.name in row}
    for name in ("stars", "review_count", "price_level"):
        place[name] = None if _is_null(place[name]) else place[name]
    is_restaurant = kind == "restaurant"
    meals = list(row["meals"]) if is_restaurant else []
    return place | {"kind": kind, "cuisines": list(row["cuisines"]) if is_restaurant else [], "meals": meals}


def _is_null(value: Any) -> bool:
    import pandas as pd

    return bool(pd.isna(value))


def _reviews(place: dict[str, Any]) -> int:
    return place["review_count"] or 0


def _rejection(row: dict[str, Any], reason: Reason, detail: str) -> dict[str, str]:
    return {"row": row["place_id"], "reason": str(reason), "detail": detail}
