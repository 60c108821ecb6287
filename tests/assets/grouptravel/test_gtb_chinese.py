"""The Chinese set as published, from lists in the published shape, by the code that makes the English ones."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest
from assets.grouptravel.certificates import certificates

from assets.grouptravel.drafting import drafts, tasks
from assets.grouptravel.facts.calendars import calendar
from assets.grouptravel.facts.inputs import fares, profiles
from assets.grouptravel.facts.places import group_pois
from assets.grouptravel.facts.world import group_cities
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.vocabulary import ZH
from assets.grouptravel.wishes.message_reading import Terms, read_message
from assets.grouptravel.wishes.preferences import items_of
from assets.step import RawFile
from schemas.recipe import Box, City
from sources import invented
from sources.invented.cities import Box as InventedBox
from sources.invented.cities import CitySpec, world_cities
from tests.sources.conftest import given_file

HAN = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def china(tmp_path_factory):
    """Return section, cities, tasks, drafts, tables and certificates of three invented Chinese cities."""
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
    poi = group_pois(pd.DataFrame(), given["poi"], cities, section).rows
    city = group_cities(poi, cities, ZH)
    facts = (city, poi, fares(given["fares"], cities, section).rows, calendar(cities, section).rows)
    cluster = pd.DataFrame(columns=["cluster_id", "city_ids"])
    profile = profiles(given["profiles"]).rows
    draft = drafts(city, cluster, poi, facts[2], facts[3], profile, cities=cities, seed=1, section=section).rows
    task = tasks(draft, *facts, profile, section=section).rows
    return section, poi, task, certificates(task, draft, *facts, previous=None).rows


def _raw(path, role) -> RawFile:
    given = given_file(path, "group", role)
    return given if isinstance(given, RawFile) else RawFile(given.snapshot, path)


def test_every_task_is_certified_and_in_chinese(china):
    _, _, task, certificate = china
    assert (len(task), sorted(certificate["task_id"])) == (4, sorted(task["task_id"]))
    for text in task["record_json"]:
        record = json.loads(text)
        assert re.fullmatch(r".+市，[两三四五六七]天[一两三四五六]夜，[2-6]人的旅行计划", record["query"])
        assert re.match(r"出发城市：.+市；出行日期：\d{4}-\d\d-\d\d；团队类型：.+（共[2-6]人）", record["context"])
        assert all(city.endswith("市") for city in record["metadata"]["cities"])


def test_modes_kinds_and_beds_are_words_of_the_published_vocabulary(china):
    _, poi, task, _ = china
    assert set(poi.loc[poi["poi_type"] == "hotels", "category"]) <= set(ZH.hotel_categories)
    for text in task["record_json"]:
        for entry in json.loads(text)["user_preferences"].values():
            held = entry["preference"]["global_constraints"]
            assert {mode for tier in held["transport"].values() for mode in tier} <= set(ZH.modes.values())
            assert {kind for tier in held["hotel_preference"].values() for kind in tier} <= set(ZH.hotel_categories)


def test_messages_are_chinese_and_read_back(china):
    section, _, task, _ = china
    for text in task["record_json"]:
        record = json.loads(text)
        for message in record["initial_messages"]:
            assert HAN.search(message["content"])
            read = read_message(message["content"], Terms(record["metadata"]["cities"], "zh", section.currency))
            table = record["user_preferences"][message["role"]]["preference"]
            held = [(item.path, item.value) for item in items_of(table)]
            assert read.items and not read.doubts
            assert all((item.path, item.value) in held for item in read.items)


def test_plans_use_the_published_words(china):
    _, _, _, certificate = china
    for text in certificate["witness_json"]:
        segments = [s for day in json.loads(text)["days"] for s in day["city_segments"]]
        legs = [s for s in segments if s.get("type") == "intercity_transport"]
        assert {leg["transport_mode"] for leg in legs} <= {"飞机", "高铁", "火车"}
        moves = [a for s in segments for a in s.get("activities", ()) if a["type"] == "intracity_transport"]
        assert {move["transport_mode"] for move in moves} <= {"打车", "步行"}
