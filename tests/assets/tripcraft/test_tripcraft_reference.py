"""What the reference finds: names, flights, roads, and places that a plan can name."""

from __future__ import annotations

import datetime as dt
from dataclasses import asdict, replace

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.rows import ReleaseTables
from assets.tripcraft.entities import CarRates, Flight
from assets.tripcraft.facts.reference_tables import WORLD_TABLES
from assets.tripcraft.flights import FlightBook
from assets.tripcraft.names import city_plan_names, plan_text
from assets.tripcraft.scoring import score_plan
from assets.tripcraft.tables import TripcraftTerms
from assets.tripcraft.variants import OURS, PAPER, RELEASED
from assets.tripcraft.world import world

words = st.text(alphabet="aB ,;()é", min_size=1, max_size=4)


def test_a_city_s_plan_name_is_no_longer_than_it_must_be():
    cities = [
        ("us-ny-troy", "Troy", "NY", "US"),
        ("us-in-bloomington", "Bloomington", "IN", "US"),
        ("us-il-bloomington", "Bloomington", "IL", "US"),
        ("gb-springfield", "Springfield", "Kent", "GB"),
        ("us-springfield", "Springfield", "Kent", "US"),
        ("a-vale", "Vale", "X", "XX"),
        ("b-vale", "vale", "X", "XX"),
    ]
    assert city_plan_names(cities) == {
        "us-ny-troy": "Troy",
        "us-in-bloomington": "Bloomington IN",
        "us-il-bloomington": "Bloomington IL",
        "gb-springfield": "Springfield Kent GB",
        "us-springfield": "Springfield Kent US",
        "a-vale": "Vale a-vale",
        "b-vale": "vale b-vale",
    }


@settings(deadline=None)
@given(st.lists(st.tuples(words, words, words), max_size=6))
def test_plan_names_of_cities_differ_and_can_be_cut_out_of_a_text(parts):
    cities = [(f"city-{i}", *part) for i, part in enumerate(parts)]
    names = city_plan_names(cities)
    assert len({name.casefold() for name in names.values()}) == len(cities)
    assert not any(set(name) & set(",;()") for name in names.values())
    assert city_plan_names(reversed(cities)) == names


@settings(deadline=None)
@given(st.text())
def test_a_plan_text_is_one_line_without_semicolons_and_stays_as_it_is(name):
    shown = plan_text(name)
    assert not set(shown) & set(";\n\r\t\u200b\u202e")
    assert plan_text(shown) == shown


def test_a_name_of_two_places_costs_the_dearer_and_meets_only_what_both_meet(frames, build, record, trip):
    tables = frames()
    restaurants = tables["restaurants"]
    restaurants.loc[restaurants["place_id"] == "amble-r10", ["name", "avg_cost"]] = ["Table 1, Amble Street", 500]
    world = build(tables)
    asked = record(3)
    plan = trip(asked, world).plan()
    score = score_plan(asked, plan, world)
    assert score.failed() == ["cuisine"]
    assert (score.cost or 0) - (score_plan(asked, plan, build(frames())).cost or 0) == (500 - 11) * 2
    plannable = [place.place_id for place in world.plannable_restaurants("amble")]
    assert plannable == [f"amble-r{i:02d}" for i in range(12) if i not in (1, 10)]


@pytest.mark.parametrize(
    ("name", "is_plannable"),
    [("19", False), ("1", False), ("1900", False), ("to", False), ("a", False), ("00:", False), ("Stay", True),
     ("19 Rooms", True), ("123456", True), ("To", True)],
)  # fmt: skip
def test_a_name_that_stands_in_what_entries_say_of_any_place_is_planned_nowhere(frames, build, name, is_plannable):
    """The released evaluator times a meal by the first entry that holds its name, and `19` stands in 19:00."""
    tables = frames()
    for kind in ("restaurants", "attractions", "stays"):
        tables[kind].loc[tables[kind]["city_id"] == "amble", "name"] = [
            name if number == 2 else f"Other {number}" for number in range((tables[kind]["city_id"] == "amble").sum())
        ]
    world = build(tables)
    for places in (world.plannable_restaurants, world.plannable_attractions, world.plannable_stays):
        names = [place.name for place in places("amble")]
        assert names and (name in names) is is_plannable


def test_a_flight_is_looked_up_as_the_slow_way_does(frames, build):
    tables = frames()
    world, rows = build(tables), tables["flights"].to_dict("records")
    turned = build(tables | {"flights": tables["flights"].iloc[::-1]})
    for origin, dest, date in (
        ("harbour", "amble", "2024-11-05"),
        ("edge", "birch", "2024-11-30"),
        ("amble", "amble", "2024-11-05"),
    ):
        slow = sorted(
            r["flight_number"]
            for r in rows
            if (r["origin_city_id"], r["dest_city_id"], str(r["flight_date"])) == (origin, dest, date)
        )
        for found in (world, turned):
            assert [f.flight_number for f in found.flights_between(origin, dest, date)] == slow
    last = rows[-1]
    assert world.flight(last["flight_number"]) == (
        Flight(
            last["flight_number"], last["origin_city_id"], last["dest_city_id"], str(last["flight_date"]),
            1080, 1180, 100, 420.0, 90, False,
        ),
    )  # fmt: skip
    assert len(world.flights_between("harbour", "amble")) == 90
    assert world.flight("F9999999") == world.flights_between("nowhere", "amble", "2024-11-05") == ()


def test_a_drive_of_a_day_is_none(frames, build):
    tables = frames()
    for minutes, there in ((1439.9, True), (1440.0, False)):
        tables["city_distances"]["duration_min"] = minutes
        assert (build(tables).drive("harbour", "amble") is not None) is there


def test_a_part_of_a_name_is_a_name_only_as_released(world, record, trip):
    plan = trip(record(3)).plan()
    plan[1]["dinner"] = "Table 4, Amble"
    for variant, holds in ((OURS, False), (PAPER, False), (RELEASED, True)):
        score = score_plan(record(3), plan, world, variant=variant)
        assert score.commonsense is not None and score.commonsense["within_sandbox"].holds is holds


@settings(deadline=None)
@given(st.lists(st.sampled_from(["F1", "F10", "F2", "f1"]), max_size=6))
def test_flights_are_found_by_number_in_whatever_order_their_rows_stand(numbers):
    row = {"origin_city_id": "a", "dest_city_id": "b", "flight_date": dt.date(2024, 11, 1), "dep_time": "10:00"}
    row |= {"arr_time": "11:00", "arr_day_offset": 0, "elapsed_min": 60, "distance_km": 1.0, "is_modelled": False}
    columns = {name: [value] * len(numbers) for name, value in row.items()}
    rows = pa.table(
        {"flight_number": pa.array(numbers, pa.string()), "price": pa.array(range(len(numbers))), **columns}
    )
    book = FlightBook(rows)
    for number in ("F1", "F10", "F2", "f1", "F3"):
        prices = [price for price, other in enumerate(numbers) if other == number]
        assert [flight.price for flight in book.numbered(number)] == prices
        assert [flight.price for flight in book.numbered(number)] == prices  # once more, as it is kept


def test_the_world_is_made_once_for_the_same_rows_whichever_tasks_are_looked_at(frames):
    of_name = frames()
    rows = {table.table_name(): of_name[name] for name, table in WORLD_TABLES.items() if name in of_name}
    rows |= {table.table_name(): table.frame(table.arrow_schema().empty_table()) for table in WORLD_TABLES.values()
             if table.table_name() not in rows}  # fmt: skip
    rows[TripcraftTerms.table_name()] = pd.DataFrame([asdict(CarRates())])
    both = pd.DataFrame({"task_id": ["one", "two"]})
    tables = ReleaseTables({**rows, "tasks": both, "certificates": both})
    known = world(tables)
    assert world(tables.only(["one"])) is known
    assert world(ReleaseTables(tables.tables)) is not known
    fewer = {**tables.tables, TripcraftTerms.table_name(): rows[TripcraftTerms.table_name()].assign(currency="SEK")}
    assert world(replace(tables, tables=fewer)).currency == "SEK"
