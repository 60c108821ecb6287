"""The gallery: one page over the newest releases of a home, a card with a map for each recipe.

It has no script; while a home is still being built it has one, which opens the page again.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from assets.families import families
from assets.release.basemap.city import city_map
from assets.release.basemap.style import DARK, LIGHT
from assets.release.basemap.thumbnail import thumbnail
from assets.release.page.data import family_page
from assets.release.page.flow import INVENTED
from assets.release.page.towns import inputs_of, positions, visited_cities
from assets.release.reading import OpenedRelease
from schemas.counts import counted
from schemas.page import FamilyPage
from schemas.recipe import City
from sources.registry import SOURCES
from warehouse.snapshots import Snapshots

STYLE = Path(__file__).parent / "web" / "gallery.css"
MAX_CITIES = 6
"""Cities that a card names; the rest are counted."""


AGAIN = "setInterval(()=>{document.hidden||location.reload()},3000)"
"""The script of a page that grows."""


@dataclass(frozen=True)
class Cards:
    """The cards as HTML, and how many of the releases' tasks are certified."""

    html: str
    tasks: int
    certified: int


def gallery(shelves: Iterable[tuple[str, OpenedRelease]], snapshots: Snapshots) -> str:
    """Return the HTML of the gallery; `shelves` are the address of each release's page and the release."""
    return page_of(cards(shelves, snapshots))


def cards(shelves: Iterable[tuple[str, OpenedRelease]], snapshots: Snapshots) -> Cards:
    """Return a card for each recipe, of the address of each release's page and the release."""
    by_recipe: dict[str, list[tuple[str, OpenedRelease]]] = {}
    for address, release in shelves:
        by_recipe.setdefault(release.manifest.recipe, []).append((address, release))
    counts = [r.manifest.counts for recipe_shelves in by_recipe.values() for _, r in recipe_shelves]
    return Cards(
        "".join(_card(recipe_shelves, snapshots) for _, recipe_shelves in sorted(by_recipe.items())),
        sum(count["tasks"] for count in counts),
        sum(count["certified"] for count in counts),
    )


def page_of(release_cards: Cards, running: str = "") -> str:
    """Return the HTML of the gallery; `running` says how far a build is that adds to it, empty if there is none."""
    style = _colours() + STYLE.read_text(encoding="utf-8")
    script = f"<script>{AGAIN}</script>" if running else ""
    policy = f"default-src 'none'; style-src '{_digest(style)}'; base-uri 'none'; form-action 'none'"
    policy += f"; script-src '{_digest(AGAIN)}'" if running else ""
    status = f'<p class="running" role="status">More is being built: {_text(running)}.</p>' if running else ""
    behaves = "runs one line of script, which opens it again" if running else "runs no script"
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">',
            f"<title>Benchmarks built by tripwright</title><style>{style}</style></head><body><main>",
            f"<h1>Travel-planning benchmarks</h1>{status}",
            f'<p class="lead">{release_cards.certified:,} of {counted(release_cards.tasks, "task")} certified '
            "solvable, in the newest releases of this home. A card leads to its page: the map, the tasks with their "
            "plans, and where every value comes from.</p>",
            f'<ul class="cards">{release_cards.html}</ul>'
            if release_cards.html
            else "<p>This home holds no release yet.</p>",
            f"<footer><p>Made by tripwright. This file asks nothing of any server and {behaves}.</p></footer>",
            f"</main>{script}</body></html>\n",
        ]
    )


def _digest(text: str) -> str:
    """Return what a policy names a script or style by."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _card(recipe_shelves: list[tuple[str, OpenedRelease]], snapshots: Snapshots) -> str:
    first = recipe_shelves[0][1].manifest
    releases = [release for _, release in recipe_shelves]
    cities = {c["city_id"]: City(**c) for release in releases for c in release.manifest.cities}
    pages = [family_page(release) for release in releases]
    visited = visited_cities(list(cities.values()), pages)
    names = [_text(city.name) for city in cities.values() if city.city_id in visited] or [_text(first.title)]
    more = f" and {len(names) - MAX_CITIES} more" if len(names) > MAX_CITIES else ""
    invented = {s.source for r in releases for s in r.manifest.inputs if s.licence_id == INVENTED}
    real = {s.source for r in releases for s in r.manifest.inputs if s.licence_id != INVENTED}
    titles = sorted(SOURCES[name].title if name in SOURCES else name for name in invented)
    data = "Real data" if not invented else f"Real data; invented: {', '.join(titles)}"
    data = data if real else "Invented data"
    attribution = sorted(
        {
            who
            for r in releases
            for entry in r.manifest.licences
            if entry["licence_id"] != INVENTED
            for who in entry["attribution"]
        }
    )
    families_by_name = {family.name: family.title for family in families().values()}
    links = "".join(
        f'<li><a href="{html.escape(address)}">{_text(families_by_name.get(r.manifest.family, r.manifest.family))}</a> '
        f"<span>{r.manifest.counts['certified']:,} of {counted(r.manifest.counts['tasks'], 'task')} certified</span>"
        "</li>"
        for address, r in recipe_shelves
    )
    picture = _picture(releases, list(cities.values()), pages, snapshots)
    return (
        f'<li class="card">{picture}<div><h2>{_text(first.title)}</h2>'
        f'<p class="cities">{", ".join(names[:MAX_CITIES])}{more}</p><ul>{links}</ul>'
        f'<p class="data">{_text(data)}. {_text("; ".join(attribution))}</p></div></li>'
    )


def _picture(releases: list[OpenedRelease], cities: list[City], pages: list[FamilyPage], snapshots: Snapshots) -> str:
    """Return the map of the city with the most places; an empty frame where it cannot be drawn."""
    try:
        places = positions(cities, pages)
        city = max(cities, key=lambda one: len(places[one.city_id]))
        lat, lon = places[city.city_id].T
        return thumbnail(city_map(city, inputs_of(releases), snapshots, lat, lon).basemap, lat, lon)
    except Exception:  # whatever the inputs hold, one picture never stops the others
        return '<p class="none">No map could be drawn.</p>'


def _colours() -> str:
    """Return the style's colours as custom properties, light and dark."""
    names = ("land", "water", "built", "wood", "park", "minor", "primary", "casing", "motorway", "transit", "stay")
    return ":root{" + "".join(f"--{n}:light-dark({LIGHT[n]},{DARK[n]});" for n in names) + "}"


def _text(text: str) -> str:
    """Return text as text, in its own direction of writing."""
    return f"<bdi>{html.escape(text)}</bdi>"
