"""What a plan pays for splitting the group: K teams at once cost K - 1 (published benchmarks, 3.F), in three variants.

Released: within a city block, activities with an explicit list of participants that overlap, also through others, form
an event; it costs K - 1 if its K distinct lists share nobody, and nothing otherwise. So teams that re-mix while another
activity bridges the gap pay nothing (G7), and so do those that leave the others without an entry. Ours follows every
user over the whole day: an event lasts while the same people are together and apart, and who has no entry is a team.
"""

from __future__ import annotations

from assets.grouptravel.plan import LOCAL, MINUTES_PER_DAY, Activity, Day, Plan
from assets.grouptravel.variants import Variant

SPLITTABLE = ("attraction", "food", "rest", LOCAL)
"""Types of activity that teams may have apart (released code)."""

Team = frozenset[str]


def split_penalty(plan: Plan, users: tuple[str, ...], variant: Variant) -> int:
    """Return what the plan's splits cost the group, over all days."""
    if not variant.splits_cannot_be_dodged:
        return sum(_chained(block.activities or ()) for day in plan.days for block in day.blocks)
    return sum(_followed(day, users) for day in plan.days)


def _chained(activities: tuple[Activity, ...]) -> int:
    """Return the released penalty of one city block."""
    apart = [a for a in activities if a.kind in SPLITTABLE and a.participants and list(a.participants) != ["All"]]
    total = 0
    for event in _chains(apart):
        teams = {frozenset(act.participants or ()) for act in event}
        if sum(map(len, teams)) == len(frozenset().union(*teams)):
            total += len(teams) - 1
    return total


def _chains(activities: list[Activity]) -> list[list[Activity]]:
    """Return activities that overlap, also through others, together; what has no times overlaps nothing."""
    chains: list[list[Activity]] = [[act] for act in activities if not act.is_timed]
    latest = -1
    for start, end, act in sorted(
        ((act.start or 0, act.end or 0, act) for act in activities if act.is_timed), key=lambda one: one[:2]
    ):
        if start < latest:
            chains[-1].append(act)
        else:
            chains.append([act])
        latest = max(latest, end)
    return chains


def _followed(day: Day, users: tuple[str, ...]) -> int:
    """Return our penalty of one day: the sum over its events of teams - 1."""
    apart = []
    for block in day.blocks:
        for act in block.activities or ():
            start, end, team = act.start, act.end, frozenset(act.joined_by(users))
            if act.kind == "hotel" or start is None or end is None or not team or len(team) == len(users):
                continue
            apart.append((start, end if end > start else MINUTES_PER_DAY, team))
    total = 0
    event: _Event | None = None
    going: list[tuple[int, int, Team]] = []
    for at in sorted({minute for start, end, _ in apart for minute in (start, end)}):
        # An activity that begins as the last ones end is a new event, as in the published overlap of open intervals.
        bridging = [one for one in going if at < one[1]]
        going = bridging + [one for one in apart if one[0] == at < one[1]]
        teams = [team for _, _, team in going]
        if event is not None and not (bridging and event.admits(teams)):
            total += event.teams - 1
            event = None
        if teams:
            event = event or _Event(users)
            event.add(teams)
    return total + (event.teams - 1 if event is not None else 0)


class _Event:
    """A stretch of time in which whoever was together stays together, and whoever was apart stays apart."""

    def __init__(self, users: tuple[str, ...]):
        self._users = frozenset(users)
        self._team_sets: set[frozenset[Team]] = set()
        self._together: list[Team] = []
        self._apart: set[tuple[str, str]] = set()

    def admits(self, teams: list[Team]) -> bool:
        """Return whether these teams, at one moment, contradict nothing of the event so far."""
        if frozenset(teams) in self._team_sets:
            return True
        merged = _merged([*self._together, *teams])
        apart = self._apart | _pairs_apart(teams, self._users)
        team_of = {user: number for number, team in enumerate(merged) for user in team}
        return not any(team_of.get(a, -1) == team_of.get(b, -2) for a, b in apart)

    def add(self, teams: list[Team]) -> None:
        """Take the teams of one more moment into the event."""
        if frozenset(teams) in self._team_sets:
            return
        self._team_sets.add(frozenset(teams))
        self._together = _merged([*self._together, *teams])
        self._apart |= _pairs_apart(teams, self._users)

    @property
    def teams(self) -> int:
        """Return how many teams there are; those that never had an entry are one."""
        return len(self._together) + (self._users > frozenset().union(*self._together))


def _pairs_apart(teams: list[Team], users: Team) -> set[tuple[str, str]]:
    """Return every pair of users of which one is in a team and the other is not."""
    mates: dict[str, Team] = {}
    for team in teams:
        for user in team:
            mates[user] = mates.get(user, team) | team
    return {(user, other) for user, with_user in mates.items() for other in users - with_user}


def _merged(teams: list[Team]) -> list[Team]:
    merged: list[Team] = []
    for team in teams:
        touching = [other for other in merged if other & team]
        merged = [other for other in merged if not other & team] + [team.union(*touching)]
    return merged
