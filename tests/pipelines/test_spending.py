"""`tripwright ledger`: spend and hit rates, export and import between homes, forgetting."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.console import show_built
from pipelines.walk.build import Built
from pipelines.walk.spending import export_ledger, import_ledger, note_spending, spending
from pipelines.walk.spent import Spent
from warehouse.home import Home
from warehouse.ledger import Ledger
from warehouse.store import StoreError


@pytest.fixture
def home(tmp_path):
    home = Home(str(tmp_path / "home"))
    for number, (revision, verdict) in enumerate([("r1", "accepted"), ("r1", "empty: no text"), ("r2", "accepted")]):
        home.ledger.add(
            request=f'{{"n":{number}}}'.encode(), endpoint="http://e/v1", answer="a\u2028b", model="m",
            revision=revision, job="wording", finish_reason="stop", is_refusal=False, verdict=verdict,
            prompt_tokens=100, completion_tokens=10, cost=0.25,
        )  # fmt: skip
    return home


def run(home, *words):
    return CliRunner().invoke(app, ["ledger", *words, "--home", home.url])


def test_spend_is_summed_by_revision_and_hits_by_recipe(home):
    note_spending(home.store, "demo", Spent(cached=0, calls=30, cost=1.0))
    note_spending(home.store, "demo", Spent(cached=30, calls=0))
    note_spending(home.store, "idle", Spent())
    found = json.loads(run(home, "--json").stdout)
    assert found["records"][0] == {
        "model": "m", "revision": "r1", "job": "wording", "calls": 2, "prompt_tokens": 200, "completion_tokens": 20,
        "cost": 0.5, "unusable": 1,
    }  # fmt: skip
    assert [(b["recipe"], b["builds"], b["hit_rate"]) for b in found["builds"]] == [("demo", 2, 0.5)]
    assert "Recorded calls" in run(home).stdout


def test_what_was_charged_without_a_single_reply_is_noted_and_told(home, capsys):
    lost = Spent(cost=0.3, estimated=0.3)
    note_spending(home.store, "demo", lost)
    assert [(b["calls"], b["cost"]) for b in spending(home)["builds"]] == [(0, 0.3)]
    show_built(home, Built(spent=lost))
    assert "model: 0 calls (0 + 0 tokens, cost 0.3000, 0.3000 of it by our estimate)" in capsys.readouterr().out


def test_an_exported_ledger_is_the_same_in_another_home(home, tmp_path):
    assert export_ledger(home.ledger, tmp_path / "calls.jsonl") == 3
    other = Home(str(tmp_path / "other"))
    assert import_ledger(other.ledger, tmp_path / "calls.jsonl") == 3
    assert list(other.ledger.records()) == list(home.ledger.records())
    assert import_ledger(other.ledger, tmp_path / "calls.jsonl") == 0
    assert spending(other)["records"] == spending(home)["records"]


def test_a_file_that_is_no_ledger_is_refused_whole_with_every_problem(home, tmp_path):
    export_ledger(home.ledger, tmp_path / "calls.jsonl")
    lines = (tmp_path / "calls.jsonl").read_text().split("\n")
    forged = json.dumps({**json.loads(lines[0]), "request": '{"n":9}'})
    (tmp_path / "bad.jsonl").write_text("\n".join([lines[1], forged, "no json", "[]", '{"key": "x"}']))
    other = Home(str(tmp_path / "other"))
    with pytest.raises(StoreError, match=r"4 lines are no records") as error:
        import_ledger(other.ledger, tmp_path / "bad.jsonl")
    assert "line 2: its key is not that of its request" in str(error.value)
    assert list(other.ledger.records()) == []
    assert run(other, "--import", str(tmp_path / "bad.jsonl")).exit_code == 1


def test_pruning_forgets_a_revision_or_what_could_not_be_used(home):
    assert "pruned: 1 records" in run(home, "--prune", "r2").stdout
    assert "pruned: 1 records" in run(home, "--prune-unusable").stdout
    assert [(r["revision"], r["verdict"]) for r in Ledger(home.store).records()] == [("r1", "accepted")]
