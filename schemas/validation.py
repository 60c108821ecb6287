"""Whether the values of a column, and of each leaf of nested ones, keep what is declared of them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from schemas.counts import counted
from schemas.nested import Shape

if TYPE_CHECKING:
    import pyarrow as pa

    from schemas.table import Column, Constraint

MAX_EXAMPLE = 200
"""Letters of a value that a problem shows."""


def column_problems(column: Column, values: pa.ChunkedArray) -> Iterator[str]:
    """Yield what of a column's values is otherwise than declared: how often, and the first such value.

    Null in the place of a nested value is not asked for: a public edition has it where a licence forbids the value.
    """
    missing = values.null_count + (_nan_count(values) if column.type is float and not column.nullable else 0)
    if missing and not column.nullable:
        yield f"`{column.name}`: null in {counted(missing, 'row')}, expected a value in each"
    if column.shape.kind != "scalar":
        yield from _leaf_problems(column.name, column.shape, column.constraint, values.combine_chunks())
    elif is_bounded(column.constraint) or column.constraint.unique:
        yield from _value_problems(column.name, column.constraint, values.drop_null().combine_chunks(), "row")


def declaration_problem(shape: Shape, constraint: Constraint) -> str:
    """Return what no nested value can keep of the constraints declared of it; empty of a scalar, or if it can."""
    if shape.kind in ("scalar", "number"):
        return ""
    if constraint.key or constraint.unique:
        return f"a {shape.name} is no key and not unique; expected that of a column of scalars"
    return _inner_problem(shape, constraint)


def _inner_problem(shape: Shape, constraint: Constraint) -> str:
    if shape.constraint is not None:
        constraint = shape.constraint
        if constraint.key or constraint.unique:
            return f"a nested {shape.name} is no key and not unique; expected that of a column"
    if shape.kind == "struct":
        if is_bounded(constraint):
            return f"{promise(constraint)} is said of a struct; expected it of one of its keys"
        return next(filter(None, (_inner_problem(key.shape, constraint) for key in shape.keys)), "")
    return _inner_problem(shape.item, constraint) if shape.item is not None else ""


def is_bounded(constraint: Constraint) -> bool:
    """Return whether a constraint bounds single values."""
    return any(bound is not None for bound in (constraint.ge, constraint.le, constraint.isin, constraint.pattern))


def promise(constraint: Constraint) -> str:
    """Return what a constraint promises beyond the type, in words; empty where that is nothing."""
    parts = ["key"] if constraint.key else []
    if constraint.unique:
        parts.append("unique")
    return "; ".join([*parts, *_bounds(constraint).values()])


def keeps(constraint: Constraint, value: Any) -> bool:
    """Return whether a value of the declared type keeps its bounds, words and pattern."""
    c = constraint
    return (
        (c.ge is None or value >= c.ge)
        and (c.le is None or value <= c.le)
        and (c.isin is None or value in c.isin)
        and (c.pattern is None or re.fullmatch(c.pattern, value) is not None)
    )


def _bounds(constraint: Constraint) -> dict[str, str]:
    """Return each bound that a constraint sets, in words."""
    words = {}
    if constraint.ge is not None:
        words["ge"] = f"at least {constraint.ge:g}"
    if constraint.le is not None:
        words["le"] = f"at most {constraint.le:g}"
    if constraint.isin is not None:
        words["isin"] = "one of " + ", ".join(f"`{v}`" for v in constraint.isin)
    if constraint.pattern is not None:
        words["pattern"] = f"text matching `{constraint.pattern}`"
    return words


def _leaf_problems(name: str, shape: Shape, constraint: Constraint, values: pa.Array) -> Iterator[str]:
    """Yield the same of what nested values consist of; a leaf that says nothing of itself is as what holds it says."""
    constraint, values = shape.constraint or constraint, values.drop_null()
    if shape.kind == "struct":
        for key, key_values in zip(shape.keys, values.flatten(), strict=True):
            yield from _leaf_problems(f"{name}.{key.name}", key.shape, constraint, key_values)
    elif shape.item is not None:
        items = values.flatten()
        if shape.kind == "map":
            items = items.flatten()[1]
        elif shape.item.kind == "scalar" and not shape.item.nullable and items.null_count:
            yield f"`{name}[]`: null in {counted(items.null_count, 'value')}, expected none"
        yield from _leaf_problems(f"{name}[]", shape.item, constraint, items)
    elif is_bounded(constraint):
        yield from _value_problems(name, constraint, values, "value")


def _value_problems(name: str, constraint: Constraint, values: pa.Array, noun: str) -> Iterator[str]:
    """Yield how values, without nulls, break what is declared of them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def outside(allowed: list[Any]) -> pa.Array:
        return pc.call_function(
            "invert", [pc.call_function("is_in", [values], pc.SetLookupOptions(pa.array(allowed, values.type)))]
        )

    masks, is_whole = {}, pa.types.is_integer(values.type)  # Arrow compares no whole number above 2**53 with a double
    if constraint.ge is not None:
        least = math.ceil(constraint.ge) if is_whole else constraint.ge
        masks["ge"] = pc.call_function("less", [values, pa.scalar(least)])
    if constraint.le is not None:
        most = math.floor(constraint.le) if is_whole else constraint.le
        masks["le"] = pc.call_function("greater", [values, pa.scalar(most)])
    if constraint.isin is not None:
        masks["isin"] = outside(list(constraint.isin))
    if constraint.pattern is not None:
        pattern = re.compile(constraint.pattern)
        masks["pattern"] = outside([text for text in values.unique().to_pylist() if pattern.fullmatch(text)])
    for bound, mask in masks.items():
        if count := pc.call_function("sum", [mask]).as_py():
            example = repr(values.filter(mask)[0].as_py())[:MAX_EXAMPLE]
            yield (
                f"`{name}`: expected {_bounds(constraint)[bound]}, otherwise in {counted(count, noun)}, "
                f"such as {example}"
            )
    if constraint.unique and len(repeated := _repeated(values)):
        example = repr(repeated[0].as_py())[:MAX_EXAMPLE]
        yield f"`{name}`: expected unique values, {counted(len(repeated), 'value')} in several rows, such as {example}"


def _repeated(values: pa.Array) -> pa.Array:
    import pyarrow.compute as pc

    counts = values.value_counts()
    return counts.field("values").filter(pc.call_function("greater", [counts.field("counts"), 1]))


def _nan_count(values: pa.ChunkedArray) -> int:
    import pyarrow.compute as pc

    return pc.call_function("sum", [pc.call_function("is_nan", [values])]).as_py() or 0
