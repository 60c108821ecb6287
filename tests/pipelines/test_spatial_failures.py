"""One recipe of many towns, each with another bad file: each is blocked for its own reason, none for another's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from schemas.osm import OsmPlace
from schemas.places import Place
from schemas.spatial import CityCoverage, CityMap, DistanceMatrix, PlaceNearestStop, PlaceServedStop
from schemas.stays import Stay
from schemas.transit import Stop, TransitFeed
from tests.pipelines.spatial import dropped, record, rows, town_box, town_extract, town_feed, zipped
from tests.recipes import command

EDGE = 0.5
"""Towns are this many degrees apart, 55 km: the stops of one are beyond 50 km of the places of any other."""

SOUTH = {name: 10 + EDGE * n for n, name in enumerate((
    "sound", "elsewhere", "expired", "swapped", "corrupt", "cut_off", "traversal", "bomb", "no_stop_times", "no_days",
    "other_map", "no_map", "broken_map", "two_feeds", "some_at_sea", "bad_coordinates",
))}  # fmt: skip
WEST = 20.0


def town(name: str) -> tuple[float, float]:
    return SOUTH[name], WEST


def without(member: str, name: str) -> bytes:
    return zipped({key: text for key, text in town_feed(*town(name)).items() if key != member})


def swapped() -> bytes:
    members = town_feed(*town("swapped"))
    south, west = town("swapped")
    stops = f"stop_id,stop_name,stop_lat,stop_lon\nA,Corner,{west},{south}\nB,Corner,{west + 0.01},{south}\n"
    return zipped(members | {"stops.txt": stops})


def bad_coordinates() -> bytes:
    members = town_feed(*town("bad_coordinates"))
    south, west = town("bad_coordinates")
    more = "C,No place,,\nD,Null island,0,0\nE,Off the globe,99,7\nF,Words,north,west\n"
    more += f"G,Good,{south + 0.001},{west + 0.001}\nH,Good too,{south + 0.002},{west + 0.002}\n"
    return zipped(members | {"stops.txt": members["stops.txt"] + more})


def listings(name: str, *offsets: tuple[float, float]) -> str:
    south, west = town(name)
    lines = [f"{n},Room {n},{south + lat},{west + lon},Private room" for n, (lat, lon) in enumerate(offsets, start=1)]
    return "\n".join(["id,name,latitude,longitude,room_type", *lines]) + "\n"


FEEDS: dict[str, Callable[[], bytes]] = {
    "elsewhere": lambda: zipped(town_feed(*town("sound"))),
    "expired": lambda: zipped(town_feed(*town("expired"), first="20190101", last="20191231")),
    "swapped": swapped,
    "corrupt": lambda: b"<html>404 Not Found</html>",
    "cut_off": lambda: zipped(town_feed(*town("cut_off")))[:-60],
    "traversal": lambda: zipped(town_feed(*town("traversal")) | {"../../../outside.txt": "hostile\n"}),
    "bomb": lambda: zipped(town_feed(*town("bomb")) | {"stop_times.txt": "trip_id," + "0" * 80_000_000}),
    "no_stop_times": lambda: without("stop_times.txt", "no_stop_times"),
    "no_days": lambda: without("calendar.txt", "no_days"),
    "bad_coordinates": bad_coordinates,
}


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> tuple[Path, dict]:
    """Return the home of a build of every town, and the command's answer."""
    folder = tmp_path_factory.mktemp("towns")
    text = 'name = "towns"\n\n[spatial]\nrouter = "graph"\ntrip_dates = [2025-06-02]\npool_size = 60\n'
    for name, south in SOUTH.items():
        text += f'\n[[cities]]\ncity_id = "xx-{name.replace("_", "-")}"\nname = "{name}"\ncountry = "XX"\n'
        text += town_box(south, WEST, 0.03 if name == "some_at_sea" else 0.012) + "\n"
        feeds = {"feed.zip": FEEDS[name]() if name in FEEDS else zipped(town_feed(*town(name)))}
        if name == "two_feeds":
            old = town_feed(*town(name), first="20190101", last="20191231")
            feeds = {"this.zip": zipped(old), "other.zip": zipped(town_feed(*town("sound")))}
        for file, content in feeds.items():
            (folder / f"{name}-{file}").write_bytes(content)
        text += f'[cities.sources.gtfs]\nfeed = {[f"{name}-{file}" for file in feeds]}\nlicence = "CC0-1.0"\n'
        if name != "no_map":
            drawn = town_extract(*town("sound" if name == "other_map" else name))
            (folder / f"{name}.osm").write_text(drawn[:900] if name == "broken_map" else drawn, encoding="utf-8")
            text += f'[cities.sources.osm]\nextract = "{name}.osm"\n'
        rooms = {
            "other_map": [(0.005, 0.005), (0.006, 0.005)],
            "some_at_sea": [*((0.001 + n / 4000, 0.005) for n in range(30)), (0.005, 0.025)],
        }
        if name in rooms:
            (folder / f"{name}.csv").write_text(listings(name, *rooms[name]), encoding="utf-8")
            text += f'[cities.sources.airbnb]\nlistings = "{name}.csv"\n'
    (folder / "towns.toml").write_text(text, encoding="utf-8")
    code, answer = command("build", folder / "towns.toml", home=folder / "home")
    assert code == 1
    return folder / "home", answer


@pytest.fixture
def blocked(built):
    """Return a function from a town to what blocked it: step → reason."""
    _, answer = built
    return lambda name: {
        b["step"]: b["reason"] for b in answer["blocked"] if b["city_id"] == f"xx-{name.replace('_', '-')}"
    }


def of(built, table, name):
    return rows(built[0], "towns", table, f"xx-{name.replace('_', '-')}")


@pytest.mark.parametrize("name", ["sound", "expired", "no_map", "some_at_sea", "bad_coordinates"])
def test_what_only_costs_rows_blocks_nothing(blocked, name):
    assert blocked(name) == {}


def test_a_sound_town_among_broken_ones_has_everything(built):
    assert len(of(built, Place, "sound")) == 11
    assert of(built, PlaceNearestStop, "sound")["stop_distance_m"].max() < 1000
    assert set(of(built, PlaceServedStop, "sound")["departures"]) == {1}
    assert of(built, DistanceMatrix, "sound")["distances_m"].map(len).tolist() == [11] * 11
    assert len(of(built, CityMap, "sound")) == 1
    assert any(Path(path).stem == "xx-sound" for path in built[1]["maps"])


@pytest.mark.parametrize("name", ["elsewhere", "swapped"])
def test_a_feed_of_another_city_blocks_the_nearest_stops_of_that_city_alone(built, blocked, name):
    """Defect T13: published data has stops 250 km away."""
    (reason,) = blocked(name).values()
    assert list(blocked(name)) == ["place_nearest_stop"]
    assert "feed_belongs_to_the_city: 0.0% of 11 places are within 5 km of a stop" in reason
    assert "no_stop_beyond_50_km: 11 of 11 places have no stop within 50 km" in reason
    assert "Bind the feed of this city" in reason
    assert len(of(built, DistanceMatrix, name)) == 11
    assert len(of(built, CityMap, name)) == 1


def test_what_depends_on_the_nearest_stop_is_not_made_from_another_city_s_feed(built):
    with pytest.raises(AssertionError, match="place_served_stop was not built"):
        of(built, PlaceServedStop, "elsewhere")


def test_a_feed_of_another_city_beside_the_city_s_own_expired_one_serves_nobody(built, blocked):
    assert list(blocked("two_feeds")) == ["place_served_stop"]
    assert blocked("two_feeds")["place_served_stop"].startswith("no_stop_beyond_50_km: 11 of 11 places have no stop")
    assert of(built, PlaceNearestStop, "two_feeds")["stop_distance_m"].max() < 1000


def test_an_expired_feed_costs_the_service_and_nothing_else(built):
    assert len(of(built, PlaceServedStop, "expired")) == 0
    assert len(of(built, PlaceNearestStop, "expired")) == 11
    facts = record(built[0], "towns", PlaceServedStop, "xx-expired").facts
    assert facts["feed_covers_the_trip_dates"] is False
    assert "nothing departs on 1 of 1 date (2025-06-02)" in facts["found"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("corrupt", "corrupt-feed.zip: it is not a zip that can be opened"),
        ("cut_off", "cut_off-feed.zip: it is not a zip that can be opened"),
        ("traversal", "member '../../../outside.txt' (1 such) points outside the archive"),
        ("bomb", "it looks like a zip bomb"),
        ("no_stop_times", "there is no member stop_times.txt"),
        ("no_days", "there is neither calendar.txt nor calendar_dates.txt"),
    ],
)
def test_a_broken_or_hostile_feed_blocks_the_transit_of_its_city_and_says_why(built, blocked, name, found):
    assert list(blocked(name)) == ["stop"]
    assert found in blocked(name)["stop"]
    assert len(of(built, Place, name)) == len(of(built, DistanceMatrix, name)) == 11


def test_nothing_of_a_hostile_feed_is_written_outside_its_home(built):
    folder = built[0].parent
    assert not [path for above in (folder, *folder.parents[:3]) for path in above.glob("outside.txt")]


def test_an_extract_of_another_city_gives_no_place_and_no_way(built, blocked):
    assert list(blocked("other_map")) == ["distance_matrix"]
    found = blocked("other_map")["distance_matrix"]
    assert "other_map.osm, around the city, has no way that one may use by foot; expected an extract" in found
    assert len(of(built, OsmPlace, "other_map")) == 0
    assert dropped(built[0], "towns", OsmPlace, "xx-other-map") == [], "of a file of elsewhere nothing is read"
    assert len(of(built, Stay, "other_map")) == len(of(built, PlaceNearestStop, "other_map")) == 2


def test_a_place_in_the_sea_is_rejected_by_name(built):
    assert len(of(built, DistanceMatrix, "some_at_sea")) == 41
    (far,) = dropped(built[0], "towns", DistanceMatrix, "xx-some-at-sea")
    assert (far["row"], far["reason"]) == ("airbnb:31 by foot", "off_network")
    assert far["detail"].startswith("a road to use by foot: the nearest is 1,")


def test_an_extract_that_is_cut_off_blocks_what_reads_it_and_names_it(blocked):
    assert list(blocked("broken_map")) == ["osm_place"]
    assert "broken_map.osm" in blocked("broken_map")["osm_place"]


def test_without_an_extract_there_is_no_matrix_and_the_feed_still_counts(built):
    assert len(of(built, DistanceMatrix, "no_map")) == 0
    assert len(of(built, Stop, "no_map")) == len(of(built, TransitFeed, "no_map")) * 2 == 2


def test_stops_without_usable_coordinates_are_counted_and_the_others_serve(built):
    gone = dropped(built[0], "towns", Stop, "xx-bad-coordinates")
    assert [(row["row"].rpartition("#")[2], row["reason"]) for row in gone] == [
        *((f"stops.txt:{n}", "bad_coordinates") for n in (3, 4, 5, 6)),
        *((f"stops.txt:{n}", "not_boardable") for n in (7, 8)),  # where nothing stops
    ]
    assert len(of(built, PlaceNearestStop, "bad_coordinates")) == 11


def test_every_city_has_its_coverage_but_those_whose_tables_it_counts_are_blocked(built, blocked):
    for name in SOUTH:
        is_countable = not {"stop", "transit_feed", "osm_place"} & set(blocked(name))
        told = [row for row in built[1]["coverage"] if row["city_id"] == f"xx-{name.replace('_', '-')}"]
        assert bool(told) == is_countable
        assert len(told) == (len(of(built, CityCoverage, name)) if is_countable else 0)
