"""Raw records that a reader passes over in silence are missed: their files are counted without it."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

from assets.families import all_steps, families
from assets.promises.all_read import all_read
from assets.promises.gate import gate
from assets.promises.sources import SourcesReport
from assets.release.reading import open_release
from assets.step import Raw, RawFile
from schemas.source import Snapshot
from sources.record_counts import RECORD_COUNTS, csv_records, items, lines
from tests.promises.editing import edited, sealed
from tests.promises.test_accounts import FAMILIES, told
from warehouse.home import Home

STEPS = all_steps(families().values())
UNCOUNTED = {
    ("big_mac", "prices"), ("bts", "on_time"), ("events", "apify"), ("events", "discovery"), ("group", "poi"),
    ("gtfs", "feed"), ("osm", "extract"), ("overture", "places"), ("travelplanner", "flights"),
    ("wikivoyage", "pages"), ("world_bank", "price_levels"), ("yelp", "fusion"),
}  # fmt: skip
"""Files of which a step reads some records, or that hold several tables: `docs/pages/audit.md` names them."""


def test_each_file_that_a_step_counts_as_it_reads_is_counted_without_it_or_named_here():
    counting = [step for step in STEPS.values() if step.accounts == "records"]
    read = {(one.source, one.role) for step in counting for one in step.inputs if isinstance(one, Raw)}
    assert read - RECORD_COUNTS.keys() == UNCOUNTED


@pytest.mark.parametrize("family", FAMILIES)
def test_a_step_that_read_fewer_records_than_its_files_have_is_named(small_world, family):
    release, snapshots = open_release(small_world.releases[family]), Home(str(small_world.home)).snapshots
    assert all_read(release, families()[family], snapshots) == ([], [])
    named = set()
    for entry in release.manifest.accounting:
        if STEPS[entry["step"]].accounts == "records" and entry["rows_in"]:
            problems, _ = all_read(told(release, {**entry, "rows_in": 1}), families()[family], snapshots)
            assert all(problem.startswith(f"{entry['step']}: says that it read 1 record") for problem in problems)
            named |= {entry["step"]} if problems else set()
    assert named >= {"itinbench": {"business", "review"}, "tripcraft": {"business", "airport", "city_price"}}.get(
        family, {"business", "group_fare", "group_profile", "group_climate"}
    )


def test_one_record_that_was_passed_over_stops_a_release(small_world, tmp_path):
    honest, snapshots = open_release(small_world.releases["grouptravel"]), Home(str(small_world.home)).snapshots
    entry = next(e for e in honest.manifest.accounting if e["step"] == "group_profile")

    def one_fewer(manifest):
        said = next(e for e in manifest["accounting"] if e["step"] == "group_profile")
        said["rows_in"] -= 1
        said["rejected"] = {reason: n - (reason == dropped) for reason, n in said["rejected"].items()}

    dropped = next(iter(entry["rejected"]))
    lost: list[dict] = []

    def without_its_rejection(rows):
        first = next(row for row in rows if (row["step"], row["reason"]) == ("group_profile", dropped))
        lost.append(first)
        return [row for row in rows if row is not first]

    folder = sealed(edited(honest.folder, tmp_path, {"rejections": without_its_rejection}), change=one_fewer)
    problems = gate(open_release(folder), snapshots, workers=1).problems
    assert lost and [problem for problem in problems if "each must become" in problem] == [
        f"group_profile: says that it read {entry['rows_in'] - 1:,} records, and its files have at least "
        f"{entry['rows_in']:,} (group.profiles); each must become a row, a part of one, or a rejection"
    ]


def test_a_file_that_cannot_be_counted_is_told(small_world, tmp_path, monkeypatch):
    release, family = open_release(small_world.releases["itinbench"]), families()["itinbench"]
    home = Path(shutil.copytree(small_world.home, tmp_path / "home"))
    counted = [s for s in release.manifest.inputs if (s.source, s.role) in RECORD_COUNTS and s.source == "yelp"]
    gone, damaged = ({s.role: s for s in counted}[role] for role in ("review", "business"))
    kept = {file.name: file for file in (home / "raw").rglob("*") if file.is_file()}
    kept[gone.sha256].unlink()
    kept[damaged.sha256].chmod(0o644)
    kept[damaged.sha256].write_bytes(b"{}\n")
    problems, missing = all_read(release, family, Home(str(home)).snapshots)
    assert len(problems) == 1 and damaged.location in problems[0] and "has changed in the store" in problems[0]
    assert [entry["what"].split(" ")[0] for entry in missing] == [gone.location]
    report = gate(release, Home(str(home)).snapshots, workers=1)
    assert len([entry for entry in report.unverified if gone.sha256 in entry["what"]]) == 1
    monkeypatch.setattr(
        "assets.promises.gate.rows_from_sources", lambda *_: SourcesReport()
    )  # as if no row pointed to it
    report = gate(release, Home(str(home)).snapshots, workers=1)
    assert report.unverified == missing and set(problems) <= set(report.problems)


@pytest.mark.parametrize(
    ("count", "data", "records"),
    [
        (lines, b'{"a": 1}\n\n  \n{broken\n{"a": 2}', 3),
        (lines, gzip.compress(b"one\ntwo\n", mtime=0), 2),
        (lines, b"", 0),
        (csv_records, b'name,say\nA,"two\nlines"\n\nB,one\n', 2),
        (csv_records, "\ufeffname\nÅ\n".encode("utf-16"), 1),
        (csv_records, b"", 0),
        (csv_records, b"name\n" + b"x" * (1 << 21), 0),
        (items, b'[{"a": [1, 2]}, 3, {"b": "]"}]', 3 - 1),
        (items, b'{"a": 1}\n{"a": 2}\n', 2),
        (items, b"city,country\nOulu,Finland\n", 1),
    ],
    ids=["lines", "packed", "no line", "csv", "utf-16", "no csv", "no record", "array", "objects", "table"],
)
def test_records_are_counted_as_their_files_have_them(tmp_path, count, data, records):
    path = tmp_path / "file"
    path.write_bytes(data)
    snapshot = Snapshot(
        source="yelp", role="business", location="file", sha256="0" * 64, size_bytes=len(data), licence_id="CC0-1.0"
    )
    assert count(RawFile(snapshot, path)) == records
