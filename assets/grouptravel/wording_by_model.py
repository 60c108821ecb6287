"""A group's opening messages as a model words them; what they say is read back by `wording.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assets.family import Refused, Worded
from assets.grouptravel.drafting import model_task_of
from assets.grouptravel.facts.world import World
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.wishes import messages_by_model
from assets.grouptravel.wording import query_of
from assets.language.asking import Ask
from schemas.rejection import Reason


def word_by_model(
    drafts: Sequence[Mapping[Any, Any]], world: World, section: GroupTravelSection, seed: int, ask: Ask
) -> dict[str, Worded | Refused]:
    """Return each draft with opening messages that a model words."""
    tasks_by_id = {row["task_id"]: model_task_of(row["task_id"], row["record"], row["drawn"], world) for row in drafts}
    for task in tasks_by_id.values():
        task.seed = seed
    messages_by_model.ask_for_messages(list(tasks_by_id.values()), ask, section.currency)
    records = {row["task_id"]: row["record"] for row in drafts}
    words_by_id: dict[str, Worded | Refused] = {}
    for task_id, task in tasks_by_id.items():
        if task.problem:
            words_by_id[task_id] = Refused(task.problem, reason=Reason.NO_VALID_ANSWER)
            continue
        messages = [{"role": f"User{user}", "content": text} for user, text in sorted(task.messages.items())]
        words_by_id[task_id] = Worded(query_of(task_id, records[task_id], world), messages, task.generation_ids)
    return words_by_id
