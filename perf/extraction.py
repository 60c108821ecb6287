"""Error and speed of a review engine on an invented world whose true ratings are known: `python perf/extraction.py`.

Prints, per attribute, the mean absolute error beside the two baselines of `assets/reviews/quality.py`, rank
correlation, the share of cited passages that truly speak of the attribute, and how many reviews a second the engine
reads. The world has no planted dirt: what is measured is reading, not cleaning. `--model RECIPE` scores the model that
a recipe names, through the ledger of `--home`: what was asked before costs nothing.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import pandas as pd

from assets.reviews.model import reader
from assets.reviews.quality import REQUIRED_IMPROVEMENT, evidence_precision, measure
from assets.reviews.rating import rate_places
from assets.step import Outcome
from pipelines.extraction import model_ask
from sources.invented import generate
from warehouse.home import Home


def invented_world(seed: int, scale: float, cities: int) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return places, kept reviews (useful >= 1) and true ratings of an invented world."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        files = generate(root, providers=("yelp",), cities=cities, scale=scale, seed=seed, dirt=False)["yelp"]
        truth = pd.read_csv(root / "truth.csv").rename(columns={"native_id": "place_id"})
        businesses = _rows(files["business"])
        review = _rows(files["review"])
    kinds = truth.drop_duplicates("place_id")[["city_id", "place_id", "kind"]]
    place = kinds.merge(businesses.rename(columns={"business_id": "place_id"})[["place_id", "stars"]], on="place_id")
    place["source_rows"] = [[f"business#{place_id}"] for place_id in place["place_id"]]
    review = review[review["useful"] >= 1].rename(columns={"business_id": "place_id"})
    review = review.merge(place[["place_id", "city_id"]], on="place_id")
    review["source_row"] = "review#" + review["review_id"]
    return place, review, truth


def rated_by_model(place: pd.DataFrame, review: pd.DataFrame, recipe: Path, home: str | None) -> Outcome:
    """Return the ratings that a recipe's model gives, and print what it cost."""
    ask = model_ask(Home(home), recipe, "reviews")
    outcome = rate_places(place, review, reader(ask), ask.model)
    print(ask.spent)
    return outcome


def _rows(files: list[Path]) -> pd.DataFrame:
    return pd.DataFrame([json.loads(line) for path in files for line in path.open(encoding="utf-8")])


def main() -> None:
    """Print the engine's table of errors, whether each attribute beats both baselines by enough, and the speed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, metavar="RECIPE")
    parser.add_argument("--home")
    parser.add_argument("--seed", type=int, default=2024)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--cities", type=int, default=2)
    args = parser.parse_args()
    place, review, truth = invented_world(args.seed, args.scale, args.cities)
    started = time.process_time()
    outcome = rated_by_model(place, review, args.model, args.home) if args.model else rate_places(place, review)
    seconds = time.process_time() - started
    ratings = pd.DataFrame(outcome.rows)
    table = measure(ratings, truth, place)
    texts = dict(zip(review["review_id"], review["text"], strict=True))
    precision = evidence_precision(ratings, place, texts)
    table["evidence"] = [precision.get(key) for key in zip(table["kind"], table["attribute"], strict=True)]
    table["enough"] = table["improvement"] >= REQUIRED_IMPROVEMENT
    print(table.round(3).to_string(index=False))
    words = sum(len(text.split()) for text in review["text"])
    print(f"{len(ratings)} of {outcome.rows_in} rated; {len(place)} places, {len(review)} reviews of {words} words")
    print(f"{len(review) / seconds:,.0f} reviews/s, {words / seconds:,.0f} words/s, {seconds:.2f} s of processor time")


if __name__ == "__main__":
    main()
