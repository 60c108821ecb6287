"""What every reader's file may be: packed, in other encodings, with other line ends, stray quotes, unreadable rows."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from dataclasses import replace

import pyarrow as pa
import pytest

from schemas.source import SourceError
from sources.airbnb.values import money
from sources.flights.values import CLOCK, DATE
from sources.formats.csv_records import header_and_records
from sources.formats.csv_rows import read_records
from sources.formats.jsonl import RowError, read_rows
from sources.formats.numbers import decimal, id_text, price_amount
from sources.formats.unpacking import PACKINGS, _Recoded, unpacked

TEXT = "id,name\n1,Zoë 東京 🚋\n2,b\n"


@pytest.mark.parametrize("packed", [bytes, gzip.compress])
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"], ids=str
)
def test_text_in_other_encodings_is_the_same_text(given_bytes, encoding, packed):
    mark = b"\xff\xfe\0\0" if encoding == "utf-32-le" else b""
    content = mark + TEXT.encode(encoding)
    with unpacked(given_bytes(packed(content), "group", "fares")) as stream:
        assert stream.read().decode() == TEXT


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_they_like(given_bytes, end):
    file = given_bytes(TEXT.replace("\n", end), "group", "fares")
    assert list(read_records(file, ("id",), "CSV", lambda row, _: row["id"], [])) == ["1", "2"]


def test_latin_1_is_said_to_be_so(given_bytes):
    file = given_bytes(TEXT.replace("東京 🚋", "").encode("latin-1"), "group", "fares")
    with pytest.raises(SourceError, match=r"near record 1: .*read as Latin-1 they are 'id,name.*Zoë|iconv -f latin1"):
        list(read_records(file, ("id",), "CSV", lambda row, _: row, []))


def tarred(content: bytes) -> bytes:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        member = tarfile.TarInfo("yelp_academic_dataset_business.json")
        member.size = len(content)
        tar.addfile(member, io.BytesIO(content))
    return archive.getvalue()


def zipped(*members: str) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as opened:
        for member in members:
            opened.writestr(member, TEXT)
    return archive.getvalue()


PACKED = {
    "a spreadsheet's workbook": zipped("[Content_Types].xml", "xl/workbook.xml"),
    "a tar archive": tarred(TEXT.encode()),
    "a zip archive": zipped("yelp_academic_dataset_business.json"),
    "bzip2 data": bz2.compress(TEXT.encode()),
    "xz data": lzma.compress(TEXT.encode()),
    "a 7z archive": bytes.fromhex("377abcaf271c0004") + bytes(24),
    "Zstandard data": pa.compress(TEXT.encode(), "zstd", asbytes=True),
}


def test_every_packing_is_tried_below():
    assert set(PACKED) == {what for what, *_ in PACKINGS}


@pytest.mark.parametrize("what", PACKED)
@pytest.mark.parametrize("packed", [bytes, gzip.compress])
def test_what_is_packed_otherwise_is_named_and_never_read_as_text(given_bytes, what, packed):
    remedy = next(remedy for name, remedy, _ in PACKINGS if name == what)
    file = given_bytes(packed(PACKED[what]), "yelp", "business")
    words = re.escape(f"found {what}; expected the file itself. {remedy}, and bind what comes of it.")
    with pytest.raises(SourceError, match=words), unpacked(file):
        pass


def test_a_bomb_is_refused_long_before_its_end(given_bytes):
    pack = zlib.compressobj(9, wbits=31)
    content = b"".join([pack.compress(b"\n" * (1 << 20)) for _ in range(64)] + [pack.flush()])
    read = 0
    with (
        pytest.raises(SourceError, match="looks like a decompression bomb"),
        unpacked(given_bytes(content, "group", "fares")) as stream,
    ):
        while chunk := stream.read(1 << 20):
            read += len(chunk)
    assert read < 8 << 20


def test_a_stray_quote_is_its_line_s_and_swallows_no_other():
    text = 'a,b\n1,"x\ny"\n2,"stray\n3,"ok"\n4,5 " inch\n"6","a ""q"""\n7,"open\n8,""\n9,"end'
    _, records = header_and_records(io.BytesIO(text.encode()))
    assert [r if isinstance(r, list) else "fault" for r in records] == [
        ["1", "x\ny"], "fault", ["3", "ok"], ["4", '5 " inch'], ["6", 'a "q"'], "fault", ["8", ""], "fault",
    ]  # fmt: skip


def line(number: int, *, is_good: bool) -> str:
    return f'{{"n": {number}}}\n' if is_good else "not json\n"


@pytest.mark.parametrize(("good", "bad", "most", "is_refused"), [
    (5, 5, 0.5, False), (5, 6, 0.5, True), (0, 3, 0.5, True), (0, 4, 0.5, True), (5, 6, 0.9, False),
    (90, 11, 0.1, True),
])  # fmt: skip
def test_a_mostly_unreadable_file_is_refused_with_reasons_and_examples(given_bytes, good, bad, most, is_refused):
    text = "".join(line(n, is_good=True) for n in range(good)) + "".join(line(n, is_good=False) for n in range(bad))
    file = replace(given_bytes(text, "group", "profiles"), max_unreadable=most)
    rejected: list[dict[str, str]] = []
    rows = read_rows(file, lambda row, _: row, rejected)
    if is_refused:
        with pytest.raises(
            SourceError, match=rf"{bad} of {good + bad} rows cannot be read \({bad} bad_json, such as L"
        ):
            list(rows)
    else:
        assert len(list(rows)) == good
    assert len(rejected) == bad


@pytest.mark.parametrize(
    ("text", "number", "price"),
    [
        ("1,234.5", 1234.5, 1234.5), ("1.234,5", 1234.5, 1234.5), ("1 234,50", 1234.5, 1234.5), ("10,00", 10.0, 10.0),
        ("1.204", 1.204, 1204.0), ("1,204", 1204.0, 1204.0), ("0.500", 0.5, 0.5),
        ("12.345.678", 12345678.0, 12345678.0),
        ("1'234.50", 1234.5, 1234.5), ("1,23,456", None, None), ("1.2.3", None, None), ("12 34", None, None),
        ("", None, None), ("x", None, None), ("-1.5", -1.5, None),
    ],
)  # fmt: skip
def test_numbers_as_people_s_tools_write_them(text, number, price):
    assert (decimal(text), price_amount(text)) == (number, price)


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [("10,00 €", 10.0, "EUR"), ("€1.204", 1204.0, "EUR"), ("1 234,50", 1234.5, None), ("$1,234.00", 1234.0, "USD")],
)
def test_money_as_people_write_it(text, amount, currency):
    assert money(text) == (amount, currency)


def test_what_is_no_amount_is_refused():
    with pytest.raises(RowError, match="expected an amount"):
        money("5 € 7")


@pytest.mark.parametrize(("text", "native_id"), [("42932.0", "42932"), (" 7 ", "7"), ("1.5", "1.5"), ("1E+5", "1E+5")])
def test_ids_that_a_table_of_floats_wrote(text, native_id):
    assert id_text(text) == native_id


@pytest.mark.parametrize(
    "text", ["4/1/2025", "4/1/2025 0:00", "4/1/2025 12:00:00 AM", "2025-04-01", "2025-04-01 00:00:00"]
)
def test_dates_with_midnight_after_them(text):
    assert DATE.read(text) == DATE.read("2025-04-01") > 0
    assert DATE.read("4/1/2025 7:30") < 0


@pytest.mark.parametrize(
    ("text", "minutes"), [("0603", 363), ("06:03", 363), ("603.0", 363), ("5.0", 5), ("5", 5), ("2400", 1440)]
)
def test_times_that_a_table_of_floats_wrote(text, minutes):
    assert CLOCK.read(text) == minutes


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le"])
@pytest.mark.parametrize("missing", [1, 3])
def test_a_text_that_ends_within_a_character_is_no_text_there_and_whole_before(encoding, missing):
    whole = "a,b\nä,€\n".encode(encoding)
    for cut in (whole[:-missing], whole + whole[:1]):
        read = _Recoded(io.BufferedReader(io.BytesIO(cut)), encoding).readall()  # type: ignore[arg-type]
        assert read.startswith("a,b\nä,".encode())
        with pytest.raises(UnicodeDecodeError):
            read.decode("utf-8")
