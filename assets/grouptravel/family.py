"""GroupTravelBench as a family: its section, steps and tables, and how it is measured, exported and scored."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from assets.core.tools import Tool
from assets.family import Choice, CityPicture, Family, ReleaseTables
from assets.grouptravel.lineage_rules import RULES
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.steps import STEPS
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
from assets.step import Requirement
from schemas.page import FamilyPage
from schemas.spatial import CityDistance, DistanceMatrix


def _measures(tables: ReleaseTables, facts: dict[str, Any]) -> dict[str, Any]:
    from assets.grouptravel.measures import measures

    return measures(tables, facts)


def _export(tables: ReleaseTables) -> dict[str, bytes | Iterable[bytes]]:
    from assets.grouptravel.export import export
    from assets.grouptravel.tools.warm import cache_files

    frames = (tables[GroupPoi], tables[GroupCity], tables[GroupTask], tables[GroupCertificate])
    files: dict[str, bytes | Iterable[bytes]] = {**export(*frames)}
    return files | cache_files(tables)


def _score(tables: ReleaseTables, plans: list[dict[str, Any]], variant: str) -> dict[str, Any]:
    from assets.grouptravel.release import score_plans

    return score_plans(tables, plans, variant)


def _map_of(tables: ReleaseTables, city_id: str) -> CityPicture:
    from assets.grouptravel.measures import city_picture

    return city_picture(tables, city_id)


def _baseline(tables: ReleaseTables) -> list[dict[str, Any]]:
    from assets.grouptravel.baseline import plans

    return plans(tables)


def _recheck(tables: ReleaseTables) -> dict[str, list[str]]:
    from assets.grouptravel.release import violations

    return violations(tables)


def _page(tables: ReleaseTables, measures: dict[str, Any]) -> FamilyPage:
    from assets.grouptravel.page import page

    return page(tables, measures)


def _tools(tables: ReleaseTables) -> list[Tool]:
    from assets.grouptravel.tools.sandbox import tools

    return tools(tables)


def _unsolvable(old: ReleaseTables, now: ReleaseTables, _: Any) -> dict[str, str]:
    from assets.grouptravel.release import unsolvable

    return unsolvable(old, now)


def _inspect(folder: Path) -> dict[str, Any]:
    from assets.grouptravel.inspect import inspect_folder

    return inspect_folder(folder)


FAMILY = Family(
    name="grouptravel",
    title="GroupTravelBench",
    section=GroupTravelSection,
    steps=STEPS,
    tasks=GroupTask,
    certificates=GroupCertificate,
    lineage=GroupLineage,
    context=(
        GroupNearestQuery,
        GroupPoi,
        GroupFare,
        GroupClimate,
        GroupCalendar,
        GroupProfile,
        GroupCity,
        GroupCluster,
        GroupDraft,
        CityDistance,
        DistanceMatrix,
    ),
    wanted=lambda section, _: len(section.slots),
    measures=_measures,
    export=_export,
    score=_score,
    baseline=_baseline,
    recheck=_recheck,
    tools=_tools,
    unsolvable=_unsolvable,
    inspect={"grouptravel": _inspect},
    rules=RULES,
    map_of=_map_of,
    requirements=tuple(
        Requirement("grouptravel", f"{kind}s", needed, f"{kind}s", remedy)
        for kind, needed, remedy in (
            ("attraction", 4, 'bind places (osm, yelp), or lists of places (group) with `places = "lists"`'),
            ("restaurant", 6, 'bind places (osm, yelp), or lists of places (group) with `places = "lists"`'),
            ("stay", 1, 'bind places (osm, yelp, airbnb), or lists of places (group) with `places = "lists"`'),
        )
    ),
    page=_page,
    choices=(
        Choice("compromise", "Any non-empty set of members with a table may compromise, each set equally likely."),
        Choice("twelve_rules", "The rules of a table are those of postvalidation.RULES; hold after every inheritance."),
        Choice("children", "Members under eight have no table, from eight on they have one (defect G6)."),
        Choice(
            "preschool",
            "Unreasonable for a member under eight is to be without an older member, at a sight or meal before 07:00 "
            "or after 21:00, or at a place of nightlife, gambling or drinking (defect G9); part of check 9.",
        ),
        Choice(
            "reach",
            "A mode serves a trip if its legs take at most a third of 14 waking hours a day; a car drives 70 km/h over "
            "1.3 times the distance.",
        ),
        Choice(
            "budget",
            "A budget is 10 to 90 % above twice the lowest fares, a typical bed for each night and three typical meals "
            "a day.",
        ),
        Choice(
            "departures",
            "Trips are drawn that one mode leads through in time: out, between the cities and home; where no trip of a "
            "number of cities and days is such a one, any.",
        ),
        Choice("tiers", "Destinations by number of sights: the first third weighs 3, the second 2, the last 1."),
        Choice(
            "prices",
            "A meal or bed without a known price has the section's for its price level, level 2 where that is unknown; "
            "sights cost nothing. Such prices are marked in `group_poi`.",
        ),
        Choice(
            "season",
            "A fare whose source says it is modelled is an ordinary day's; on a day it is times the recipe's `season` "
            "factor of the month, and on a public holiday of the city it leaves times `holiday_factor` "
            "(`group_calendar`). Listed fares are the same every day.",
        ),
        Choice(
            "holidays",
            "Public holidays are those of the `holidays` package, by country and, where it knows the city's region, "
            "region.",
        ),
        Choice("hours", "Hours from OpenStreetMap hold seasons as ranges of dates, and no public holidays."),
        Choice(
            "feasible_set",
            "Utilities are over plans that fill the group's day (three meals and at most four sights in fixed slots, "
            "trips.SLOTS), with legs that arrive by 22:30 and moves of half an hour. Together they are proven "
            "greatest. Apart, a day has fixed teams, each a minute after the other: the best plan found keeps the legs "
            "and hotels of the plan together; the bound is the sum of what each user could reach alone, less one.",
        ),
        Choice(
            "compromises",
            "A compromise gives up one refusal (a list becomes empty) or raises one cap as far as the plan needs; two "
            "a user, only of users in the compromise pattern.",
        ),
        Choice("fairness", "Fairness is 0 where nobody gains anything."),
        Choice(
            "routes",
            "The sandbox's ways are those of the road matrices where they hold both ends; else 1.3 times the great "
            "circle at 30 km/h by car (70 beyond 50 km), 18 by city transport, 4.8 on foot, 14 by bicycle, marked as "
            "estimates.",
        ),
        Choice("retries", "A slot without a trip is drawn again, at most three times; every failed try is counted."),
    ),
)
