"""Files of a release edited so that no row which we read differs, hashes made anew: each edit is named.

Others read what we do not: a column more, a linked folder, the first of two equal keys, a note beside the rows.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assets.families import families
from assets.promises.whole import whole
from assets.release.audit import audit_release
from assets.release.audit_differences import OTHERWISE
from assets.release.audit_files import files_otherwise, unfit_values
from assets.release.audit_said import whole_tables
from assets.release.reading import ReleaseError, open_release
from assets.tripcraft.tables import TripcraftTownWays
from schemas.spatial import DistanceMatrix
from tests.promises.editing import sealed
from warehouse.home import Home

Manifest = dict[str, Any]
PLACES = "itinbench_place.parquet"
NO_RECORD = shutil.ignore_patterns("record")


def sealed_with(change: Callable[[Manifest], Any]) -> Callable[[Path], None]:
    """Return an edit of the manifest alone."""
    return lambda folder: void(sealed(folder, None, change))


def with_table(name: str, change: Callable[[pa.Table], pa.Table]) -> Callable[[Path], None]:
    """Return an edit of a table, written as anybody writes Parquet."""

    def edit(folder: Path) -> None:
        pq.write_table(change(pq.read_table(folder / name)), folder / name)
        sealed(folder)

    return edit


def void(_: Any) -> None:
    """Return nothing."""


def linked_folder(folder: Path) -> None:
    """Link a folder from elsewhere into the release."""
    (folder.parent / "elsewhere").mkdir()
    (folder.parent / "elsewhere" / "gold.jsonl").write_text("{}\n")
    (folder / "more").symlink_to(folder.parent / "elsewhere")


def key_twice(folder: Path) -> None:
    """Put another title before the manifest's own: some readers take the first of two."""
    text = (folder / "manifest.json").read_text()
    (folder / "manifest.json").write_text('{"title": "ItinBench, official",' + text[1:])


def listed_twice(folder: Path) -> None:
    """List a file a second time, under another hash."""
    manifest = json.loads((folder / "manifest.json").read_text())
    first = next(file for file in manifest["files"] if file["path"] == PLACES)
    manifest["files"].insert(0, {**first, "sha256": "0" * 64})
    (folder / "manifest.json").write_text(json.dumps(manifest))


def path_outside(folder: Path) -> None:
    """List a file that lies beside the release's folder: who copies the release would write beside the copy."""
    (folder.parent / "beside.txt").write_text("x")
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"].append({"path": "../beside.txt", "sha256": "0" * 64, "size_bytes": 1})
    (folder / "manifest.json").write_text(json.dumps(manifest))


def notice_of_ones_own(folder: Path) -> None:
    """Add a page that nobody made and list it with its hash."""
    sealed(folder, {"NOTICE.md": b"Certified by an institute.\n"})


def table_of_ones_own(folder: Path) -> None:
    """Add a table that no release has."""
    shutil.copyfile(folder / "tasks.parquet", folder / "gold.parquet")
    sealed(folder, {"gold.parquet": (folder / "gold.parquet").read_bytes()})


def field_more(tasks: pa.Table) -> pa.Table:
    """Return the tasks, each record with a field more."""
    record = tasks["record"].combine_chunks()
    names = [record.type.field(n).name for n in range(record.type.num_fields)]
    parts = [*record.flatten(), pa.array(["by people"] * len(record))]
    at = tasks.schema.get_field_index("record")
    return tasks.set_column(at, "record", pa.StructArray.from_arrays(parts, [*names, "verified"]))


def wider(places: pa.Table) -> pa.Table:
    """Return the places, their names in a type that some readers cannot read."""
    at = places.schema.get_field_index("name")
    return places.set_column(at, "name", places["name"].cast(pa.large_string()))


def with_first(places: pa.Table, **values: Any) -> pa.Table:
    """Return the places, the first one again with other values."""
    rows = places.to_pylist()
    return pa.Table.from_pylist([*rows, {**rows[0], **values}], schema=places.schema)


def rating_of_seven(places: pa.Table) -> pa.Table:
    """Return the places, the first rated one rated as no place can be."""
    rows = places.to_pylist()
    next(row for row in rows if row["flavor"] is not None)["flavor"] = 7
    return pa.Table.from_pylist(rows, schema=places.schema)


def edited_rows(change: Callable[[list[dict[str, Any]]], Any]) -> Callable[[pa.Table], pa.Table]:
    """Return an edit of a table's rows, whatever is declared of them."""

    def edit(table: pa.Table) -> pa.Table:
        rows = table.to_pylist()
        change(rows)
        return pa.Table.from_pylist(rows, schema=table.schema)

    return edit


def key_of_a_map_twice(rows: list[dict[str, Any]]) -> None:
    """Say a cluster twice: some readers take the first of both, some the last."""
    clusters = rows[0]["proof"]["clusters"]
    clusters.append({**clusters[0], "value": []})


def described_otherwise(manifest: Manifest) -> None:
    """Say that a column holds text that holds numbers."""
    next(file for file in manifest["files"] if file["path"] == PLACES)["columns"]["lat"] = "string"


def larger(manifest: Manifest) -> None:
    """Say that a table is a byte larger than it is."""
    next(file for file in manifest["files"] if file["path"] == PLACES)["size_bytes"] += 1


def rows_of_a_card(manifest: Manifest) -> None:
    """Say that the card, which is no table, has rows."""
    next(file for file in manifest["files"] if file["path"] == "README.md")["rows"] = 5


def step_twice(manifest: Manifest) -> None:
    """Account for a step twice: only one of both would be judged."""
    first = next(entry for entry in manifest["accounting"] if entry["step"] == "business")
    manifest["accounting"].insert(0, {**first, "rejected": {}, "rows_in": 1, "rows_out": 1, "merged": 0})


def step_left_out(folder: Path) -> None:
    """Account for no listing that was rejected, and leave out that there was such a step."""
    rows = [row for row in pq.read_table(folder / "rejections.parquet").to_pylist() if row["step"] != "business"]
    schema = pq.read_schema(folder / "rejections.parquet")
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), folder / "rejections.parquet")
    sealed(folder, None, lambda m: m.update(accounting=[e for e in m["accounting"] if e["step"] != "business"]))


EDITS: tuple[tuple[str, Callable[[Path], None], str], ...] = (
    ("linked folder", linked_folder, "more: not listed in the manifest"),
    ("key twice", key_twice, "a key may stand there twice"),
    ("listed twice", listed_twice, f"{PLACES} stands twice among the files"),
    ("path outside", path_outside, "'../beside.txt' is no path of a file below the release's folder"),
    ("notice", notice_of_ones_own, "NOTICE.md: listed in the manifest; no release of itinbench holds such a file"),
    ("table", table_of_ones_own, "gold.parquet: listed in the manifest; no release of itinbench holds such a file"),
    (
        "column more",
        with_table(PLACES, lambda rows: rows.append_column("michelin", pa.array([3] * rows.num_rows))),
        f"{PLACES}: its columns are otherwise than declared: michelin is int64, expected not there",
    ),
    ("field more", with_table("tasks.parquet", field_more), "tasks.parquet: its columns are otherwise than declared"),
    ("wider", with_table(PLACES, wider), "name is large_string, expected string"),
    (
        "other order of columns",
        with_table(PLACES, lambda rows: rows.select(rows.column_names[::-1])),
        f"{PLACES}: its columns stand in another order",
    ),
    (
        "no canary",
        with_table("tasks.parquet", lambda rows: rows.replace_schema_metadata({})),
        "tasks.parquet: is not the file that its rows make",
    ),
    (
        "note",
        with_table("tasks.parquet", lambda rows: rows.replace_schema_metadata({b"note": b"ask the author"})),
        "tasks.parquet: is not the file that its rows make",
    ),
    (
        "other order",
        with_table(PLACES, lambda rows: rows.take(list(range(rows.num_rows))[::-1])),
        f"{PLACES}: is not the file that its rows make",
    ),
    ("row twice", with_table(PLACES, lambda rows: with_first(rows, stars=5.0)), "repeats"),
    ("rating of seven", with_table(PLACES, rating_of_seven), " otherwise in 1 row"),
    (
        "null in a list",
        with_table(PLACES, edited_rows(lambda rows: rows[0]["source_rows"].append(None))),
        f"{PLACES}: source_rows[] is null 1 time, expected str",
    ),
    (
        "null in a struct",
        with_table("certificates.parquet", edited_rows(lambda rows: rows[0]["proof"]["scorer"].update(unit=None))),
        "certificates.parquet: proof.scorer.unit is null 1 time, expected str",
    ),
    (
        "key of a map twice",
        with_table("certificates.parquet", edited_rows(key_of_a_map_twice)),
        "certificates.parquet: proof.clusters has the key 'Cluster_0' twice",
    ),
    ("described otherwise", sealed_with(described_otherwise), f"{PLACES}: the manifest describes other rows or"),
    ("larger", sealed_with(larger), f"{PLACES}: the manifest says "),
    ("rows of a card", sealed_with(rows_of_a_card), "README.md: the manifest describes rows or columns of it"),
    ("canary", sealed_with(lambda m: m.update(canary="free to train on")), "its canary is not the releases' own"),
    ("step twice", sealed_with(step_twice), "business: is accounted for 2 times"),
    ("step left out", step_left_out, "business: made rows of the release, and is not accounted for"),
)


def told(folder: Path) -> list[str]:
    """Return what is said of a release's files by whoever opens or audits it."""
    try:
        release = open_release(folder)
    except ReleaseError as error:
        return [str(error)]
    found = files_otherwise(release, whole_tables(release))
    return [*found.broken, *found.others, *whole(release, families()[release.manifest.family])]


@pytest.fixture
def copied(small_world, tmp_path) -> Path:
    return shutil.copytree(small_world.releases["itinbench"], tmp_path / "my-release-copy1", ignore=NO_RECORD)


@pytest.mark.parametrize("family", ["itinbench", "tripcraft", "grouptravel"])
def test_nothing_is_said_of_the_files_of_an_honest_release(small_world, family):
    assert told(small_world.releases[family]) == []


@pytest.mark.parametrize("table", [DistanceMatrix, TripcraftTownWays])
def test_nothing_is_said_of_a_place_to_which_no_road_leads(table):
    row = {"city_id": "a", "mode": "foot", "place_id": "x", "router": "-", "is_off_network": True, "source_rows": []}
    ways = {"distances_m": [0.0, None], "times_s": [0.0, None]}
    rows = pa.Table.from_pylist([{**row, **ways}], schema=table.arrow_schema())
    assert unfit_values(table, table.validate(rows)) == ""
    nowhere = pa.array([None], pa.list_(pa.float64()))
    nothing = rows.set_column(rows.schema.get_field_index("times_s"), "times_s", nowhere)
    assert unfit_values(table, nothing) == "times_s is null 1 time, expected list[float, may be null]"


def test_nothing_is_said_of_a_copy_whose_name_is_as_long_as_a_version(copied):
    assert len(copied.name) == len(open_release(copied).version)
    assert told(copied) == []


@pytest.mark.parametrize(("edit", "expected"), [edit[1:] for edit in EDITS], ids=[edit[0] for edit in EDITS])
def test_each_edit_is_named(copied, edit, expected):
    edit(copied)
    problems = told(copied)
    assert any(expected in problem for problem in problems), problems


def test_what_nobody_promised_is_no_promise(copied, small_world):
    """A count beside those that the gate made, one of another type, and a rating that no family can export."""

    def change(manifest: Manifest) -> None:
        manifest["promises"].update(certified_by_people=6, rows=float(manifest["promises"]["rows"]))

    sealed(copied, None, change)
    snapshots = Home(str(small_world.home)).snapshots
    report = audit_release(open_release(copied), snapshots, 1)
    rows, by_people = report.problems
    assert rows.startswith(f"manifest.json: promises: says rows {report.gate.rows}.0, found {report.gate.rows}: ")
    assert by_people == f"manifest.json: promises: says certified_by_people 6, found null: {OTHERWISE}"
    assert "flavor" in report.gate.computed["itinbench_place"] and "name" not in report.gate.computed["itinbench_place"]
    other = shutil.copytree(small_world.releases["itinbench"], copied.parent / "other", ignore=NO_RECORD)
    with_table(PLACES, rating_of_seven)(other)
    report = audit_release(open_release(other), snapshots, 1)
    assert [problem.partition(":")[0] for problem in report.problems] == [PLACES], "what cannot be read is not judged"


@pytest.mark.parametrize(
    ("key", "value"), [("tasks_without_solution", "many"), ("tasks_per_city", None), ("event_dates_from", "ab")]
)
def test_a_section_that_its_family_cannot_read_is_named_and_nothing_is_judged_by_it(copied, small_world, key, value):
    sealed(copied, None, lambda manifest: manifest["section"].update({key: value}))
    report = audit_release(open_release(copied), Home(str(small_world.home)).snapshots, 1)
    (problem,) = report.problems
    assert problem.startswith(f"manifest.json: section.{key}: ")
