"""A Yelp review file to the kept-review table: time and memory, against a bare DuckDB script.

Both read the same file in processes of their own, in turn: hash it, number its lines, find the bad ones, keep useful
reviews of kept places once each, sort, write Parquet. Ours also writes down every other line with its reason, as a
build does; that is timed apart. Prints times, the ratio (target 1.5) and peak memory (target 1 GB).
Run from the repository's root: `python -m perf.yelp_reviews --gb 1.0`.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from perf.by_turns import by_turns, hash_of, show

PLACES, KEPT_PLACES, RUNS = 20_000, 4_000, 3
BAD_LINE_EVERY = 100_003
PHRASES = (
    "the food was great and service slow but fresh tasty we waited a long time room clean staff nice place good "
    "location bad noisy café street they came back with cold soup again however friends loved every bite of it"
)
WORDS = PHRASES.split()

BARE = r"""
CREATE TEMP TABLE judged AS
SELECT number, kept.native_id IS NOT NULL AND f.useful >= 1 AS is_kept, f IS NULL AS is_bad,
  CASE WHEN kept.native_id IS NOT NULL AND f.useful >= 1 THEN f END AS f
FROM (
  SELECT number, CASE WHEN json_valid(line) THEN from_json(line, '{"review_id": "VARCHAR", "business_id": "VARCHAR",
    "stars": "DOUBLE", "useful": "BIGINT", "text": "VARCHAR", "date": "VARCHAR"}') END AS f
  FROM (
    SELECT row_number() OVER () AS number, line FROM read_csv($path, columns = {'line': 'VARCHAR'}, delim = e'\x01',
      quote = '', escape = '', header = false, auto_detect = false, max_line_size = 8000000)
  )
) LEFT JOIN kept ON kept.native_id = f.business_id;
"""
BARE_WRITES = (
    """COPY (SELECT f.business_id, f.review_id, f.stars, f.useful, f.text, f.date, number FROM judged WHERE is_kept
    QUALIFY row_number() OVER (PARTITION BY f.business_id, f.review_id ORDER BY number) = 1
    ORDER BY f.business_id, f.review_id) TO $target (FORMAT parquet, COMPRESSION zstd)""",
    "COPY (SELECT number FROM judged WHERE is_bad ORDER BY number) TO $target (FORMAT parquet)",
)


def main() -> None:
    """Generate the file, run both in turn, and print times, ratio and peak memory."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--gb", type=float, default=0.2)
    gigabytes = parser.parse_args().gb
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        path = folder / "review.json"
        lines = write_reviews(path, int(gigabytes * 1e9))
        print(f"{path.stat().st_size / 1e9:.2f} GB, {lines:,} lines, one in {PLACES // KEPT_PLACES} of a kept place")
        runs = by_turns({"bare": bare, "ours": ours}, path, folder, RUNS)
    keys = ("seconds", "cpu_seconds", "seconds_with_rejections", "peak_mb", "rows", "bad")
    show(runs, keys, target=1.5)


def bare(path: Path, folder: Path) -> dict[str, Any]:
    """Return the seconds and rows of a DuckDB script that does the same work."""
    import duckdb

    started, cpu_started = time.perf_counter(), time.process_time()
    hash_of(path)
    config = {"memory_limit": "600MB", "temp_directory": str(folder / "sort")}
    with duckdb.connect(config={**config}) as connection:
        connection.execute("CREATE TABLE kept (native_id VARCHAR)")
        connection.execute(
            "INSERT INTO kept SELECT 'b' || lpad(i::VARCHAR, 21, '0') FROM range($n) r(i)", {"n": KEPT_PLACES}
        )
        connection.execute(BARE, {"path": str(path)})
        for number, statement in enumerate(BARE_WRITES):
            connection.execute(statement, {"target": str(folder / f"{number}.parquet")})
        seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - cpu_started
        counts = connection.sql("SELECT count(*) FILTER (is_kept), count(*) FILTER (is_bad) FROM judged").fetchall()[0]
    return {"seconds": seconds, "cpu_seconds": cpu_seconds, "rows": counts[0], "bad": counts[1]}


def ours(path: Path, folder: Path) -> dict[str, Any]:
    """Return the seconds and rows of the `review` step, from the verified raw file to the table version."""
    import pandas as pd

    from assets.clean.review import reviews
    from assets.step import RawFile
    from schemas.rejection import Rejection
    from schemas.reviews import Review
    from schemas.source import Snapshot
    from warehouse.store import Store, sha256_of
    from warehouse.tables import Tables

    place = pd.DataFrame({"place_id": [f"yelp:b{i:021d}" for i in range(KEPT_PLACES)], "city_id": "xx-made-up"})
    tables = Tables(Store(str(folder / "home")))
    started, cpu_started = time.perf_counter(), time.process_time()
    sha256 = sha256_of(path)
    snapshot = Snapshot(
        source="yelp", role="review", location=path.name, sha256=sha256, size_bytes=path.stat().st_size, licence_id="-"
    )
    outcome: Any = reviews([RawFile(snapshot, path)], place)
    version = tables.write_by_city(Review, outcome.rows, ["xx-made-up"])["xx-made-up"]
    seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - cpu_started
    bad = 0

    def completed() -> Any:
        import pyarrow as pa

        nonlocal bad
        for batch in outcome.rejections:
            bad += batch["reason"].to_pylist().count("bad_json")
            rows = pa.Table.from_batches([batch])
            rows = rows.append_column("step", pa.array(["review"] * len(batch)))
            rows = rows.append_column("city_id", pa.array([""] * len(batch)))
            yield from rows.select(Rejection.arrow_schema().names).cast(Rejection.arrow_schema()).to_batches()

    import pyarrow as pa

    tables.write(Rejection, pa.RecordBatchReader.from_batches(Rejection.arrow_schema(), completed()))
    everything = time.perf_counter() - started
    return {
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "seconds_with_rejections": everything,
        "rows": version.rows,
        "bad": bad,
    }


def write_reviews(path: Path, size_bytes: int) -> int:
    """Write about that many bytes of Yelp reviews, some lines cut off; return the number of lines."""
    rng = random.Random(1)
    texts = [json.dumps(" ".join(rng.choices(WORDS, k=rng.randint(20, 220))) + '\n"Fine", é') for _ in range(4_000)]
    written = lines = 0
    with path.open("w", encoding="ascii") as file:
        while written < size_bytes:
            line = (
                f'{{"review_id":"{lines:022d}","user_id":"{rng.randrange(10**6):022d}",'
                f'"business_id":"b{rng.randrange(PLACES):021d}","stars":{rng.randint(1, 5)}.0,'
                f'"useful":{rng.choice((0, 0, 1, 2))},"funny":0,"cool":0,"text":{rng.choice(texts)},'
                f'"date":"2018-07-07 22:09:11"}}'
            )
            if lines % BAD_LINE_EVERY == 77:
                line = line[:60]
            written += file.write(line + "\n")
            lines += 1
    return lines


if __name__ == "__main__":
    main()
