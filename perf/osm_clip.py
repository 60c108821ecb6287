"""Prints the time and memory that cutting a city out of a region's extract takes, beside `osmium extract`.

    python perf/osm_clip.py region.osm.pbf SOUTH,WEST,NORTH,EAST [rounds]

`osmium extract --strategy complete_ways` (Debian's osmium-tool) is the baseline: it must be on the PATH.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OURS = """
import resource, sys, time
from pathlib import Path
from schemas.recipe import Box
from sources.osm.clip import cut
region, target = Path(sys.argv[1]), Path(sys.argv[2])
box = Box(**dict(zip(("south", "west", "north", "east"), map(float, sys.argv[3].split(",")))))
began = time.perf_counter()
cut(region, [box], [target])
print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
THEIRS = """
import resource, subprocess, sys, time
began = time.perf_counter()
subprocess.run(["osmium", "extract", "--no-progress", "-O", "-s", "complete_ways", "-b", sys.argv[3], sys.argv[1], "-o",
                sys.argv[2]], check=True)
print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
"""


def measured(code: str, region: Path, target: Path, box: str) -> tuple[float, float]:
    """Return seconds and the most memory, in MB, of one cut in a process of its own."""
    command = [sys.executable, "-c", code, str(region), str(target), box]
    out = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    return float(out[0]), float(out[1])


def main() -> None:
    """Cut by turns, and print the least time of each with its ratio."""
    if shutil.which("osmium") is None:
        sys.exit("osmium is not on the PATH; install Debian's osmium-tool")
    region, box = Path(sys.argv[1]), sys.argv[2]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    south, west, north, east = box.split(",")
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            targets = [Path(folder) / f"{name}{number}.osm.pbf" for name in ("ours", "theirs")]
            ours.append(measured(OURS, region, targets[0], box))
            theirs.append(measured(THEIRS, region, targets[1], ",".join((west, south, east, north))))
    (ours_s, ours_mb), (theirs_s, theirs_mb) = min(ours), min(theirs)
    size = region.stat().st_size / 1e6
    told = f"ours {ours_s:.2f} s, {ours_mb:.0f} MB; osmium extract {theirs_s:.2f} s, {theirs_mb:.0f} MB"
    print(f"{size:,.0f} MB: {told}; ratio {ours_s / theirs_s:.2f}")


if __name__ == "__main__":
    main()
