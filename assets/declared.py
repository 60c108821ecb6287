"""What a family declares, held against the contract, and whose function failed: a fault is told by its name.

Reading a declaration imports none of its functions: what these take is read from their definitions.
"""

from __future__ import annotations

import ast
import re
import traceback
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from assets.named import definition, function_of, load, module_of
from schemas.errors import ExpectedError
from schemas.page import FamilyPage
from schemas.shown import shown
from schemas.stable import canonical_json
from schemas.table import Table

if TYPE_CHECKING:
    from assets.family import Family

ROOT = Path(__file__).resolve().parents[1]

TAKES: dict[str, int] = {
    "slots": 1, "world": 1, "draft": 4, "solve": 4, "check": 3, "word": 4, "read": 3, "trace": 2, "uses": 2,
    "score": 3, "export": 1, "measures": 2, "prepare": 3, "identity": 1, "depends": 4, "part": 2, "verify": 4,
    "prove": 4, "contexts": 2, "published_check": 1, "passes": 3, "harden": 5, "upstream": 1, "lacking": 2,
    "feasible": 2, "map_of": 2, "page": 2, "tools": 1, "open": 1, "mend": 1, "names": 1, "asked": 1,
    "baselines": 1, "planners": 3, "derivations": 1, "inspect": 1, "draft_by_model": 4, "word_by_model": 5,
}  # fmt: skip
"""How many arguments each function of the contract is given: those that stand beside it in `Family`."""

VALUES = ("first_recipe", "plan_text")
"""What is named alike and is no function."""

FRAME = re.compile(r'File "([^"]+)", line ([0-9]+), in (\S+)')
"""A frame as Python prints it: its file, line and function."""

REPEATED = ("draft", "solve", "word")
"""What must give the same for the same task, record and world, or a release could not be built again."""

PLANNERS = ("random", "greedy", "repair")


class FamilyError(ExpectedError):
    """A family does not keep the contract, or its function failed; the text names it and says what was expected."""


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
    for name, kind, what in (("checks", str, "names of checks"), ("unjudged", str, "fields of the record"),
                             ("believed", str, "parts of a certificate"), ("variants", str, "names")):  # fmt: skip
        yield from _not_a_tuple(name, getattr(family, name), kind, what)
    for name in ("world_tables", "context", "arrow"):
        given = getattr(family, name)
        if not isinstance(given, tuple) or not all(isinstance(t, type) and issubclass(t, Table) for t in given):
            yield f"`{name}` is {shown(repr(given))[:200]}; expected a tuple of tables, such as (Place,)"
    for name, given in _functions(family):
        if not isinstance(given, str):
            yield f"`{name}` is {shown(repr(given))[:80]}; expected its name as text, 'package.module:function'"
    for name in ("record", "drawn", "plan", "proof"):
        try:
            shape = _shape(getattr(family, name))
        except TypeError as error:
            yield f"`{name}`: {error}"
            continue
        if name == "record":
            yield from _unknown_fields(family, shape)
    if unknown := sorted(set(family.planners) - set(PLANNERS)):
        yield f"`planners` has {', '.join(map(repr, unknown))}; expected some of {', '.join(PLANNERS)}"


def function_problems(family: Family) -> Iterator[str]:
    """Yield which of a family's functions are not where they are said to be, or take other arguments."""
    made = {f"world_steps[{step.name!r}]": step for step in family.world_steps}
    for field, name in (*_functions(family), *((field, step.run) for field, step in made.items())):
        try:
            module = module_of(name)
        except ValueError as error:
            yield f"`{field}`: {error}"
            continue
        if not module.startswith(f"assets.{family.name}."):
            continue  # a library's, such as `builtins:sum`
        path = ROOT.joinpath(*module.split("."))
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if not path.is_file():
            yield f"`{field}` is `{name}`; there is no {path.relative_to(ROOT)}"
            continue
        try:
            bound = _bound(path)
        except SyntaxError as error:
            yield f"`{field}` is `{name}`; {path.relative_to(ROOT)}, line {error.lineno}: {error.msg}"
            continue
        if function_of(name) not in bound:
            yield f"`{field}` is `{name}`; {path.relative_to(ROOT)} defines no `{function_of(name)}`"
            continue
        count = len(made[field].inputs) if field in made else TAKES.get(field.partition("[")[0])
        if count is not None and (taken := bound[function_of(name)]) is not None:
            least, most = taken
            if not least <= count <= most:
                words = definition(name).positional
                where = f"as beside `{field.partition('[')[0]}` in assets/family.py"
                where = "one for each of its inputs" if field in made else where
                yield (
                    f"`{field}` is `{name}`, which takes ({', '.join(word for word, _ in words)}); expected {count} "
                    f"argument{'' if count == 1 else 's'}, {where}"
                )


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


def failed(error: BaseException) -> str | None:
    """Return which family's function failed, where and how; None if no family's code was running.

    Of an error that came from another process, the frames stand in its notes.
    """
    frames = "\n".join([*traceback.format_tb(error.__traceback__), *getattr(error, "__notes__", ())])
    own = [(path, *frame) for name, *frame in FRAME.findall(frames) if (path := _of_a_family(name))]
    if not own:
        return None
    (first, _, function), (last, line, _) = own[0], own[-1]
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
        "score": ((Mapping,), "a mapping with `aggregate`"),
        "export": ((Mapping,), "bytes by their relative path"),
        "measures": ((Mapping,), "figures by their names"),
        "page": ((FamilyPage,), "FamilyPage"),
        "map_of": (picture, "CityPicture"),
        "tools": ((list, tuple), "a list of Tool"),
    }
    function = load(name)
    given = partial(_given, function, field, name, *kinds[field]) if field in kinds else function
    return _Repeated(given, name) if field in REPEATED else given


class _Repeated:
    """A function that is called twice the first time, and must give the same."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self._function, self._name, self._is_tried = function, name, False

    def __call__(self, *given: Any) -> Any:
        answer = self._function(*given)
        if not self._is_tried:
            self._is_tried = True
            require_alike(self._name, str(getattr(given[0], "task_id", given[0])), answer, self._function(*given))
        return answer


def _given(
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
    if field == "export":
        for path, data in value.items():
            parts = path.split("/") if isinstance(path, str) else [""]
            if {"", ".", ".."} & set(parts) or "\\" in path or isinstance(data, str):
                raise FamilyError(
                    f"{name} gave {shown(repr(path))[:80]} as {type(data).__name__}; expected bytes, or pieces "
                    "of them, by a path within the folder, such as 'tasks/a.jsonl'"
                )
    if field == "score":
        if not isinstance(value.get("aggregate"), Mapping):
            raise FamilyError(f"{name} gave {', '.join(map(str, value))}; expected `aggregate`, figures by their names")
        _require_plain(f"{name} gave figures", value["aggregate"])
    return value


def _wrong_series(names: Sequence[str]) -> str | None:
    """Return a name that a task's id cannot hold, or that is there twice; None if there is none."""
    return next((name for name in names if names.count(name) > 1 or not re.fullmatch(r"[\w-]*", name, re.ASCII)), None)


def _require_plain(what: str, value: Any) -> None:
    try:
        canonical_json(value)
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


def _not_a_tuple(name: str, given: Any, kind: type, what: str) -> Iterator[str]:
    if not isinstance(given, tuple) or not all(isinstance(one, kind) for one in given):
        hint = "; a tuple of one ends in a comma: ('form',)" if isinstance(given, str) else ""
        yield f"`{name}` is {shown(repr(given))[:80]}; expected a tuple of {what}{hint}"


def _functions(family: Family) -> Iterator[tuple[str, Any]]:
    """Yield every function that a family names, under the field that names it."""
    for field in (*TAKES, *VALUES):
        given = getattr(family, field)
        if isinstance(given, Mapping):
            yield from ((f"{field}[{key!r}]", name) for key, name in given.items())
        elif given is not None:
            yield field, given


def _shape(hint: Any) -> Any:
    from schemas.nested import shape_of

    shape = shape_of(hint)
    if shape.kind != "struct" and not typing.is_typeddict(hint):
        return None
    return shape


def _unknown_fields(family: Family, shape: Any) -> Iterator[str]:
    """Yield the fields of `wishes` and `unjudged` that the record does not have."""
    fields = set(_fields(shape)) if shape else set()
    for name, given in (("wishes", family.wishes), ("unjudged", family.unjudged)):
        unknown = sorted(set(given) - fields)
        if fields and unknown:
            yield (
                f"`{name}` names {', '.join(map(repr, unknown))}; expected fields of the record, by `/` where they "
                f"stand in another: {', '.join(sorted(fields))}"
            )
    for name, values in family.wishes.items():
        if not isinstance(values, tuple):
            yield f"`wishes[{name!r}]` is {values!r}; expected a tuple of values; of one it ends in a comma: (1,)"


def _fields(shape: Any, within: str = "") -> Iterator[str]:
    for key in shape.keys:
        yield within + key.name
        if key.shape.kind == "struct":
            yield from _fields(key.shape, f"{within}{key.name}/")


@cache
def _bound(path: Path) -> dict[str, tuple[int, float] | None]:
    """Return what a module's top level binds: of a function the least and most arguments, else None."""
    bound: dict[str, tuple[int, float] | None] = {}
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.FunctionDef):
            given = node.args
            count = len(given.posonlyargs) + len(given.args)
            bound[node.name] = count - len(given.defaults), float("inf") if given.vararg else count
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
