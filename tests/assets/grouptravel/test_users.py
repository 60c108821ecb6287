"""Users by rules: they say what they are asked and no more, from their own table, and give way by the protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.grouptravel.checks.compromise import AGENT, read_marker
from assets.grouptravel.conversation.protocol import Turn
from assets.grouptravel.conversation.questions import read_question
from assets.grouptravel.conversation.users import SAID, Tongue, by_rules
from assets.grouptravel.wishes.message_reading import Terms, read_message
from assets.grouptravel.wishes.preferences import FIELDS, empty_table, items_of, put

TONGUE = Tongue(("Oulu", "Kemi"), "en", "USD")
TERMS = Terms(("Oulu", "Kemi"), "en", "USD")


def wishes(**held: Any) -> dict[str, Any]:
    """Return a table; a field is named by its last part, per city in Oulu."""
    table = empty_table(("Oulu", "Kemi"))
    for name, value in held.items():
        field = next(field for field in FIELDS if "_".join(field.path).endswith(name))
        put(table, field, "Oulu" if field.per_city else "", value)
    return table


TABLE = wishes(
    avg_budget=900, transport_must=["train"], hotel_preference_prefer=["comfort"], must_visit=["Grand Museum"],
    reject_visit=["Old Temple"], positive=["museum"], must_eat=["Indian food"], avoid_eat=["Thai food"],
    max_poi_per_day=3,
)  # fmt: skip


def answer(question: str, *, table: Any = TABLE, kind: str = "mentioned", is_able: bool = True, used: int = 0) -> str:
    entry = {"role": "friend", "preference": table, "compromisable": is_able}
    turn = Turn("User1", kind, 0)  # type: ignore[arg-type]
    return by_rules("User1", entry, used, turn, [{"type": "message", "role": AGENT, "content": question}], TONGUE)


def stated(text: str) -> set[tuple[str, Any]]:
    found = read_message(text, TERMS)
    assert not found.doubts
    return {(item.path, item.value) for item in found.items}


@pytest.mark.parametrize(
    ("question", "fields"),
    [
        ("@User1 what is your budget?", {"avg_budget"}),
        ("@User1 how many sights a day can you do?", {"max_poi_per_day"}),
        ("@User1 which sights in Oulu do you want to see, and which not?", {"must_visit", "reject_visit"}),
        ("@User1 what kinds of sights do you like in Oulu?", {"positive"}),
        ("@User1 what do you like to eat in Oulu?", {"must_eat", "avoid_eat"}),
        ("@User1 which hotels do you like, and how do you travel between cities?", {"prefer", "must"}),
    ],
)
def test_a_user_says_all_of_what_it_is_asked_and_nothing_else(question, fields):
    assert {path.rpartition(".")[2] for path, _ in stated(answer(question))} == fields


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("@User1 what do you like to eat in Kemi?", "nothing"),
        ("@User1 any other ideas?", "unclear"),
    ],
)
def test_who_has_no_wish_there_says_so(question, said):
    assert answer(question) == SAID["en"][said]


def test_a_polled_user_is_silent():
    assert answer("@User2 what is your budget?", kind="polled") == "[pass]"


def test_a_name_says_nothing_of_a_questions_topic():
    assert read_question("Could you give up “Museum of Food and 3 Hotels”?", ("Oulu",), "en").topics == frozenset()


@pytest.mark.parametrize(
    ("question", "path", "value"),
    [
        ("could you give up “Grand Museum” in Oulu?", "city_specific_preferences.Oulu.attractions.must_visit", []),
        ("could you raise your budget to 1,200 USD?", "global_constraints.avg_budget", 1200),
        ("could you accept 4 sights a day?", "global_constraints.intensity.max_poi_per_day", 4),
        ("could you live with Thai food in Oulu?", "city_specific_preferences.Oulu.food.avoid_eat", []),
    ],
)
def test_who_can_gives_way_by_a_marker(question, path, value):
    marker = read_marker(answer(f"@User1 {question}"))
    assert marker is not None
    assert (marker.path, marker.value) == (path, value)


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("could you give up “Grand Museum”?", {"is_able": False}),
        ("could you give up “Grand Museum”?", {"used": 2}),
        ("could you raise your budget to 800 USD?", {}),  # it gives nothing up
        ("could you accept 9 sights a day?", {}),  # beyond the largest published cap
        ("could you give up “Lake Park”?", {}),  # nothing of the table
        ("could you give up “Grand Museum” in Kemi?", {}),  # another city's
    ],
)
def test_who_cannot_says_no_without_a_marker(question, options):
    text = answer(f"@User1 {question}", **options)
    assert (text, read_marker(text)) == (SAID["en"]["no"], None)


@settings(max_examples=300)
@given(st.text(max_size=80), st.sampled_from(["", " budget", " eat in Oulu", " give up “Grand Museum”"]))
def test_whatever_is_asked_a_user_says_nothing_that_is_not_its_own(text, more):
    own = {(item.path, json.dumps(item.value)) for item in items_of(TABLE)}
    told = answer(f"@User1 {text}{more}")
    if told not in SAID["en"].values() and read_marker(told) is None:
        assert {(path, json.dumps(value)) for path, value in stated(told)} <= own
    assert told == answer(f"@User1 {text}{more}")
