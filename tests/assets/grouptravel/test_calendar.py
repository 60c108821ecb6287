"""Holidays by country and region, factors of days on modelled fares alone, and plans priced by the day."""

from __future__ import annotations

import datetime as dt

import pytest

from assets.grouptravel.facts.calendars import calendar
from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.tables import GroupCalendar
from schemas.recipe import City
from schemas.recipe_values import Box

BOX = Box(south=60.1, west=24.9, north=60.2, east=25.0)
WEEK = (1, 2, 3, 4, 5, 6, 7)


def city(country: str, region: str = "") -> City:
    return City(city_id=f"{country.lower()}-town", name="Town", region=region, country=country, box=BOX)


def section(**keys) -> GroupTravelSection:
    return GroupTravelSection(currency="EUR", first_date=dt.date(2025, 12, 1), last_date=dt.date(2026, 1, 5), **keys)


@pytest.mark.parametrize(
    ("country", "region", "date", "holiday"),
    [
        ("FI", "18", "2025-12-06", "Independence Day"),
        ("FI", "18", "2025-12-05", None),
        ("US", "IN", "2025-12-26", "Washington's Birthday"),
        ("US", "VT", "2025-12-26", None),
        ("CN", "", "2026-01-01", "New Year's Day"),
        ("XX", "", "2025-12-25", None),
    ],
)
def test_holidays_are_those_of_the_country_and_region(country, region, date, holiday):
    rows = calendar(cities=[city(country, region)], section=section()).rows.set_index("date")
    found = rows.loc[date, "holiday"]
    assert (found if isinstance(found, str) else None) == holiday


def test_every_day_of_every_trip_is_there_and_a_country_unknown_is_counted():
    made = calendar(cities=[city("FI"), city("XX")], section=section(season={12: 1.2}, holiday_factor=1.5))
    GroupCalendar.validate(GroupCalendar.arrow(made.rows))
    by_date = made.rows[made.rows["city_id"] == "fi-town"].set_index("date")
    assert (by_date.index.min(), by_date.index.max(), len(by_date)) == ("2025-12-01", "2026-01-11", 42)
    assert made.facts == {"countries_without_known_holidays": 1}
    days = ("2025-12-05", "2025-12-25", "2026-01-01", "2026-01-02")
    assert [by_date.loc[day, "fare_factor"] for day in days] == [1.2, 1.8, 1.5, 1.0]


def test_only_modelled_fares_change_with_the_day_and_none_is_known_of_a_day_that_is_not_there():
    flight, train = Service("flight", 100.0, 600, 700, WEEK, True), Service("train", 110.0, 600, 700, WEEK)
    christmas, before, later = dt.date(2025, 12, 25), dt.date(2025, 12, 23), dt.date(2026, 12, 25)
    services = {("A", "B"): [flight, train], ("B", "A"): [flight]}
    fares = Fares(services, {"A": {christmas: 1.5, before: 1.0}, "B": {christmas: 1.0}}).between(["A", "B"])
    assert [s.price for s in fares.services("A", "B", date=christmas)] == [110.0, 150.0]
    assert [s.price for s in fares.services("A", "B", date=before)] == [100.0, 110.0]
    assert [s.price for s in fares.services("B", "A", date=christmas)] == [100.0]
    assert [s.price for s in fares.services("A", "B")] == [100.0, 110.0]
    assert [s.mode for s in fares.services("A", "B", date=later)] == ["train"]
    assert fares.services("B", "A", date=before) == []
    assert [s.price for s in Fares(services).services("A", "B", date=later)] == [100.0, 110.0]


def test_a_month_that_is_none_is_refused():
    with pytest.raises(ValueError, match="season: month 13, expected 1 to 12"):
        section(season={13: 1.1})
