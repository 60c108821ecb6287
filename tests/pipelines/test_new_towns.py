"""What `new` writes of a town by where it lies: its country, zone, money, name, and the roads to others."""

from __future__ import annotations

import pytest

from assets.first_recipe import Survey, SurveyedCity
from assets.tripcraft.first_recipe import is_joined, road_groups, trip_amounts
from pipelines.city_facts import city_facts
from pipelines.init import LONGEST_NAME, slug_of
from pipelines.walk.recipes import RecipeError
from schemas.recipe import City
from schemas.recipe_values import SLUG_LENGTH, Box


def test_the_zone_of_a_bent_area_is_that_of_most_of_it():
    """A shore of Monaco bends around a piece of France, in which the middle of its box lies."""
    ring = ((43.7285, 7.412), (43.7285, 7.437), (43.755, 7.437), (43.755, 7.4355), (43.733, 7.4355), (43.733, 7.412))
    lats, lons = zip(*ring, strict=True)
    box = Box(south=min(lats), west=min(lons), north=max(lats), east=max(lons))
    assert city_facts("x", box, None, None).country == "FR"
    assert city_facts("x", box, None, None, ring).country == "MC"


SPOTS = {"Helsinki": (60.17, 24.94), "Tallinn": (59.44, 24.75), "Zurich": (47.38, 8.54), "Vaduz": (47.14, 9.52),
         "Paris": (48.86, 2.35), "Monaco": (43.74, 7.43), "Rome": (41.9, 12.5), "Baltimore": (39.28, -76.6),
         "New York": (40.71, -74.0), "Lisbon": (38.72, -9.14), "Porto": (41.15, -8.61)}  # fmt: skip


@pytest.mark.parametrize(
    ("a", "b", "joined"),
    [
        ("Vaduz", "Zurich", True),
        ("Monaco", "Paris", True),
        ("Porto", "Lisbon", True),
        ("Baltimore", "New York", True),
        ("Monaco", "Rome", False),
        ("Helsinki", "Rome", False),
        ("New York", "Lisbon", False),
    ],
)
def test_no_road_is_taken_over_open_sea_or_for_days(a, b, joined):
    assert is_joined(SPOTS[a], SPOTS[b]) is is_joined(SPOTS[b], SPOTS[a]) is joined


def test_towns_nearer_than_points_between_them_are_looked_at_are_joined():
    assert is_joined((43.7384, 7.4246), (43.7396, 7.4276))


def town(name):
    lat, lon = SPOTS[name]
    return city_facts(name, Box(south=lat - 0.01, west=lon - 0.01, north=lat + 0.01, east=lon + 0.01), None, None)


@pytest.mark.parametrize(
    ("cities", "neighbours", "groups"),
    [
        (["Vaduz", "Zurich"], ["Monaco"], [["Vaduz", "Zurich", "Monaco"]]),
        (["Helsinki"], ["Tallinn"], []),
        (["Helsinki", "Vaduz", "Zurich"], ["Tallinn", "Monaco"],
         [["Vaduz", "Zurich"], ["Vaduz", "Monaco"], ["Zurich", "Monaco"]]),
    ],
)  # fmt: skip
def test_roads_join_all_or_each_two_that_a_line_over_no_open_sea_joins(cities, neighbours, groups):
    named = {town(name).city_id: name for name in SPOTS}
    found = road_groups(map(town, cities), map(town, neighbours))
    assert [[named[city_id] for city_id in group] for group in found] == groups


def test_amounts_are_in_the_citys_own_money_and_in_order():
    for lat, lon, currency, meal in (
        (35.7, 139.7, "JPY", (500, 2500)),
        (47.14, 9.52, "CHF", (5, 30)),
        (-30.0, -51.2, "BRL", (15, 90)),
    ):
        city = city_facts("x", Box(south=lat, west=lon, north=lat + 0.1, east=lon + 0.1), None, None)
        amounts = trip_amounts(Survey([SurveyedCity(city, "a box")], [], {}))
        assert amounts is not None
        assert amounts.currency == currency
        assert meal[0] < amounts.meal < meal[1]
        assert amounts.night_low < amounts.night_high
        assert 0 < amounts.fuel_per_km < amounts.taxi_per_km


def test_a_name_with_marks_of_direction_is_one_that_a_recipe_holds():
    """Maps of the Middle East have them around names; a joiner inside a word is a letter's form, and stays."""
    box = Box(south=35.6, west=51.3, north=35.8, east=51.5)
    city = city_facts("\u200fTehran\u202c \u0007 \u0646\u200c\u0648\n", box, None, "\u200eT\t1")
    assert (city.name, city.region) == ("Tehran \u0646\u200c\u0648", "T 1")
    City.model_validate(
        {"city_id": city.city_id, "name": city.name, "region": city.region, "country": "IR", "box": box}
    )


def test_the_middle_of_a_box_over_the_antimeridian_lies_in_it():
    box = Box(south=-17, west=179.5, north=-16, east=-179.5)
    assert box.middle == (-16.5, -180.0)
    city = city_facts("Taveuni", box, None, None)
    assert (city.country, city.currency) == ("FJ", "FJD")
    assert road_groups([city], []) == []


def test_a_zone_that_is_younger_than_the_list_of_countries_lies_in_the_one_that_the_zones_themselves_tell():
    coyhaique = Box(south=-45.6, west=-72.1, north=-45.5, east=-72.0)
    assert city_facts("Coyhaique", coyhaique, None, None).time_zone == "America/Coyhaique"
    assert city_facts("Coyhaique", coyhaique, None, None).country == "CL"


def test_open_sea_lies_in_no_country_and_takes_the_one_that_is_given():
    sea = Box(south=39.9, west=-40.1, north=40.1, east=-39.9)
    with pytest.raises(RecipeError, match="found no country for Atlantis at Etc/GMT"):
        city_facts("Atlantis", sea, None, None)
    assert city_facts("Atlantis", sea, "PT", None).currency == "EUR"


def test_a_long_name_is_a_city_like_any_other_and_its_id_ends_in_its_hash():
    """The hill in New Zealand of 85 letters; and one whose name differs in the last of them."""
    hill = "Taumatawhakatangihangakoauauotamateaturipukakapikimaungahoronukupokaiwhenuakitanatahu"
    box = Box(south=-40.4, west=176.5, north=-40.3, east=176.6)
    one, other = (city_facts(name, box, None, None).city_id for name in (hill, f"{hill[:-1]}a"))
    assert one.startswith("nz-taumatawhakatangihanga")
    assert len(one) == len(other) == SLUG_LENGTH
    assert one != other
    assert slug_of([hill]) == hill.lower()[:LONGEST_NAME]
    assert slug_of([hill, "Napier"]).endswith("-and-1-more")
