"""What is wrong on purpose in the data for group trips: places, services and users, each of a named kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from sources.invented.items import PlantedItem
from sources.invented.world import World


class PlantedPoi(NamedTuple):
    """A place to plant in a city's list."""

    kind: str
    item: dict[str, Any]


def planted_pois(good: dict[str, Any]) -> Iterator[PlantedPoi]:
    """Yield the places that end a city's list, made of a good attraction."""
    rule = {
        "date_range": None,
        "weekdays": [1, 2, 3, 4, 5, 6, 7],
        "time_windows": [{"open": "09:00", "close": "17:00"}],
    }

    def hours(**change: Any) -> dict[str, Any]:
        return {"opening_hours": {"always_open": False, "rules": [{**rule, **change}]}}

    changes: dict[str, dict[str, Any]] = {
        "same_name_twice": {"name": good["name"]},
        "name_within_a_name": {"name": f"{good['name']} East Gate"},
        "missing_name": {"name": None},
        "blank_name": {"name": " "},
        "missing_id": {"id": None},
        "unknown_type": {"poi_type": "parking"},
        "missing_category": {"custom_category": ""},
        "excluded_category": {"custom_category": "旅游景点"},
        "missing_location": {"location": None},
        "location_not_numbers": {"location": "here"},
        "location_swapped": {"location": ",".join(reversed(good["location"].split(",")))},
        "hours_as_text": {"opening_hours": "24/7"},
        "hours_past_midnight": hours(time_windows=[{"open": "18:00", "close": "26:00"}]),
        "hours_of_no_day": hours(weekdays=[0, 8]),
        "hours_not_times": hours(time_windows=[{"open": "nine", "close": "late"}]),
        "hours_of_a_season": hours(date_range={"start": "11-01", "end": "03-31"}),
        "cost_as_text": {"avg_cost": "free"},
        "negative_cost": {"avg_cost": -5},
    }
    for number, (kind, change) in enumerate(changes.items(), start=1):
        yield PlantedPoi(kind, {**good, "id": f"{good['id']}x{number}", "name": f"Spoilt Sight {number}", **change})
    yield PlantedPoi("duplicate_id", {**good, "name": "Same Number, Other Sight"})


def planted_fares(world: World) -> list[tuple[str, tuple[object, ...]]]:
    """Return kind and values of the services that end the table of fares."""
    one, other = world.cities[0], world.cities[-1]
    ends = (one.name, one.region.upper(), other.name, other.region.upper())
    unknown = (one.name, one.region.upper(), "Nowhere upon Sea", "ZZ")
    money = (one.currency, "1234567", "listed")
    return [
        ("fare_of_zero", (*ends, "train", "K900", "08:00", "12:00", 0, *money)),
        ("missing_fare", (*ends, "train", "K901", "08:00", "12:00", "", *money)),
        ("fare_with_sign", (*ends, "train", "K902", "08:00", "12:00", "$1,200", *money)),
        ("unknown_mode", (*ends, "camel", "C1", "08:00", "12:00", 30, *money)),
        ("impossible_time", (*ends, "train", "K903", "25:61", "12:00", 30, *money)),
        ("missing_time", (*ends, "train", "K904", "", "", 30, *money)),
        ("unknown_city", (*unknown, "train", "K905", "08:00", "12:00", 30, *money)),
        ("weekdays_not_days", (*ends, "train", "K906", "08:00", "12:00", 30, one.currency, "daily", "listed")),
        ("unknown_price_basis", (*ends, "train", "K908", "08:00", "12:00", 30, *money[:2], "guessed")),
        ("to_the_same_city", (*ends[:2], *ends[:2], "train", "K907", "08:00", "12:00", 30, *money)),
        ("short_record", ends[:3]),
    ]


def planted_climate(world: World) -> list[tuple[str, tuple[object, ...]]]:
    """Return kind and values of the days that end the table of climate."""
    city = world.cities[0]
    city_values = (city.name, city.region.upper(), city.country.upper())
    return [
        ("day_that_is_none", (*city_values, "02-30", 10, 2, 0.2, "sunny")),
        ("day_as_date", (*city_values, "2025-02-03", 10, 2, 0.2, "sunny")),
        ("low_above_high", (*city_values, "02-03", 2, 10, 0.2, "sunny")),
        ("fahrenheit", (*city_values, "07-04", 91, 70, 0.2, "sunny")),
        ("rain_in_percent", (*city_values, "02-04", 10, 2, 20, "sunny")),
        ("missing_high", (*city_values, "02-05", "", 2, 0.2, "sunny")),
        ("missing_condition", (*city_values, "02-06", 10, 2, 0.2, "")),
        ("unknown_city", ("Nowhere upon Sea", "ZZ", city_values[2], "02-07", 10, 2, 0.2, "sunny")),
        ("same_day_twice", (*city_values, "01-01", 10, 2, 0.2, "sunny")),
        ("short_record", city_values),
    ]


def planted_profiles(good: dict[str, Any]) -> Iterator[PlantedItem]:
    """Yield the users that end the list, made of a good one."""
    changes: dict[str, dict[str, Any]] = {
        "missing_id": {"profile_id": None},
        "missing_age": {"age": None},
        "impossible_age": {"age": 212},
        "age_as_text": {"age": "forty"},
        "unknown_gender": {"gender": "?"},
        "missing_tastes": {"tastes": None},
        "tastes_as_text": {"tastes": "museums"},
        "likes_and_dislikes_the_same": {"tastes": {"likes": ["park"], "dislikes": ["park"]}},
        "married_child": {"age": 6, "marital_status": "married"},
    }
    for number, (kind, change) in enumerate(changes.items(), start=1):
        item = {**good, "profile_id": f"u-spoilt-{number}", **change}
        yield PlantedItem(kind, item, item["profile_id"] or "")
    yield PlantedItem("duplicate_id", {**good, "age": 99}, good["profile_id"])
