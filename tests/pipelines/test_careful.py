"""The careful planners by rules: by tools and words alone they reach what the benchmark says can be reached."""

from __future__ import annotations

import copy
import json

import pytest

from assets.core.tools import Reply
from assets.grouptravel.conversation import careful
from assets.grouptravel.conversation.careful import AGENT_SENTENCES, play, public_of
from assets.grouptravel.conversation.questions import FIELD_TOPICS, read_question
from assets.grouptravel.conversation.talk import tongue_of
from assets.itinbench.careful import play as itinbench_play
from assets.release.reading import open_release
from assets.runs.playing import Access
from assets.runs.records import read_run
from assets.tripcraft.careful.asked import asked_of
from assets.tripcraft.careful.planner import best_plan, looked_at
from assets.tripcraft.careful.planner import play as trip_play
from assets.tripcraft.careful.tool_knowledge import Searches
from assets.tripcraft.scoring import score_plan
from assets.tripcraft.world import world as trip_world
from pipelines.runs.planners import Field
from tests.recipes import command


@pytest.fixture(scope="module")
def field(small_world):
    """Return the small world's groups as planners meet them."""
    return Field(open_release(small_world.releases["grouptravel"]), None, "ours", 0)


def played(task, access):
    return exhausted(play(task, access))


def exhausted(playing):
    with pytest.raises(StopIteration) as ended:
        next(playing)
    return ended.value.value


def test_groups_by_tools_and_users_alone_lie_between_the_greedy_planner_and_the_witness(small_world, tmp_path):
    percent = {}
    for planner in ("greedy", "careful", "witness"):
        words = ("run", small_world.releases["grouptravel"], "--planner", planner, "--out", tmp_path / planner)
        code, told = command(*words, home=small_world.home)
        assert code == 0
        percent[planner] = told["percent"]
        if planner == "careful":
            assert told["aggregate"]["pc"] == told["aggregate"]["pc_precision"] == 100
            assert told["aggregate"]["pv"] == 100
    assert percent["greedy"] < percent["careful"] < percent["witness"]
    code, easy = command(
        "run", small_world.releases["grouptravel"], "--planner", "careful", "--level", "easy", "--out", tmp_path / "e",
        home=small_world.home,
    )  # fmt: skip
    assert easy["aggregate"]["gu_share_bound"] >= 50
    line = next(iter(read_run(tmp_path / "e").lines.values()))
    assert {said["speaker"] for said in line.log} >= {"User1", "User2", "Agent"}
    assert line.trial["completion_reason"] == "plan"


def test_what_somebody_must_eat_is_looked_for_and_what_clashes_is_looked_for_once(field, monkeypatch):
    task, access = field.tasks(1, None)[0], field.access()
    agent = careful.Careful(careful.public_of(task), access, tongue_of(task["record"], access.currency))
    tables = agent.tables([])
    city = next(iter(tables["User1"]["city_specific_preferences"]))
    known = {poi.category for poi in agent._places(city, "food", tables)}
    monkeypatch.setattr(careful, "PAGE", 1)
    monkeypatch.setattr(careful, "MOST_PAGES", 1)
    (first,) = agent._places(city, "food", tables)
    wanted = sorted(known - {first.category})[0]
    tables["User1"]["city_specific_preferences"][city]["food"]["must_eat"] = [wanted]
    assert wanted in {poi.category for poi in agent._places(city, "food", tables)}

    looked: list[list[str]] = []
    monkeypatch.setattr(careful.Clashing, "clashing_wishes", lambda _, yielding: looked.append(yielding) or ())
    monkeypatch.setattr(agent, "_plan", lambda *_: "")
    for yields in (False, False, True):
        agent._yielding["User1"] = yields
        agent._handed_in(tables, [], can_ask=True)
    richer = copy.deepcopy(tables)
    richer["User1"]["global_constraints"]["avg_budget"] += 1
    agent._handed_in(richer, [], can_ask=True)
    assert looked == [[], ["User1"], ["User1"]]


def test_itineraries_by_the_request_and_the_tools_alone_do_too(small_world, tmp_path):
    percent = {}
    for planner in ("greedy", "careful", "witness"):
        words = ("run", small_world.releases["itinbench"], "--planner", planner, "--out", tmp_path / planner)
        code, told = command(*words, home=small_world.home)
        assert (code, told["solved"]) == (0, told["tasks"])
        percent[planner] = told["percent"]
    assert percent["greedy"] < percent["careful"] < percent["witness"]
    lines = read_run(tmp_path / "careful").lines.values()
    assert {len(line.log[0]["calls"]) for line in lines} == {3}


def test_trips_by_the_request_and_the_tools_alone_pass_and_are_no_witness(small_world, tmp_path):
    percent, solved = {}, {}
    for planner in ("random", "careful", "witness"):
        words = ("run", small_world.releases["tripcraft"], "--planner", planner, "--out", tmp_path / planner)
        code, told = command(*words, home=small_world.home)
        assert code == 0
        percent[planner], solved[planner] = told["percent"], told["solved"]
    assert solved["random"] < solved["careful"] == solved["witness"]
    assert percent["random"] < percent["careful"] < percent["witness"]


class Persona(dict):
    """A record of which its persona may be read and nothing else."""

    def __getitem__(self, name):
        assert name == "persona", f"the planner reads {name!r} of the record"
        return super().__getitem__(name)


def test_a_trip_is_of_the_request_and_the_persona_and_not_of_the_record(small_world):
    field = Field(open_release(small_world.releases["tripcraft"]), "tools", "ours", 0)
    task = field.tasks(1, None)[0]
    without = {"task_id": task["task_id"], "query": task["query"], "record": Persona(task["record"])}
    found = exhausted(trip_play(without, field.access()))
    assert (found.problem, found.text) == ("", exhausted(trip_play(task, field.access())).text)
    nothing = exhausted(trip_play({**without, "query": "Plan something."}, field.access()))
    assert (nothing.text, nothing.problem) == (
        "",
        "the request says no days, people, budget, dates, origin, destination",
    )


def test_what_the_planner_was_told_judges_a_plan_as_the_release_does(small_world):
    """The planner's own world, made of the tools' answers, gives the cost and the metrics of the release's."""
    field = Field(open_release(small_world.releases["tripcraft"]), "tools", "ours", 0)
    for task in field.tasks(None, None):
        searched = Searches(field.access())
        record = asked_of(task["query"], task["record"]["persona"], searched.cities)
        cities, known = looked_at(searched, record)
        plan, passes = best_plan(known, record, cities)
        own, true = (
            score_plan(asked, plan, world)
            for asked, world in ((record, known), (task["record"], trip_world(field.tables)))
        )
        assert (own.cost, own.metrics, own.failed()) == (true.cost, true.metrics, true.failed() or [])
        assert own.passes_hard == passes
        assert passes
        constraints = {name: value or None for name, value in record["constraints"].items()}
        assert constraints == task["record"]["constraints"]
        assert [record[name] for name in ("days", "dates", "people", "budget")] == [
            task["record"][name] for name in ("days", "dates", "people", "budget")
        ]


def test_an_itinerary_is_of_the_request_and_not_of_the_record(small_world):
    field = Field(open_release(small_world.releases["itinbench"]), None, "ours", 0)
    for task in field.tasks(None, None):
        without = {name: value for name, value in task.items() if name not in ("record", "drawn")}
        alone = exhausted(itinbench_play(without, field.access()))
        assert (alone.problem, alone.text) == ("", exhausted(itinbench_play(task, field.access())).text)
    assert exhausted(itinbench_play({"task_id": "x", "query": "Plan something."}, field.access())).problem == (
        "the request says no days, price, orientation, cuisine"
    )


def test_what_the_agent_is_given_holds_no_wish(field):
    for task in field.tasks(None, None):
        given = json.dumps(public_of(task))
        assert "user_preferences" not in given
        assert "avg_budget" not in given
        assert json.dumps(field.described(task)).count("avg_budget") == 0


def test_the_agents_plan_is_of_what_was_said_and_not_of_the_record(field):
    """The record's tables are changed once the users were asked: the plan is that of their words."""
    task = field.tasks(1, None)[0]
    whole = played(task, field.access())
    silent = copy.deepcopy(dict(task))
    for entry in silent["record"]["user_preferences"].values():
        table = entry["preference"]
        table["global_constraints"]["avg_budget"] = 1
        for wishes in table["city_specific_preferences"].values():
            wishes["attractions"]["must_visit"] = []
            wishes["attractions"]["category_pref"]["positive"] = []
            wishes["food"]["must_eat"] = wishes["food"]["prefer_eat"] = []
    assert played(silent, field.access()).text != whole.text
    assert played(task, field.access()).text == whole.text


def test_a_planner_without_tools_finds_no_plan(field):
    task = field.tasks(1, None)[0]
    nothing = played(task, Access(lambda name, given: Reply("{}", has_error=True), (), "USD"))
    assert nothing.text == AGENT_SENTENCES["en"][3]
    assert nothing.problem == "it ended without a plan (rounds)"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_agents_two_questions_ask_for_everything(language):
    asked = [text.format(user="User1", city="Oulu") for text in AGENT_SENTENCES[language][:2]]
    topics = [read_question(text, ("Oulu",), language).topics for text in asked]
    assert topics[0] == {"budget", "transport", "hotel", "sights_a_day", "hours"}
    assert topics[1] == {"sight", "kind", "food"}
    assert topics[0] | topics[1] == set(FIELD_TOPICS.values())
