"""How GroupTravelBench is put to planners: tools and a conversation; a random planner; what a score says."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Any

from assets.grouptravel.baseline import MOVE, to_bed, trip_and_words
from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.of_release import fares_of, pois_of
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import SLOTS, Best, Choice, Trip, stays_of
from assets.grouptravel.witness.as_plan import native_plan
from assets.rows import ReleaseTables
from assets.runs.setting import Outcome, RunSetting
from schemas.stable import stable_hash

RUNS = RunSetting(
    rows="trials",
    outcome="assets.grouptravel.runs:outcome",
    planners={"random": "assets.grouptravel.runs:random_plans"},
    settings=("conversation",),
    careful="assets.grouptravel.conversation.careful:play",
    play="assets.grouptravel.conversation.by_model:play",
    judge="assets.grouptravel.conversation.judge:judging",
    ratings="assets.grouptravel.conversation.judge:read_ratings",
    unsolvable="assets.grouptravel.unsolvable.tasks:unsolvable_tasks",
    wishes_of="assets.grouptravel.firm_wishes.held:wishes_of",
    with_wishes="assets.grouptravel.firm_wishes.held:with_wishes",
    clash_holds="assets.grouptravel.firm_wishes.held:clash_holds",
    unkept="assets.grouptravel.firm_wishes.held:unkept",
    is_right="assets.grouptravel.unsolvable.tasks:is_right",
)


def outcome(row: Mapping[str, Any]) -> Outcome:
    """Return whether the plan is valid, and its share of the bound with splits (in `ours`), in percent."""
    if not row.get("pv"):
        return Outcome(False, 0.0)
    share = row.get("gu_share_bound")
    return Outcome(True, round(max(0.0, share), 2) if share is not None else 100.0)


def random_plans(tables: ReleaseTables, seed: int) -> list[dict[str, Any]]:
    """Return for each task a plan of the right shape: legs, hotels, meals and sights drawn by lot, hours as usual."""
    pois, fares = pois_of(tables), fares_of(tables)
    plan_rows = []
    for row in tables.tasks.sort_values("task_id").to_dict("records"):
        trip, words = trip_and_words(row["record"])
        drawn = _plan_by_lot(trip, pois, fares, (seed, row["task_id"]))
        if drawn is not None:
            plan_rows.append({"task_id": row["task_id"], "plan": native_plan(trip, drawn, words)})
    return plan_rows


def _plan_by_lot(trip: Trip, pois: Pois, fares: Fares, seed: tuple[int, str]) -> Best | None:
    """Return a trip by lot; None where a leg has no service or a city no hotel."""

    def lot(*parts: str | int) -> int:
        return stable_hash("random planner", *seed, *parts)

    legs: list[Service] = []
    for k, day in enumerate(trip.leg_days):
        date = trip.first_date + dt.timedelta(days=day)
        running = [s for s in fares.services(trip.route[k], trip.route[k + 1], date=date) if not s.arrives_next_day]
        if not running:
            return None
        legs.append(min(running, key=lambda s: lot(k, s.mode, s.departs, s.arrives)))
    beds: list[Poi] = []
    for k, city in enumerate(trip.route[1:-1]):
        hotels = pois.distinct(city, "hotels")
        if not hotels:
            return None
        nights = trip.leg_days[k + 1] - trip.leg_days[k]
        beds += [min(hotels, key=lambda p: lot(p.place_id))] * nights
    visits = list(_visits(trip, legs, pois, lot))
    return Best(tuple(legs), trip.leg_days, tuple(beds), (*visits, *to_bed(trip, legs, tuple(beds), visits)), total=0)


def _visits(trip: Trip, legs: list[Service], pois: Pois, lot: Any) -> Iterator[Choice]:
    """Yield the day's slots that the group is there for, each at any place of its kind, none twice."""
    used_place_ids: set[str] = set()
    for day, slot, city in sorted(stays_of(trip)):
        kind, start, end = SLOTS[slot]
        k = trip.route.index(city, 1) - 1
        come = legs[k].arrives + 60 if trip.leg_days[k] == day else 0
        leave = legs[k + 1].departs - 60 if trip.leg_days[k + 1] == day else 24 * 60
        free = [p for p in pois.distinct(city, kind) if p.place_id not in used_place_ids]
        if start >= come and end <= leave and free:
            poi = min(free, key=lambda p: lot(day, slot, p.place_id))
            used_place_ids.add(poi.place_id)
            yield Choice(day, start, end, city, poi, MOVE)
