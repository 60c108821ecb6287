"""How near ratings are to a planted truth, beside two baselines that read no review."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from assets.step import RawFile
from schemas.reviews import ATTRIBUTES
from sources.invented.evidence import speaks_of

if TYPE_CHECKING:
    import pyarrow as pa

REQUIRED_IMPROVEMENT = 0.25
"""The share of either baseline's error by which the ratings must be nearer to the truth."""


def quality_rows(ratings: pd.DataFrame, places: pd.DataFrame, reviews: pa.Table, truth: list[RawFile]) -> pd.DataFrame:
    """Return `measure` against the truth files of an invented world, with no rows where there are none."""
    read = [pd.read_csv(file.path, dtype={"native_id": str}) for file in truth]
    known = pd.concat([pd.DataFrame(columns=["native_id", "kind", "attribute", "rating"]), *read])
    by_native_id = places.assign(native_id=places["place_id"].str.partition(":")[2])
    joined = known.merge(by_native_id[["native_id", "kind", "place_id"]], on=["native_id", "kind"])
    rows = measure(ratings, joined, places)
    texts = reviews.select(["review_id", "text"]).to_pylist() if truth else []
    precision = evidence_precision(ratings, places, {row["review_id"]: row["text"] for row in texts})
    rows["evidence_precision"] = [precision.get((k, a)) for k, a in zip(rows["kind"], rows["attribute"], strict=True)]
    for name in ("spearman", "improvement", "evidence_precision"):
        column = rows[name].astype(object)
        rows[name] = column.where(column.notna(), None)
    return rows


def evidence_precision(
    ratings: pd.DataFrame, places: pd.DataFrame, texts: Mapping[str, str]
) -> dict[tuple[str, str], float]:
    """Return, by kind and attribute, the share of cited passages that overlap a sentence written of the attribute.

    Passages of reviews whose text is not given are not counted.
    """
    kinds = dict(zip(places["place_id"], places["kind"], strict=True))
    right: dict[tuple[str, str], list[bool]] = {}
    columns = (ratings[name] for name in ("place_id", "attribute", "evidence_json"))
    for place_id, attribute, evidence in zip(*columns, strict=True):
        for cited in json.loads(evidence):
            text = texts.get(cited["review_id"])
            if text is not None and place_id in kinds:
                is_right = speaks_of(kinds[place_id], attribute, text, cited["start"], cited["end"])
                right.setdefault((kinds[place_id], attribute), []).append(is_right)
    return {key: sum(found) / len(found) for key, found in right.items()}


def measure(ratings: pd.DataFrame, truth: pd.DataFrame, places: pd.DataFrame) -> pd.DataFrame:
    """Return, per kind and attribute, the mean absolute error of the ratings and of two baselines.

    `truth` has place_id, attribute, rating; measured are the places of `places` that are rated and have a truth.
    Columns: kind, attribute, n, engine, mae, mae_mean (always the mean true rating of those places, unrounded),
    mae_stars (the place's stars, halves rounded up; for orientations mapped linearly from 1–5 to 0–3 first; the mean
    where it has no stars), spearman (rank correlation with the truth, NaN if either is constant), improvement (1 less
    the ratio of the ratings' error to the better baseline's, NaN if that has none).
    """
    joined = (
        truth[["place_id", "attribute", "rating"]]
        .rename(columns={"rating": "truth"})
        .merge(ratings[["place_id", "attribute", "rating", "engine"]], on=["place_id", "attribute"])
        .merge(places[["place_id", "kind", "stars"]], on="place_id")
        .sort_values(["place_id", "attribute"])
    )
    rows = []
    for kind, attributes in ATTRIBUTES.items():
        for attribute in attributes:
            one = joined[(joined["kind"] == kind) & (joined["attribute"] == attribute)]
            if len(one):
                rows.append({"kind": kind, "attribute": attribute} | _errors(one, kind))
    columns = ["kind", "attribute", "n", "engine", "mae", "mae_mean", "mae_stars", "spearman", "improvement"]
    return pd.DataFrame(rows, columns=columns)


def _errors(one: pd.DataFrame, kind: str) -> dict[str, Any]:
    true = [float(value) for value in one["truth"]]
    rated = [float(value) for value in one["rating"]]
    mean = math.fsum(true) / len(true)
    stars = [mean if pd.isna(value) else _stars_as_rating(float(value), kind) for value in one["stars"]]
    rules, always_mean, by_stars = (_mean_error(guess, true) for guess in (rated, [mean] * len(true), stars))
    better = min(always_mean, by_stars)
    return {
        "n": len(true),
        "engine": "+".join(sorted(set(one["engine"]))),
        "mae": rules,
        "mae_mean": always_mean,
        "mae_stars": by_stars,
        "spearman": one["truth"].astype(float).rank().corr(one["rating"].astype(float).rank()),
        "improvement": 1 - rules / better if better else math.nan,
    }


def _stars_as_rating(stars: float, kind: str) -> float:
    return math.floor((stars - 1) * 3 / 4 + 0.5) if kind == "attraction" else math.floor(stars + 0.5)


def _mean_error(guess: list[float], true: list[float]) -> float:
    return math.fsum(abs(g - t) for g, t in zip(guess, true, strict=True)) / len(true)
