"""The export: the published folder, read into our pool and written again, is the published folder."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from assets.family import TaskView
from assets.itinbench.contexts import contexts
from assets.itinbench.export import export
from assets.itinbench.published.checker import WITNESSES
from assets.itinbench.tables import ItinbenchContext
from assets.itinbench.words.labels import read_eval_info
from assets.rows import ReleaseTables
from tests.assets.itinbench.town import world_tables

CITY = "us-pa-philadelphia"
PLAN = {"itinerary": []}


def exports(places: pd.DataFrame, tasks: pd.DataFrame) -> dict[str, bytes]:
    """Export tasks that are all certified, each with no clusters and a plan that nobody reads."""
    rest: dict[str, Any] = {
        "slot": 0, "level": "", "messages": [], "drawn": {}, "repairs": [], "generation_ids": [], "plan": PLAN,
        "proof": {"clusters": {}},
    }  # fmt: skip
    views = [TaskView(**{str(name): value for name, value in row.items()}, **rest) for row in tasks.to_dict("records")]
    certificates = pd.DataFrame({"task_id": tasks["task_id"], "plan": [PLAN] * len(tasks)})
    given = {**world_tables(places), "tasks": tasks, "certificates": certificates}
    made = contexts(views, ReleaseTables(given))
    return export(ReleaseTables({**given, ItinbenchContext.table_name(): made}))


@pytest.fixture(scope="module")
def exported(philadelphia: pd.DataFrame, published: Path) -> dict[str, bytes]:
    """The published pool, queries and records, exported; clusters are not published, so each task has one of nobody."""
    infos = [json.loads(line) for line in (published / "evals.jsonl").read_text().splitlines()]
    queries = [json.loads(line)["query"] for line in (published / "humanQuerys.jsonl").read_text().splitlines()]
    tasks = pd.DataFrame(
        {
            "city_id": CITY,
            "task_id": [f"itinbench.{CITY}.{info['index']:05d}" for info in infos],
            "query": queries,
            "record": [read_eval_info(info["eval_info"]) for info in infos],
        }
    ).sample(frac=1, random_state=1)
    return exports(philadelphia, tasks)


def lines(data: bytes) -> list[str]:
    return data.decode().splitlines(keepends=True)


def test_the_folder_has_the_published_files_both_contexts_and_witnesses(exported: dict[str, bytes], published: Path):
    files = {path.name for path in published.iterdir()}
    assert set(exported) == files | {"all_data.json", "filtered_data.jsonl", WITNESSES}
    witnesses = [json.loads(line) for line in lines(exported[WITNESSES])]
    ids = [f"itinbench.{CITY}.{index:05d}" for index in range(1, 501)]
    assert witnesses == [{"index": i, "task_id": task_id, "plan": PLAN} for i, task_id in enumerate(ids, 1)]


@pytest.mark.parametrize("name", ["evals.jsonl", "humanQuerys.jsonl"])
def test_queries_and_records_come_back_byte_for_byte(name: str, exported: dict[str, bytes], published: Path):
    assert exported[name] == (published / name).read_bytes()


@pytest.mark.parametrize("name", ["hotels.jsonl", "attractions.jsonl", "restaurants.jsonl"])
def test_tables_come_back_line_by_line(name: str, exported: dict[str, bytes], published: Path):
    """In bytes. Differences: the order of rows; and 8 restaurants whose meals are empty instead of Unknown."""
    theirs = lines((published / name).read_bytes())
    blank = [line for line in theirs if '"good_for_meal": ""' in line]
    assert len(blank) == (8 if name == "restaurants.jsonl" else 0)
    known = [line.replace('"good_for_meal": ""', '"good_for_meal": "Unknown"') for line in theirs]
    assert sorted(lines(exported[name])) == sorted(known)


@pytest.mark.parametrize(
    ("name", "prices"),
    [
        ("Hotels.csv", []),
        ("Attractions.csv", ["ShopRite of Oregon Ave"]),
        ("Restaurants.csv", ["Dim Sum House", "Philadelphia Museum of Art"]),
    ],
)
def test_csv_tables_come_back_line_by_line(name: str, prices: list[str], exported: dict[str, bytes], published: Path):
    """In bytes, but for those 8 and for three prices that the published CSV tables lack and the JSONL tables have."""
    theirs, ours = lines((published / name).read_bytes()), lines(exported[name])
    assert ours[0] == theirs[0]
    left = set(theirs) - set(ours)
    column = next(iter(csv.reader(theirs))).index("price")
    lacking = {line for line in left if next(csv.reader([line]))[column] == ""}
    assert sorted(next(csv.reader([line]))[0] for line in lacking) == prices
    meals = list(csv.reader(left - lacking))
    assert all(row[5] == "" for row in meals)
    assert len(meals) == (8 if name == "Restaurants.csv" else 0)
    assert len(ours) == len(theirs)


def test_contexts_are_read_as_the_published_scripts_read_them(exported: dict[str, bytes]):
    shared = json.loads(exported["all_data.json"])
    assert [sorted(item) for item in shared] == [["Content", "Description"]] * 3
    filtered = [json.loads(line)["filtered_data"] for line in lines(exported["filtered_data.jsonl"])]
    assert len(filtered) == 500
    assert all(len(items) == 4 for items in filtered)
    assert all(exported[name].isascii() for name in exported if name.endswith(("json", "jsonl")))


def test_tools_find_in_the_csv_tables_what_the_filtered_context_holds(exported: dict[str, bytes]):
    """As the published tools search: pandas reads the CSV, price and orientation are compared with the labels."""
    table = pd.read_csv(io.BytesIO(exported["Attractions.csv"]))
    info = json.loads(lines(exported["evals.jsonl"])[1])["eval_info"]
    assert (info["price"], info["attraction"]) == (["cheap budget"], ["history oriented"])
    levels = ["medium history oriented", "high history oriented"]
    found = table[table["price"].isin(["$", "$$"]) & table["history oriented"].isin(levels)]
    content = json.loads(lines(exported["filtered_data.jsonl"])[1])["filtered_data"][1]["Content"]
    assert list(pd.read_csv(io.StringIO(content))["name"]) == list(found["name"])


def test_several_cities_have_a_folder_each(pool_of: Callable[..., pd.DataFrame]):
    pools = [pool_of({"kind": "stay", "name": 'Zum "Löwen", 1'}).assign(city_id=city) for city in ("a", "b")]
    record = {"days": 2, "price": "cheap", "orientation": "food", "cuisine": "US", "restaurant": ["value"]}
    task = {"task_id": ["t"], "query": ["Q"], "record": [record | {"hotel": ["safety"]}]}
    tasks = [pd.DataFrame(task).assign(city_id=city, task_id=f"{city}.t") for city in ("a", "b")]
    files = exports(pd.concat(pools), pd.concat(tasks))
    assert len(files) == 22
    assert {name.split("/")[0] for name in files} == {"a", "b"}
    assert list(csv.reader(lines(files["a/Hotels.csv"])))[1][0] == 'Zum "Löwen", 1'
    assert files["a/hotels.jsonl"].isascii()
