"""What the gate takes for a source's value in a trip's world: no more than the records say, unless nobody says it."""

from __future__ import annotations

import datetime as dt

import pytest

from assets.step import NOBODYS
from assets.tripcraft import sources
from sources.flights.values import EPOCH

RECORD = {
    "date": 18_700, "planned_dep": 23 * 60 + 50, "dep": 10, "arr": 95, "miles": 100, "given_number": 12, "price": 80,
    "origin": "OMA", "dest": "DEN",
}  # fmt: skip
ROW = {"is_modelled": False}


def test_a_flight_that_left_after_midnight_is_dated_by_its_departure():
    said = sources.flight(ROW, [RECORD])
    assert said["date_given"] == [EPOCH + dt.timedelta(days=18_701)]
    assert sources.flight(ROW, [RECORD | {"planned_dep": 5}])["date_given"] == [EPOCH + dt.timedelta(days=18_700)]


def test_what_a_flights_record_says_is_not_the_rows_own():
    said = sources.flight(ROW, [RECORD])
    assert (said["flight_number"], said["arr_time"], said["price_given"]) == (["F0000012"], ["01:35"], [80])
    assert said["currency_given"] == ["USD"]
    modelled = sources.flight(ROW | {"is_modelled": True}, [RECORD])
    assert modelled["arr_time"] == [NOBODYS]


@pytest.mark.parametrize(
    ("place_id", "may_be"),
    [("tripadvisor:1", ["https://a.example"]), ("osm:node/1", ["https://a.example", ""])],
)
def test_a_website_comes_through_of_tripadvisor_alone(place_id, may_be):
    records = [{"website": "https://a.example", "categories": []}]
    assert sources.place({"place_id": place_id}, records)["website"] == may_be
