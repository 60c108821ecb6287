"""What an agent that has asked everybody finds to clash, from what members said and what its tools say alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any

from assets.core.claims import Wish
from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Trip, leg_day_choices
from assets.grouptravel.firm_wishes.clashes import Bound, Way, easiest_of, least_paid, smallest
from assets.grouptravel.firm_wishes.wishes import Firm, wishes_of
from assets.grouptravel.vocabulary import Language
from assets.grouptravel.witness.stretches import NoPlanError

Running = Callable[[str, str, dt.date], list[Service]]
"""What runs from one city to another on a day."""

GIVE_WAY: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "budget": "@{user} Could you raise your budget to {least}?",
        "": "@{user} Could you do without “{value}”?",
    },
    "zh": {"budget": "@{user} 您能不能把预算提高到{least}？", "": "@{user} 您能不能放弃“{value}”？"},
}


class FaresOnDemand(Fares):
    """Services that are asked for when they are needed."""

    def __init__(self, running: Running) -> None:
        super().__init__({})
        self._running = running

    def services(
        self, origin: str, dest: str, *, mode: str | None = None, date: dt.date | None = None
    ) -> list[Service]:
        """Return the services of a date, of one mode where it is given; none without a date."""
        timetable = self._running(origin, dest, date) if date is not None else []
        return [service for service in timetable if mode in (None, service.mode)]


class Clashing:
    """The firm wishes of one group that clash, as far as its agent knows."""

    def __init__(
        self,
        trip: Trip,
        places: Mapping[tuple[str, str], Sequence[Poi]],
        running: Running,
        hours: Callable[[Poi], Any],
    ) -> None:
        """Take the places by city and kind; `hours` are asked for when they are needed."""
        by_city: dict[str, list[Poi]] = {}
        for (city, _), listed in places.items():
            by_city.setdefault(city, []).extend(listed)
        self._trip, self._bound = trip, Bound(Pois(by_city), FaresOnDemand(running), hours)

    def clashing_wishes(self, yielding: Collection[str]) -> tuple[Firm, ...]:
        """Return wishes that clash, those of members who are `yielding` apart; nothing where none do, or none can tell.

        The trip's own days are looked at first: if they leave a way, no others are asked for.
        """
        trip = replace(self._trip, compromisable=tuple(yielding))
        ways: list[Way] = []
        try:
            for spreads in ([trip.leg_days], leg_day_choices(trip.days, len(trip.route) - 2)):
                ways.clear()
                for way in self._bound.each_way(trip, spreads):
                    if not way.reasons:
                        return ()
                    ways.append(way)
                if not ways:
                    return ()
        except NoPlanError:
            return ()
        wishes = wishes_of(trip.tables, trip.compromisable)
        clash: Sequence[Wish] = smallest(easiest_of(ways), [one.wish for one in wishes]) or ()
        self._ways: list[Way] = ways
        return tuple(one for one in wishes if one.wish in clash)

    def question(self, one: Firm, language: Language) -> str:
        """Return the question whether a member gives way in one of the `clashing_wishes`."""
        if one.kind != "budget":
            return GIVE_WAY[language][""].format(user=one.user, value=one.value)
        least = least_paid(one.user, self._trip, self._ways, self._bound)
        # Where the others' wishes leave no way at all, money is not the matter: any higher budget shows who gives way.
        return GIVE_WAY[language]["budget"].format(user=one.user, least=ceil(least or 2 * float(one.value)))
