"""Price levels and Big Macs: newest years, exchange rates, faults by name; real rows against the raw text."""

from __future__ import annotations

import csv
import json
import random

import pyarrow as pa
import pytest

from schemas.prices import BigMacPrice, CountryPriceLevel
from schemas.source import SourceError
from sources.cities.country_names import NAMES, country_of_alpha3
from sources.locate import raw_records
from sources.prices.big_mac import read_big_mac
from sources.prices.world_bank import read_price_levels

WORLD_BANK = "world_bank_price_level_ratio_PA.NUS.PPPC.RF.csv"
BIG_MAC = "big-mac-raw-index.csv"

LEVELS = (
    '\ufeff"Data Source","World Development Indicators",\n\n"Last Updated Date","2024-06-28",\n\n'
    '"Country Name","Country Code","Indicator Name","Indicator Code","2022","2023",\n'
    '"Finland","FIN","Price level","PA.NUS.PPPC.RF","0.81","0.83",\n'
    '"Lebanon","LBN","Price level","PA.NUS.PPPC.RF","0.3","",\n'
    '"World","WLD","Price level","PA.NUS.PPPC.RF","","",\n'
    '"Euro area","EMU","Price level","PA.NUS.PPPC.RF","0.8","0.81",\n'
    '"Finland","FIN","Price level","PA.NUS.PPPC.RF","0.9","0.9",\n'
    '"Oz","OZ1","Price level","PA.NUS.PPPC.RF","high","-1",\n'
    '"Chad","TCD","Other","NY.GDP","1","1",\n'
    '"","tcd","Price level","PA.NUS.PPPC.RF","1","1",\n'
)


def faults(rejected):
    return [(row["row"].partition("#")[2], row["reason"]) for row in rejected]


def test_an_economy_has_its_newest_known_level(given_bytes):
    rejected: list[dict[str, str]] = []
    file = given_bytes(LEVELS, "world_bank", "price_levels")
    rows = read_price_levels(file, rejected)
    CountryPriceLevel.validate(pa.Table.from_pylist(rows, schema=CountryPriceLevel.arrow_schema()))
    assert [(r["economy"], r["country"], r["year"], r["price_level"]) for r in rows] == [
        ("FIN", "FI", 2023, 0.83), ("LBN", "LB", 2022, 0.3), ("EMU", None, 2023, 0.81),
    ]  # fmt: skip
    assert faults(rejected) == [
        ("economy/WLD", "missing_value"), ("economy/FIN", "duplicate"), ("economy/OZ1", "bad_value"),
        ("economy/TCD", "other_category"), ("economy/8", "bad_value"),
    ]  # fmt: skip
    assert json.loads(raw_records(file, ["economy/LBN"])["economy/LBN"])["2022"] == "0.3"


@pytest.mark.parametrize(
    "text", ["a,b\n1,2\n", "", '"Country Name","Country Code"\n"Finland","FIN"\n', "\x00\xff".encode("latin-1")]
)
def test_another_file_is_no_table_of_price_levels(given_bytes, text):
    with pytest.raises(SourceError, match="expected the World Bank's CSV"):
        read_price_levels(given_bytes(text, "world_bank", "price_levels"), [])


INDEX = (
    "date,iso_a3,currency_code,name,local_price,dollar_ex,dollar_price\n"
    "2026-01-01,JPN,JPY,Japan,480,158.5,3.03\n"
    "2026-01-01,EUZ,EUR,Euro area,6.08,0.862,7.05\n"
    "2002-04-01,TUR,TRL,Turkey,4e+06,1324500,3.02\n"
    "2026-01-01,JPN,JPY,Japan,490,158.5,3.09\n"
    "2026-13-01,JPN,JPY,Japan,480,158.5,3.03\n"
    "2026-01-01,ZZZ,JPY,Nowhere,480,158.5,3.03\n"
    "2026-01-01,USA,usd,United States,6,1,6\n"
    "2026-01-01,USA,USD,United States,-6,1,6\n"
    "2026-01-01,CHE,CHF,Switzerland,,0.8,6\n"
    + "".join(f"20{year}-01-01,JPN,JPY,Japan,300,100,3\n" for year in range(10, 20))
)


def test_a_big_mac_has_a_price_and_a_rate(given_bytes):
    rejected: list[dict[str, str]] = []
    rows = read_big_mac(given_bytes(INDEX, "big_mac", "prices"), rejected)
    BigMacPrice.validate(pa.Table.from_pylist(rows, schema=BigMacPrice.arrow_schema()))
    assert [(r["area"], r["country"], r["local_price"], r["units_per_usd"]) for r in rows[:3]] == [
        ("JPN", "JP", 480.0, 158.5), ("EUZ", None, 6.08, 0.862), ("TUR", "TR", 4e6, 1324500.0),
    ]  # fmt: skip
    assert faults(rejected) == [
        ("R4", "duplicate"), ("R5", "bad_value"), ("R6", "bad_value"), ("R7", "bad_value"), ("R8", "bad_value"),
        ("R9", "missing_value"),
    ]  # fmt: skip
    with pytest.raises(SourceError, match="expected the Big Mac index"):
        read_big_mac(given_bytes(LEVELS, "big_mac", "prices"), [])


def test_every_country_has_one_alpha_3_and_groups_have_no_country():
    from babel.core import get_global

    codes = [code for code in get_global("territory_aliases") if len(code) == 3 and code.isalpha()]
    known = {country_of_alpha3(code) for code in codes}
    assert set(NAMES) <= known
    assert [country_of_alpha3(code) for code in ("EMU", "WLD", "EUZ", "fin", "FI", "246")] == [None] * 6


def test_real_rows_are_those_of_the_raw_text(given_path, shared_data):
    """Twenty rows of each file, read by hand from the text; rows in are rows out and rejected."""
    rejected: list[dict[str, str]] = []
    path = shared_data / "prices" / WORLD_BANK
    levels = read_price_levels(given_path(path, "world_bank", "price_levels"), rejected)
    lines = path.read_text(encoding="utf-8-sig").splitlines()[5:]
    assert len(levels) + len(rejected) == len(lines)
    for row in random.Random(1).sample(levels, 20):
        line = next(line for line in lines if f'","{row["economy"]}","' in line)
        values = [value for value in line.strip('",').split('","')[4:] if value]
        assert float(values[-1]) == row["price_level"]
        assert line.startswith(f'"{row["name"]}","')

    rejected = []
    path = shared_data / "prices" / BIG_MAC
    prices = read_big_mac(given_path(path, "big_mac", "prices"), rejected)
    with path.open(encoding="utf-8", newline="") as file:
        raw = {(r["iso_a3"], r["date"]): r for r in csv.DictReader(file)}
    assert len(prices) + len(rejected) == len(raw)
    for row in random.Random(2).sample(prices, 20):
        given = raw[row["area"], row["date"]]
        assert (float(given["local_price"]), float(given["dollar_ex"])) == (row["local_price"], row["units_per_usd"])
        assert given["currency_code"] == row["currency"]
