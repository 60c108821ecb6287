"""One row that a licence forbids to share, among others: it is named, and it alone loses what it holds."""

from __future__ import annotations

import pyarrow as pa

from assets.release.licences import Origins, columns_under, not_shareable, row_licences
from assets.release.withholding import HASH, withheld_rows
from schemas.source import Snapshot
from schemas.travel import CityPrice

FREE, YELP = "0" * 64, "1" * 64


def price(city_id: str, sha256: str) -> dict[str, object]:
    pointer = f"prices.file@{sha256}#L1"
    return {"city_id": city_id, "restaurant_index": 40.0, "inexpensive_meal": 9.0, "currency": "USD",
            "source_rows": [pointer]}  # fmt: skip


def snapshot(sha256: str, licence_id: str) -> Snapshot:
    return Snapshot(
        source="prices", role="file", location="prices.csv", sha256=sha256, size_bytes=1, licence_id=licence_id
    )


def test_one_forbidden_row_is_named_and_withheld_and_no_other():
    rows = [price("xx-a", FREE), price("xx-b", YELP), price("xx-c", FREE)]
    files = {"city_price.parquet": (CityPrice, pa.Table.from_pylist(rows, schema=CityPrice.arrow_schema()))}
    origins = Origins([snapshot(FREE, "CC0-1.0"), snapshot(YELP, "LicenseRef-Yelp")], {}, {})
    found = row_licences(files, origins, {"city_price"})
    (problem,) = not_shareable(columns_under(files, found))
    assert problem.startswith("city_price: restaurant_index, inexpensive_meal, currency of 1 rows are under")
    assert "LicenseRef-Yelp" in problem
    _, public, lacking = withheld_rows(CityPrice, files["city_price.parquet"][1], found["city_price.parquet"])
    assert lacking == {"restaurant_index": 1, "inexpensive_meal": 1, "currency": 1}
    left, gone, right = public.to_pylist()
    assert [{k: v for k, v in row.items() if k != HASH} for row in (left, right)] == [rows[0], rows[2]]
    assert (gone["city_id"], gone["source_rows"]) == ("xx-b", rows[1]["source_rows"])
    assert [gone[name] for name in lacking] == [None, None, None]
    assert [row[HASH] is None for row in (left, gone, right)] == [True, False, True]
