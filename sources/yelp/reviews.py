"""Yelp's review file, of any size: judged in blocks of lines by DuckDB, with memory bounded by one block.

Which businesses count is given by the caller; what is rated from the reviews belongs in `assets/reviews/`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from schemas.rejection import Reason
from sources.formats.fields import required_id, required_text
from sources.formats.jsonl import RowError, line_blocks, parse_object, rejection, require_objects
from sources.formats.unpacking import RawInput
from sources.formats.unreadable import UNREADABLE, require_readable

if TYPE_CHECKING:
    import pyarrow as pa

REVIEW_KEYS = ("review_id", "business_id", "stars", "useful", "text")
REVIEW_REMEDY = "Bind Yelp's review file to the role `review`, and its business file to `business`."
LEAST_USEFUL = 1
"""Reviews are kept that at least so many readers found useful (paper, 2.A)."""

MEMORY_LIMIT = "300MB"
BATCH_LINES = 4_096
"""Lines in an Arrow batch of a block: DuckDB gives each of its threads one batch at a time."""

_JUDGE = """
CREATE OR REPLACE TEMP TABLE judged AS
SELECT number, city_id, place_id,
  CASE WHEN NOT coalesce(
      f.review_id <> '' AND f.business_id <> '' AND f.stars BETWEEN 1 AND 5 AND f.useful IS NOT NULL, false
    ) THEN 'unsound'
    WHEN place_id IS NULL THEN $unknown
    WHEN f.useful < $least_useful THEN $not_useful
    ELSE 'wanted' END AS verdict,
  CASE WHEN place_id IS NULL THEN 'business_id: ' || f.business_id ELSE 'useful: ' || f.useful END AS detail
FROM (
  SELECT number, TRY(from_json(
    line, '{"review_id": "VARCHAR", "business_id": "VARCHAR", "stars": "DOUBLE", "useful": "BIGINT"}'
  )) AS f FROM block
) AS parsed LEFT JOIN business ON business.native_id = f.business_id
"""

_DROPPED = """
SELECT $prefix || number AS row, verdict AS reason, detail FROM judged
WHERE verdict IN ($unknown, $not_useful) ORDER BY number
"""

_WANTED = r"""
SELECT number, city_id, place_id, f.review_id AS review_id, f.stars AS stars, f.useful AS useful, f.text AS text,
  coalesce(strftime(TRY_CAST(f.date AS TIMESTAMP), '%Y-%m-%dT%H:%M:%S'), '') AS date, $prefix || number AS source_row,
  coalesce(regexp_matches(f.text, '[^\s\v\x1c-\x1f\x85\pZ]'), false)
  AND (f.date IS NULL OR TRY_CAST(f.date AS TIMESTAMP) IS NOT NULL) AS is_whole
FROM (
  SELECT *, from_json(
    line, '{"review_id": "VARCHAR", "stars": "DOUBLE", "useful": "BIGINT", "text": "VARCHAR", "date": "VARCHAR"}'
  ) AS f FROM chosen JOIN judged USING (number)
) AS parsed ORDER BY number
"""


@dataclass(frozen=True)
class ReviewBlock:
    """What one block of lines gives: kept reviews (columns of `Review`), rejections, and how many rows it held."""

    reviews: pa.Table
    rejections: pa.Table
    rows: int


def read_reviews(file: RawInput, business: pa.Table) -> Iterator[ReviewBlock]:
    """Yield the file's useful reviews of the given businesses in blocks, with everything else and why it was dropped.

    `business` has the columns native_id, city_id and place_id. Rows keep the file's order, whatever the number of
    threads. Raises SourceError if the file is not a Yelp review file.
    """
    import duckdb

    require_objects(file, REVIEW_KEYS, "Yelp reviews", REVIEW_REMEDY)
    with duckdb.connect(config={"memory_limit": MEMORY_LIMIT}) as connection:
        connection.execute("SET enable_progress_bar = false")  # it is drawn on stdout, where answers are printed
        connection.register("given", business)
        connection.execute("CREATE TEMP TABLE business AS SELECT native_id, city_id, place_id FROM given")
        rows, unreadable = 0, Counter[str]()
        examples: dict[str, dict[str, str]] = {}
        for numbers, lines in line_blocks(file):
            block = _judge(connection, file, numbers, lines)
            rows += block.rows
            for bad in block.rejections.filter(_is_unreadable(block.rejections)).to_pylist():
                unreadable[bad["reason"]] += 1
                examples.setdefault(bad["reason"], bad)
            yield block
        require_readable(file, rows, unreadable, examples)


def parse_reviews(file: RawInput, lines: dict[str, bytes]) -> dict[str, dict[str, Any]]:
    """Return the reviews on some lines of the file, by locator (`L12`), each read from its line alone.

    Columns are those of `Review` but its city and place, which the businesses give. One that is not whole is left out.
    """
    import duckdb
    import pyarrow as pa

    numbers = [int(locator[1:]) for locator in lines]
    numbered_lines = pa.table(
        {"number": pa.array(numbers, pa.int64()), "line": _text(pa.array(lines.values(), pa.large_binary()))}
    )
    with duckdb.connect(config={"memory_limit": MEMORY_LIMIT}) as connection:
        connection.execute("SET enable_progress_bar = false")  # it is drawn on stdout, where answers are printed
        connection.register("chosen", numbered_lines)
        connection.execute("CREATE TEMP TABLE judged AS SELECT number, NULL AS city_id, NULL AS place_id FROM chosen")
        rows = connection.sql(_WANTED, params={"prefix": file.snapshot.pointer("L")}).to_arrow_table().to_pylist()
    return {
        f"L{row['number']}": {k: v for k, v in row.items() if k not in ("number", "is_whole", "city_id", "place_id")}
        for row in rows
        if row["is_whole"]
    }


def _judge(connection: Any, file: RawInput, numbers: Any, lines: pa.Array) -> ReviewBlock:
    import numpy as np
    import pyarrow as pa

    block = pa.table({"number": pa.array(numbers), "line": _text(lines)})
    block = pa.Table.from_batches(block.to_batches(BATCH_LINES))
    prefix = {"prefix": file.snapshot.pointer("L")}
    connection.register("block", block)
    reasons = {"unknown": str(Reason.UNKNOWN_PLACE), "not_useful": str(Reason.NOT_USEFUL)}
    connection.execute(_JUDGE, {**reasons, "least_useful": LEAST_USEFUL})
    line_numbers = _numbers(connection, "wanted")
    connection.register("chosen", block.take(np.searchsorted(numbers, line_numbers)))
    reviews = connection.sql(_WANTED, params=prefix).to_arrow_table()
    dropped = connection.sql(_DROPPED, params={**prefix, **reasons}).to_arrow_table()
    partial = reviews.filter(_not(reviews["is_whole"]))["number"].to_numpy()
    faults, blank = [], 0
    for number in sorted([*_numbers(connection, "unsound").tolist(), *partial.tolist()]):
        line = lines[int(np.searchsorted(numbers, number))].as_py()
        if line.strip():
            faults.append(rejection(file.snapshot.pointer(number), _fault(line)))
        else:
            blank += 1
    if faults:
        dropped = pa.concat_tables([dropped, pa.Table.from_pylist(faults, schema=dropped.schema)])
    reviews = reviews.filter(reviews["is_whole"]).drop_columns(["number", "is_whole"])
    return ReviewBlock(reviews, dropped, len(lines) - blank)


def _is_unreadable(dropped: pa.Table) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.call_function("is_in", [dropped["reason"]], pc.SetLookupOptions(pa.array(sorted(UNREADABLE))))


def _numbers(connection: Any, verdict: str) -> Any:
    query = "SELECT number FROM judged WHERE verdict = $verdict ORDER BY number"
    return connection.execute(query, {"verdict": verdict}).fetchnumpy()["number"]


def _not(flags: Any) -> Any:
    import pyarrow.compute as pc

    return pc.call_function("invert", [flags])


def _text(lines: pa.Array) -> pa.Array:
    """Return the lines as text; one that is not UTF-8 as an empty one, which is then found unsound."""
    import pyarrow as pa

    try:
        return lines.cast(pa.large_string())
    except pa.ArrowInvalid:
        return pa.array([_decoded(line) for line in lines.to_pylist()], pa.large_string())


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return ""


def _fault(line: bytes) -> RowError:
    """Return what is wrong with a line that is no sound review."""
    try:
        row = parse_object(line)
        for key in ("review_id", "business_id"):
            required_id(row, key)
        required_text(row, "text")
    except RowError as error:
        return error
    missing = [key for key in ("stars", "useful") if row.get(key) is None]
    if missing:
        return RowError(Reason.MISSING_VALUE, f"{', '.join(missing)}: found none, expected a number")
    description = f"stars {row['stars']!r}, useful {row['useful']!r} and date {row.get('date')!r}"
    return RowError(Reason.BAD_VALUE, f"found {description}; expected 1 to 5 stars, a count, and a date and time")
