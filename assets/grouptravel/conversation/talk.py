"""Playing one conversation to its end: each turn's speaker is asked, users by rules or by a model, the agent as given.

A speaker is a generator that yields what it asks a model and returns its words; one by rules yields nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any

from assets.grouptravel.asked import request_of
from assets.grouptravel.checks.compromise import AGENT
from assets.grouptravel.conversation.protocol import Call, Conversation, Turn
from assets.grouptravel.conversation.rules import rules_of
from assets.grouptravel.conversation.users import Tongue, by_rules
from assets.language.asking import Answer, Prompt, Unanswered

Asking = Generator[Prompt, Answer | Unanswered, tuple[str, list[Call]]]
Speaker = Callable[[Turn, Conversation], Asking]


def tongue_of(record: Mapping[str, Any], currency: str) -> Tongue:
    """Return what the members of a task's group speak with."""
    request = request_of(record)
    return Tongue(request.cities, request.vocabulary.language, currency)


def conversation_of(task: Mapping[str, Any], variant: str) -> Conversation:
    """Return the conversation of a task {record, messages}, before the agent's first turn."""
    record = task["record"]
    rules = rules_of(variant, record["difficulty_type"])
    return Conversation(record["user_preferences"], task["messages"], rules)


def user_by_rules(tongue: Tongue) -> Speaker:
    """Return the speaker for every user who follows the rules."""

    def speak(turn: Turn, conversation: Conversation) -> Asking:
        user = turn.speaker
        text = by_rules(
            user, conversation.tables[user], conversation.used[user], turn, conversation.seen_by(user), tongue
        )
        return text, []
        yield  # a generator that asks nobody

    return speak


def talk(conversation: Conversation, agent: Speaker, user: Speaker) -> Generator[Prompt, Answer | Unanswered, None]:
    """Play the conversation to its end."""
    while (turn := conversation.turn) is not None:
        speaker = agent if turn.speaker == AGENT else user
        text, calls = yield from speaker(turn, conversation)
        conversation.say(text, calls)


def trial_of(conversation: Conversation) -> dict[str, Any]:
    """Return what the scorer reads of a conversation, in the published shape."""
    return {
        "plan": conversation.plan,
        "conversation_history": conversation.scored_history(),
        "agent_preference_table": conversation.agent_tables,
        "effective_preferences": conversation.tables,
        "completion_reason": conversation.end,
        "total_rounds": conversation.rounds,
        "total_events": conversation.events,
    }
