"""How big the page of 1,000 tasks in 10 cities is, how soon it shows, and how long a frame takes while filtering.

    python -m perf.page                  builds ten invented cities, which takes minutes
    python -m perf.page RELEASE_FOLDER   measures the page of a release that is there

Chromium is measured without a screen. The baseline is an empty page in the same browser.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from assets.release.page.render import report
from assets.release.reading import open_release
from sources.invented.cities import world_cities
from tests.programs import chromium
from tests.recipes import city_table
from warehouse.home import Home

ROOT = Path(__file__).resolve().parents[1]
CITIES, TASKS_PER_CITY, RUNS = 10, 100, 5
EMPTY = "<!doctype html><title>empty</title><p>nothing</p>"

FRAMES = """() => {
  window.frames_ms = []; let last = performance.now();
  const tick = (now) => { window.frames_ms.push(now - last); last = now; requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
}"""


def main(folder: Path | None) -> None:
    """Print what was measured of the page, beside an empty one."""
    with tempfile.TemporaryDirectory() as scratch:
        release = folder or _built(Path(scratch))
        started, computed = time.monotonic(), time.process_time()
        opened = open_release(release)
        html = report([opened], Home(str(release.parents[3])).snapshots)
        took = f"{time.monotonic() - started:.1f} s, {time.process_time() - computed:.1f} s computed"
        page = Path(scratch) / "report.html"
        page.write_bytes(html)
        counts = opened.manifest.counts
        print(f"{counts['tasks']} tasks, {len(opened.manifest.cities)} cities: {len(html) / 1e6:.2f} MB")
        for block in ("overview", "maps", "details", "provenance"):
            found = html.partition(f'id="{block}">'.encode())[2].partition(b"</script>")[0]
            print(f"  of it {block}: {len(found) / 1e6:.2f} MB")
        print(f"written in {took}")
        empty = Path(scratch) / "empty.html"
        empty.write_text(EMPTY, encoding="utf-8")
        _measure(page, empty, opened.table("tasks")["task_id"].iloc[0])


def _built(folder: Path) -> Path:
    text = 'name = "ten"\nseed = 3\n\n[invented]\nproviders = ["yelp", "osm"]\nscale = 1.0\nseed = 5\n'
    for city in world_cities(CITIES, 5):
        text += city_table(city)
    recipe = folder / "ten.toml"
    recipe.write_text(f"{text}\n[families.itinbench]\ntasks_per_city = {TASKS_PER_CITY}\n", encoding="utf-8")
    words = [sys.executable, "-m", "pipelines.cli", "build", str(recipe), "--home", str(folder / "home"), "--json"]
    built = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    return Path(json.loads(built.stdout)["releases"][0]["path"])


def _measure(page: Path, empty: Path, task: str) -> None:
    with chromium() as browser:
        for what, address, awaited in (
            ("an empty page", empty.as_uri(), "p"),
            ("first view (head, flow, charts, list)", page.as_uri(), ".list a"),
            (
                "a task that was asked for, with its map and provenance",
                f"{page.as_uri()}#task={task}",
                ".origins .tree",
            ),
        ):
            clock, computed = zip(*(_view(browser, address, awaited) for _ in range(RUNS)), strict=True)
            print(f"{what}: clock {median(clock):.0f} ms (worst {max(clock):.0f}), computed {median(computed):.0f} ms")
        tab = browser.new_page(viewport={"width": 1280, "height": 860})
        tab.goto(page.as_uri())
        tab.locator(".finder input").scroll_into_view_if_needed()
        tab.locator(".origins .tree").wait_for(state="attached")
        tab.wait_for_timeout(500)
        tab.evaluate(FRAMES)
        for words in ("mexican", "history family", "zzz"):
            tab.locator(".finder input").fill("")
            tab.locator(".finder input").press_sequentially(words, delay=40)
        for select in tab.locator(".finder select").all():
            for number in range(min(4, select.locator("option").count())):
                select.select_option(index=number)
        tab.wait_for_timeout(300)
        frames: list[Any] = tab.evaluate("window.frames_ms")
        print(f"while filtering: {len(frames)} frames, median {median(frames):.0f} ms, longest {max(frames):.0f} ms")


def _view(browser: Any, address: str, awaited: str) -> tuple[float, float]:
    """Return milliseconds until the element is there in a drawn frame: by the clock, and of the page's own thread."""
    tab = browser.new_page(viewport={"width": 1280, "height": 860})
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    tab.goto(address, wait_until="commit")
    tab.locator(awaited).first.wait_for(state="attached")
    ms = tab.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))"
    )
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    tab.close()
    return ms, metrics["TaskDuration"] * 1000


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
