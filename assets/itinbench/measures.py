"""What a release of ItinBench prints of itself: the set's distributions, its witnesses, how reviews were read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from assets.family import CityPicture
from assets.itinbench.candidates import MET_LEVEL, MET_RATING
from assets.itinbench.evidence import known_places
from assets.itinbench.tables import ItinbenchPlace
from assets.rows import ReleaseTables
from schemas.reviews import ATTRIBUTES, RatingQuality
from schemas.stable import canonical_json

if TYPE_CHECKING:
    import pandas as pd


def measures(tables: ReleaseTables, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the release's statistics: each a list of rows, or a single figure."""
    tasks, values = tables.tasks, tables.certificates["proof"].tolist()
    edits = [drawn["edits"] for drawn in tasks["drawn"]]
    differs = sum(value["geodesic"]["differs"] for value in values)
    return {
        "distribution": _distribution(facts.get("itinbench_draft", {})),
        "repaired_drafts": len(edits) - edits.count(0),
        "kept_draws": edits.count(0),
        "distinct_records": len({canonical_json(record) for record in tasks["record"]}),
        "distinct_wordings": int(tasks["query"].nunique()),
        "wording_diversity": [
            {"city_id": city_id, **city_facts["diversity"]}
            for city_id, city_facts in facts.get("itinbench_task", {}).items()
        ],
        "breakfast": [
            {"statement": statement, "tasks": count}
            for statement, count in sorted(Counter(v["breakfast"]["statement"] for v in values).items())
        ],
        "trips_whose_geodesic_optimum_differs": f"{differs} of {len(values)}",
        "evidence": _evidence(tables[ItinbenchPlace], known_places(tables)),
        "review_reading": tables[RatingQuality].to_dict("records"),
    }


def city_picture(tables: ReleaseTables, city_id: str) -> CityPicture:
    """Return the city's pool, and the first day of its first task's witness from the stay and back."""
    pool = tables[ItinbenchPlace]
    places = pool[pool["city_id"] == city_id]
    certificates = tables.certificates
    city_certificates = certificates[certificates["city_id"] == city_id]
    ids = (
        city_certificates.iloc[0]["proof"]["place_ids"] if len(city_certificates) else {"stay": "", "attractions": [[]]}
    )
    stops = [ids["stay"], *ids["attractions"][0], ids["stay"]] if len(city_certificates) else []
    by_id = places.drop_duplicates("place_id").set_index("place_id")
    return CityPicture(places[["kind", "lat", "lon"]], by_id.loc[stops, ["name", "lat", "lon"]].reset_index(drop=True))


def _evidence(pool: pd.DataFrame, tagged_places: pd.DataFrame) -> list[dict[str, Any]]:
    """Return one row a city, kind and attribute: of how many places who tells it, and how many meet a request for it.

    `by_prose` are those that the pool's own rows rate, from reviews or a guide's prose; `by_tags` those that only tags
    of a map rate; the rest is unknown, and meets no request.
    """
    rows = []
    for (city_id, kind), places in tagged_places.groupby(["city_id", "kind"], sort=True):
        least = MET_LEVEL if kind == "attraction" else MET_RATING
        for attribute in ATTRIBUTES[str(kind)]:
            rated = places[attribute].dropna()
            by_prose = int(pool.loc[places.index, attribute].notna().sum())
            counts = {"places": len(places), "by_prose": by_prose, "by_tags": len(rated) - by_prose}
            counts |= {"unknown": len(places) - len(rated), "meet_it": int((rated >= least).sum())}
            rows.append({"city": city_id, "kind": kind, "attribute": attribute, **counts})
    return rows


def _distribution(by_city: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one row a city, field and value: published share, nominal (drawn) share, target and realised share."""
    return [
        {"city": city_id, "field": field, "value": value, **{name: share[name] for name in _SHARES}}
        for city_id, facts in by_city.items()
        for field, values in facts["marginals"].items()
        for value, share in values.items()
    ]


_SHARES = ("published", "nominal", "target", "realised")
