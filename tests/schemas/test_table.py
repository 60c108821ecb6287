"""Table: one declaration gives types, validation and a dictionary page."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

import pandas as pd
import pyarrow as pa
import pytest

from assets.families import all_steps, families
from schemas.table import Field, Table, TableError


class Stop(Table):
    """A stop."""

    stop_id: str = Field("Its id.", key=True)
    riders: int | None = Field("Riders a day.", ge=0)
    share: float = Field("A share.", ge=0, le=1)
    kind: str = Field("Bus or tram.", isin=("bus", "tram"))
    lines: list[str] = Field("Lines.")


ROW = {"stop_id": "a", "riders": 3, "share": 0.5, "kind": "bus", "lines": ["1", "2"]}


def stops(*changes):
    return pa.Table.from_pylist([ROW | change for change in changes], schema=Stop.arrow_schema())


def test_a_declaration_gives_name_key_and_arrow_schema():
    assert Stop.table_name() == "stop"
    assert Stop.key() == ("stop_id",)
    assert Stop.arrow_schema().field("lines").type == pa.list_(pa.string())
    assert Stop.arrow_schema().field("riders").nullable
    assert not Stop.arrow_schema().field("share").nullable


def test_frames_keep_nullable_ints_and_lists_and_come_back_equal():
    rows = stops({}, {"stop_id": "b", "riders": None, "lines": []})
    frame = Stop.frame(rows)
    assert frame["riders"].dtype == pd.Int64Dtype()
    assert frame["lines"].tolist() == [["1", "2"], []]
    assert Stop.arrow(frame).equals(rows)


def test_empty_frames_come_back_with_their_types():
    rows = stops({}).slice(0, 0)
    assert Stop.arrow(Stop.frame(rows)).equals(rows)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"riders": -1}, "`riders`: expected at least 0, otherwise in 1 row, such as -1"),
        ({"share": 1.5}, "`share`: expected at most 1, otherwise in 1 row, such as 1.5"),
        ({"share": float("nan")}, "`share`: null in 1 row, expected a value in each"),
        ({"kind": "boat"}, "`kind`: expected one of `bus`, `tram`, otherwise in 1 row, such as 'boat'"),
        ({"lines": ["1", None]}, "`lines[]`: null in 1 value, expected none"),
    ],
)
def test_every_broken_constraint_is_named_with_a_value(change, told):
    with pytest.raises(TableError) as error:
        Stop.validate(stops(change))
    assert told in str(error.value)


def test_all_problems_are_gathered_before_raising():
    with pytest.raises(TableError) as error:
        Stop.validate(stops({"riders": -1, "share": 2.0, "kind": "boat"}))
    assert str(error.value).count("\n") == 3


class Wish(TypedDict):
    """What somebody asks for."""

    days: Annotated[int, Field("Days.", ge=1, le=7)]
    kinds: Annotated[list[str], Field("Kinds.", isin=("bus", "tram"))]
    seats: NotRequired[Annotated[int | float, Field("Seats.", le=2)]]
    note: str


class Rated(Table):
    """A table with every kind of constraint."""

    code: str = Field("Key.", key=True, unique=True)
    stars: float | None = Field("Stars.", ge=0, le=5)
    size: int | None = Field("Size.", ge=0.5)
    lines: list[str] = Field("Lines.", pattern="[01]{2}")
    wish: Wish | None = Field("A wish.")
    wishes: list[Wish] = Field("More.")
    hours: dict[str, str] = Field("Hours by day.", pattern="[0-9]+")


WISH = {"days": 3, "kinds": ["bus"], "seats": 1.5, "note": "-"}
RATED = {"code": "a", "stars": 5.0, "size": 2**60 + 1, "lines": ["01"], "wish": WISH, "wishes": [WISH], "hours": {}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({}, ""),
        ({"stars": None, "size": None, "lines": [], "wish": None, "wishes": [], "hours": {"mo": "8"}}, ""),
        ({"stars": float("nan"), "wish": {"days": 7, "kinds": [], "note": ""}}, ""),
        ({"stars": 5.1}, "`stars`: expected at most 5, otherwise in 1 row, such as 5.1"),
        ({"size": 0}, "`size`: expected at least 0.5, otherwise in 1 row, such as 0"),
        (
            {"lines": ["01", "01\n"]},
            "`lines[]`: expected text matching `[01]{2}`, otherwise in 1 value, such as '01\\n'",
        ),
        ({"wish": WISH | {"days": 0}}, "`wish.days`: expected at least 1, otherwise in 1 value, such as 0"),
        ({"wish": WISH | {"seats": 3}}, "`wish.seats`: expected at most 2, otherwise in 1 value, such as 3.0"),
        (
            {"wishes": [WISH, WISH | {"kinds": ["bus", "boat", "ship"]}]},
            "`wishes[].kinds[]`: expected one of `bus`, `tram`, otherwise in 2 values, such as 'boat'",
        ),
        (
            {"hours": {"mo": "8", "tu": "x"}},
            "`hours[]`: expected text matching `[0-9]+`, otherwise in 1 value, such as 'x'",
        ),
    ],
)
def test_what_is_declared_of_nested_values_and_items_holds_for_each(change, message):
    rows = Rated.arrow(pd.DataFrame([RATED, RATED | {"code": "b"} | change]))
    if message:
        with pytest.raises(TableError) as error:
            Rated.validate(rows)
        assert message in str(error.value)
        assert str(error.value).count("\n") == 1
    else:
        assert Rated.validate(rows) is rows


def test_a_value_that_stands_twice_where_each_is_another_is_named():
    with pytest.raises(TableError, match="`code`: expected unique values, 1 value in several rows, such as 'a'"):
        Rated.validate(Rated.arrow(pd.DataFrame([RATED, RATED, RATED | {"code": "b"}])))


@pytest.mark.parametrize(
    ("hint", "constraint", "message"),
    [
        (list[str], Field("A key.", key=True), "no key and not unique"),
        (Annotated[list[Annotated[str, Field("A name.", unique=True)]], ""], Field("Names."), "no key and not unique"),
        (Wish, Field("A wish.", ge=1), "at least 1 is said of a struct; expected it of one of its keys"),
    ],
)
def test_what_nobody_could_judge_is_not_declared(hint, constraint, message):
    table = type("Odd", (Table,), {"__doc__": "Odd.", "__annotations__": {"odd": hint}, "odd": constraint})
    with pytest.raises(TypeError, match=message):
        table.columns()


def test_missing_undeclared_and_mistyped_columns_are_named():
    with pytest.raises(TableError) as error:
        Stop.arrow(pd.DataFrame([ROW]).drop(columns="share").assign(colour="red"))
    assert "`share` is missing" in str(error.value)
    assert "`colour` is not declared" in str(error.value)
    with pytest.raises(TableError, match="`riders` is not int64"):
        Stop.arrow(pd.DataFrame([ROW | {"riders": "many"}]))


def test_a_table_extends_another():
    class TramStop(Stop):
        """A tram stop."""

        platforms: int = Field("Platforms.", ge=1)

    assert [c.name for c in TramStop.columns()] == ["stop_id", "riders", "share", "kind", "lines", "platforms"]


def test_the_dictionary_page_says_type_unit_and_constraint():
    page = Stop.dictionary_page()
    assert "| `riders` | int, may be null | Riders a day. (at least 0) |" in page
    assert "| `kind` | str | Bus or tram. (one of `bus`, `tram`) |" in page


def test_a_column_of_what_was_given_says_which_is_computed_of_it():
    """A correction would reach the one alone (`schemas.corrections`)."""
    for step in all_steps(families().values()).values():
        columns = {column.name: column for column in step.output.columns()}
        for column in columns.values():
            assert {*column.constraint.makes} <= columns.keys() - {column.name}
            assert column.constraint.makes or not column.name.endswith("_given"), f"{step.name}.{column.name}"
