"""Groups whose preference tables a model makes: under the twelve rules, released with the calls, no invented name."""

from __future__ import annotations

import json

import pytest

from assets.asking import judged
from assets.grouptravel.wishes import preferences_by_model
from assets.release.audit import audit_release
from assets.release.reading import open_release
from pipelines.build import build
from tests.brains import makes_tables
from tests.model_server import KEY, MODEL, ModelServer, mixed
from tests.pipelines.test_grouptravel_family import recipe_text
from tests.pipelines.test_model_build import CONTENT_FAULTS, by_model
from warehouse.home import Home


@pytest.fixture(scope="module")
def groups(tmp_path_factory):
    """A release of groups whose tables a model made, its home, and the prompts that it was asked."""
    folder = tmp_path_factory.mktemp("groups")
    prompts = []
    make = preferences_by_model._prompt

    def watched(*given):
        prompts.append(make(*given))
        return prompts[-1]

    home = Home(str(folder / "home"))
    (folder / "groups.toml").write_text(recipe_text("own"))
    with pytest.MonkeyPatch.context() as patch, ModelServer(makes_tables, mixed(0.2, CONTENT_FAULTS)) as server:
        patch.setenv("STANDIN_KEY", KEY)
        patch.setattr(preferences_by_model, "_prompt", watched)
        recipe = by_model(folder / "groups.toml", server.url, ("preferences",), "corrections = 6")
        built = build(home, recipe)
    assert [b.reason for b in built.blocked] == []
    return open_release(home.releases.folder(built.releases[0].ref)), home, prompts


def test_tables_of_a_model_hold_the_rules_and_are_released_with_their_calls(groups):
    release, home, _ = groups
    tasks = release.table("tasks")
    assert set(tasks["engine"]) == {MODEL}
    people = [json.loads(r)["user_preferences"] for r in tasks["record_json"]]
    assert [len(calls) for calls in tasks["generation_ids"]] == [len(users) for users in people]
    assert set(release.table("generations")["job"]) == {"preferences"}
    assert audit_release(release, home.snapshots).problems == []


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
        found = judged(record, prompt)[1]
        assert problem in found and bool(found) == bool(problem)
