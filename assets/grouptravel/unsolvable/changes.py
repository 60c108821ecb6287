"""Records one firm wish away from a record: what an adult of the group who never gives way may want beside the rest.

A budget lies one step below what the wishes need; a sight must be seen for which some way to travel leaves no time; a
kind of food must be eaten. Each changed table keeps the rules of every table
(`wishes/postvalidation.py`), but for those that make tables easy to please.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from assets.core.no_solution import LEVEL
from assets.grouptravel.archetypes import BY_ID
from assets.grouptravel.facts.money import CENTS, cents
from assets.grouptravel.facts.trips import Trip
from assets.grouptravel.facts.world import World, trip_of
from assets.grouptravel.firm_wishes.clashes import Bound, Way, least_paid
from assets.grouptravel.firm_wishes.wishes import OF_CITY, Firm, firm_of
from assets.grouptravel.records import skeleton_of, tables_of
from assets.grouptravel.wishes.candidates import CityCandidates, city_candidates, reach
from assets.grouptravel.wishes.postvalidation import Setting, problems
from assets.grouptravel.wishes.preferences import CITIES, GLOBAL, Table, copy_of
from schemas.stable import stable_hash

EACH = 6
"""Sights, and kinds of food, that are tried for a member in a city."""

FINER = 10
"""Budgets are tried that are multiples of the section's step, and of it divided by this: just below what is needed."""

EASY = frozenset({"budget_covers", "item_counts"})
"""Rules that a table without a solution may break: they keep tables easy to please, or short."""


class Changes:
    """The changes of one wish that a world's records allow."""

    def __init__(self, world: World, budget_step: int, seed: int) -> None:
        """Take budgets as multiples of the section's step."""
        self._world, self._step, self._seed = world, budget_step, seed
        self._candidates_by_city: dict[str, CityCandidates] = {}

    def of(self, record: Mapping[str, Any], bound: Bound, ways: list[Way]) -> Iterator[tuple[Firm, dict[str, Any]]]:
        """Yield each new wish with the record that holds it."""
        skeleton = skeleton_of("", record)
        trip = trip_of(skeleton, tables_of(record), self._world.names)
        cities = {key: self._candidates(key) for key in skeleton.city_ids}
        reached = reach(skeleton, cities, self._world.fares_by_id)
        setting = Setting({of.name: of for of in cities.values()}, reached, self._world.vocabulary)
        for number, table in sorted(tables_of(record).items()):
            user = f"User{number}"
            if user in trip.compromisable or BY_ID[skeleton.group_id].roles[number - 1].is_minor:
                continue
            for wish in self._wishes(user, table, trip, bound, ways, setting):
                changed = _with(table, wish)
                if not {problem.rule for problem in problems(changed, setting)} - EASY:
                    entries = record["user_preferences"]
                    entry = {**entries[user], "preference": changed}
                    yield wish, {**record, "user_preferences": {**entries, user: entry}}

    def _candidates(self, city_id: str) -> CityCandidates:
        if city_id not in self._candidates_by_city:
            world = self._world
            self._candidates_by_city[city_id] = city_candidates(world.names[city_id], world.pois, world.vocabulary)
        return self._candidates_by_city[city_id]

    def _wishes(
        self, user: str, table: Table, trip: Trip, bound: Bound, ways: list[Way], setting: Setting
    ) -> Iterator[Firm]:
        for budget in self._budgets(user, table, trip, bound, ways):
            yield Firm(user, "budget", "", str(budget))
        for city, candidates in setting.cities.items():
            wished_values = {one.value for one in firm_of(user, table) if one.city == city}
            sights = (
                Firm(user, "must_visit", city, poi.name)
                for poi in candidates.attractions
                if poi.name not in wished_values
            )
            shut = (one for one in self._by_lot(sights, trip) if bound.is_shut_on_some(one, trip, ways))
            yield from islice(shut, EACH)
            kinds = (
                Firm(user, "must_eat", city, kind) for kind in candidates.food_categories if kind not in wished_values
            )
            yield from self._by_lot(kinds, trip)[:EACH]

    def _by_lot(self, wishes: Iterator[Firm], trip: Trip) -> list[Firm]:
        return sorted(wishes, key=lambda one: stable_hash(LEVEL, self._seed, *trip.route, *one))

    def _budgets(self, user: str, table: Table, trip: Trip, bound: Bound, ways: list[Way]) -> list[int]:
        """Return the largest multiples of a small step and of the section's below what the user has to pay, if any."""
        least, current_budget = least_paid(user, trip, ways, bound), table[GLOBAL]["avg_budget"]
        if least is None:
            return []
        steps = (max(1, self._step // FINER), self._step)
        below = {(cents(least) - 1) // (CENTS * step) * step for step in steps}
        return sorted((budget for budget in below if 0 < budget < (current_budget or least)), reverse=True)


def _with(table: Table, wish: Firm) -> Table:
    """Return the table with one wish more, or another budget."""
    changed = copy_of(table)
    if wish.kind == "budget":
        changed[GLOBAL]["avg_budget"] = int(wish.value)
    else:
        group, tier = OF_CITY[wish.kind]
        changed[CITIES][wish.city][group][tier].append(wish.value)
    return changed
