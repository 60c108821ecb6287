"""The compromise protocol: markers, who may be asked, quotas, repaired paths, and what others see."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.grouptravel.checks.compromise import effective_tables, read_marker, resolve_path
from tests.assets.grouptravel.weekend import table


def entries() -> dict[str, Any]:
    return {user: {"role": "friend", "preference": table(avg_budget=500, must_eat=["hotpot"]), "compromisable": True}
            for user in ("User1", "User10")}  # fmt: skip


def ask(*users: str) -> dict[str, str]:
    return {"role": "Agent", "content": "Could you? " + " ".join(f"@{user}" for user in users)}


def say(user: str, marker: str) -> dict[str, str]:
    return {"role": user, "content": f"All right.\n{marker}"}


BUDGET = "[global_constraints.avg_budget : 900]"


def budgets(*messages: Any) -> tuple[Any, Any]:
    found = effective_tables(entries(), messages).tables
    one, ten = (found[user]["preference"]["global_constraints"]["avg_budget"] for user in ("User1", "User10"))
    return one, ten


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([ask("User1"), say("User1", BUDGET)], (900, 500)),
        ([say("User1", BUDGET)], (500, 500)),
        ([ask("User10"), say("User1", BUDGET)], (500, 500)),
        # the last mention counts, and a longer name is not the shorter one
        ([ask("User1", "User10"), say("User10", BUDGET)], (500, 900)),
        ([ask("User10", "User1"), say("User10", BUDGET)], (500, 500)),
        ([ask("User12"), say("User1", BUDGET)], (500, 500)),
        # somebody else spoke in between; a tool or a pass is not seen
        ([ask("User1"), {"role": "User10", "content": "Hm."}, say("User1", BUDGET)], (500, 500)),
        ([ask("User1"), {"role": "tool", "content": "…"}, say("User1", BUDGET)], (900, 500)),
        ([ask("User1"), {"role": "User10", "content": "[pass]"}, say("User1", BUDGET)], (900, 500)),
        # not on the last line
        ([ask("User1"), {"role": "User1", "content": BUDGET + "\nor not"}], (500, 500)),
        ([None, 3, {"role": "Agent"}, {"content": "x"}, ask("User1"), say("User1", BUDGET)], (900, 500)),
    ],
)  # fmt: skip
def test_who_may_change_their_table_and_when(messages, expected):
    assert budgets(*messages) == expected


def test_a_user_agrees_at_most_twice():
    def turns(value: int) -> list[Any]:
        return [ask("User1"), say("User1", f"[avg_budget : {value}]")]

    found = effective_tables(entries(), [*turns(600), *turns(700), *turns(800)])
    assert found.tables["User1"]["preference"]["global_constraints"]["avg_budget"] == 700
    assert [c.applied for c in found.compromises] == [True, True, False]
    assert found.compromises[2].why == "the user has already agreed 2 times"
    assert (found.is_compromisable("User1"), found.tables["User1"]["compromisable"]) == (False, False)
    assert (found.is_compromisable("User10"), found.tables["User10"]["compromisable"]) == (True, True)


def test_the_tables_that_were_given_stay_as_they_are():
    before = entries()
    found = effective_tables(before, [ask("User1"), say("User1", BUDGET)])
    assert before == entries() != found.tables


def test_a_path_that_leads_nowhere_uses_no_quota_and_changes_nothing():
    before = entries()
    kept = copy.deepcopy(before)
    turn = [ask("User1"), say("User1", "[global_constraints.pets : true]")]
    found = effective_tables(before, turn)
    assert (found.tables, before) == (kept, kept)
    assert (found.used["User1"], found.compromises[0].why) == (0, "the path leads to no preference")


@pytest.mark.parametrize(
    ("path", "way"),
    [
        ("global_constraints.avg_budget", "global_constraints.avg_budget"),
        ("avg_budget", "global_constraints.avg_budget"),
        ("hotel_preference.hotel_preference.avoid", "global_constraints.hotel_preference.avoid"),
        ("global_constraints_constraints.intensity.max_poi_per_day", "global_constraints.intensity.max_poi_per_day"),
        ("Oulu.food.must_eat", "city_specific_preferences.Oulu.food.must_eat"),
        ("city_specific_preferences.city_specific_preferences.Oulu.food.must_eat",
         "city_specific_preferences.Oulu.food.must_eat"),
        ("Paris.food.must_eat", None),
        ("global_constraints", None),
        ("", None),
    ],
)  # fmt: skip
def test_paths_are_repaired(path, way):
    found = resolve_path(table(), path)
    assert (".".join(found) if found else None) == way


def test_a_city_may_have_a_dot_in_its_name():
    wanted = {"global_constraints": {}, "city_specific_preferences": {"St. Ives": {"food": {"must_eat": []}}}}
    assert resolve_path(wanted, "St. Ives.food.must_eat") == (
        "city_specific_preferences",
        "St. Ives",
        "food",
        "must_eat",
    )


@pytest.mark.parametrize(
    ("text", "path", "value", "visible"),
    [
        ("Fine.\n[a.b : [\"x\", \"y\"]]", "a.b", ["x", "y"], "Fine."),
        ("Fine. [a : 12.5]  ", "a", 12.5, "Fine."),
        ("[a : flight]", "a", "flight", ""),
        ("[see] this\n[西安市.food.must_eat : []]", "西安市.food.must_eat", [], "[see] this"),
        ("[a : [\"x\"]", "a", ["x"], ""),
    ],
)  # fmt: skip
def test_markers_are_read(text, path, value, visible):
    found = read_marker(text)
    assert found is not None
    assert (found.path, found.value, found.visible) == (path, value, visible)


@pytest.mark.parametrize("text", ["", "[pass]", "[a : ]", "[a : -]", "[ : 3]", '[a : "x]', "a : 3", "[a : 3] indeed"])
def test_what_is_no_marker_is_none(text):
    assert read_marker(text) is None


@given(st.text(alphabet='[]:. \n"a1{}（市', max_size=60))
def test_no_message_is_an_error_and_what_is_seen_is_its_beginning(text):
    found = read_marker(text)
    if found is not None:
        assert text.startswith(found.visible)
    effective_tables(entries(), [ask("User1"), {"role": "User1", "content": text}])


def test_a_long_line_of_brackets_is_read_at_once():
    assert read_marker("[" * 100_000 + "]") is None
