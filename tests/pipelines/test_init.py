"""`tripwright init`: a recipe that can be built as it is written, for a city that only its extract describes."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assets.families import families
from pipelines.cli import app
from pipelines.walk.recipes import load_recipe
from schemas.engines import Engines
from sources.registry import SOURCES
from tests.pipelines.spatial import town_feed, zipped
from tests.sources.osm_text import node, osm


def init(*words):
    return CliRunner().invoke(app, ["init", *map(str, words)])


def place(number, what, south=43.72, west=7.40, **tags):
    lat, lon = south + 0.0005 * (number % 50), west + 0.0005 * (number // 50)
    return node(number, round(lat, 7), round(lon, 7), name=f"{what} {number}", **tags)


def village(south=43.72, west=7.40, first=1, eat=12, see=12, sleep=3):
    """Return the places of an invented village."""
    kinds = [
        ("Café", eat, {"amenity": "cafe"}),
        ("Museum", see, {"tourism": "museum"}),
        ("Inn", sleep, {"tourism": "hotel"}),
    ]
    spots = [(what, tags) for what, count, tags in kinds for _ in range(count)]
    return [place(first + n, what, south, west, **tags) for n, (what, tags) in enumerate(spots)]


@pytest.fixture
def extract(tmp_path):
    """Return an extract of an invented village near Monaco, whose header holds a box."""
    path = tmp_path / "village.osm"
    box = '<bounds minlat="43.72" minlon="7.40" maxlat="43.75" maxlon="7.44"/>'
    path.write_text(osm(box, *village()))
    return path


def test_an_extract_alone_says_where_the_city_is_and_what_its_country_speaks_and_pays_in(extract, tmp_path):
    assert init("Monaco", "--osm", extract, "--out", tmp_path).exit_code == 0
    loaded = load_recipe(tmp_path / "monaco.toml", families())
    city = loaded.recipe.cities[0]
    assert (city.city_id, city.country, city.time_zone) == ("mc-monaco", "MC", "Europe/Monaco")
    assert (city.currency, city.languages) == ("EUR", ["fr"])
    assert (city.bounds.south, city.bounds.east) == (43.72, 7.44)
    assert city.sources["osm"].files == {"extract": ["village.osm"]}
    assert list(loaded.families) == ["grouptravel"]
    assert "seed" not in {line.partition(" =")[0] for line in (tmp_path / "monaco.toml").read_text().splitlines()}


def test_every_source_stands_in_the_recipe_bound_or_as_a_comment(extract, tmp_path):
    init("Monaco", "--osm", extract, "--out", tmp_path)
    text = (tmp_path / "monaco.toml").read_text()
    assert [name for name in SOURCES if name != "invented" and f"[cities.sources.{name}]" not in text] == []


def test_without_places_it_asks_for_spatial_tables_only(tmp_path):
    (tmp_path / "feed.zip").write_bytes(zipped(town_feed(-17.0, 145.7)))
    answer = init(
        "Cairns", "--box=-17.1,145.6,-16.7,145.8", "--gtfs", tmp_path / "feed.zip", "--out", tmp_path / "c.toml"
    )
    assert answer.exit_code == 0, answer.output
    loaded = load_recipe(tmp_path / "c.toml", families())
    assert loaded.recipe.cities[0].city_id == "au-cairns"
    assert (loaded.recipe.spatial is not None, loaded.families) == (True, {})
    assert "grouptravel is not built: Cairns has 0 of at least 4 attractions" in " ".join(answer.output.split())


def test_a_feed_that_serves_two_towns_is_each_one_s_and_stops_are_counted_inside_them(tmp_path):
    """The map has two stops in one village, one in the other and one between them; the feed has one in each."""
    one, other = village(47.20, 4.50), village(47.30, 4.50, first=500)
    towns = [node(900 + n, lat, 4.503, name=name, place="village")
             for n, (name, lat) in enumerate([("Beaune", 47.203), ("Wegelos", 47.303)])]  # fmt: skip
    stops = [
        place(950 + n, "Stop", lat, 4.49, highway="bus_stop") for n, lat in enumerate((47.20, 47.201, 47.25, 47.30))
    ]
    (tmp_path / "map.osm").write_text(osm(*one, *other, *towns, *stops))
    words = ["Beaune", "Wegelos", "--map", tmp_path / "map.osm", "--out", tmp_path / "b.toml", "--json"]
    answer = init(*words)
    assert answer.exit_code == 0, answer.output
    by_map = [city["stops"] for city in json.loads(answer.stdout)["cities"]]
    assert by_map == [2, 1]
    stops_txt = "stop_id,stop_name,stop_lat,stop_lon\nA,Here,47.203,4.503\nB,There,47.303,4.503\n"
    feed = {**town_feed(47.203, 4.503), "stops.txt": stops_txt}
    (tmp_path / "feed.zip").write_bytes(zipped(feed))
    answer = init(*words, "--gtfs", tmp_path / "feed.zip", "--force")
    assert answer.exit_code == 0, answer.output
    told = json.loads(answer.stdout)
    assert [(city["stops"], city["feeds"]) for city in told["cities"]] == [(1, 1), (1, 1)]


def test_a_town_whose_stops_lie_beyond_its_border_has_the_nearest_of_them(tmp_path):
    """Two kilometres outside is within what the stops are read of; ten are not."""
    for away_km, lacks in ((2, False), (10, True)):
        stop = place(200, "Border", 47.20 - away_km / 111.2, 4.51, highway="bus_stop")
        (tmp_path / "map.osm").write_text(osm(*village(47.20, 4.50, eat=30, see=30, sleep=1), stop))
        words = ("Seurre", "--map", tmp_path / "map.osm", "--box", "47.2,4.5,47.23,4.55")
        told = json.loads(init(*words, "--out", tmp_path / f"{away_km}.toml", "--json").stdout)
        trips = next(family for family in told["families"] if family["family"] == "tripcraft")
        assert any("no transit stops" in lack for lack in trips["lacks"]) is lacks, trips["lacks"]
        assert [city["stops"] for city in told["cities"]] == [0]
        assert "# Seurre: 30 attractions, 30 restaurants, 1 stay, 0 stops." in (tmp_path / f"{away_km}.toml").read_text(
            encoding="utf-8"
        )


def test_a_family_is_chosen_by_what_the_map_holds_and_told_before_anything_is_built(tmp_path):
    (tmp_path / "poor.osm").write_text(osm(*village(eat=1, see=12, sleep=0)))
    answer = init("Poor", "--map", tmp_path / "poor.osm", "--out", tmp_path / "p.toml")
    assert answer.exit_code == 0, answer.output
    assert load_recipe(tmp_path / "p.toml", families()).families == {}
    told = " ".join(answer.output.split())
    assert "grouptravel is not built: Poor has 1 of at least 6 restaurants" in told
    assert "Poor has no stays: bind listings (airbnb) or a map that holds stays (osm)" in told


def test_of_a_map_whose_places_mostly_have_no_name_it_is_said_why_they_do_not_count(tmp_path):
    nameless = [element.replace(f' v="Museum {n}"', ' v=" "') for n, element in enumerate(village(eat=0), 1)]
    (tmp_path / "n.osm").write_text(osm(*nameless))
    answer = init("Nowhere", "--map", tmp_path / "n.osm", "--out", tmp_path / "n.toml")
    assert answer.exit_code == 0, answer.output
    note = "12 places that the map shows there or near have no name: no task can speak of them"
    assert note in " ".join(answer.output.split())


@pytest.mark.parametrize(
    ("cuisines", "sights", "told"),
    [
        (["indian", "italian"], ["museum", "zoo"], {}),
        (["indian"], ["museum", "zoo"], {"hard": "1 of the cuisines that trips ask for are in Monaco"}),
        ([], ["museum"], dict.fromkeys(("medium", "hard"), "0 of the cuisines that trips ask for are in Monaco and 1")),
    ],
)
def test_a_level_that_the_map_does_not_carry_is_told_with_what_it_lacks(cuisines, sights, told, tmp_path):
    more = [place(900 + n, "Table", amenity="restaurant", cuisine=cuisine) for n, cuisine in enumerate(cuisines)]
    more += [place(920 + n, "Sight", tourism=kind) for n, kind in enumerate(sights)]
    stop = node(950, 43.73, 7.41, highway="bus_stop", name="Quay")
    (tmp_path / "town.osm").write_text(osm(*village(see=6), *more, stop))
    answer = init("Monaco", "--map", tmp_path / "town.osm", "--out", tmp_path / "m.toml")
    lines = [line for line in answer.output.splitlines() if " has no " in line and " tasks: " in line]
    assert len(lines) == len(told)
    for line, (level, why) in zip(lines, told.items(), strict=True):
        assert line.startswith(f"tripcraft has no {level} tasks: {why}")
    counts = load_recipe(tmp_path / "m.toml", families()).sections["tripcraft"].model_dump()["counts"][3]
    assert {level for level, tasks in counts.items() if not tasks} == {*told}


def test_fewer_places_make_fewer_tasks(extract, tmp_path):
    init("Monaco", "--map", extract, "--tasks", 50, "--out", tmp_path / "m.toml")
    section = load_recipe(tmp_path / "m.toml", families()).sections["grouptravel"].model_dump()
    assert section["tasks"]["easy"] == 3  # of 12 restaurants


def test_groups_set_out_from_real_towns(extract, tmp_path):
    init("Monaco", "--map", extract, "--out", tmp_path)
    names = [city.name for city in load_recipe(tmp_path / "monaco.toml", families()).recipe.cities]
    assert names == ["Monaco", "Zurich", "Rome", "Ljubljana"]


def test_a_larger_town_of_the_map_is_nearer(tmp_path):
    (tmp_path / "m.osm").write_text(
        osm(*village(), node(900, 43.7, 7.1, place="city", name="Nizza", population="340000"))
    )
    init("Monaco", "--map", tmp_path / "m.osm", "--box", "43.71,7.39,43.75,7.44", "--out", tmp_path)
    assert load_recipe(tmp_path / "monaco.toml", families()).recipe.cities[1].name == "Nizza"


def test_two_towns_of_a_region_are_one_recipe(tmp_path):
    here, there = village(), village(44.5, 8.0, first=500)
    towns = [
        node(900, 43.73, 7.41, place="village", name="Вадуц"),
        node(901, 44.51, 8.01, place="village", name="東京"),
    ]
    (tmp_path / "region.osm").write_text(osm(*here, *there, *towns))
    answer = init("Вадуц", "東京", "--map", tmp_path / "region.osm", "--country", "MC", "--out", tmp_path)
    assert answer.exit_code == 0, answer.output
    loaded = load_recipe(tmp_path / "vaduts-dongjing.toml", families())
    assert [city.city_id for city in loaded.recipe.cities][:2] == ["mc-vaduts", "mc-dongjing"]
    assert [city.name for city in loaded.recipe.cities][:2] == ["Вадуц", "東京"]


def test_a_town_inside_another_is_refused_with_how_much_of_it_the_other_has(tmp_path):
    path = tmp_path / "region.osm"
    nodes = (
        node(301, 43.72, 7.40, place="town", name="Outer"),
        node(302, 43.74, 7.40, place="hamlet", name="Inner"),
        node(303, 44.90, 7.40, place="town", name="Far"),
    )
    path.write_text(osm(*village(), *village(44.9, 7.40, 500), *nodes))
    refused = init("Outer", "Inner", "Far", "--osm", path, "--out", tmp_path)
    told = " ".join(refused.output.split())
    assert refused.exit_code == 1
    assert "found Inner in Outer, which has 6 of its 6 places; expected cities apart: leave one out" in told
    assert not list(tmp_path.glob("*.toml"))
    assert init("Outer", "Far", "--osm", path, "--out", tmp_path).exit_code == 0


def test_berths_are_not_counted_among_the_sights(tmp_path):
    berths = [place(n, "Quay", leisure="marina") for n in range(100, 104)]
    (tmp_path / "quay.osm").write_text(osm(*village(see=3), *berths, node(301, 43.72, 7.40, place="town", name="Quay")))
    told = json.loads(init("Quay", "--osm", tmp_path / "quay.osm", "--out", tmp_path, "--json").stdout)
    assert told["cities"][0]["attractions"] == 3


def test_what_many_towns_lack_is_told_once_with_the_first_of_their_names(tmp_path):
    names = [f"Town {letter}" for letter in "ABCDE"]
    towns = [node(900 + n, 43.73 + 0.1 * n, 7.41, place="village", name=name) for n, name in enumerate(names)]
    (tmp_path / "region.osm").write_text(osm(*village(), *towns))
    told = json.loads(init(*names, "--map", tmp_path / "region.osm", "--out", tmp_path, "--json").stdout)
    lacks = next(family["lacks"] for family in told["families"] if family["family"] == "itinbench")
    assert [text.partition(" no rated")[0] for text in lacks] == ["Town A, Town B, Town C and 2 more have"]


def test_a_link_in_a_path_stays_a_link(extract, tmp_path):
    (tmp_path / "maps").mkdir()
    (tmp_path / "latest.osm").symlink_to(extract)
    init("Monaco", "--map", tmp_path / "latest.osm", "--out", tmp_path / "maps" / "m.toml")
    city = load_recipe(tmp_path / "maps" / "m.toml", families()).recipe.cities[0]
    assert city.sources["osm"].files == {"extract": ["../latest.osm"]}


@pytest.mark.parametrize("name", ["", " ", "\u200f", "?!"])
def test_a_name_without_a_letter_is_refused_before_anybody_is_asked(name, tmp_path):
    answer = init(name, "--out", tmp_path)
    assert (answer.exit_code, "expected the name of one" in answer.output) == (1, True)


def test_a_file_among_the_cities_is_told_to_have_its_own_option(extract, tmp_path):
    """A shell's `--with *.csv` gives the option one of them, and the rest as cities."""
    result = init("Monaco", extract, "--osm", extract, "--out", tmp_path)
    assert result.exit_code == 1
    assert "village.osm among the cities; give each file a --with of its own" in " ".join(result.stderr.split())


def test_a_hostile_name_stays_a_name(extract, tmp_path):
    name = 'Monaco"\n[engines]\nreviews = "x"'
    assert init(name, "--osm", extract, "--out", tmp_path / "m.toml").exit_code == 0
    recipe = load_recipe(tmp_path / "m.toml", families()).recipe
    assert (recipe.cities[0].name, recipe.engines.reviews) == (" ".join(name.split()), Engines().reviews)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["Monaco", "--geocoder", "http://127.0.0.1:1"], 1, "--map"),
        (["Monaco", "--box", "1,2,3"], 2, "SOUTH,WEST,NORTH,EAST"),
        (["Monaco", "--box", "9,2,3,4"], 2, "must be below"),
        (["Monaco", "--box", "43,7,44,7"], 2, "a box without width"),
        (["!!", "--box", "39,116,40,117"], 1, "letters or digits"),
        (["Monaco", "Nice", "--box", "43,7,44,8"], 1, "expected one city"),
        (["Atlantis", "--box", "30,-40,31,-39"], 1, "--country"),
        (["Monaco", "--box", "43.72,7.40,43.76,7.44", "--country", "ZZ"], 1, "found no currency of the country 'ZZ'"),
        (["x" * 300, "--box", "43.72,7.40,43.76,7.44"], 1, "a name of 300 characters; expected at most 200"),
    ],
)
def test_what_cannot_be_written_is_told(words, code, told, tmp_path):
    answer = init(*words, "--out", tmp_path)
    assert (answer.exit_code, list(tmp_path.glob("*.toml*"))) == (code, [])
    assert told in answer.output


@pytest.mark.parametrize(
    ("box", "told"),
    [
        ("7.40,43.72,7.44,43.75", "holds nothing of the box 7.4,43.72,7.44,43.75; expected SOUTH,WEST,NORTH,EAST"),
        ("7.40,43.72,7.44,43.75", "longitude seems to come first here"),
        ("43.60,7.20,43.65,7.25", "a part of it.\n"),
        ("43.72,-7.44,43.75,-7.40", "a part of it.\n"),
        ("-43.72,179.9,43.75,-179.9", "a part of it.\n"),
    ],
)
def test_a_box_beside_the_map_is_refused(box, told, extract, tmp_path):
    answer = init("Monaco", "--map", extract, f"--box={box}", "--country", "MC", "--out", tmp_path)
    assert (answer.exit_code, list(tmp_path.glob("*.toml*"))) == (1, [])
    assert told in answer.output


def test_a_box_counts_for_what_the_map_holds_whatever_its_header_says(tmp_path):
    path = tmp_path / "village.osm"
    path.write_text(osm('<bounds minlat="1" minlon="1" maxlat="2" maxlon="2"/>', *village()))
    assert init("Monaco", "--map", path, "--box=43.72,7.40,43.75,7.44", "--out", tmp_path).exit_code == 0


def test_a_recipe_is_written_where_one_is(extract, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = init("Monaco", "--map", extract)
    assert f"wrote {Path('recipes', 'monaco.toml')}" in answer.output
    assert load_recipe(tmp_path / "recipes" / "monaco.toml", families()).recipe.cities[0].sources["osm"].files == {
        "extract": ["../village.osm"]
    }
    refused = init("Monaco", "--map", extract, "--out", "nowhere/monaco.toml")
    assert (refused.exit_code, "found no folder nowhere" in refused.output) == (1, True)


def test_of_a_recipe_that_asks_for_nothing_it_is_said_so(tmp_path):
    recipe = tmp_path / "atlantis.toml"
    assert init("Atlantis", "--box=43.72,7.40,43.75,7.44", "--out", recipe).exit_code == 0
    answer = CliRunner().invoke(app, ["build", str(recipe), "--home", str(tmp_path / "home")])
    assert answer.exit_code == 0
    assert "nothing to build: atlantis.toml has no section of a benchmark ([families.grouptravel], " in answer.stderr


def test_a_recipe_is_not_overwritten_unasked(extract, tmp_path):
    init("Monaco", "--osm", extract, "--tasks", 1, "--out", tmp_path)
    before = (tmp_path / "monaco.toml").read_text()
    refused = init("Monaco", "--osm", extract, "--tasks", 9, "--out", tmp_path)
    assert (refused.exit_code, (tmp_path / "monaco.toml").read_text()) == (1, before)
    again = init("Monaco", "--osm", extract, "--tasks", 1, "--out", tmp_path)
    assert (again.exit_code, (tmp_path / "monaco.toml").read_text()) == (0, before), "the same is no other"
    (tmp_path / "monaco.toml").write_text('name = "mine"')
    no_map = tmp_path / "no-map.osm"
    no_map.write_text("no map")
    unread = init("Monaco", "--osm", no_map, "--out", tmp_path / "monaco.toml")
    assert unread.exit_code == 1
    assert "is there already" in unread.output, "told before the map is read"
    assert "build it with `tripwright build " in " ".join(unread.output.split()), "for who was interrupted"
    assert init("Monaco", "--osm", extract, "--tasks", 9, "--out", tmp_path, "--force").exit_code == 0
    assert "easy = 3" in (tmp_path / "monaco.toml").read_text()


def island(tmp_path, west, south=-16.9, more=()):
    path = tmp_path / "isle.osm"
    stop = place(200, "Stop", south, west, highway="bus_stop")
    path.write_text(osm(*village(south, west, eat=30, see=30, sleep=9), stop))
    words = ("Isle", "--map", path, f"--box={south},{west},{south + 0.03},{round(west + 0.05, 4)}", "--out", tmp_path)
    answer = init(*words, *more, "--json")
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.stdout), load_recipe(tmp_path / "isle.toml", families())


def test_an_island_to_which_no_road_leads_is_reached_by_invented_flights_in_its_own_money(tmp_path):
    told, loaded = island(tmp_path, 179.95)
    assert loaded.recipe.invented is not None
    assert loaded.recipe.invented.providers == ["group", "openflights", "travelplanner"]
    trips = next(family for family in told["families"] if family["family"] == "tripcraft")
    assert (trips["tasks_a_level"], trips["lacks"]) == (5, [])
    assert trips["invents"] == [
        "flights, since of the larger towns known none lies within a day by road without open sea between",
        "their airports",
    ]  # fmt: skip
    section: Any = loaded.sections["tripcraft"]
    assert section.road_groups == []
    assert (section.currency, section.rates.units, section.rates.source) == (
        "FJD", {"FJD": 2.3}, "a declared rough estimate"
    )  # fmt: skip
    assert section.fares is None


def test_a_town_with_a_road_has_no_invented_flights(extract, tmp_path):
    told = json.loads(init("Monaco", "--map", extract, "--out", tmp_path / "m.toml", "--json").stdout)
    assert [family["invents"] for family in told["families"] if family["family"] == "tripcraft"] == [[]]


def test_given_flights_move_into_the_trips_dates_and_cost_what_a_model_says(tmp_path):
    (tmp_path / "flights.csv").write_text(
        "FlightDate,Reporting_Airline,Flight_Number_Reporting_Airline,Origin,Dest,DepTime,AirTime,Distance\n"
        "2021-02-03,NN,1,SUV,NAN,0600,30,70\n2021-03-30,NN,2,NAN,SUV,0800,30,70\n"
    )
    told, loaded = island(tmp_path, 179.95, more=("--with", tmp_path / "flights.csv"))
    assert loaded.recipe.invented is not None
    assert loaded.recipe.invented.providers == ["group"]
    section: Any = loaded.sections["tripcraft"]
    assert section.flight_dates_from == (dt.date(2021, 2, 3), dt.date(2021, 3, 30))
    assert (section.fares.low_per_km, section.fares.currency, section.rates.units) == (0.1243, "USD", {"FJD": 2.3})
    assert next(f["invents"] for f in told["families"] if f["family"] == "tripcraft") == []


@pytest.mark.parametrize("out", ["town", "town/", "town.tml"])
def test_what_is_neither_a_recipe_s_name_nor_a_folder_that_is_there_is_refused(extract, tmp_path, out):
    done = init("Villeneuve", "--map", extract, "--out", f"{tmp_path}/{out}")
    assert (done.exit_code, "expected a name that ends in .toml" in " ".join(done.output.split())) == (1, True)
    assert not (tmp_path / out).exists()
