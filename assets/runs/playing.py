"""What playing a task is: a generator that yields what has to be waited for, and returns what the planner handed in."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assets.core.tools import Reply, Tool
from assets.language.asking import Prompt


@dataclass(frozen=True)
class Wait:
    """Something that takes a while, such as a command: run beside others, its result sent back.

    `stop` has it end soon, whatever it is at; it is called where nobody waits for the result any more.
    """

    run: Callable[[], Any]
    stop: Callable[[], None]


@dataclass(frozen=True)
class Played:
    """What a planner handed in for one task: its text, and what was said on the way.

    `trial` is what the family's scorer reads beside the plan; `log` every word said, refused ones too; `problem` why
    there is no text.
    """

    text: str
    trial: dict[str, Any] = field(default_factory=dict)
    log: list[dict[str, Any]] = field(default_factory=list)
    generation_ids: tuple[str, ...] = ()
    problem: str = ""


Playing = Generator[Prompt | Wait, Any, Played]
"""A Prompt is answered with Answer or Unanswered, a Wait with what it returned."""


@dataclass(frozen=True)
class Access:
    """What a planner may use of a release: `call` calls a tool by name, `tools` are all there are."""

    call: Callable[[str, Any], Reply]
    tools: tuple[Tool, ...]
    currency: str = ""
    variant: str = "ours"
    users: str = ""
    """Who speaks for the users of a conversation: `model`, or rules."""


Task = Mapping[str, Any]
"""A row of a release's tasks: task_id, level, query, messages, record."""
