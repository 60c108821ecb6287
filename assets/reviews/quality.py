"""How well places are rated: against a planted truth, labelled sentences, the stars, and a second reader.

Only a truth and labels can show an error. That ratings agree with stars or with another reader shows that both read
the same, which is little where both could be wrong alike.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from assets.reviews.labels import labels_as_rating_quality, records
from assets.reviews.rating import ENGINE, rate_places
from assets.step import RawFile
from schemas.reviews import ATTRIBUTES, RatingQuality
from sources.invented.evidence import speaks_of

if TYPE_CHECKING:
    import pyarrow as pa

PUBLISHED = "published"
"""The engine of ratings that nobody here read."""
LABELLED_KIND = "restaurant"
"""The kind of place that labelled sentences are of."""
RATINGS_AT_ONCE = 10_000
"""Ratings whose passages are looked up at once: each takes some 4 kB, and a thousand cities have 800,000."""
REQUIRED_IMPROVEMENT = 0.25
"""The share of either baseline's error by which the ratings must be nearer to the truth."""


def quality_rows(
    ratings: pa.Table,
    places: pd.DataFrame,
    reviews: pa.Table,
    reading: pd.DataFrame,
    truth: list[RawFile],
) -> pd.DataFrame:
    """Return the rows of `rating_quality`: what the ratings that were read from reviews can be held against.

    The truth files are those of an invented world; `reading` is the `reading_quality` table.
    """
    import pyarrow.compute as pc

    ratings_from_reviews = ratings.filter(pc.field("engine") != PUBLISHED)
    rating_scores = ratings_from_reviews.select(["place_id", "attribute", "rating", "score", "engine"]).to_pandas()
    precision = evidence_precision(ratings_from_reviews, places, reviews) if truth else {}
    rows = [*_against_truth(rating_scores, places, precision, truth)]
    is_labelled_kind = rating_scores["place_id"].isin(places.loc[places["kind"] == LABELLED_KIND, "place_id"])
    for reader in sorted(set(rating_scores.loc[is_labelled_kind, "engine"])):
        rows += labels_as_rating_quality(records(reading), reader)
    rows += against_stars(rating_scores, places)
    others = rating_scores[rating_scores["engine"] != ENGINE]
    if len(others):
        rated = places["place_id"].isin(others["place_id"])
        second = rate_places(places[rated], reviews.to_pandas()).rows
        assert isinstance(second, pd.DataFrame)
        rows += against_second_reader(others, second, places)
    names = [column.name for column in RatingQuality.columns()]
    table = pd.DataFrame(rows, columns=names)
    for name in names[names.index("engine") + 1 :]:
        column = table[name].astype(object)
        table[name] = column.where(column.notna(), None)
    return table


def _against_truth(
    ratings: pd.DataFrame, places: pd.DataFrame, precision: Mapping[tuple[str, str], float], truth: list[RawFile]
) -> list[dict[str, Any]]:
    truth_tables = [pd.read_csv(file.path, dtype={"native_id": str}) for file in truth]
    true_ratings = pd.concat([pd.DataFrame(columns=["native_id", "kind", "attribute", "rating"]), *truth_tables])
    by_native_id = places.assign(native_id=places["place_id"].str.partition(":")[2])
    joined = true_ratings.merge(by_native_id[["native_id", "kind", "place_id"]], on=["native_id", "kind"])
    rows = records(measure(ratings, joined, places))
    return [
        {**row, "against": "truth", "evidence_precision": precision.get((row["kind"], row["attribute"]))}
        for row in rows
    ]


def against_stars(ratings: pd.DataFrame, places: pd.DataFrame) -> list[dict[str, Any]]:
    """Return how the ratings of restaurants and stays agree with the places' stars, which the reader hardly sees."""
    rated_by_opinion = places[places["kind"] != "attraction"]
    starred = rated_by_opinion[rated_by_opinion["stars"].notna()]
    other = starred[["place_id", "stars"]].rename(columns={"stars": "other"})
    return _agreement(ratings.merge(other, on="place_id"), places, "stars")


def against_second_reader(ratings: pd.DataFrame, second: pd.DataFrame, places: pd.DataFrame) -> list[dict[str, Any]]:
    """Return how the ratings agree with those that the rules read in the same reviews."""
    other = second[["place_id", "attribute", "score"]].rename(columns={"score": "other"})
    return _agreement(ratings.merge(other, on=["place_id", "attribute"]), places, "second reader")


def _agreement(pairs: pd.DataFrame, places: pd.DataFrame, against: str) -> list[dict[str, Any]]:
    """Return, by kind and attribute, the mean difference of `score` from `other`, and their rank correlation."""
    joined = pairs.merge(places[["place_id", "kind"]], on="place_id").sort_values(["place_id", "attribute"])
    rows = []
    for (kind, attribute), one in joined.groupby(["kind", "attribute"]):
        scores, others = ([float(value) for value in one[name]] for name in ("score", "other"))
        rows.append(
            {
                "kind": kind,
                "attribute": attribute,
                "against": against,
                "n": len(one),
                "engine": "+".join(sorted(set(one["engine"]))),
                "mae": _mean_error(scores, others),
                "spearman": one["other"].astype(float).rank().corr(one["score"].astype(float).rank()),
            }
        )
    return rows


def evidence_precision(ratings: pa.Table, places: pd.DataFrame, reviews: pa.Table) -> dict[tuple[str, str], float]:
    """Return, by kind and attribute, the share of cited passages that overlap a sentence written of the attribute.

    Passages of reviews that are not given are not counted.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    kinds = dict(zip(places["place_id"], places["kind"], strict=True))
    right: dict[tuple[str, str], list[bool]] = {}
    for start in range(0, ratings.num_rows, RATINGS_AT_ONCE):
        rows = ratings.slice(start, RATINGS_AT_ONCE).select(["place_id", "attribute", "evidence"]).to_pylist()
        cited = pa.array(sorted({passage["review_id"] for row in rows for passage in row["evidence"]}), pa.string())
        cited_reviews = reviews.filter(pc.call_function("is_in", [reviews["review_id"]], pc.SetLookupOptions(cited)))
        texts = dict(zip(cited_reviews["review_id"].to_pylist(), cited_reviews["text"].to_pylist(), strict=True))
        for row in rows:
            kind, attribute = kinds.get(row["place_id"]), row["attribute"]
            for passage in row["evidence"]:
                text = texts.get(passage["review_id"])
                if text is not None and kind is not None:
                    is_right = speaks_of(kind, attribute, text, passage["start"], passage["end"])
                    right.setdefault((kind, attribute), []).append(is_right)
    return {key: sum(verdicts) / len(verdicts) for key, verdicts in right.items()}


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
