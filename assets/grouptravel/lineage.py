"""Where each value of a group's task comes from: rows of its world, the draw, profiles, the solver, the words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assets.family import Origin, TaskView
from assets.grouptravel.asked import request_of
from assets.grouptravel.checks.judging import OTHER_PLANS
from assets.grouptravel.facts.world import World
from assets.grouptravel.plan import LEG, LOCAL
from assets.grouptravel.tables import GroupCalendar, GroupCity, GroupFare, GroupPoi, GroupProfile, GroupRide
from assets.grouptravel.world import Rows
from schemas.pointers import escaped

POI, FARE, CITY, RIDE = (table.table_name() for table in (GroupPoi, GroupFare, GroupCity, GroupRide))


def trace(task: TaskView, world: World) -> Iterator[Origin]:
    """Yield the origin of every value of a task."""
    rows = Rows.of(world)
    yield Origin("query", "words", "grouptravel.wording")
    yield Origin("repairs", "choice", "grouptravel.repair")
    yield Origin("drawn", "choice", "grouptravel.draft")
    yield from _record(task, rows)
    yield from _messages(task)
    yield Origin("proof", "choice", "grouptravel.solver")
    for part in ("split_utility", "split_bound", "compromise_split_utility", "compromise_split_bound"):
        yield Origin(f"proof/reachable/{part}", "choice", "grouptravel.splits")
    yield Origin("proof/plans", "choice", "grouptravel.splits")
    yield Origin("checks", "choice", "grouptravel.validity")
    yield Origin("plan", "choice", "grouptravel.plan")
    people = len(request_of(task.record).users)
    yield from _plan(task.plan, "plan", people, rows, world)
    for name in OTHER_PLANS:
        other = task.proof["plans"].get(name)
        if other:
            yield from _plan(other["plan"], f"proof/plans/{name}/plan", people, rows, world)


def _record(task: TaskView, rows: Rows) -> Iterator[Origin]:
    record = task.record
    for field, rule in (
        ("time", "draft"), ("context", "wording"), ("metadata", "draft"), ("metadata/group_name", "archetypes"),
        ("metadata/group_tags", "archetypes"), ("metadata/child_members", "archetypes"),
        ("difficulty_score", "difficulty"), ("difficulty_type", "difficulty"),
        ("departure_city_id", "draft"), ("city_ids", "draft"), ("days", "draft"),
    ):  # fmt: skip
        yield Origin(f"record/{field}", "choice", f"grouptravel.{rule}")
    yield _city("record/metadata/departure_city", record["departure_city_id"])
    for number, city_id in enumerate(record["city_ids"]):
        yield _city(f"record/metadata/cities/{number}", city_id)
    calls = dict(zip(record["user_preferences"], task.generation_ids, strict=False))
    profile = GroupProfile.table_name()
    for user, entry in record["user_preferences"].items():
        where = f"record/user_preferences/{user}"
        yield Origin(f"{where}/role", "choice", "grouptravel.archetypes")
        yield Origin(f"{where}/compromisable", "choice", "grouptravel.draft")
        call = [calls[user]] if user in calls else []
        rests_on = tuple((profile, task.drawn["profiles"][user], column) for column in ("likes", "dislikes"))
        yield Origin(f"{where}/preference", "choice", "grouptravel.preferences", rests_on, call)
        for city, wishes in entry["preference"]["city_specific_preferences"].items():
            wished = f"{where}/preference/city_specific_preferences/{escaped(city)}/attractions"
            for tier in ("must_visit", "reject_visit"):
                for number, name in enumerate(wishes["attractions"][tier]):
                    key = rows.poi(city, "attractions", name)
                    if key is not None:
                        field = f"{wished}/{tier}/{number}"
                        yield Origin(field, "cells", "equal", ((POI, key, "name"),), call)


def _messages(task: TaskView) -> Iterator[Origin]:
    users = len(task.record["user_preferences"])
    calls = dict(enumerate(task.generation_ids[users:]))
    for number in range(len(task.messages)):
        call = [calls[number]] if number in calls else []
        yield Origin(f"messages/{number}/role", "choice", "grouptravel.archetypes")
        yield Origin(f"messages/{number}/content", "words", "grouptravel.wording", (), call)


def _plan(plan: Mapping[str, Any], at: str, people: int, rows: Rows, world: World) -> Iterator[Origin]:
    mode = f"grouptravel.mode_{world.vocabulary.language}"
    for n, day in enumerate(plan["days"]):
        for m, segment in enumerate(day["city_segments"]):
            where = f"{at}/days/{n}/city_segments/{m}"
            if segment.get("type") == LEG:
                yield from _leg(segment, where, day["date"], rows, mode)
                continue
            yield _city(f"{where}/city", rows.city_ids[segment["city"]])
            for k, act in enumerate(segment["activities"]):
                if act["type"] == LOCAL:
                    yield from _move(act, f"{where}/activities/{k}", segment["city"], people, rows, world)
                    continue
                key = rows.poi(segment["city"], act["type"], act.get("location", ""))
                if key is None:
                    continue
                yield Origin(f"{where}/activities/{k}/location", "cells", "equal", ((POI, key, "name"),))
                if "avg_cost" in act:
                    yield Origin(
                        f"{where}/activities/{k}/avg_cost", "cells", "grouptravel.cost", ((POI, key, "avg_cost"),)
                    )


def _move(act: Mapping[str, Any], where: str, city: str, everybody: int, rows: Rows, world: World) -> Iterator[Origin]:
    yield Origin(f"{where}/basis", "choice", "grouptravel.ways")
    for end in ("from", "to"):
        if (key := rows.meant(act[end], city, world)) is not None:
            yield Origin(f"{where}/{end}", "cells", "equal", ((POI, key, "name"),))
    if "avg_cost" not in act:
        return
    tariff, ends = rows.ride(act, city, everybody, world)
    if tariff is None:
        yield Origin(f"{where}/avg_cost", "choice", "grouptravel.ways")
        return
    if world.pois.ways.rides.is_flat(tariff):
        cells = [(RIDE, tariff, column) for column in ("first", "step")]
        yield Origin(f"{where}/avg_cost", "cells", "grouptravel.ticket", cells)
        return
    cells = [(RIDE, tariff, column) for column in ("first", "per_km", "step")]
    cells += [(POI, key, column) for key in ends for column in ("lat", "lon")]
    yield Origin(f"{where}/avg_cost", "cells", "grouptravel.ride", cells)


def _leg(segment: Mapping[str, Any], where: str, date: str, rows: Rows, mode: str) -> Iterator[Origin]:
    for end in ("from_city", "to_city"):
        yield _city(f"{where}/{end}", rows.city_ids[segment[end]])
    keys = rows.legs(segment)
    if not keys:
        return
    key = rows.priced(keys, segment["from_city"], date, segment["avg_cost"])
    yield Origin(f"{where}/transport_mode", "cells", mode, ((FARE, key, "mode"),))
    for field, column in (("start_time", "dep_time"), ("end_time", "arr_time")):
        yield Origin(f"{where}/{field}", "cells", "equal", ((FARE, key, column),))
    cells = [(FARE, key, "price"), (FARE, key, "is_price_modelled")]
    on = rows.dates.get(f"{segment['from_city']}/{date}") if rows.prices[key][1] else None
    cells += [(GroupCalendar.table_name(), on, "fare_factor")] if on else []
    yield Origin(f"{where}/avg_cost", "cells", "grouptravel.fare", cells)


def _city(field: str, city_id: str) -> Origin:
    return Origin(field, "cells", "equal", ((CITY, city_id, "name"),))
