"""An answer's text as a value of the shape that was asked for, or as a named problem."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

MAX_ANSWER_CHARACTERS = 200_000
"""A longer answer is no answer to anything that is asked here; parsing it could take long."""

END_OF_THOUGHTS = "</think>"
"""What open reasoning models, such as Qwen3 and DeepSeek-R1, write between their thoughts and their answer, where the
server does not take the thoughts out; some templates open the thoughts themselves, so that only the end is seen."""

PROBLEMS: dict[str, str] = {
    "empty": "The answer holds no text.",
    "refused": "The model declined to answer, or its endpoint's filter stopped it (finish_reason `content_filter`).",
    "truncated": "The answer was cut off at the model's limit (finish_reason `length`).",
    "too_long": "The answer is longer than any that was asked for.",
    "invalid_json": "The answer is not JSON, or more than one JSON value.",
    "duplicate_keys": "A JSON object of the answer gives one key twice.",
    "wrong_shape": "The JSON does not have the shape that was asked for.",
    "wrong_content": "The value contradicts what it was made from: the check of its job names how.",
    "rejected_request": "The endpoint refused the request itself, in every output mode.",
}
"""Every name that the problem of an answer may have, which is the part before its colon."""


class Shape(BaseModel):
    """The base of the shapes that answers must have: nothing beside what is declared, no conversion of types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


Value = TypeVar("Value", bound=BaseModel)


def parsed(text: str, shape: type[Value]) -> tuple[Value | None, str]:
    """Return the text as a value of the shape and "", or None and the problem.

    What stands around its one JSON object is left out: a Markdown fence, a sentence, a reasoning model's thoughts.
    """
    if not text.strip():
        return None, "empty: no text"
    if len(text) > MAX_ANSWER_CHARACTERS:
        return None, f"too_long: {len(text)} characters, at most {MAX_ANSWER_CHARACTERS} are read"
    try:
        value = json.loads(_object_of(text), object_pairs_hook=_once, parse_constant=_no_constant)
        return shape.model_validate_json(json.dumps(value)), ""
    except _TwiceError as error:
        return None, f"duplicate_keys: {str(error)[:80]!r} is given twice in one object"
    except ValidationError as error:
        problems = [f"{'.'.join(str(p) for p in e['loc']) or 'answer'}: {e['msg']}" for e in error.errors()[:8]]
        return None, "wrong_shape: " + "; ".join(problems)
    except (ValueError, RecursionError) as error:
        return None, f"invalid_json: {str(error)[:120]}; the answer begins {text.strip()[:60]!r}"


def _object_of(text: str) -> str:
    """Return what stands from the first brace to the last, behind all thoughts; the whole text if there is none.

    Of several objects this is no JSON, so that none of them is chosen.
    """
    answer_text = text if text.lstrip().startswith("{") else text.rpartition(END_OF_THOUGHTS)[2]
    return answer_text[answer_text.find("{") : answer_text.rfind("}") + 1] or text


class _TwiceError(ValueError):
    """A key given twice in one object."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise _TwiceError(key)
        members[key] = value
    return members


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")
