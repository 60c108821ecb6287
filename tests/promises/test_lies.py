"""What a hostile maintainer did to releases, each lie in a sealed copy: the audit names it, value by value."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assets.families import families
from assets.promises.cells import index_of
from assets.promises.certified import Job, judge
from assets.promises.sources import rows_from_sources
from assets.promises.traceable import TraceReport
from assets.release.licences import columns_under, not_shareable, row_licences
from assets.release.origins import Origins, licences_by_pointers
from assets.release.reading import open_release
from assets.step import NOBODYS
from schemas.pointers import values
from sources.locate import parsed_records
from tests.promises.editing import edited
from tests.recipes import command
from warehouse.home import Home
from warehouse.snapshots import Snapshots
from warehouse.store import StoreError

FAMILIES = ("itinbench", "tripcraft", "grouptravel")
NOWHERE = "nowhere"


def elsewhere(value: Any) -> Any:
    """Return a plan with every text in it replaced by `nowhere`."""
    if isinstance(value, dict):
        return {key: elsewhere(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [elsewhere(inner) for inner in value]
    return NOWHERE if isinstance(value, str) else value


def nowhere(rows):
    """Return certificates: the first names nowhere and says that all holds, the second says that nothing holds."""
    first, second, *others = rows
    denied = [{"check": check["check"], "holds": False} for check in second["checks"]]
    return [{**first, "plan": elsewhere(first["plan"])}, {**second, "checks": denied}, *others]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_witness_that_is_nowhere_is_not_accepted_whatever_its_certificate_says(small_world, family, tmp_path):
    release = open_release(edited(small_world.releases[family], tmp_path, {"certificates": nowhere}))
    rows = release.rows("certificates").to_pylist()
    first, second = (row["task_id"] for row in rows[:2])
    assert {check["holds"] for check in rows[0]["checks"]} <= {True, None}
    assert NOWHERE in dict(values(rows[0]["plan"], "plan")).values()
    task_ids = tuple(row["task_id"] for row in rows)
    found = judge(Job(release.folder, task_ids, frozenset()), {})
    refused = [problem for problem in found.problems if "the witness is not accepted" in problem]
    assert {problem.partition(":")[0] for problem in refused} == {first, second}
    assert (
        f"{second}: the witness is not accepted: check {rows[1]['checks'][0]['check']} is said not to hold" in refused
    )
    assert found.accepted == len(rows) - 2


def kind_of(pointer: str) -> str:
    """Return the kind of place that a field of an ItinBench plan names."""
    slot = pointer.split("/")[3]
    return "stay" if slot == "accommodation" else "attraction" if "attractions" in slot else "restaurant"


@pytest.fixture(scope="module")
def at_one_place(small_world, tmp_path_factory):
    """Return an ItinBench release whose lineage names one fixed place a kind, its fields that lie, and its audit."""
    whole = open_release(small_world.releases["itinbench"])
    places = whole.rows("itinbench_place").to_pylist()
    fixed = {kind: next(row for row in places if row["kind"] == kind) for kind in ("stay", "restaurant", "attraction")}
    before = {(row["task_id"], row["field"]): row for row in whole.rows("lineage").to_pylist()}

    def pointed(rows):
        for row in rows:
            for cell in row["cells"]:
                place = fixed[kind_of(row["field"])]
                cell["row"] = f"{place['city_id']}/{place['place_id']}/{place['kind']}"
        return rows

    release = edited(whole.folder, tmp_path_factory.mktemp("at_one_place"), {"lineage": pointed})
    lies = [
        f"{row['task_id']}: {row['field']} "
        for row in open_release(release).rows("lineage").to_pylist()
        if row["cells"] != before[row["task_id"], row["field"]]["cells"]
    ]
    return lies, command("audit", "--release", release, home=small_world.home)


def test_lineage_that_names_one_fixed_place_a_kind_is_named_value_by_value(at_one_place):
    lies, (code, told) = at_one_place
    assert code == 1
    assert len(lies) > 200
    unnamed = [lie for lie in lies if not any(problem.startswith(lie) for problem in told["problems"])]
    assert unnamed == []


def of_licences(release, licence_of):
    """Return the release as if its files were under other licences, by role."""
    inputs = [
        snapshot.model_copy(update={"licence_id": licence_of.get(snapshot.role, "CC0-1.0")})
        for snapshot in release.manifest.inputs
    ]
    release.manifest.inputs = inputs
    return inputs


def shared(release, table_name: str, verified: set[str], inputs) -> list[str]:
    """Return what of a table may not be made public, where the tables in `verified` were verified row by row."""
    family = families()[release.manifest.family]
    table = next(t for t in family.released if t.table_name() == table_name)
    files = {f"{table_name}.parquet": (table, release.rows(table_name))}
    origins = Origins(inputs, {table_name: {snapshot.sha256 for snapshot in inputs}}, {}, {})
    return not_shareable(
        columns_under(files, row_licences(files, origins, licences_by_pointers(files, origins, verified)))
    )


def sources_of(release, home: Path, traced: TraceReport | None = None):
    """Return what the gate finds of a release's rows in their raw files."""
    family = families()[release.manifest.family]
    return rows_from_sources(release, family, index_of(release), traced or TraceReport(), Home(str(home)).snapshots)


@pytest.fixture(scope="module")
def honest(small_world):
    """Return what the gate finds of the rows of two families' releases as they are."""
    return {name: sources_of(open_release(small_world.releases[name]), small_world.home) for name in FAMILIES[:2]}


@pytest.fixture(scope="module")
def dear(small_world, tmp_path_factory):
    """Return a TripCraft release in which every stay costs 1."""

    def dear(rows):
        return [{**row, "price_given": 1.0} for row in rows]

    folder = tmp_path_factory.mktemp("dear")
    return open_release(edited(small_world.releases["tripcraft"], folder, {"tripcraft_stay": dear}))


def test_a_changed_value_is_found_by_a_family_that_says_what_its_source_says(small_world, dear):
    assert sources_of(dear, small_world.home).problems


class Anything:
    """Equals whatever it is compared with."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, _: object) -> bool:
        return True


@pytest.mark.parametrize(
    "says", ["whatever the row says", "whatever the row says, where it is seen", "nobody's", "anything"]
)
def test_what_says_what_rows_must_be_vouches_for_none_of_their_values(small_world, dear, monkeypatch, says):
    """The family's own function says that what every stay costs is right."""
    rows, priced = dear.rows("tripcraft_stay").num_rows, "price_given"

    def vouching(row, _records):
        if says == "nobody's":
            return {priced: [NOBODYS]}
        if says == "anything":
            return {priced: [Anything()]}
        return {priced: [row[priced]]} if says == "whatever the row says" or priced in row else {}

    monkeypatch.setattr("assets.tripcraft.sources.stay", vouching)
    found = sources_of(dear, small_world.home)
    if says == "nobody's":
        assert found.counts["by_rule"]["tripcraft_stay.price_given"] == rows
    else:
        assert [p for p in found.problems if p.startswith("tripcraft_stay/") and f": {priced} is 1.0; " in p]
        assert "tripcraft_stay" not in found.verified


def test_rows_of_a_scraped_file_that_point_into_a_free_one_are_named_and_stay_under_the_scraped_ones_licence(
    small_world, tmp_path
):
    whole = open_release(small_world.releases["itinbench"])
    (free,) = (snapshot for snapshot in whole.manifest.inputs if snapshot.role == "review")
    pointer = free.pointer("L1")

    def elsewhere(rows):
        return [{**row, "source_rows": [pointer]} for row in rows]

    release = open_release(edited(whole.folder, tmp_path, {"itinbench_place": elsewhere}))
    inputs = of_licences(release, {"business": "LicenseRef-scraped"})
    found = sources_of(release, small_world.home)
    names = [row["name"] for row in release.rows("itinbench_place").to_pylist()]
    told = [problem for problem in found.problems if ": name is " in problem]
    assert len(told) == len(names)
    assert "itinbench_place" not in found.verified
    (problem,) = shared(release, "itinbench_place", found.verified, inputs)
    assert problem.startswith("itinbench_place: name, ")
    assert f"of {len(names)} rows are under LicenseRef-scraped" in problem
    assert shared(release, "itinbench_place", {"itinbench_place"}, inputs) == [], "believed, they would be public"


def test_rows_that_hold_only_what_was_computed_are_not_believed_where_they_point(small_world, tmp_path):
    whole = open_release(small_world.releases["tripcraft"])
    free = next(snapshot for snapshot in whole.manifest.inputs if snapshot.role == "flights")
    way = {"city_id": "us-in-krellospire", "place_id": "here", "times_s": [0.0], "router": "none"}

    def computed(_):
        return [{**way, "source_rows": [free.pointer("R1")]}]

    release = open_release(edited(whole.folder, tmp_path, {"tripcraft_town_ways": computed}))
    inputs = of_licences(release, {"listings": "LicenseRef-scraped"})
    found = sources_of(release, small_world.home)
    assert "tripcraft_stay" in found.verified
    assert "tripcraft_town_ways" not in found.verified
    (problem,) = shared(release, "tripcraft_town_ways", found.verified, inputs)
    assert "times_s of 1 row are under LicenseRef-scraped" in problem


def test_a_table_of_which_only_some_rows_were_read_again_is_not_verified(small_world, honest, monkeypatch):
    release = open_release(small_world.releases["tripcraft"])
    assert "tripcraft_flight" in honest["tripcraft"].verified
    monkeypatch.setattr("assets.promises.sources.MOST_ROWS", release.rows("tripcraft_flight").num_rows - 1)
    assert "tripcraft_flight" not in sources_of(release, small_world.home).verified


@pytest.mark.parametrize(("family", "most"), [("itinbench", [40]), ("tripcraft", [1, 40]), ("grouptravel", [40])])
def test_rows_read_in_groups_are_found_what_they_are_found_to_be_all_at_once(
    small_world, tmp_path, monkeypatch, family, most
):
    """Some rows lie, some point nowhere, and one file is not there."""
    release = open_release(small_world.releases[family])
    name = {"itinbench": "itinbench_place", "tripcraft": "tripcraft_restaurant", "grouptravel": "group_poi"}[family]

    def damaged(rows):
        return [
            {**row, **({"name": f"{row['name']}!"} if n % 5 == 0 else {"source_rows": []} if n % 7 == 0 else {})}
            for n, row in enumerate(rows)
        ]

    release = open_release(edited(release.folder, tmp_path, {name: damaged}))
    pointers = [p for row in release.rows(name).to_pylist() for p in row["source_rows"]]
    lost = pointers[-1].partition("@")[2].partition("#")[0]
    monkeypatch.setattr("warehouse.snapshots.Snapshots.holds", lambda _, sha256: sha256 != lost)
    at_once = sources_of(release, small_world.home)
    assert at_once.problems
    assert name not in at_once.verified
    for records in most:
        monkeypatch.setattr("assets.promises.sources.MOST_RECORDS", records)
        grouped = sources_of(release, small_world.home)
        assert sorted(grouped.problems) == sorted(at_once.problems)
        assert sorted(grouped.unverified, key=str) == sorted(at_once.unverified, key=str) != []
        assert replace(grouped, problems=[], unverified=[]) == replace(at_once, problems=[], unverified=[])


def test_no_more_records_are_held_than_a_group_may_have(small_world, honest, monkeypatch):
    release = open_release(small_world.releases["itinbench"])
    held = []

    def counting(file, locators, **given):
        rows = parsed_records(file, locators, **given)
        held.append(len(rows))
        return rows

    monkeypatch.setattr("assets.promises.sources.parsed_records", counting)
    all_records = honest["itinbench"].counts["records"]
    monkeypatch.setattr("assets.promises.sources.MOST_RECORDS", 150)
    most = max(len(row["source_rows"]) for row in release.rows("itinbench_place").to_pylist())
    assert sources_of(release, small_world.home).counts["records"] == all_records > 450
    assert max(held) <= max(150, most)


def without(monkeypatch, lost: str) -> None:
    """Take a file out of the store."""
    holds = Snapshots.holds
    monkeypatch.setattr("warehouse.snapshots.Snapshots.holds", lambda it, sha256: sha256 != lost and holds(it, sha256))


def unreadable(monkeypatch, lost: str) -> None:
    """Damage a file in the store."""
    opened = Snapshots.open

    def damaged(it, snapshot):
        if snapshot.sha256 == lost:
            raise StoreError(f"{snapshot.location}: is damaged")
        return opened(it, snapshot)

    monkeypatch.setattr("warehouse.snapshots.Snapshots.open", damaged)


@pytest.mark.parametrize("most", [40, 50_000])
@pytest.mark.parametrize("damage", [without, unreadable])
def test_a_file_that_is_not_there_or_damaged_is_told_once_and_no_table_that_points_to_it_is_verified(
    small_world, honest, monkeypatch, damage, most
):
    release, name = open_release(small_world.releases["tripcraft"]), "tripcraft_restaurant"
    rows = release.rows(name).to_pylist()
    lost = rows[-1]["source_rows"][0].partition("@")[2].partition("#")[0]
    pointing = [row for row in rows if any(f"@{lost}#" in pointer for pointer in row["source_rows"])]
    traced = TraceReport(
        rows={(name, f"{row['city_id']}/{row['place_id']}"): {"t1:plan/a", "t1:plan/b"} for row in rows}
    )
    assert name in honest["tripcraft"].verified
    damage(monkeypatch, lost)
    monkeypatch.setattr("assets.promises.sources.MOST_RECORDS", most)
    found = sources_of(release, small_world.home, traced)
    assert name not in found.verified
    if damage is without:
        assert [told["values"] for told in found.unverified] == [2 * len(pointing)]
        assert found.problems == []
    else:
        assert found.unverified == []
        assert [problem.endswith(": is damaged") for problem in found.problems] == [True]
