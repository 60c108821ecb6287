"""Files of JSON lines that people give to commands: plans, texts, runs, ratings, records of a ledger.

Each bad line is named with its number and what it is, all of them at once; its neighbours are not, and nothing of a
line is replaced. What is JSON and holds values of other types is an error of the data or a plan that fails, never a
fault of ours.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from assets.runs.records import Head, Line, RunError, add, begin, read_run
from tests.recipes import command
from warehouse.ledger import Ledger
from warehouse.store import Store

BAD = {
    b'{"task_id": "caf\xe9"}': "not UTF-8 at byte 17 (0xe9)",
    b'{"task_id": "\xed\xa0\x80"}': "not UTF-8 at byte 14 (0xed)",
    b'{"task_id": ': "found no JSON: Expecting value at character",
    b"[" * 100_000: "nested too deeply to be read",
    b"[1]": "found a list, expected an object",
    b"null": "found null, expected an object",
}


@pytest.fixture(scope="module")
def run_of_groups(small_world, tmp_path_factory) -> Path:
    """Return the file of a run of the small world's GroupTravelBench."""
    path = tmp_path_factory.mktemp("run") / "run.jsonl"
    words = ("run", small_world.releases["grouptravel"], "--planner", "greedy", "--out", path)
    assert command(*words, home=small_world.home)[0] == 0
    return path


@pytest.fixture
def given(small_world, run_of_groups, tmp_path) -> dict[str, tuple[list[Any], bytes]]:
    """Return each command's words with FILE for the file, and a line of it that is right."""
    release = small_world.releases["grouptravel"]
    task_id = json.loads(run_of_groups.read_text().splitlines()[1])["task_id"]
    record = dict.fromkeys(("request", "endpoint", "answer", "model", "revision", "finish_reason", "verdict"), "x")
    record |= {"key": Ledger.key(b"x", "x"), "is_refusal": False}
    right = {
        "score": (["score", release, "FILE"], {"task_id": task_id, "plan": {}}),
        "extract-plans": (["extract-plans", release, "FILE", tmp_path / "out"], {"task_id": task_id, "text": "é"}),
        "calibrate": (["calibrate", release, "FILE"], {"task_id": task_id, "level": "easy", "text": "é"}),
        "judge": (["judge", release, run_of_groups, "--ratings", "FILE"], {"task_id": task_id, "ratings": [3] * 5}),
        "ledger": (["ledger", "--import", "FILE"], record),
    }
    return {name: (words, json.dumps(row, ensure_ascii=False).encode()) for name, (words, row) in right.items()}


COMMANDS = ("score", "extract-plans", "calibrate", "judge", "ledger")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_bad_line_is_told_at_once_and_no_neighbour(name, given, run_of_groups, small_world, tmp_path):
    words, right = given[name]
    path = tmp_path / "given lines.jsonl"
    head = [run_of_groups.read_bytes().split(b"\n")[0]] if name == "calibrate" else []
    path.write_bytes(b"\n".join([*head, right, *BAD, right]) + b"\n")
    home = small_world.home if name != "ledger" else tmp_path / "home"
    code, told = command(*[path if word == "FILE" else word for word in words], home=home)
    assert code == 1, told
    assert "given lines.jsonl" in told["error"]
    lines = [line for line in told["error"].split("\n") if line.startswith("  - line ")]
    found = {int(line.split()[2].rstrip(":")): line for line in lines}
    first = len(head) + 2
    for number, problem in enumerate(BAD.values(), first):
        assert problem in found.pop(number)
    repeated = {first + len(BAD)} if name in ("extract-plans", "judge") else set()
    assert set(found) == repeated, found


ODD = ("\ud800", "\u202e\x1b[2J", math.nan, math.inf, 10**400, None, True, [], {}, [[None]], {"\ud800": [1]})


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_a_plan_of_odd_values_fails_and_the_answer_is_one_json_object(odd, given, small_world, tmp_path, capsys):
    words, right = given["score"]
    day = {"date": odd, "city_segments": [{"city": odd, "activities": [{"name": odd, "cost": odd}, odd]}]}
    path = tmp_path / "plans.jsonl"
    path.write_text(json.dumps({**json.loads(right), "plan": {"days": [day, odd], "budget": odd}}) + "\n")
    code, told = command(*[path if word == "FILE" else word for word in words], home=small_world.home)
    assert code == 0, told


RUN = {"release": "r", "family": "grouptravel", "planner": "p"}


@pytest.mark.parametrize(
    ("head", "line", "problem"),
    [
        ({"planner": [1]}, {}, "line 1: planner is [1]; expected text"),
        ({"seed": True}, {}, "line 1: seed is True; expected a whole number"),
        ({}, {"task_id": 7}, "line 2: task_id is 7; expected text"),
        ({}, {"level": ["easy"]}, "line 2: level is ['easy']; expected text"),
        ({}, {"trial": True}, "line 2: trial is True; expected an object"),
        ({}, {"cost": "1"}, "line 2: cost is '1'; expected a number"),
        ({}, {"cost": math.nan}, "line 2: cost is nan; expected a number"),
        ({}, {"log": [7]}, "line 2: log is [7]; expected a list as it was written"),
        ({}, {"generation_ids": [None]}, "line 2: generation_ids is [None]; expected a list as it was written"),
    ],
)
def test_a_run_with_fields_of_other_types_is_none(head, line, problem, tmp_path):
    path = tmp_path / "run.jsonl"
    whole = {"task_id": "t", "level": "easy", "text": ""}
    path.write_text(json.dumps({"run": RUN | head}) + "\n" + json.dumps(whole | line) + "\n")
    with pytest.raises(RunError) as told:
        read_run(path)
    assert problem in str(told.value)


def test_a_run_of_a_variant_that_its_family_has_not_is_refused(run_of_groups, small_world, tmp_path):
    head, *rest = run_of_groups.read_text().split("\n")
    other = json.loads(head)
    other["run"]["variant"] = "theirs"
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join([json.dumps(other), *rest]))
    code, told = command("calibrate", small_world.releases["grouptravel"], path, home=small_world.home)
    assert code == 1
    assert "found a run of variant 'theirs'; expected one of" in told["error"]


def test_what_a_run_writes_it_reads_again_whatever_was_said(tmp_path):
    path, head = tmp_path / "run.jsonl", Head("r", "f", "p")
    lines = [Line(f"t{n}", "easy", text, plan=text, cost=1) for n, text in enumerate(("\ud800", "é\u2028\x00", "😀"))]
    begin(path, head)
    for line in lines:
        add(path, line)
    assert list(read_run(path).lines.values()) == lines


def test_a_run_of_a_planner_that_no_table_holds_is_not_begun(tmp_path):
    path = tmp_path / "run.jsonl"
    with pytest.raises(RunError, match="found half of a surrogate pair in"):
        begin(path, Head("r", "f", "command:cat \udcff"))
    assert not path.exists()


def test_a_text_that_spells_half_of_a_pair_is_extracted_as_it_is_and_scored(small_world, given, tmp_path):
    words, right = given["extract-plans"]
    plan = {"days": [{"day": 1, "date": "\ud800", "city_segments": [{"city": "\ud800", "activities": []}]}]}
    texts, out = tmp_path / "texts.jsonl", tmp_path / "read.jsonl"
    texts.write_text(json.dumps({"task_id": json.loads(right)["task_id"], "text": json.dumps(plan)}) + "\n")
    code, told = command(*words[:2], texts, out, home=small_world.home)
    assert (code, told["plans"]) == (0, 1), told
    assert json.loads(out.read_bytes())["plan"] == plan
    assert command("score", words[1], out, home=small_world.home)[0] == 0


def test_a_ledger_forgets_beside_an_answer_with_half_of_a_pair(tmp_path):
    ledger = Ledger(Store(str(tmp_path)))
    for name in ("kept", "left"):
        ledger.add(request=name.encode(), endpoint="x", answer="\ud800", revision=name)
    assert ledger.remove(lambda record: record["revision"] == "left") == 1
    assert [record["answer"] for record in ledger.records()] == ["\ud800"]
