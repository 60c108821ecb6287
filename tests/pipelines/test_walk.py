"""The walk: what is built stays built, and a change goes as far as it matters."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest

from assets.step import Outcome, Step
from pipelines.walk import cell as cell_module
from schemas.rejection import Rejection
from schemas.table import Field, Table
from tests.pipelines.toy_walk import (
    CITIES,
    GOOD,
    STEPS,
    TOY,
    CityCount,
    Kept,
    KeptSection,
    Listing,
    builder,
    count,
    keep_stars,
    read_listings,
)
from warehouse import leases as leases_module


@pytest.fixture
def build(tmp_path):
    """Return a function that builds from text in a home and returns (walked, events, the home)."""
    return builder(tmp_path)


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


def test_rejected_rows_are_kept_with_step_city_and_reason(build):
    walked, _, home = build(GOOD)
    rows = [Rejection.frame(home.tables.read(b.rejections)) for b in walked.records.values()]
    found = pd.concat(rows)[["step", "city_id", "row", "reason"]].values.tolist()
    assert found == [["listing", "", "d", "outside_every_city"], ["kept", "xx-a-one", "b", "bad_value"]]


class Starred(Table):
    """The listings as the second of two steps got them."""

    city_id: str = Field("City.", key=True)
    listing_id: str = Field("Id.", key=True)
    stars: int = Field("Stars.")


def test_what_one_step_writes_into_its_input_no_other_step_sees(build):
    steps = STEPS | {
        "kept": Step(Kept, f"{__name__}:spoil", (Listing,)),
        "starred": Step(Starred, f"{__name__}:later", (Listing, Kept)),
        "city_count": Step(CityCount, f"{TOY}:count", (Starred,), per="recipe"),
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
