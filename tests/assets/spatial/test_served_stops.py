"""Which stop serves a place on a date: a date that no feed covers costs its own rows and nothing else."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd
import pyarrow as pa

from assets.spatial.matrix_pool import matrix_pool
from assets.spatial.served_stops import nearest_stops, served_stops
from assets.spatial.steps import STEPS
from schemas.places import Place
from schemas.recipe import SpatialSection
from schemas.spatial import PlaceNearestStop, PlaceServedStop
from schemas.table import Table
from schemas.transit import Stop, StopService, TransitService

WINTER, SUMMER, NEVER = dt.date(2025, 1, 6), dt.date(2025, 7, 7), dt.date(2030, 1, 1)


def frame(table: type[Table], *rows: dict[str, Any]) -> pd.DataFrame:
    """Return the rows as a step gets them, what is not given empty or null."""
    empty = {c.name: None if c.nullable else [] if c.item else "" for c in table.columns()} | {"city_id": "c"}
    return table.frame(pa.Table.from_pylist([empty | row for row in rows], schema=table.arrow_schema()))


def place(place_id: str, lat: float, lon: float = 0.0, kind: str = "restaurant") -> dict[str, Any]:
    return {"place_id": place_id, "lat": lat, "lon": lon, "kind": kind, "name": place_id}


def stop(stop_id: str, lat: float) -> dict[str, Any]:
    return {"stop_id": stop_id, "lat": lat, "lon": 0.0, "name": f"Stop {stop_id}"}


def service(service_id: str, day: dt.date) -> dict[str, Any]:
    return {"service_id": service_id, "weekdays": "0000000", "added_dates": [day.isoformat()]}


def runs(stop_id: str, service_id: str, *departures_s: int) -> dict[str, Any]:
    return {"stop_id": stop_id, "service_id": service_id, "departures_s": list(departures_s)}


PLACES = frame(Place, place("p1", 0.000), place("p2", 0.010))
STOPS = frame(Stop, stop("w:near", 0.001), stop("s:far", 0.004))
SERVICES = frame(TransitService, service("w", WINTER), service("s", SUMMER))
DEPARTURES = frame(StopService, runs("w:near", "w", 600, 1200, 2400), runs("s:far", "s", 90_000))


def served_on(*dates: dt.date, pool_size: int = 1000, stops: pd.DataFrame = STOPS):
    spatial = SpatialSection(trip_dates=list(dates), pool_size=pool_size)
    nearest: Any = nearest_stops(PLACES, STOPS)
    outcome: Any = served_stops(PLACES, nearest.rows, stops, SERVICES, DEPARTURES, spatial=spatial)
    PlaceServedStop.validate(PlaceServedStop.arrow(outcome.rows))
    found = {(r["place_id"], r["service_date"]): r for r in outcome.rows.to_dict("records")}
    assert len(found) == len(outcome.rows)
    return found, outcome.facts


def test_each_date_has_the_nearest_stop_where_something_departs_that_day():
    found, facts = served_on(WINTER, SUMMER)
    assert {key: row["stop_id"] for key, row in found.items()} == {
        ("p1", WINTER): "w:near", ("p2", WINTER): "w:near", ("p1", SUMMER): "s:far", ("p2", SUMMER): "s:far",
    }  # fmt: skip
    day = found["p1", WINTER]
    assert (day["departures"], day["first_departure_s"], day["last_departure_s"], day["headway_s"]) == (
        3,
        600,
        2400,
        900,
    )
    assert (day["stop_name"], day["stop_distance_m"]) == ("Stop w:near", 110.57)
    assert pd.isna(found["p1", SUMMER]["headway_s"])
    assert facts == {"feed_covers_the_trip_dates": True, "found": "something departs on each of 2 dates"}


def test_a_date_that_no_feed_covers_costs_its_rows_and_is_named():
    found, facts = served_on(WINTER, NEVER)
    assert {day for _, day in found} == {WINTER}
    assert facts["feed_covers_the_trip_dates"] is False
    assert "nothing departs on 1 of 2 dates (2030-01-01)" in facts["found"]


def test_an_expired_feed_costs_every_row_and_nothing_more():
    found, facts = served_on(NEVER)
    assert (found, facts["feed_covers_the_trip_dates"]) == ({}, False)
    nearest: Any = nearest_stops(PLACES, STOPS)
    assert dict(zip(nearest.rows["place_id"], nearest.rows["stop_id"], strict=True)) == {"p1": "w:near", "p2": "s:far"}


def test_a_recipe_without_dates_asks_for_no_service():
    assert served_on() == ({}, {"feed_covers_the_trip_dates": True, "found": "something departs on each of 0 dates"})


def test_a_date_that_is_written_twice_is_looked_up_once():
    assert len(served_on(WINTER, WINTER)[0]) == 2


def test_only_the_pool_is_looked_up():
    found, _ = served_on(WINTER, pool_size=1)
    assert [place_id for place_id, _ in found] == matrix_pool(PLACES, 1)["place_id"].tolist()


def test_departures_of_a_stop_that_was_rejected_serve_nobody():
    found, facts = served_on(WINTER, stops=STOPS[STOPS["stop_id"] == "s:far"])
    assert (found, facts["feed_covers_the_trip_dates"]) == ({}, False)


def test_a_city_without_stops_has_no_nearest_stop():
    outcome: Any = nearest_stops(PLACES, STOPS[:0])
    assert PlaceNearestStop.arrow(outcome.rows).num_rows == 0
    assert outcome.facts == {}


def test_every_place_has_its_nearest_stop_and_the_shares_are_facts():
    outcome: Any = nearest_stops(PLACES, STOPS)
    assert outcome.rows_in == len(outcome.rows) == 2
    assert outcome.facts == {"places": 2, "share_within_500_m": 0.5, "share_within_5000_m": 1.0}


def test_the_step_looks_up_only_places_that_have_a_nearest_stop_so_a_feed_of_elsewhere_blocks_it_too():
    nearest: Any = nearest_stops(PLACES[:1], STOPS)
    spatial = SpatialSection(trip_dates=[WINTER])
    outcome: Any = served_stops(PLACES, nearest.rows, STOPS, SERVICES, DEPARTURES, spatial=spatial)
    assert outcome.rows["place_id"].tolist() == ["p1"]
    (step,) = [step for step in STEPS if step.output is PlaceServedStop]
    assert PlaceNearestStop in step.inputs
    assert step.check_names == ("no_stop_beyond_50_km",)
