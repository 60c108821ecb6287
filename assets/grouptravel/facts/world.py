"""What tasks are drawn from and judged by: cities with their candidates, fares, profiles, words; from the tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from assets.grouptravel.facts.fares import Fares
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.profiles import Profile, read_profiles
from assets.grouptravel.facts.trips import Trip
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.skeleton import Skeleton
from assets.grouptravel.tables import GroupCity, GroupCluster
from assets.grouptravel.vocabulary import VOCABULARIES, Vocabulary
from assets.grouptravel.wishes.candidates import CityCandidates, city_candidates, leg_dates
from assets.grouptravel.wishes.preferences import Table
from schemas.recipe import City

if TYPE_CHECKING:
    import pandas as pd

TIERS = (3, 2, 1)
"""Weights of the destinations' thirds, the one with the most sights first; our choice [I]."""


@dataclass(frozen=True)
class Part:
    """What the plans of one trip are made of and judged by: the places and services of its cities, and the words."""

    pois: Pois
    fares: Fares
    vocabulary: Vocabulary
    names: Mapping[str, str]


class World:
    """The tables of one recipe as drafts, tasks and certificates read them. Names are those of tasks and plans.

    Places and services are given as rows, and as they are looked up.
    """

    def __init__(
        self,
        city: pd.DataFrame,
        poi: pd.DataFrame,
        fare: pd.DataFrame,
        calendar: pd.DataFrame,
        vocabulary: Vocabulary,
        *,
        pois: Pois,
        fares: Fares,
        cluster: pd.DataFrame | None = None,
        profile: pd.DataFrame | None = None,
        currency: str = "",
    ):
        rows = city.to_dict("records")
        self.vocabulary, self.currency = vocabulary, currency
        self.city_rows, self.cluster_rows, self.poi_rows = city, cluster, poi
        self.names: dict[str, str] = {str(row["city_id"]): str(row["name"]) for row in rows}
        self.pois, self.fares = pois, fares
        self.fare_rows, self.calendar_rows = fare, calendar
        self._profile_rows = profile

    @cached_property
    def candidates(self) -> dict[str, CityCandidates]:
        """Return what tables may name of each city, by its id."""
        return {key: city_candidates(name, self.pois, self.vocabulary) for key, name in self.names.items()}

    @cached_property
    def fares_by_id(self) -> Fares:
        """Return the fares by cities' ids, as the drawing of drafts asks for them."""
        return Fares.of_frame(self.fare_rows, self.calendar_rows)

    @cached_property
    def profiles(self) -> list[Profile]:
        """Return the users from whom members are drawn."""
        return read_profiles(self._profile_rows) if self._profile_rows is not None else []

    def profile(self, profile_id: str) -> Profile:
        """Return one of them."""
        return next(candidate for candidate in self.profiles if candidate.profile_id == profile_id)

    def trip(self, skeleton: Skeleton, tables: dict[int, Table]) -> Trip:
        """Return what is to be planned for a skeleton and its members' tables."""
        return trip_of(skeleton, tables, self.names)

    def part(self, trip: Trip) -> Part:
        """Return what of the world a plan of the trip can name."""
        return Part(self.pois.of_cities(trip.route), self.fares.between(trip.route), self.vocabulary, self.names)


def trip_of(skeleton: Skeleton, tables: Mapping[int, Table], names: Mapping[str, str]) -> Trip:
    """Return what is to be planned for a skeleton and its members' tables; `names` gives each city_id's name."""
    offsets = tuple((date - skeleton.first_date).days for date in leg_dates(skeleton))
    members = range(1, len(skeleton.archetype.roles) + 1)
    return Trip(
        tuple(names[city] for city in skeleton.route),
        offsets,
        skeleton.first_date,
        {f"User{n}": table for n, table in sorted(tables.items())},
        children=tuple(f"User{n}" for n in members if n not in tables),
        compromisable=tuple(f"User{n}" for n in skeleton.compromisable),
    )


def group_cities(poi: pd.DataFrame, *, cities: list[City], section: GroupTravelSection) -> pd.DataFrame:
    """Return the recipe's cities: all to set out from, those with places enough to go to, weighted by their thirds."""
    import pandas as pd  # the family declaration imports this module, and is read by every command

    vocabulary = VOCABULARIES[section.language]
    name_counts = Counter(city.name for city in cities)
    names = {
        city.city_id: city.name if name_counts[city.name] == 1 else f"{city.name}, {city.region.upper()}"
        for city in cities
    }
    pois = Pois.of_frame(poi, names)
    candidates = {key: city_candidates(name, pois, vocabulary) for key, name in names.items()}
    fit = [key for key in sorted(candidates) if not candidates[key].problems()]
    fit.sort(key=lambda key: (-len(pois.in_city(names[key], "attractions")), key))
    tiers = {key: TIERS[3 * position // len(fit)] for position, key in enumerate(fit)}
    bounds = {city.city_id: city.bounds for city in cities}
    rows = [
        (key, name, tiers.get(key, 0), True, (bounds[key].south + bounds[key].north) / 2, _middle_lon(bounds[key]))
        for key, name in names.items()
    ]
    return pd.DataFrame(rows, columns=[column.name for column in GroupCity.columns()])


def group_clusters(cluster: pd.DataFrame) -> pd.DataFrame:
    """Return the adjacent cities; any order of two or three is a round trip."""
    import pandas as pd

    rows = [(row["city_cluster_id"], list(row["city_ids"])) for row in cluster.to_dict("records")]
    return pd.DataFrame(rows, columns=[column.name for column in GroupCluster.columns()])


def _middle_lon(box) -> float:
    """Return the longitude half way from west to east, also over the antimeridian."""
    east = box.east + (360 if box.west > box.east else 0)
    return (box.west + east) / 2 - (360 if (box.west + east) / 2 > 180 else 0)
