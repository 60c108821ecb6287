"""The tables of a trip from the clean tables: one currency at declared rates, each place once, costs, durations."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from pydantic import ValidationError

from assets.step import Outcome
from assets.tripcraft import sources
from assets.tripcraft.entities import CarRates
from assets.tripcraft.facts import world
from assets.tripcraft.facts.durations import visit_duration_h
from assets.tripcraft.facts.meal_cost import meal_cost, meal_price
from assets.tripcraft.facts.money import Money, NightModel, Rates
from assets.tripcraft.facts.trip_stays import trip_stays
from assets.tripcraft.lacking import _ways, why_dropped
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.tables import TripcraftAttraction, TripcraftEvent, TripcraftRestaurant, TripcraftStay
from assets.tripcraft.vocabulary import CATEGORY_DURATION_H
from schemas.events import Event
from schemas.osm import OsmPlace
from schemas.places import Place
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.stays import ROOM_TYPES as LISTED_ROOM_TYPES
from schemas.stays import Stay
from schemas.table import Table
from schemas.travel import CityPrice
from schemas.tripadvisor import TripadvisorPlace

EURO = pd.DataFrame({"currency": ["EUR"]})
RATES = Rates(base="EUR", date=dt.date(2024, 11, 1), source="invented", units={"USD": 1.25, "SEK": 10.0})
SILENT = TripcraftSection()


def city(city_id: str, currency: str) -> City:
    box = Box(south=0, west=0, north=1, east=1)
    return City(city_id=city_id, name=city_id, country="XX", box=box, currency=currency)


def test_a_city_without_a_region_lies_in_its_countrys_own():
    found = world.trip_cities(cities=[city("a", "EUR"), city("b", "EUR").model_copy(update={"region": "B"})])
    assert found["region"].tolist() == ["XX", "B"]


def frame(table: type[Table], *rows: dict[str, Any]) -> pd.DataFrame:
    """Return rows of a table as a step gets them; what a row leaves out is null, a list empty, a text blank."""
    import pyarrow as pa

    blank = {c.name: [] if c.item and not c.nullable else "" if c.type is str else None for c in table.columns()}
    schema = table.arrow_schema()
    return table.frame(pa.Table.from_pylist([blank | row for row in rows], schema=schema))


def rows(table: type[Table], made: Outcome) -> list[dict[str, Any]]:
    """Return a step's rows, checked against their table, and see that none was lost."""
    import pyarrow as pa

    assert not isinstance(made.rows, pa.RecordBatchReader) and isinstance(made.rejections, list)
    found = table.validate(table.arrow(made.rows)).to_pylist()
    assert made.rows_in == len(found) + len(made.rejections) + made.merged
    return found


def dropped(made: Outcome) -> dict[str, str]:
    assert isinstance(made.rejections, list)
    return {row["row"]: row["reason"] for row in made.rejections}


def listed(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "city_id": "a", "place_id": f"tripadvisor:{number}", "source": "tripadvisor", "native_id": str(number),
        "kind": "restaurant", "name": f"Table {number}", "lat": 0.5, "lon": 0.5, "rating": 4.0, "price_signs": 2.0,
        "source_rows": [f"t#{number}"], **changes,
    }  # fmt: skip


def mapped(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "city_id": "a", "place_id": f"osm:node/{number}", "kind": "restaurant", "name": f"Table {number}", "lat": 0.5,
        "lon": 0.5, "source_rows": [f"o#{number}"], **changes,
    }  # fmt: skip


NO_PLACE, NO_LISTING = frame(Place), frame(TripadvisorPlace)


def test_cities_of_two_currencies_need_one_to_be_said():
    two = [city("a", "EUR"), city("b", "SEK")]
    with pytest.raises(world.MoneyError, match=r"EUR, SEK; say `currency`"):
        world.terms(cities=two, section=SILENT)
    assert world.terms(cities=two, section=TripcraftSection(currency="SEK", rates=RATES))["currency"].tolist() == [
        "SEK"
    ]


def test_what_cars_cost_is_converted_as_every_other_price():
    with pytest.raises(world.MoneyError, match=r"car_rates: found an amount in USD, and no rate to EUR"):
        world.terms(cities=[city("a", "EUR")], section=SILENT)
    (terms,) = world.terms(cities=[city("a", "EUR")], section=TripcraftSection(rates=RATES)).to_dict("records")
    assert (terms["currency"], terms["taxi_per_km"], round(terms["self_driving_per_km"], 9)) == ("EUR", 0.8, 0.04)
    given = TripcraftSection(car_rates=CarRates(taxi_per_km=2.0, currency="EUR"))
    assert world.terms(cities=[city("a", "EUR")], section=given)["taxi_per_km"].tolist() == [2.0]


def test_a_city_without_a_currency_has_no_other_land_s():
    box = Box(south=0, west=0, north=1, east=1)
    silent = City(city_id="b", name="b", country="XX", box=box)
    with pytest.raises(world.MoneyError, match=r"in which money.*no `currency` of b; say it under \[\[cities\]\]"):
        world.terms(cities=[city("a", "EUR"), silent], section=SILENT)
    assert world.terms(cities=[silent], section=TripcraftSection(currency="SEK", rates=RATES))["currency"].tolist() == [
        "SEK"
    ]


@pytest.mark.parametrize(
    ("given", "wanted", "rate"),
    [("EUR", "USD", 1.25), ("USD", "EUR", 0.8), ("USD", "SEK", 8.0), ("EUR", "EUR", 1.0), ("GBP", "EUR", None)],
)
def test_a_rate_leads_between_any_two_currencies_of_the_table(given, wanted, rate):
    assert RATES.rate(given, wanted) == rate


@pytest.mark.parametrize(
    "changes", [{"units": {"EUR": 2.0}}, {"units": {"USD": 0.0}}, {"units": {"dollars": 1.0}}, {"source": ""}]
)
def test_rates_that_mean_nothing_are_refused(changes):
    with pytest.raises(ValidationError):
        Rates.model_validate(RATES.model_dump() | changes)


REFERENCE = Money(amount=20.0, currency="USD")


@pytest.mark.parametrize(
    ("price", "section", "amount", "origin"),
    [
        ({"inexpensive_meal": 12.0, "currency": "EUR", "restaurant_index": 50.0}, SILENT, 12.0, "meal"),
        ({"inexpensive_meal": 12.0, "currency": "USD"}, TripcraftSection(rates=RATES), 9.6, "meal"),
        ({"restaurant_index": 50.0}, TripcraftSection(rates=RATES, reference_meal=REFERENCE), 8.0, "index"),
        (None, TripcraftSection(rates=RATES, reference_meal=REFERENCE), 16.0, "reference"),
        ({"inexpensive_meal": 12.0, "currency": "USD"}, SILENT, None, "found an amount in USD, and no rate to EUR"),
        ({"restaurant_index": 50.0}, SILENT, None, "found no price of a meal"),
        (None, TripcraftSection(reference_meal=REFERENCE), None, "no rate to EUR"),
    ],
)
def test_a_city_s_meal_is_its_source_s_or_the_recipe_s_by_its_index(price, section, amount, origin):
    prices = frame(CityPrice, *([] if price is None else [{"city_id": "a", "currency": None, **price}]))
    found = meal_price(prices, "EUR", section)
    assert found.amount == (None if amount is None else pytest.approx(amount))
    assert origin in found.origin


@pytest.mark.parametrize(
    ("meal", "signs", "cost"), [(12.0, 1.0, 12), (12.0, 2.5, 30), (12.0, None, 18), (0.2, 1.0, 1), (11.0, 1.5, 16)]
)
def test_a_meal_costs_the_city_s_times_the_signs_and_at_least_one(meal, signs, cost):
    assert meal_cost(meal, signs) == cost


def test_restaurants_of_a_city_without_a_meal_s_price_are_rejected_by_name():
    tripadvisor = frame(TripadvisorPlace, listed(1))
    made = world.restaurants(tripadvisor, NO_PLACE, frame(CityPrice), EURO, section=SILENT)
    assert rows(TripcraftRestaurant, made) == []
    assert dropped(made) == {"tripadvisor:1": "missing_value"}
    price = frame(CityPrice, {"city_id": "a", "inexpensive_meal": 9.0, "currency": "NOK"})
    assert dropped(world.restaurants(tripadvisor, NO_PLACE, price, EURO, section=SILENT)) == {
        "tripadvisor:1": "no_exchange_rate"
    }


def test_a_restaurant_in_two_sources_is_one_with_both_pointers_and_what_either_knows():
    tripadvisor = frame(TripadvisorPlace, listed(1, name="Café Äiti", rating=None, cuisines=[]), listed(2))
    others = frame(
        Place,
        mapped(1, name="Cafe Aiti", cuisines=["italian", "pizza"], opening_hours="Mo-Su 09:00-18:00", stars=3.0),
        mapped(1, place_id="yelp:x", name="Café Äiti", lat=0.5001, stars=4.5, source_rows=["y#1"]),
        mapped(3, cuisines=["middle_eastern"]),
    )
    price = frame(CityPrice, {"city_id": "a", "inexpensive_meal": 10.0, "currency": "EUR"})
    made = world.restaurants(tripadvisor, others, price, EURO, section=SILENT)
    found = {row["place_id"]: row for row in rows(TripcraftRestaurant, made)}
    assert set(found) == {"tripadvisor:1", "tripadvisor:2", "osm:node/3", "osm:node/1"}
    both = found["tripadvisor:1"]
    assert (both["rating"], both["source_rows"], both["avg_cost"]) == (4.5, ["t#1", "y#1"], 20)
    assert found["osm:node/3"]["cuisines"] == ["Middle Eastern"]
    assert made.merged == 1


def test_an_attraction_s_visit_takes_the_mean_over_its_categories():
    tripadvisor = frame(
        TripadvisorPlace,
        listed(1, kind="attraction", categories=["Museums", "Shopping"]),
        listed(2, kind="attraction", categories=[]),
    )
    osm = frame(Place, mapped(3, kind="attraction", categories=["Zoos & Aquariums", "tourism=zoo"]))
    made = world.attractions(tripadvisor, osm, frame(OsmPlace), section=SILENT)
    assert {row["place_id"]: row["visit_duration_h"] for row in rows(TripcraftAttraction, made)} == {
        "tripadvisor:1": 2.25,
        "osm:node/3": 2.5,
    }
    assert dropped(made) == {"tripadvisor:2": "other_category"}


def test_a_map_tells_what_wikidata_knows_and_what_one_walks_past():
    def drawn(number: int, wikidata: str | None, *tags: str) -> dict[str, Any]:
        place = {"city_id": "c", "place_id": f"osm:node/{number}", "source": "osm", "native_id": f"node/{number}"}
        return {**place, "kind": "attraction", "name": "X", "lat": 60.0, "lon": 25.0, "tags": list(tags)} | {
            "wikidata": wikidata,
            "source_rows": [f"o#{number}"],
        }

    places = [
        mapped(n, kind="attraction", categories=["Sights & Landmarks"], source_rows=[f"o#{n}"]) for n in (1, 2, 3)
    ]
    osm = (
        drawn(1, "Q42", "tourism=museum"),
        drawn(2, None, "tourism=artwork", "historic=memorial"),
        drawn(3, None, "tourism=artwork", "historic=castle"),
    )
    made = world.attractions(frame(TripadvisorPlace), frame(Place, *places), frame(OsmPlace, *osm), section=SILENT)
    assert [(row["wikidata"], row["is_passed_by"]) for row in rows(TripcraftAttraction, made)] == [
        ("Q42", False),
        (None, True),
        (None, False),
    ]


def test_labels_of_no_category_are_told_and_counted():
    tripadvisor = frame(
        TripadvisorPlace,
        listed(1, kind="attraction", categories=[], labels=["Museu", "Parque"]),
        listed(2, kind="attraction", categories=[], labels=["Museu"]),
        listed(3, kind="attraction", categories=["Museums"], labels=["Museums", "Castelo"]),
        listed(4, kind="attraction", categories=[], labels=[]),
    )
    made = world.attractions(tripadvisor, frame(Place), frame(OsmPlace), section=SILENT)
    meant = ", or a word that `attraction_labels` in [families.tripcraft] gives one"
    details = {row["row"]: row["detail"] for row in pd.DataFrame(made.rejections).to_dict("records")}
    assert details == {
        "tripadvisor:1": "found 'Museu', 'Parque'; expected one of 15 categories, in English" + meant,
        "tripadvisor:2": "found 'Museu'; expected one of 15 categories, in English" + meant,
        "tripadvisor:4": "found no label; expected one of 15 categories, in English" + meant,
    }
    assert made.facts == {"labels_of_no_category": {"Museu": 2, "Parque": 1}}


def test_the_fifteen_durations_are_the_published_ones():
    assert [visit_duration_h([category]) for category in CATEGORY_DURATION_H] == list(CATEGORY_DURATION_H.values())
    assert visit_duration_h(list(CATEGORY_DURATION_H)) == pytest.approx(42 / 15)
    with pytest.raises(ValueError, match="Caves"):
        visit_duration_h(["Museums", "Caves"])


def listing(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "city_id": "a", "place_id": f"airbnb:{number}", "source": "airbnb", "native_id": str(number),
        "name": f"Loft {number}", "lat": 0.5, "lon": 0.5, "room_type": "entire_home", "price_per_night": 100.0,
        "currency": "EUR", "source_rows": [f"a#{number}"], **changes,
    }  # fmt: skip


def test_stays_cost_their_source_s_price_at_the_declared_rate_and_keep_what_it_said():
    stay = frame(
        Stay,
        listing(1, max_occupancy=4, min_nights=3, house_rules=["No pets"]),
        listing(2, price_per_night=1200.0, currency="USD", room_type="hotel_room"),
        listing(3, price_per_night=None, currency=None),
        listing(4, currency="GBP"),
        listing(5, currency=None),
    )
    made = trip_stays(stay, NO_LISTING, NO_PLACE, EURO, section=TripcraftSection(rates=RATES), seed=1)
    found = {row["place_id"]: row for row in rows(TripcraftStay, made)}
    names = ("price", "price_given", "currency_given", "room_type", "max_occupancy", "min_nights", "house_rules")
    assert {place_id: tuple(row[name] for name in names) for place_id, row in found.items()} == {
        "airbnb:1": (100, 100.0, "EUR", "entire_home", 4, 3, ["No pets"]),
        "airbnb:2": (960, 1200.0, "USD", "private_room", 2, None, None),
    }
    assert not any(row["is_modelled"] for row in found.values())
    assert dropped(made) == {
        "airbnb:3": "missing_value", "airbnb:4": "no_exchange_rate", "airbnb:5": "no_exchange_rate",
    }  # fmt: skip
    assert made.facts["unknown_occupancy"] == 1


@pytest.mark.parametrize("room_type", LISTED_ROOM_TYPES)
def test_the_gate_takes_what_each_room_type_became_for_the_records_own(room_type):
    record = listing(1, room_type=room_type)
    [stay] = rows(TripcraftStay, trip_stays(frame(Stay, record), NO_LISTING, NO_PLACE, EURO, section=SILENT, seed=1))
    assert stay["room_type"] in sources.stay(stay, [record])["room_type"]


def test_a_hotel_of_the_map_costs_what_the_recipe_declares_and_says_so():
    osm = frame(Place, mapped(1, kind="stay", name="Hotel Kämp"), mapped(2, place_id="airbnb:1", kind="stay"))
    site = frame(TripadvisorPlace, listed(1, kind="stay", name="Hotel Torni", lat=0.5001))
    stay = frame(Stay, listing(1))
    nights = NightModel(low=125.0, high=250.0, currency="USD", max_occupancy=3)
    section = TripcraftSection(rates=RATES, nights=nights)
    made = trip_stays(stay, site, osm, EURO, section=section, seed=1)
    found = {row["place_id"]: row for row in rows(TripcraftStay, made)}
    assert set(found) == {"airbnb:1", "tripadvisor:1", "osm:node/1"}
    hotel = found["osm:node/1"]
    assert hotel["is_modelled"] and 100 <= hotel["price"] <= 200 and hotel["currency_given"] == "USD"
    assert (hotel["room_type"], hotel["max_occupancy"], hotel["house_rules"]) == ("private_room", 3, None)
    assert made.facts["modelled"] == 2
    again = trip_stays(stay, site, osm.iloc[:1], EURO, section=section, seed=1)
    assert {row["place_id"]: row["price"] for row in rows(TripcraftStay, again)}["osm:node/1"] == hotel["price"]
    assert set(dropped(trip_stays(stay, site, osm, EURO, section=SILENT, seed=1)).values()) == {"missing_value"}


def test_of_stays_without_a_price_each_is_told_what_would_give_it_one():
    osm = frame(Place, mapped(1, kind="stay", name="Hotel Kämp"))
    stay = frame(Stay, *(listing(number, price_per_night=None, currency=None) for number in (1, 2)))
    made = trip_stays(stay, NO_LISTING, osm, EURO, section=SILENT, seed=1)
    told = list(why_dropped("stays", pd.DataFrame(made.rejections), 3, {}, "bind listings"))
    assert [(line[: line.index(":")], line[line.rindex("(") :]) for line in told] == [
        ("2 of 3 stays", "(no price): bind listings with prices"),
        ("1 of 3 stays", "(no price, and no `nights` in [families.tripcraft] to model one by): declare `nights`"),
    ]


def happening(event_id: str, date: dt.date) -> dict[str, Any]:
    return {"city_id": "a", "event_id": event_id, "name": "Cup", "segment": "Sports", "date": date}


def test_events_outside_the_trips_dates_are_rejected_and_moved_ones_keep_their_weekday():
    given = frame(Event, happening("e1", dt.date(2024, 11, 30)), happening("e2", dt.date(2024, 12, 1)))
    made = world.events(given, section=SILENT)
    assert [row["event_id"] for row in rows(TripcraftEvent, made)] == ["e1"]
    assert dropped(made) == {"e2": "outside_dates"}
    moving = TripcraftSection(event_dates_from=(dt.date(2024, 12, 1), dt.date(2024, 12, 31)))
    made = world.events(given, section=moving)
    (row,) = rows(TripcraftEvent, made)
    assert (row["date"], row["date_given"]) == (dt.date(2024, 11, 3), dt.date(2024, 12, 1))
    assert row["date"].weekday() == row["date_given"].weekday()
    assert (dropped(made), made.facts) == ({"e1": "outside_dates"}, {"weeks_moved": -4})


def test_a_date_range_with_no_events_leaves_none_and_loses_none():
    given = frame(Event, happening("e1", dt.date(2023, 5, 1)))
    made = world.events(given, section=SILENT)
    assert (rows(TripcraftEvent, made), dropped(made)) == ([], {"e1": "outside_dates"})


def test_where_nothing_leads_to_a_city_it_is_told_what_bound_trains_lack():
    """Who has bound a feed is not helped by the advice to bind one."""
    nowhere: Any = SimpleNamespace(
        cities={"a": None, "b": None}, drive=lambda *_: None, scheduled_between=lambda *_: []
    )
    (bind,) = _ways(nowhere, "a", {})
    assert "bind a long-distance feed" in bind
    told = list(_ways(nowhere, "a", {"feed_dates": [["2024-01-01", "2024-12-31"], []]}))
    assert told[0] == bind
    assert "runs from 2024-01-01 to 2024-12-31" in told[1] and "`journey_dates_from`" in told[1]
    assert "no run at times of its own" in told[2]
