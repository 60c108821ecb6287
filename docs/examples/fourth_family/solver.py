"""The witness: the cheapest flights, and sights in an order of the task's own."""

from __future__ import annotations

from assets.family import Refused, Solved
from assets.roundtrips.tables import Record, RoundtripsSection
from assets.roundtrips.world import LEG, World, legs
from schemas.stable import stable_hash


def solve(task_id: str, record: Record, world: World, _: RoundtripsSection) -> Solved | Refused:
    """Return a plan, or of what there is too little."""
    flights = {
        leg: min(world.flights[trip].values(), key=lambda row: (row["price"], row["flight_number"]))
        for leg, trip in legs(record).items()
    }
    if (cost := sum(row["price"] for row in flights.values())) > record["budget"]:
        return Refused(f"the cheapest flights cost {cost}, more than {record['budget']}", "budget")
    sights = world.sights.get(record["dest_city_id"], {})
    if len(sights) < record["days"]:
        return Refused(f"{len(sights)} sights for {record['days']} days", "sights")
    visited = sorted(sights.values(), key=lambda row: stable_hash(task_id, row["place_id"]))[: record["days"]]
    plan = {leg: {name: row[name] for name in LEG} for leg, row in flights.items()}
    return Solved(plan | {"days": [{"place_id": r["place_id"], "name": r["name"]} for r in visited]}, {"cost": cost})


def depends(_: str, record: Record, world: World, __: RoundtripsSection) -> list[object]:
    """Return what the plan rests on: the flights and sights that it may be made of. While they stay, so does it."""
    flights = [[row[name] for name in LEG] for trip in legs(record).values() for row in world.flights[trip].values()]
    return [flights, [[r["place_id"], r["name"]] for r in world.sights.get(record["dest_city_id"], {}).values()]]
