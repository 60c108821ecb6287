"""The audit of every family's release: all of it resolves; what is spoiled, planted or absent is found and named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assets.release.audit import audit_release
from assets.release.prov import prov_json
from assets.release.reading import open_release
from tests.recipes import command
from warehouse.home import Home

FAMILIES = ("itinbench", "tripcraft", "grouptravel")


@pytest.fixture
def elsewhere(small_world, tmp_path):
    """Return a function that copies a family's release and the raw files alone, as to another machine."""

    def copy(family: str) -> tuple[Path, Path]:
        release = small_world.releases[family]
        shutil.copytree(small_world.home / "raw", tmp_path / "home" / "raw")
        return Path(shutil.copytree(release, tmp_path / release.name)), tmp_path / "home"

    return copy


def edit_table(release: Path, name: str, change) -> Path:
    """Change rows of a table and seal the release again, under a name that is no version; return its folder."""
    path = release / f"{name}.parquet"
    table = pq.read_table(path)
    pq.write_table(pa.Table.from_pylist(change(table.to_pylist()), schema=table.schema), path)
    manifest = json.loads((release / "manifest.json").read_text())
    for file in manifest["files"]:
        if file["path"] == path.name:
            from warehouse.store import sha256_of

            file["sha256"] = sha256_of(path)
    (release / "manifest.json").write_text(json.dumps(manifest))
    return release.rename(release.with_name("edited"))


@pytest.mark.parametrize("family", FAMILIES)
def test_every_value_of_a_release_resolves_with_release_and_raw_files_alone(elsewhere, family):
    release, home = elsewhere(family)
    code, told = command("audit", "--release", release, home=home)
    assert (code, told["problems"], told["unverified"]) == (0, [], [])
    assert told["values_verified"] == told["values"] > 100
    assert told["source_rows"] > 0
    assert "its name, title, seed, cities" in told["believed_of_recipe"]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_planted_unresolvable_value_is_found(elsewhere, family):
    release, home = elsewhere(family)

    def without_one_row(rows):
        first = next(row for row in rows if row["kind"] == "cells" and row["cells"][0]["table"] != "task")
        first["cells"][0]["row"] += "-planted"
        return rows

    code, told = command("audit", "--release", edit_table(release, "lineage", without_one_row), home=home)
    assert code == 1
    assert any("-planted." in problem and "which is not in the release" in problem for problem in told["problems"])
    assert told["values_verified"] < told["values"]


@pytest.mark.parametrize(
    ("change", "told_of"),
    [
        (lambda row: {"name": "Planted Place"}, "name is 'Planted Place'; its records say "),
        (lambda row: {"source_rows": []}, "has no source row"),
        (
            lambda row: {"source_rows": [p.rpartition("#")[0] + "#L999999" for p in row["source_rows"]]},
            "has no record at L999999",
        ),
        (
            lambda row: {"source_rows": [p.partition("@")[0] + "@" + "0" * 64 + "#L1" for p in row["source_rows"]]},
            "leads to no input of the release",
        ),
    ],
)
def test_a_row_that_does_not_say_what_its_source_says_is_found(elsewhere, change, told_of):
    release, home = elsewhere("tripcraft")
    edited = edit_table(release, "tripcraft_stay", lambda rows: [{**row, **change(row)} for row in rows])
    code, told = command("audit", "--release", edited, home=home)
    assert code == 1
    assert any(told_of in problem for problem in told["problems"]), told["problems"][:5]
    assert told["values_verified"] < told["values"]


def test_what_rests_on_an_absent_raw_file_is_counted_and_not_verified(elsewhere):
    release, home = elsewhere("itinbench")
    whole = command("audit", "--release", release, home=home)[1]
    (business,) = [s for s in json.loads((release / "manifest.json").read_text())["inputs"] if s["role"] == "business"]
    (home / "raw" / business["sha256"][:2] / business["sha256"]).unlink()
    code, told = command("audit", "--release", release, home=home)
    assert (code, told["problems"], told["holds"]) == (1, [], False)
    (entry,) = told["unverified"]
    assert "business.json (yelp.business" in entry["what"]
    assert entry["values"] == told["values_not_verified"] > 0
    assert told["values_verified"] + told["values_not_verified"] == whole["values"]


def test_a_byte_changed_anywhere_in_a_release_is_found(elsewhere):
    release, home = elsewhere("grouptravel")
    names = [f["path"] for f in json.loads((release / "manifest.json").read_text())["files"]]
    for name in [*names, "manifest.json"]:
        data = (release / name).read_bytes()
        for place in {0, len(data) // 2, len(data) - 1}:
            (release / name).write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
            code, told = command("audit", "--release", release, home=home)
            assert code == 1, (name, place)
            assert name in (told.get("error") or " ".join(told["problems"])), (name, place)
        (release / name).write_bytes(data)


def test_processes_find_the_same_in_the_same_order(elsewhere):
    release, home = elsewhere("tripcraft")

    def spoil(rows):
        return [{**row, "name": f"Planted {n}"} for n, row in enumerate(rows)]

    edited = open_release(edit_table(release, "tripcraft_restaurant", spoil))
    snapshots = Home(str(home)).snapshots
    alone, together = (audit_release(edited, snapshots, workers=n).as_json() for n in (1, 2))
    assert alone == together
    assert alone["problems"]


def test_a_task_is_printed_with_raw_lines_origin_rules_and_checks(small_world):
    release = small_world.releases["tripcraft"]
    task_id = pq.read_table(release / "tasks.parquet")["task_id"][0].as_py()
    code, tree = command("audit", task_id, home=small_world.home)
    assert (code, tree["problems"]) == (0, [])
    sources = [source for row in tree["rows"].values() for source in row["source_rows"]]
    assert sources
    assert all(
        source["raw"] and source["licence"] and {"retrieved_at", "url", "sha256"} <= set(source) for source in sources
    )
    assert all(tree["rules"].values())
    assert {check["holds"] for check in tree["certificate"]["checks"]} <= {True, None}  # null: not asked for


def test_a_release_where_a_task_is_expected_is_told_from_one_that_is_not_there(small_world):
    release = small_world.releases["tripcraft"]
    for text in (str(release), release.name[:8]):
        code, told = command("audit", text, home=small_world.home)
        assert (code, told["error"]) == (1, f"{text!r} is a release and no task; audit it with --release {text}")
    code, told = command("audit", "tripcraft.nowhere.00001", home=small_world.home)
    assert code == 1 and "holds the task 'tripcraft.nowhere.00001'; build its recipe" in told["error"]


@pytest.mark.parametrize("family", FAMILIES)
def test_prov_json_is_read_by_the_prov_package_and_leads_to_the_files(small_world, tmp_path, family):
    from prov.model import ProvDerivation, ProvDocument

    release = open_release(small_world.releases[family])
    text = prov_json(release).decode()
    document = ProvDocument.deserialize(content=text, format="json")
    assert document.get_records(ProvDerivation)
    known = {s.sha256 for s in release.manifest.inputs}
    entities = json.loads(text)["entity"]
    files = [name for name in entities if name.startswith("sha256:")]
    assert files
    assert {name.removeprefix("sha256:") for name in files} <= known
    assert all(entities[name]["dct:license"] == "LicenseRef-invented" for name in files)
