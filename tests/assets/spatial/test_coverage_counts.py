"""What a city has is counted from its tables, and the count of each thing is its own."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import pyarrow as pa
import pytest

from assets.families import families
from assets.spatial.coverage import city_counts, coverage, guide_counts, served_dates, trip_counts, why_not_served
from assets.step import Requirement
from schemas.recipe import City, SpatialSection
from schemas.recipe_values import Box
from schemas.spatial import CityCoverage

JANUARY, JUNE = dt.date(2025, 1, 15), dt.date(2025, 6, 15)
PLACES = pd.DataFrame(
    [("s1", "stay"), ("s2", "stay"), ("s3", "stay"), ("r1", "restaurant"), ("r2", "restaurant"), ("a1", "attraction")],
    columns=["place_id", "kind"],
)
RATINGS = pd.DataFrame(
    [("r1", "flavor"), ("r1", "service"), ("a1", "history"), ("s9", "quality")], columns=["place_id", "attribute"]
)
AIRPORTS = pd.DataFrame({"iata": ["AAA", "BBB"]})
NEIGHBOURS = pd.DataFrame({"city_id": ["c"], "neighbours": [1]})
GUIDE = pd.DataFrame(
    [
        ("r1", "eat", 1.0),
        ("a1", "see", 1.0),
        ("a1", "do", None),
        ("s9", "sleep", 1.0),
        ("r1", "drink", 1.0),
        ("t1", "see", 1.0),
    ],
    columns=["listing_id", "kind", "lat"],
)
TAGGED = pd.DataFrame({"listing_id": ["a1", "t1"]})
STOPS = pd.DataFrame({"stop_id": ["x", "y", "z", "v"]})


def feeds(*spans: tuple[dt.date | None, dt.date | None]) -> pd.DataFrame:
    rows = [(f"feed-{i}", *span) for i, span in enumerate(spans)]
    return pd.DataFrame(rows, columns=["feed", "first_date", "last_date"]).astype(object)


def services(*spans: tuple[dt.date, dt.date], weekdays: str = "1111111") -> pd.DataFrame:
    """Return a service for each span, which runs every day of it that its weekdays allow."""
    rows = [(f"s{i}", weekdays, *span, [], []) for i, span in enumerate(spans)]
    names = ["service_id", "weekdays", "start_date", "end_date", "added_dates", "removed_dates"]
    return pd.DataFrame(rows, columns=names)


def test_a_guide_s_rated_listings_count_where_they_are_more_and_say_where_they_are():
    own = {"rated_stays": 0, "rated_restaurants": 5, "rated_attractions": 1}
    rated = set(RATINGS["place_id"])
    assert guide_counts(own, GUIDE, rated) == {
        "rated_stays": 1,
        "rated_restaurants": 5,
        "rated_attractions": 1,
    }


def test_everything_is_counted_by_kind_and_a_place_of_many_ratings_once():
    assert city_counts(PLACES, RATINGS, STOPS, feeds((JANUARY, JUNE)), [JANUARY, JUNE]) == {
        "stays": 3, "restaurants": 2, "attractions": 1,
        "rated_stays": 0, "rated_restaurants": 1, "rated_attractions": 1,
        "stops": 4, "feeds": 1, "served_dates": 2,
    }  # fmt: skip


@pytest.mark.parametrize(("airports", "ways"), [(2, 3), (0, 1)])
def test_a_city_is_reached_by_its_airports_and_from_its_neighbours(airports, ways):
    assert trip_counts(PLACES, PLACES[:0], AIRPORTS[:airports], NEIGHBOURS)["ways_in"] == ways


def test_of_two_lists_of_places_the_longer_counts():
    listed = pd.DataFrame({"kind": ["restaurant"] * 9})
    found = trip_counts(PLACES, listed, AIRPORTS, NEIGHBOURS)
    assert [found[name] for name in ("trip_stays", "trip_restaurants", "trip_attractions")] == [3, 9, 1]


DAY = dt.timedelta(1)


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([], []),
        ([(JANUARY, JANUARY)], [JANUARY]),
        ([(JANUARY + DAY, JUNE)], [JUNE]),
        ([(JANUARY + DAY, JUNE - DAY)], []),
        ([(JANUARY, JANUARY), (JUNE, JUNE)], [JANUARY, JUNE]),
        ([(JANUARY, JUNE), (JANUARY, JUNE)], [JANUARY, JUNE]),
    ],
)
def test_a_date_is_served_if_a_service_runs_on_it(spans, expected):
    known = services(*spans)
    assert served_dates([JUNE, JANUARY, JUNE], known, set(known["service_id"])) == expected


def test_a_date_within_a_feed_s_days_on_which_nothing_runs_is_not_served():
    wednesdays = services((JANUARY, JUNE), weekdays="0010000")
    assert JANUARY.weekday() == 2
    assert served_dates([JANUARY, JANUARY + DAY], wednesdays, {"s0"}) == [JANUARY]
    assert served_dates([JANUARY], wednesdays, {"another"}) == []  # a service without any departure


def test_why_a_date_is_not_served_is_told_with_the_days_of_each_feed():
    assert why_not_served([JUNE], [JUNE], feeds((JUNE, JUNE))) == ""
    assert why_not_served([JANUARY], [], feeds()) == "no feed on the dates 2025-01-15: none is bound"
    assert why_not_served([JUNE, JANUARY], [JUNE], feeds((JUNE, JUNE), (None, None))) == (
        "no feed on the dates 2025-01-15: `feed-0` runs from 2025-06-15 to 2025-06-15; `feed-1` runs never"
    )


def test_a_city_of_nothing_has_none_of_it():
    assert set(city_counts(PLACES[:0], RATINGS[:0], STOPS[:0], feeds(), []).values()) == {0}


def test_every_requirement_of_every_family_is_something_that_is_counted():
    counted = city_counts(PLACES, RATINGS, STOPS, feeds(), []) | trip_counts(PLACES, PLACES, AIRPORTS, NEIGHBOURS)
    wanted = [need for family in families().values() for need in family.requirements]
    assert wanted
    assert [need for need in wanted if need.requirement not in counted] == []


def test_the_table_says_for_each_requirement_whether_it_is_met_or_what_is_missing():
    city = City(city_id="c", name="C", country="XX", box=Box(south=0, west=0, north=1, east=1))
    needs = [
        Requirement("tours", "rated_attractions", 2, "rated attractions", "bind a guide"),
        Requirement("trips", "restaurants", 2, "restaurants", "bind an extract"),
        Requirement("trips", "served_dates", "every", "trip dates with transit service", "bind a feed"),
    ]

    def told(*spans, dates=(JANUARY, JUNE)):
        known = services(*spans)
        departures = pa.table({"service_id": known["service_id"].astype("str").to_list()})
        rows = coverage(
            PLACES, RATINGS, STOPS, feeds(*spans), known, departures, PLACES, AIRPORTS, NEIGHBOURS, GUIDE, RATINGS,
            TAGGED, city=city, requirements=needs, spatial=SpatialSection(trip_dates=list(dates)),
        )  # fmt: skip
        CityCoverage.validate(CityCoverage.arrow(rows))
        return [(r["requirement"], bool(r["is_met"]), r["reason"]) for r in rows.to_dict("records")]

    met = [("rated_attractions", True, ""), ("restaurants", True, ""), ("served_dates", True, "")]
    assert told((JANUARY, JUNE)) == met
    assert told(dates=()) == told((JANUARY, JUNE), dates=()) == met  # what no recipe asks for is no lack
    assert told((JANUARY, JANUARY)) == [
        ("rated_attractions", True, ""),
        ("restaurants", True, ""),
        (
            "served_dates",
            False,
            "trip dates with transit service: found 1 (no feed on the dates 2025-06-15: `feed-0` runs from 2025-01-15 "
            "to 2025-01-15), expected at least 2; bind a feed",
        ),
    ]
