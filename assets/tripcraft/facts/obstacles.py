"""Obstacles: why a trip cannot be made, in words, each of a named kind by which redraws are counted."""

from __future__ import annotations

from typing import Literal

Kind = Literal[
    "nowhere", "no_way", "no_stay", "few_restaurants", "no_attraction", "no_cuisine", "no_category", "no_event",
    "closed", "over_budget", "undecided", "published_minimum", "wording", "duplicate",
    "retired", "not_accepted", "too_easy",
]  # fmt: skip
"""The closed list of kinds, those that the core refuses drafts by among them; `KIND_TEXT` describes each."""

KIND_TEXT: dict[Kind, str] = {
    "nowhere": "There is no destination, or none that can be reached and left on the dates.",
    "no_way": "A leg has no flight, train or coach on its date and no road that is short enough.",
    "no_stay": "No stay of a city meets the request.",
    "few_restaurants": "A city has fewer than three restaurants that a plan can name.",
    "no_attraction": "A city has no attraction that a plan can name.",
    "no_cuisine": "A cuisine asked for is served nowhere on the route.",
    "no_category": "A kind of attraction asked for is found nowhere on the route.",
    "no_event": "A kind of event asked for is not held while the trip is there.",
    "closed": "No choice of places meets the request while they are open and the trip is there.",
    "over_budget": "The cheapest trip that meets the request costs more than the budget.",
    "undecided": "The search reached its deterministic limit before a witness, a proof of none, or the reason.",
    "published_minimum": "The published code draws again: too few flights, stays, places or events (1.E).",
    "wording": "The record cannot be put into words that read back as the record.",
    "duplicate": "The record equals another task's.",
    "retired": "A published task that no change of a few fields makes one that a trip meets.",
    "not_accepted": "The checks do not accept the plan that was found.",
    "too_easy": "A greedy planner passes it, of which the recipe allows only so many.",
}


class Obstacle(str):
    """What stands in the way of a trip, in words; two are equal if their words are."""

    __slots__ = ("kind",)
    kind: Kind

    def __new__(cls, kind: Kind, text: str) -> Obstacle:
        """Return the text with its kind."""
        obstacle = super().__new__(cls, text)
        obstacle.kind = kind
        return obstacle
