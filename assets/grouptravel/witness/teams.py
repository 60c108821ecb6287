"""Plans with splits: the best found, and what no plan that `ours` accepts exceeds.

The search keeps the legs and beds of the plan together, estimates by what the best places are worth to every set of
users which division of the group, on how many days, gains more than it costs, and has the solver plan each team's own
days. A day on which the group goes from city to city can be spent apart in each; the legs are everybody's.

The bounds: everybody's share of an accepted plan, taken alone, is an accepted plan of theirs, for caps, time, budget
and visits are each user's own, and legs and beds are shared. So the users' points are at most the sum of what each
could reach alone, and a plan that is apart at all pays at least 1; one that never is, is a plan together. The other
bound is that of `split_bound.py`. The lower one counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from assets.grouptravel.conditions import CAP_RANGES, MEAL_WINDOWS
from assets.grouptravel.facts.fares import Fares
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Best, Choice, Team, Teams, Trip
from assets.grouptravel.solver import Beside, KeptPlan, NoPlanError, bound_of, solve
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.wishes.preferences import CITIES, FIELDS, GLOBAL, Table, copy_of, put
from assets.grouptravel.witness.split_bound import split_bound
from assets.grouptravel.witness.stretches import NO_CAP
from assets.grouptravel.witness.worth import KINDS, classes_of

TEAM_LIMIT = 0.3
ALONE_LIMIT = 0.05
"""Of CP-SAT's deterministic time: for a team's own days, and for what one user alone can reach."""

TEAMS_SOLVED = 8
"""Teams whose days are planned, in one division or a few."""

ALONE_SHARE = 0.88
"""The part of what users can reach alone at most that being alone every day is estimated to reach [I].

Plans reach 0.92 of it at the median in Helsinki; estimated a little below, it is planned only where others fall short:
a third more time for drafts there instead of twice as much, and the same worst gap (`perf/README.md`).
"""

FEW, MANY = 2, 1_000
"""Of more users than FEW in cities of more places than MANY nobody's own best is sought for the bound: there it comes
out above the other bound, and would take most of a search's time."""

MOST_ALIKE = 60
"""Places that users cannot tell apart, of which an estimate counts no more."""

_Worth = dict[tuple[str, str], np.ndarray]


@dataclass(frozen=True)
class Division:
    """A way to be apart: the teams, the days, and the points it is estimated to gain."""

    teams: tuple[Team, ...]
    days: frozenset[int]
    gain: int


class Splits:
    """The search for one trip's plans with splits, with or without compromise, from the best plan `together`."""

    def __init__(
        self,
        trip: Trip,
        together: Best,
        pois: Pois,
        fares: Fares,
        vocabulary: Vocabulary,
        *,
        with_compromise: bool,
        solved: dict[Any, Any] | None = None,
    ):
        """Take what is `solved` with and without compromise, to share it.

        Who may not compromise cannot, and of one plan together a team has the same choices on the same days.
        """
        self._original_trip, self._together = trip, together
        tables = {user: _given_up(table, user, together) for user, table in trip.tables.items()}
        self._trip = replace(trip, tables=tables, leg_days=together.leg_days, compromisable=())
        self._pois, self._fares, self._words = pois, fares, vocabulary
        self._with_compromise = with_compromise
        self._users = tuple(trip.tables)
        self._solved = solved if solved is not None else {}
        self._tops: dict[tuple[Team, tuple[str, ...]], list[tuple[int, np.ndarray]]] = {}
        beds, choices = (
            (bed.place_id for bed in together.beds),
            ((c.day, c.start, c.end, c.poi.place_id, c.team) for c in together.choices),
        )
        self.plan_key = (
            together.legs,
            together.leg_days,
            tuple(beds),
            tuple(choices),
            together.given_up,
            together.rides,
        )

    def bound(self, floor: int) -> int:
        """Return what no plan exceeds, at least what is `floor`: the least of the two bounds of splits."""
        trip = (
            replace(self._original_trip, tables=all_given_up(self._original_trip))
            if self._with_compromise
            else self._original_trip
        )
        split = split_bound(trip, self._pois, self._fares, self._words, floor)
        if split <= floor or not self._bounds_alone:
            return split
        alone = sum(self._alone(user) for user in self._users)
        return min(max(self._together.bound, alone - 1), split)

    @property
    def _bounds_alone(self) -> bool:
        """Return whether it is worth a search what each user can reach alone."""
        places = sum(len(self._pois.in_city(city)) for city in {*self._original_trip.route[1:-1]})
        return len(self._users) <= FEW or places <= MANY

    def divisions(self) -> Iterator[Division]:
        """Yield the ways to be apart that are worth planning, the most promising first.

        Everybody alone every day comes last, beside the TEAMS_SOLVED: it takes longest to plan, and its estimate is of
        another kind.
        """
        solved = 0
        for division in self._divided():
            solved += len(division.teams)
            if solved > TEAMS_SOLVED:
                break
            yield division
        yield from self._each_alone()

    def plans(self, division: Division) -> Iterator[Best]:
        """Yield the plans of one division; `total` is not theirs to say: the scorer knows."""
        with suppress(NoPlanError):
            parts = self._parts(division, [], is_strict=False)
            yield self._joined(division, parts)
            if len(parts) > 2 and _begin_or_end_together(parts):
                yield self._joined(division, self._parts(division, parts[:1], is_strict=True))

    def _alone(self, user: str, children: Team = ()) -> int:
        """Return what no plan of the user alone exceeds, or of the user with the children."""
        able = tuple(giver for giver in self._original_trip.compromisable if giver == user)
        key = (user, children, self._with_compromise and bool(able))
        if key not in self._solved:
            alone = replace(
                self._original_trip,
                tables={user: self._original_trip.tables[user]},
                children=children,
                compromisable=able,
            )
            self._solved[key] = bound_of(
                alone, self._pois, self._fares, self._words, with_compromise=self._with_compromise, limit=ALONE_LIMIT
            )
        return self._solved[key]

    def _parts(self, division: Division, begun: list[Best], *, is_strict: bool) -> list[Best]:
        """Return each team's days, after those that are there: the second at other minutes than the first's."""
        parts = [*begun]
        for number in range(len(begun), len(division.teams)):
            shunned = _edges(parts[0]) if number == 1 else {}
            parts.append(
                self._plan(division, number, Beside(number, shunned, is_strict and number == 1, _comes(parts)))
            )
        return parts

    def _plan(self, division: Division, number: int, beside: Beside) -> Best:
        """Return a team's best days of its own, beside those of another."""
        team = division.teams[number]
        tables = {user: table for user, table in self._trip.tables.items() if user in team}
        children = tuple(child for child in self._trip.children if child in team)
        together, kept_choices = self._together, self._kept_choices(division)
        spent = sum(leg.price for leg in together.legs) + sum(bed.cost or 0.0 for bed in together.beds)
        spent += sum(choice.poi.cost or 0.0 for choice in kept_choices if choice.poi.poi_type == "food")
        spent += sum(paid for day, paid in enumerate(together.rides) if day not in division.days)
        visited_ids = frozenset(choice.poi.place_id for choice in kept_choices if not choice.is_to_bed)
        kept_plan = KeptPlan(together.legs, together.beds, division.days, spent, visited_ids)
        return solve(
            replace(self._trip, tables=tables, children=children), self._pois, self._fares, self._words,
            kept_plan=kept_plan, beside=beside, limit=TEAM_LIMIT,
            relaxed_plans=self._solved.setdefault((self.plan_key, team, division.days), {}),
        )  # fmt: skip

    def _kept_choices(self, division: Division) -> list[Choice]:
        return [choice for choice in self._together.choices if choice.day not in division.days]

    def _joined(self, division: Division, parts: list[Best]) -> Best:
        choices = [*self._kept_choices(division), *(choice for part in parts for choice in part.choices)]
        together = self._trip.together
        teams: Teams = tuple(
            division.teams if day in division.days else together[day] for day in range(self._trip.days)
        )
        return replace(
            self._together,
            choices=tuple(sorted(choices, key=lambda c: (c.day, c.team, c.start, c.end))),
            teams=teams,
        )

    def _divided(self) -> list[Division]:
        """Return the divisions that are estimated to gain by it, best first, each on as many days as gain the most.

        A day in two cities is two splits. Each division that gains by one is there without such days too.
        """
        worth, days, between = self._worth(), self._days(), self._between()
        divisions = []
        for teams in _divisions(self._users):
            apart: set[int] = set()
            gain = 0
            for city, listed in days.items():
                gains = [self._gain(worth, teams, (city,), n) for n in range(1, len(listed) + 1)]
                best = max(gains, default=0)
                if best > 0:
                    apart |= set(listed[: gains.index(best) + 1])
                    gain += best
            team = ((*teams[0], *self._trip.children), *teams[1:])
            if apart:
                divisions.append(Division(team, frozenset(apart), gain))
            more = {day: self._gain(worth, teams, cities, 1) for day, cities in between.items()}
            more = {day: points for day, points in more.items() if points > 0}
            if more:
                divisions.append(Division(team, frozenset(apart | {*more}), gain + sum(more.values())))
        return sorted(divisions, key=lambda division: (-division.gain, len(division.teams), division.teams))

    def _each_alone(self) -> Iterator[Division]:
        """Yield the division of all users on all days, where what each can reach alone is more than the splits cost.

        The children go with whoever loses least by going only where and when they may.

        The estimates by places know nothing of hours, time and money: where these are why a group finds little
        together, they see nothing to be gained by parting.
        """
        if not self._bounds_alone or len(self._users) < 2:
            return
        days, between = self._days(), self._between()
        n = sum(map(len, days.values())) + sum(map(len, between.values()))
        worth_by_user, children = {user: self._alone(user) for user in self._users}, self._trip.children
        minding = {user: self._alone(user, children) if children else worth_by_user[user] for user in self._users}
        guardian = max(self._users, key=lambda user: minding[user] - worth_by_user[user])
        alone = sum(worth_by_user.values()) + minding[guardian] - worth_by_user[guardian]
        gain = int(ALONE_SHARE * alone) - n * (len(self._users) - 1) - self._together.total
        if gain > 0:
            every_day = frozenset({*between, *(day for listed in days.values() for day in listed)})
            others = ((user,) for user in self._users if user != guardian)
            yield Division(((guardian, *children), *others), every_day, gain)

    def _between(self) -> dict[int, tuple[str, ...]]:
        """Return the days that are spent in two cities or more, with the cities."""
        legs = self._together.leg_days
        cities_by_day: dict[int, tuple[str, ...]] = {}
        for day in range(self._trip.days):
            cities = [c for nth, c in enumerate(self._trip.route[1:-1]) if legs[nth] <= day <= legs[nth + 1]]
            if len(cities) > 1:
                cities_by_day[day] = tuple(cities)
        return cities_by_day

    def _days(self) -> dict[str, list[int]]:
        """Return, by city, the days that are spent in it alone, those without a leg first."""
        days_by_city: dict[str, list[int]] = {}
        legs = self._together.leg_days
        for nth, city in enumerate(self._trip.route[1:-1]):
            city_days = [
                day for day in range(legs[nth], legs[nth + 1] + 1) if legs.count(day) < 2 and self._is_alone(day, nth)
            ]
            days_by_city.setdefault(city, []).extend(sorted(city_days, key=lambda day: (day in legs, day)))
        return days_by_city

    def _is_alone(self, day: int, nth: int) -> bool:
        """Return whether the day is spent in no other city: it has no leg, or begins the trip or ends it."""
        legs = self._together.leg_days
        is_first, is_last = day == legs[nth], day == legs[nth + 1]
        return (not is_first or nth == 0) and (not is_last or nth == len(legs) - 2)

    def _gain(self, worth: _Worth, teams: tuple[Team, ...], cities: tuple[str, ...], n: int) -> int:
        """Return what the teams' best places of n days are worth above the whole group's, less the splits."""
        apart = sum(self._top(worth, team, cities, n) for team in teams)
        return apart - self._top(worth, self._users, cities, n) - n * len(cities) * (len(teams) - 1)

    def _top(self, worth: _Worth, team: Team, cities: tuple[str, ...], n: int) -> int:
        """Return what the team's best places are worth that n days in these cities can hold."""
        key = (team, cities)
        if key not in self._tops:
            columns, listed = [self._users.index(user) for user in team], []
            caps = [self._trip.tables[user][GLOBAL]["intensity"]["max_poi_per_day"] or NO_CAP for user in team]
            for kind, most in zip(KINDS, (int(min(caps)), len(MEAL_WINDOWS)), strict=True):
                rows = [worth[city, kind] for city in cities if (city, kind) in worth]
                sums = np.concatenate([of[:, columns].sum(axis=1) for of in rows]) if rows else np.zeros(0, dtype=int)
                listed.append((most, np.concatenate([[0], np.cumsum(np.sort(np.maximum(sums, 0))[::-1])])))
            self._tops[key] = listed
        return sum(int(sums[min(n * most, len(sums) - 1)]) for most, sums in self._tops[key])

    def _worth(self) -> dict[tuple[str, str], np.ndarray]:
        """Return what places are worth to each user, by city and kind: a row a place, MOST_ALIKE of equals at most."""
        rows: dict[tuple[str, str], list[tuple[int, ...]]] = {}
        for one in classes_of(self._trip, self._pois, self._words):
            rows.setdefault((one.city, one.kind), []).extend([one.points] * min(one.size, MOST_ALIKE))
        return {key: np.array(listed) for key, listed in rows.items()}


def _edges(plan: Best) -> dict[int, frozenset[int]]:
    """Return, by day, the minutes at which visits of a plan begin and end."""
    minutes_by_day: dict[int, set[int]] = defaultdict(set)
    for choice in plan.choices:
        if not choice.is_to_bed:
            minutes_by_day[choice.day] |= {choice.start, choice.end}
    return {day: frozenset(minutes) for day, minutes in minutes_by_day.items()}


def _comes(parts: list[Best]) -> dict[int, dict[str, tuple[int, ...]]]:
    """Return when these teams come to places, by day and place."""
    arrivals_by_day: dict[int, dict[str, tuple[int, ...]]] = defaultdict(dict)
    for choice in (choice for part in parts for choice in part.choices if not choice.is_to_bed):
        at = arrivals_by_day[choice.day]
        at[choice.poi.place_id] = (*at.get(choice.poi.place_id, ()), choice.start)
    return arrivals_by_day


def _begin_or_end_together(parts: list[Best]) -> bool:
    """Return whether on some day all teams begin or end a visit at one minute: then the day is two splits."""
    edges = [_edges(part) for part in parts]
    return any(frozenset.intersection(*(of.get(day, frozenset()) for of in edges)) for day in edges[0])


def _given_up(table: Table, user: str, plan: Best) -> Table:
    """Return the user's table after what is given up for the plan: refusals emptied, caps raised, no budget."""
    changed = copy_of(table)
    paths = {path for who, path in plan.given_up if who == user}
    for field in FIELDS:
        for city in changed[CITIES] if field.per_city else ("",):
            if field.name.replace("*", city, 1) in paths:
                cap = CAP_RANGES.get(field.path[-1], 0)
                put(changed, field, city, [] if field.is_list else cap)
    return changed


def all_given_up(trip: Trip) -> dict[str, Table]:
    """Return the tables as if all who may compromise gave up all they can: no plan with compromises is worth more.

    A refusal emptied is worth at least as much as one shortened, and a cap is raised at most to CAP_RANGES.
    """
    tables = {}
    for user, table in trip.tables.items():
        tables[user] = copy_of(table)
        for field in FIELDS if user in trip.compromisable else ():
            for city in tables[user][CITIES] if field.per_city else ("",):
                if field.is_list and field.sign < 0:
                    put(tables[user], field, city, [])
                elif field.path[-1] in CAP_RANGES:
                    cap = tables[user][GLOBAL]["intensity"][field.path[-1]]
                    put(tables[user], field, city, max(cap, CAP_RANGES[field.path[-1]]) if cap > 0 else cap)
    return tables


def _divisions(users: Team) -> Iterator[tuple[Team, ...]]:
    """Yield every division of the users into two or more teams."""

    def divided(users_left: Team) -> Iterator[tuple[Team, ...]]:
        if not users_left:
            yield ()
            return
        first, rest = users_left[0], users_left[1:]
        for n in range(len(rest) + 1):
            for others in combinations(rest, n):
                for more in divided(tuple(user for user in rest if user not in others)):
                    yield ((first, *others), *more)

    yield from (division for division in divided(users) if len(division) > 1)
