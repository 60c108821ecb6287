"""Nested values of a table's column: how a typed dictionary is kept in Arrow, and read back as it was.

A `TypedDict` is a struct; a dictionary with free keys is a list of `{key, value}` in the keys' order; a number that may
be whole is a double. A key that need not be there is null where it is absent. A union of other types has no column:
split it into several keys.
"""

from __future__ import annotations

import datetime as dt
import marshal
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

AT_ONCE = 10_000
"""Values that are made of Arrow's before equal ones are told."""

WITHOUT_REFERENCES = 2
"""The last of marshal's formats in which equal values always have equal bytes; it takes a tenth of repr's time."""

SCALARS = (str, int, float, bool, dt.date)

Kind = Literal["scalar", "number", "list", "map", "struct"]


@dataclass(frozen=True)
class Shape:
    """The form of a value: a scalar of a type, a number, or a list, map or struct of further shapes."""

    kind: Kind
    nullable: bool = False
    type: Any = None
    item: Shape | None = None
    keys: tuple[Key, ...] = ()
    constraint: Any = None
    """What `Annotated[…, Field(…)]` says of it, None where nothing does."""

    @property
    def is_nested(self) -> bool:
        """Return whether the value is more than a scalar or a list of scalars."""
        if self.kind == "list":
            return self.item is not None and self.item.kind != "scalar"
        return self.kind in ("map", "struct", "number")

    @property
    def name(self) -> str:
        """Return the shape's name as the data dictionary prints it."""
        names = {"struct": "struct", "number": "number", "scalar": getattr(self.type, "__name__", "")}
        base = (
            names.get(self.kind) or f"{'list' if self.kind == 'list' else 'map'}[{self.item.name if self.item else ''}]"
        )
        return f"{base}, may be null" if self.nullable else base


@dataclass(frozen=True)
class Key:
    """One key of a struct; `required` is False for a key that may be absent."""

    name: str
    shape: Shape
    required: bool = True


@dataclass(frozen=True)
class Leaf:
    """One leaf of a column: the keys that lead to it (`[]` for every item of a list or map), and its shape."""

    path: tuple[str, ...]
    shape: Shape
    constraint: Any = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """Return the leaf's name: `record.budget`, `plan.days[].date`."""
        return ".".join(self.path).replace(".[]", "[]")


@cache
def shape_of(hint: Any) -> Shape:
    """Return the shape that a type hint declares. Raises TypeError for a hint that no column can hold."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        constraint = next((extra for extra in arguments[1:] if hasattr(extra, "holds")), None)
        return replace(shape_of(arguments[0]), constraint=constraint)
    if origin in (typing.Union, types.UnionType):
        others = [option for option in arguments if option is not type(None)]
        if set(others) == {int, float}:
            return Shape("number", len(others) < len(arguments))
        if len(others) != 1:
            raise TypeError(f"{hint}: a column holds one type, optionally `| None`; split the union into several keys")
        return replace(shape_of(others[0]), nullable=True)
    if origin is Literal:
        return shape_of(type(arguments[0]))
    if origin is list:
        return Shape("list", item=shape_of(arguments[0]))
    if origin is dict and arguments[0] is str:
        return Shape("map", item=shape_of(arguments[1]))
    if typing.is_typeddict(hint):
        hints = typing.get_type_hints(hint, include_extras=True)
        return Shape("struct", keys=tuple(Key(n, _shape_of_key(n, h), not _may_be_absent(h)) for n, h in hints.items()))
    if hint in SCALARS:
        return Shape("scalar", type=hint)
    raise TypeError(f"{hint}: expected a scalar, a list, a dict[str, …] or a TypedDict")


def _shape_of_key(name: str, hint: Any) -> Shape:
    try:
        return shape_of(_bare(hint))
    except TypeError as error:
        raise TypeError(f"`{name}`: {error}") from None


def _may_be_absent(hint: Any) -> bool:
    return typing.get_origin(hint) is typing.NotRequired


def _bare(hint: Any) -> Any:
    """Return a hint without `Required` or `NotRequired` around it."""
    wrapped = typing.get_origin(hint) in (typing.Required, typing.NotRequired)
    return typing.get_args(hint)[0] if wrapped else hint


@cache
def arrow_type(shape: Shape) -> pa.DataType:
    """Return the Arrow type that holds the shape's values."""
    import pyarrow as pa

    if shape.kind == "scalar":
        scalars = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_(), dt.date: pa.date32()}
        return scalars[shape.type]
    if shape.kind == "number":
        return pa.float64()
    if shape.kind == "struct":
        return pa.struct([(key.name, arrow_type(key.shape)) for key in shape.keys])
    assert shape.item is not None
    if shape.kind == "list":
        return pa.list_(arrow_type(shape.item))
    return pa.list_(pa.struct([("key", pa.string()), ("value", arrow_type(shape.item))]))


def stored(shape: Shape, value: Any) -> Any:
    """Return a value as Arrow takes it. Raises ValueError naming what does not fit the shape, and where."""
    try:
        return _storing(shape)(value)
    except _UnfitError as unfit:
        where = "".join(f"/{key}" for key in reversed(unfit.keys))
        raise ValueError(f"{where or 'value'}{unfit.text}") from None


def stored_values(shape: Shape, values: list[Any]) -> pa.Array:
    """Return a column of values as Arrow keeps it, which are told to fit as by `stored`; one object is stored once."""
    import pyarrow as pa

    distinct = {id(value): value for value in values}
    array = pa.array([stored(shape, value) for value in distinct.values()], type=arrow_type(shape))
    if len(distinct) == len(values):
        return array
    place = {of: number for number, of in enumerate(distinct)}
    return array.take(pa.array([place[id(value)] for value in values], type=pa.int64()))


class _UnfitError(Exception):
    """What does not fit, and the keys that lead to it, the last first."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text
        self.keys: list[str | int] = []


@cache
def _storing(shape: Shape) -> Callable[[Any], Any]:
    """Return what gives values of the shape as Arrow takes them. Made once: asking the shape of each takes longest."""
    converter = _storing_there(shape)

    def of_value(value: Any) -> Any:
        if value is not None:
            return converter(value)
        if not shape.nullable:
            raise _UnfitError(f" is null, expected {shape.name}")
        return None

    return of_value


def _storing_there(shape: Shape) -> Callable[[Any], Any]:
    """Return the same for what is not null."""
    if shape.kind == "struct":
        return _storing_struct(shape)
    if shape.kind == "map":
        return _storing_map(shape)
    if shape.kind == "list":
        return _storing_list(shape)
    if shape.kind == "number":

        def number(value: Any) -> float:
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise _UnfitError(f" is {value!r}, expected a number")
            return float(value)

        return number
    types = (float, int) if shape.type is float else shape.type

    def scalar(value: Any) -> Any:
        if not isinstance(value, types):
            raise _UnfitError(f" is {value!r:.60}, expected {shape.name}")
        return value

    return scalar


def _storing_struct(shape: Shape) -> Callable[[Any], Any]:
    keys = [(key.name, _storing(key.shape)) for key in shape.keys]
    names = {name for name, _ in keys}
    required = [key.name for key in shape.keys if key.required]

    def struct(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _UnfitError(f" is of type {type(value).__name__}, expected a struct")
        if value.keys() != names:
            extra = [str(name) for name in value if name not in names]
            lacking = [name for name in required if name not in value]
            if extra or lacking:
                raise _UnfitError(f": keys {extra} are not declared, keys {lacking} are missing")
        struct_values, name = {}, ""
        try:
            for name, of_key in keys:
                struct_values[name] = of_key(value[name]) if name in value else None
        except _UnfitError as unfit:
            unfit.keys.append(name)
            raise
        return struct_values

    return struct


def _storing_map(shape: Shape) -> Callable[[Any], Any]:
    assert shape.item is not None
    item = _storing(shape.item)

    def entries(value: Any) -> list[dict[str, Any]]:
        if not isinstance(value, dict):
            raise _UnfitError(f" is of type {type(value).__name__}, expected a map")
        pairs, key = [], ""
        try:
            for key, inner in value.items():
                pairs.append({"key": key, "value": item(inner)})
        except _UnfitError as unfit:
            unfit.keys.append(key)
            raise
        return pairs

    return entries


def _storing_list(shape: Shape) -> Callable[[Any], Any]:
    assert shape.item is not None
    item = _storing(shape.item)

    def items(value: Any) -> list[Any]:
        if not isinstance(value, (list, tuple)):
            raise _UnfitError(f" is of type {type(value).__name__}, expected a list")
        elements: list[Any] = []
        try:
            elements.extend(map(item, value))
        except _UnfitError as unfit:
            unfit.keys.append(len(elements))
            raise
        return elements

    return items


def plain_of(shape: Shape) -> Callable[[Any], Any]:
    """Return what makes of a value of Arrow's what it was: maps dictionaries, whole numbers ints, no absent keys.

    A value is changed in place, as far as it can be.
    """
    converter = _plain_of(shape)
    return lambda value: value if value is None or converter is None else converter(value)


def _plain_of(shape: Shape) -> Callable[[Any], Any] | None:
    """Return the same for what is not null, None where nothing is changed.

    Made once for all values: asking the shape of each takes longest.
    """
    if shape.kind == "struct":
        changed = [(key.name, of_key) for key in shape.keys if (of_key := _plain_of(key.shape)) is not None]
        absent = [key.name for key in shape.keys if not key.required]

        def struct(value: dict[str, Any]) -> dict[str, Any]:
            for name, of_key in changed:
                inner = value[name]
                if inner is not None:
                    value[name] = of_key(inner)
            for name in absent:
                if value[name] is None:
                    del value[name]
            return value

        return struct if changed or absent else None
    if shape.kind == "number":
        return lambda value: int(value) if float(value).is_integer() else value
    if shape.item is None:
        return None
    item = _plain_of(shape.item)
    if shape.kind == "map":
        if item is None:
            return lambda value: {entry["key"]: entry["value"] for entry in value}
        return lambda value: {e["key"]: None if (v := e["value"]) is None else item(v) for e in value}
    return None if item is None else lambda value: [None if v is None else item(v) for v in value]


def plain_values(shape: Shape, column: pa.ChunkedArray) -> list[Any]:
    """Return a column's values as they were; equal ones are one object, for many places have the same hours.

    Of a long column equal ones are also read once; in a short one, of tasks or plans, hardly any are equal.
    """
    import numpy as np

    converter, values_by_key = plain_of(shape), dict[str | bytes, Any]()
    has_dates = any(dt.date in (of.type, of.item and of.item.type) for of in (leaf.shape for leaf in leaves(shape, ())))
    listed = []
    for chunk in (column.combine_chunks(),) if len(column) > AT_ONCE else column.chunks:
        numbers = _numbers(chunk) if len(chunk) > AT_ONCE else np.arange(len(chunk))
        _, first, which = np.unique(numbers, return_index=True, return_inverse=True)
        distinct = []
        for begin in range(0, len(first), AT_ONCE):
            for value in chunk.take(first[begin : begin + AT_ONCE]).to_pylist():
                key = repr(value) if has_dates else marshal.dumps(value, WITHOUT_REFERENCES)
                if key not in values_by_key:
                    values_by_key[key] = converter(value)
                distinct.append(values_by_key[key])
        listed += [distinct[number] for number in which.tolist()]
    return listed


def _numbers(array: pa.Array) -> np.ndarray:
    """Return a whole number for each of Arrow's values, the same for those that are equal and for no others."""
    import numpy as np
    import pyarrow as pa

    if pa.types.is_struct(array.type):
        numbers = array.is_null().to_numpy(zero_copy_only=False).astype(np.int64)
        for of_field in map(_numbers, array.flatten()):
            # Numbered anew after each field, so that no product is too large.
            numbers = np.unique(numbers * (of_field.max(initial=0) + 1) + of_field, return_inverse=True)[1]
        return numbers
    if pa.types.is_list(array.type):
        items = np.ascontiguousarray(_numbers(array.values))
        ends = items.itemsize * array.offsets.to_numpy().astype(np.int64)
        texts = [None, pa.py_buffer(ends), pa.py_buffer(items)]  # a list is told apart by its items' numbers, as bytes
        numbers = _numbers(pa.Array.from_buffers(pa.large_binary(), len(array), texts))
        numbers[array.is_null().to_numpy(zero_copy_only=False)] = numbers.max(initial=0) + 1
        return numbers
    return array.dictionary_encode(null_encoding="encode").indices.to_numpy(zero_copy_only=False).astype(np.int64)


def leaves(shape: Shape, path: tuple[str, ...], constraint: Any = None) -> Iterator[Leaf]:
    """Yield the leaves of a column's shape; a leaf that says nothing of itself is as what holds it says."""
    nearest_constraint = shape.constraint or constraint
    if shape.kind == "struct":
        for key in shape.keys:
            yield from leaves(key.shape, (*path, key.name), nearest_constraint)
    elif shape.kind in ("list", "map") and shape.item is not None and (shape.item.is_nested or shape.kind == "map"):
        yield from leaves(shape.item, (*path, "[]"), nearest_constraint)
    else:
        yield Leaf(path, shape, nearest_constraint)


def without_leaves(shape: Shape, value: Any, paths: frozenset[tuple[str, ...]], path: tuple[str, ...]) -> Any:
    """Return a value of Arrow's with null at the leaves of these paths."""
    if value is None or path in paths:
        return None
    if shape.kind == "struct":
        return {key.name: without_leaves(key.shape, value[key.name], paths, (*path, key.name)) for key in shape.keys}
    if shape.kind in ("list", "map") and shape.item is not None and (shape.item.is_nested or shape.kind == "map"):
        below = (*path, "[]")
        if shape.kind == "map":
            return [{"key": e["key"], "value": without_leaves(shape.item, e["value"], paths, below)} for e in value]
        return [without_leaves(shape.item, v, paths, below) for v in value]
    return value
