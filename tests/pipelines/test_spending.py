"""`tripwright ledger`: spend and hit rates, export and import between homes, forgetting."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.console import show_built
from pipelines.walk.build import BuildResult
from pipelines.walk.call_costs import Spent
from pipelines.walk.spending import export_ledger, import_ledger, note_spending, spending
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
    show_built(home, BuildResult(spent=lost))
    assert "model: 0 calls (0 + 0 tokens, cost 0.3000, 0.3000 of it by our estimate)" in capsys.readouterr().out


def test_an_exported_ledger_is_the_same_in_another_home(home, tmp_path):
    assert export_ledger(home.ledger, tmp_path / "calls.jsonl") == 3
    other = Home(str(tmp_path / "other"))
    assert import_ledger(other.ledger, tmp_path / "calls.jsonl") == counts(3, 0, 0)
    assert list(other.ledger.records()) == list(home.ledger.records())
    assert import_ledger(other.ledger, tmp_path / "calls.jsonl") == counts(0, 3, 0)
    assert spending(other)["records"] == spending(home)["records"]


def counts(*numbers):
    return dict(zip(("imported", "already_there", "other_answers"), numbers, strict=True))


def test_a_call_that_is_held_with_another_answer_stays_and_is_told(home, tmp_path):
    path = tmp_path / "calls.jsonl"
    export_ledger(home.ledger, path)
    first, *_ = (json.loads(line) for line in path.read_text().split("\n")[:-1])
    other = {**first, "answer": "another", "self": 1}
    path.write_text(json.dumps(other) + "\n")
    assert import_ledger(home.ledger, path) == counts(0, 0, 1)
    assert home.ledger.find(first["key"]) == first
    assert "held here with another answer, which stays: 1 record" in run(home, "--import", str(path)).stdout
    empty = Home(str(tmp_path / "empty"))
    path.write_text(json.dumps(other) + "\n" + json.dumps(first) + "\n")
    assert import_ledger(empty.ledger, path) == counts(1, 0, 1)


ODD = {
    "job": ([1], "job: expected text"), "prompt_tokens": ("3", "prompt_tokens: expected a number"),
    "completion_tokens": (True, "completion_tokens: expected a number"), "cost": (-5, "cost: expected a number"),
    "is_refusal": ("no", "is_refusal: expected true or false"), "request": ("\ud800", "request: found half of"),
    "endpoint": ("\ud800", "endpoint: found half of"), "revision": ("\ud800", "revision: found half of"),
}  # fmt: skip


def test_a_record_of_odd_facts_is_refused_for_no_command_could_sum_them(home, tmp_path):
    path = tmp_path / "calls.jsonl"
    export_ledger(home.ledger, path)
    record = json.loads(path.read_text().split("\n")[:-1][0])
    path.write_text("".join(json.dumps({**record, name: value}) + "\n" for name, (value, _) in ODD.items()))
    with pytest.raises(StoreError) as told:
        import_ledger(home.ledger, path)
    for number, (_, problem) in enumerate(ODD.values(), start=1):
        assert f"line {number}: {problem}" in str(told.value)
    home.ledger.add(request=b"x", endpoint="e", answer="", **{**facts(record), "job": [1]})
    with pytest.raises(StoreError, match="is damaged: job: expected text"):
        spending(home)


def facts(record):
    return {name: value for name, value in record.items() if name not in ("key", "request", "endpoint", "answer")}


@pytest.mark.parametrize("note", [b"{", b"[1]", b"{}", b'{"recipe": "x", "cached": "1"}'])
def test_a_note_of_a_build_that_cannot_be_summed_is_named(home, note):
    home.store.put("asked/a.json", note)
    done = run(home)
    assert (done.exit_code, "asked/a.json: no note of what a build spent" in done.output) == (1, True)


def test_an_export_that_breaks_off_leaves_no_file_and_none_is_written_over(home, tmp_path, monkeypatch):
    path = tmp_path / "calls.jsonl"
    with monkeypatch.context() as broken:
        broken.setattr(type(home.ledger), "records", lambda _: (1 // 0 for _ in range(1)))
        with pytest.raises(ZeroDivisionError):
            export_ledger(home.ledger, path)
    assert list(tmp_path.iterdir()) == [tmp_path / "home"]
    export_ledger(home.ledger, path)
    with pytest.raises(FileExistsError):
        export_ledger(home.ledger, path)


def test_a_file_that_is_no_ledger_is_refused_whole_with_every_problem(home, tmp_path):
    export_ledger(home.ledger, tmp_path / "calls.jsonl")
    lines = (tmp_path / "calls.jsonl").read_text().split("\n")
    forged = json.dumps({**json.loads(lines[0]), "request": '{"n":9}'})
    (tmp_path / "bad.jsonl").write_text("\n".join([lines[1], forged, "no json", "[]", '{"key": "x"}']))
    other = Home(str(tmp_path / "other"))
    with pytest.raises(StoreError, match=r"4 lines cannot be used as records") as error:
        import_ledger(other.ledger, tmp_path / "bad.jsonl")
    assert "line 2: its key is not that of its request" in str(error.value)
    assert list(other.ledger.records()) == []
    assert run(other, "--import", str(tmp_path / "bad.jsonl")).exit_code == 1


def test_pruning_forgets_a_revision_or_what_could_not_be_used(home):
    assert "pruned: 1 record\n" in run(home, "--prune", "r2").stdout
    assert "pruned: 1 record\n" in run(home, "--prune-unusable").stdout
    assert [(r["revision"], r["verdict"]) for r in Ledger(home.store).records()] == [("r1", "accepted")]
