"""Plans with splits: the best found, and what no plan of the declared set exceeds.

The search keeps the legs and hotels of the plan together, estimates by what the best places are worth to every set of
users which division of the group, on which days, gains more than it costs, and has the solver plan each team's own
days. The bound is what the users would get if each travelled alone, less one for the split.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from assets.grouptravel.facts.fares import Fares
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import SLOTS, Best, Choice, Team, Teams, Trip
from assets.grouptravel.solver import Held, NoPlanError, solve
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.witness.worth import KINDS, most_gained, options_of

SPLIT_LIMIT = 2.0
"""Of CP-SAT, about as many seconds: for all searches for one task's plans with splits."""

TEAMS_SOLVED = 8
"""Teams whose days are planned, in one division or a few; each may take its share of the limit."""

ALONE_LIMIT = 0.3
"""For what one user alone can reach; where the limit ends the search, its bound counts."""


class Splits:
    """The search for one trip's plans with splits, with or without compromise, from the optimum `together`."""

    def __init__(
        self,
        trip: Trip,
        together: Best,
        pois: Pois,
        fares: Fares,
        vocabulary: Vocabulary,
        *,
        with_compromise: bool,
        solved: dict[Any, Best] | None = None,
    ):
        """Take what the searches with and without compromise `solved`, to share it: who may not compromise cannot."""
        self._trip, self._together = trip, together
        self._pois, self._fares, self._words = pois, fares, vocabulary
        self._with_compromise = with_compromise
        self._users = tuple(trip.tables)
        self._solved = solved if solved is not None else {}

    def bound(self) -> int:
        """Return what no plan exceeds: the optimum together, or what all reach alone less one for a split."""
        alone = sum(self._best_of((user,), ALONE_LIMIT).bound for user in self._users)
        return max(self._together.total, alone - 1)

    def plans(self) -> Iterator[Best]:
        """Yield plans with splits, the most promising first; `total` is not theirs to say: the scorer knows."""
        solved = 0
        for division, days in self._divided():
            solved += len(division)
            if solved > TEAMS_SOLVED:
                return
            try:
                parts = [self._plan(team, days, len(division)) for team in division]
            except NoPlanError:
                continue
            yield self._joined(division, days, parts)

    def _of(self, team: Team) -> Trip:
        tables = {user: table for user, table in self._trip.tables.items() if user in team}
        with_children = tuple(child for child in self._trip.children if child in team)
        able = tuple(user for user in self._trip.compromisable if user in team)
        return replace(self._trip, tables=tables, children=with_children, compromisable=able)

    def _plan(self, team: Team, days: frozenset[int], n: int) -> Best:
        """Return the team's best days of its own, all else as together."""
        return self._best_of(team, SPLIT_LIMIT / TEAMS_SOLVED, Held(self._together, days, n - 1))

    def _best_of(self, team: Team, limit: float, held: Held | None = None) -> Best:
        """Return what the solver finds for a team, once for all of whom the model is the same."""
        trip = self._of(team)
        key = (team, self._with_compromise and bool(trip.compromisable), limit, held and held.key)
        if key not in self._solved:
            self._solved[key] = solve(
                trip, self._pois, self._fares, self._words,
                with_compromise=self._with_compromise, held=held, limit=limit,
            )  # fmt: skip
        return self._solved[key]

    def _joined(self, division: tuple[Team, ...], days: frozenset[int], parts: list[Best]) -> Best:
        choices: list[Choice] = [choice for choice in self._together.choices if choice.day not in days]
        for number, part in enumerate(parts):
            choices += [replace(choice, team=number) for choice in part.choices if choice.day in days]
        teams: Teams = tuple(division if day in days else self._trip.together[day] for day in range(self._trip.days))
        return replace(
            self._together,
            choices=tuple(sorted(choices, key=lambda c: (c.day, c.team, c.slot))),
            teams=teams,
            given_up=tuple(sorted(given for part in parts for given in part.given_up)),
        )

    def _divided(self) -> list[tuple[tuple[Team, ...], frozenset[int]]]:
        """Return the divisions that are estimated to gain by it with the days that they are apart, best first."""
        trip = self._trip
        days: dict[int, tuple[str, int, int]] = {}
        for day in range(trip.days):
            chosen = [choice for choice in self._together.choices if choice.day == day]
            kinds = [SLOTS[choice.slot][0] for choice in chosen]
            if len({choice.city for choice in chosen}) == 1:
                days[day] = (chosen[0].city, kinds.count("attractions"), kinds.count("food"))
        worth = self._worth()
        value = {key: {t: _day(worth, self._users, t, key) for t in _sets(self._users)} for key in set(days.values())}
        found = []
        for number, division in enumerate(_divisions(self._users)):
            gains = {
                key: sum(of[team] for team in division) - of[self._users] - len(division) + 1
                for key, of in value.items()
            }
            apart = frozenset(day for day, key in days.items() if gains[key] > 0)
            if apart:
                with_children = ((*division[0], *trip.children), *division[1:])
                found.append((-sum(gains[days[day]] for day in apart), number, with_children, apart))
        return [(division, apart) for _, _, division, apart in sorted(found, key=lambda entry: entry[:2])]

    def _worth(self) -> dict[tuple[str, str], np.ndarray]:
        """Return what the places that anyone likes best are worth to each user, by city and kind."""
        found: dict[tuple[str, str], list[tuple[int, ...]]] = {}
        for option in options_of(
            self._trip, self._pois, self._words, with_compromise=self._with_compromise, apart=True
        ):
            gains = {user: most_gained(gain) for user, gain in option.gains}
            points = tuple(p + gains.get(user, 0) for user, p in zip(self._users, option.points, strict=True))
            found.setdefault((option.city, option.kind), []).extend([points] * len(option.members))
        return {key: np.array(rows) for key, rows in found.items()}


def _day(worth: dict[tuple[str, str], np.ndarray], users: Team, team: Team, key: tuple[str, int, int]) -> int:
    """Return what the best places for the day's numbers of sights and meals are worth to the team."""
    city, *numbers = key
    columns, total = [users.index(user) for user in team], 0
    for kind, n in zip(KINDS, numbers, strict=True):
        rows = worth.get((city, kind))
        if rows is not None:
            total += int(np.sort(rows[:, columns].sum(axis=1))[::-1][:n].sum())
    return total


def _sets(users: Team) -> Iterator[Team]:
    for n in range(1, len(users) + 1):
        yield from combinations(users, n)


def _divisions(users: Team) -> Iterator[tuple[Team, ...]]:
    """Yield every division of the users into two or more teams."""

    def divided(left: Team) -> Iterator[tuple[Team, ...]]:
        if not left:
            yield ()
            return
        first, rest = left[0], left[1:]
        for n in range(len(rest) + 1):
            for others in combinations(rest, n):
                for more in divided(tuple(user for user in rest if user not in others)):
                    yield ((first, *others), *more)

    yield from (division for division in divided(users) if len(division) > 1)
