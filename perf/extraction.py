"""Error and speed of a review engine on an invented world whose true ratings are known: `python -m perf.extraction`.

Prints, per attribute, the mean absolute error beside the two baselines of `assets/reviews/quality.py`, rank
correlation, the share of cited passages that truly speak of the attribute, and how many reviews a second the engine
reads. The world has no planted dirt: what is measured is reading, not cleaning. `--model RECIPE` scores the model that
a recipe names, through the ledger of `--home`: what was asked before costs nothing. `--beside COMMIT` has the rules as
they stood at a commit read the same reviews, and prints their error beside today's and whether an attribute is worse;
`--seeds` adds worlds up (7 is the demonstration's): `--beside 69e671a --seeds 7`.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

import pandas as pd
import pyarrow as pa

from assets.reviews.model import reader
from assets.reviews.quality import REQUIRED_IMPROVEMENT, evidence_precision, measure
from assets.reviews.rating import rate_places
from assets.step import Outcome
from pipelines.extraction import model_ask
from sources.invented import generate
from warehouse.home import Home

RATE = """
import os
import pandas as pd
from assets.reviews.rating import rate_places
assert rate_places.__code__.co_filename.startswith(os.getcwd()), "expected the commit's own code"
rated = pd.DataFrame(rate_places(pd.read_parquet("place.parquet"), pd.read_parquet("review.parquet")).rows)
rated[["place_id", "attribute", "rating", "engine"]].to_parquet("rated.parquet")
"""


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


def errors(ratings: pd.DataFrame, place: pd.DataFrame, truth: pd.DataFrame) -> pd.DataFrame:
    """Return by kind and attribute the summed error of the ratings and how many there are."""
    table = measure(ratings, truth, place).set_index(["kind", "attribute"])
    return pd.DataFrame({"error": table["mae"] * table["n"], "n": table["n"]})


def rated_as_at(commit: str, place: pd.DataFrame, review: pd.DataFrame) -> pd.DataFrame:
    """Return the ratings that the rules gave as they stood at a commit of this repository."""
    rooms = ("assets", "schemas", "sources", "warehouse")
    archive = subprocess.run(["git", "archive", commit, "--", *rooms], check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(root, filter="data")
        place.to_parquet(root / "place.parquet")
        review.to_parquet(root / "review.parquet")
        subprocess.run([sys.executable, "-c", RATE], check=True, cwd=root, env={**os.environ, "PYTHONPATH": str(root)})
        return pd.read_parquet(root / "rated.parquet")


def beside(commit: str, seeds: list[int], scale: float, cities: int) -> pd.DataFrame:
    """Return by kind and attribute the mean error of the rules at a commit and of today's, over all seeds' worlds."""
    before, today = [], []
    for seed in seeds:
        place, review, truth = invented_world(seed, scale, cities)
        before.append(errors(rated_as_at(commit, place, review), place, truth))
        today.append(errors(pd.DataFrame(rate_places(place, review).rows), place, truth))
    old, new = (pd.concat(one).groupby(["kind", "attribute"], sort=False).sum() for one in (before, today))
    table = pd.DataFrame({"before": old["error"] / old["n"], "n_before": old["n"]})
    table = table.assign(today=new["error"] / new["n"], n_today=new["n"])
    return table.assign(is_worse=table["today"] > table["before"])


def _rows(files: list[Path]) -> pd.DataFrame:
    return pd.DataFrame([json.loads(line) for path in files for line in path.open(encoding="utf-8")])


def main() -> None:
    """Print the engine's table of errors, whether each attribute beats both baselines by enough, and the speed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, metavar="RECIPE")
    parser.add_argument("--home")
    parser.add_argument("--beside", metavar="COMMIT")
    parser.add_argument("--seeds", type=int, nargs="+", default=[2024])
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--cities", type=int, default=2)
    args = parser.parse_args()
    if args.beside:
        table = beside(args.beside, args.seeds, args.scale, args.cities)
        print(table.round(4).to_string())
        print(f"{table['is_worse'].sum()} of {len(table)} worse than at {args.beside}")
        return
    if len(args.seeds) > 1:
        parser.error("several seeds are added up with --beside only; give one")
    place, review, truth = invented_world(args.seeds[0], args.scale, args.cities)
    started = time.process_time()
    outcome = rated_by_model(place, review, args.model, args.home) if args.model else rate_places(place, review)
    seconds = time.process_time() - started
    ratings = pd.DataFrame(outcome.rows)
    table = measure(ratings, truth, place)
    cited = pa.Table.from_pylist(ratings[["place_id", "attribute", "evidence"]].to_dict("records"))
    precision = evidence_precision(cited, place, pa.Table.from_pandas(review[["review_id", "text"]]))
    table["evidence"] = [precision.get(key) for key in zip(table["kind"], table["attribute"], strict=True)]
    table["enough"] = table["improvement"] >= REQUIRED_IMPROVEMENT
    print(table.round(3).to_string(index=False))
    words = sum(len(text.split()) for text in review["text"])
    print(f"{len(ratings)} of {outcome.rows_in} rated; {len(place)} places, {len(review)} reviews of {words} words")
    print(f"{len(review) / seconds:,.0f} reviews/s, {words / seconds:,.0f} words/s, {seconds:.2f} s of processor time")


if __name__ == "__main__":
    main()
