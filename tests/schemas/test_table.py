"""Table: one declaration gives types, validation and a dictionary page."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.families import all_steps, families
from schemas import table as table_module
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
        ({"riders": -1}, "`riders`: greater_than_or_equal_to(0) fails for 1 row, such as -1"),
        ({"share": 1.5}, "`share`: less_than_or_equal_to(1) fails for 1 row, such as 1.5"),
        ({"share": float("nan")}, "`share`: not_nullable fails for 1 row"),
        ({"kind": "boat"}, "`kind`: isin(('bus', 'tram')) fails for 1 row, such as 'boat'"),
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


class Rated(Table):
    """A table with every kind of constraint."""

    code: str = Field("Key.", key=True, unique=True)
    stars: float | None = Field("Stars.", ge=0, le=5)
    share: float = Field("Share.", le=1)
    size: int | None = Field("Size.", ge=1)
    kind: str | None = Field("Kind.", isin=("bus", "tram"))
    lines: list[str] = Field("Lines.", isin=("1", "2"))
    day: str = Field("Day.", pattern="[01]{2}")


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "code": st.sampled_from("abcd"),
                "stars": st.sampled_from([None, 0.0, 5.0, 5.1, -0.1, float("nan")]),
                "share": st.sampled_from([0.5, 1.0, 1.1, float("nan")]),
                "size": st.sampled_from([None, 1, 0]),
                "kind": st.sampled_from([None, "bus", "boat"]),
                "lines": st.sampled_from([[], ["1"], ["2", "1"], ["3"], [None]]),
                "day": st.sampled_from(["01", "10", "0", "011", "01\n"]),
            }
        ),
        max_size=3,
    )
)
def test_what_is_not_looked_at_closely_would_have_passed(rows):
    table = pa.Table.from_pylist(rows, schema=Rated.arrow_schema())
    passed = tuple(c for c in Rated.columns() if table_module._surely_holds(c, table[c.name]))
    frame = Rated.frame(table.select([c.name for c in passed]))
    table_module._pandera_schema(passed).validate(frame)
    if not rows:
        assert passed == Rated.columns()


@given(st.sampled_from([c.name for c in Rated.columns() if c.name != "code"]))
def test_sound_rows_need_no_closer_look(name):
    row = {"code": "a", "stars": 5.0, "share": 1.0, "size": 1, "kind": "bus", "lines": ["1"], "day": "01"}
    table = pa.Table.from_pylist([row, row | {"code": "b"}], schema=Rated.arrow_schema())
    column = next(c for c in Rated.columns() if c.name == name)
    assert table_module._surely_holds(column, table[name])


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
