"""One conversation as a state machine: whose turn it is, what counts of what they say, and how it ends.

No clock, no model, no file: the same words give the same conversation. `turn` says who is to speak and why, `say` takes
their words; a log of all words said, refused ones too, makes the conversation again (`replayed`). Benchmarks, part 3.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from assets.grouptravel.asked import user_number
from assets.grouptravel.checks.compromise import AGENT, apply, read_marker
from assets.grouptravel.conversation.rules import Rules
from assets.grouptravel.plan_text import PLAN_TEXT
from assets.grouptravel.wishes.preferences import CITIES, GLOBAL
from assets.language.loose_json import json_values
from assets.language.plan_texts import by_grammar

Kind = Literal["table", "summary", "mentioned", "polled", "final"]
End = Literal["", "plan", "rounds", "same_call"]

_TRAILING_PASS = re.compile(r"(?:\s*\[pass\]\s*)+\Z", re.IGNORECASE)
_MARKER_LIKE = re.compile(r"\[\s*[\w.]+\s*:.*\]\s*\Z")


@dataclass(frozen=True)
class Turn:
    """Whose turn it is: polled in order, mentioned, or asked for a table, a summary or the plan.

    `attempt` counts from 1 how often the speaker is asked in this turn; `why` says what was wrong before.
    """

    speaker: str
    kind: Kind
    round: int
    attempt: int = 1
    why: str = ""


@dataclass(frozen=True)
class Call:
    """One call of a tool that the agent made in its turn, and the reply."""

    name: str
    arguments: Any
    result: str
    has_error: bool = False

    @property
    def key(self) -> str:
        """Return what tells calls apart."""
        return f"{self.name} {json.dumps(self.arguments, sort_keys=True, ensure_ascii=False, default=str)}"


@dataclass(frozen=True)
class Conceded:
    """A marker that was applied: the user, the field, its new value, and the event."""

    user: str
    path: str
    value: Any
    event: int


@dataclass
class Conversation:
    """One conversation under way. `entries` are the users' tables as the task has them, `openings` what they say first.

    `history` is what was said, as published: messages, calls of tools and their results; markers and passes are not in
    it. `tables` are the users' tables after what they conceded; `agent_tables` are the agent's last.
    """

    entries: Mapping[str, Any]
    openings: Sequence[Mapping[str, str]]
    rules: Rules
    history: list[dict[str, Any]] = field(default_factory=list)
    log: list[dict[str, Any]] = field(default_factory=list)
    conceded: list[Conceded] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    agent_tables: Any = None
    plan: Any = None
    end: End = ""
    rounds: int = 0
    events: int = 0

    def __post_init__(self) -> None:
        self.users = tuple(sorted(self.entries, key=user_number))
        self.tables = dict(self.entries)
        self.used = dict.fromkeys(self.users, 0)
        self._order = (*self.users, AGENT)
        self._at = self._in_round = 0
        self._summarised = -1
        self._mention: str | None = None
        self._last_by: dict[str, int] = {}
        self._last_message = -1
        self._calls: Counter[str] = Counter()
        self._raw: dict[int, str] = {}
        for message in self.openings:
            self._heard(message["role"], message["content"])
        self._forced: list[Kind] = ["table", "summary"]
        self.turn: Turn | None = None
        self._next()

    @property
    def most_events(self) -> int:
        """Return the events after which a round ends."""
        return self.rules.events_a_speaker * len(self._order)

    def seen_by(self, role: str) -> list[dict[str, Any]]:
        """Return what a role knows of the history: users see messages alone, never tools.

        The agent that is asked for its table after its plan does not see the plan: the table is what it knew before.
        """
        if role != AGENT:
            return [entry for entry in self.history if entry["type"] == "message"]
        return self.history[: self._last_by[AGENT]] if self.plan is not None else list(self.history)

    def scored_history(self) -> list[dict[str, Any]]:
        """Return the history with the markers that were applied, from which a scorer makes the tables again."""
        return [
            {**entry, "content": self._raw[at]} if at in self._raw else entry for at, entry in enumerate(self.history)
        ]

    def say(self, text: str, calls: Iterable[Call] = ()) -> None:
        """Take what the speaker of the turn says, after the calls that it made. Raises ValueError after the end."""
        turn = self.turn
        if turn is None:
            raise ValueError("the conversation has ended; nobody is to speak")
        calls_made = list(calls)
        self.log.append({"speaker": turn.speaker, "text": text, "calls": [vars(call) for call in calls_made]})
        if turn.speaker == AGENT:
            self._agent(turn, text, calls_made)
        else:
            self._user(turn, text)
        if self.turn is turn:
            self._next()

    def _agent(self, turn: Turn, text: str, calls: list[Call]) -> None:
        table = _stated_tables(text, self.users)
        if turn.kind == "table":
            self.agent_tables = table if table is not None else self.agent_tables
            return
        plan = _plan(text)
        self._in_round += turn.kind in ("mentioned", "polled")
        self.events += turn.attempt == 1
        if turn.kind == "final" and plan is None and turn.attempt < self.rules.final_tries:
            self.turn = Turn(AGENT, "final", self.rounds, turn.attempt + 1, "no plan in JSON was found in your answer")
            return
        self._add_calls(calls)
        if table is not None and plan is None and turn.kind in ("mentioned", "polled"):
            # A table is for nobody's eyes: it is kept, and the agent says in words what it knows (published).
            self.agent_tables = table
            self._mention = None
            self._forced = ["summary"]
        else:
            self._heard(AGENT, text)
        if plan is not None or turn.kind == "final":
            self.plan = plan
            self.end = "rounds" if turn.kind == "final" else "plan"
            self._forced = ["table"] if plan is not None else []
        elif any(count >= self.rules.same_call for count in self._calls.values()):
            self.end, self._forced = "same_call", []
        elif turn.kind == "summary" and self._summarised == self.rounds and self.rules.summary_costs_round:
            self.rounds += 1
            self._in_round = 0
        self._spent(turn)

    def _add_calls(self, calls: Iterable[Call]) -> None:
        for call in calls:
            tool_call = {"type": "tool_call", "role": AGENT, "name": call.name, "arguments": call.arguments}
            tool_result = {"type": "tool_result", "name": call.name, "result": call.result, "error": call.has_error}
            self.history += [tool_call, tool_result]
            self._calls[call.key] += 1

    def _user(self, turn: Turn, text: str) -> None:
        stripped = _TRAILING_PASS.sub("", text).rstrip()
        if not stripped.strip():
            if turn.kind == "mentioned" and turn.attempt <= self.rules.mentioned_passes:
                self.turn = Turn(
                    turn.speaker, "mentioned", self.rounds, turn.attempt + 1, "who is asked says something"
                )
                return
            self._event()
            self._mention = None
            self._spent(turn, is_passed_mention=turn.kind == "mentioned")
            return
        marker = read_marker(stripped)
        visible, problem = stripped, ""
        if marker is not None:
            visible, problem = marker.visible, self._conceding(turn, marker, stripped)
        elif match := _MARKER_LIKE.search(stripped.rpartition("\n")[2]):
            visible, problem = stripped[: len(stripped) - len(match[0])].rstrip(), "the marker's value cannot be read"
        if problem:
            self.refused.append(f"{turn.speaker}: {problem}")
            if turn.attempt < self.rules.marker_tries:
                self.turn = Turn(turn.speaker, turn.kind, self.rounds, turn.attempt + 1, problem)
                return
            if self.rules.last_marker_is_forced and marker is not None:
                self._conceding(turn, marker, "", is_forced=True)
        self._event()
        self._mention = None
        counts = marker is not None and not problem
        if visible or counts:
            self._heard(turn.speaker, visible, raw=stripped if counts else None)
        self._spent(turn)

    def _conceding(self, turn: Turn, marker: Any, raw: str, *, is_forced: bool = False) -> str:
        """Apply a marker, or return why it does not count."""
        user = turn.speaker
        if self._mention != user and not is_forced:
            return "the agent had not just asked this user"
        entry, outcome = apply(
            self.tables[user], marker, self.used[user], concessions_only=self.rules.concessions_only and bool(raw)
        )
        if not outcome.applied:
            return outcome.why
        self.tables[user] = entry
        self.used[user] += 1
        self.conceded.append(Conceded(user, outcome.path, outcome.value, self.events + 1))
        return ""

    def _heard(self, role: str, text: str, raw: str | None = None) -> None:
        """Add a message that everybody sees; the agent's last mention in it is who speaks next."""
        if raw is not None:
            self._raw[len(self.history)] = raw
        self._last_by[role] = self._last_message = len(self.history)
        self.history.append({"type": "message", "role": role, "content": text, "has_tool_calls": False})
        names = (*self.users, AGENT) if self.rules.agent_calls_itself else self.users
        self._mention = mentioned(text, names) if role == AGENT else None

    def _event(self) -> None:
        self.events += 1
        self._in_round += 1

    def _spent(self, turn: Turn, *, is_passed_mention: bool = False) -> None:
        """Move on after a turn: a polled speaker's slot is spent, and a round ends with the last slot or at its cap."""
        if turn.kind == "polled":
            self._at = (self._at + 1) % len(self._order)
            if self._at == 0:
                self._close()
                return
        looks = turn.kind == "polled" or not (is_passed_mention and self.rules.passes_dodge_the_cap)
        if turn.kind in ("polled", "mentioned") and looks and self._in_round >= self.most_events:
            self._close()

    def _close(self) -> None:
        self.rounds += 1
        self._in_round = self._at = 0

    def _next(self) -> None:
        """Set whose turn it is: what is forced, the end, the last plan, a mention, a summary that is due, the poll."""
        if self._forced:
            self.turn = Turn(AGENT, self._forced.pop(0), self.rounds)
        elif self.end:
            self.turn = None
        elif self.rounds >= self.rules.rounds:
            self.turn = Turn(AGENT, "final", self.rounds)
        elif self._mention is not None:
            self.turn = Turn(self._mention, "mentioned", self.rounds)
        elif self._is_summary_due():
            self._summarised = self.rounds
            self.turn = Turn(AGENT, "table", self.rounds)
            self._forced = ["summary"]
        else:
            while self._order[self._at] != AGENT and not self._is_news(self._order[self._at]):
                self._at += 1
            self.turn = Turn(self._order[self._at], "polled", self.rounds)

    def _is_summary_due(self) -> bool:
        return (
            self._at == 0
            and self.rounds > 0
            and self.rounds % self.rules.summary_every == 0
            and self._summarised != self.rounds
        )

    def _is_news(self, user: str) -> bool:
        """Return whether somebody else has said something since the user last did."""
        return user not in self._last_by or self._last_message > self._last_by[user]


def replayed(
    entries: Mapping[str, Any], openings: Sequence[Mapping[str, str]], rules: Rules, log: Iterable[Mapping[str, Any]]
) -> Conversation:
    """Return the conversation that a log of words makes. Raises ValueError where the log is another conversation's."""
    conversation = Conversation(entries, openings, rules)
    for number, log_entry in enumerate(log, 1):
        turn = conversation.turn
        if turn is None or turn.speaker != log_entry["speaker"]:
            expected = turn.speaker if turn else "nobody, for it has ended"
            raise ValueError(f"words {number} of the log are {log_entry['speaker']}'s; expected those of {expected}")
        conversation.say(log_entry["text"], [Call(**call) for call in log_entry["calls"]])
    return conversation


def mentioned(text: str, names: Sequence[str]) -> str | None:
    """Return the last of the names that a message mentions with an @; None if it mentions none."""
    options = "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))
    mentions = re.findall(rf"@({options})(?![0-9])", text) if options and "@" in text else []
    return mentions[-1] if mentions else None


def _plan(text: str) -> Any:
    """Return the plan in JSON that a message holds, None if there is none."""
    return by_grammar(text, PLAN_TEXT)[0] if "{" in text else None


def _stated_tables(text: str, users: Sequence[str]) -> Any:
    """Return the users' tables that a message holds in JSON, by user; None if it holds none."""
    for value in json_values(text) if "{" in text else ():
        tables = value.get("user_preferences", value) if isinstance(value, dict) else None
        if isinstance(tables, dict) and any(_is_table(tables.get(user)) for user in users):
            return {user: tables[user] for user in users if user in tables}
    return None


def _is_table(value: Any) -> bool:
    inner = value.get("preference", value) if isinstance(value, dict) else None
    return isinstance(inner, dict) and (GLOBAL in inner or CITIES in inner)
