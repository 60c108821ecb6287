"""What a city has is counted from its tables, and the count of each thing is its own."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import pytest

from assets.family import families
from assets.spatial.coverage import city_counts
from assets.spatial.steps import coverage
from assets.step import Requirement
from schemas.recipe import Box, City, SpatialSection
from schemas.spatial import CityCoverage

JANUARY, JUNE = dt.date(2025, 1, 15), dt.date(2025, 6, 15)
PLACES = pd.DataFrame(
    [("s1", "stay"), ("s2", "stay"), ("s3", "stay"), ("r1", "restaurant"), ("r2", "restaurant"), ("a1", "attraction")],
    columns=["place_id", "kind"],
)
RATINGS = pd.DataFrame(
    [("r1", "flavor"), ("r1", "service"), ("a1", "history"), ("s9", "quality")], columns=["place_id", "attribute"]
)
STOPS = pd.DataFrame({"stop_id": ["x", "y", "z", "v"]})


def feeds(*spans: tuple[dt.date | None, dt.date | None]) -> pd.DataFrame:
    return pd.DataFrame([*spans], columns=["first_date", "last_date"]).astype(object)


def counts(feed: pd.DataFrame, *dates: dt.date) -> dict[str, int]:
    return city_counts(PLACES, RATINGS, STOPS, feed, SpatialSection(trip_dates=list(dates)))


def test_everything_is_counted_by_kind_and_a_place_of_many_ratings_once():
    assert counts(feeds((JANUARY, JUNE)), JANUARY, JUNE) == {
        "stays": 3, "restaurants": 2, "attractions": 1,
        "rated_stays": 0, "rated_restaurants": 1, "rated_attractions": 1,
        "stops": 4, "feeds": 1, "served_dates": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("spans", "served"),
    [
        ([], 0),
        ([(None, None)], 0),
        ([(JANUARY, JANUARY)], 1),
        ([(JANUARY + dt.timedelta(1), JUNE)], 1),
        ([(JANUARY + dt.timedelta(1), JUNE - dt.timedelta(1))], 0),
        ([(JANUARY, JANUARY), (JUNE, JUNE)], 2),
        ([(JANUARY, JUNE), (JANUARY, JUNE)], 2),
        ([(None, None), (JUNE, JUNE)], 1),
    ],
)
def test_a_date_is_served_if_it_lies_in_the_days_of_any_feed(spans, served):
    found = counts(feeds(*spans), JANUARY, JUNE)
    assert (found["served_dates"], found["feeds"]) == (served, len(spans))


def test_a_city_of_nothing_has_none_of_it():
    nothing = city_counts(PLACES[:0], RATINGS[:0], STOPS[:0], feeds(), SpatialSection(trip_dates=[JUNE]))
    assert set(nothing.values()) == {0}


def test_every_requirement_of_every_family_is_something_that_is_counted():
    counted = counts(feeds())
    wanted = [need for family in families().values() for need in family.requirements]
    assert wanted
    assert [need for need in wanted if need.requirement not in counted] == []


def test_the_table_says_for_each_requirement_whether_it_is_met_or_what_is_missing():
    city = City(city_id="c", name="C", country="XX", box=Box(south=0, west=0, north=1, east=1))
    needs = [
        Requirement("trips", "restaurants", 2, "restaurants", "bind an extract"),
        Requirement("trips", "served_dates", 1, "trip dates with a feed", "bind a feed"),
    ]
    rows = coverage(
        PLACES, RATINGS, STOPS, feeds((JANUARY, JANUARY)), city=city, requirements=needs,
        spatial=SpatialSection(trip_dates=[JUNE]),
    )  # fmt: skip
    CityCoverage.validate(CityCoverage.arrow(rows))
    assert [(r["requirement"], bool(r["is_met"]), r["reason"]) for r in rows.to_dict("records")] == [
        ("restaurants", True, ""),
        ("served_dates", False, "found 0 trip dates with a feed, expected at least 1; bind a feed"),
    ]
