"""How a provider's next file falls short of the last one, told by its beginning and its end."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from sources.formats.shape import CUT_OFF, NO_END, NOT_UTF_8, shape_of, worse

ROWS = [{"id": n, "name": f"Café {n}", "hours": {"Monday": "9:0-17:0"}} for n in range(40)]
LINES = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)
TABLE = "id,name,lat\n" + "".join(f'{n},"Café, {n}",4{n}.5\n' for n in range(40))
WHOLE = {
    "json lines": LINES,
    "json array": json.dumps(ROWS, ensure_ascii=False),
    "pretty json array": json.dumps(ROWS, ensure_ascii=False, indent=1),
    "json object": json.dumps({"elements": ROWS}, ensure_ascii=False),
    "pretty json object": json.dumps({"elements": ROWS}, ensure_ascii=False, indent=1) + "\n",
    "csv": TABLE,
    "csv with semicolons": TABLE.replace(",", ";"),
}


def difference(folder: Path, old: bytes, new: bytes) -> str:
    (folder / "old").write_bytes(old)
    (folder / "new").write_bytes(new)
    return worse(shape_of(folder / "old"), shape_of(folder / "new"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("kind", WHOLE)
def test_a_file_that_ends_inside_a_row_is_worse(kind, encoding, tmp_path):
    text = WHOLE[kind]
    inside = text.index("Café 29" if "json" in kind else "29,") + 3 if "semi" not in kind else text.index("29;") + 3
    assert difference(tmp_path, text.encode(encoding), text[:inside].encode(encoding)) == CUT_OFF


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("kind", WHOLE)
def test_another_encoding_other_line_ends_and_an_end_without_one_are_no_worse(kind, encoding, tmp_path):
    text = WHOLE[kind]
    for new in (text, text.rstrip("\n"), text.replace("\n", "\r\n"), text + "\n\n"):
        assert difference(tmp_path, text.encode(), new.encode(encoding)) == ""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_shorter_table_whose_last_row_is_cut_in_its_last_column_is_worse(encoding, tmp_path):
    cut = TABLE[: TABLE.index("429.5") + 2]
    assert difference(tmp_path, TABLE.encode(encoding), cut.encode(encoding)) == NO_END
    assert difference(tmp_path, TABLE.rstrip("\n").encode(encoding), cut.encode(encoding)) == "", "it never had one"


def test_a_line_of_json_that_ends_after_an_inner_object_is_cut_off(tmp_path):
    assert difference(tmp_path, LINES.encode(), LINES.encode()[: LINES.encode().rindex(b"}}") + 1]) == CUT_OFF


def test_json_of_which_rows_are_not_utf_8_is_worse_than_one_of_which_none_is(tmp_path):
    assert difference(tmp_path, LINES.encode(), LINES.encode("latin-1")) == NOT_UTF_8
    assert difference(tmp_path, LINES.encode("latin-1"), LINES.encode("latin-1")) == ""


@pytest.mark.parametrize("kind", WHOLE)
def test_the_end_of_a_file_longer_than_what_is_read_of_it_is_looked_at_all_the_same(kind, tmp_path, monkeypatch):
    monkeypatch.setattr("sources.formats.shape.TAIL_BYTES", 130)
    text = WHOLE[kind]
    assert difference(tmp_path, text.encode(), text.encode()) == ""
    if "csv" not in kind:
        assert difference(tmp_path, text.encode(), text[: text.index("Café 29") + 3].encode()) == CUT_OFF


FEED = {"stops.txt": "stop_id,stop_lat\nA,1\n", "trips.txt": "trip_id\nt\n", "readme.pdf": "%PDF"}
MONTH = {"On_Time_Performance_2021_2.csv": "FL_DATE,ORIGIN\n2021-02-01,OMA\n", "readme.html": "<html>"}


def zipped(members: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (FEED, {f"gtfs_20241201/{name}": text for name, text in FEED.items()}),
        (FEED, {f"gtfs\\{name.upper()}": text for name, text in FEED.items()}),
        (FEED, {name: text for name, text in FEED.items() if name != "readme.pdf"}),
        (MONTH, {"On_Time_Performance_2021_3.csv": MONTH["On_Time_Performance_2021_2.csv"]}),
    ],
    ids=["a folder with the date", "upper case", "no manual", "the next month"],
)
def test_an_archive_of_the_same_tables_is_no_worse_whatever_its_files_are_called(tmp_path, old, new):
    assert difference(tmp_path, zipped(old), zipped(new)) == ""
    assert difference(tmp_path, zipped(new), zipped(old)) == ""


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        (FEED, {"stops.txt": FEED["stops.txt"]}, "trips.txt, trips.txt:trip_id"),
        (FEED, {**FEED, "stops.txt": "stop_id,lat\nA,1\n"}, "stops.txt:stop_lat"),
        (MONTH, {"On_Time_Performance_2021_3.csv": "FL_DATE,FROM\n2021-03-01,OMA\n"}, "csv:ORIGIN"),
    ],
    ids=["a member", "a column", "a column of another month"],
)
def test_an_archive_without_a_table_or_a_column_of_the_last_one_is_worse(tmp_path, old, new, lost):
    assert f"it no longer has {lost}" in difference(tmp_path, zipped(old), zipped(new))
