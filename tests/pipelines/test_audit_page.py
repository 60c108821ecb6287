"""The audit of a task as a page: where its values come from, what is wrong with it, and a verdict at the end."""

from __future__ import annotations

import io
from copy import deepcopy
from typing import Any

import pytest
from rich.console import Console

from pipelines import audit_page as module

TREE: dict[str, Any] = {
    "task_id": "itinbench.us-in-alder.00003",
    "release": "4c1f0a",
    "query": "Two days in Alder [red]",
    "values": [
        {"field": "query", "value": "x", "from": [{"kind": "rule", "ref": "wording"}]},
        {"field": "record/days", "value": 2, "from": [{"kind": "row", "ref": "a"}, {"kind": "row", "ref": "b"}]},
    ],
    "rows": {
        "place/a": {"row": {}, "source_rows": [
            {"pointer": "osm.extract@ab#node/1", "file": "data/osm/alder.osm.pbf", "licence": "ODbL-1.0",
             "retrieved_at": "2025-01-02T03:04:05Z", "raw": "{}"},
            {"pointer": "osm.extract@ab#node/2", "file": "data/osm/alder.osm.pbf", "licence": "ODbL-1.0",
             "retrieved_at": "2025-01-02T03:04:05Z", "raw": "{}"},
        ]},
    },
    "generations": {},
    "rules": {"wording": "By templates. More of it."},
    "certificate": {"checks": [{"check": "meal_gaps", "holds": True}, {"check": "cuisine", "holds": None}]},
    "problems": [],
}  # fmt: skip


HINT = "tripwright audit itinbench.us-in-alder.00003 --home 'my home' --details"


@pytest.fixture
def page(monkeypatch):
    """Return a function that gives the page of a tree, as a terminal of 80 columns shows it, without colour."""

    def show(tree: dict[str, Any]) -> str:
        sent = io.StringIO()
        monkeypatch.setattr(module, "OUT", Console(file=sent, width=80, force_terminal=False))
        module.show_task(tree, HINT)
        return sent.getvalue()

    return show


def test_a_sound_task_ends_in_a_verdict_and_the_way_to_more(page):
    lines = page(TREE).splitlines()
    assert "Two days in Alder [red]" in lines
    assert "2 values: 1 from a declared rule, 1 from a row of a source" in lines
    assert "  alder.osm.pbf         2   ODbL-1.0   2025-01-02  " in lines
    assert "✓ checks that hold: meal gaps" in lines and "– not asked for: cuisine" in lines
    assert lines[-3:] == [
        "✓ Certified and traceable: 1 check of its witness holds; all 2 values resolve to",
        "2 source records, their files' hashes verified, or to declared rules.",
        f"Every value with its records: {HINT}",
    ]
    assert len(lines) < 30


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda t: t["problems"].append("record/days: has no lineage"), "✗ record/days: has no lineage"),
        (
            lambda t: t["rows"]["place/a"]["source_rows"][0].update(problem="no record at node/1"),
            "✗ osm.extract@ab#node/1: no record at node/1",
        ),
        (lambda t: t["certificate"]["checks"][0].update(holds=False), "✗ the check meal_gaps fails"),
    ],
)
def test_whatever_is_wrong_is_named_and_the_verdict_says_so(page, spoil, told):
    tree = deepcopy(TREE)
    spoil(tree)
    lines = page(tree).splitlines()
    assert told in lines
    assert "✗ Not proven: 1 problem, named above; trust nothing" in " ".join(lines)


def test_a_task_without_a_certificate_is_not_called_certified(page):
    tree = deepcopy(TREE)
    tree["certificate"]["checks"] = []
    assert "Certified" not in page(tree)
    assert "It has no certificate." in page(tree)


def test_values_from_several_are_counted_apart(page):
    both = {"field": "query", "value": "x", "from": [{"kind": "rule", "ref": "wording"}, {"kind": "row", "ref": "a"}]}
    lines = page({**TREE, "values": [both, *TREE["values"]]}).splitlines()
    assert "3 values: 2 from a row of a source, 2 from a declared rule; 1 of these from more than one" in lines
