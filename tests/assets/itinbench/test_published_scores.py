"""Published folders as input: rows of the paper's Table 4 from published plans, and witnesses judged from an export."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from assets.family import TaskView
from assets.itinbench.contexts import contexts
from assets.itinbench.export import export
from assets.itinbench.published.checker import MUST_HOLD, verdicts
from assets.itinbench.published.folder import PublishedSet, open_folder, published_set
from assets.itinbench.scoring import score
from assets.itinbench.tables import ItinbenchContext
from assets.rows import ReleaseTables
from schemas.source import SourceError
from tests.assets.itinbench.town import RECORD, town, witness, world_tables

TABLE_4 = {
    ("gpt4o", "allDataRouteOP", 100): {
        "oop": 20, "mi": 0, "micro": 76.1, "macro": 4, "vr": 4, "arg": 1.8, "dg": 11.1, "total_dg": 28.5, "ecj": 127.0,
    },
    ("mistral", "filteredDataRouteOP", 300): {
        "oop": 11, "mi": 0, "micro": 95.57, "macro": 69.67, "vr": 66.67, "total_dg": 16.76, "ecj": 104.5,
    },
}  # fmt: skip
"""The paper's Table 4, rows with all data and routes, and with filtered data and routes; percent."""

TOLERANCE = 0.6
"""Percentage points: what the paper rounds, and what its text ratio may give for a name or two."""


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> PublishedSet:
    """Return the published folder, opened."""
    return open_folder(shared_data / "itinbench")


@pytest.mark.parametrize("row", TABLE_4, ids=lambda row: row[0])
def test_a_row_of_table_4_comes_out_of_plans_as_they_were_read_for_it(row, folder, shared_data):
    """As we read them, both rows come out in `tests/pipelines/test_open_published.py`."""
    model, task, n = row
    lines = (shared_data / "itinbench_outputs" / model / "evals" / f"{task}.jsonl").read_text().splitlines()[:n]
    records = {index: record for index, record in folder.records.items() if int(index) <= n}
    found = score(list(map(json.loads, lines)), records, folder.places, variant="paper").aggregate
    assert (found["n"], found["tasks_without_plan"]) == (n, 0)
    assert {metric: found[metric] for metric in TABLE_4[row]} == pytest.approx(TABLE_4[row], abs=TOLERANCE)


def test_the_published_folder_is_read_whole(folder):
    assert folder.places["kind"].value_counts().to_dict() == {"restaurant": 500, "attraction": 322, "stay": 105}
    assert set(folder.records) == set(folder.queries) == {str(i) for i in range(1, 501)}


def of_town(plan=None) -> dict[str, bytes]:
    """Return an export of one task of the invented town, with a witness."""
    plan = witness()["plan"] if plan is None else plan
    view = TaskView("t1", "xx-town", 1, "", "Go.", [], dict(RECORD), {}, [], [], plan, {"clusters": {}})
    places = world_tables(town())
    tables = {
        "tasks": pd.DataFrame([{"city_id": "xx-town", "task_id": "t1", "query": "Go.", "record": RECORD}]),
        "certificates": pd.DataFrame([{"task_id": "t1", "plan": plan}]),
        ItinbenchContext.table_name(): contexts([view], ReleaseTables(places)),
    }
    return export(ReleaseTables(places | tables))


CHECKS = ("in_pool", "complete", "day", "price", "orientation", "cuisine", "restaurant", "hotel", "macro", "valid")


def test_every_witness_of_an_export_is_judged_from_its_files_alone():
    assert verdicts(of_town()) == {"t1": dict.fromkeys(CHECKS, True)}
    assert set(MUST_HOLD) == set(CHECKS)


@pytest.mark.parametrize(
    ("change", "failed"),
    [
        (lambda days: days.pop(), ["day", "macro", "valid"]),
        (lambda days: days[0].update(lunch={"name": "Zzyzx Bistro", "address": "1 Nowhere Ln"}), ["in_pool", "valid"]),
        (lambda days: days[0].update(lunch={"name": "-", "address": "-"}), ["complete", "valid"]),
        (lambda days: days[0].update(morning_attractions=[]), ["complete", "valid"]),
        (
            lambda days: [day.update(accommodation={"name": "-", "address": "-"}) for day in days],
            ["complete", "valid"],
        ),
    ],
)
def test_a_spoilt_witness_is_told_from_the_files(change, failed):
    plan = witness()["plan"]
    change(plan["itinerary"])
    found = verdicts(of_town(plan))["t1"]
    assert [check for check in CHECKS if found[check] is False] == failed


def test_a_query_without_a_witness_holds_nothing():
    files = of_town() | {"witnesses.jsonl": b""}
    found = verdicts(files)["1"]
    assert (found["in_pool"], found["complete"], found["macro"], found["valid"]) == (False, False, False, False)


def test_several_cities_are_read_each_from_its_folder():
    files = of_town()
    both = {f"{city}/{name}": data for city in ("a", "b") for name, data in files.items()}
    both["b/witnesses.jsonl"] = both["b/witnesses.jsonl"].replace(b'"t1"', b'"t2"')
    assert set(verdicts(both)) == {"t1", "t2"}


def test_a_folder_that_is_not_as_published_is_refused_by_name():
    files = of_town()
    hotels = files["hotels.jsonl"].replace(b'"good safety"', b'"so-so safety"', 1)
    spoilt = files | {"hotels.jsonl": hotels, "evals.jsonl": files["evals.jsonl"].replace(b'"Thai"', b'"Klingon"')}
    with pytest.raises(SourceError, match=r"hotels\.jsonl, row 1: 'so-so safety' is not a rating of safety") as refused:
        published_set(spoilt)
    assert "evals.jsonl, index 1: not a published eval_info: `cuisine`" in str(refused.value)
    for missing, told in (
        ("hotels.jsonl", "hotels.jsonl: found no such file"),
        ("evals.jsonl", "found no evals.jsonl"),
        ("witnesses.jsonl", "found no witnesses.jsonl"),
    ):
        with pytest.raises(SourceError, match=told):
            verdicts({name: data for name, data in files.items() if name != missing})
    with pytest.raises(SourceError, match=r"witnesses\.jsonl, line 2: found no JSON"):
        verdicts(files | {"witnesses.jsonl": files["witnesses.jsonl"] + b"{\n"})
