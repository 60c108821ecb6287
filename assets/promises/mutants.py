"""Plans that a checker must refuse: what is done to a witness to try whether its checker looks."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assets.family import TaskView
from schemas.pointers import values
from schemas.stable import stable_hash

SERVES_TWO, OTHER_RECORD, WISH_LESS = "serves_two_tasks", "the_record_of_another_task", "a_record_with_a_wish_less"
WITHOUT_ROW, RENAMED, SCORED = "without_a_row", "with_a_renamed_place", "scored_for_another_task"
BESIDE = (SERVES_TWO, OTHER_RECORD, WISH_LESS, WITHOUT_ROW, RENAMED, SCORED)
"""What a gate counts beside plans that must be refused: other tasks' witnesses that serve both, records that words are
read against, records that ask for less, whose witness must be accepted; worlds that lack a row that the witness uses,
or where a place of it has another name; and witnesses that the checker refuses for another task, scored there."""

UNKNOWN = "Zyxwanda Qolm"
"""A name that no place has."""


def refusal_counts(offered: Mapping[str, int]) -> dict[str, int]:
    """Return, by kind, the plans that a checker refused, of what a gate offered."""
    plans = {kind: count for kind, count in offered.items() if kind not in BESIDE}
    other = "the_witness_of_another_task"
    return plans | ({other: plans[other] - offered.get(SERVES_TWO, 0)} if other in plans else {})


def copy_of(value: Any) -> Any:
    """Return plain data that shares nothing with these; `copy.deepcopy` takes two to three times as long."""
    return pickle.loads(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))  # noqa: S301  (what was packed just now)


def empty_plan(plan: Any) -> Any:
    """Return the empty plan of the same form."""
    return [] if isinstance(plan, list) else {}


def without_a_day(plan: Any, number: int) -> Any | None:
    """Return the plan without its number-th day (the last if there are fewer), None if it has no list of days."""
    changed = copy_of(plan)
    days = days_of(changed)
    if days is None or len(days) < 2:
        return None
    del days[number % len(days)]
    return changed


def with_unknown(plan: Any, name: str) -> Any:
    """Return the plan with a name replaced by one that nothing has, wherever it stands."""
    return replace_texts(plan, {name: UNKNOWN})


def replace_texts(value: Any, by: Mapping[str, str]) -> Any:
    """Return plain data with texts replaced by others, wherever they stand in its texts."""
    if isinstance(value, str):
        for text, other in by.items():
            value = value.replace(text, other)
        return value
    if isinstance(value, list):
        return [replace_texts(item, by) for item in value]
    if isinstance(value, dict):
        return {key: replace_texts(item, by) for key, item in value.items()}
    return value


def with_changed_value(plan: Any, pointer: str) -> Any:
    """Return the plan with the value at a pointer (below the plan) changed: a number by one, a text by a letter."""
    changed = copy_of(plan)
    *path, last = pointer.split("/")
    holder = changed
    for part in path:
        holder = holder[int(part)] if isinstance(holder, list) else holder[_key(part)]
    at: Any = int(last) if isinstance(holder, list) else _key(last)
    holder[at] = other_value(holder[at])
    return changed


def names_in(plan: Any, task: TaskView, cells: Sequence[tuple[str, Any]]) -> list[str]:
    """Return the values of cells that stand in texts of the plan: the names of what it uses, in a stable order."""
    texts = "\0".join(value for _, value in values(plan, "plan") if isinstance(value, str))
    names = {value for _, value in cells if isinstance(value, str) and len(value) > 2 and value in texts}
    return sorted(names, key=lambda name: stable_hash(task.task_id, name))


def changeable(plan: Any, task: TaskView, traced: Sequence[str]) -> Iterator[str]:
    """Yield the pointers below the plan of values that come from the world, in a stable order."""
    below = {pointer.removeprefix("plan/") for pointer in traced if pointer.startswith("plan/")}
    leaves = [pointer.removeprefix("plan/") for pointer, value in values(plan, "plan") if value is not None]
    yield from sorted((leaf for leaf in leaves if leaf in below), key=lambda leaf: stable_hash(task.task_id, "v", leaf))


def days_of(plan: Any) -> list[Any] | None:
    """Return the shallowest list of the plan: its days."""
    level = [plan]
    while level:
        for value in level:
            if isinstance(value, list):
                return value
        level = [inner for value in level if isinstance(value, dict) for inner in value.values()]
    return None


def other_value(value: Any) -> Any:
    """Return a value of the same type that is another."""
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, (int, float)) else f"{value} Zy"


def _key(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")
