"""Places over all sources: what a map and a business agree on is one place, listings stay their own, no row is lost."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.clean.place_union import city_places
from schemas.osm import OsmPlace
from schemas.places import Business, Place
from schemas.stays import Stay
from schemas.table import Table

CITY = "us-in-bloomington"


def row_of(table: type[Table], place_id: str, **values: Any) -> dict[str, Any]:
    """Return a row with every column: nothing known but the name, the position and a source row of its own."""
    source, _, native_id = place_id.partition(":")
    empty = {c.name: None if c.nullable else [] if c.item else "" for c in table.columns()}
    known = {
        "city_id": CITY,
        "place_id": place_id,
        "source": source,
        "native_id": native_id,
        "name": f"Place {native_id}",
        "lat": 39.16,
        "lon": -86.53,
        "source_rows": [f"row of {place_id}"],
    }
    return empty | known | values


def business(place_id: str = "yelp:b", **values: Any) -> dict[str, Any]:
    return row_of(Business, place_id, categories=["Restaurants"], **values)


def mapped(place_id: str = "osm:node/1", **values: Any) -> dict[str, Any]:
    return row_of(OsmPlace, place_id, **{"kind": "restaurant", "tags": ["amenity=restaurant"]} | values)


def listing(place_id: str = "airbnb:1", **values: Any) -> dict[str, Any]:
    return row_of(Stay, place_id, **{"room_type": "entire_home"} | values)


def united(*rows: dict[str, Any]):
    """Return the places by id, the reasons of rows dropped, and how many were merged; checked against the table."""
    frames = []
    for table in (Business, OsmPlace, Stay):
        names = {c.name for c in table.columns()}
        mine = [row for row in rows if set(row) == names]
        frames.append(table.frame(pa.Table.from_pylist(mine, schema=table.arrow_schema())))
    outcome: Any = city_places(*frames)
    Place.validate(Place.arrow(outcome.rows))
    assert outcome.rows_in == len(rows) == outcome.rows.num_rows + len(outcome.rejections) + outcome.merged
    places = {row["place_id"]: row for row in outcome.rows.to_pylist()}
    assert len(places) == outcome.rows.num_rows
    return places, {r["row"]: r["reason"] for r in outcome.rejections}, outcome.merged


def test_a_business_that_the_map_shows_too_is_one_place_with_the_hours_and_both_origins():
    hours = "Mo-Fr 08:00-18:00"
    places, dropped, merged = united(
        business(name="Café Ægir", price_level=2, stars=4.5),
        mapped(name="CAFÉ ÆGIR", lat=39.1605, address="1 Long St", opening_hours=hours, cuisines=["coffee_shop"]),
    )
    assert (dropped, merged, list(places)) == ({}, 1, ["yelp:b"])
    place = places["yelp:b"]
    assert place["source_rows"] == ["row of yelp:b", "row of osm:node/1"]
    kept = {name: place[name] for name in ("name", "lat", "address", "stars", "price_level", "opening_hours")}
    assert kept == {
        "name": "Café Ægir", "lat": 39.16, "address": "1 Long St", "stars": 4.5, "price_level": 2,
        "opening_hours": hours,
    }  # fmt: skip
    assert (place["cuisines"], place["categories"]) == (["coffee_shop"], ["Restaurants"])


def test_a_sight_that_the_map_shows_as_a_restaurant_is_a_sight_without_cuisines():
    places, dropped, merged = united(
        business(name="Old Mill", kinds=["attraction"]) | {"categories": ["Museums"]},
        mapped(name="Old Mill", cuisines=["italian"], meals=["lunch"]),
    )
    assert (dropped, merged, list(places)) == ({}, 1, ["yelp:b"])
    place = places["yelp:b"]
    assert (place["kind"], place["cuisines"], place["meals"]) == ("attraction", [], ["lunch"])
    assert place["source_rows"] == ["row of yelp:b", "row of osm:node/1"]


@pytest.mark.parametrize("changes", [{"lat": 39.1614}, {"name": "Another house"}])
def test_what_is_too_far_or_named_otherwise_is_another_place(changes):
    places, dropped, merged = united(
        business(name="Twin"), mapped(**{"name": "Twin", "opening_hours": "24/7"} | changes)
    )
    assert (dropped, merged, sorted(places)) == ({}, 0, ["osm:node/1", "yelp:b"])
    assert (places["yelp:b"]["opening_hours"], places["osm:node/1"]["opening_hours"]) == (None, "24/7")


def test_a_listing_is_a_place_of_its_own_however_alike_name_and_position_are():
    places, _, merged = united(mapped(kind="stay", name="Harbour"), listing(name="Harbour", room_type="hotel_room"))
    assert (merged, sorted(places)) == (0, ["airbnb:1", "osm:node/1"])
    stay = places["airbnb:1"]
    assert (stay["kind"], stay["categories"], stay["source_rows"]) == ("stay", ["hotel_room"], ["row of airbnb:1"])


@pytest.mark.parametrize(("rating", "stars"), [(None, None), (0.0, None), (0.5, None), (1.0, 1.0), (4.96, 4.96)])
def test_a_listing_rated_below_one_star_shows_no_stars(rating, stars):
    places, _, _ = united(listing(rating=rating, review_count=3))
    assert (places["airbnb:1"]["stars"], places["airbnb:1"]["review_count"]) == (stars, 3)


def test_one_place_mapped_as_node_and_as_area_is_there_once():
    places, dropped, merged = united(
        mapped("osm:node/1", name="Museum", kind="attraction"), mapped("osm:way/9", name="Museum", kind="attraction")
    )
    assert (list(places), merged) == (["osm:node/1"], 0)
    assert dropped == {"row of osm:way/9": "duplicate"}


def test_what_the_map_gives_no_category_shows_its_tags():
    places, _, _ = united(
        mapped(tags=["amenity=cafe"], meals=["brunch"]),
        mapped("osm:node/2", kind="attraction", tags=["tourism=museum"], categories=["Museums"], lat=39.2),
    )
    assert places["osm:node/1"]["categories"] == ["amenity=cafe"]
    assert places["osm:node/1"]["meals"] == ["brunch"]
    assert places["osm:node/2"]["categories"] == ["Museums"]


@pytest.mark.parametrize(
    ("tags", "reasons"),
    [
        (["shop=massage"], {"row of osm:node/1": "category_noise"}),
        (["tourism=picnic_site", "amenity=boat_sharing"], {"row of osm:node/1": "category_noise"}),
        (["leisure=park", "tourism=picnic_site"], {}),
        (["leisure=marina"], {"row of osm:node/1": "category_noise"}),
        (["tourism=attraction", "leisure=marina"], {}),
    ],
)
def test_what_nobody_travels_to_see_is_no_sight_unless_it_is_something_else_too(tags, reasons):
    assert united(mapped(kind="attraction", tags=tags))[1] == reasons


def test_berths_that_wikidata_knows_are_a_sight_and_a_massage_parlour_that_it_knows_is_none():
    def reasons(tag):
        return united(mapped(kind="attraction", tags=[tag], wikidata="Q1"))[1]

    assert reasons("leisure=marina") == {}
    assert reasons("shop=massage") == {"row of osm:node/1": "category_noise"}


def test_a_business_of_no_kind_does_not_lend_its_values_to_the_map():
    places, dropped, merged = united(
        business(name="Twin", stars=5.0) | {"categories": ["Plumbing"]}, mapped(name="Twin")
    )
    assert (list(places), dropped, merged) == (["osm:node/1"], {"yelp:b": "other_category"}, 0)
    assert places["osm:node/1"]["stars"] is None


def test_hostile_text_stays_as_it_is_written():
    name = 'a,"b"\n<script>​\u202e; DROP TABLE place; --'
    places, _, _ = united(listing(name=name), mapped(name=name))
    assert {place["name"] for place in places.values()} == {name}


def test_a_city_of_nothing_has_no_place():
    assert united() == ({}, {}, 0)


NAMES = st.sampled_from(["Blue Door", "blue door", "Blue  Door!", "Red Lion", "Lion Red", "<b>", "٪"])
SPOTS = st.integers(0, 6).map(lambda steps: 39.16 + steps * 0.0005)


@st.composite
def cities_of_places(draw):
    spots = st.lists(st.tuples(NAMES, SPOTS), max_size=5)
    rows = [business(f"yelp:{n}", name=name, lat=lat) for n, (name, lat) in enumerate(draw(spots))]
    rows += [mapped(f"osm:node/{n + 1}", name=name, lat=lat) for n, (name, lat) in enumerate(draw(spots))]
    rows += [listing(f"airbnb:{n}", name=name, lat=lat) for n, (name, lat) in enumerate(draw(spots))]
    return rows


@settings(max_examples=60, deadline=None)
@given(cities_of_places(), st.randoms(use_true_random=False))
def test_the_places_do_not_depend_on_the_order_and_no_row_is_lost_or_used_twice(rows, random):
    places, dropped, merged = united(*rows)
    used = Counter(pointer for place in places.values() for pointer in place["source_rows"])
    gone = Counter(pointer for pointer in dropped)
    assert used + gone == Counter(row["source_rows"][0] for row in rows)
    random.shuffle(rows)
    assert united(*rows) == (places, dropped, merged)
