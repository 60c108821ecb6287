"""The world of round trips, and the judge of plans made of it; nothing here knows how plans are found."""

from __future__ import annotations

from typing import Any, NamedTuple

from assets.family import TaskView, Violation
from assets.roundtrips.tables import Record
from assets.rows import ReleaseTables
from schemas.places import Place
from schemas.travel import Flight

LEG = ("flight_number", "dep_time", "arr_time", "price")


class World(NamedTuple):
    """Flights by number, of each (origin, destination, date); sights by id, of each city; and the prices' currency."""

    flights: dict[tuple[str, str, str], dict[str, dict[str, Any]]]
    sights: dict[str, dict[str, dict[str, Any]]]
    currency: str


def world(tables: ReleaseTables) -> World:
    """Return the world of the recipe's cities: flights whose price and times are known, and attractions."""
    world, flights, sights = World({}, {}, tables.section["currency"]), tables[Flight], tables[Place]
    for row in flights[(flights["currency"] == world.currency) & ~flights["is_arrival_modelled"]].to_dict("records"):
        trip = (row["origin_city_id"], row["dest_city_id"], str(row["flight_date"]))
        world.flights.setdefault(trip, {})[row["flight_number"]] = row
    for row in sights[sights["kind"] == "attraction"].to_dict("records"):
        world.sights.setdefault(row["city_id"], {})[row["place_id"]] = row
    return world


def legs(record: Record) -> dict[str, tuple[str, str, str]]:
    """Return the two legs that a record asks for, as the world's flights are kept."""
    origin, dest, (leaves, returns) = record["origin_city_id"], record["dest_city_id"], record["dates"]
    return {"out": (origin, dest, leaves), "back": (dest, origin, returns)}


def check(record: Record, plan: Any, world: World) -> list[Violation]:
    """Return every break of the checks; it may raise on what is no plan at all, which refuses it too."""
    days = plan.get("days") if isinstance(plan, dict) else None
    if not isinstance(days, list) or len(days) != record["days"]:
        return [Violation("form", f"expected two flights and {record['days']} days")]
    trips = legs(record)
    rows = {leg: world.flights.get(trip, {}).get(plan[leg]["flight_number"]) for leg, trip in trips.items()}
    violations = [
        Violation("flights", f"{leg}: {plan[leg]} is no direct flight of {trips[leg]}")
        for leg, row in rows.items()
        if row is None or plan[leg] != {name: row[name] for name in LEG}
    ]
    if sum(row["price"] for row in rows.values() if row) > record["budget"]:
        violations.append(Violation("budget", f"the flights cost more than {record['budget']}"))
    sights = world.sights.get(record["dest_city_id"], {})
    violations += [
        Violation("sights", f"{day} is no sight of {record['dest_city_id']}, or one of another day")
        for day in days
        if day["name"] != sights.get(day["place_id"], {}).get("name") or days.count(day) > 1
    ]
    return violations


def uses(task: TaskView, _: World) -> set[tuple[str, str]]:
    """Return the rows that the plan names."""
    sights = {(Place.table_name(), f"{task.record['dest_city_id']}/{day['place_id']}") for day in task.plan["days"]}
    return sights | {(Flight.table_name(), key) for key in flight_keys(task).values()}


def flight_keys(task: TaskView) -> dict[str, str]:
    """Return the keys of the rows of the plan's flights."""
    return {leg: "/".join((*trip, task.plan[leg]["flight_number"])) for leg, trip in legs(task.record).items()}
