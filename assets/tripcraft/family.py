"""TripCraft as a family: its section, steps and tables, and how it is measured, exported, scored and inspected."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from assets.core.tools import Tool
from assets.family import Choice, CityPicture, Family, ReleaseTables
from assets.step import Requirement
from assets.tripcraft.lineage_rules import RULES
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.steps import STEPS, WORLD
from assets.tripcraft.tables import TripcraftCertificate, TripcraftLineage, TripcraftNearestQuery, TripcraftTask
from schemas.page import FamilyPage

if TYPE_CHECKING:
    from assets.tripcraft.checks.metrics import Embed


def _measures(tables: ReleaseTables, facts: dict[str, Any]) -> dict[str, Any]:
    from assets.tripcraft.measures import measures

    return measures(tables, facts)


def _export(tables: ReleaseTables) -> dict[str, bytes]:
    from assets.tripcraft.export import export
    from assets.tripcraft.facts.world import WORLD_TABLES
    from assets.tripcraft.published.released_world import reference_of

    frames = {name: tables[table] for name, table in WORLD_TABLES.items()}
    return export(tables[TripcraftTask], tables[TripcraftCertificate], frames, reference_of(tables))


def _score(
    tables: ReleaseTables, plans: list[dict[str, Any]], variant: str, embed: Embed | None = None
) -> dict[str, Any]:
    from assets.tripcraft.published.released_scores import score_tasks

    return score_tasks(tables, plans, variant, embed)


def _baseline(tables: ReleaseTables) -> list[dict[str, Any]]:
    from assets.tripcraft.baseline import plans

    return plans(tables)


def _recheck(tables: ReleaseTables) -> dict[str, list[str]]:
    from assets.tripcraft.published.released_scores import violations

    return violations(tables)


def _inspect(path: Path) -> dict[str, Any]:
    from assets.tripcraft.inspect import inspect_path

    return inspect_path(path)


def _page(tables: ReleaseTables, measures: dict[str, Any]) -> FamilyPage:
    from assets.tripcraft.page import page

    return page(tables, measures)


def _tools(tables: ReleaseTables) -> list[Tool]:
    from assets.tripcraft.tools import tools

    return tools(tables)


def _unsolvable(old: ReleaseTables, now: ReleaseTables, section: TripcraftSection) -> dict[str, str]:
    from assets.tripcraft.planned import unsolvable
    from assets.tripcraft.published.released_world import reference_of

    return unsolvable(old[TripcraftTask], reference_of(now), section)


def _map_of(tables: ReleaseTables, city_id: str) -> CityPicture:
    from assets.tripcraft.picture import city_picture

    return city_picture(tables, city_id)


REQUIREMENTS: tuple[tuple[str, int | Literal["every"], str, str], ...] = (
    ("trip_stays", 1, "stays", "bind listings (airbnb) or an extract (osm)"),
    ("trip_restaurants", 9, "restaurants", "bind tripadvisor, yelp or an extract (osm)"),
    ("trip_attractions", 3, "attractions", "bind tripadvisor, yelp or an extract (osm)"),
    ("ways_in", 1, "airports or neighbours", "bind airports (openflights), or name a city within half a day by road"),
    (
        "served_dates",
        "every",
        "trip dates with transit service",
        "bind a feed (gtfs), and set `spatial.trip_dates` to dates on which it runs",
    ),
    ("stops", 1, "transit stops", "bind a feed (gtfs) or an extract (osm): a plan names each place's nearest stop"),
)
"""What the shortest trip needs of the city that it leads to: a bed, three meals on each day, a sight
a day, a stop, transit on its dates, and a way to come."""

FAMILY = Family(
    name="tripcraft",
    title="TripCraft",
    section=TripcraftSection,
    steps=STEPS,
    tasks=TripcraftTask,
    certificates=TripcraftCertificate,
    lineage=TripcraftLineage,
    context=(*WORLD, TripcraftNearestQuery),
    wanted=lambda section, _: sum(sum(levels.values()) for levels in section.table().values()),
    measures=_measures,
    export=_export,
    score=_score,
    takes_embedding=True,
    baseline=_baseline,
    recheck=_recheck,
    tools=_tools,
    unsolvable=_unsolvable,
    rules=RULES,
    page=_page,
    map_of=_map_of,
    requirements=tuple(
        Requirement("tripcraft", what, needed, noun, remedy) for what, needed, noun, remedy in REQUIREMENTS
    ),
    choices=(
        Choice(
            "one_currency",
            "Every amount is in one currency. What is priced in another is converted at the rates that the recipe "
            "declares, with their date and source, and keeps the amount given; a currency without a rate is rejected.",
        ),
        Choice(
            "modelled_prices",
            "A flight that no source prices costs an amount a kilometre, and a hotel that no source prices an amount a "
            "night, drawn evenly between two bounds that the recipe declares, by the seed and the flight's number or "
            "the place's id; such rows are marked. Without those bounds they are rejected.",
        ),
        Choice(
            "moved_dates",
            "Where the recipe says so, the dates of flights or events move into the trips' dates by the fewest whole "
            "weeks, so that each keeps its weekday; rows keep the date given. Local times stay.",
        ),
        Choice(
            "places",
            "A place that several sources list (similar name, at most 150 m apart) is one place with all their "
            "pointers; TripAdvisor's values come first. An attraction of none of the fifteen categories is left out.",
        ),
        Choice(
            "listings",
            "A listing in several files is one stay: Inside Airbnb's values come before Apify's, each fills what the "
            "others do not say.",
        ),
        Choice(
            "meal_cost",
            "The city's inexpensive meal times the restaurant's price signs, 1.5 signs where it shows none; a city "
            "without a meal's price has the recipe's reference meal, scaled by the city's price index if it is known.",
        ),
        Choice("occupancy", "A room whose source does not say holds two people; a hotel's room counts as private."),
        Choice(
            "travel_in_town",
            "Between places of a city a witness keeps the router's time by the fastest of the recipe's ways of "
            "travelling, five minutes added to a ride, where the city's distance matrix holds both; else 1.3 times "
            "the geodesic, on foot up to 20 min, beyond that by taxi. Each certificate counts both.",
        ),
        Choice(
            "redrawn",
            "A record without a witness within the solver's declared choices is drawn again, up to 40 times a task; "
            "the measures count the draws dropped, by what stood in their way.",
        ),
    ),
    inspect={"travelplanner": _inspect},
)
