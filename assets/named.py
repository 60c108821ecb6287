"""Functions named as text, `module:function`: what their definition says, read without importing it, and themselves.

A build looks at the definitions of all steps and runs few of them; the modules of the others, and the libraries that
these import, are never loaded.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Definition:
    """What a function's definition says: its positional parameters with their annotations, its keywords, its text."""

    positional: tuple[tuple[str, str], ...]
    keywords: tuple[str, ...]
    summary: str

    def reads_arrow(self, number: int) -> bool:
        """Return whether the function asks for its number-th table as Arrow keeps it, instead of as a frame."""
        return number < len(self.positional) and "pa.Table" in self.positional[number][1]


Named = str
"""A function as `module:function`."""


def module_of(name: str) -> str:
    """Return the module of a named function. Raises ValueError if the text is not `module:function`."""
    module, colon, function = name.partition(":")
    if not (colon and function.isidentifier() and all(part.isidentifier() for part in module.split("."))):
        raise ValueError(f"`{name}` names no function; expected `package.module:function`")
    return module


def function_of(name: str) -> str:
    """Return the function's own name."""
    return name.partition(":")[2]


def load(name: str) -> Callable[..., Any]:
    """Return the named function. Raises ValueError if its module has none of that name."""
    function = named_value(name)
    if not callable(function):
        raise ValueError(f"`{name}` names no function, but a {type(function).__name__}")
    return function


def named_value(name: str) -> Any:
    """Return what a module defines under a name, be it a function or a declaration. Raises ValueError if nothing."""
    module = importlib.import_module(module_of(name))
    if not hasattr(module, function_of(name)):
        raise ValueError(f"`{name}` names nothing: {module.__file__} defines no `{function_of(name)}`")
    return getattr(module, function_of(name))


@cache
def definition(name: str) -> Definition:
    """Return what the definition of a named function says, its module not imported.

    Raises ValueError if the module is not there, or does not itself define a function of that name at its top level.
    """
    module, function = module_of(name), function_of(name)
    node = _functions(module).get(function)
    if node is None:
        raise ValueError(f"`{name}` names no function: {_file(module)} defines no `{function}` at its top level")
    parameters = node.args
    if parameters.kwarg:
        raise ValueError(f"`{name}` takes **kwargs; a step's function names each of its keywords")
    positional = (*parameters.posonlyargs, *parameters.args)
    return Definition(
        tuple((arg.arg, ast.unparse(arg.annotation) if arg.annotation else "") for arg in positional),
        tuple(arg.arg for arg in parameters.kwonlyargs),
        (ast.get_docstring(node) or "").split("\n")[0],
    )


@cache
def _functions(module: str) -> dict[str, ast.FunctionDef]:
    tree = ast.parse(_file(module).read_bytes())
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _file(module: str) -> Path:
    loaded = sys.modules.get(module)
    spec = loaded.__spec__ if loaded else importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ValueError(f"found no module `{module}`; a step's function lives in a file of this repository")
    return Path(spec.origin)
