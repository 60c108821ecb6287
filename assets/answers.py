"""What a family's functions give, held against the contract, and whose function failed: a fault is told by its name."""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from assets.declared import ROOT, FamilyError
from assets.named import load
from schemas.page import FamilyPage
from schemas.shown import shown

FRAME = re.compile(r'File "([^"]+)", line ([0-9]+), in (\S+)')
"""A frame as Python prints it: its file, line and function."""

REPEATED = ("draft", "solve", "word")
"""What must give the same for the same task, record and world, or a release could not be built again."""

MESSAGE = {"role": str, "content": str}
"""Keys of an opening message of a task, and what they hold."""


def family_failure(error: BaseException) -> str | None:
    """Return which family's function failed, where and how; None if no family's code was running.

    Of an error that came from another process, the frames stand in its notes.
    """
    frames = "\n".join([*traceback.format_tb(error.__traceback__), *getattr(error, "__notes__", ())])
    family_frames = [(path, *frame) for name, *frame in FRAME.findall(frames) if (path := _of_a_family(name))]
    if not family_frames:
        return None
    (first, _, function), (last, line, _) = family_frames[0], family_frames[-1]
    text = str(error).splitlines()[0] if str(error) else ""
    module = ".".join(first.with_suffix("").parts)
    return f"{module}:{function} failed: {type(error).__name__}: {text} ({last}, line {line})"


def _of_a_family(filename: str) -> Path | None:
    """Return a file's path from the root if it stands in a family's folder."""
    path = Path(filename)
    within = path.relative_to(ROOT).parts if path.is_relative_to(ROOT) else ()
    is_own = within[:1] == ("assets",) and len(within) > 2 and (ROOT / "assets" / within[1] / "family.py").is_file()
    return path.relative_to(ROOT) if is_own else None


def giving(field: str, name: str) -> Callable[..., Any]:
    """Return a family's function, whose answers are held against the contract's type for its field.

    Of what must be the same whenever it is asked, the first answer is asked for twice.
    """
    from assets import family as contract

    drawn, solved = (contract.Drawn, contract.Refused), (contract.Solved, contract.Refused)
    worded, picture = (contract.Worded, contract.Refused), (contract.CityPicture,)
    kinds: dict[str, tuple[tuple[type, ...], str]] = {
        "slots": ((list, tuple), "a list of Series"),
        "draft": (drawn, "Drawn or Refused"),
        "harden": (drawn, "Drawn or Refused"),
        "solve": (solved, "Solved or Refused"),
        "check": ((Iterable,), "a list of Violation, empty where nothing is broken"),
        "verify": ((Iterable,), "a list of Violation, empty where nothing is broken"),
        "word": (worded, "Worded or Refused"),
        "read": ((list, tuple), "a list of texts, empty where nothing is said otherwise"),
        "trace": ((Iterable,), "one Origin after the other"),
        "uses": ((set, frozenset), "a set of (table, row's key)"),
        "score": ((Mapping,), "a mapping with `aggregate`, and a row for each plan"),
        "export": ((Mapping,), "bytes by their relative path"),
        "measures": ((Mapping,), "figures by their names"),
        "page": ((FamilyPage,), "FamilyPage"),
        "map_of": (picture, "CityPicture"),
        "tools": ((list, tuple), "a list of Tool"),
    }
    function = load(name)
    checked_function = partial(_checked_answer, function, field, name, *kinds[field]) if field in kinds else function
    return _RepeatableFunction(checked_function, name) if field in REPEATED else checked_function


class _RepeatableFunction:
    """A function that is called twice the first time, and must give the same."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self._function, self._name, self._is_tried = function, name, False

    def __call__(self, *arguments: Any) -> Any:
        answer = self._function(*arguments)
        if not self._is_tried:
            self._is_tried = True
            require_alike(
                self._name, str(getattr(arguments[0], "task_id", arguments[0])), answer, self._function(*arguments)
            )
        return answer


def _checked_answer(
    function: Callable[..., Any],
    field: str,
    name: str,
    kinds: tuple[type, ...],
    expected: str,
    *arguments: Any,
    **options: Any,
) -> Any:
    value = function(*arguments, **options)
    if not isinstance(value, kinds):
        raise FamilyError(f"{name} gave {shown(repr(value))[:80]} ({type(value).__name__}); expected {expected}")
    if field == "slots" and (wrong := _wrong_series([series.name for series in value])):
        raise FamilyError(
            f"{name} gave a series the name {wrong!r}; expected names of letters, digits, `_` and `-`, each once"
        )
    if field == "draft" and hasattr(value, "record"):
        _require_plain(f"{name} gave a record", value.record)
    if field == "word" and (wrong := _wrong_message(getattr(value, "messages", ()))) is not None:
        raise FamilyError(
            f"{name} gave the message {shown(repr(wrong))[:80]}; expected {{role, content}}, who says it and what is "
            "said, both text"
        )
    if field == "export" and (texts := [path for path, data in value.items() if isinstance(data, str)]):
        raise FamilyError(f"{name} gave {texts[0][:80]!r} as text; expected bytes, or pieces of them")
    if field == "measures":
        _require_plain(f"{name} gave figures", value, is_nan_null=True)
    if field == "score":
        if not isinstance(value.get("aggregate"), Mapping):
            raise FamilyError(f"{name} gave {', '.join(map(str, value))}; expected `aggregate`, figures by their names")
        if not any(_are_rows_of_plans(rows) for rows in value.values()):
            raise FamilyError(
                f"{name} gave {', '.join(map(str, value))}; expected `plans` beside the figures, a list with a row "
                "{task_id, passes, …} for each plan"
            )
        _require_plain(f"{name} gave figures", value["aggregate"], is_nan_null=True)
    return value


def _are_rows_of_plans(rows: Any) -> bool:
    return isinstance(rows, list) and all(isinstance(row, Mapping) and "task_id" in row for row in rows)


def _wrong_series(names: Sequence[str]) -> str | None:
    """Return a name that a task's id cannot hold, or that is there twice; None if there is none."""
    return next((name for name in names if names.count(name) > 1 or not re.fullmatch(r"[\w-]*", name, re.ASCII)), None)


def _wrong_message(messages: Iterable[Any]) -> Any:
    """Return a message that is not {role, content}, both text; None if there is none."""
    for message in messages:
        if not isinstance(message, Mapping) or {key: type(text) for key, text in message.items()} != MESSAGE:
            return message
    return None


def _require_plain(what: str, value: Any, *, is_nan_null: bool = False) -> None:
    """Raise FamilyError if JSON cannot hold a value; of figures, what is no number is told as null."""
    try:
        json.dumps(value, allow_nan=is_nan_null, sort_keys=True)
    except (TypeError, ValueError) as error:
        raise FamilyError(
            f"{what} that JSON cannot hold: {error}; expected text, finite numbers, lists and the like of Python's own "
            "(`int(…)` of what numpy draws, None for what is not known)"
        ) from None


def require_alike(name: str, task_id: str, once: Any, again: Any) -> None:
    """Raise FamilyError if a family's function gave two answers for the same task: no release could be built again."""
    if once != again:
        raise FamilyError(
            f"{name} gave two answers for {task_id} of the same record and world; expected the same each time: draw by "
            "`stable_rng(…, task_id)`, sort what has no order, such as a set, and change nothing of the world"
        )
