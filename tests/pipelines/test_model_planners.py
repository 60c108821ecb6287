"""A model as a planner and as a judge by the commands, on small releases and a stand-in server."""

from __future__ import annotations

import json

import pytest

from assets.core.tools import Answer as Told
from assets.core.tools import Reply, Tool, schema
from assets.language.asking import Answer, Unanswered
from assets.release.reading import open_release
from assets.runs.by_model import MOST_STEPS, Act, by_model, is_act
from assets.runs.playing import Access
from assets.runs.records import read_run
from assets.runs.setting import RunSetting
from pipelines.runs.planners import Field
from sources.services import llm
from tests.assets.grouptravel.groups import records_of
from tests.model_server import KEY, MODEL, ModelServer
from tests.recipes import command
from tests.small_world import small_recipe


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    monkeypatch.setenv("STANDIN_KEY", KEY)
    monkeypatch.setattr(llm.ModelClient.__init__, "__kwdefaults__", {"first_pause_s": 0.01})


def recipe(url: str, folder) -> object:
    path = folder / "model.toml"
    endpoint = (
        f'base_url = "{url}"\nmodel = "{MODEL}"\napi_key_env = "STANDIN_KEY"\nprices = {{ input = 1.0, output = 1.0 }}'
    )
    path.write_text(f"{small_recipe()}\n[engines.openai]\n{endpoint}\n")
    return path


def witnesses(release) -> dict[str, object]:
    rows = open_release(release).rows("certificates").to_pylist()
    queries = {row["task_id"]: row["query"] for row in open_release(release).rows("tasks").to_pylist()}
    return {queries[row["task_id"]]: row["plan"] for row in rows}


@pytest.mark.parametrize(("family", "setting"), [("itinbench", "all_data"), ("tripcraft", "reference")])
def test_a_model_that_is_given_everything_answers_once(small_world, tmp_path, family, setting):
    release = small_world.releases[family]
    known = witnesses(release)

    def brain(messages):
        (request,) = records_of(messages)
        assert len(request["context"]) > 100
        return json.dumps({"text": f"As you wish: {json.dumps(known[request['request']])}"})

    with ModelServer(brain) as server:
        words = ("run", release, "--planner", "model", "--model", recipe(server.url, tmp_path), "--setting", setting)
        code, told = command(*words, "--out", tmp_path / "run.jsonl", home=tmp_path / "home")
        assert (code, told["solved"], told["spent"]["calls"]) == (0, told["tasks"], told["tasks"])
        paid = sum(line.cost for line in read_run(tmp_path / "run.jsonl").lines.values())
        assert paid == pytest.approx(told["spent"]["cost"])
        code, told = command(*words, "--out", tmp_path / "run.jsonl", home=tmp_path / "home")
        assert (code, told["spent"]["calls"], sum(server.paid.values())) == (0, 0, told["tasks"])


def test_a_model_with_tools_sees_what_they_answer(small_world, tmp_path):
    release = small_world.releases["itinbench"]
    known = witnesses(release)

    def brain(messages):
        request, *steps = records_of(messages)
        if not steps:
            return json.dumps({"tool": "Planner", "arguments": '{"Query": "x"}', "text": ""})
        assert "notebook is empty" in steps[0]["result"]
        return json.dumps({"tool": "", "arguments": "", "text": json.dumps(known[request["request"]])})

    with ModelServer(brain) as server:
        words = ("run", release, "--planner", "model", "--model", recipe(server.url, tmp_path), "--limit", "2")
        code, told = command(*words, "--out", tmp_path / "run.jsonl", home=tmp_path / "home")
    assert (code, told["solved"], told["spent"]["calls"]) == (0, 2, 4)


def test_a_models_ratings_become_the_judges_score_once(small_world, tmp_path):
    release, run = small_world.releases["grouptravel"], tmp_path / "careful.jsonl"
    command("run", release, "--planner", "careful", "--limit", "2", "--out", run, home=small_world.home)

    def brain(messages):
        if "rate a rating" in messages[0]["content"]:
            return json.dumps({"evidence": "…", "rating": 4})
        names = ("hallucination_factuality", "tool_usage_reasoning", "interaction_quality", "conflict_coordination",
                 "plan_humanization")  # fmt: skip
        return json.dumps({name: {"evidence": "…", "rating": 3} for name in names})

    with ModelServer(brain) as server:
        words = ("judge", release, run, "--model", recipe(server.url, tmp_path), "--meta")
        code, told = command(*words, home=tmp_path / "home")
        assert (code, told["judge"], told["unrated"]) == (0, 40.0, [])
        assert sum(server.paid.values()) == 4
        assert command(*words, home=tmp_path / "home")[1]["judge"] == 40.0
        assert sum(server.paid.values()) == 4


def test_a_model_that_rates_nothing_is_told_with_why_and_its_calls_are_noted(small_world, tmp_path):
    release, run = small_world.releases["grouptravel"], tmp_path / "careful.jsonl"
    command("run", release, "--planner", "careful", "--limit", "1", "--out", run, home=small_world.home)
    with ModelServer(lambda messages: "I would rather not.") as server:
        words = ("judge", release, run, "--model", recipe(server.url, tmp_path))
        code, told = command(*words, home=tmp_path / "home")
    assert (code, told["judge"]) == (1, None)
    assert [reason.split(": ")[1] for reason in told["unrated"]] == ["invalid_json"]
    (noted,) = command("ledger", home=tmp_path / "home")[1]["builds"]
    assert noted["recipe"] == f"judging of {release.name}" and noted["calls"] == sum(server.paid.values())


TASK = {"task_id": "t", "query": "Go."}


TOOLS = (Tool("look", "Look.", schema((), {}), lambda _: Told("")),)


class _Family:
    name, plan_text = "none", None


def steps_of(*answers, reply=lambda name, given: Reply("{}")):
    """Return what a planner with tools hands in after these answers."""
    play = by_model(_Family(), RunSetting(), None, "query")  # type: ignore[arg-type]
    playing = play(TASK, Access(reply, TOOLS))
    try:
        next(playing)
        for answer in answers:
            playing.send(answer)
    except StopIteration as end:
        return end.value
    raise AssertionError("it asks on")


def act(tool="", arguments="", text="") -> Answer:
    return Answer("t", Act(tool=tool, arguments=arguments, text=text), "g")


def test_a_planner_that_goes_round_in_circles_is_stopped():
    found = steps_of(*[act("look")] * 3)
    assert (found.text, found.problem) == ("", "it called look alike 3 times")
    many = [act("look", json.dumps({"n": n})) for n in range(MOST_STEPS)]
    assert steps_of(*many).problem == f"it made {MOST_STEPS} calls and no plan"


def test_a_model_without_an_answer_is_a_problem_of_its_task():
    assert steps_of(act("look"), Unanswered("t", "refused: no")).problem == "refused: no"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"text": "A plan."}, []),
        ({"tool": "look", "arguments": "{}"}, []),
        ({"tool": "look", "text": "and"}, ["expected a tool or a text, found both"]),
        ({}, ["expected a text, found none"]),
        ({"tool": "look", "arguments": "[1]"}, ["expected arguments that are a JSON object, written as a text"]),
        ({"tool": "look", "arguments": "{"}, ["expected arguments that are a JSON object, written as a text"]),
    ],
)
def test_what_is_a_step(given, problem):
    assert is_act(Act(**{"tool": "", "arguments": "", "text": "", **given})) == problem


def test_what_a_command_is_given_is_no_record(small_world):
    for family, release in small_world.releases.items():
        field = Field(open_release(release), None, "ours", 0)
        for task in field.tasks(1, None):
            given = field.described(task)
            assert set(given) == {"task_id", "level", "query", "messages", "family", "setting", "context"}, family
