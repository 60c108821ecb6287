"""Every field that is read by words says its languages, and words of others are unknown, never "none"."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from assets.clean.cuisines import cuisines
from assets.clean.kinds import candidate_kinds
from assets.clean.languages import FIELDS
from assets.grouptravel.facts.kinds import english, kinds_of
from pipelines.walk.fingerprint import ROOT
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.rejection import Reason
from sources.airbnb.apify import parse_item
from sources.airbnb.rule_words import rule_states
from sources.airbnb.values import room_type
from sources.cities.country_names import country_code
from sources.events.dates import event_date
from sources.events.listings import _segment
from sources.formats.jsonl import RowError
from sources.numbeo.prices import parse_price
from sources.tripadvisor.places import CATEGORIES, MEALS
from sources.wikivoyage.listings import read_listings

PAGE = ROOT / "docs" / "pages" / "languages.md"


def test_the_page_prints_the_list():
    printed = [
        tuple(c.strip() for c in line.strip("|").split("|")) for line in PAGE.read_text().splitlines() if "|" in line
    ]
    assert printed[2:] == [(f.field, ", ".join(sorted(f.languages)), f.others) for f in FIELDS]


def test_every_reader_that_is_named_exists():
    assert all((ROOT / field.read_by).is_file() for field in FIELDS)
    assert all(re.fullmatch("[a-z]{2}", code) for field in FIELDS for code in field.languages)


@pytest.mark.parametrize("text", ["Espaço inteiro: apartamento", "Koko asunto", "Chambre privée"])
def test_a_room_type_of_another_language_is_rejected_by_name(text):
    with pytest.raises(RowError, match=re.escape(repr(text))) as refused:
        room_type(text)
    assert refused.value.reason == Reason.OTHER_CATEGORY


@pytest.mark.parametrize("text", ["Música", "Urheilu"])
def test_a_kind_of_event_of_another_language_is_rejected_by_name(text):
    with pytest.raises(RowError, match=repr(text)):
        _segment(text)


def test_words_of_other_languages_are_no_value_of_the_field():
    assert "museu" not in CATEGORIES and "pequeno-almoço" not in MEALS
    assert cuisines(["Italiana", "Italialainen"]) == []
    assert candidate_kinds([], ["Museu", "Restaurante"]) == []
    assert rule_states(["Nem szabad"]).allowed == ()


@pytest.mark.parametrize("text", ["marras 5", "mars 5", "Okt 25", "out 25", "maj 3"])
def test_a_month_of_another_language_is_no_english_one_that_begins_like_it(text):
    window = (dt.date(2026, 1, 1), dt.date(2026, 12, 31))
    with pytest.raises(RowError, match=re.escape(repr(text))):
        event_date(text, window)


@pytest.mark.parametrize(("text", "month"), [("Mar 5", 3), ("March 5", 3), ("Sept. 5", 9), ("jun 5", 6), ("June 5", 6)])
def test_english_months_are_read_whole_or_cut(text, month):
    assert event_date(text, (dt.date(2026, 1, 1), dt.date(2026, 12, 31))) == dt.date(2026, month, 5)


@pytest.mark.parametrize(("qualifier", "price"), [("night", 60.5), ("noite", None), ("yö", None), ("", None)])
def test_a_price_is_a_night_s_only_where_that_is_said_in_english(qualifier, price):
    item = {
        "id": "1", "title": "Casa", "coordinates": {"latitude": 1.0, "longitude": 1.0}, "roomType": "Private room",
        "price": {"amount": "60,50 €", "qualifier": qualifier},
    }  # fmt: skip
    assert parse_item(item, "p")["price_per_night"] == price


def test_a_meal_s_price_under_another_language_s_heading_is_none():
    city = City(
        city_id="pt-1-vilar", name="Vilar", country="PT", currency="EUR", box=Box(south=0, west=0, north=1, east=1)
    )
    with pytest.raises(RowError, match="found neither") as refused:
        parse_price({"city": "Vilar", "country": "Portugal", "Refeição, restaurante barato": "10 €"}, "p", [city])
    assert refused.value.reason == Reason.MISSING_VALUE
    said = parse_price({"city": "Vilar", "country": "PT", "Meal, Inexpensive Restaurant": "10 €"}, "p", [city])
    assert said["inexpensive_meal"] == 10


def test_countries_are_known_by_english_names_and_codes():
    assert [country_code(text) for text in ("Finland", "FI", "Suomi", "Deutschland")] == ["FI", "FI", None, None]


def test_templates_of_another_edition_are_no_listings(raw_file):
    city = City(city_id="pt-1-vilar", name="Vilar", country="PT", box=Box(south=0, west=0, north=1, east=1))
    text = "{{see|name=Castelo|lat=0.5|long=0.5}}\n{{veja|name=Museu|lat=0.5|long=0.5}}\n"
    rejected = []
    rows = read_listings(raw_file("wikivoyage", "page", text), city, rejected)
    assert [row["name"] for row in rows] == ["Castelo"]
    assert rejected == []


def test_a_kind_of_a_group_s_place_in_another_language_is_part_of_no_other():
    assert kinds_of("museum") != kinds_of("museo")
    assert kinds_of("museo") == ("museo",)
    assert english("博物馆") == "museum"
