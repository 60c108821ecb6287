"""Modelled prices: ordinary in any country and currency, by the place alone, rounded as people write them."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.clean.modelled_price import MEAL_BIG_MACS, NoRateError, PriceModel, rounding_step
from assets.clean.price_levels import big_mac_prices, country_price_levels
from assets.step import RawFile
from schemas.prices import BigMacPrice, CountryPriceLevel
from sources.cities.country_names import NAMES
from tests.sources.conftest import given_file
from tests.sources.test_prices import BIG_MAC, WORLD_BANK

NO_LEVELS = pd.DataFrame(columns=[column.name for column in CountryPriceLevel.columns()])
NO_PRICES = pd.DataFrame(columns=[column.name for column in BigMacPrice.columns()])


def big_mac(*rows):
    columns = ["area", "country", "date", "currency", "local_price", "units_per_usd", "source_rows"]
    return pd.DataFrame([(*row, [row[0]]) for row in rows], columns=columns)


def levels(**by_country):
    rows = [(f"{c}X", c, c, 2023, value, [f"level {c}"]) for c, value in by_country.items()]
    return pd.DataFrame(rows, columns=["economy", "country", "name", "year", "price_level", "source_rows"])


PRICES = big_mac(("USA", "US", "2026-01-01", "USD", 6.0, 1.0), ("EUZ", None, "2026-01-01", "EUR", 6.0, 0.9),
                 ("JPN", "JP", "2026-01-01", "JPY", 480.0, 160.0),
                 ("RUS", "RU", "2020-01-01", "RUB", 135.0, 60.0))  # fmt: skip
MODEL = PriceModel(levels(US=1.0, JP=0.5, FI=0.8, DE=0.8), PRICES)


def test_a_level_is_of_the_country_or_says_on_what_else_it_rests():
    found = {c: MODEL.level(c, currency) for c, currency in
             (("FI", "EUR"), ("JP", "JPY"), ("MC", "EUR"), ("TD", "XAF"))}  # fmt: skip
    assert {c: level.basis for c, level in found.items()} == {
        "FI": "world_bank", "JP": "both", "MC": "issuer", "TD": "median",
    }  # fmt: skip
    assert found["JP"].value == pytest.approx((0.5 * 480 / 160 / 6) ** 0.5)
    assert found["JP"].source_rows == ("level JP", "JPN")


def test_a_rate_is_quoted_pegged_or_rough_and_says_so():
    assert {c: MODEL.rate(c).basis for c in ("EUR", "XOF", "ISK", "RUB")} == {
        "EUR": "quoted", "XOF": "pegged", "ISK": "rough", "RUB": "rough",
    }  # fmt: skip
    assert MODEL.rate("XOF").units_per_usd == pytest.approx(655.957 * 0.9)
    with pytest.raises(NoRateError, match="QQQ"):
        MODEL.rate("QQQ")


def test_without_any_source_prices_are_still_ordinary_and_rest_on_no_row():
    bare = PriceModel(NO_LEVELS, NO_PRICES)
    assert (bare.level("FI", "EUR").basis, bare.rate("EUR").basis) == ("rough", "rough")
    assert bare.meal("FI", "EUR", "", level=2).source_rows == ()
    assert bare.meal("FI", "EUR", "", level=2).value == pytest.approx(3.4 * 6 * 0.9 * 0.86, abs=0.5)
    assert 1500 <= bare.meal("JP", "JPY", "", level=2).value <= 3000


def test_a_meal_is_by_level_then_by_kind_and_names_its_rows():
    assert MODEL.meal("FI", "EUR", "", level=1).value == pytest.approx(2 * 6 * 0.8 * 0.9, abs=0.3)
    cheap, dear = (MODEL.meal("FI", "EUR", "p", kind).value for kind in ("fast food", "sushi"))
    assert cheap < dear
    assert MODEL.meal("FI", "EUR", "p").source_rows == ("USA", "level FI", "EUZ")
    assert MODEL.night("FI", "EUR", "p", level=1, stars=5).value > MODEL.night("FI", "EUR", "p", level=4).value / 1.5


def test_a_ride_costs_nothing_on_foot_and_a_taxi_by_its_length_and_seats():
    assert MODEL.ride("FI", "EUR", "walk", 3).value == 0
    alone, shared = (MODEL.ride("FI", "EUR", "taxi", 6, people).value for people in (1, 4))
    assert alone == pytest.approx(4 * shared, rel=0.05)
    assert MODEL.ride("FI", "EUR", "taxi", 12).value > alone > MODEL.ride("FI", "EUR", "transit", 6).value > 0
    assert MODEL.ride("FI", "EUR", "taxi", 6, 5).value > MODEL.ride("FI", "EUR", "taxi", 6, 4).value


@given(st.text(min_size=1, max_size=20), st.sampled_from(sorted(MEAL_BIG_MACS)), st.sampled_from([None, 1, 2, 3, 4]))
def test_a_place_s_price_depends_on_the_place_alone_and_stays_near_its_kind_s(place_id, kind, level):
    price = MODEL.meal("FI", "EUR", place_id, kind, level)
    assert price == PriceModel(levels(US=1.0, FI=0.8), PRICES).meal("FI", "EUR", place_id, kind, level)
    middle = MODEL.meal("FI", "EUR", "", kind, level).value
    assert middle / 1.5 <= price.value <= middle * 1.5
    assert price.value * 2 == int(price.value * 2)


def test_places_of_one_kind_have_many_prices():
    assert len({MODEL.meal("FI", "EUR", f"osm:node/{n}").value for n in range(60)}) >= 12


@pytest.mark.parametrize(
    ("usual", "step"), [(17, 0.5), (2300, 50), (170_000, 5000), (4.5, 0.1), (0.1, 0.01), (24, 0.5)]
)
def test_amounts_are_rounded_as_prices_of_their_size_are(usual, step):
    assert rounding_step(usual) == step


RESIDENTS = {"US": "USD", "JP": "JPY", "IN": "INR", "VN": "VND", "CH": "CHF", "GB": "GBP", "KW": "KWD", "TR": "TRY",
             "BR": "BRL", "KR": "KRW", "NO": "NOK", "EG": "EGP"}  # fmt: skip


@pytest.fixture(scope="module")
def real(shared_data):
    folder = shared_data / "prices"
    files = {}
    for source, role, name in (("world_bank", "price_levels", WORLD_BANK), ("big_mac", "prices", BIG_MAC)):
        held = given_file(folder / name, source, role)
        files[source] = RawFile(held.snapshot, held.path)
    level, price = country_price_levels([files["world_bank"]] * 2), big_mac_prices([files["big_mac"]])
    for made in (level, price):
        assert made.rows_in == len(made.rows) + len(made.rejections)
    return level.rows, price.rows


@pytest.mark.parametrize("country", RESIDENTS)
def test_a_cheap_meal_is_near_a_big_mac_s_local_price(real, country):
    """Levels alone (the World Bank's) give one to two and a half Big Macs; with the Big Mac's own, nearer still.

    Turkey's level is of 2023, and its prices have doubled in dollars since.
    """
    level, price = real
    of_country = price[(price["country"] == country) & (price["date"] == price["date"].max())]
    (big_mac_price,) = of_country["local_price"]
    currency = RESIDENTS[country]
    rates_alone = PriceModel(level, price.assign(country=price["country"].where(price["country"] == "US")))
    alone = rates_alone.meal(country, currency, "", "fast food").value / big_mac_price
    both = PriceModel(level, price).meal(country, currency, "", "fast food").value / big_mac_price
    assert (0.5 if country == "TR" else 0.75) <= alone <= 2.6
    assert 0.9 <= both <= 2.2


def test_every_currency_in_use_has_a_rate_and_no_meal_costs_under_one_dollar_or_over_sixty(real):
    from babel.numbers import get_territory_currencies

    model = PriceModel(*real)
    for country in NAMES:
        for currency in get_territory_currencies(country):
            meal = model.meal(country, currency, "").value / model.rate(currency).units_per_usd
            assert 1 < meal < 60, (country, currency, meal)


@pytest.mark.parametrize("country", ["EC", "FO", "GL", "KI", "ME", "PR", "PS", "SV", "TL", "XK", "ZW"])
def test_without_a_table_of_levels_none_is_as_dear_as_who_issues_its_money_if_it_is_not(real, country):
    """Kosovo pays in euros, and is not as dear as Germany; the rough levels are near the World Bank's."""
    from babel.numbers import get_territory_currencies

    level, _ = real
    currency = get_territory_currencies(country)[0]
    rough = PriceModel(NO_LEVELS, NO_PRICES).level(country, currency)
    assert rough.basis == "rough"
    assert abs(rough.value - PriceModel(level, NO_PRICES).level(country, currency).value) < 0.1
