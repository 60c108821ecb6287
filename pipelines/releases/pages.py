"""The page and the maps beside a release: drawn of it, no part of it, and drawn anew when their own code changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assets.family import Family
from assets.named import load
from assets.release import licences
from assets.release.reading import unverified_release
from assets.rows import ReleaseTables
from pipelines.releases.beside import Beside, PendingCall
from pipelines.releases.judging import Candidate
from pipelines.walk.fingerprint import Code
from schemas.errors import in_words
from schemas.recipe import City
from schemas.release import Manifest
from warehouse.home import Home
from warehouse.releases import PAGE_FILE, ReleaseRef

PAGE = "assets.release.page.render:report"
DRAWN = "assets.release.page.render:page_parts"
FINISHED = "assets.release.page.render:finish"
MAP, GROUND = "assets.spatial.map:city_map", "assets.release.basemap.city:city_map"
"""Named, so that a release does not rest on what draws it."""

MAP_NOTICE = "Drawn by tripwright from the release's tables and what its cities lie on."


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
        tell(f"the page of {ref.version} could not be drawn: {in_words(error)}")
        return
    home.store.put(key, page)
    home.store.put(mark, drawn_by)


def begin_page(beside: Beside, candidate: Candidate, measuring: PendingCall[Any]) -> PendingCall[Any] | None:
    """Return what gives the page of what is to be a release; None where it is drawn as soon by one process."""
    if beside.others is None:
        return None
    return beside.begin(drawn_page, beside.kept_tables.home_url, candidate, after=measuring)


def drawn_page(
    _family: Family, _tables: ReleaseTables, home_url: str, candidate: Candidate, measured: tuple[dict[str, Any], Any]
) -> Any:
    """Return the page of a candidate with its measures, but for what is not known before it is a release."""
    home, measures = Home(home_url), measured[0]
    measured_candidate = replace(candidate, manifest=candidate.manifest.model_copy(update={"measures": measures}))
    with home.store.scratch() as folder:
        measured_candidate.lay_out(home, folder)
        return load(DRAWN)([unverified_release(folder)], home.snapshots)


def begin_maps(beside: Beside, manifest: Manifest) -> Callable[[], dict[str, bytes]]:
    """Return what gives the map, with one witness tour, of each city that has anything to show: `maps/<city>.png`.

    A city lies on the ground that its page shows: the streets of its extract, else transit's lines and its places'
    ground.
    """
    if beside.family.map_of is None:
        return dict
    count = min(len(manifest.cities), beside.processes)
    parts = [
        beside.begin(drawn_maps, beside.kept_tables.home_url, manifest, manifest.cities[n::count], yields=True)
        for n in range(count)
    ]

    def maps() -> dict[str, bytes]:
        drawn: dict[str, bytes] = {}
        for part in parts:
            images, problems = part()
            drawn |= images
            for text in problems:
                beside.tell(text)
        return drawn

    return maps


def drawn_maps(
    family: Family, tables: ReleaseTables, home_url: str, manifest: Manifest, cities: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, bytes], list[str]]:
    """Return the maps of some of a release's cities, and what is to be told of those that lack what they could have."""
    ground_of, draw = load(GROUND), load(MAP)
    notice = f"{MAP_NOTICE} {licences.credit(manifest.licences)}".rstrip()
    snapshots = Home(home_url).snapshots
    drawn, problems = {}, []
    for city in map(City.model_validate, cities):
        try:
            city_map = family.call("map_of", tables, city.city_id)
            if city_map.points.empty:
                continue
            at = (city_map.points[side].to_numpy(dtype=float) for side in ("lat", "lon"))
            ground = ground_of(city, manifest.inputs, snapshots, *at)
            problems += [f"the map of {city.city_id}: {problem}" for problem in ground.problems]
            drawn[f"maps/{city.city_id}.png"] = draw(
                city.name, city_map.points, tour=city_map.tour, ground=ground.basemap, attribution=notice
            )
        except Exception as error:  # as for pages
            problems.append(f"the map of {city.city_id} could not be drawn: {in_words(error)}")
    return drawn, problems
