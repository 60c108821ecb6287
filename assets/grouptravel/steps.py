"""The family's tables, as data: fares, users, places, cities, drafts, tasks, certificates, lineage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.tables import (
    GroupCalendar,
    GroupCertificate,
    GroupCity,
    GroupClimate,
    GroupCluster,
    GroupDraft,
    GroupFare,
    GroupLineage,
    GroupNearestQuery,
    GroupPoi,
    GroupProfile,
    GroupTask,
)
from assets.step import Outcome, Raw, RawFile, Step
from schemas.places import Place
from schemas.recipe import City
from schemas.spatial import CityCluster

if TYPE_CHECKING:
    import pandas as pd

    from assets.language.asking import Ask


def fares(files: list[RawFile], *, cities: list[City], grouptravel: GroupTravelSection) -> Outcome:
    """Return the services between the recipe's cities with the price of a person."""
    from assets.grouptravel.facts import inputs

    return inputs.fares(files, cities, grouptravel)


def profiles(files: list[RawFile]) -> Outcome:
    """Return the users from whom members of groups are drawn."""
    from assets.grouptravel.facts import inputs

    return inputs.profiles(files)


def climate(files: list[RawFile], *, cities: list[City]) -> Outcome:
    """Return what the weather of the recipe's cities is usually like on each day of the year."""
    from assets.grouptravel.facts import inputs

    return inputs.climate(files, cities)


def calendar(*, cities: list[City], grouptravel: GroupTravelSection) -> Outcome:
    """Return the days on which groups travel: public holidays of each city, and what modelled fares cost on the day."""
    from assets.grouptravel.facts import calendars

    return calendars.calendar(cities, grouptravel)


def pois(place: pd.DataFrame, lists: list[RawFile], *, cities: list[City], grouptravel: GroupTravelSection) -> Outcome:
    """Return the cities' places as groups see them: one category, hours in the published structure, a price."""
    from assets.grouptravel.facts.places import group_pois

    return group_pois(place, lists, cities, grouptravel)


def group_cities(poi: pd.DataFrame, *, cities: list[City], grouptravel: GroupTravelSection) -> pd.DataFrame:
    """Return the cities to set out from, and those with places enough to go to, by weight."""
    from assets.grouptravel.facts import world
    from assets.grouptravel.vocabulary import VOCABULARIES

    return world.group_cities(poi, cities, VOCABULARIES[grouptravel.language])


def group_clusters(cluster: pd.DataFrame) -> pd.DataFrame:
    """Return the adjacent cities that one trip can combine."""
    from assets.grouptravel.facts import world

    return world.group_clusters(cluster)


def drafts(
    city: pd.DataFrame,
    cluster: pd.DataFrame,
    poi: pd.DataFrame,
    fare: pd.DataFrame,
    calendar: pd.DataFrame,
    profile: pd.DataFrame,
    *,
    cities: list[City],
    seed: int,
    grouptravel: GroupTravelSection,
    retired: list[str],
) -> Outcome:
    """Return who travels where, when and from where for every slot that has a trip."""
    from assets.grouptravel import drafting

    return drafting.drafts(
        city, cluster, poi, fare, calendar, profile, cities=cities, seed=seed, section=grouptravel, retired=retired
    )


def worded(
    draft: pd.DataFrame,
    city: pd.DataFrame,
    poi: pd.DataFrame,
    fare: pd.DataFrame,
    calendar: pd.DataFrame,
    profile: pd.DataFrame,
    *,
    grouptravel: GroupTravelSection,
    ask: Ask | None,
) -> Outcome:
    """Return each draft as a task: its members' tables, its query, and opening messages that read back."""
    from assets.grouptravel import drafting

    return drafting.tasks(draft, city, poi, fare, calendar, profile, section=grouptravel, ask=ask)


def certified(
    task: pd.DataFrame,
    draft: pd.DataFrame,
    city: pd.DataFrame,
    poi: pd.DataFrame,
    fare: pd.DataFrame,
    calendar: pd.DataFrame,
    *,
    previous: pd.DataFrame | None,
) -> Outcome:
    """Return the certificate of every task: its best plan together, which all nine checks accept."""
    from assets.grouptravel.certificates import certificates

    return certificates(task, draft, city, poi, fare, calendar, previous=previous)


def lineage(
    task: pd.DataFrame,
    certificate: pd.DataFrame,
    draft: pd.DataFrame,
    city: pd.DataFrame,
    poi: pd.DataFrame,
    fare: pd.DataFrame,
    calendar: pd.DataFrame,
) -> pd.DataFrame:
    """Return where each value of the tasks and certificates comes from."""
    from assets.grouptravel import lineage

    return lineage.lineage(task, certificate, draft, city, poi, fare, calendar)


def nearest_queries(task: pd.DataFrame, published: list[RawFile]) -> Outcome:
    """Return how alike each query is to the published ones and to the others of the set."""
    from assets.language import nearest_query

    return nearest_query.nearest_queries(task, published)


FACTS = (GroupCity, GroupPoi, GroupFare, GroupCalendar)

STEPS = (
    Step(GroupFare, f"{__name__}:fares", (Raw("group", "fares"),), per="recipe"),
    Step(GroupProfile, f"{__name__}:profiles", (Raw("group", "profiles"),), per="recipe"),
    Step(GroupClimate, f"{__name__}:climate", (Raw("group", "climate"),), per="recipe"),
    Step(GroupCalendar, f"{__name__}:calendar", per="recipe"),
    Step(GroupPoi, f"{__name__}:pois", (Place, Raw("group", "poi")), per="recipe"),
    Step(GroupCity, f"{__name__}:group_cities", (GroupPoi,), per="recipe"),
    Step(GroupCluster, f"{__name__}:group_clusters", (CityCluster,), per="recipe"),
    Step(GroupDraft, f"{__name__}:drafts", (GroupCity, GroupCluster, *FACTS[1:], GroupProfile), per="recipe"),
    Step(GroupTask, f"{__name__}:worded", (GroupDraft, *FACTS, GroupProfile), per="recipe", job="preferences"),
    Step(GroupCertificate, f"{__name__}:certified", (GroupTask, GroupDraft, *FACTS), per="recipe"),
    Step(GroupLineage, f"{__name__}:lineage", (GroupTask, GroupCertificate, GroupDraft, *FACTS), per="recipe"),
    Step(
        GroupNearestQuery,
        f"{__name__}:nearest_queries",
        (GroupTask, Raw("published_queries", "grouptravel")),
        per="recipe",
    ),
)
