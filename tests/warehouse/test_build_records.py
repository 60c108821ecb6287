"""Records of steps: what a power failure tore is as if never made, so that it is made again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from warehouse.build_records import Accounting, BuiltStep, BuiltSteps
from warehouse.store import Store
from warehouse.tables import TableVersion

FINGERPRINT = "a" * 64


@pytest.fixture
def store(tmp_path):
    return Store(str(tmp_path))


@pytest.fixture
def kept(store):
    version = TableVersion("visit", "b" * 64, 0)
    store.put(version.key, b"rows")
    step = BuiltStep(
        "visit", "town", FINGERPRINT, "code", {}, {"town": version}, version, Accounting(0, 0, {}, 0), {}, [], 0.1
    )  # fmt: skip
    built = BuiltSteps(store)
    built.add(step)
    built.set_latest("recipe", step)
    assert built.find(FINGERPRINT) == step == built.latest("recipe", "visit", "town")
    return built


@pytest.mark.parametrize("left", [b"", b"\0" * 40, b'{"step": "vi'])
def test_a_torn_record_is_as_if_never_made(store, kept, left):
    store.put(f"built/aa/{FINGERPRINT}.json", left)
    assert kept.find(FINGERPRINT) is None
    assert kept.latest("recipe", "visit", "town") is None


@pytest.mark.parametrize("left", [b"", b"\0" * 64, b"..", b"\xff"])
def test_a_torn_pointer_leads_nowhere(store, kept, left):
    store.put("latest/recipe/visit/town", left)
    assert kept.latest("recipe", "visit", "town") is None


def test_a_record_whose_rows_are_gone_is_made_again(store, kept):
    store.delete(f"tables/visit/{'b' * 64}.parquet")
    assert kept.find(FINGERPRINT) is None


@pytest.mark.parametrize("change", [('rejected": {}', 'rejected": {"bad_value": 9}'), ("town", "city"), ("0.1", "0.2")])
def test_a_record_that_was_changed_is_as_if_never_made_and_is_named(store, kept, change):
    key = f"built/aa/{FINGERPRINT}.json"
    text = store.read(key).decode()
    assert change[0] in text
    store.put(key, text.replace(*change).encode())
    assert kept.find(FINGERPRINT) is None
    assert kept.damaged == [key]


def test_a_record_under_another_fingerprint_is_not_believed(store, kept):
    other = "c" * 64
    store.put(f"built/cc/{other}.json", store.read(f"built/aa/{FINGERPRINT}.json"))
    assert kept.find(other) is None
    assert kept.damaged == [f"built/cc/{other}.json"]


def test_a_failed_check_is_told_with_what_the_step_left_out(kept):
    step = kept.find(FINGERPRINT)
    verdicts = [{"check": "town_has_visits", "holds": False, "found": "found 0 visits; bind others."}]
    assert step.failure == ""
    assert replace(step, verdicts=verdicts).failure == "town_has_visits: found 0 visits; bind others."
    left_out = replace(step, verdicts=verdicts, accounting=Accounting(1240, 0, {"unrated": 1200, "closed": 40}, 0))
    assert left_out.failure == (
        "town_has_visits: found 0 visits; bind others. Of 1,240 rows that visit read, it left out 40 as closed, "
        "1,200 as unrated."
    )
    assert replace(left_out, verdicts=[]).failure == ""
