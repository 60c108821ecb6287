"""Country, money and languages by where a city lies: of territories, too, that share their time zone with a country."""

from __future__ import annotations

import pytest
import shapely

from pipelines.city_facts import city_facts
from schemas.recipe_values import Box
from sources.cities.country_names import NAMES, country_code
from sources.cities.territories import TERRITORIES


def facts(lat: float, lon: float, country: str | None = None):
    box = Box(south=lat - 0.02, west=lon - 0.02, north=lat + 0.02, east=lon + 0.02)
    return city_facts("x", box, country, None)


@pytest.mark.parametrize(
    ("town", "lat", "lon", "country", "currency", "languages"),
    [
        ("Pristina", 42.66, 21.16, "XK", "EUR", ("sq", "sr")),
        ("North Mitrovica", 42.90, 20.87, "XK", "EUR", ("sq", "sr")),
        ("Prizren", 42.21, 20.74, "XK", "EUR", ("sq", "sr")),
        ("Novi Pazar", 43.14, 20.51, "RS", "RSD", ("sr",)),
        ("Preševo", 42.31, 21.65, "RS", "RSD", ("sr",)),
        ("Kukës", 42.08, 20.42, "AL", "ALL", ("sq",)),
        ("Hanoi", 21.03, 105.85, "VN", "VND", ("vi",)),
        ("Dien Bien Phu", 21.39, 103.02, "VN", "VND", ("vi",)),
        ("Dong Hoi", 17.47, 106.62, "VN", "VND", ("vi",)),
        ("Hue", 16.46, 107.59, "VN", "VND", ("vi",)),
        ("Nakhon Phanom", 17.41, 104.78, "TH", "THB", ("th",)),
        ("Vientiane", 17.97, 102.63, "LA", "LAK", ("lo",)),
        ("Kyrenia", 35.33, 33.32, "CY", "TRY", ("tr",)),
        ("Famagusta", 35.12, 33.93, "CY", "TRY", ("tr",)),
        ("Larnaca", 34.92, 33.62, "CY", "EUR", ("el", "tr")),
        ("South Nicosia", 35.16, 33.36, "CY", "EUR", ("el", "tr")),
        ("Hargeisa", 9.56, 44.06, "SO", "SOS", ("so", "ar")),
        ("Simferopol", 44.95, 34.1, "UA", "RUB", ("uk", "ru", "crh")),
        ("Kherson", 46.64, 32.62, "UA", "UAH", ("uk",)),
        ("Laayoune", 27.15, -13.2, "EH", "MAD", ("ar",)),
        ("Ramallah", 31.9, 35.2, "PS", "ILS", ("ar",)),
        ("Taipei", 25.04, 121.56, "TW", "TWD", ("zh", "nan", "hak")),
        ("Hong Kong", 22.3, 114.17, "HK", "HKD", ("zh", "en")),
        ("Macau", 22.19, 113.54, "MO", "MOP", ("zh", "pt")),
        ("Nuuk", 64.18, -51.7, "GL", "DKK", ("kl",)),
        ("Tórshavn", 62.01, -6.77, "FO", "DKK", ("fo",)),
        ("Longyearbyen", 78.22, 15.64, "SJ", "NOK", ("nb",)),
        ("San Juan", 18.46, -66.1, "PR", "USD", ("es",)),
        ("Pointe-à-Pitre", 16.24, -61.53, "GP", "EUR", ("fr",)),
        ("Mariehamn", 60.1, 19.94, "AX", "EUR", ("sv",)),
        ("Gibraltar", 36.14, -5.35, "GI", "GIP", ("en",)),
        ("Douglas", 54.15, -4.48, "IM", "GBP", ("en", "gv")),
        ("Mexico City", 19.43, -99.13, "MX", "MXN", ("es",)),
        ("Omaha", 41.26, -95.93, "US", "USD", ("en",)),
        ("Vatican City", 41.903, 12.453, "VA", "EUR", ("it",)),
        ("Thimphu", 27.47, 89.64, "BT", "BTN", ("dz",)),
        ("Maseru", -29.31, 27.48, "LS", "LSL", ("st", "en")),
        ("Windhoek", -22.56, 17.08, "NA", "NAD", ("en",)),
    ],
)
def test_a_town_is_of_the_country_money_and_languages_of_its_place(town, lat, lon, country, currency, languages):
    held = facts(lat, lon)
    assert (town, held.country, held.currency, held.languages) == (town, country, currency, languages)
    assert held.country in NAMES


def test_a_territory_apart_from_its_country_is_said_to_be_and_any_other_place_is_not():
    assert "Serbia (RS) claims it" in facts(42.66, 21.16).note
    assert "people pay in TRY" in facts(35.33, 33.32).note
    assert facts(44.82, 20.46).note == ""


def test_a_country_that_is_given_counts_before_the_territory():
    held = facts(42.66, 21.16, "RS")
    assert (held.country, held.currency, held.note) == ("RS", "RSD", "")
    assert facts(42.66, 21.16, "XK") == facts(42.66, 21.16)


def test_kosovo_is_a_country_by_its_name_and_its_code():
    assert [country_code(text) for text in ("XK", "xk", "Kosovo", "Kosovo (Disputed Territory)")] == ["XK"] * 4


@pytest.mark.parametrize("territory", TERRITORIES, ids=lambda one: one.name)
def test_each_territory_lies_in_its_time_zone_as_one_area(territory):
    if territory.outline:
        area = shapely.Polygon(territory.outline)
        inside = area.representative_point()
        assert area.is_valid
        assert facts(inside.x, inside.y).time_zone == territory.time_zone


def test_a_ring_that_bends_around_the_middle_of_its_box_is_of_where_it_lies_itself():
    """Most of Kosovo's side of a border, with a strip that leads along it: the middle of the box is in Serbia."""
    ring = ((42.3, 21.4), (42.7, 21.4), (42.7, 22.0), (42.69, 22.0), (42.69, 21.5), (42.3, 21.5))
    box = Box(south=42.3, west=21.4, north=42.7, east=22.0)
    assert city_facts("x", box, None, None).country == "RS"
    assert city_facts("x", box, None, None, ring).country == "XK"
