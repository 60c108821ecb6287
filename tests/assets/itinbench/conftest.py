"""The published Philadelphia folder as a pool of places, for the tests of the ItinBench family."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from assets.itinbench.tables import ItinbenchPlace
from assets.itinbench.words.labels import read_cuisine, read_meals, read_orientation, read_price, read_rating
from schemas.reviews import ATTRIBUTES

FILES = {"stay": "hotels", "restaurant": "restaurants", "attraction": "attractions"}


def jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="session")
def published(shared_data: Path) -> Path:
    return shared_data / "itinbench"


@pytest.fixture(scope="session")
def philadelphia(published: Path) -> pd.DataFrame:
    """The 927 published places as our pool; a place's id is its Yelp id, so one in two tables has one id."""
    rows = []
    for kind, stem in FILES.items():
        for number, line in enumerate(jsonl(published / f"{stem}.jsonl"), 1):
            row = dict.fromkeys((c.name for c in ItinbenchPlace.columns()), None)
            row |= {"city_id": "us-pa-philadelphia", "place_id": f"yelp-{line['business_id']}", "kind": kind}
            row |= {"native_id": line["business_id"], "lat": line["latitude"], "lon": line["longitude"]}
            row |= {key: line[key] for key in ("name", "address", "stars")}
            row |= {"price_level": read_price(line["price"]), "meals": read_meals(line.get("good_for_meal", ""))}
            row |= {key: read_cuisine(line.get(key, "Not Applicable")) for key in ("cuisine_1", "cuisine_2")}
            for attribute in ATTRIBUTES[kind]:
                if kind == "attraction":
                    label = f"{attribute} oriented"
                    row[attribute] = read_orientation(attribute, line[label])
                else:
                    row[attribute] = read_rating(attribute, line[attribute])
            row["source_rows"], row["generation_ids"] = [f"published@{stem}.jsonl#{number}"], []
            rows.append(row)
    return ItinbenchPlace.frame(
        ItinbenchPlace.validate(pa.Table.from_pylist(rows, schema=ItinbenchPlace.arrow_schema()))
    )


@pytest.fixture(scope="session")
def pool_of() -> Callable[..., pd.DataFrame]:
    """Return a function from places, each with what matters to the test, to a pool; the rest meets every demand."""

    def make(*places: dict[str, Any]) -> pd.DataFrame:
        rows = []
        for number, given in enumerate(places):
            row: dict[str, Any] = dict.fromkeys(c.name for c in ItinbenchPlace.columns())
            row |= {"city_id": "us-xx-testville", "place_id": f"p{number:03d}", "name": f"Place {number}"}
            row |= {
                "native_id": f"n{number:03d}",
                "address": f"{number} Main St",
                "lat": 40.0,
                "lon": -75.0,
                "stars": 4.0,
            }
            row |= {
                "price_level": 2,
                "cuisine_1": "",
                "cuisine_2": "",
                "meals": [],
                "source_rows": [],
                "generation_ids": [],
            }
            rated = ATTRIBUTES[given["kind"]]
            rows.append(row | dict.fromkeys(rated, 3 if given["kind"] == "attraction" else 5) | given)
        return ItinbenchPlace.frame(pa.Table.from_pylist(rows, schema=ItinbenchPlace.arrow_schema()))

    return make
