"""The Chinese set as published, from lists in the published shape, by the code that makes the English ones."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from assets.core.certifying import certificates
from assets.core.drafting import drafts
from assets.core.wording import tasks
from assets.core.worlds import given_tables
from assets.grouptravel.facts.calendars import calendar
from assets.grouptravel.facts.inputs import fares, profiles
from assets.grouptravel.facts.places import group_pois
from assets.grouptravel.facts.rides import rides
from assets.grouptravel.facts.world import group_cities
from assets.grouptravel.family import FAMILY
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.vocabulary import ZH
from assets.grouptravel.wishes.message_reading import Terms, read_message
from assets.grouptravel.wishes.preferences import items_of
from assets.step import RawFile
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.spatial import DistanceMatrix, PlaceNearestStop, PlaceServedStop
from sources import invented
from sources.invented.cities import Box as InventedBox
from sources.invented.cities import CitySpec, world_cities
from tests.sources.conftest import given_file

HAN = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def china(tmp_path_factory):
    """Return section, places, tasks and certificates of three invented Chinese cities."""
    folder = tmp_path_factory.mktemp("china")
    towns = [
        CitySpec(
            name, "sc", "cn", south + 0.05, 104.05, InventedBox(south, 104.0, south + 0.1, 104.1), "Asia/Shanghai",
            "CNY", given_id=f"cn-sc-{pinyin}",
        )
        for name, pinyin, south in (
            ("成都市", "chengdu", 30.6), ("德阳市", "deyang", 31.1), ("绵阳市", "mianyang", 31.4),
        )
    ]  # fmt: skip
    files = invented.generate(folder, providers=["group"], cities=towns, scale=0.2, seed=2, dirt=False)["group"]
    given = {role: [_raw(paths[0], role)] for role, paths in files.items()}
    cities = [City(**{**row, "box": Box(**row["box"])}) for row in world_cities(towns, 2)]
    section = GroupTravelSection(
        tasks={"easy": 2, "medium": 1, "hard": 1}, language="zh", currency="CNY", places="lists",
        meal_prices=(30, 60, 120, 300), bed_prices=(150, 300, 600, 1200), cities={1: 1}, season={10: 1.2},
    )  # fmt: skip
    poi = group_pois(pd.DataFrame(), given["poi"], cities=cities, section=section).rows
    city = group_cities(poi, cities=cities, section=section)
    fare = fares(given["fares"], cities=cities, section=section).rows
    days = calendar(cities=cities, section=section).rows
    cluster = pd.DataFrame(columns=["cluster_id", "city_ids"])
    empty = (t.frame(t.arrow_schema().empty_table()) for t in (DistanceMatrix, PlaceNearestStop, PlaceServedStop))
    moves = (rides(cities=cities, section=section), *empty)
    rows = (city, poi, fare, days, profiles(given["profiles"]).rows, cluster, *moves)
    world = FAMILY.call("world", given_tables(FAMILY.world_tables, rows, section))
    draft = _made(FAMILY.tables.draft, drafts, world=world, section=section, area="cn-sc", seed=1, retired=[],
                  previous=None, ask=None)  # fmt: skip
    task = _made(FAMILY.tables.task, tasks, draft, world=world, section=section, seed=1, ask=None)
    return section, poi, task, _made(FAMILY.tables.certificate, certificates, task, draft)


def _made(table, run, *rows, **keys) -> pd.DataFrame:
    """Return what one of the core's steps makes, as a release holds it."""
    (step,) = (step for step in FAMILY.steps if step.output is table)
    made = run(
        *(of.arrow(given) for of, given in zip(step.tables, rows, strict=False)),
        step=step,
        uses=step.functions,
        **step.settings,
        **keys,
    )
    assert made.rejections == []
    return table.frame(table.validate(table.arrow(made.rows)))


def _raw(path, role) -> RawFile:
    given = given_file(path, "group", role)
    return given if isinstance(given, RawFile) else RawFile(given.snapshot, path)


def test_every_task_is_certified_and_in_chinese(china):
    _, _, task, certificate = china
    assert (len(task), sorted(certificate["task_id"])) == (4, sorted(task["task_id"]))
    for query, record in zip(task["query"], task["record"], strict=True):
        assert all(city in query for city in (*record["metadata"]["cities"], record["metadata"]["departure_city"]))
        assert re.match(r"出发城市：.+市；出行日期：\d{4}-\d\d-\d\d；团队类型：.+（共[2-6]人）", record["context"])
        assert all(city.endswith("市") for city in record["metadata"]["cities"])


def test_modes_kinds_and_beds_are_words_of_the_published_vocabulary(china):
    _, poi, task, _ = china
    assert set(poi.loc[poi["poi_type"] == "hotels", "category"]) <= set(ZH.hotel_categories)
    for record in task["record"]:
        for entry in record["user_preferences"].values():
            held = entry["preference"]["global_constraints"]
            assert {mode for tier in held["transport"].values() for mode in tier} <= set(ZH.modes.values())
            assert {kind for tier in held["hotel_preference"].values() for kind in tier} <= set(ZH.hotel_categories)


def test_messages_are_chinese_and_read_back(china):
    section, _, task, _ = china
    for messages, record in zip(task["messages"], task["record"], strict=True):
        assert len(messages) > 0
        for message in messages:
            assert HAN.search(message["content"])
            read = read_message(message["content"], Terms(record["metadata"]["cities"], "zh", section.currency))
            table = record["user_preferences"][message["role"]]["preference"]
            held = [(item.path, item.value) for item in items_of(table)]
            assert read.items and not read.doubts
            assert all((item.path, item.value) in held for item in read.items)


def test_plans_use_the_published_words(china):
    _, _, _, certificate = china
    for plan in certificate["plan"]:
        segments = [s for day in plan["days"] for s in day["city_segments"]]
        legs = [s for s in segments if s.get("type") == "intercity_transport"]
        assert {leg["transport_mode"] for leg in legs} <= {"飞机", "高铁", "火车"}
        moves = [a for s in segments for a in s.get("activities", ()) if a["type"] == "intracity_transport"]
        assert {move["transport_mode"] for move in moves} <= {"打车", "步行", "骑车"}
