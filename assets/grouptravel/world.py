"""The world of a set of group trips, and the judge of plans made of it: nothing here knows how plans are found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assets.family import TaskView, Violation
from assets.grouptravel.asked import request_of
from assets.grouptravel.checks.day_conditions import CAPS
from assets.grouptravel.checks.judging import BOUNDS_HOLD, OTHER_PLANS, UTILITY_AGREES, Judge, all_plans
from assets.grouptravel.checks.validity import CHECKS as VALIDITY
from assets.grouptravel.checks.validity import CONDITIONS
from assets.grouptravel.facts.of_release import fares_of, pois_of
from assets.grouptravel.facts.pois import TYPE_OF_ACTIVITY
from assets.grouptravel.facts.rows import rows_of
from assets.grouptravel.facts.world import Part, World, trip_of
from assets.grouptravel.plan import EVERYBODY, LEG, LOCAL
from assets.grouptravel.plausibility import IMPLAUSIBLE_TASKS, Places, implausible_in
from assets.grouptravel.records import skeleton_of, tables_of
from assets.grouptravel.tables import (
    GroupCalendar,
    GroupCity,
    GroupCluster,
    GroupFare,
    GroupPoi,
    GroupProfile,
    GroupRide,
)
from assets.grouptravel.vocabulary import LOCAL_MODE_KEYS, VOCABULARIES
from assets.rows import ReleaseTables

IS_A_PLAN = "is_a_plan"
PLAUSIBLE = "nothing_is_implausible"
ONE_TRIP = "record_asks_for_one_trip"
MOVES_SAY = "moves_say_their_price_and_basis"
CHECKS = (
    IS_A_PLAN,
    ONE_TRIP,
    *VALIDITY,
    *CONDITIONS,
    CAPS,
    UTILITY_AGREES,
    *(f"{name}_plan_holds" for name in OTHER_PLANS),
    BOUNDS_HOLD,
    MOVES_SAY,
    PLAUSIBLE,
)
"""What a witness must pass: the nine checks, the declared conditions, that all plans are worth what is said, and that
there is nothing in record and plans that nobody would do."""


def world(tables: ReleaseTables) -> World:
    """Return the world of the tables, in the language of its section."""
    return World(
        tables[GroupCity],
        tables[GroupPoi],
        tables[GroupFare],
        tables[GroupCalendar],
        VOCABULARIES[tables.section["language"]],
        cluster=tables[GroupCluster],
        profile=tables[GroupProfile],
        currency=tables.section["currency"],
        pois=pois_of(tables),
        fares=fares_of(tables),
    )


def part(record: Mapping[str, Any], world: World) -> Part:
    """Return what plans of a record are made of and judged by."""
    return world.part(trip_of(skeleton_of("", record), tables_of(record), world.names))


def check(record: dict[str, Any], plan: Any, world: World | Part) -> Iterator[Violation]:
    """Yield every break of the nine checks, of the declared conditions, and of ids that say what the words say."""
    yield from _of_one_trip(record, world.names)
    yield from Judge("", record, world).violations(plan)


def _of_one_trip(record: Mapping[str, Any], names: Mapping[str, str]) -> list[Violation]:
    """Return where the record's own ids and days are not those of the words that plans are judged by."""
    request = request_of(record)
    trip_of_ids = (names.get(record["departure_city_id"]), tuple(names.get(city) for city in record["city_ids"]))
    trip_of_words = (request.departure_city, request.cities)
    violations = (
        [Violation(ONE_TRIP, f"the ids mean {trip_of_ids}, the words say {trip_of_words}")]
        if trip_of_ids != trip_of_words
        else []
    )
    if record["days"] != request.days:
        violations.append(Violation(ONE_TRIP, f"days is {record['days']}, the words say {request.days}"))
    return violations


def prove(record: dict[str, Any], plan: Any, proof: dict[str, Any], world: World | Part) -> dict[str, Any]:
    """Return what is said of a witness: what it is worth to each, beside what can be reached."""
    utilities = proof["reachable"]
    return {**proof, **Judge("", record, world).values(plan, utilities)}


def verify(record: dict[str, Any], plan: Any, proof: dict[str, Any], world: World | Part) -> list[Violation]:
    """Return what is said of a witness and is not so: its worth, the other plans, and the bounds."""
    violations = Judge("", record, world).disagreements(plan, proof)
    strange = implausible_in(record, all_plans(plan, proof), Places(world.pois, world.vocabulary))
    violations += [Violation(MOVES_SAY, text) for text in _of_moves(record, all_plans(plan, proof), world)]
    return [
        *violations,
        *(Violation(PLAUSIBLE, f"{IMPLAUSIBLE_TASKS[name]} ({name}, {n})") for name, n in strange.items()),
    ]


def _of_moves(record: Mapping[str, Any], plans: Iterable[Any], world: World | Part) -> Iterator[str]:
    """Yield the moves that do not say what they cost, or on what their minutes rest, as the world has it."""
    users, ways = request_of(record).users, world.pois.ways
    for act, city in ((act, s["city"]) for plan in plans for day in plan["days"] for s in day["city_segments"]
                      for act in s.get("activities", ()) if act["type"] == LOCAL):  # fmt: skip
        one, other = (world.pois.meant(act[end], city) for end in ("from", "to"))
        mode, who = LOCAL_MODE_KEYS.get(act["transport_mode"], ""), act["participants"]
        people = len(users) if EVERYBODY in who else len(who)
        for key, fact in (
            ("avg_cost", ways.price(mode, city, one, other, people)),
            ("basis", ways.basis(mode, one, other)),
        ):
            if act.get(key) != fact:
                yield f"{act['from']} to {act['to']}: {key} is {act.get(key)!r:.40}, expected {fact!r}"


def uses(task: TaskView, world: World) -> set[tuple[str, str]]:
    """Return the rows that the task's plans, its record or its draw name, as (table, key)."""
    row_keys = {(table.table_name(), key) for table, key in _uses(task, Rows.of(world), world)}
    return row_keys | {(GroupProfile.table_name(), key) for key in task.drawn["profiles"].values()}


class Rows:
    """The rows that names and times in records and plans mean, by their keys."""

    def __init__(self, world: World):
        names = world.names
        self.city_ids = {name: city_id for city_id, name in names.items()}
        self.pois: dict[tuple[str, str, str], str] = {}
        listed = world.poi_rows.sort_values(["city_id", "place_id"])
        for city_id, place_id, kind, name in rows_of(listed, "city_id", "place_id", "poi_type", "name"):
            self.pois.setdefault((names[city_id], kind, name), f"{city_id}/{place_id}")
        self.fares: dict[tuple[str, ...], list[str]] = {}
        fare_columns = ("origin_city_id", "dest_city_id", "mode", "dep_time", "arr_time")
        fares, calendar = world.fare_rows, world.calendar_rows  # of the recipe's cities, those that are blocked too
        fares = fares[fares["origin_city_id"].isin(names) & fares["dest_city_id"].isin(names)]
        calendar = calendar[calendar["city_id"].isin(names)]
        keyed = zip(rows_of(fares, *fare_columns), rows_of(fares, *GroupFare.key()), strict=True)
        for (origin, dest, *mode_and_times), key in keyed:
            self.fares.setdefault((names[origin], names[dest], *mode_and_times), []).append("/".join(map(str, key)))
        self.dates = {
            f"{names[city]}/{date}": f"{city}/{date}"
            for city, date in zip(calendar["city_id"], calendar["date"], strict=True)
        }
        self.factors = {
            f"{names[city]}/{date}": float(factor)
            for city, date, factor in zip(calendar["city_id"], calendar["date"], calendar["fare_factor"], strict=True)
        }
        of_fare = zip(rows_of(fares, *GroupFare.key()), fares["price"], fares["is_price_modelled"], strict=True)
        self.prices = {"/".join(map(str, key)): (float(price), bool(flag)) for key, price, flag in of_fare}
        self.mode_of = {word: key for key, word in world.vocabulary.modes.items()}

    @classmethod
    def of(cls, world: World) -> Rows:
        """Return the rows of a world, made once."""
        if "rows" not in vars(world):
            vars(world)["rows"] = cls(world)
        return vars(world)["rows"]

    def poi(self, city: str, activity: str, name: str) -> str | None:
        """Return the key of a place by its name, as plans mean it: the first of its type."""
        return self.pois.get((city, TYPE_OF_ACTIVITY.get(activity, activity), name))

    def meant(self, name: str, city: str, world: World) -> str | None:
        """Return the key of the one place that a name means, as moves go from it and to it; None of a station."""
        poi = world.pois.meant(name, city)
        return f"{self.city_ids[city]}/{poi.place_id}" if poi is not None else None

    def ride(self, act: Mapping[str, Any], city: str, everybody: int, world: World) -> tuple[str | None, list[str]]:
        """Return the key of a move's tariff, None where it is free, and of its places if both are known."""
        mode, who = LOCAL_MODE_KEYS.get(act["transport_mode"], ""), act["participants"]
        tariff = world.pois.ways.rides.tariff(mode, city, everybody if EVERYBODY in who else len(who))
        ends = [self.meant(act[end], city, world) for end in ("from", "to")]
        place_keys = [key for key in ends if key is not None]
        return tariff.key if tariff else None, place_keys if len(place_keys) == len(ends) else []

    def priced(self, keys: list[str], city: str, date: str, price: float) -> str:
        """Return the first of the services that costs so much on a date; the first of all where none does."""
        factor = self.factors.get(f"{city}/{date}", 1.0)
        for key in keys:
            ordinary, is_modelled = self.prices[key]
            if (round(ordinary * factor, 2) if is_modelled and factor != 1 else ordinary) == price:
                return key
        return keys[0]

    def legs(self, leg: Mapping[str, Any]) -> list[str]:
        """Return the keys of the services that a leg can mean."""
        mode = self.mode_of.get(leg["transport_mode"], "")
        key = (leg["from_city"], leg["to_city"], mode, leg["start_time"], leg["end_time"])
        return sorted(self.fares.get(key, ()))


def _uses(task: TaskView, rows: Rows, world: World) -> Iterator[tuple[type, str]]:
    everybody = len(request_of(task.record).users)
    for city_id in (task.record["departure_city_id"], *task.record["city_ids"]):
        yield GroupCity, city_id
    for entry in task.record["user_preferences"].values():
        for city, wishes in entry["preference"]["city_specific_preferences"].items():
            for name in (*wishes["attractions"]["must_visit"], *wishes["attractions"]["reject_visit"]):
                poi_key = rows.poi(city, "attractions", name)
                yield from ((GroupPoi, poi_key),) if poi_key else ()
    for day in (day for plan in all_plans(task.plan, task.proof) for day in plan["days"]):
        for segment in day["city_segments"]:
            if segment.get("type") == LEG:
                keys = rows.legs(segment)
                yield from ((GroupFare, key) for key in keys)
                date = rows.dates.get(f"{segment['from_city']}/{day['date']}")
                yield from ((GroupCalendar, date),) if date and any(rows.prices[key][1] for key in keys) else ()
                continue
            for act in segment["activities"]:
                if act["type"] == LOCAL and act.get("avg_cost"):
                    tariff, _ = rows.ride(act, segment["city"], everybody, world)
                    yield from ((GroupRide, tariff),) if tariff else ()
                poi_key = rows.poi(segment["city"], act["type"], act.get("location", ""))
                yield from ((GroupPoi, poi_key),) if poi_key else ()
