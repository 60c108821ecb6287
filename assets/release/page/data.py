"""All that the page shows of the releases of one recipe, gathered as plain data."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from typing import Any

from assets.core.opening import is_degree
from assets.families import families
from assets.release.basemap.style import style
from assets.release.card import SPLITS
from assets.release.difficulty import BASELINE
from assets.release.exporting import release_tables
from assets.release.licences import is_public, release_licences
from assets.release.measures import REFERENCE
from assets.release.page.changes import changes
from assets.release.page.flow import flow
from assets.release.page.provenance import provenance
from assets.release.page.towns import inputs_of, towns, visited_cities
from assets.release.page.ways import Ways, ways
from assets.release.reading import OpenedRelease, ReleaseError
from schemas.page import FamilyPage, PageDay, PagePlace, PageTask
from schemas.recipe import City
from schemas.source import RowPointer
from warehouse.snapshots import Snapshots

MOST_DEMANDS, MOST_STOPS = 12, 24
"""With more demands a task is too long to begin with; more stops do not make it better."""

PLAIN_NAME = re.compile(r"[\w .,&'’()/-]+")

MAX_ORIGINS = 3
"""Source records that a place's card names; its row in the release names all."""


def page_data(releases: list[OpenedRelease], snapshots: Snapshots) -> dict[str, Any]:
    """Return `overview` (all that the first view needs), `maps`, `basemaps`, `tasks` (details by id), `provenance`.

    Raises ReleaseError if the releases are not of one recipe, or two are of one family.
    """
    _require_one_recipe(releases)
    pages = [family_page(release) for release in releases]
    cities = {c["city_id"]: c for release in releases for c in release.manifest.cities}
    inputs = inputs_of(releases)
    drawn = towns([City(**city) for city in cities.values()], inputs, snapshots, pages)
    streets = ways(pages, [City(**city) for city in cities.values()], inputs, snapshots)
    visited = visited_cities([City(**city) for city in cities.values()], pages)
    first, release_parts = releases[0].manifest, told_when_whole(releases)
    overview = {
        "title": first.title,
        "recipe": first.recipe,
        "seed": first.seed,
        "releases": release_parts["releases"],
        "cities": [_city(city, is_visited=city["city_id"] in visited) for city in cities.values()],
        "missing": [m for release in releases for m in release.manifest.missing_cities],
        "flow": flow(releases),
        "licences": (licences := release_licences(inputs)),
        "is_public": is_public(licences),
        "distributions": [
            {"release": number, "title": d.title, "unit": d.unit, "from": d.published_from,
             "bars": [[bar.label, bar.here, bar.published] for bar in d.bars]}
            for number, page in enumerate(pages)
            for d in page.distributions
        ],
        "changes": release_parts["changes"],
        "first": first_task(pages),
        "difficulty": [_difficulty(release) for release in releases],
        "planners": [_planners(release) for release in releases],
        "tasks": [
            _listed(number, task, queries[task.task_id], splits.get(task.task_id, ""))
            for number, (release, page) in enumerate(zip(releases, pages, strict=True))
            for queries in [dict(zip(*(release.table("tasks")[c] for c in ("task_id", "query")), strict=True))]
            for splits in [_splits(release)]
            for task in page.tasks
        ],
    }  # fmt: skip
    details = [
        {task.task_id: _detail(task, checks.get(task.task_id, []), along[task.task_id]) for task in page.tasks}
        for release, page, along in zip(releases, pages, streets, strict=True)
        for checks in [_checks(release)]
    ]
    return {
        "overview": overview,
        "maps": {"style": style(), "grounds": drawn.grounds, "places": [_places(page.places) for page in pages]},
        "basemaps": drawn.blocks,
        "tasks": details,
        "provenance": [provenance(release, snapshots) for release in releases],
    }


def told_when_whole(releases: list[OpenedRelease]) -> dict[str, Any]:
    """Return what of the overview only a release that is there tells: its version, its files, and its changes."""
    return {
        "releases": [_release(release) for release in releases],
        "changes": [changes(release) for release in releases],
    }


def _require_one_recipe(releases: list[OpenedRelease]) -> None:
    keys = [(r.manifest.recipe, r.manifest.family) for r in releases]
    if len({recipe for recipe, _ in keys}) != 1 or len(set(keys)) != len(keys):
        listed = ", ".join(f"{recipe}/{family}" for recipe, family in keys) or "none"
        raise ReleaseError(
            f"found the releases {listed}; expected one release, or releases of different families of one recipe"
        )


def family_page(release: OpenedRelease) -> FamilyPage:
    """Return what the family tells; of a family that tells nothing, its tasks by their ids.

    Places of which an opened folder does not say where they lie are on no map.
    """
    family = families()[release.manifest.family]
    if family.page is not None:
        page: FamilyPage = family.call("page", release_tables(release), release.manifest.measures)
        located = tuple(place for place in page.places if is_degree(place.lat, 90) and is_degree(place.lon, 180))
        return replace(page, places=located)
    rows = release.table("tasks").sort_values("task_id").to_dict("records")
    return FamilyPage(tuple(PageTask(row["task_id"], row["task_id"], tuple(row["city_id"].split("+"))) for row in rows))


def first_task(pages: list[FamilyPage]) -> str:
    """Return the id of the task to show first: every stop on the map and plainly named, several demands, a full map.

    Ties go to the task with more stops, then to that which asks what was drawn, then to the first. Empty if there is
    no task.
    """

    def rank(task: PageTask) -> tuple[bool, int, int, int]:
        stops = [stop for day in task.days for stop in day.stops]
        is_whole = bool(stops) and all(stop.lat is not None and PLAIN_NAME.fullmatch(stop.name) for stop in stops)
        demands = len(task.asks) + len(task.messages)
        return is_whole, demands if demands <= MOST_DEMANDS else 0, min(len(stops), MOST_STOPS), -len(task.repairs)

    return max((task for page in pages for task in page.tasks), key=rank, default=PageTask("", "", ())).task_id


def _difficulty(release: OpenedRelease) -> list[dict[str, Any]]:
    """Return how the baseline planner and the witnesses do, where the release measured it, by each declared metric.

    Rows are {metric, says, unit, better, baseline, witness}; of a family that declares no metrics all that was
    measured, in its own names. What is read from a conversation is left out: these plans come with none.
    """
    rows = release.manifest.measures.get(BASELINE, [])
    metrics = families()[release.manifest.family].metrics
    measured = [row for row in rows if isinstance(row, dict) and {"metric", "baseline", "witness"} <= set(row)]
    if not metrics:
        return [{**row, "says": "", "unit": "", "better": ""} for row in measured]
    plan_metrics = {name: metric for name, metric in metrics.items() if metric.of == "plan"}
    return [{**row, **asdict(plan_metrics[row["metric"]])} for row in measured if row["metric"] in plan_metrics]


def _planners(release: OpenedRelease) -> list[dict[str, Any]]:
    """Return what the reference planners reach, by level, where the release was run by them."""
    return release.manifest.measures.get(REFERENCE, [])


def _release(release: OpenedRelease) -> dict[str, Any]:
    manifest = release.manifest
    return {
        "family": manifest.family,
        "family_title": families()[manifest.family].title,
        "version": release.version,
        "counts": manifest.counts,
        "engines": manifest.engines,
        "choices": manifest.choices,
        "files": [[f.path, f.rows, f.size_bytes] for f in manifest.files],
    }


def _city(city: dict[str, Any], *, is_visited: bool) -> dict[str, Any]:
    bounds = City(**city).bounds
    return {
        "city_id": city["city_id"],
        "name": city["name"],
        "region": city["region"],
        "country": city["country"],
        "box": [bounds.south, bounds.west, bounds.north, bounds.east],
        "polygon": city["polygon"],
        "is_visited": is_visited,
    }


def _places(places: tuple[PagePlace, ...]) -> dict[str, dict[str, list[list[Any]]]]:
    """Return, by city and kind, [name, lat, lon, place_id, facts, origins] of every place."""
    by_city: dict[str, dict[str, list[list[Any]]]] = {}
    for place in places:
        spot = [place.name, round(place.lat, 5), round(place.lon, 5), place.place_id, place.facts, _origins(place)]
        by_city.setdefault(place.city_id, {}).setdefault(place.kind, []).append(spot)
    return by_city


def _origins(place: PagePlace) -> list[str]:
    """Return the place's first source records in words: provider, file, where in it."""
    pointers = [RowPointer.parse(text) for text in place.source_rows[:MAX_ORIGINS]]
    return [f"{pointer.source}.{pointer.role} {pointer.locator}" for pointer in pointers]


def _splits(release: OpenedRelease) -> dict[str, str]:
    """Return the split of each task; none of a release that is not split."""
    names = [table for table in release.tables() if table.startswith(SPLITS)]
    return {task_id: name.removeprefix(SPLITS) for name in names for task_id in release.table(name)["task_id"]}


def _listed(number: int, task: PageTask, query: str, split: str) -> dict[str, Any]:
    return {
        "id": task.task_id,
        "release": number,
        "title": task.title,
        "cities": task.city_ids,
        "difficulty": task.difficulty,
        "days": len(task.days),
        "split": split,
        "query": query,
    }


def _detail(task: PageTask, checks: list[dict[str, Any]], along: list[Ways]) -> dict[str, Any]:
    return {
        "asks": task.asks,
        "repairs": task.repairs,
        "messages": task.messages,
        "days": [{**_day(day), "ways": day_ways} for day, day_ways in zip(task.days, along, strict=True)],
        "scores": task.scores,
        "remark": task.remark,
        "checks": [[check["check"], check["holds"]] for check in checks],
    }


def _day(day: PageDay) -> dict[str, Any]:
    stops = [
        [stop.what, stop.name, stop.when, stop.note, _degrees(stop.lat), _degrees(stop.lon), stop.place_id]
        for stop in day.stops
    ]
    return {"title": day.title, "note": day.note, "stops": stops}


def _degrees(value: float | None) -> float | None:
    return None if value is None else round(value, 5)


def _checks(release: OpenedRelease) -> dict[str, list[dict[str, Any]]]:
    rows = release.table("certificates")[["task_id", "checks"]].to_dict("records")
    return {row["task_id"]: row["checks"] for row in rows}
