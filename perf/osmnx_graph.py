"""The street graph of an extract by osmnx beside ours: seconds and memory until it can be asked.

Run from the repository's root: `python -m perf.osmnx_graph EXTRACT.osm.pbf`. osmnx reads only XML, so the extract's
streets and their nodes are first written as .osm, which is not counted. Each runs in a process of its own.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from multiprocessing import Process
from pathlib import Path


def write_streets(extract: Path, xml: Path) -> None:
    """Write the extract's ways that are tagged `highway`, with their nodes, as .osm XML."""
    import osmium
    from osmium.filter import KeyFilter
    from osmium.osm import WAY

    with osmium.BackReferenceWriter(str(xml), ref_src=str(extract), overwrite=True, remove_tags=False) as writer:
        for way in osmium.FileProcessor(str(extract), WAY).with_filter(KeyFilter("highway")):
            writer.add(way)


def by_osmnx(xml: str) -> int:
    """Return the number of vertices of the graph, unsimplified parts included, as osmnx makes it of the file."""
    import osmnx

    return len(osmnx.graph_from_xml(xml, retain_all=False))


def by_us(extract: str) -> int:
    """Return the number of straight pieces of street in our graph of the extract on foot."""
    from sources.osm.streets import StreetGraph

    return len(StreetGraph(Path(extract), "0" * 64, "foot").lines)


def main(extract: Path) -> None:
    """Print how long each takes to make its graph, computed and by the clock, and the memory it needs."""
    with tempfile.TemporaryDirectory() as scratch:
        xml = Path(scratch) / "streets.osm"
        writing = Process(target=write_streets, args=(extract, xml))  # whose memory a child would inherit
        writing.start()
        writing.join()
        print(f"{extract.name}: {extract.stat().st_size:,} bytes, its streets as XML {xml.stat().st_size:,}")
        for name, path in (("by_us", extract), ("by_osmnx", xml)):
            command = [sys.executable, "-m", "perf.osmnx_graph", name, str(path)]
            found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            print("{:<9} {:>9,} parts {:7.1f} s, computed {:7.1f} s, peak {:6.0f} MiB".format(name, *found))


def measure(name: str, path: str) -> None:
    """Print parts, seconds of the clock and computed, and peak memory of one way of reading, imports included."""
    start = time.perf_counter()
    parts = {"by_us": by_us, "by_osmnx": by_osmnx}[name](path)
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([parts, time.perf_counter() - start, time.process_time(), peak_mib]))


if __name__ == "__main__":
    if len(sys.argv) == 2:
        main(Path(sys.argv[1]))
    else:
        measure(*sys.argv[1:])
