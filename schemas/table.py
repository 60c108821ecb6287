"""Table: one declaration per table gives its validation, its Arrow schema and its dictionary page.

What a table holds belongs here and in the modules beside this one; how it is kept belongs in `warehouse/`.
"""

from __future__ import annotations

import inspect
import re
import sys
import typing
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from schemas.errors import ExpectedError
from schemas.nested import Leaf, Shape, arrow_type, leaves, plain_values, shape_of, stored_values
from schemas.validation import column_problems, declaration_problem, keeps, promise

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

MAX_PROBLEMS_SHOWN = 20

Holds = typing.Literal["source", "derived", "ours"]
"""What a column holds of its sources: their own values, values computed from them, or only ids and words of ours."""

OURS = ("_id", "_ids", "_hash", "source_rows")
"""Ends of the names of columns that hold keys, pointers and hashes."""


class TableError(ExpectedError):
    """Rows do not fit their table's declaration; the message lists every kind of problem found."""


@dataclass(frozen=True)
class Constraint:
    """What one column promises beyond its type; see `Field`."""

    description: str
    key: bool = False
    unique: bool = False
    ge: float | None = None
    le: float | None = None
    isin: tuple[str, ...] | None = None
    pattern: str | None = None
    holds: Holds = "source"
    makes: tuple[str, ...] = ()


def Field(  # noqa: N802  (reads as a declaration, as in pydantic)
    description: str,
    *,
    key: bool = False,
    unique: bool = False,
    ge: float | None = None,
    le: float | None = None,
    isin: Iterable[str] | None = None,
    pattern: str | None = None,
    holds: Holds = "source",
    makes: Iterable[str] = (),
) -> Any:
    """Return a column's declaration. `key` columns, in order, form the table's unique sort key.

    `ge` and `le` bound numbers (inclusive), `isin` and `pattern` (full match) bound text. `holds` says what of the
    sources stands in the column, which decides whether a licence lets it be shared; ids and pointers never do.
    `makes` names columns of the same row that are computed from this one, which a correction of it would not reach.
    Say the unit in the description, and end the column's name in it (`_m`, `_s`, `_usd`).
    """
    return Constraint(
        description, key, unique, ge, le, tuple(isin) if isin is not None else None, pattern, holds, (*makes,)
    )


@dataclass(frozen=True)
class Column:
    """One column of a table: name, Python type, whether it may be null, and its constraint."""

    name: str
    type: type
    item: type | None
    nullable: bool
    constraint: Constraint
    shape: Shape

    @property
    def holds(self) -> Holds:
        """Return what the column holds of its sources."""
        return "ours" if self.name.endswith(OURS) else self.constraint.holds

    @property
    def type_name(self) -> str:
        """Return the type as the dictionary page prints it."""
        return self.shape.name

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """Return the column's leaves: itself, or what its nested values consist of."""
        return tuple(leaves(self.shape, (self.name,), self.constraint))

    @property
    def promise(self) -> str:
        """Return what the column promises beyond its type, in words; "" where that is nothing."""
        return promise(self.constraint)

    def keeps(self, value: Any) -> bool:
        """Return whether a value of the column's type keeps its bounds, words and pattern; of a list, each item."""
        return all(keeps(self.constraint, one) for one in (value if self.item else [value]))

    def leaf_holds(self, leaf: Leaf) -> Holds:
        """Return what a leaf of the column holds of its sources."""
        if leaf.constraint is self.constraint:
            return self.holds
        return "ours" if leaf.path[-1].endswith(OURS) else leaf.constraint.holds


class Table:
    """The base of all table declarations.

    A subclass names its columns as annotated class attributes, each with a `Field`. Types are `str`, `int`, `float`,
    `bool`, `datetime.date`, lists of them, `TypedDict`s and `dict[str, …]` of any of these (`schemas.nested`), and any
    of them `| None`. A nested key says what it is by `Annotated[type, Field(…)]`.
    """

    @classmethod
    def table_name(cls) -> str:
        """Return the table's name: the class name in snake case."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()

    @classmethod
    @cache
    def columns(cls) -> tuple[Column, ...]:
        """Return the declared columns, those of base tables first, in order."""
        hints = typing.get_type_hints(cls, include_extras=True)
        columns_by_name: dict[str, Column] = {}
        for klass in reversed(cls.__mro__):
            for name, constraint in vars(klass).items():
                if isinstance(constraint, Constraint):
                    columns_by_name[name] = _column(name, hints[name], constraint)
        return tuple(columns_by_name.values())

    @classmethod
    @cache
    def key(cls) -> tuple[str, ...]:
        """Return the names of the columns that identify a row and give the sort order."""
        return tuple(c.name for c in cls.columns() if c.constraint.key)

    @classmethod
    def refs(cls, rows: pa.Table | pa.RecordBatch) -> Any:
        """Return how lineage and corrections name each row, as an Arrow array: `table/key/key…`."""
        import pyarrow as pa
        import pyarrow.compute as pc

        keys = [rows[name].cast(pa.string()) for name in cls.key()]
        return pc.call_function("binary_join_element_wise", [pa.scalar(cls.table_name()), *keys, pa.scalar("/")])

    @classmethod
    @cache
    def arrow_schema(cls) -> pa.Schema:
        """Return the fixed Arrow schema that the table is written with."""
        import pyarrow as pa

        return pa.schema([pa.field(c.name, arrow_type(c.shape), nullable=c.nullable) for c in cls.columns()])

    @classmethod
    def columns_without_sources(cls) -> tuple[str, ...]:
        """Return the names of the columns but the pointers to sources, which take most room and no plan is made of."""
        return tuple(column.name for column in cls.columns() if column.name != "source_rows")

    @classmethod
    def repeated_texts(cls) -> tuple[str, ...]:
        """Return the names of the columns whose texts many rows share: all plain texts but those of the key."""
        plain = (column for column in cls.columns() if column.type is str and column.item is None)
        return tuple(column.name for column in plain if not column.constraint.key)

    @classmethod
    def frame(cls, rows: pa.Table) -> pd.DataFrame:
        """Return the rows as pandas: nullable ints as `Int64`, lists as Python lists."""
        import pandas as pd
        import pyarrow as pa

        special_columns = [
            c
            for c in cls.columns()
            if c.name in rows.column_names and (c.item or c.shape.is_nested or (c.type is int and c.nullable))
        ]
        frame = rows.drop_columns([c.name for c in special_columns]).to_pandas(date_as_object=True)
        place_of = {name: place for place, name in enumerate(rows.column_names)}
        # pandas would make arrays and floats of them
        for column in sorted(special_columns, key=lambda c: place_of[c.name]):
            if column.shape.is_nested:
                values = pd.Series(plain_values(column.shape, rows[column.name]), index=frame.index, dtype=object)
            elif column.item:
                values = pd.Series(rows[column.name].to_pylist(), index=frame.index, dtype=object)
            else:
                values = rows[column.name].to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)
            frame.insert(place_of[column.name], column.name, values)
        for column in cls.columns():
            if column.type is str and column.name in frame and pa.types.is_null(rows.schema.field(column.name).type):
                frame[column.name] = frame[column.name].astype("str")
        return frame

    @classmethod
    def arrow(cls, rows: pd.DataFrame | pa.Table) -> pa.Table:
        """Return the rows with exactly the declared columns and Arrow types, unsorted and not yet validated.

        Raises TableError when a column is missing, undeclared, or does not convert without loss.
        """
        import pandas as pd
        import pyarrow as pa

        schema = cls.arrow_schema()
        column_names = list(rows.columns) if isinstance(rows, pd.DataFrame) else rows.column_names
        problems = [f"column `{name}` is missing" for name in schema.names if name not in column_names]
        problems += [f"column `{name}` is not declared" for name in column_names if name not in schema.names]
        if problems:
            raise TableError(_report(cls.table_name(), problems))
        arrays = []
        for field, column in zip(schema, cls.columns(), strict=True):
            try:
                if isinstance(rows, pd.DataFrame) and column.shape.is_nested:
                    arrays.append(stored_values(column.shape, rows[field.name].tolist()))
                elif isinstance(rows, pd.DataFrame):
                    arrays.append(pa.Array.from_pandas(rows[field.name], type=field.type))
                else:
                    arrays.append(rows[field.name].cast(field.type))
            except (ValueError, OverflowError, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
                problems.append(f"column `{field.name}` is not {field.type}: {str(error)[:200]}")
        if problems:
            raise TableError(_report(cls.table_name(), problems))
        return pa.Table.from_arrays(arrays, schema=schema)

    @classmethod
    def validate(cls, rows: pa.Table) -> pa.Table:
        """Return the rows unchanged if every declared constraint holds.

        Uniqueness of the key is checked by the writer, which sorts by it. Raises TableError
        with every constraint that fails, how often, and the first values that fail it.
        """
        problems = [text for column in cls.columns() for text in column_problems(column, rows[column.name])]
        if problems:
            raise TableError(_report(cls.table_name(), problems))
        return rows

    @classmethod
    def _is_written(cls) -> bool:
        """Return whether the class stands in its module by its name; the core makes some of a family's types."""
        return getattr(sys.modules.get(cls.__module__), cls.__name__, None) is cls

    @classmethod
    def meaning(cls) -> str:
        """Return what the table says of itself, without the code's indentation: Markdown takes that for code."""
        return inspect.getdoc(cls) or ""

    @classmethod
    def dictionary_page(cls) -> str:
        """Return the table's page of the data dictionary, in Markdown."""
        lines = [
            f"## `{cls.table_name()}`",
            "",
            cls.meaning(),
            "",
            *([f"In code: `{cls.__module__}.{cls.__name__}`.", ""] if cls._is_written() else []),
            "| column | type | what it is |",
            "|---|---|---|",
        ]
        for column in cls.columns():
            entry_by_name = {column.name: (column.type_name, column.constraint)}
            entry_by_name |= {
                leaf.name: (leaf.shape.name, leaf.constraint)
                for leaf in column.leaves
                if leaf.constraint is not column.constraint
            }
            for name, (type_name, constraint) in entry_by_name.items():
                promised = promise(constraint)
                text = f"{constraint.description} ({promised})" if promised else constraint.description
                text = text.replace("|", "\\|")
                lines.append(f"| `{name}` | {type_name} | {text} |")
        return "\n".join(lines) + "\n"


def _column(name: str, hint: Any, constraint: Constraint) -> Column:
    try:
        shape = shape_of(hint)
    except TypeError as error:
        raise TypeError(f"column `{name}`: {error}") from None
    if problem := declaration_problem(shape, constraint):
        raise TypeError(f"column `{name}`: {problem}")
    if shape.is_nested:
        return Column(name, list if shape.kind in ("list", "map") else dict, None, shape.nullable, constraint, shape)
    if shape.kind == "list" and shape.item is not None:
        return Column(name, list, shape.item.type, shape.nullable, constraint, shape)
    return Column(name, shape.type, None, shape.nullable, constraint, shape)


def _report(table: str, problems: list[str]) -> str:
    first_problems = problems[:MAX_PROBLEMS_SHOWN]
    more = len(problems) - len(first_problems)
    text = "\n".join(f"  - {p}" for p in first_problems) + (f"\n  - and {more} more" if more else "")
    return f"table `{table}` does not fit its declaration:\n{text}"
