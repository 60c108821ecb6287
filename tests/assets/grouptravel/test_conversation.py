"""The conversation's protocol: who speaks when, what counts, how it ends, the published slips, and its invariants."""

from __future__ import annotations

import dataclasses
import json
import random
from typing import Any

import pytest

from assets.grouptravel.checks.compromise import AGENT, effective_tables
from assets.grouptravel.conversation.protocol import Call, Conversation, mentioned, replayed
from assets.grouptravel.conversation.rules import Rules, rules_of
from tests.assets.grouptravel.weekend import good_plan, table

PLAN = json.dumps(good_plan())
ASK = "@User1 could you spend more?"
BUDGET = "[global_constraints.avg_budget : 900]"


def entries(users: int = 2, *, is_able: bool = True) -> dict[str, Any]:
    preference = {"role": "friend", "compromisable": is_able}
    return {f"User{n}": {**preference, "preference": table(avg_budget=500)} for n in range(1, users + 1)}


def begun(rules: Rules | None = None, users: int = 2, **options: Any) -> Conversation:
    """Return a conversation after the opening summary."""
    openings = [{"role": f"User{n}", "content": "Hello all."} for n in range(1, users + 1)]
    conversation = Conversation(entries(users, **options), openings, rules or rules_of("ours", "easy"))
    said(conversation, "{}", "So far I know nothing.")
    return conversation


def said(conversation: Conversation, *texts: str) -> list[tuple[str, str, int]]:
    """Say the texts in order and return whose turn each was: (speaker, kind, round)."""
    turns = []
    for text in texts:
        turn = conversation.turn
        assert turn is not None
        turns.append((turn.speaker, turn.kind, turn.round))
        conversation.say(text)
    return turns


def messages(conversation: Conversation) -> list[tuple[str, str]]:
    return [(entry["role"], entry["content"]) for entry in conversation.history if entry["type"] == "message"]


def test_openings_come_first_then_the_agents_table_and_summary():
    conversation = Conversation(entries(), [{"role": "User1", "content": "A."}], rules_of("ours", "easy"))
    assert said(conversation, "{}", "Summary.") == [(AGENT, "table", 0), (AGENT, "summary", 0)]
    assert messages(conversation) == [("User1", "A."), (AGENT, "Summary.")]
    assert (conversation.events, conversation.rounds) == (1, 0)


def test_users_then_the_agent_are_polled_and_a_round_ends_with_the_agent():
    conversation = begun()
    assert said(conversation, "Hm.", "[pass]", "Noted.", "[pass]") == [
        ("User1", "polled", 0), ("User2", "polled", 0), (AGENT, "polled", 0), ("User1", "polled", 1),
    ]  # fmt: skip
    assert [role for role, _ in messages(conversation)] == ["User1", "User2", AGENT, "User1", AGENT]


def test_the_last_mention_pre_empts_and_spends_no_slot():
    conversation = begun()
    turns = said(conversation, "[pass]", "[pass]", "First @User1, but now @User2, what do you like?", "Temples.")
    assert turns[-1] == ("User2", "mentioned", 1)
    assert conversation.turn is not None
    assert (conversation.turn.speaker, conversation.turn.kind) == ("User1", "polled")


def test_a_users_mention_calls_nobody():
    conversation = begun()
    said(conversation, "@User2 do you agree? @Agent")
    assert conversation.turn is not None
    assert (conversation.turn.speaker, conversation.turn.kind) == ("User2", "polled")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("@User1 and @User10", "User10"), ("@User1的想法", "User1"), ("@User12", None), ("User1", None),
     ("@User10 @User1?", "User1")],
)  # fmt: skip
def test_mentions(text, expected):
    assert mentioned(text, ("User1", "User10")) == expected


def test_a_mentioned_user_who_passes_is_asked_twice_more_and_then_left_alone():
    conversation = begun()
    said(conversation, "[pass]", "[pass]", "@User1 what do you like?")
    events = conversation.events
    assert said(conversation, "[pass]", "[PASS]", " [pass]\n[pass]") == [("User1", "mentioned", 1)] * 3
    assert (conversation.events, conversation.turn.kind if conversation.turn else "") == (events + 1, "polled")


def test_a_trailing_pass_is_taken_off():
    conversation = begun()
    said(conversation, "I like temples.\n[pass]")
    assert messages(conversation)[-1] == ("User1", "I like temples.")


def test_who_has_heard_nothing_new_is_not_polled():
    conversation = begun()
    said(conversation, "[pass]", "[pass]", "@User1 what do you like?")
    assert said(conversation, "Parks.", "[pass]", "Ah.")[1][0] == "User2"  # User1 spoke last: the next slot


@pytest.mark.parametrize(("level", "rounds", "every"), [("easy", 15, 3), ("medium", 20, 4), ("hard", 25, 5)])
def test_budgets_by_difficulty_and_what_the_released_script_makes_of_them(level, rounds, every):
    """Released: 15 rounds for everything, and a summary costs a round, so that 11 are left to speak in."""

    def laps(variant: str) -> tuple[int, int]:
        conversation = begun(rules_of(variant, level))
        polled = summaries = 0
        while conversation.turn is not None and conversation.turn.kind != "final":
            polled += (conversation.turn.kind, conversation.turn.speaker) == ("polled", AGENT)
            summaries += conversation.turn.kind == "summary"
            conversation.say("Go on." if conversation.turn.speaker == AGENT else "[pass]")
        return polled, summaries

    assert (rules_of("ours", level).rounds, rules_of("ours", level).summary_every) == (rounds, every)
    assert laps("ours") == laps("paper") == (rounds, (rounds - 1) // every)
    assert laps("released") == (11, 4)


def test_a_plan_ends_the_conversation_and_the_table_after_it_is_of_before():
    conversation = begun()
    said(conversation, "[pass]", "[pass]", f"Here you are:\n```json\n{PLAN}\n```")
    assert conversation.end == "plan"
    assert conversation.turn is not None
    assert conversation.turn.kind == "table"
    assert PLAN in messages(conversation)[-1][1]
    assert not any(PLAN in entry["content"] for entry in conversation.seen_by(AGENT))
    said(conversation, json.dumps({"user_preferences": {"User1": table(avg_budget=500)}}))
    assert (conversation.turn, list(conversation.agent_tables)) == (None, ["User1"])
    with pytest.raises(ValueError, match="has ended"):
        conversation.say("More?")


def test_when_the_rounds_are_used_up_the_plan_is_asked_for_three_times():
    conversation = begun(Rules(1, 3))
    turns = said(conversation, "[pass]", "[pass]", "Go on.", "I cannot.", "{no", "No.")
    assert turns[-3:] == [(AGENT, "final", 1)] * 3
    assert (conversation.turn, conversation.end, conversation.plan) == (None, "rounds", None)
    other = begun(Rules(1, 3))
    said(other, "[pass]", "[pass]", "Go on.", "I cannot.", PLAN, "{}")
    assert (other.turn, other.end, other.plan) == (None, "rounds", good_plan())


def test_the_same_call_three_times_ends_it_without_a_plan():
    conversation = begun()
    call = Call("search_poi", {"city": "Oulu", "keywords": "museum"}, "[]")
    same = Call("search_poi", {"keywords": "museum", "city": "Oulu"}, "[]")
    said(conversation, "[pass]", "[pass]")
    conversation.say("Looking.", [call, same])
    said(conversation, "[pass]", "[pass]")
    conversation.say("Looking.", [call])
    assert (conversation.turn, conversation.end, conversation.plan) == (None, "same_call", None)


def test_users_do_not_see_tools_and_a_bare_table_is_seen_by_nobody():
    conversation = begun()
    said(conversation, "[pass]", "[pass]")
    bare = json.dumps({"User1": {"global_constraints": {"avg_budget": 500}}})
    conversation.say(bare, [Call("web_search", {"query": "Oulu"}, "rain")])
    assert conversation.turn is not None
    assert (conversation.turn.speaker, conversation.turn.kind) == (AGENT, "summary")
    assert conversation.agent_tables == json.loads(bare)
    assert [entry["type"] for entry in conversation.history[-2:]] == ["tool_call", "tool_result"]
    assert bare not in json.dumps(conversation.history)
    assert {entry["type"] for entry in conversation.seen_by("User1")} == {"message"}


def test_a_compromise_counts_when_the_agent_asked_and_its_marker_is_not_seen():
    conversation = begun()
    said(conversation, "[pass]", "[pass]", ASK, f"All right.\n{BUDGET}")
    assert conversation.tables["User1"]["preference"]["global_constraints"]["avg_budget"] == 900
    assert messages(conversation)[-1] == ("User1", "All right.")
    assert [(one.user, one.path, one.value) for one in conversation.conceded] == [
        ("User1", "global_constraints.avg_budget", 900)
    ]
    scored = effective_tables(entries(), conversation.scored_history(), concessions_only=True)
    assert scored.tables == conversation.tables


def test_a_wrong_marker_is_asked_for_again_and_dropped_the_third_time():
    conversation = begun()
    turns = said(conversation, *[f"I can pay more.\n{BUDGET}"] * 3)
    assert turns == [("User1", "polled", 0)] * 3
    assert (conversation.tables, len(conversation.refused)) == (entries(), 3)
    assert messages(conversation)[-1] == ("User1", "I can pay more.")


def test_released_applies_a_wrong_marker_the_third_time():
    conversation = begun(rules_of("released", "easy"), is_able=False)
    said(conversation, *[f"I can pay more.\n{BUDGET}"] * 3)
    assert conversation.tables["User1"]["preference"]["global_constraints"]["avg_budget"] == 900


@pytest.mark.parametrize(
    ("marker", "changed"),
    [
        ("[avg_budget : 900]", True),  # the parent is left out
        ("[global_constraints.global_constraints.avg_budget : 900]", True),  # a part is doubled
        ("[global_constraints_constraints.avg_budget : 900]", True),
        ("[global_constraints.avg_budget : 400]", False),  # it gives nothing up
        ("[global_constraints.nothing : 1]", False),
        ("[global_constraints.avg_budget : 12x[]", False),  # cannot be read
    ],
)
def test_markers_that_are_repaired_and_those_that_are_not(marker, changed):
    conversation = begun()
    said(conversation, "[pass]", "[pass]", ASK, f"Yes.\n{marker}")
    assert bool(conversation.conceded) is changed
    assert bool(conversation.refused) is not changed


def test_two_compromises_a_user():
    conversation = begun()
    said(conversation, "[pass]", "[pass]")
    for more in (600, 700):
        said(conversation, ASK, f"Yes.\n[avg_budget : {more}]", "[pass]")
    said(conversation, ASK, *["Yes.\n[avg_budget : 800]"] * 3)
    assert len(conversation.conceded) == 2
    assert conversation.tables["User1"]["compromisable"] is False


def test_an_agent_that_calls_itself_is_heard_again_only_in_released():
    kinds = {}
    for variant in ("ours", "released"):
        conversation = begun(rules_of(variant, "easy"))
        said(conversation, "[pass]", "[pass]", "Let me think. @Agent")
        assert conversation.turn is not None
        kinds[variant] = (conversation.turn.speaker, conversation.turn.kind)
    assert kinds == {"ours": ("User1", "polled"), "released": (AGENT, "mentioned")}


def test_a_round_ends_at_its_cap_of_events():
    """An agent that calls itself for ever: 5 events for each of the three speakers."""
    conversation = begun(rules_of("released", "easy"))
    assert conversation.most_events == 15
    said(conversation, "[pass]", "[pass]", "Hm. @Agent")  # round 0 ends with the agent's slot
    turns = said(conversation, *["Hm. @Agent"] * 16)
    assert [turn[2] for turn in turns] == [1] * 15 + [2]


def test_a_level_without_a_budget_is_refused():
    with pytest.raises(ValueError, match="no budget of rounds for level 'dire'; expected one of easy, medium, hard"):
        rules_of("ours", "dire")


@pytest.mark.parametrize(("dodges", "rounds"), [(False, 2), (True, 1)])
def test_a_mentioned_users_pass_counts_towards_the_cap_except_in_released(dodges, rounds):
    rules = dataclasses.replace(rules_of("ours", "easy"), agent_calls_itself=True, passes_dodge_the_cap=dodges)
    assert rules_of("released", "easy").passes_dodge_the_cap
    conversation = begun(rules)
    said(conversation, "[pass]", "[pass]", "Hm. @Agent", *["Hm. @Agent"] * 13, "And you? @User1", *["[pass]"] * 3)
    assert conversation.rounds == rounds


WORDS = (
    "[pass]", "Hm.", "@User1 what do you like?", "@User2 could you? @User3", "@Agent", "Yes.\n" + BUDGET,
    "No.\n[avg_budget : 100]", "Well.\n[x : {", BUDGET, PLAN, "{}", '{"User1": {"global_constraints": {}}}', "",
    "I like temples.\n[pass]", "Fine.\n[intensity.max_poi_per_day : 4]", "@User1" * 3, "[pass] no", "@User2x [a:1]",
)  # fmt: skip


@pytest.mark.parametrize("variant", ["ours", "paper", "released"])
def test_random_conversations_keep_the_protocol(variant):
    """Whatever is said: it ends, nobody concedes out of turn, all is bounded, and the log makes it again."""
    for seed in range(1_000):
        keeps_the_protocol(seed, variant)


def keeps_the_protocol(seed: int, variant: str) -> None:
    chance = random.Random(seed)
    users, rules = chance.randint(1, 4), rules_of(variant, "easy")
    rules = dataclasses.replace(rules, rounds=chance.randint(1, 3), summary_every=chance.randint(1, 3))
    tables = entries(users, is_able=chance.random() < 0.8)
    openings = [{"role": "User1", "content": "Hello."}]
    conversation = Conversation(tables, openings, rules)
    words = chance.sample(WORDS, 6)
    while (turn := conversation.turn) is not None:
        asked = conversation.history[-1]
        before = len(conversation.conceded)
        made = [Call("web_search", {"query": "x"}, "y")] if turn.speaker == AGENT and chance.random() < 0.1 else []
        conversation.say(chance.choice(words), made)
        if len(conversation.conceded) > before and variant != "released":
            assert asked["role"] == AGENT
            assert f"@{turn.speaker}" in asked["content"]
    most = (rules.rounds + 1) * (conversation.most_events + 3) + rules.rounds + 4
    assert conversation.events <= most
    assert len(conversation.log) <= 3 * most + 4 * rules.rounds + 8
    assert conversation.end in ("plan", "rounds", "same_call")
    assert (conversation.plan is None) or conversation.end in ("plan", "rounds")
    assert all(count <= 2 for count in conversation.used.values())
    assert tables == entries(users, is_able=next(iter(tables.values()))["compromisable"])
    assert not any(text.strip() == "[pass]" for role, text in messages(conversation) if role != AGENT)
    if variant == "ours":
        scored = effective_tables(tables, conversation.scored_history(), concessions_only=True)
        assert scored.tables == conversation.tables
    again = replayed(tables, openings, rules, conversation.log)
    assert (again.history, again.tables, again.end) == (conversation.history, conversation.tables, conversation.end)
