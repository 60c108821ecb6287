"""What a family declares, held against the contract.

Reading a declaration imports none of its functions: what these take is read from their definitions.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from assets.named import definition, function_of, module_of
from schemas.errors import ExpectedError
from schemas.nested import Shape, shape_of, stored
from schemas.shown import shown
from schemas.table import Table

if TYPE_CHECKING:
    from assets.family import Family

ROOT = Path(__file__).resolve().parents[1]

TAKES: dict[str, int] = {
    "slots": 1, "world": 1, "draft": 4, "solve": 4, "check": 3, "word": 4, "read": 3, "trace": 2, "uses": 2,
    "score": 3, "export": 1, "measures": 2, "prepare": 3, "identity": 1, "depends": 4, "part": 2, "verify": 4,
    "prove": 4, "contexts": 2, "published_check": 1, "passes": 3, "harden": 5, "upstream": 1, "lacking": 2,
    "feasible": 2, "map_of": 2, "page": 2, "tools": 1, "open": 1, "mend": 1, "names": 1, "asked": 1, "drawn_again": 4,
    "baselines": 1, "planners": 3, "derivations": 1, "inspect": 1, "draft_by_model": 4, "word_by_model": 5,
}  # fmt: skip
"""How many arguments each function of the contract is given: those that stand beside it in `Family`."""

VALUES = ("first_recipe", "plan_text")
"""What is named alike and is no function."""

PLANNERS = ("random", "greedy", "repair")


class FamilyError(ExpectedError):
    """A family does not keep the contract; the text names its function or field, and says what was expected."""


def shape_problems(family: Family, folder: str) -> Iterator[str]:
    """Yield what of a declaration is of another type than the contract's; `folder` is the one it stands in."""
    if family.name != folder or not re.fullmatch(r"[a-z][a-z0-9_]*", family.name):
        yield (
            f"`name` is {family.name!r}; expected the name of its folder, {folder!r}, of lower-case letters, digits "
            "and `_`"
        )
        return
    if family.per not in ("city", "recipe"):
        yield f"`per` is {family.per!r}; expected 'city' or 'recipe'"
    if not (isinstance(family.section, type) and issubclass(family.section, BaseModel)):
        yield f"`section` is {family.section!r}; expected a class derived from pydantic's BaseModel"
    if not isinstance(family.attempts, int) or family.attempts < 1:
        yield f"`attempts` is {family.attempts!r}; expected a whole number from 1 on"
    if not (family.language is None or re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", str(family.language))):
        yield f"`language` is {family.language!r}; expected a BCP 47 tag, such as 'en' or 'zh-Hans', or None"
    for name, kind, what in (("checks", str, "names of checks"), ("unjudged", str, "fields of the record"),
                             ("unread", str, "fields of the record"),
                             ("believed", str, "parts of a certificate"), ("variants", str, "names")):  # fmt: skip
        yield from _not_a_tuple(name, getattr(family, name), kind, what)
    for name in ("world_tables", "context", "arrow"):
        field_value = getattr(family, name)
        if not isinstance(field_value, tuple) or not all(
            isinstance(t, type) and issubclass(t, Table) for t in field_value
        ):
            yield f"`{name}` is {shown(repr(field_value))[:200]}; expected a tuple of tables, such as (Place,)"
    for name, field_value in functions_of(family, (*TAKES, *VALUES)):
        if not isinstance(field_value, str):
            yield f"`{name}` is {shown(repr(field_value))[:80]}; expected its name as text, 'package.module:function'"
    for name in ("record", "drawn", "plan", "proof"):
        try:
            shape = shape_of(getattr(family, name))
        except TypeError as error:
            yield f"`{name}`: {error}"
            continue
        if name == "record":
            yield from _unknown_fields(family, shape)
    if untold := sorted(name for name, text in family.rules.items() if not text.strip()):
        yield f"`rules` says nothing of {', '.join(untold)}; expected for each how its values come about, in words"
    if unknown := sorted(set(family.planners) - set(PLANNERS)):
        yield f"`planners` has {', '.join(map(repr, unknown))}; expected some of {', '.join(PLANNERS)}"


def function_problems(family: Family) -> Iterator[str]:
    """Yield which of a family's functions are not where they are said to be, or take other arguments."""
    for field, name in functions_of(family, (*TAKES, *VALUES)):
        of = field.partition("[")[0]
        yield from function_problem(family, field, name, TAKES.get(of), f"as beside `{of}` in assets/family.py")
    for step in family.world_steps:
        field, count = f"world_steps[{step.name!r}]", len(step.inputs)
        yield from function_problem(family, field, step.run, count, "one for each of its inputs")


def function_problem(family: Family, field: str, name: str, count: int | None, why: str) -> Iterator[str]:
    """Yield what is wrong with one function that should take `count` arguments (None: any), for a reason in words."""
    try:
        module = module_of(name)
    except ValueError as error:
        yield f"`{field}`: {error}"
        return
    if not module.startswith(f"assets.{family.name}."):
        return  # a library's, such as `builtins:sum`
    path = ROOT.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    shown_path = path.relative_to(ROOT)
    if not path.is_file():
        yield f"`{field}` is `{name}`; there is no {shown_path}"
        return
    try:
        bound = _bound_names(path)
    except SyntaxError as error:
        yield f"`{field}` is `{name}`; {shown_path}, line {error.lineno}: {error.msg}"
        return
    if function_of(name) not in bound:
        yield f"`{field}` is `{name}`; {shown_path} defines no `{function_of(name)}`"
        return
    least, most = bound[function_of(name)] or (0, math.inf)
    if count is not None and not least <= count <= most:
        words = ", ".join(word for word, _ in definition(name).positional)
        plural = "" if count == 1 else "s"
        yield f"`{field}` is `{name}`, which takes ({words}); expected {count} argument{plural}, {why}"


def require_functions(families: Iterable[Family]) -> None:
    """Raise FamilyError naming every function of the families that is not there or takes other arguments."""
    for family in families:
        require_none(family.name, function_problems(family))


def require_none(folder: str, problems: Iterable[str]) -> None:
    """Raise FamilyError with all problems of one declaration, if there are any."""
    if listed := list(problems):
        raise FamilyError(
            f"assets/{folder}/family.py does not declare a family as assets/family.py asks:\n"
            + "\n".join(f"  - {problem}" for problem in listed)
        )


def _not_a_tuple(name: str, field_value: Any, kind: type, what: str) -> Iterator[str]:
    if not isinstance(field_value, tuple) or not all(isinstance(one, kind) for one in field_value):
        hint = "; a tuple of one ends in a comma: ('form',)" if isinstance(field_value, str) else ""
        yield f"`{name}` is {shown(repr(field_value))[:80]}; expected a tuple of {what}{hint}"


def functions_of(declared: object, fields: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Yield every function that these fields of a declaration name, under the field that names it."""
    for field in fields:
        field_value = getattr(declared, field)
        if isinstance(field_value, Mapping):
            yield from ((f"{field}[{key!r}]", name) for key, name in field_value.items())
        elif field_value is not None:
            yield field, field_value


def _unknown_fields(family: Family, record: Shape) -> Iterator[str]:
    """Yield what of `wishes`, `unjudged` and `unread` the record does not have, or cannot hold."""
    shapes = dict(_fields(record))
    fields = set(shapes)
    for name, field_names in (("wishes", family.wishes), ("unjudged", family.unjudged), ("unread", family.unread)):
        unknown = sorted(set(field_names) - fields)
        if fields and unknown:
            yield (
                f"`{name}` names {', '.join(map(repr, unknown))}; expected fields of the record, by `/` where they "
                f"stand in another: {', '.join(sorted(fields))}"
            )
    for name, values in family.wishes.items():
        if not isinstance(values, tuple):
            yield f"`wishes[{name!r}]` is {values!r}; expected a tuple of values; of one it ends in a comma: (1,)"
            continue
        for value in values if name in shapes else ():
            try:
                stored(shapes[name], value)
            except ValueError as error:
                yield f"`wishes[{name!r}]` has what the record cannot hold there: {error}"
                break


def _fields(shape: Shape, within: str = "") -> Iterator[tuple[str, Shape]]:
    for key in shape.keys:
        yield within + key.name, key.shape
        if key.shape.kind == "struct":
            yield from _fields(key.shape, f"{within}{key.name}/")


@cache
def _bound_names(path: Path) -> dict[str, tuple[int, float] | None]:
    """Return what a module's top level binds: of a function the least and most arguments, else None."""
    bound: dict[str, tuple[int, float] | None] = {}
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.FunctionDef):
            parameters = node.args
            count = len(parameters.posonlyargs) + len(parameters.args)
            bound[node.name] = count - len(parameters.defaults), math.inf if parameters.vararg else count
        elif isinstance(node, ast.ClassDef):
            bound[node.name] = None
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound |= dict.fromkeys((alias.asname or alias.name.partition(".")[0] for alias in node.names), None)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            bound |= {leaf.id: None for target in targets for leaf in ast.walk(target) if isinstance(leaf, ast.Name)}
        else:  # a definition under a condition
            bound |= {inner.name: None for inner in ast.walk(node) if isinstance(inner, ast.FunctionDef)}
    return bound
