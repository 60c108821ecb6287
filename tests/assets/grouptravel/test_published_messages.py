"""Clauses of opening messages that somebody else wrote: a name belongs to one, whatever stands in it."""

from __future__ import annotations

from assets.grouptravel.published.published_messages import is_softened, revealed
from assets.grouptravel.wishes.preferences import Table

NAME = "=1+1;Baths"


def table() -> Table:
    return {
        "global_constraints": {},
        "city_specific_preferences": {"Oulu": {"attractions": {"must_visit": [NAME]}}},
    }  # type: ignore[return-value]  (the other parts are empty)


def test_a_name_with_a_clauses_end_in_it_is_of_the_clause_it_stands_in():
    message = f"I must see {NAME} in Oulu. If possible, no planes."
    ((items, clause),) = revealed(table(), message)
    assert (items[0].value, clause) == (NAME, f"I must see {NAME} in Oulu")
    assert not is_softened(items, clause)
    ((items, clause),) = revealed(table(), f"If possible I see {NAME}, no planes.")
    assert is_softened(items, clause)
    assert list(revealed(table(), "Baths; no planes.")) == []
