"""Makes the pictures of the documentation from real releases: `python docs/pictures.py HOME`, after two builds.

HOME holds releases of the recipes `demo` and `nordic`. The pictures are of invented cities and of cities under the
ODbL, whose attribution the pages give. Beside them `pictures.json` says of which page they are; a test compares it.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

IMAGES = ROOT / "docs" / "pages" / "images"
MADE_OF = (
    "assets/release/page/bundle/page.js",
    "assets/release/page/bundle/style.css",
    "assets/release/basemap/style.py",
)
SHOWN = ("demo", "helsinki", "nordic")
"""Recipes whose pictures may be committed: invented, or under the ODbL."""

WIDE, HIGH, QUALITY = 1280, 860, 82


def made_of() -> str:
    """Return the hash of what the pictures show: the page's script and style, and the look of its maps."""
    return hashlib.sha256(b"".join((ROOT / path).read_bytes() for path in MADE_OF)).hexdigest()


def main(home: str) -> None:
    """Write the pictures anew."""
    from assets.release.page.gallery import gallery
    from assets.release.page.render import report
    from assets.release.reading import open_release
    from tests.programs import chromium
    from warehouse.home import Home

    opened = Home(home)
    releases = [open_release(opened.releases.folder(ref)) for ref in opened.releases.all_latest()]
    by_recipe: dict[str, list[Any]] = {}
    for release in releases:
        by_recipe.setdefault(release.manifest.recipe, []).append(release)
    if missing := {"demo", "nordic"} - set(by_recipe):
        sys.exit(f"{home} holds no release of {', '.join(sorted(missing))}; build recipes/demo.toml and nordic.toml")
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, chromium() as browser:
        pages = {}
        for recipe in ("demo", "nordic"):
            pages[recipe] = Path(scratch) / f"{recipe}.html"
            pages[recipe].write_bytes(report(by_recipe[recipe], opened.snapshots))
        shelf = Path(scratch) / "gallery.html"
        shelf.write_text(
            gallery([("#", release) for release in releases if release.manifest.recipe in SHOWN], opened.snapshots),
            encoding="utf-8",
        )
        _shoot(browser, pages["demo"], "page-demo", scheme="light")
        _shoot(browser, pages["nordic"], "map-helsinki", scheme="light", of="#map .mapbox")
        _shoot(browser, pages["nordic"], "map-helsinki-dark", scheme="dark", of="#map .mapbox")
        _shoot(browser, pages["nordic"], "task-helsinki", scheme="light", of="article.task .witness")
        _shoot(browser, shelf, "gallery", scheme="light")
    (IMAGES / "pictures.json").write_text(json.dumps({"made_of": made_of()}) + "\n", encoding="utf-8")


def _shoot(browser: Any, page: Path, name: str, *, scheme: str, of: str = "") -> None:
    tab = browser.new_context(viewport={"width": WIDE, "height": HIGH}, color_scheme=scheme).new_page()
    tab.goto(page.as_uri())
    path = str(IMAGES / f"{name}.jpg")
    if tab.locator("#map").count():
        for part in ("#tasks", "#map"):
            tab.locator(part).scroll_into_view_if_needed()
            tab.locator(f"{part} .mapbox[data-drawn]").wait_for(timeout=60_000)
    tab.wait_for_timeout(2500)
    if of:
        tab.locator(of).scroll_into_view_if_needed()
        tab.wait_for_timeout(1500)
        tab.locator(of).screenshot(path=path, type="jpeg", quality=QUALITY)
    else:
        tab.evaluate("scrollTo(0, 0)")
        tab.wait_for_timeout(300)
        tab.screenshot(path=path, type="jpeg", quality=QUALITY)
    tab.context.close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
