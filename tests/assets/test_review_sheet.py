"""The review sheet opens in a spreadsheet without running anything, and only what is understood is read back."""

from __future__ import annotations

import csv
import datetime as dt
import io
import tomllib
from types import SimpleNamespace
from typing import Any, cast

import pandas as pd
import pyarrow as pa
import pytest

from assets.release.reading import OpenedRelease
from assets.release.review import overrides_text, read_sheet, review_sheet
from schemas.source import SourceError
from sources.corrections import raw_entries, read_corrections

TODAY = dt.date(2026, 11, 21)
EVIL = '=HYPERLINK("http://evil.example","x")'


class Paper:
    """A release of one task on paper."""

    manifest = SimpleNamespace(family="itinbench")

    def table(self, name: str) -> pd.DataFrame:
        return {
            "tasks": pd.DataFrame({"task_id": ["t.0"], "city_id": ["xx-a"], "query": [EVIL]}),
            "certificates": pd.DataFrame({"task_id": ["t.0"], "witness_json": ['{"stay": "Quay"}']}),
        }[name]

    def rows(self, name: str) -> pa.Table:
        place = {"city_id": "xx-a", "place_id": "q", "kind": "stay", "name": "Quay", "lat": 1.0, "lon": 2.0}
        edge = {"task_id": "t.0", "field": "witness_json", "kind": "row", "ref": "itinbench_place/xx-a/q/stay"}
        return pa.Table.from_pylist([edge if name == "lineage" else place])


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
    assert row["places"] == "q  Quay"
    assert row["links"] == "https://www.openstreetmap.org/?mlat=1.0&mlon=2.0#map=18/1.0/2.0"
    assert not any(str(value).startswith(("=", "+", "-", "@")) for value in row.values())


def test_answers_come_back_as_corrections_that_the_reader_of_overrides_takes(raw_file):
    answers: dict[str, Any] = {
        "verdict": "Correct",
        "place_id": "q",
        "field": "name",
        "value": '\'+Kay "x"\x7f',
        "why": "Sign.",
    }
    entries = read_sheet(filled(**answers), PAPER, "A. Reader", TODAY)
    assert entries == [
        {"city_id": "xx-a", "place_id": "q", "field": "name", "value": '+Kay "x"\x7f', "who": "A. Reader",
         "made_on": TODAY, "why": "Sign."}
    ]  # fmt: skip
    text = overrides_text(entries)
    assert tomllib.loads(text)["correction"] == entries
    file = raw_file("corrections", "overrides", text)
    (read,) = read_corrections(file)
    assert (read["value"], read["made_on"]) == ('+Kay "x"\x7f', "2026-11-21")
    assert '+Kay \\"x\\"' in raw_entries(file, {"correction[0]", "correction[9]"})["correction[0]"]
    assert read_sheet(filled(verdict="ok"), PAPER, "A. Reader", TODAY) == []


WRONG = {
    "verdict": ({"verdict": "perhaps"}, "row 2: verdict: expected ok, withdraw or correct"),
    "why": ({"verdict": "withdraw"}, "row 2: why: say why"),
    "place": ({"verdict": "correct", "why": "x", "place_id": "z"}, "uses no place 'z'"),
    "field": ({"verdict": "correct", "why": "x", "place_id": "q", "field": "lat"}, "field: expected name, address"),
    "task": ({"task_id": "t.9"}, "the release has no task 't.9'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_an_answer_that_is_not_understood_is_named(case):
    answers, words = WRONG[case]
    with pytest.raises(ValueError, match=words):
        read_sheet(filled(**answers), PAPER, "A. Reader", TODAY)


def test_another_sheet_is_refused():
    with pytest.raises(ValueError, match="expected one that `tripwright review` wrote"):
        read_sheet(b"a,b\n1,2\n", PAPER, "A. Reader", TODAY)


def test_every_problem_of_an_overrides_file_is_told_at_once(raw_file):
    text = '[[correction]]\nplace_id = "q"\nfield = "stars"\nwho = ""\nmade_on = "soon"\nsudo = 1\n'
    text += "[[correction]]\nwhy = 3\n"
    with pytest.raises(SourceError) as told:
        read_corrections(raw_file("corrections", "overrides", text))
    for words in ("correction[0]: city_id is missing", "found 'stars'", "who: expected text", "found 'soon'",
                  "unknown key 'sudo'", "correction[1]: place_id is missing", "why: expected text"):  # fmt: skip
        assert words in str(told.value)
