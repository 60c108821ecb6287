"""The core's functions as a process has them, held against their files: what judges must be what is written there.

A family's module runs in the process that judges its plans, and Python lets it put something else in the place of what
judges. That is found here; who also puts something in the place of this is not.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from dis import get_instructions
from functools import cache
from types import CodeType
from typing import Any

JUDGING = (
    "assets.promises.",
    "assets.core.",
    "assets.named",
    "assets.family",
    "assets.families",
    "assets.rows",
    "assets.runs.setting",
    "schemas.",
)
"""With what the names of the modules begin that a judge of plans executes, beside those of families."""


def not_as_written() -> list[str]:
    """Return the functions of the core, by name, that this process has and that are not what their files say."""
    modules = {name: module for name, module in sys.modules.items() if name.startswith(JUDGING)}
    changed = set[str]()
    for name, module in sorted(modules.items()):
        get_code = getattr(getattr(module.__spec__, "loader", None), "get_code", None)
        if get_code is not None and (code := get_code(name)) is not None:
            changed.update(_unlike(f"{name}.", vars(module), code))
            changed.update(_not_imported(f"{name}.", vars(module), code))
    return sorted(changed)


def _unlike(name: str, members: Mapping[str, Any], code: CodeType) -> Iterator[str]:
    """Yield the functions that a module's or a class's code defines and that stand for something else in it."""
    codes_by_name: dict[str, list[CodeType]] = {}
    for inner in code.co_consts:
        if isinstance(inner, CodeType) and not inner.co_name.startswith("<"):
            codes_by_name.setdefault(inner.co_name, []).append(inner)
    for member, codes in codes_by_name.items():
        value = members.get(member)
        if isinstance(value, type):
            yield from _unlike(f"{name}{member}.", vars(value), codes[-1])
        elif _code(value) not in codes:
            yield name + member


def _not_imported(name: str, members: Mapping[str, Any], code: CodeType) -> Iterator[str]:
    """Yield what a module's code imports of another module by name, and that is not what that module has."""
    for module, member, as_name in _imports(code):
        if as_name in members and module in sys.modules:
            member_there = vars(sys.modules[module]).get(member, sys.modules.get(f"{module}.{member}"))
            if members[as_name] is not member_there:
                yield name + as_name


@cache
def _imports(code: CodeType) -> tuple[tuple[str, str, str], ...]:
    """Return what a module's code imports by name: the module, the name there, and the name here."""
    names, module, member = list[tuple[str, str, str]](), "", ""
    for step in get_instructions(code):
        if step.opname == "IMPORT_NAME":
            module = step.argval
        elif step.opname == "IMPORT_FROM":
            member = step.argval
        elif step.opname == "STORE_NAME" and member:
            names.append((module, member, step.argval))
            member = ""
    return tuple(names)


def _code(value: Any) -> CodeType | None:
    """Return the code of what a definition made, whatever it is decorated with."""
    if isinstance(value, property):
        value = value.fget
    value = getattr(value, "func", value)  # of a property that is kept
    value = getattr(value, "__func__", value)
    return getattr(inspect.unwrap(value), "__code__", None) if value is not None else None
