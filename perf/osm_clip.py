"""Prints the time and memory that cutting a city out of a region's extract takes, beside `osmium extract`.

    python perf/osm_clip.py region.osm.pbf SOUTH,WEST,NORTH,EAST [rounds]
    python perf/osm_clip.py region.osm.pbf SOUTH,WEST,NORTH,EAST 2 --repeat streets.osm.pbf 1000

`osmium extract --strategy complete_ways` (Debian's osmium-tool) is the baseline: it must be on the PATH. With
`--repeat`, the region is first made larger: beside it stand so many copies of another map, each with ids of its own,
that the whole is of about so many megabytes. It is made in a temporary folder ($TMPDIR) and deleted afterwards.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OURS = """
import resource, sys, time
from pathlib import Path
from schemas.recipe_values import Box
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


def repeated(region: Path, streets: Path, size_mb: float, folder: Path) -> Path:
    """Return a map of the region and so many renumbered copies of the streets that it is of about that size.

    Copies are made by doubling: the pile so far, with higher ids, is merged with itself.
    """
    target, pile = folder / "region.osm.pbf", folder / "pile-0.osm.pbf"
    first, doubled, chosen = FIRST_ID, 1, []
    _osmium("renumber", streets, "-s", f"{first},{first},{first}", out=pile)
    missing = round((size_mb - region.stat().st_size / 1e6) / (pile.stat().st_size / 1e6))
    if missing < 1:
        sys.exit(f"{region.name} is of {size_mb:g} MB or more already; give a larger size")
    while True:
        if missing & doubled:
            chosen.append(pile)
        if doubled * 2 > missing:
            break
        first += IDS_A_COPY * doubled
        moved, pile = folder / f"moved-{doubled}.osm.pbf", folder / f"pile-{doubled}.osm.pbf"
        before = folder / f"pile-{doubled // 2}.osm.pbf"
        _osmium("renumber", before, "-s", f"{first},{first},{first}", out=moved)
        _osmium("merge", before, moved, out=pile)
        moved.unlink()
        doubled *= 2
    apart = []
    for number, copies in enumerate(chosen):  # the piles share ids with each other
        first += IDS_A_COPY * missing
        apart.append(folder / f"apart-{number}.osm.pbf")
        _osmium("renumber", copies, "-s", f"{first},{first},{first}", out=apart[-1])
    _osmium("merge", region, *apart, out=target)
    for path in (*folder.glob("pile-*"), *apart):
        path.unlink()
    return target


FIRST_ID, IDS_A_COPY = 20_000_000_000, 2_000_000
"""Ids of the copies begin above those of any real map; none of the maps repeated has so many elements of a type."""


def _osmium(*words: object, out: Path) -> None:
    subprocess.run(["osmium", *map(str, words), "--no-progress", "-O", "-o", str(out)], check=True)


def main() -> None:
    """Cut by turns, and print the least time of each with its ratio."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("region", type=Path)
    parser.add_argument("box")
    parser.add_argument("rounds", type=int, nargs="?", default=3)
    parser.add_argument("--repeat", nargs=2, metavar=("STREETS", "MB"))
    given = parser.parse_args()
    if shutil.which("osmium") is None:
        sys.exit("osmium is not on the PATH; install Debian's osmium-tool")
    with tempfile.TemporaryDirectory() as folder:
        region = given.region
        if given.repeat:
            region = repeated(region, Path(given.repeat[0]), float(given.repeat[1]), Path(folder))
        compare(region, given.box, given.rounds, Path(folder))


def compare(region: Path, box: str, rounds: int, folder: Path) -> None:
    """Print what a cut of the box takes, the least of the rounds, ours and theirs by turns."""
    south, west, north, east = box.split(",")
    ours, theirs = [], []
    for number in range(rounds):
        targets = [folder / f"{name}{number}.osm.pbf" for name in ("ours", "theirs")]
        ours.append(measured(OURS, region, targets[0], box))
        theirs.append(measured(THEIRS, region, targets[1], ",".join((west, south, east, north))))
        print(f"round {number + 1}: ours {ours[-1][0]:.2f} s, osmium extract {theirs[-1][0]:.2f} s", flush=True)
    (ours_s, ours_mb), (theirs_s, theirs_mb) = min(ours), min(theirs)
    size = region.stat().st_size / 1e6
    told = f"ours {ours_s:.2f} s, {ours_mb:.0f} MB; osmium extract {theirs_s:.2f} s, {theirs_mb:.0f} MB"
    print(f"{size:,.0f} MB: {told}; ratio {ours_s / theirs_s:.2f}; load average {os.getloadavg()[0]:.0f}")


if __name__ == "__main__":
    main()
