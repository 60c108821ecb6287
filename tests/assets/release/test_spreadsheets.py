"""Cells that a spreadsheet would run: published as they are and counted, or made text."""

from __future__ import annotations

import csv
import io
import re
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.named import load
from assets.promises.faithful import formula_cells
from assets.release import card_promises, spreadsheets
from assets.release.reading import open_release
from assets.release.spreadsheets import FORMULA, safe_csv
from tests.recipes import command


@pytest.mark.parametrize(
    ("given_", "safe", "count"),
    [
        (b"name,price\n=1+1,3\n", b"name,price\n'=1+1,3\n", 1),
        (b'a\n"=HYPERLINK(""http://e"",""x"")"\n', b'a\n"\'=HYPERLINK(""http://e"",""x"")"\n', 1),
        (b"lat,lon\n-75.1,+3\n1e-5,-.5\n", b"lat,lon\n-75.1,+3\n1e-5,-.5\n", 0),
        (b"a,b\n@SUM(1),-1+cmd\n+44 20,-\n", b"a,b\n'@SUM(1),'-1+cmd\n'+44 20,'-\n", 4),
        (b'"\tx","a, =b",c=d\n', b'"\'\tx","a, =b",c=d\n', 1),
        (b'"line\n=not a cell",x\r\n=y\r\n', b'"line\n=not a cell",x\r\n\'=y\r\n', 1),
        (b"=first,,=third", b"'=first,,'=third", 2),
        (b"", b"", 0),
    ],
)
def test_an_apostrophe_stands_before_formulas_and_nothing_else_changes(given_, safe, count):
    assert safe_csv(given_) == (safe, count)
    assert safe_csv(safe) == (safe, 0)


@given(st.lists(st.lists(st.text(st.sampled_from("=+-@\t\"', 1a.e\n")), min_size=2, max_size=3), max_size=5))
def test_read_back_no_cell_is_a_formula_and_all_others_are_as_they_were(rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    safe, count = safe_csv(out.getvalue().encode())
    read = list(csv.reader(io.StringIO(safe.decode())))
    cells = [pair for row, found in zip(rows, read, strict=True) for pair in zip(row, found, strict=True)]
    assert sum(before != after for before, after in cells) == count
    for before, after in cells:
        assert after in (before, f"'{before}")
        assert not after.startswith(FORMULA) or float(after) == float(before)


@given(st.lists(st.sampled_from(["=", "-", "+1", ",", "\n", "\r\n", '"', "\t", "a", "7"]), max_size=20).map("".join))
def test_a_file_that_is_not_looked_through_has_no_formula(text):
    data = text.encode()
    if not spreadsheets._may_hold_formulas(data):
        assert spreadsheets._made_safe(data) == (data, 0)


@given(st.text(st.sampled_from('=-\n,"7'), max_size=12), st.integers(1, 5))
def test_what_begins_as_a_formula_is_seen_wherever_a_cell_may_begin(text, block_bytes):
    data = text.encode()
    befores = (b",", b',"', b"\n", b'\n"')
    begins = [begin.encode() for begin in FORMULA]
    begun = data.startswith((*begins, *(b'"' + begin for begin in begins)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(spreadsheets, "BLOCK_BYTES", block_bytes)
        seen = spreadsheets._may_hold_formulas(data)
    assert seen == (begun or any(before + begin in data for begin in begins for before in befores))


def test_an_export_keeps_the_published_bytes_and_says_how_many_or_makes_them_text(small_world, tmp_path, monkeypatch):
    files = {"Restaurants.csv": b"name\n=cmd|' /C calc'!A0\n-75.1\n", "names.jsonl": b'{"name": "=1"}\n'}
    real, release = load("assets.itinbench.export:export"), small_world.releases["itinbench"]
    monkeypatch.setattr("assets.itinbench.export.export", lambda tables: {**real(tables), **files})
    count = open_release(release).manifest.promises["published"]["formula_cells"] + 1
    for name, words, is_safe in (("as published", (), False), ("safe", ("--safe-csv",), True)):
        folder = tmp_path / name
        code, said = command("export", release, folder, "--format", "itinbench", *words, home=small_world.home)
        assert (code, said["formula_cells"], said["safe_csv"]) == (0, count, is_safe)
        assert (folder / "names.jsonl").read_bytes() == files["names.jsonl"]
        expected = files["Restaurants.csv"].replace(b"=cmd", b"'=cmd") if is_safe else files["Restaurants.csv"]
        assert (folder / "Restaurants.csv").read_bytes() == expected
    assert formula_cells(files) == 1
    assert formula_cells({"restaurants.jsonl": b"="}) is None


def test_the_card_says_the_count(small_world):
    for family in ("itinbench", "tripcraft"):  # the invented world names some of its places so
        text = (small_world.releases[family] / "README.md").read_text(encoding="utf-8")
        assert re.search(r"Of the exported CSV files, [1-9]\d* cells begin with `=`.*--safe-csv", text)
    assert "CSV" not in (small_world.releases["grouptravel"] / "README.md").read_text(encoding="utf-8")
    tried = {
        "tried_tasks": 1,
        "offered": {},
        "fields_judged": {},
        "refusing_checks": [],
        "silent_checks": [],
        "not_read": [],
        "values": {},
        "rows": 1,
        "published": {},
    }
    for count, is_said in ((1234, True), (None, False)):
        lines = card_promises.promises(SimpleNamespace(promises=tried | {"published": {"formula_cells": count}}))  # type: ignore[arg-type]
        assert any("1,234 cells begin with" in line for line in lines) is is_said
