"""The cities that rows say they are of: the release's and no other, and of a place one in which it lies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress

import numpy as np

from assets.families import all_steps
from assets.family import Family
from assets.promises.own_ids import OF_CITIES
from assets.release.audit_differences import OTHERWISE
from assets.release.reading import OpenedRelease
from schemas.counts import counted
from schemas.recipe import City
from schemas.shown import in_short
from schemas.table import Table

PAIR = ("city_id", "place_id")
PLACED = {"source_rows", "lat", "lon"}
"""The columns of a table whose rows are places: their records and where they lie decide of which city they are."""


def cities_otherwise(release: OpenedRelease, family: Family) -> Iterator[str]:
    """Yield the rows' cities that are none of the release's, nor missing in it, or are not those of their places.

    What a step of the whole recipe dropped is of no city, and what a step of cities dropped is of one.
    """
    manifest = release.manifest
    files = {file.path.removesuffix(".parquet") for file in manifest.files}
    own_city_ids = {city["city_id"] for city in (*manifest.cities, *manifest.missing_cities)}
    tables = [t for t in (*family.world_tables, *family.context) if t.table_name() in files]
    for table in tables:
        for column in (c.name for c in table.columns() if c.name.endswith(OF_CITIES) and not c.shape.is_nested):
            name = table.table_name()
            if strange := sorted({*release.rows(name, (column,))[column].unique().to_pylist()} - {*own_city_ids, None}):
                yield f"{name}.parquet: {column} is {in_short(strange)}, no city of the release: {OTHERWISE}"
    steps = {name: step.per for name, step in all_steps([family]).items()}
    dropped = release.rows("rejections", ("step", "city_id")).group_by(["step", "city_id"]).aggregate([])
    for row in dropped.to_pylist():
        is_city_s, city_id = steps.get(row["step"]) == "city", row["city_id"]
        if row["step"] in steps and city_id not in (own_city_ids if is_city_s else {""}):
            expected = "a city of the release" if is_city_s else "none"
            where = f"rejections.parquet: {row['step']} rejects rows of city {city_id[:60]!r}"
            yield f"{where}, expected {expected}: {OTHERWISE}"
    yield from _of_places(release, [t for t in tables if {"city_id", "place_id"} <= {c.name for c in t.columns()}])


def _of_places(release: OpenedRelease, tables: list[type[Table]]) -> Iterator[str]:
    """Yield the tables that say of a place a city in which its own row, which points to its records, does not lie.

    Of cities that overlap a place may be in both, and a table of places may have kept it in one.
    """
    lies_at: dict[str, tuple[float, float]] = {}
    pairs: dict[str, set[tuple[str, str]]] = {}
    for table in tables:
        is_placed = {column.name for column in table.columns()} >= PLACED
        rows = release.rows(table.table_name(), (*PAIR, *(("lat", "lon") if is_placed else ())))
        city_ids, place_ids = (rows[name].to_pylist() for name in PAIR)
        if is_placed:  # in which city it lies is judged with its records
            lies_at |= zip(place_ids, zip(rows["lat"].to_pylist(), rows["lon"].to_pylist(), strict=True), strict=True)
        else:
            pairs[table.table_name()] = set(zip(city_ids, place_ids, strict=True))
    for city in (City(**city) for city in release.manifest.cities):
        for name, city_and_place in pairs.items():
            place_ids = sorted(
                place for city_id, place in city_and_place if city_id == city.city_id and place in lies_at
            )
            lats, lons = np.array([lies_at[place] for place in place_ids], np.float64).reshape(-1, 2).T
            if strange := [*compress(place_ids, ~city.contains(lats, lons))]:
                where = f"{counted(len(strange), 'place')} elsewhere, as {strange[0]}"
                yield f"{name}.parquet: of {city.city_id} {where}: {OTHERWISE}"
