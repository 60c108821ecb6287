"""How much scripting a frame takes while a map of 20,000 places is panned, beside an empty map in the same run.

    python -m perf.page_map EXTRACT.osm.pbf SOUTH WEST NORTH EAST

The places are drawn at random in the box. Chromium runs without a screen and without a GPU; the first view is the time
until the page has painted its head. The empty map is the same page without places and without a basemap.
"""

from __future__ import annotations

import hashlib
import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from assets.release.basemap.cut import basemap_of
from assets.release.basemap.pack import packed_basemap
from assets.release.page.render import render
from assets.step import RawFile
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import Snapshot
from tests.assets.release.page.hand import page_rows
from tests.programs import chromium

PLACES, RUNS, MOVES = 20_000, 3, 90
KINDS = ("restaurant", "attraction", "stay")
COUNT_FRAMES = """() => {
  window.frames = 0;
  const tick = () => { window.frames += 1; requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
}"""


def main(extract: Path, box: Box) -> None:
    """Print the size of the map, the first view, and scripting a frame for both pages."""
    city = City(city_id="xx-a-town", name="Town", country="XX", box=box)
    snapshot = Snapshot(
        source="osm",
        role="extract",
        location=extract.name,
        sha256=hashlib.sha256(extract.read_bytes()).hexdigest(),
        size_bytes=extract.stat().st_size,
        licence_id="ODbL-1.0",
    )
    began = time.process_time()
    basemap = basemap_of([RawFile(snapshot, extract)], city)
    packed, kept = packed_basemap(basemap)
    lines = sum(map(len, kept.lines.values()))
    areas = sum(map(len, kept.areas.values()))
    print(f"map: {len(packed):,} bytes, {areas:,} areas, {lines:,} lines, {time.process_time() - began:.1f} s computed")
    with tempfile.TemporaryDirectory() as scratch, chromium() as browser:
        full, empty = Path(scratch) / "full.html", Path(scratch) / "empty.html"
        full.write_bytes(render(_rows(city, packed, PLACES)))
        empty.write_bytes(render(_rows(city, b"", 0)))
        runs = [(_measured(browser, empty), _measured(browser, full)) for _ in range(RUNS)]
    for number, name in enumerate(("empty map", f"{PLACES:,} places")):
        first, script, frames = (median(run[number][n] for run in runs) for n in range(3))
        print(f"{name}: first view {first:.2f} s, scripting {script:.1f} ms a frame, {frames:.0f} frames a second")


def _rows(city: City, packed: bytes, places: int) -> dict[str, Any]:
    """Return a page of one city whose places lie anywhere in its box."""
    rows = page_rows()
    box, draw = city.bounds, random.Random(1)
    spots: dict[str, list[Any]] = {}
    for n in range(places):
        at = [round(draw.uniform(box.south, box.north), 5), round(draw.uniform(box.west, box.east), 5)]
        spots.setdefault(KINDS[n % 3], []).append([f"Place {n}", *at, f"osm:node/{n}", [], []])
    sides = [box.south, box.west, box.north, box.east]
    rows["overview"]["cities"] = [
        {
            "city_id": city.city_id,
            "name": "Town",
            "region": "",
            "country": "XX",
            "box": sides,
            "polygon": None,
            "is_visited": True,
        }
    ]
    rows["maps"]["places"] = [{city.city_id: spots}, {}]
    rows["maps"]["grounds"] = {
        city.city_id: {"block": 0 if packed else None, "kind": "osm" if packed else "", "problems": []}
    }
    rows["basemaps"] = [packed] if packed else []
    return rows


def _measured(browser: Any, page: Path) -> tuple[float, float, float]:
    """Return seconds to the first view, milliseconds of scripting a frame and frames a second while panning."""
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    tab.goto(page.as_uri())
    town = tab.locator("#map .town")
    town.scroll_into_view_if_needed()
    tab.locator("#map .mapbox[data-drawn]").wait_for(timeout=60_000)
    tab.wait_for_timeout(2500)
    first = tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime") / 1000
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable")

    def metric(name: str) -> float:
        return next(m["value"] for m in session.send("Performance.getMetrics")["metrics"] if m["name"] == name)

    def place() -> str:
        return tab.evaluate("document.querySelector('#map canvas.dots').style.transform")

    box, before_m = town.bounding_box(), place()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.evaluate(COUNT_FRAMES)
    before, began, frames = metric("ScriptDuration"), time.monotonic(), tab.evaluate("window.frames")
    tab.mouse.move(x, y)
    tab.mouse.down()
    for step in range(MOVES):
        tab.mouse.move(x - 300 * ((step % 30) / 30), y - 120 * ((step % 45) / 45))
        tab.wait_for_timeout(16)
        if step == MOVES // 3 and place() == before_m:
            sys.exit("the map did not move: what was measured says nothing")
    tab.mouse.up()
    seconds, drawn = time.monotonic() - began, tab.evaluate("window.frames") - frames
    script = (metric("ScriptDuration") - before) * 1000 / drawn
    tab.close()
    return first, script, drawn / seconds


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    south, west, north, east = map(float, sys.argv[2:])
    main(Path(sys.argv[1]), Box(south=south, west=west, north=north, east=east))
