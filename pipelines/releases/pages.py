"""The page and the maps beside a release: drawn of it, no part of it, and drawn anew when their own code changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from assets.family import Family, ReleaseTables
from assets.named import load
from assets.release.reading import unverified_release
from pipelines.releases.beside import Begun, Beside
from pipelines.releases.judging import Candidate
from pipelines.walk.fingerprint import Code
from warehouse.home import Home
from warehouse.releases import PAGE_FILE, ReleaseRef

PAGE = "assets.release.page.render:report"
DRAWN = "assets.release.page.render:drawn"
FINISHED = "assets.release.page.render:finished"
"""Named, so that a release does not rest on what draws it."""

MAP_NOTICE = "Drawn by tripwright from the release's own tables."


def page_code(family: Family, code: Code) -> str:
    """Return the hash of all code that a page of the family is drawn by."""
    return code.hash_of(PAGE, *(name for name in (family.page,) if name))


def write_page(
    home: Home,
    ref: ReleaseRef,
    family: Family,
    code: Code,
    tell: Callable[[str], None],
    drawn: Callable[[], Any] | None = None,
) -> None:
    """Write the release's page beside it, unless the one that is there was drawn by the same code.

    It is drawn here, or `drawn` gives it as `begin_page` does. So a page that a killed build did not write is written
    by the next, and one whose code was changed is drawn again.
    """
    key, mark = f"{ref.key}/{PAGE_FILE}", f"{ref.key}/record/report.code"
    drawn_by = page_code(family, code).encode()
    if home.store.exists(key) and home.store.read_if_there(mark) == drawn_by:
        return
    try:
        releases = [unverified_release(home.releases.folder(ref))]
        page = load(FINISHED)(drawn(), releases) if drawn is not None else load(PAGE)(releases, home.snapshots)
    except Exception as error:  # a page that cannot be drawn stops no release, and is told
        tell(f"the page of {ref.version} could not be drawn: {type(error).__name__}: {error}")
        return
    home.store.put(key, page)
    home.store.put(mark, drawn_by)


def begin_page(beside: Beside, candidate: Candidate, measuring: Begun[Any]) -> Begun[Any] | None:
    """Return what gives the page of what is to be a release; None where it is drawn as soon by one process."""
    if beside.others is None:
        return None
    return beside.begun(drawn_page, beside.kept.home_url, candidate, after=measuring)


def drawn_page(
    _family: Family, _tables: ReleaseTables, home_url: str, candidate: Candidate, measured: tuple[dict[str, Any], Any]
) -> Any:
    """Return the page of a candidate with its measures, but for what is not known before it is a release."""
    home, measures = Home(home_url), measured[0]
    measured_candidate = replace(candidate, manifest=candidate.manifest.model_copy(update={"measures": measures}))
    with home.store.scratch() as folder:
        measured_candidate.lay_out(home, folder)
        return load(DRAWN)([unverified_release(folder)], home.snapshots)


def begin_maps(beside: Beside, cities: Mapping[str, str], owners: str) -> Callable[[], dict[str, bytes]]:
    """Return what gives the map, with one witness tour, of each city that has anything to show: `maps/<city>.png`.

    `cities` are names by id.
    """
    if beside.family.map_of is None:
        return dict
    count = min(len(cities), beside.processes)
    parts = [
        beside.begun(drawn_maps, dict(islice(cities.items(), n, None, count)), owners, yields=True)
        for n in range(count)
    ]

    def maps() -> dict[str, bytes]:
        drawn: dict[str, bytes] = {}
        for part in parts:
            pictures, problems = part()
            drawn |= pictures
            for text in problems:
                beside.tell(text)
        return drawn

    return maps


def drawn_maps(
    family: Family, tables: ReleaseTables, cities: Mapping[str, str], owners: str
) -> tuple[dict[str, bytes], list[str]]:
    """Return the maps of some cities, and what is to be told of those that cannot be drawn."""
    from assets.spatial.map import city_map

    notice = f"{MAP_NOTICE} {owners}".rstrip()
    drawn, problems = {}, []
    for city_id, name in cities.items():
        try:
            shown = family.call("map_of", tables, city_id)
            if not shown.points.empty:
                drawn[f"maps/{city_id}.png"] = city_map(name, shown.points, tour=shown.tour, attribution=notice)
        except Exception as error:  # as for pages
            problems.append(f"the map of {city_id} could not be drawn: {type(error).__name__}: {error}")
    return drawn, problems
