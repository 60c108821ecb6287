"""Tools that a planner may call: a declared schema, arguments validated, an answer with the rows it was read from.

What a tool knows of a benchmark belongs in `assets/<family>/tools/`; how it is served in `pipelines/tool_server.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from schemas.errors import ExpectedError

if TYPE_CHECKING:
    from schemas.table import Table

MAX_SHOWN = 60
"""Characters of an argument that an error repeats."""

MESSAGES: dict[str, dict[str, str]] = {
    "en": {
        "object": "expected a JSON object of arguments, found {found}",
        "json": "the arguments are no JSON: {found}",
        "additionalProperties": "unknown parameters {found}; expected only {expected}",
        "required": "missing parameters {found}",
        "type": "parameter {name} is {found}, expected {expected}",
        "enum": "parameter {name} is {found}, expected one of {expected}",
        "minimum": "parameter {name} is {found}, expected at least {expected}",
        "maximum": "parameter {name} is {found}, expected at most {expected}",
        "exclusiveMinimum": "parameter {name} is {found}, expected more than {expected}",
        "pattern": "parameter {name} is {found}, expected {expected}",
    },
    "zh": {
        "object": "参数应为 JSON 对象，收到 {found}",
        "json": "参数不是有效的 JSON：{found}",
        "additionalProperties": "有未知的参数 {found}；只接受 {expected}",
        "required": "少了必填的参数 {found}",
        "type": "参数 {name} 收到 {found}，类型应为 {expected}",
        "enum": "参数 {name} 收到 {found}，应为 {expected} 之一",
        "minimum": "参数 {name} 收到 {found}，最小为 {expected}",
        "maximum": "参数 {name} 收到 {found}，最大为 {expected}",
        "exclusiveMinimum": "参数 {name} 收到 {found}，应大于 {expected}",
        "pattern": "参数 {name} 收到 {found}，应为 {expected}",
    },
}
"""What is said of bad arguments, by language and by the JSON Schema keyword that they break."""


class ToolError(ExpectedError):
    """Arguments that a tool cannot answer; the text says what was found and what was expected."""


@dataclass(frozen=True)
class Answer:
    """What a tool found: text or plain data, and the rows it was read from as `table/key`, as lineage names them."""

    content: Any
    rows: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the answer as a planner reads it: text as it is, data as JSON."""
        return self.content if isinstance(self.content, str) else json.dumps(self.content, ensure_ascii=False)


@dataclass(frozen=True)
class Reply:
    """One call's outcome in the shape of the published sandbox: `result` is always text. `rows` is ours."""

    result: str
    cache_hit: bool = False
    has_error: bool = False
    rows: tuple[str, ...] = ()

    @property
    def published(self) -> dict[str, Any]:
        """Return {result, cache_hit, has_error} (GroupTravelBench, published benchmarks, 3.D)."""
        return {"result": self.result, "cache_hit": self.cache_hit, "has_error": self.has_error}


@dataclass(frozen=True)
class Tool:
    """One tool: its published name, what it is for, the JSON Schema of its arguments, and the function that answers.

    `run` is given arguments that fit the schema, with every default filled in, and raises ToolError where they still
    make no sense. `language` is that of the errors.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    run: Callable[[dict[str, Any]], Answer]
    language: str = "en"

    def answer(self, arguments: Any) -> Answer:
        """Return the answer. Raises ToolError naming every problem of the arguments."""
        problems = self.problems(arguments)
        if problems:
            raise ToolError("; ".join(problems))
        return self.run({**self._defaults, **arguments})

    def call(self, arguments: Any) -> Reply:
        """Return the reply, whatever the arguments are: bad ones are told as {"error": …} in the result."""
        problems = self.problems(arguments)
        return error_reply("; ".join(problems)) if problems else self.reply(arguments)

    def reply(self, arguments: dict[str, Any]) -> Reply:
        """Return the reply to arguments that fit the schema, which is not looked at again."""
        try:
            answer = self.run({**self._defaults, **arguments})
        except ToolError as error:
            return error_reply(str(error))
        return Reply(answer.text, rows=answer.rows)

    def problems(self, arguments: Any) -> list[str]:
        """Return what is wrong with the arguments by the schema, in the order of the schema."""
        messages = MESSAGES[self.language]
        if not isinstance(arguments, dict):
            return [messages["object"].format(found=type(arguments).__name__)]
        errors = sorted(self._validator.iter_errors(arguments), key=lambda e: [str(part) for part in e.absolute_path])
        return list(dict.fromkeys(_problem(error, arguments, messages) for error in errors))

    @cached_property
    def _validator(self) -> Any:
        from jsonschema import Draft202012Validator

        return Draft202012Validator(self.parameters)

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        return {name: rule["default"] for name, rule in self.parameters["properties"].items() if "default" in rule}


def schema(required: Iterable[str], properties: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the JSON Schema of a tool's arguments; parameters it does not name are refused."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def nullable(rule: dict[str, Any], description: str) -> dict[str, Any]:
    """Return a parameter that may be left out or null."""
    return {"anyOf": [rule, {"type": "null"}], "default": None, "description": description}


def row_ref(table: type[Table], row: Mapping[Any, Any]) -> str:
    """Return `table/key…` of a row, as lineage names rows."""
    return "/".join([table.table_name(), *(str(row[name]) for name in table.key())])


def read_arguments(text: str, language: str = "en") -> Any:
    """Return the arguments in a JSON text. Raises ToolError if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ToolError(MESSAGES[language]["json"].format(found=str(error)[:100])) from None


def error_reply(text: str) -> Reply:
    """Return the reply to a call that cannot be answered."""
    return Reply(json.dumps({"error": text}, ensure_ascii=False), has_error=True)


def _problem(error: Any, arguments: dict[str, Any], messages: dict[str, str]) -> str:
    """Return what one broken rule says, naming parameter, what was found and what was expected."""
    if error.validator == "anyOf":
        error = next((e for e in error.context if e.validator != "type"), error.context[0])
    rule, name = error.validator, str(error.absolute_path[0]) if error.absolute_path else ""
    instance, expected = _json_excerpt(error.instance), error.validator_value
    if rule == "required":
        missing = [key for key in expected if key not in arguments]
        return messages["required"].format(found=", ".join(missing))
    if rule == "additionalProperties":
        parameters = list(error.schema["properties"])
        unknown = [key for key in arguments if key not in parameters]
        return messages[rule].format(found=_json_excerpt(unknown), expected=", ".join(parameters))
    if rule == "pattern":
        expected = error.schema.get("title", expected)
    text = ", ".join(map(str, expected)) if isinstance(expected, list) else str(expected)
    return messages.get(rule, messages["type"]).format(name=name, found=instance, expected=text)


def _json_excerpt(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
