"""What gate and audit ask about groups without a solution: their wishes, if these clash, which a plan leaves unkept.

The search of `clashes.py` is made again, in a process that has nothing that draws such groups; its second proof, an
integer program, is made when they are drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from assets.core.claims import Wish
from assets.grouptravel.facts.trips import Trip
from assets.grouptravel.facts.world import World, trip_of
from assets.grouptravel.firm_wishes.clashes import Bound, Way, clash, easiest_of
from assets.grouptravel.firm_wishes.wishes import record_without, unmet, wishes_of_record
from assets.grouptravel.records import skeleton_of, tables_of
from assets.grouptravel.witness.stretches import NoPlanError
from assets.grouptravel.world import part


def wishes_of(record: Mapping[str, Any]) -> tuple[Wish, ...]:
    """Return the record's firm wishes."""
    return tuple(one.wish for one in wishes_of_record(record))


def with_wishes(record: Mapping[str, Any], wishes: Collection[Wish]) -> Mapping[str, Any]:
    """Return the record with these of its firm wishes alone."""
    for wish in wishes_of(record):
        record = record if wish in wishes else record_without(record, wish)
    return record


def clash_holds(
    record: Mapping[str, Any], wishes: Sequence[Wish], lacking: Mapping[str, Any] | None, world: World
) -> list[str]:
    """Return what is wrong with saying that no plan keeps these wishes, and with what is said to be `lacking`."""
    record_world = part(record, world)
    try:
        ways = Bound(record_world.pois, record_world.fares).ways(trip_of_record(record, world))
    except NoPlanError as error:
        return [f"nothing shows it: {error}"]
    problems = [] if clash(easiest_of(ways), wishes) else ["a way to travel is left on which nothing shows it"]
    shortfall = lacking_of(ways, wishes)
    if lacking is not None and lacking != shortfall:
        problems.append(f"is said to lack {lacking}; found {shortfall}")
    return problems


def unkept(record: Mapping[str, Any], plan: Any, world: World) -> list[str]:
    """Return the firm wishes that a plan does not keep: the checker, as published, takes them for what pleases."""
    return [f"{name}={value} is not kept" for name, value in unmet(record, plan, world.pois)]


def lacking_of(ways: Collection[Way], wishes: Collection[Wish]) -> dict[str, Any]:
    """Return how many ways to travel there are, and in how many each set of the wishes is not kept together."""
    reasons = (reason for way in ways for reason in way.reasons if reason <= set(wishes))
    counted: dict[str, int] = {}
    for reason in reasons:
        key = ", ".join(f"{name}={value}" for name, value in sorted(reason))
        counted[key] = counted.get(key, 0) + 1
    return {"ways_to_travel": len(ways), "not_kept_in": dict(sorted(counted.items()))}


def trip_of_record(record: Mapping[str, Any], world: World) -> Trip:
    """Return the trip that a record asks for."""
    return trip_of(skeleton_of("", record), tables_of(record), world.names)
