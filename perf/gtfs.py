"""Measure a GTFS feed to all tables against a bare reading of its stop_times: `python -m perf.gtfs FEED.zip`.

The baseline unpacks stop_times.txt, reads it with pyarrow and groups it by stop: the least that any reader must do.
Both run once in a process of their own, so that neither warms the other up and peak memory is each one's own.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

from schemas.source import Snapshot


@dataclass(frozen=True)
class _File:
    snapshot: Snapshot
    path: Path
    max_unreadable: float = 1.0


def all_tables(path: Path) -> int:
    """Return the number of departures after reading every table of the feed."""
    from sources.gtfs.reader import Feed, read_feed, read_routes, read_services, read_stop_services, read_stops

    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    snapshot = Snapshot(
        source="gtfs", role="feed", location=path.name, sha256=sha256, size_bytes=1, licence_id="LicenseRef-unverified"
    )
    feed = Feed(_File(snapshot, path), city_id="xx-town", feed="feed")
    for reader in (read_stops, read_routes, read_services, read_stop_services):
        reader(feed)
    return read_feed(feed)["departure_count"][0].as_py()


def bare_read(path: Path) -> int:
    """Return the number of rows of stop_times.txt after reading and grouping it by stop."""
    from pyarrow import csv

    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if name.endswith("stop_times.txt"))
        with archive.open(name) as member:
            table = csv.read_csv(member)
    return sum(table.group_by("stop_id").aggregate([("trip_id", "count")])["trip_id_count"].to_pylist())


def main() -> None:
    """Print seconds, peak memory and the ratio, or run one of the two in this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("feed", type=Path)
    parser.add_argument("--only", choices=("all_tables", "bare_read"))
    chosen = parser.parse_args()
    if chosen.only:
        import pyarrow  # noqa: F401  (both need it; its import is no part of either)

        began = time.perf_counter()
        rows = {"all_tables": all_tables, "bare_read": bare_read}[chosen.only](chosen.feed)
        seconds = time.perf_counter() - began
        print(json.dumps([rows, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
        return
    results = {}
    for name in ("bare_read", "all_tables"):
        command = [sys.executable, "-m", "perf.gtfs", str(chosen.feed), "--only", name]
        runs = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(3)]
        rows, seconds, peak_mib = min(runs, key=lambda run: run[1])
        results[name] = seconds
        print(f"{name:<11} {rows:>9,} rows {seconds:6.2f} s  peak {peak_mib:5.0f} MiB")
    print(f"ratio       {results['all_tables'] / results['bare_read']:.1f}")


if __name__ == "__main__":
    main()
