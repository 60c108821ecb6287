"""Groups whose tables and opening messages a model makes: held to the rules, read back, released with the calls."""

from __future__ import annotations

import json
import re

import pytest

from assets.grouptravel.wishes import preferences_by_model
from assets.grouptravel.wishes.message_reading import Terms, read_message
from assets.grouptravel.wishes.preferences import items_of
from assets.language.asking import value_or_problem
from assets.promises.values import edges_by_task
from assets.release.audit import audit_release
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from pipelines.releases.gathering import NoTaskError
from pipelines.walk.build import build
from pipelines.walk.plan import estimate_build
from tests.brains import makes_groups, makes_tables
from tests.model_server import KEY, MODEL, ModelServer, mixed
from tests.pipelines.groups import recipe_text
from tests.pipelines.test_model_build import CONTENT_FAULTS, by_model
from warehouse.home import Home


@pytest.fixture(scope="module")
def groups(tmp_path_factory):
    """A release of groups that a model made, its home, the prompts for tables, and the calls that a plan counted."""
    folder = tmp_path_factory.mktemp("groups")
    prompts = []
    make = preferences_by_model._prompt

    def watched(*given):
        prompts.append(make(*given))
        return prompts[-1]

    home = Home(str(folder / "home"))
    (folder / "groups.toml").write_text(recipe_text("own"))
    with pytest.MonkeyPatch.context() as patch, ModelServer(makes_groups, mixed(0.2, CONTENT_FAULTS)) as server:
        patch.setenv("STANDIN_KEY", KEY)
        recipe = by_model(folder / "groups.toml", server.url, ("preferences",), "corrections = 6")
        planned = estimate_build(home, recipe).needed["grouptravel_draft", ""]
        patch.setattr(preferences_by_model, "_prompt", watched)
        built = build(home, recipe)
    assert [b.reason for b in built.blocked] == []
    return open_release(home.releases.folder(built.releases[0].ref)), home, prompts, planned


def test_what_a_model_made_holds_the_rules_and_is_released_with_its_calls(groups):
    release, home, _, planned = groups
    tasks = release_tables(release).tasks
    assert set(tasks["engine"]) == {MODEL}
    people = [record["user_preferences"] for record in tasks["record"]]
    assert [len(calls) for calls in tasks["generation_ids"]] == [2 * len(users) for users in people]
    assert planned.calls == sum(len(calls) for calls in tasks["generation_ids"])
    assert set(release.table("generations")["job"]) == {"preferences"}
    assert audit_release(release, home.snapshots).problems == []


def test_each_message_says_one_to_three_preferences_of_its_member_and_leads_to_its_call(groups):
    release = groups[0]
    answers = release.table("generations").set_index("generation_id")["answer"]
    tables = release_tables(release)
    edges = edges_by_task(release.rows("lineage"))
    for task in tables.tasks.to_dict("records"):
        record = task["record"]
        for n, message in enumerate(task["messages"]):
            read = read_message(message["content"], Terms(record["metadata"]["cities"], "en", "USD"))
            held = list(items_of(record["user_preferences"][message["role"]]["preference"]))
            assert read.doubts == [] and 1 <= len(read.items) <= 3
            assert all(item in held for item in read.items)
            (call,) = edges[task["task_id"]][f"messages/{n}/content"].generation_ids
            assert json.loads(answers[call]) == {"message": message["content"]}


def softens(messages):
    return makes_groups(messages).replace("need to", "would love to").replace("will never", "prefer not to")


def invents_a_place(messages):
    return makes_groups(messages).replace('"must_visit": [', '"must_visit": ["Atlantis Museum", ')


@pytest.mark.parametrize(
    ("spoils", "step", "problem"),
    [
        (softens, "grouptravel_task", r"User\d's message: wrong_content: (missing|unclear): "),
        (invents_a_place, "grouptravel_draft", r"User\d: wrong_content: listed .*Atlantis Museum"),
    ],
)
def test_what_a_model_spoils_is_asked_again_with_the_errors_shown_then_rejected_by_name(
    spoils, step, problem, groups, tmp_path, monkeypatch
):
    monkeypatch.setenv("STANDIN_KEY", KEY)
    home = groups[1]
    (tmp_path / "groups.toml").write_text(recipe_text("own"))
    with ModelServer(spoils) as server:
        recipe = by_model(tmp_path / "groups.toml", server.url, ("preferences",), "corrections = 1")
        with pytest.raises(NoTaskError, match="0 of 0 drafts are certified"):
            build(home, recipe)
        made = home.built.latest("groups", step, "")
        found = [row for row in home.tables.read(made.rejections).to_pylist() if row["reason"] == "no_valid_answer"]
        assert found and any(re.search(problem, row["detail"]) for row in found)
    with ModelServer(lambda messages: (makes_groups if len(messages) > 2 else spoils)(messages)) as server:
        (tmp_path / "groups.toml").write_text(recipe_text("own"))
        built = build(home, by_model(recipe, server.url, ("preferences",), "corrections = 1"))
        assert built.releases[0].tasks == 6


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda t: t["cities"][0]["must_visit"].append("Atlantis Museum"), "listed"),
        (lambda t: t["cities"][0]["must_eat"].append("moon cheese"), "listed"),
        (lambda t: t["cities"][0].update(reject_visit=t["cities"][0]["must_visit"]), "tiers_are_exclusive"),
        (lambda t: t["cities"][0].update(must_eat=[], avoid_eat=[]), "item_counts"),
        (lambda t: t["cities"].append({**t["cities"][0], "city": "Atlantis"}), "same_cities"),
        (lambda t: t["cities"].append(t["cities"][0]), "same_cities"),
        (lambda t: t["global_constraints"].update(avg_budget=1), "budget_covers"),
        (lambda t: t["global_constraints"]["intensity"].update(max_active_hours=14), "caps_in_range"),
        (lambda t: t["global_constraints"]["transport"].update(must=["teleport"]), "listed"),
        (lambda t: t["global_constraints"].update(mood="good"), "wrong_shape"),
    ],
)
def test_a_table_that_breaks_a_rule_is_refused_by_its_name(change, named, groups):
    prompt = groups[2][0]
    messages = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]
    right = json.loads(makes_tables(messages))
    wrong = json.loads(json.dumps(right))
    change(wrong)
    for table, problem in ((right, ""), (wrong, named)):
        record = {"finish_reason": "stop", "is_refusal": False, "answer": json.dumps(table)}
        found = value_or_problem(record, prompt)[1]
        assert problem in found and bool(found) == bool(problem)
