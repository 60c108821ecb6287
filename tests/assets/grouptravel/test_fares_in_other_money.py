"""Fares in another currency than the groups': changed at a rate that the row names, or rejected."""

from __future__ import annotations

import pytest

from assets.clean.price_levels import big_mac_prices
from assets.first_recipe import raw_file
from assets.grouptravel.facts.inputs import fares
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.tables import GroupFare
from schemas.prices import BigMacPrice
from schemas.recipe import City
from schemas.recipe_values import Box

HEAD = (
    "origin_city,origin_region,destination_city,destination_region,mode,service,dep_time,arr_time,price,currency,"
    "weekdays,price_basis\n"
)
INDEX = (
    "date,iso_a3,currency_code,name,local_price,dollar_ex\n"
    "2026-01-01,USA,USD,United States,6,1\n2026-01-01,CHE,CHF,Switzerland,7,0.8\n2026-01-01,EUZ,EUR,Euro area,6,0.9\n"
)
CITIES = [
    City(city_id="fj-isle", name="Isle", country="FJ", currency="FJD",
         box=Box(south=-17, west=179.9, north=-16, east=-179.9)),
    City(city_id="to-tonga", name="Tonga", country="TO", currency="TOP",
         box=Box(south=-22, west=-175.3, north=-21, east=-175.0)),
]  # fmt: skip


@pytest.fixture
def changed(tmp_path):
    """Return a function from fares' money to (price, given, currency, basis) of those kept, and rejections' words."""

    def change(*money: tuple[str, str], wanted: str = "FJD", index: str = ""):
        fare_file, index_file = tmp_path / "fares.csv", tmp_path / "index.csv"
        fare_file.write_text(
            HEAD
            + "".join(
                f"Tonga,,Isle,,flight,ZQ{n},08:0{n},10:00,{price},{currency},1234567,modelled\n"
                for n, (price, currency) in enumerate(money)
            )
        )
        big_mac = None
        if index:
            index_file.write_text(index)
            big_mac = BigMacPrice.frame(
                BigMacPrice.arrow(big_mac_prices([raw_file(index_file, "big_mac", "prices")]).rows)
            )
        section = GroupTravelSection(currency=wanted, tasks={"easy": 1})
        made = fares([raw_file(fare_file, "group", "fares")], big_mac, cities=CITIES, section=section)
        assert made.rows_in == len(money)
        kept = GroupFare.arrow(made.rows).to_pylist()
        shown = [tuple(row[name] for name in ("price", "price_given", "currency_given", "rate_basis")) for row in kept]
        assert isinstance(made.rejections, list)
        return shown, [(row["reason"], row["detail"]) for row in made.rejections]

    return change


def test_a_fare_in_the_groups_money_stays_as_it_is(changed):
    assert changed(("123.45", "FJD")) == ([(123.45, 123.45, "FJD", None)], [])


@pytest.mark.parametrize(
    ("given", "wanted", "index", "price", "basis"),
    [
        (("240", "TOP"), "FJD", "", 230.0, "rough"),  # 240 / 2.4 * 2.3
        (("90", "EUR"), "CHF", INDEX, 80.0, "quoted"),  # 90 / 0.9 * 0.8
        (("90", "EUR"), "XOF", INDEX, 59_000.0, "pegged"),  # 90 * 655.957, in steps of 1,000
        (("90", "EUR"), "FJD", INDEX, 230.0, "rough"),  # the weaker of quoted and rough
        (("0", "TOP"), "FJD", "", 0.0, "rough"),  # unknown stays unknown
        (("0.01", "VND"), "USD", "", 0.01, "rough"),  # a price is not changed into an unknown one
    ],
)
def test_one_in_other_money_is_changed_at_a_rate_that_the_row_names(changed, given, wanted, index, price, basis):
    kept, rejected = changed(given, wanted=wanted, index=index)
    assert kept == [(price, float(given[0]), given[1], basis)]
    assert rejected == []


def test_one_of_a_currency_without_a_rate_is_rejected_by_its_name(changed):
    kept, rejected = changed(("5", "QQQ"), ("10", "FJD"))
    assert [row[2] for row in kept] == ["FJD"]
    assert rejected == [("no_exchange_rate", "found QQQ, expected FJD: of QQQ no rate is quoted, pegged or declared")]
