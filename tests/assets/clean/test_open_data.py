"""The clean tables of one city from its own files: feeds merged, each place once, what is dropped told."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from assets.clean.open_data import departures, feeds, osm_places, routes, services, stays, stops
from assets.step import Outcome, RawFile
from schemas.osm import OsmPlace
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import SourceError
from schemas.stays import Stay
from schemas.table import Table
from schemas.transit import Stop, StopService, TransitFeed, TransitRoute, TransitService

CITY = City(
    city_id="pt-13-porto", name="Porto", country="PT", currency="EUR",
    box=Box(south=41.0, west=-8.8, north=41.3, east=-8.4),
)  # fmt: skip
MEMBERS = {
    "agency.txt": "agency_name,agency_url,agency_timezone\nTrams,http://t.example,Europe/Lisbon\n",
    "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nA,Alpha,41.1,-8.6\nB,Beta,41.2,-8.6\nZ,,41.2,-8.6\n",
    "routes.txt": "route_id,route_short_name,route_type\nR,9,0\n",
    "trips.txt": "route_id,service_id,trip_id\nR,DAY,t1\n",
    "calendar.txt": (
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        "DAY,1,1,1,1,1,1,1,20250101,20251231\nBAD,1,1,1,1,1,1,2,20250101,20251231\n"
    ),
    "stop_times.txt": (
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        "t1,6:00:00,6:00:00,A,1\nt1,6:10:00,6:10:00,B,2\nt1,6:20:00,6:20:00,A,3\n"
    ),
}
TRANSIT_STEPS = {
    Stop: stops,
    TransitFeed: feeds,
    TransitRoute: routes,
    TransitService: services,
    StopService: departures,
}


def zipped(changes: dict[str, str] | None = None) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in (MEMBERS | (changes or {})).items():
            archive.writestr(name, text)
    return content.getvalue()


@pytest.fixture
def feed(raw_file):
    """Return a function from a file's name and changed members to a feed as a step gets it."""

    def make(name: str, **changes: str) -> RawFile:
        file = raw_file("gtfs", "feed", zipped({f"{key}.txt": text for key, text in changes.items()}))
        return RawFile(file.snapshot.model_copy(update={"location": f"feeds/{name}"}), file.path)

    return make


def rows(table: type[Table], outcome: Outcome) -> list[dict[str, Any]]:
    """Return the rows, checked against their table."""
    return table.validate(table.arrow(outcome.rows)).to_pylist()  # pyright: ignore[reportArgumentType]


def dropped(outcome: Outcome) -> list[tuple[str, str]]:
    """Return the locators of the rows dropped, and why."""
    assert isinstance(outcome.rejections, list)
    return [(row["row"].rpartition("#")[2], row["reason"]) for row in outcome.rejections]


def run_transit(table: type[Table], files: list[RawFile]) -> Outcome:
    return stops(files, [], city=CITY) if table is Stop else TRANSIT_STEPS[table](files, city=CITY)


@pytest.mark.parametrize("table", TRANSIT_STEPS)
def test_the_feeds_of_a_city_are_merged_and_each_row_says_which_it_is_of(table, feed):
    both = rows(table, run_transit(table, [feed("Trams.zip"), feed("buses.zip", agency=MEMBERS["agency.txt"] + "\n")]))
    each = rows(table, run_transit(table, [feed("Trams.zip")]))
    assert len(both) == 2 * len(each) > 0
    key = [tuple(row[name] for name in table.key()) for row in both]
    assert len(set(key)) == len(key)
    owners = {row["feed"] if "feed" in row else row["stop_id"].partition(":")[0] for row in both}
    assert owners == {"trams", "buses"}
    assert {row["city_id"] for row in both} == {"pt-13-porto"}


def test_each_step_tells_what_was_dropped_of_its_own_members(feed):
    told = {table.table_name(): dropped(run_transit(table, [feed("f.zip")])) for table in TRANSIT_STEPS}
    assert told == {
        "stop": [("stops.txt:3", "missing_value")],
        "transit_feed": [],
        "transit_route": [],
        "transit_service": [("calendar.txt:2", "bad_value")],
        "stop_service": [],
    }


@pytest.mark.parametrize("table", TRANSIT_STEPS)
def test_a_city_without_feeds_has_empty_tables(table):
    assert rows(table, run_transit(table, [])) == []


@pytest.mark.parametrize("table", TRANSIT_STEPS)
def test_one_broken_feed_is_an_error_that_names_it(table, feed, raw_file):
    with pytest.raises(SourceError, match="feed"):
        run_transit(table, [feed("good.zip"), raw_file("gtfs", "feed", b"PK\x03\x04 cut off")])


OSM = (
    '<?xml version="1.0"?><osm version="0.6">'
    '<node id="1" version="1" lat="41.10" lon="-8.60"><tag k="highway" v="bus_stop"/><tag k="name" v="Kerb"/></node>'
    '<node id="2" version="1" lat="41.11" lon="-8.61"><tag k="amenity" v="cafe"/><tag k="name" v="Cup"/>'
    '<tag k="opening_hours" v="Mo-Fr 08:00-18:00"/></node>'
    '<node id="3" version="1" lat="41.12" lon="-8.62"><tag k="amenity" v="cafe"/><tag k="name" v="Pot"/>'
    '<tag k="opening_hours" v="when we feel like it"/></node>'
    '<node id="4" version="1" lat="51.00" lon="-8.62"><tag k="amenity" v="cafe"/><tag k="name" v="Away"/></node></osm>'
)


def test_the_stops_are_those_of_the_map_only_where_no_feed_is_bound(feed, raw_file):
    extract = raw_file("osm", "extract", OSM)
    assert [row["stop_id"] for row in rows(Stop, stops([], [extract], city=CITY))] == ["osm:node/1"]
    assert {row["feed"] for row in rows(Stop, stops([feed("trams.zip")], [extract], city=CITY))} == {"trams"}


def test_an_extract_gives_the_places_inside_the_city_and_the_others_are_counted(raw_file):
    outcome = osm_places([raw_file("osm", "extract", OSM)], city=CITY)
    assert {row["place_id"]: row["opening_hours"] for row in rows(OsmPlace, outcome)} == {
        "osm:node/2": "Mo-Fr 08:00-18:00",
        "osm:node/3": None,
    }
    assert dropped(outcome) == [("node/4", "outside_every_city")]
    assert outcome.facts == {"opening_hours": 2, "opening_hours_unreadable": 1}


def test_extracts_that_overlap_give_each_place_once_and_their_counts_together(raw_file):
    again = OSM.replace("Cup", "Cup renamed")
    outcome = osm_places([raw_file("osm", "extract", text) for text in (OSM, again)], city=CITY)
    assert [row["name"] for row in rows(OsmPlace, outcome)] == ["Cup", "Pot"]
    assert sorted(dropped(outcome)) == [
        ("node/2", "duplicate"),
        ("node/3", "duplicate"),
        ("node/4", "outside_every_city"),
        ("node/4", "outside_every_city"),
    ]
    assert outcome.facts == {"opening_hours": 4, "opening_hours_unreadable": 2}


HEADER = "id,name,latitude,longitude,room_type,price,minimum_nights,number_of_reviews\n"
LISTINGS = HEADER + '1,"Attic, with ""view""",41.1,-8.6,Entire home/apt,50,2,7\n2,Away,10,10,Private room,,1,0\n'


APIFY = {
    "id": "1", "url": "https://www.airbnb.com/rooms/1", "roomType": "Entire home/apt", "title": "Attic",
    "coordinates": {"latitude": 41.1, "longitude": -8.6}, "personCapacity": 4,
    "price": {"amount": "€60", "qualifier": "night"}, "rating": {"guestSatisfaction": 4.5, "reviewsCount": 9},
    "houseRules": {"general": [{"title": "During", "values": [{"title": "No smoking"}, {"title": "Knock"}]}]},
}  # fmt: skip
FIRST_GENERATION = {
    "url": "https://www.airbnb.com/rooms/1", "name": "Attic", "numberOfGuests": 5, "roomType": "Entire home/apt",
    "address": "Porto", "location": {"lat": 41.1, "lng": -8.6}, "pricing": {"rate": {"amount": 70, "currency": "USD"}},
}  # fmt: skip
DETAILED = "id,name,latitude,longitude,room_type,price,accommodates,review_scores_rating\n"


def test_a_listing_in_every_file_is_one_stay_that_knows_what_any_of_them_says(raw_file):
    detailed = raw_file("airbnb", "listings", DETAILED + "1,Attic,41.1,-8.6,Entire home/apt,,3,\n")
    files = [raw_file("airbnb", "apify", [item]) for item in (APIFY, FIRST_GENERATION)]
    outcome = stays([raw_file("airbnb", "listings", LISTINGS), detailed], files, city=CITY)
    (stay,) = rows(Stay, outcome)
    known = {name: stay[name] for name in ("name", "price_per_night", "currency", "max_occupancy", "min_nights")}
    assert known == {
        "name": 'Attic, with "view"', "price_per_night": 50.0, "currency": "EUR", "max_occupancy": 3, "min_nights": 2,
    }  # fmt: skip
    assert (stay["rating"], stay["review_count"], stay["address"]) == (4.5, 7, "Porto")
    assert (stay["house_rules"], stay["house_rule_texts"]) == (["No smoking"], ["No smoking", "Knock"])
    assert [row.rpartition("#")[2] for row in stay["source_rows"]] == ["R1", "R1", "L1", "L1"]
    assert (outcome.rows_in, outcome.merged, dropped(outcome)) == (5, 3, [("R2", "outside_every_city")])
    assert outcome.facts["contradictions"] == {
        "currency": 1, "max_occupancy": 2, "name": 3, "price_per_night": 2, "review_count": 1,
    }  # fmt: skip


def test_a_price_never_takes_the_currency_of_another_file(raw_file):
    unpriced = LISTINGS.replace(",50,2,7", ",,2,7")
    (stay,) = rows(
        Stay,
        stays([raw_file("airbnb", "listings", unpriced)], [raw_file("airbnb", "apify", [FIRST_GENERATION])], city=CITY),
    )
    assert (stay["price_per_night"], stay["currency"]) == (70.0, "USD")


def test_what_no_file_says_stays_unknown(raw_file):
    silent = {key: APIFY[key] for key in ("id", "url", "roomType", "title", "coordinates")}
    outcome = stays([raw_file("airbnb", "listings", LISTINGS)], [raw_file("airbnb", "apify", [silent])], city=CITY)
    (stay,) = rows(Stay, outcome)
    unknown = ("max_occupancy", "rating", "house_rules", "house_rule_texts")
    assert [stay[name] for name in unknown] == [None] * len(unknown)


def test_a_listing_of_one_file_alone_is_a_stay_of_its_own(raw_file):
    other = APIFY | {"id": "3", "url": "https://www.airbnb.com/rooms/3", "title": "Cellar"}
    apify = raw_file("airbnb", "apify", [APIFY, other])
    outcome = stays([raw_file("airbnb", "listings", LISTINGS)], [apify], city=CITY)
    assert {row["place_id"] for row in rows(Stay, outcome)} == {"airbnb:1", "airbnb:3"}
    assert outcome.merged == 1


def test_porto_s_two_feeds_stay_apart(shared_data: Path, raw_file):
    folder = shared_data / "gtfs"
    names = ("porto_metro_gtfs_metroporto_latest.zip", "porto_stcp_gtfs_stcp.zip")
    files = []
    for name in names:
        file = raw_file("gtfs", "feed", folder / name)
        files.append(RawFile(file.snapshot.model_copy(update={"location": name}), file.path))
    spans = {row["feed"]: (row["first_date"], row["last_date"]) for row in rows(TransitFeed, feeds(files, city=CITY))}
    metro, stcp = spans["porto-metro-gtfs-metroporto-latest"], spans["porto-stcp-gtfs-stcp"]
    assert stcp[1] < metro[0]
