"""The cities that rows say they are of: the release's and no other, and of a place the city of the place's own row."""

from __future__ import annotations

from collections.abc import Iterator

from assets.families import all_steps
from assets.family import Family
from assets.promises.own_ids import OF_CITIES
from assets.release.audit_differences import OTHERWISE
from assets.release.reading import OpenedRelease
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
    known = {city["city_id"] for city in (*manifest.cities, *manifest.missing_cities)}
    tables = [t for t in (*family.world_tables, *family.context) if t.table_name() in files]
    for table in tables:
        for column in (c.name for c in table.columns() if c.name.endswith(OF_CITIES) and not c.shape.is_nested):
            name = table.table_name()
            if strange := sorted({*release.rows(name, (column,))[column].unique().to_pylist()} - {*known, None}):
                yield f"{name}.parquet: {column} is {in_short(strange)}, no city of the release: {OTHERWISE}"
    steps = {name: step.per for name, step in all_steps([family]).items()}
    dropped = release.rows("rejections", ("step", "city_id")).group_by(["step", "city_id"]).aggregate([])
    for row in dropped.to_pylist():
        is_city_s, city_id = steps.get(row["step"]) == "city", row["city_id"]
        if row["step"] in steps and city_id not in (known if is_city_s else {""}):
            expected = "a city of the release" if is_city_s else "none"
            named = f"rejections.parquet: {row['step']} rejects rows of city {city_id[:60]!r}"
            yield f"{named}, expected {expected}: {OTHERWISE}"
    yield from _of_places(release, [t for t in tables if {"city_id", "place_id"} <= {c.name for c in t.columns()}])


def _of_places(release: OpenedRelease, tables: list[type[Table]]) -> Iterator[str]:
    """Yield the tables that say of a place another city than its own row does, which points to its records."""
    pairs = {}
    for table in tables:
        rows = release.rows(table.table_name(), PAIR)
        pairs[table.table_name()] = {*zip(*(rows[name].to_pylist() for name in PAIR), strict=True)}
    columns = {table.table_name(): {column.name for column in table.columns()} for table in tables}
    own = {pair for name, held in pairs.items() if columns[name] >= PLACED for pair in held}
    places = {place_id for _, place_id in own}
    for name, held in pairs.items():
        if strange := sorted(pair for pair in held - own if pair[1] in places):
            city_id, place_id = strange[0]
            yield f"{name}.parquet: {len(strange)} places are of another city, as {place_id} of {city_id}: {OTHERWISE}"
