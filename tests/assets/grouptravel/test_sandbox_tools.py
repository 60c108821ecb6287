"""The published sandbox's tools over a small release: what they answer, from which rows, and how they refuse."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.grouptravel.tools.sandbox import tools
from tests.assets.grouptravel.sandbox_town import tables

TOOLS = {tool.name: tool for tool in tools(tables())}

PUBLISHED = {
    "search_poi": (
        ["keywords", "city"],
        ["region", "location", "radius_km", "price_min", "price_max", "sort_by", "page", "page_size"],
    ),
    "get_poi_detail": (["id"], []),
    "maps_geo": (["address"], ["city"]),
    "maps_weather": (["location", "date"], ["days"]),
    "plan_route": (["origin", "destination"], ["mode", "city", "date", "time"]),
    "compare_routes": (["origin", "destination"], ["city"]),
    "search_along_route": (
        ["origin", "destination", "keywords"],
        ["mode", "city", "route_range", "route_index", "poi_limit"],
    ),
    "travel_search_flights": (
        ["origin", "destination", "date"],
        ["depart_time_start", "depart_time_end", "sort_by", "airport"],
    ),
    "travel_search_trains": (
        ["origin", "destination", "date"],
        ["depart_time_start", "depart_time_end", "sort_by", "train_type_filter"],
    ),
    "web_search": (["query"], []),
}
"""Required and optional parameters of each tool (published benchmarks, 3.D)."""


def answer(name: str, **arguments) -> dict:
    """Return what a tool answers; the call must not err."""
    reply = TOOLS[name].call(arguments)
    assert not reply.has_error, reply.result
    return json.loads(reply.result)


def error(name: str, **arguments) -> str:
    """Return what a tool says of bad arguments."""
    reply = TOOLS[name].call(arguments)
    assert (reply.has_error, reply.cache_hit, list(json.loads(reply.result))) == (True, False, ["error"])
    return json.loads(reply.result)["error"]


def names(found: dict) -> list[str]:
    return [poi["name"] for poi in found["pois"]]


@pytest.mark.parametrize("name", TOOLS)
def test_names_and_parameters_are_the_published_ones(name):
    required, optional = PUBLISHED[name]
    schema = TOOLS[name].parameters
    assert schema["required"] == required
    assert list(schema["properties"]) == [*required, *optional]
    assert [key for key, rule in schema["properties"].items() if "default" in rule] == optional


def test_the_tools_are_the_published_ones():
    assert list(TOOLS) == list(PUBLISHED)


def test_a_search_finds_names_kinds_and_types_the_best_fitting_first():
    assert names(answer("search_poi", keywords="museum", city="Aston")) == ["Old Museum", "Museum Park"]
    assert names(answer("search_poi", keywords="hotel", city="aston")) == ["Grand Inn", "Plain Inn"]
    assert names(answer("search_poi", keywords="NOODLES restaurant", city="Aston")) == ["Noodle Bar"]
    assert names(answer("search_poi", keywords="zoo", city="Aston")) == []


def test_a_search_near_a_place_keeps_the_radius_and_tells_distances():
    near = answer("search_poi", keywords="hotel", city="Aston", location="Old Museum", radius_km=2)
    assert [(poi["name"], poi["distance_m"]) for poi in near["pois"]] == [("Grand Inn", 1112)]
    by_coordinates = answer("search_poi", keywords="hotel", city="Aston", location="24.0,60.0", radius_km=2)
    assert by_coordinates == near
    ordered = answer("search_poi", keywords="restaurant", city="Aston", sort_by="distance")
    assert names(ordered) == ["Noodle Bar", "1900"]


def test_prices_filter_and_order_and_unknown_ones_are_never_in_a_range():
    assert names(answer("search_poi", keywords="hotel", city="Aston", sort_by="price_high")) == [
        "Grand Inn",
        "Plain Inn",
    ]
    assert names(answer("search_poi", keywords="hotel", city="Aston", price_max=60)) == ["Plain Inn"]
    assert names(answer("search_poi", keywords="attraction", city="Aston", price_max=1e9)) == []


def test_pages_hold_their_part_and_say_how_many_there_are():
    pages = [answer("search_poi", keywords="hotel", city="Aston", page=n, page_size=1) for n in (1, 2, 3)]
    assert [names(page) for page in pages] == [["Grand Inn"], ["Plain Inn"], []]
    assert {page["total"] for page in pages} == {2}


def test_a_detail_holds_the_published_hours_and_says_what_is_modelled_or_unknown():
    museum = answer("get_poi_detail", id="p1")["poi"]
    assert museum["opening_hours"]["rules"][0]["time_windows"] == [{"open": "09:00", "close": "17:00"}]
    noodles = answer("get_poi_detail", id="p3")["poi"]
    assert (noodles["avg_cost"], noodles["currency"], noodles["is_cost_modelled"]) == (12.0, "EUR", True)
    assert noodles["opening_hours"] is None
    assert answer("get_poi_detail", id="p9")["poi"] is None


def test_an_address_is_a_city_or_every_place_of_the_name():
    assert answer("maps_geo", address="Barrow")["geocodes"] == [
        {"name": "Barrow", "city": "Barrow", "location": "24.000000,60.500000"}
    ]
    assert [g["city"] for g in answer("maps_geo", address="Old Museum")["geocodes"]] == ["Aston", "Barrow"]
    assert [g["id"] for g in answer("maps_geo", address="Old Museum", city="Barrow")["geocodes"]] == ["p7"]
    assert answer("maps_geo", address="1900")["geocodes"][0]["id"] == "p6"


def test_ways_are_the_matrix_s_where_it_has_them_and_marked_estimates_elsewhere():
    (walk,) = answer("plan_route", origin="Old Museum", destination="Museum Park", mode="walking", city="Aston")[
        "routes"
    ]
    assert walk == {"distance_m": 640, "duration_min": 8.0, "is_estimate": False, "computed_by": "engine=test"}
    (back,) = answer("plan_route", origin="Museum Park", destination="Old Museum", mode="walking", city="Aston")[
        "routes"
    ]
    assert back["is_estimate"]
    assert back["distance_m"] == pytest.approx(1.3 * 556, rel=0.01)
    (drive,) = answer("plan_route", origin="Aston", destination="Barrow", mode="driving")["routes"]
    assert (drive["distance_m"], drive["is_estimate"]) == (66000, True)


def test_a_comparison_has_city_transport_only_with_a_city():
    without = answer("compare_routes", origin="Noodle Bar", destination="Grand Inn")
    within = answer("compare_routes", origin="Noodle Bar", destination="Grand Inn", city="Aston")
    assert set(within["modes"]) - set(without["modes"]) == {"transit"}
    assert answer("compare_routes", origin="Aston", destination="170,-40")["modes"]["walking"] == {
        "note": "too far by this mode"
    }


def test_along_a_way_stands_what_is_near_the_line_in_its_order():
    along = {"origin": "Old Museum", "destination": "Museum Park", "city": "Aston", "keywords": "restaurant"}
    assert names(answer("search_along_route", **along)) == ["Noodle Bar", "1900"]
    assert names(answer("search_along_route", **along, poi_limit=1)) == ["Noodle Bar"]
    assert names(answer("search_along_route", **along | {"keywords": "hotel"}, route_range=3000)) == ["Grand Inn"]


def test_flights_run_on_their_weekdays_alone():
    monday = answer("travel_search_flights", origin="Aston", destination="Barrow", date="2025-10-06")
    assert [(f["service"], f["price"], f["duration_min"]) for f in monday["flights"]] == [("F1", 80.0, 40)]
    sunday = answer("travel_search_flights", origin="Aston", destination="Barrow", date="2025-10-05")
    assert sunday["flights"] == []


def test_trains_by_kind_time_and_order_with_unknown_prices_last():
    asked = {"origin": "Aston", "destination": "Barrow", "date": "2025-10-06"}
    listed = lambda **more: [t["service"] for t in answer("travel_search_trains", **asked, **more)["trains"]]  # noqa: E731
    assert listed() == ["G2", "T1", "T2"]
    assert listed(sort_by="depart_time") == ["T1", "G2", "T2"]
    assert listed(sort_by="price") == ["T1", "G2", "T2"]
    assert listed(sort_by="depart_time_desc") == ["T2", "G2", "T1"]
    assert listed(train_type_filter="regular", depart_time_end="12:00") == ["T1"]
    night = answer("travel_search_trains", **asked, sort_by="price")["trains"][-1]
    assert (night["price"], night["arrives_next_day"], night["duration_min"]) == (None, True, 60)


def test_a_modelled_price_is_that_of_the_day_and_names_the_day_s_row():
    asked = {"origin": "Aston", "destination": "Barrow"}
    (ordinary,) = answer("travel_search_flights", **asked, date="2025-10-06")["flights"]
    reply = TOOLS["travel_search_flights"].call({**asked, "date": "2025-10-07"})
    (special,) = json.loads(reply.result)["flights"]
    assert (ordinary["price"], special["price"]) == (80.0, 120.0)
    assert "group_calendar/a/2025-10-07" in reply.rows
    trains = TOOLS["travel_search_trains"].call({**asked, "date": "2025-10-07"})
    assert [train["price"] for train in json.loads(trains.result)["trains"]] == [40.0, 15.0]
    assert "group_calendar/a/2025-10-07" not in trains.rows


def test_the_weather_is_the_usual_one_with_holidays_and_gaps_told():
    reply = TOOLS["maps_weather"].call({"location": "Aston", "date": "2025-10-06", "days": 2})
    days = json.loads(reply.result)["days"]
    assert days[0] == {"date": "2025-10-06", "condition": "rain", "high_c": 9.5, "low_c": 4.0, "rain_share": 0.6}
    assert days[1]["holiday"] == "Day of Aston"
    assert days[2] == {"date": "2025-10-08", "condition": None, "high_c": None, "low_c": None, "rain_share": None}
    assert reply.rows == (
        "group_city/a",
        "group_climate/a/10-06",
        "group_climate/a/10-07",
        "group_calendar/a/2025-10-07",
    )
    assert "at most 4" in error("maps_weather", location="Aston", date="2025-10-06", days=5)


def test_the_web_knows_the_release_and_nothing_else():
    titles = [result["title"] for result in answer("web_search", query="castle in Barrow")["results"]]
    assert titles[0] == "Castle"
    assert answer("web_search", query="zzz")["results"] == []


def test_every_answer_names_the_rows_it_was_read_from():
    reply = TOOLS["travel_search_trains"].call({"origin": "Aston", "destination": "Barrow", "date": "2025-10-07"})
    assert reply.rows == ("group_city/a", "group_city/b", "group_fare/a/b/high_speed/12:00/G2",
                          "group_fare/a/b/train/08:00/T1")  # fmt: skip
    walk = TOOLS["plan_route"].call(
        {"origin": "Old Museum", "destination": "Museum Park", "mode": "walking", "city": "Aston"}
    )
    assert walk.rows == ("group_poi/a/p1", "group_poi/a/p2", "distance_matrix/a/foot/p1")


def test_bad_arguments_are_refused_with_all_that_is_wrong():
    assert error("search_poi", keywords=" ", page=0, shoes=1) == (
        'missing parameters city; unknown parameters ["shoes"]; expected only keywords, city, region, location, '
        'radius_km, price_min, price_max, sort_by, page, page_size; parameter keywords is " ", expected not empty; '
        "parameter page is 0, expected at least 1"
    )
    assert error("search_poi", keywords="zoo", city="Atlantis") == "no city 'Atlantis' here; there are Aston, Barrow"
    assert error("search_poi", keywords="zoo", city="Aston", price_min=9, price_max=1) == "price_min is above price_max"
    assert error("plan_route", origin="Aston", destination="Barrow") == "`city` is needed for transit"
    assert "several cities (Aston, Barrow)" in error("compare_routes", origin="Old Museum", destination="Aston")
    assert "no `lon,lat`" in error("compare_routes", origin="999,1", destination="Aston")
    assert "2025-02-30" in error("travel_search_flights", origin="Aston", destination="Barrow", date="2025-02-30")
    assert "expected YYYY-MM-DD" in error("travel_search_flights", origin="Aston", destination="Barrow", date="today")
    assert "expected string" in error("get_poi_detail", id=None)


def test_optional_parameters_may_be_null():
    asked = dict.fromkeys(("region", "location", "radius_km", "price_min", "price_max", "sort_by"))
    assert answer("search_poi", keywords="zoo", city="Aston", **asked) == answer(
        "search_poi", keywords="zoo", city="Aston"
    )


def test_chinese_releases_speak_chinese():
    spoken = {tool.name: tool for tool in tools(tables("zh"))}
    assert "市" in spoken["search_poi"].description
    assert "少了必填的参数" in spoken["search_poi"].call({"city": "Aston"}).result
    assert "没有城市" in spoken["search_poi"].call({"city": "Atlantis", "keywords": "x"}).result
    (train, *_) = json.loads(
        spoken["travel_search_trains"].call({"origin": "Aston", "destination": "Barrow", "date": "2025-10-06"}).result
    )["trains"]
    assert train["mode"] == "高铁"


HOSTILE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)


@given(st.data())
def test_no_arguments_ever_raise(data):
    tool = TOOLS[data.draw(st.sampled_from(sorted(TOOLS)))]
    keys = st.sampled_from(list(tool.parameters["properties"]))
    values = HOSTILE | st.sampled_from(["Aston", "Old Museum", "24.0,60.0", "2025-10-06", "12:00", "museum", "\x00'"])
    arguments = data.draw(st.dictionaries(keys, values) | HOSTILE)
    reply = tool.call(arguments)
    assert isinstance(json.loads(reply.result), dict)
