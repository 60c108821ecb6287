"""The page and the maps beside a release: drawn of it, no part of it, and drawn anew when their own code changes."""

from __future__ import annotations

from collections.abc import Callable

from assets.family import Family, ReleaseTables
from assets.named import load
from assets.release.reading import unverified_release
from pipelines.walk.fingerprint import Code
from schemas.recipe import City
from warehouse.home import Home
from warehouse.releases import ReleaseRef

PAGE = "assets.release.page.render:report"
"""Named, so that a release does not rest on what draws it."""

MAP_NOTICE = "Drawn by tripwright from the release's own tables; its licences are in the manifest."


def page_code(family: Family, code: Code) -> str:
    """Return the hash of all code that a page of the family is drawn by."""
    return code.hash_of(PAGE, *(name for name in (family.page,) if name))


def write_page(home: Home, ref: ReleaseRef, family: Family, code: Code, tell: Callable[[str], None]) -> None:
    """Write the release's page beside it, unless the one that is there was drawn by the same code.

    So a page that a killed build did not write is written by the next, and one whose code was changed is drawn again.
    """
    key, mark = f"{ref.key}/record/report.html", f"{ref.key}/record/report.code"
    drawn_by = page_code(family, code).encode()
    if home.store.exists(key) and home.store.read_if_there(mark) == drawn_by:
        return
    try:
        page = load(PAGE)([unverified_release(home.releases.folder(ref))], home.snapshots)
    except Exception as error:  # a page that cannot be drawn stops no release, and is told
        tell(f"the page of {ref.version} could not be drawn: {type(error).__name__}: {error}")
        return
    home.store.put(key, page.encode())
    home.store.put(mark, drawn_by)


def maps(family: Family, cities: list[City], tables: ReleaseTables, tell: Callable[[str], None]) -> dict[str, bytes]:
    """Return the map, with one witness tour, of each city that has anything to show, as `maps/<city>.png`."""
    if family.map_of is None:
        return {}
    from assets.spatial.map import city_map

    drawn = {}
    for city in cities:
        try:
            shown = family.call("map_of", tables, city.city_id)
            if not shown.points.empty:
                picture = city_map(city.name, shown.points, tour=shown.tour, attribution=MAP_NOTICE)
                drawn[f"maps/{city.city_id}.png"] = picture
        except Exception as error:  # as for pages
            tell(f"the map of {city.city_id} could not be drawn: {type(error).__name__}: {error}")
    return drawn
