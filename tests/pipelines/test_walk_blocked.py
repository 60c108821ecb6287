"""What stops a step of the walk, and what it stops: one city's failure is its own, and every cause is told."""

from __future__ import annotations

import errno
from dataclasses import replace

import pytest

from assets.accounts import Keys, Rows
from assets.step import Outcome, Raw, Step
from pipelines.interrupts import QUERY_INTERRUPTED
from schemas.errors import ExpectedError
from schemas.source import SourceError
from schemas.table import Field, Table
from tests.pipelines.toy_walk import (
    CITIES,
    GOOD,
    STEPS,
    CityCount,
    Kept,
    Listing,
    builder,
    count,
    read_listings,
)


@pytest.fixture
def build(tmp_path):
    """Return a function that builds from text in a home and returns (walked, events, the home)."""
    return builder(tmp_path)


class Other(Table):
    """Something else of a city."""

    other_id: str = Field("Id.", key=True)


def count_both(kept, other):
    """Count the kept; the others count for nothing."""
    return count(kept)


def read_nothing(files):
    """Find nothing to read."""
    raise SourceError("no listings")


def lose_one(listings):
    """Lose one row."""
    return Outcome(listings[["city_id", "listing_id"]].iloc[1:], rows_in=len(listings))


def hide_one(listings):
    """Lose one row, and say that it never was."""
    return Outcome(listings[["city_id", "listing_id"]].iloc[1:], rows_in=len(listings) - 1)


def invent_one(listings):
    """Make a row of nothing."""
    return listings[["city_id", "listing_id"]].head(1).assign(listing_id="invented")


def spare_one(listings):
    """Leave out the first."""
    return listings[["city_id", "listing_id"]].iloc[1:]


def divide(listings, *, city):
    """Fail in one city."""
    return listings[["city_id", "listing_id"]].head(1 // (city.city_id == "xx-a-two"))


def be_interrupted(listings):
    """Meet Ctrl-C in a library that raises an error of its own in its place."""
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt:
        raise RuntimeError("it was stopped") from None


def read_all(files, others, *, cities):
    """Read each file, of either role; end at the first that holds no city's rows."""
    for file in (*files, *others):
        if not file.path.read_text().startswith("xx"):
            raise SourceError(f"{file.snapshot.location}: found {file.path.read_text()}; expected rows")
    if not files:
        raise SourceError("no listings")
    return read_listings(files[:1], cities=cities)


def read_files(files):
    """Read the files of one role, and make nothing of them."""
    for file in files:
        if not file.path.read_text().startswith("xx"):
            raise SourceError(f"{file.snapshot.location}: found {file.path.read_text()}; expected rows")
    return []


def expect_more(listings):
    """Expect more of the recipe."""
    raise ExpectedError("found no currency; declare one")


def test_one_citys_failure_is_its_own(build):
    walked, events, _ = build(GOOD.replace("xx-a-one,b,1", "xx-a-one,b,-1"))
    assert ("kept", "xx-a-one", "blocked") in events
    assert [(b.city_id, b.step, b.reason) for b in walked.causes(["city_count"])] == [
        ("xx-a-one", "kept", "one: negative stars")
    ]
    assert walked.records["city_count", ""].accounting.rows_out == 1


def test_where_every_city_to_travel_to_is_blocked_the_others_are_not_told_to_lack_anything(build):
    """A step of all cities would say that there is nothing to go to, and name those that people only set out from."""
    cities = [CITIES[0], CITIES[1].model_copy(update={"is_visited": False})]
    bad = {"one": GOOD.replace("xx-a-one,b,1", "xx-a-one,b,-1"), "two": GOOD.replace("xx-a-two,c,4", "xx-a-two,c,-4")}
    walked, events, _ = build(bad["one"], cities=cities)
    assert [(b.city_id, b.step) for b in walked.causes(["city_count"])] == [("xx-a-one", "kept")]
    assert walked.blocked_of(["city_count"]) == {"xx-a-one", "xx-a-two"}
    assert "city_count" not in {step for step, _, _ in events}
    walked, _, _ = build(bad["two"], cities=cities)
    assert walked.records["city_count", ""].accounting.rows_out == 1
    nobody = [city.model_copy(update={"is_visited": False}) for city in CITIES]
    assert build(GOOD, cities=nobody)[0].records["city_count", ""].accounting.rows_out == 2


def test_all_that_blocks_a_city_is_told(build):
    both = {"other": Step(Other, f"{__name__}:read_nothing", (Raw("toy", "listing"),), per="city")}
    both["city_count"] = Step(CityCount, f"{__name__}:count_both", (Kept, Other), per="recipe")
    walked, _, _ = build(GOOD.replace("xx-a-one,b,1", "xx-a-one,b,-1"), steps=STEPS | both)
    assert [(b.city_id, b.step, b.reason) for b in walked.causes(["city_count"])] == [
        ("xx-a-one", "kept", "one: negative stars"),
        ("xx-a-one", "other", "no listings"),
        ("xx-a-two", "other", "no listings"),
    ]


def test_a_check_that_does_not_hold_blocks_what_depends_on_it(build):
    walked, _, _ = build(GOOD.replace("xx-a-two,c,4", "xx-a-two,c,1"))
    assert [(b.city_id, b.reason) for b in walked.causes(["city_count"])] == [
        ("xx-a-two", "every_city_keeps_some: 0 rows. Of 1 row that kept read, it left out 1 as bad_value.")
    ]
    again, _, _ = build(GOOD.replace("xx-a-two,c,4", "xx-a-two,c,1"))
    assert again.causes(["city_count"]) == walked.causes(["city_count"])


def test_a_fault_of_the_recipes_own_step_blocks_every_city_and_is_told_once(build):
    walked, events, _ = build(
        GOOD, steps=STEPS | {"listing": replace(STEPS["listing"], run=f"{__name__}:read_nothing")}
    )
    assert [event for event in events if event[2] == "blocked"] == [("listing", "", "blocked")]
    assert {b.city_id for b in walked.causes(["listing"])} == {"xx-a-one", "xx-a-two"}


def test_a_step_that_loses_rows_is_blocked(build):
    walked, _, _ = build(GOOD, steps=STEPS | {"kept": Step(Kept, f"{__name__}:lose_one", (Listing,))})
    assert "step `kept` lost rows: 2 rows in, but 1 out + 0 rejected + 0 merged" in {
        b.reason for causes in walked.blocked.values() for b in causes
    }


@pytest.mark.parametrize(
    ("function", "accounts", "reason"),
    [
        ("hide_one", Rows((Listing,)), "1 row in, but listing have 2 rows"),
        ("lose_one", "records", None),
        ("divide", Rows((Listing,)), "says nothing of how many rows went in"),
        ("invent_one", Keys("listing_id", (Listing,)), "listing_id invented (1 in all) not among listing"),
        ("spare_one", Keys("listing_id", (Listing,), each=True), "no row for listing_id a (1 in all) of listing"),
        ("invent_one", Keys("city_id"), None),
    ],
)
def test_what_a_step_says_it_accounts_for_is_counted_in_the_tables_it_read_and_made(build, function, accounts, reason):
    walked, _, _ = build(
        GOOD, steps=STEPS | {"kept": Step(Kept, f"{__name__}:{function}", (Listing,), accounts=accounts)}
    )
    told = {blocked.reason for causes in walked.blocked.values() for blocked in causes}
    assert any(reason in text for text in told) if reason else not any("account for" in text for text in told)


def test_what_a_recipe_can_mend_is_no_fault_of_a_step(build):
    walked, _, _ = build(GOOD, steps=STEPS | {"kept": Step(Kept, f"{__name__}:expect_more", (Listing,))})
    causes = walked.causes(["kept"])
    assert {(cause.reason, cause.is_fault) for cause in causes} == {("found no currency; declare one", False)}


def test_a_step_of_a_bug_blocks_its_city_and_says_where(build):
    walked, _, _ = build(GOOD, steps=STEPS | {"kept": Step(Kept, f"{__name__}:divide", (Listing,))})
    (cause,) = walked.causes(["kept"])
    assert cause.city_id == "xx-a-one"
    assert "ZeroDivisionError" in cause.reason
    assert "test_walk_blocked.py" in cause.reason


def test_every_file_that_a_step_cannot_read_is_told_at_once(build):
    raw = (Raw("toy", "listing"), Raw("toy", "other"))
    both = {
        "listing": Step(Listing, f"{__name__}:read_all", raw, per="recipe"),
        "other": Step(Other, f"{__name__}:read_files", raw[:1], per="city"),
        "city_count": Step(CityCount, f"{__name__}:count_both", (Kept, Other), per="recipe"),
    }
    more = (("listing", "l.b", "binary"), ("listing", "l.c", GOOD), ("other", "o", "cut off"))
    walked, _, _ = build("a page", steps=STEPS | both, more=more)
    every = "l: found a page; expected rows\nl.b: found binary; expected rows\no: found cut off; expected rows"
    assert [(b.city_id, b.step, b.reason) for b in walked.causes(["city_count"])] == [
        ("xx-a-one", "listing", every), ("xx-a-two", "listing", every),
    ]  # fmt: skip
    walked, _, _ = build("a page", steps=STEPS | both, more=more[:1] + more[2:])  # nothing is left of its first role
    assert {b.reason for b in walked.causes(["city_count"])} == {every}


def test_a_file_that_is_bound_to_a_role_of_another_is_told_with_its_own(build):
    steps = STEPS | {"listing": Step(Listing, f"{__name__}:read_all", (Raw("toy", "listing"), Raw("toy", "other")))}
    walked, _, _ = build("id,room_type,latitude,longitude,host_id\n", steps=steps, more=[("other", "o", "cut off")])
    listings = (
        "l: found id,room_type,latitude,longitude,host_id\n; expected rows It looks like a file of Airbnb listings"
    )
    assert {b.reason for b in walked.causes(["city_count"])} == {
        f"{listings}: bind it to `listings` of the source `airbnb`.\no: found cut off; expected rows"
    }


@pytest.mark.parametrize("stops", [OSError(errno.EIO, "it broke"), MemoryError("it broke")])
def test_what_the_machine_refuses_a_step_that_is_tried_without_a_file_is_told(build, monkeypatch, stops):
    walked, _, _ = build_stopped(build, monkeypatch, stops)
    assert all("it broke" in cause.reason for cause in walked.causes(["city_count"]))


def test_ctrl_c_ends_the_walk_while_a_step_is_tried_without_a_file(build, monkeypatch):
    with pytest.raises(KeyboardInterrupt):
        build_stopped(build, monkeypatch, RuntimeError(QUERY_INTERRUPTED))


def build_stopped(build, monkeypatch, stops):
    """Build with a file that cannot be read, and a step that is stopped when it is tried without it."""

    def read_rest(files):
        if len(files) == 1:
            raise stops
        raise SourceError(f"{files[0].snapshot.location}: found no rows")

    monkeypatch.setitem(globals(), "read_files", read_rest)
    steps = STEPS | {"listing": Step(Listing, f"{__name__}:read_files", (Raw("toy", "listing"),), per="recipe")}
    return build("a page", steps=steps, more=(("listing", "l.b", GOOD),))


def test_ctrl_c_blocks_no_city_but_ends_the_walk(build):
    with pytest.raises(KeyboardInterrupt):
        build(GOOD, steps=STEPS | {"kept": Step(Kept, f"{__name__}:be_interrupted", (Listing,))})
