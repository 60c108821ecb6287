"""Useful reviews of kept places, streamed; everything else with its reason, whatever the size of the blocks."""

from __future__ import annotations

import gc
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assets.clean.review import reviews
from schemas.reviews import Review
from schemas.source import SourceError
from sources.formats import jsonl

PLACES = pd.DataFrame(
    [
        {"place_id": "yelp:b1", "city_id": "city-a"},
        {"place_id": "yelp:b2", "city_id": "city-b"},
        {"place_id": "published:b3", "city_id": "city-a"},
    ]
)


def review(review_id: object = "r1", **changes: object) -> dict:
    row = {
        "review_id": review_id,
        "user_id": "u",
        "business_id": "b1",
        "stars": 4.0,
        "useful": 1,
        "funny": 0,
        "cool": 0,
        "text": 'Good,\n"quoted" <script> 🍜 مطعم',
        "date": "2018-07-07 22:09:11",
    }
    return row | changes


def clean(*files) -> tuple[list[dict], dict[str, dict]]:
    """Return the kept reviews and the rejections by line, checked against the table and the accounting."""
    outcome: Any = reviews(list(files), PLACES)
    assert isinstance(outcome.rows, pa.RecordBatchReader)
    assert isinstance(outcome.rejections, pa.RecordBatchReader)
    rejections = outcome.rejections.read_all().to_pylist()
    kept = outcome.rows.read_all()
    Review.validate(Review.arrow(kept))
    assert outcome.rows_in == kept.num_rows + len(rejections)
    by_line = {r["row"].rpartition("#L")[2]: r for r in rejections}
    assert len(by_line) == len(rejections) or len(files) > 1
    return kept.to_pylist(), by_line


def test_a_useful_review_of_a_place_is_kept_as_written(raw_file):
    file = raw_file("yelp", "review", [review(), review("r2", business_id="b2", useful=7, date=None)])
    kept, dropped = clean(file)
    assert dropped == {}
    assert kept == [
        {
            "city_id": "city-a",
            "place_id": "yelp:b1",
            "review_id": "r1",
            "stars": 4.0,
            "useful": 1,
            "text": 'Good,\n"quoted" <script> 🍜 مطعم',
            "date": "2018-07-07T22:09:11",
            "source_row": file.snapshot.pointer(1),
        },
        {**kept[1], "city_id": "city-b", "place_id": "yelp:b2", "review_id": "r2", "useful": 7, "date": ""},
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (review("x", useful=0), "not_useful"),
        (review("x", useful=-1), "not_useful"),
        (review("x", business_id="b3"), "unknown_place"),
        (review("x", business_id="yelp:b1"), "unknown_place"),
        (review("x", business_id=None), "missing_value"),
        (review("x", business_id=""), "missing_value"),
        (review(None), "missing_value"),
        (review("x", text=None), "missing_value"),
        (review("x", text=" "), "missing_value"),
        (review("x", text="\n\t"), "missing_value"),
        (review("x", useful=None), "missing_value"),
        (review("x", stars=None), "missing_value"),
        (review("x", stars=0), "bad_value"),
        (review("x", stars="five"), "bad_value"),
        (review("x", stars=float("nan")), "bad_value"),
        (review("x", useful="many"), "bad_value"),
        (review("x", date="yesterday"), "bad_value"),
        (review("x", text="half \ud83d"), "bad_value"),
        ("{bad", "bad_json"),
        ("[1]", "bad_json"),
        ("null", "bad_json"),
        (json.dumps(review("x"))[:-20], "bad_json"),
        (b"\xff\xfe{}", "bad_json"),
        (json.dumps(review("x")).encode().replace(b"Good", b"\xc3\x28"), "bad_json"),
    ],
)
def test_every_other_line_is_dropped_with_its_reason(raw_file, line, reason):
    data = line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode()
    good = json.dumps(review()).encode()
    kept, dropped = clean(raw_file("yelp", "review", b"\n".join([good, b"", data, good.replace(b"r1", b"r2"), b" "])))
    assert [r["review_id"] for r in kept] == ["r1", "r2"]
    assert {number: r["reason"] for number, r in dropped.items()} == {"3": reason}
    assert dropped["3"]["detail"]


def test_of_reviews_with_one_id_the_first_stays_across_files(raw_file):
    first = raw_file("yelp", "review", [review("r1"), review("r1"), review("r2")])
    second = raw_file("yelp", "review", [review("r1", text="Changed"), review("r1", business_id="b2")])
    kept, dropped = clean(first, second, first)
    assert [(r["review_id"], r["place_id"], r["text"][:4]) for r in kept] == [
        ("r1", "yelp:b1", "Good"),
        ("r2", "yelp:b1", "Good"),
        ("r1", "yelp:b2", "Good"),
    ]
    assert {r["row"]: r["reason"] for r in dropped.values()} == {
        first.snapshot.pointer(2): "duplicate",
        second.snapshot.pointer(1): "duplicate",
    }
    assert first.snapshot.pointer(1) in dropped["1"]["detail"]


@pytest.mark.parametrize(
    "content", ["", "\x00\x01\x02", "review_id,text\n1,good\n", '{"business_id": "b", "name": "A"}\n']
)
def test_a_file_of_another_kind_is_refused(raw_file, content):
    with pytest.raises(SourceError, match=r"yelp/review.json.*expected Yelp reviews"):
        reviews([raw_file("yelp", "review", content)], PLACES)


def test_no_file_gives_no_review():
    assert clean() == ([], {})


def test_the_scratch_folder_goes_with_the_streams(raw_file, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    outcome = reviews([raw_file("yelp", "review", [review()])], PLACES)
    assert list(Path(tempfile.gettempdir()).iterdir())
    del outcome
    gc.collect()
    assert not list(Path(tempfile.gettempdir()).iterdir())


LINES = st.one_of(
    st.builds(
        lambda i, b, u, t: json.dumps(review(f"r{i}", business_id=b, useful=u, text=t)).encode(),
        st.integers(0, 9),
        st.sampled_from(["b1", "b2", "b9"]),
        st.sampled_from([0, 1, 2]),
        st.text(max_size=5),
    ),
    st.sampled_from([b"", b"{", b"\xff", b"3"]),
)


def obvious(lines: list[bytes]) -> tuple[list[tuple[int, str]], dict[str, str]]:
    """Return the kept lines' numbers and ids, and the reasons of the others, the slow way."""
    kept, dropped, seen = [], {}, set()
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not line.strip():
            continue
        if not isinstance(row, dict):
            dropped[str(number)] = "bad_json"
        elif row["business_id"] == "b9":
            dropped[str(number)] = "unknown_place"
        elif row["useful"] < 1:
            dropped[str(number)] = "not_useful"
        elif not row["text"].strip():
            dropped[str(number)] = "missing_value"
        elif (row["business_id"], row["review_id"]) in seen:
            dropped[str(number)] = "duplicate"
        else:
            seen.add((row["business_id"], row["review_id"]))
            kept.append((number, row["review_id"]))
    return kept, dropped


@given(lines=st.lists(LINES, max_size=25), size=st.sampled_from([1, 200, 1000, 1 << 20]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
def test_the_stream_is_the_obvious_loop_whatever_the_block_size(raw_file, monkeypatch, lines, size):
    monkeypatch.setattr(jsonl, "BLOCK_BYTES", size)
    lines = [json.dumps(review("first")).encode(), *lines]
    kept, dropped = clean(replace(raw_file("yelp", "review", b"\n".join(lines)), max_unreadable=1.0))
    expected_kept, expected_dropped = obvious(lines)
    assert [(int(r["source_row"].rpartition("#L")[2]), r["review_id"]) for r in kept] == expected_kept
    assert {number: r["reason"] for number, r in dropped.items()} == expected_dropped
