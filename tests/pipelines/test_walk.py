"""The walk: what is built stays built, a change goes as far as it matters, one city's failure is its own."""

from __future__ import annotations

import errno
import hashlib
import json
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from pydantic import BaseModel

from assets.accounts import Keys, Rows
from assets.step import Outcome, Raw, Step, Verdict
from pipelines.interrupts import QUERY_INTERRUPTED
from pipelines.walk import cell as cell_module
from pipelines.walk.fingerprint import Code
from pipelines.walk.recipes import LoadedRecipe
from pipelines.walk.walk import Walk
from schemas.errors import ExpectedError
from schemas.recipe import Box, City, Recipe, RecipeLock
from schemas.rejection import Rejection
from schemas.source import Snapshot, SourceError
from schemas.table import Field, Table
from warehouse import leases as leases_module
from warehouse.home import Home


class Listing(Table):
    """A listing."""

    city_id: str = Field("City.", key=True)
    listing_id: str = Field("Id.", key=True)
    stars: int = Field("Stars.")


class Kept(Table):
    """A listing with stars."""

    city_id: str = Field("City.", key=True)
    listing_id: str = Field("Id.", key=True)


class Other(Table):
    """Something else of a city."""

    other_id: str = Field("Id.", key=True)


class CityCount(Table):
    """How many are kept in each city."""

    name: str = Field("City.", key=True)
    kept: int = Field("Count.", ge=0)


def read_listings(files, *, cities):
    """Read lines of `city,id,stars`."""
    rows = [line.split(",") for file in files for line in file.path.read_text().splitlines()]
    known = {c.city_id for c in cities}
    frame = pd.DataFrame([(c, i, int(s)) for c, i, s in rows if c in known], columns=["city_id", "listing_id", "stars"])
    lost = [{"row": i, "reason": "outside_every_city", "detail": c} for c, i, _ in rows if c not in known]
    return Outcome(frame, lost, rows_in=len(rows))


def keep_stars(listings, *, city, kept):
    """Keep listings with enough stars."""
    if (listings["stars"] < 0).any():
        raise SourceError(f"{city.name}: negative stars")
    good = listings[listings["stars"] >= kept.stars]
    lost = [
        {"row": i, "reason": "bad_value", "detail": "stars"}
        for i in listings["listing_id"]
        if i not in set(good["listing_id"])
    ]
    return Outcome(good[["city_id", "listing_id"]], lost, rows_in=len(listings))


def count(kept):
    """Count the kept."""
    return pd.DataFrame(sorted(kept["city_id"].value_counts().items()), columns=["name", "kept"])


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


def spoil(listings):
    """Write into the input."""
    listings["stars"] = 0
    listings.loc[:, "listing_id"] = "spoilt"
    return listings[["city_id", "listing_id"]].head(1)


def later(listings, kept):
    """Return the input as it came."""
    return listings


def counted(kept):
    """Count, with facts in an order of their own."""
    return Outcome(count(kept), facts={"z": {2: "b", 1: "a"}, "a": (1, 2)})


RUNS = []


def read_slowly(files, *, cities):
    """Read as ever, but slowly."""
    RUNS.append("listing")
    time.sleep(0.4)
    return read_listings(files, cities=cities)


def keep_slowly(listings, *, city, kept):
    """Keep as ever, but slowly."""
    RUNS.append(city.city_id)
    time.sleep(0.2)
    return keep_stars(listings, city=city, kept=kept)


def every_city_keeps_some(kept: pd.DataFrame) -> Verdict:
    """A city without rows has nothing to offer."""
    return Verdict(len(kept) > 0, f"{len(kept)} rows")


class SameCode(Code):
    """Code that never changes: the steps of this file are in no package."""

    def hash_of(self, *things):
        return "same"


class KeptSection(BaseModel):
    stars: int = 3


STEPS = {
    step.name: step
    for step in (
        Step(Listing, f"{__name__}:read_listings", (Raw("toy", "listing"),), per="recipe"),
        Step(Kept, f"{__name__}:keep_stars", (Listing,), checks=(f"{__name__}:every_city_keeps_some",)),
        Step(CityCount, f"{__name__}:count", (Kept,), per="recipe"),
    )
}
CITIES = [
    City(city_id=f"xx-a-{name}", name=name, country="XX", box=Box(south=0, west=0, north=1, east=east))
    for east, name in enumerate(("one", "two"), 1)
]


@pytest.fixture
def build(tmp_path):
    """Return a function that builds from text in a home and returns (walked, events)."""

    def run(text, home="home", section=None, steps=STEPS, more=(), cities=CITIES):
        opened, snapshots = Home(str(tmp_path / home)), []
        for role, location, of in (("listing", "l", text), *more):
            path = tmp_path / f"{hashlib.sha256(of.encode()).hexdigest()}.csv"
            if not path.exists():
                path.write_text(of)
            sha256, size, _ = opened.snapshots.add(path)
            snapshots += [
                Snapshot(source="toy", role=role, location=location, sha256=sha256, size_bytes=size, licence_id="MIT")
            ]
        with opened.building():
            recipe = Recipe(name="toy", cities=cities)
            loaded = LoadedRecipe(Path("toy.toml"), recipe, {}, {"kept": section or KeptSection()})
            events = []
            lock = RecipeLock(recipe="toy", snapshots=snapshots)
            walked = Walk(opened, loaded, lock, steps, SameCode(), events.append).build(["city_count"])
        done = [(e.step, e.scope, e.status, *filter(None, [e.status == "built" and e.reason])) for e in events]
        return walked, [event for event in done if event[2] != "running"], opened

    return run


GOOD = "xx-a-one,a,5\nxx-a-one,b,1\nxx-a-two,c,4\nxx-a-far,d,4\n"


def test_everything_is_built_once_then_kept(build):
    first, events, _ = build(GOOD)
    assert (first.steps_run, first.steps_kept) == (4, 0)
    assert [status for _, _, status in events] == ["built"] * 4
    second, events, _ = build(GOOD)
    assert (second.steps_run, second.steps_kept) == (0, 4)


def test_a_file_of_which_nothing_lies_in_a_city_is_told(build):
    _, events, _ = build("xx-a-far,d,4\nxx-a-far,e,5\n")
    (told,) = (event for event in events if event[:2] == ("listing", ""))
    assert told[3:] == ("none of 2 rows lies in a city of the recipe; is the file another city's?",)
    assert not any(event[3:] for event in build(GOOD)[1])


def test_a_second_home_gives_the_same_versions(build):
    first, _, _ = build(GOOD)
    second, _, _ = build(GOOD, home="other")
    assert {k: b.outputs for k, b in first.records.items()} == {k: b.outputs for k, b in second.records.items()}


def test_a_change_in_one_city_leaves_the_other_alone(build):
    build(GOOD)
    _, events, _ = build(GOOD + "xx-a-two,e,5\n")
    assert ("kept", "xx-a-one", "kept") in events
    assert ("kept", "xx-a-two", "built") in events


def test_a_step_that_gives_the_same_bytes_stops_the_change(build):
    build(GOOD)
    _, events, _ = build(GOOD.replace("xx-a-two,c,4", "xx-a-two,c,5"))
    assert ("kept", "xx-a-two", "built") in events
    assert ("city_count", "", "kept") in events


def test_configuration_that_a_step_reads_is_in_its_fingerprint_and_no_other(build):
    build(GOOD)
    _, events, _ = build(GOOD, section=KeptSection(stars=1))
    assert events[0] == ("listing", "", "kept")
    assert ("kept", "xx-a-one", "built") in events


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


def test_rejected_rows_are_kept_with_step_city_and_reason(build):
    walked, _, home = build(GOOD)
    rows = [Rejection.frame(home.tables.read(b.rejections)) for b in walked.records.values()]
    found = pd.concat(rows)[["step", "city_id", "row", "reason"]].values.tolist()
    assert found == [["listing", "", "d", "outside_every_city"], ["kept", "xx-a-one", "b", "bad_value"]]


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
    assert "test_walk.py" in cause.reason


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


class Starred(Table):
    """The listings as the second of two steps got them."""

    city_id: str = Field("City.", key=True)
    listing_id: str = Field("Id.", key=True)
    stars: int = Field("Stars.")


def test_what_one_step_writes_into_its_input_no_other_step_sees(build):
    steps = STEPS | {
        "kept": Step(Kept, f"{__name__}:spoil", (Listing,)),
        "starred": Step(Starred, f"{__name__}:later", (Listing, Kept)),
        "city_count": Step(CityCount, f"{__name__}:count", (Starred,), per="recipe"),
    }
    walked, _, home = build(GOOD, steps=steps)
    for city in CITIES:
        given_, got = (home.tables.read(walked.version(steps[name], city.city_id)) for name in ("listing", "starred"))
        assert got.to_pylist() == given_.to_pylist()


def test_a_deleted_table_is_built_again(build):
    walked, _, home = build(GOOD)
    home.store.delete(walked.records["kept", "xx-a-one"].outputs["xx-a-one"].key)
    again, events, _ = build(GOOD)
    assert again.steps_run == 1
    assert ("kept", "xx-a-one", "built") in events


def test_facts_of_a_kept_step_are_those_of_its_run_order_included(build):
    steps = STEPS | {"city_count": Step(CityCount, f"{__name__}:counted", (Kept,), per="recipe")}
    first, _, _ = build(GOOD, steps=steps)
    second, _, _ = build(GOOD, steps=steps)
    facts = [json.dumps(walked.records["city_count", ""].facts) for walked in (first, second)]
    assert facts[0] == facts[1] == '{"z": {"2": "b", "1": "a"}, "a": [1, 2]}'


def test_a_record_whose_counts_were_changed_is_built_again_and_told(build):
    walked, _, home = build(GOOD)
    built = walked.records["kept", "xx-a-one"]
    key = f"built/{built.fingerprint[:2]}/{built.fingerprint}.json"
    whole = home.store.read(key)
    home.store.put(key, whole.replace(b'"bad_value": 1', b'"bad_value": 0'))
    again, events, home = build(GOOD)
    assert again.records["kept", "xx-a-one"].accounting.rejected == {"bad_value": 1}
    assert [e for e in events if e[2] in ("built", "damaged")] == [
        ("kept", "xx-a-one", "damaged"),
        ("kept", "xx-a-one", "built"),
    ]
    third, _, _ = build(GOOD)
    assert third.steps_run == 0


def test_walks_at_once_in_one_home_make_each_cell_once_and_each_has_all(build, tmp_path):
    RUNS.clear()
    slow = {
        "listing": replace(STEPS["listing"], run=f"{__name__}:read_slowly"),
        "kept": replace(STEPS["kept"], run=f"{__name__}:keep_slowly"),
    }
    done = []
    (tmp_path / f"{hashlib.sha256(GOOD.encode()).hexdigest()}.csv").write_text(GOOD)
    threads = [threading.Thread(target=lambda: done.append(build(GOOD, steps=STEPS | slow)[0])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(RUNS) == ["listing", "xx-a-one", "xx-a-two"]
    assert sum(walked.steps_run for walked in done) == 4
    assert {walked.steps_run + walked.steps_kept for walked in done} == {4}
    first = done[0]
    assert all(
        {k: b.outputs for k, b in w.records.items()} == {k: b.outputs for k, b in first.records.items()} for w in done
    )


def test_a_cell_whose_maker_is_gone_is_made_by_who_waits(build, monkeypatch):
    walked, _, home = build(GOOD)
    fingerprint = walked.records["kept", "xx-a-one"].fingerprint
    home.store.delete(f"built/{fingerprint[:2]}/{fingerprint}.json")
    clock = [1000.0]
    monkeypatch.setattr(
        leases_module, "time", SimpleNamespace(time=lambda: clock[0], sleep=time.sleep, monotonic=lambda: clock[0])
    )
    passes = SimpleNamespace(sleep=lambda seconds: clock.append(clock.pop() + seconds), monotonic=time.monotonic)
    monkeypatch.setattr(cell_module, "time", passes)
    said = {"token": "t", "until": 1001.0, "place": "another machine", "pid": 1, "started": "1"}
    home.store.put(f"leases/cells/{fingerprint}", json.dumps(said).encode())
    again, _, _ = build(GOOD)
    assert again.steps_run == 1
    assert 1001 < clock[0] < 1001 + cell_module.LAST_PAUSE_S
    assert list(home.store.keys("leases/cells")) == []
