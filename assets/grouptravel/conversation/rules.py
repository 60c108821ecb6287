"""The conversation's rules in the three variants: budgets, limits, and the slips of the released script by name.

Each slip is one field; the state machine reads the fields, never the variant's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

BUDGETS: Mapping[str, tuple[int, int]] = {"easy": (15, 3), "medium": (20, 4), "hard": (25, 5)}
"""Rounds, and rounds between two summaries, by difficulty (paper)."""

RELEASED_BUDGET = (15, 3)
"""What the released script uses for every task."""


@dataclass(frozen=True)
class Rules:
    """How one conversation runs; each default is ours."""

    rounds: int
    summary_every: int
    events_a_speaker: int = 5
    """A round ends after so many events for each user and the agent, whoever has not spoken."""
    mentioned_passes: int = 2
    """How often a user who was mentioned and passes is asked again."""
    marker_tries: int = 3
    """How often a user may speak in one turn until a marker is right."""
    final_tries: int = 3
    """How often the agent may hand in its plan when the rounds are used up."""
    same_call: int = 3
    """So many calls of one tool with the same arguments end the conversation."""
    concessions_only: bool = True
    """A marker gives something up, of a user who compromises; published: it may set anything, of anybody."""
    summary_costs_round: bool = False
    """Released: a summary between rounds counts as a round, so that a budget of 15 is one of 11."""
    last_marker_is_forced: bool = False
    """Released: a marker that is wrong for the last time is applied all the same, asked for or not."""
    agent_calls_itself: bool = False
    """Released: an agent that mentions itself speaks again at once."""
    passes_dodge_the_cap: bool = False
    """Released: a mentioned user's pass is an event, but the round's cap is not looked at after it."""


def rules_of(variant: str, level: str) -> Rules:
    """Return the rules of a variant for a task of a level. Raises ValueError for a level without a budget."""
    if variant == "released":
        return Rules(
            *RELEASED_BUDGET,
            concessions_only=False,
            summary_costs_round=True,
            last_marker_is_forced=True,
            agent_calls_itself=True,
            passes_dodge_the_cap=True,
        )
    if level not in BUDGETS:
        raise ValueError(f"found no budget of rounds for level {level!r}; expected one of {', '.join(BUDGETS)}")
    return Rules(*BUDGETS[level], concessions_only=variant != "paper")
