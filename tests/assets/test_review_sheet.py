"""The review sheet opens in a spreadsheet without running anything, and only what is understood is read back."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import tomllib
from types import SimpleNamespace
from typing import Any, cast

import pandas as pd
import pyarrow as pa
import pytest

from assets.families import families
from assets.release.reading import OpenedRelease
from assets.release.review import _correction, new_corrections, overrides_text, read_sheet, review_sheet
from schemas.corrections import correctable
from schemas.source import SourceError
from sources.corrections.overrides import raw_entries, read_corrections

TODAY = dt.date(2026, 11, 21)
EVIL = '=HYPERLINK("http://evil.example","x")'


ROW = "tripcraft_stay/xx-a/q"
STAY = {
    "city_id": "xx-a", "place_id": "q", "name": "Quay", "price": 90, "price_given": 90.0, "currency_given": "USD",
    "is_modelled": False, "room_type": "entire_home", "house_rules": ["No pets"], "max_occupancy": 2, "min_nights": 1,
    "rating": 4.5, "lat": 1.0, "lon": 2.0, "source_rows": ["airbnb.listings@0#L1"],
}  # fmt: skip


class Paper:
    """A release of one task on paper."""

    manifest = SimpleNamespace(
        opened=None,
        family="tripcraft",
        files=[SimpleNamespace(path=f"{name}.parquet") for name in ("tripcraft_stay", "tripcraft_town_ways")],
    )

    def table(self, name: str) -> pd.DataFrame:
        return {
            "tasks": pd.DataFrame({"task_id": ["t.0"], "city_id": ["xx-a"], "query": [EVIL]}),
            "generations": pd.DataFrame(),
            "lineage": self.rows("lineage").to_pandas(),
        }[name]

    def rows(self, name: str) -> pa.Table:
        if name == "generations":
            return pa.table({})
        if name == "certificates":
            plan = families()["tripcraft"].tables.certificate.arrow_schema().field("plan")
            return pa.table({"task_id": ["t.0"], "plan": pa.array([[]], plan.type)})
        assert name == "lineage"
        cells = [
            {"table": ref.partition("/")[0], "row": ref.partition("/")[2], "column": "name"}
            for ref in (ROW, "tripcraft_town_ways/xx-a/q")
        ]
        edge = {"task_id": "t.0", "field": "record", "kind": "cells", "by": "equal", "cells": cells}
        return pa.Table.from_pylist([edge | {"generation_ids": []}])

    def batches(self, name: str) -> list[pa.Table]:
        ways = {"city_id": "xx-a", "place_id": "q", "times_s": [0.0], "router": "r", "source_rows": []}
        found = {"tripcraft_stay": [STAY], "tripcraft_town_ways": [ways]}.get(name, [])
        return [pa.Table.from_pylist(found)] if found else []


PAPER = cast("OpenedRelease", Paper())


def filled(**answers: str) -> bytes:
    (row,) = csv.DictReader(io.StringIO(review_sheet(PAPER).decode("utf-8-sig")))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(row))
    writer.writeheader()
    writer.writerow({**row, **answers})
    return out.getvalue().encode("utf-8-sig")


def test_a_cell_is_never_a_formula():
    (row,) = csv.DictReader(io.StringIO(review_sheet(PAPER).decode("utf-8-sig")))
    assert row["query"] == "'" + EVIL
    assert row["rows"].startswith(f'{ROW}  {{"name": "Quay", "room_type": "entire_home", ')
    assert "town_ways" not in row["rows"]
    assert row["links"] == "https://www.openstreetmap.org/?mlat=1.0&mlon=2.0#map=18/1.0/2.0"
    assert not any(str(value).startswith(("=", "+", "-", "@")) for value in row.values())


ANSWERED = {
    "text": ("name", '\'+Kay "x"\x7f', '+Kay "x"\x7f'),
    "number": ("max_occupancy", "120", 120),
    "list": ("house_rules", '["No smoking"]', ["No smoking"]),
}


@pytest.mark.parametrize("case", ANSWERED)
def test_answers_come_back_as_corrections_that_the_reader_of_overrides_takes(case, raw_file):
    field, answer, value = ANSWERED[case]
    answers: dict[str, Any] = {"verdict": "Correct", "row": ROW, "field": field, "value": answer, "why": "Sign."}
    entries = read_sheet(filled(**answers), PAPER, "A. Reader", TODAY)
    assert entries == [
        {"row": ROW, "field": field, "value": value, "who": "A. Reader", "made_on": TODAY, "why": "Sign."}
    ]
    text = overrides_text(entries)
    assert tomllib.loads(text)["correction"] == entries
    file = raw_file("corrections", "overrides", text)
    (read,) = read_corrections(file)
    assert (read["value"], read["made_on"]) == (value, "2026-11-21")
    raw = raw_entries(file, {"correction[0]", "correction[9]"})["correction[0]"]
    assert json.loads(raw)["value"] == value


def test_what_is_well_asks_for_nothing():
    assert read_sheet(filled(verdict="ok"), PAPER, "A. Reader", TODAY) == []
    assert read_sheet(filled(verdict="ok", why="Looked up."), PAPER, "A. Reader", TODAY) == []


def test_a_cell_is_no_longer_than_spreadsheets_keep_and_says_that_it_is_cut(monkeypatch):
    monkeypatch.setattr("assets.release.review.MOST_CELL", 100)
    (row,) = csv.DictReader(io.StringIO(review_sheet(PAPER).decode("utf-8-sig")))
    assert len(row["rows"]) == 99
    assert row["rows"].startswith(ROW)
    assert row["rows"].endswith("… cut here; `tripwright audit` shows all of the task")


def test_rows_that_a_spreadsheet_left_empty_are_none():
    sheet = filled(verdict="ok").decode() + "," * 10 + "\r\n  ,\r\n"
    assert read_sheet(sheet.encode(), PAPER, "A. Reader", TODAY) == []


def test_a_long_cell_is_read():
    (entry,) = read_sheet(filled(verdict="withdraw", why="x" * 200_000), PAPER, "A. Reader", TODAY)
    assert len(entry["why"]) == 200_000


CORRECT = {"verdict": "correct", "why": "x", "row": ROW}
WRONG = {
    "verdict": ({"verdict": "perhaps"}, "row 2: verdict: expected ok, withdraw or correct"),
    "why": ({"verdict": "withdraw"}, "row 2: why: say why"),
    "place": ({**CORRECT, "row": "tripcraft_stay/xx-a/z"}, "rests on no row 'tripcraft_stay/xx-a/z'"),
    "computed": ({**CORRECT, "row": "tripcraft_town_ways/xx-a/q"}, "rests on no row 'tripcraft_town_ways/xx-a/q'"),
    "position": ({**CORRECT, "field": "lat"}, "field: expected one of name, room_type"),
    "type": ({**CORRECT, "field": "max_occupancy", "value": "cheap"}, "value: max_occupancy is int, found 'cheap'"),
    "fraction": ({**CORRECT, "field": "max_occupancy", "value": "9.5"}, "value: max_occupancy is int, found 9.5"),
    "task": ({"task_id": "t.9"}, "the release has no task 't.9'"),
    "no verdict": ({"row": ROW}, "row 2: verdict: empty, but row is filled"),
    "why alone": ({"why": "x"}, "row 2: verdict: empty, but why is filled"),
    "two verdicts": ({**CORRECT, "verdict": "withdraw"}, "row 2: verdict: 'withdraw' with a row; only correct takes"),
    "bounds": ({**CORRECT, "field": "rating", "value": "99"}, "rating: expected at least 0; at most 5, found 99"),
    "words": ({**CORRECT, "field": "room_type", "value": "castle"}, "expected one of `shared_room`.*found 'castle'"),
    "blank": ({**CORRECT, "field": "name"}, "value: found none for name; a correction says what should stand there"),
    "null": ({**CORRECT, "field": "name", "value": "null"}, "found none for name; .* drop the row, or mend"),
    "no longer known": ({**CORRECT, "field": "rating", "value": "null"}, "found none for rating; a correction says"),
    "items": ({**CORRECT, "field": "house_rules", "value": '["Be nice"]'}, "expected one of `No parties`"),
    "too large": ({**CORRECT, "field": "rating", "value": "9" * 400}, "rating is float, may be null, found 9{80}$"),
    "made into others": (
        {**CORRECT, "field": "price_given", "value": "120"},
        "price would stay as price_given made it; correct what the row is made of, or drop it",
    ),
    "no number": ({**CORRECT, "field": "rating", "value": "NaN"}, "rating is float, may be null, found nan"),
    "too deep": ({**CORRECT, "field": "house_rules", "value": "[" * 100_000}, "house_rules is list"),
    "half a pair": ({**CORRECT, "field": "house_rules", "value": '["\\ud800"]'}, "house_rules is list"),
}


@pytest.mark.parametrize("case", WRONG)
def test_an_answer_that_is_not_understood_is_named(case):
    answers, words = WRONG[case]
    with pytest.raises(ValueError, match=words):
        read_sheet(filled(**answers), PAPER, "A. Reader", TODAY)


def test_a_task_that_is_well_and_is_not_is_named():
    well, gone = filled(verdict="ok"), filled(verdict="withdraw", why="Odd.")
    (entry,) = read_sheet(gone + gone.split(b"\r\n", 1)[1], PAPER, "A. Reader", TODAY)[:-1]
    assert entry["task_id"] == "t.0"
    with pytest.raises(ValueError, match=r"t\.0: is ok \(row 2\) and withdraw \(row 3\); expected ok alone"):
        read_sheet(well + gone.split(b"\r\n", 1)[1], PAPER, "A. Reader", TODAY)


def test_another_sheet_is_refused():
    with pytest.raises(ValueError, match="expected one that `tripwright review` wrote"):
        read_sheet(b"a,b\n1,2\n", PAPER, "A. Reader", TODAY)


def test_an_answer_that_a_comma_cut_in_two_and_a_column_that_stands_twice_are_named():
    sheet = filled(verdict="withdraw", why="Closed, since May.").decode()
    with pytest.raises(ValueError, match=r"row 2: ' since May\.' stands beyond the last column"):
        read_sheet(sheet.replace('"Closed, since May."', "Closed, since May.").encode(), PAPER, "A. Reader", TODAY)
    with pytest.raises(ValueError, match="the sheet has verdict twice"):
        read_sheet(sheet.replace("query", "verdict", 1).encode(), PAPER, "A. Reader", TODAY)


def test_who_filled_it_is_text():
    with pytest.raises(ValueError, match="half of a surrogate pair"):
        read_sheet(filled(verdict="ok"), PAPER, "A. \udcff", TODAY)


def test_true_and_false_are_read_as_spreadsheets_write_them():
    table = next(
        table
        for table in (*families()["grouptravel"].world_tables, *families()["grouptravel"].context)
        if "is_married" in correctable(table)
    )
    assert _correction({"field": "is_married", "value": "TRUE"}, table)["value"] is True


def saved(sheet: bytes, delimiter: str, encoding: str) -> bytes:
    """Return a sheet as a spreadsheet saves it where its computer's language is another."""
    rows = list(csv.reader(io.StringIO(sheet.decode("utf-8-sig"), newline="")))
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    return out.getvalue().encode(encoding)


@pytest.mark.parametrize(("delimiter", "encoding"), [(";", "utf-8-sig"), ("\t", "utf-16"), (",", "utf-8")])
def test_a_sheet_is_read_as_spreadsheets_save_it(delimiter, encoding):
    answers = {"verdict": "withdraw", "why": "Closed; since May,\tat least."}
    (entry,) = read_sheet(saved(filled(**answers), delimiter, encoding), PAPER, "A. Reader", TODAY)
    assert (entry["task_id"], entry["why"]) == ("t.0", answers["why"])
    named = f"sep={delimiter}\r\n" + saved(filled(**answers), delimiter, "utf-8").decode()
    assert read_sheet(named.encode(encoding), PAPER, "A. Reader", TODAY) == [entry]


def test_a_sheet_that_ends_inside_a_cell_is_refused_whatever_was_answered_before():
    sheet = filled(verdict="ok")
    with pytest.raises(ValueError, match="not whole CSV"):
        read_sheet(sheet[: sheet.index(b"Quay")], PAPER, "A. Reader", TODAY)


def test_a_workbook_is_told_as_such():
    with pytest.raises(ValueError, match="Save it as CSV"):
        read_sheet(b"PK\x03\x04" + bytes(99), PAPER, "A. Reader", TODAY)


def test_a_sheet_may_be_read_back_again_but_one_field_is_corrected_to_one_value(raw_file):
    answers: dict[str, Any] = {"verdict": "correct", "row": ROW, "field": "name", "value": "Kay", "why": "Sign."}
    kay = read_sheet(filled(**answers), PAPER, "A. Reader", TODAY)
    gone = read_sheet(filled(verdict="withdraw", why="Odd."), PAPER, "A. Reader", TODAY)
    overrides = overrides_text(new_corrections([*kay, *kay, *gone], b"", "o.toml"))
    assert [entry["who"] for entry in read_corrections(raw_file("corrections", "overrides", overrides))] == [
        "A. Reader", "A. Reader",
    ]  # fmt: skip
    assert new_corrections([*gone, *kay], overrides.encode(), "o.toml") == []
    other = read_sheet(filled(**{**answers, "value": "Key"}), PAPER, "B. Reader", TODAY)
    with pytest.raises(ValueError, match=r"name is corrected to 'Key', and to 'Kay' by A\. Reader on 2026-11-21"):
        new_corrections(other, overrides.encode(), "o.toml")


def test_a_row_is_dropped_or_corrected_and_never_both(raw_file):
    fields: dict[str, Any] = {"verdict": "correct", "row": ROW, "why": "Sign."}
    kay = read_sheet(filled(**fields, field="name", value="Kay"), PAPER, "A. Reader", TODAY)
    gone = read_sheet(filled(**fields, field="drop", value=""), PAPER, "B. Reader", TODAY)
    both = r"its name is corrected by A\. Reader on 2026-11-21, and the row dropped by B\. Reader on 2026-11-21"
    for given, held in ((kay, gone), (gone, kay), ([*kay, *gone], [])):
        with pytest.raises(ValueError, match=both):
            new_corrections(given, overrides_text(held).encode(), "o.toml")
    with pytest.raises(SourceError, match=r"correction\[0\]: corrects a row that correction\[1\] drops"):
        read_corrections(raw_file("corrections", "overrides", overrides_text([*kay, *gone])))


UNREADABLE = {
    b"[[correction": "found no TOML",
    b"# \xe9": "found no TOML",
    b"correction = 3": "correction: expected",
    b"correction = [3]": r"correction\[0\]: expected a table",
    b"[[correction]]\nrow = [1]": "row: expected text",
    b'[[correction]]\nrow = "a"\nfield = "b"\nvalue = 1': "who is missing",
    b"a = " + b"[" * 5_000: "found no TOML",
}


@pytest.mark.parametrize("content", UNREADABLE, ids=lambda content: str(content[:30]))
def test_nothing_is_added_to_overrides_that_no_build_reads(content):
    with pytest.raises(SourceError, match=UNREADABLE[content]):
        new_corrections([], content, "o.toml")


def test_every_problem_of_an_overrides_file_is_told_at_once(raw_file):
    text = '[[correction]]\nfield = ""\nvalue = 1\nwho = ""\nmade_on = "soon"\nsudo = 1\n[[correction]]\nwhy = 3\n'
    text += '[[correction]]\nrow = "t/a"\n[[correction]]\nrow = "t/a"\n'
    with pytest.raises(SourceError) as told:
        read_corrections(raw_file("corrections", "overrides", text))
    for words in ("correction[0]: row is missing", "field: expected text", "who: expected text", "found 'soon'",
                  "unknown key 'sudo'", "correction[1]: row is missing", "why: expected text",
                  "correction[3]: the same field is corrected twice"):  # fmt: skip
        assert words in str(told.value)
