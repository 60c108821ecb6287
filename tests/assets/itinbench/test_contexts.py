"""The contexts of the published settings: complete, in the published form, and unambiguous (I7)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assets.core.contexts import contexts
from assets.itinbench.contexts import FilteredPool, all_data
from assets.itinbench.family import FAMILY
from assets.itinbench.native import COLUMNS, native_rows
from assets.itinbench.section import ItinbenchSection
from assets.itinbench.tables import Record
from tests.assets.itinbench.town import NO_TAGS

RECORD = Record(days=2, price="cheap", orientation="food", cuisine="Thai", restaurant=["flavor"], hotel=["safety"])
HOSTILE = st.text(alphabet=st.sampled_from("a,\". \n\r'é😀<\u202e"), min_size=1, max_size=12)


def lines(content: str) -> list[list[str]]:
    """Read a content back: cells part at commas, lines end at ". ", neither of them inside quotes."""
    rows, row, cell, i, quoted = [], [], "", 0, False
    while i < len(content):
        if quoted and content.startswith('""', i):
            cell, i = cell + '"', i + 2
        elif content[i] == '"':
            quoted, i = not quoted, i + 1
        elif not quoted and content[i] == ",":
            row, cell, i = [*row, cell], "", i + 1
        elif not quoted and content.startswith(". ", i):
            rows, row, cell, i = [*rows, [*row, cell]], [], "", i + 2
        else:
            cell, i = cell + content[i], i + 1
    assert (row, cell, quoted) == ([], "", False), "the last line is not ended"
    return rows


def test_i7_every_cell_of_the_whole_pool_can_be_read_back(philadelphia: pd.DataFrame):
    for kind, item in zip(("stay", "attraction", "restaurant"), all_data(philadelphia), strict=True):
        header, *rows = lines(item["Content"])
        assert header == list(COLUMNS[kind][1:])
        assert rows == [[str(row[c]) for c in header] for row in native_rows(philadelphia, kind)]
        unquoted = item["Content"].replace('"', "").split(". ")
        assert any(len(line.split(",")) != len(header) for line in unquoted[:-1]), "no cell needed its quotes"


def test_the_published_contents_have_the_published_size(philadelphia: pd.DataFrame, published: Path):
    """15,781 + 63,965 + 91,708 characters without quotes. Ours has 2 and 60 more, where the published tables disagree.

    Three prices are in the JSONL tables and not in the CSV tables that the published contexts were made from (ShopRite
    $$, Dim Sum House $$, Philadelphia Museum of Art $); and 8 empty cells of good_for_meal say Unknown in ours.
    """
    sizes = [sum(len(",".join(row) + ". ") for row in lines(item["Content"])) for item in all_data(philadelphia)]
    from_csv = []
    for stem in ("Hotels", "Attractions", "Restaurants"):
        rows = csv.reader(io.StringIO((published / f"{stem}.csv").read_text(), newline=""))
        from_csv.append(sum(len(",".join(row) + ". ") for row in rows))
    assert from_csv == [15_781, 63_965, 91_708]
    assert sizes == [15_781, 63_965 + len("$$"), 91_708 + len("$$" + "$") + 8 * len("Unknown")]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(HOSTILE, min_size=1, max_size=4))
def test_i7_no_name_can_break_a_context(pool_of: Callable[..., pd.DataFrame], names: list[str]):
    pool = pool_of(*({"kind": "restaurant", "name": name, "cuisine_1": name, "cuisine_2": "Thai"} for name in names))
    content = all_data(pool)[2]["Content"]
    assert sorted(row[0] for row in lines(content)[1:]) == sorted(names)
    assert sorted(row[7] for row in lines(content)[1:]) == sorted(names)
    filtered = FilteredPool(pool).task_context(RECORD, {}).filtered_data()[2]["Content"]
    assert sorted(row[0] for row in list(csv.reader(io.StringIO(filtered, newline="")))[1:]) == sorted(names)


@pytest.fixture
def small(pool_of: Callable[..., pd.DataFrame]) -> pd.DataFrame:
    return pool_of(
        {"kind": "stay", "name": "Inn, The"},
        {"kind": "stay", "name": "Unsafe Inn", "safety": 3},
        {"kind": "attraction", "name": "Comcast", "address": "1 A St"},
        {"kind": "attraction", "name": "Comcast", "address": "2 B St"},
        {"kind": "attraction", "name": "Dear", "price_level": 4},
        {"kind": "restaurant", "name": "Thai One", "cuisine_1": "Thai", "meals": ["lunch", "dinner"]},
        {"kind": "restaurant", "name": "Greek One", "cuisine_1": "Greek"},
    )


CLUSTERS = {"Cluster_0": ["p002", "p000"], "Cluster_1": ["p003"]}


def test_filtered_data_holds_the_matching_places_and_their_clusters(small: pd.DataFrame):
    assert FilteredPool(small).task_context(RECORD, CLUSTERS).filtered_data() == [
        {
            "Description": "Filtered accommodations",
            "Content": 'name,address,latitude,longitude\n"Inn, The",0 Main St,40.0,-75.0\n',
        },
        {
            "Description": "Filtered attractions",
            "Content": "name,address,latitude,longitude\nComcast,1 A St,40.0,-75.0\nComcast,2 B St,40.0,-75.0\n",
        },
        {
            "Description": "Filtered restaurants",
            "Content": 'name,address,latitude,longitude,good_for_meal\nThai One,5 Main St,40.0,-75.0,"lunch, dinner"\n',
        },
        {
            "Description": "Clusters of attractions and accommodations",
            "Content": {"Cluster_0": ["Comcast (1 A St)", "Inn, The"], "Cluster_1": ["Comcast (2 B St)"]},
        },
    ]


def test_the_notebook_is_what_the_tools_would_write(small: pd.DataFrame):
    entries = FilteredPool(small).task_context(RECORD, CLUSTERS).notebook()
    assert [(entry["index"], entry["Description"]) for entry in entries] == [
        (0, "Accommodation Choice"),
        (1, "Attraction Choice"),
        (2, "Restaurant Choice"),
        (3, "Business Cluster Results"),
    ]
    contents = [item["Content"] for item in FilteredPool(small).task_context(RECORD, CLUSTERS).filtered_data()]
    assert [entry["Content"] for entry in entries[:3]] == contents[:3]
    assert entries[3]["Content"] == {
        "Cluster_0": [["Comcast (1 A St)"], ["Inn, The"]],
        "Cluster_1": [["Comcast (2 B St)"]],
    }


def test_context_rows_hold_one_shared_context_and_two_for_each_certified_task(small: pd.DataFrame):
    given = {"slot": 0, "level": "", "query": "Q", "record": [RECORD] * 2, "drawn": [{}] * 2}
    lists = {name: [[], []] for name in ("messages", "repairs", "generation_ids")}
    tasks = pd.DataFrame({"city_id": "us-xx-testville", "task_id": ["t0", "t1"], **given, **lists})
    certificates = pd.DataFrame({"task_id": ["t1"], "plan": [{}], "proof": [{"clusters": CLUSTERS}]})
    step = next(step for step in FAMILY.steps if step.output is FAMILY.context_table)
    section = ItinbenchSection(tasks_per_city=2)
    found = contexts(tasks, certificates, small, NO_TAGS, step=step, uses=step.functions, section=section)
    assert isinstance(found.rows, pd.DataFrame)
    rows = found.rows.to_dict("records")
    assert [(row["task_id"], row["setting"]) for row in rows] == [
        ("", "all_data"),
        ("t1", "filtered"),
        ("t1", "tool_clusters"),
    ]
    city = FilteredPool(small)
    assert [json.loads(row["content"]) for row in rows] == [
        all_data(small),
        city.task_context(RECORD, CLUSTERS).filtered_data(),
        city.task_context(RECORD, CLUSTERS).notebook(),
    ]
