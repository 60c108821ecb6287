"""Opening messages: what is said is read back exactly, in words as strong as the tier."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.grouptravel.wishes.messages import PHRASES, WordingError, opening_message, parsed, worded
from assets.grouptravel.wishes.preferences import FIELDS, STRONG, Item, items_of
from tests.assets.grouptravel.weekend import table

HOSTILE = [
    "<script>",
    'say "so"',
    "a, b. c {item} {0}",
    "“quoted” «twice»",
    "مطعم",
    "🍜 noodles",
    "In “Oulu” I must eat",
    "0",
]
names = st.sampled_from(HOSTILE) | st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)


def sayable(text: str) -> bool:
    return text.isprintable() and any(not set(pair) & set(text) for pair in ("“”", "«»", "「」", "『』", "‹›"))


def item(draw: Any) -> Any:
    field, name, city, number = draw
    return Item(field, city if field.per_city else "", name if field.is_list else number)


items = st.tuples(st.sampled_from(FIELDS), names.filter(sayable), names.filter(sayable), st.integers(0, 10**7)).map(
    item
)


@given(
    st.lists(items, min_size=1, max_size=5),
    st.sampled_from(["en", "zh"]),
    st.sampled_from(["EUR", "CNY"]),
    st.integers(),
)
def test_a_message_reads_back_as_exactly_what_it_was_made_from(said, language, currency, seed):
    assert parsed(worded(said, language, currency, seed), language, currency) == said


@given(st.sampled_from(["en", "zh"]), st.integers(0, 10**6))
def test_an_opening_reveals_one_to_three_of_the_user_s_preferences(language, seed):
    """G4: the release reveals up to seven."""
    wanted = table(avg_budget=700, must_visit=["Lake Park", "Old Temple"], must_eat=["hotpot"], avoid_eat=["noodles"],
                   max_poi_per_day=3, transport_must=["train"], hotel_avoid=["luxury"])  # fmt: skip
    found = parsed(opening_message(wanted, language, "EUR", seed), language, "EUR")
    assert found is not None and 1 <= len(found) <= 3
    assert len(set(map(repr, found))) == len(found)
    assert all(preference in list(items_of(wanted)) for preference in found)


SOFT = {"en": ("would like", "would rather", "would enjoy", "if possible"), "zh": ("可以的话", "尽量", "不太", "比较")}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("field", FIELDS, ids=lambda field: ".".join(field.path))
def test_every_field_is_said_as_strongly_as_its_tier(language, field):
    """G4: the release asks for caps "at best"."""
    phrases = PHRASES[language][".".join(field.path)]
    for phrase in phrases:
        assert any(word in phrase for word in SOFT[language]) is (field.weight != STRONG), phrase


def test_no_two_fields_share_a_phrase():
    for phrases in PHRASES.values():
        listed = [phrase for options in phrases.values() for phrase in options]
        assert len(set(listed)) == len(listed)
        assert set(phrases) == {".".join(field.path) for field in FIELDS}


@pytest.mark.parametrize("message", ["Hello.", "In “Oulu” I must eat “hotpot”. And more.", "In “Oulu” I must eat “”.",
                                     "My budget is at most many EUR per person, no more."])  # fmt: skip
def test_anything_else_is_not_a_message(message):
    assert parsed(message, "en", "EUR") is None


@pytest.mark.parametrize("name", ["“«「『‹", "two\nlines", ""])
def test_what_cannot_be_quoted_is_refused(name):
    wanted = Item(next(f for f in FIELDS if f.path[-1] == "must_eat"), "Oulu", name)
    with pytest.raises(WordingError):
        worded([wanted], "en", "EUR")
    with pytest.raises(WordingError):
        opening_message(table(must_eat=[name]), "en", "EUR", 1)
