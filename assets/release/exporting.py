"""Writing a release in its family's published shape, into a folder that holds all of it or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from assets.families import families
from assets.family import Family
from assets.promises.faithful import exported_files, not_as_judged
from assets.release.reading import NO_SOLUTION, PUBLISHED, OpenedRelease, ReleaseError, require_ours
from assets.release.spreadsheets import safe_csv
from assets.rows import LazyFiles, LazyFrames, ReleaseTables
from schemas.generation import Generation
from schemas.rejection import Rejection
from schemas.table import Table
from warehouse.disk import writing
from warehouse.owners import part

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


SHOWN = 5


def released_tables(family: Family) -> dict[str, type[Table]]:
    """Return the table that each Parquet file of a family's release holds; splits hold its tasks."""
    tables: dict[str, type[Table]] = {f"{family.file_of(table)}.parquet": table for table in family.released}
    return {**tables, "generations.parquet": Generation, "rejections.parquet": Rejection}


def release_tables(release: OpenedRelease) -> ReleaseTables:
    """Return the release's tables by the names their family declares, and its section of the recipe."""
    family = families()[release.manifest.family]

    def read(table: type[Table], file: str) -> pd.DataFrame | pa.Table:
        is_arrow = table in family.arrow
        columns = table.columns_without_sources() if is_arrow else None
        rows = release.rows(file, columns, table.repeated_texts() if is_arrow else ())
        names = columns or [c.name for c in table.columns()]
        lacking = sorted(set(names) - set(rows.column_names))
        if not lacking and not is_arrow:
            lacking = [part for name in names for part in _lacking(table.arrow_schema().field(name), rows.schema)]
        if lacking:
            raise ReleaseError(
                f"{release.folder}: found no column {', '.join(lacking[:SHOWN])} in {file}.parquet, which this "
                f"tripwright's releases of {family.name} have. Use the tripwright that made the release, or build it "
                "again."
            )
        return rows if is_arrow else table.frame(rows)

    files = {family.file_of(table): table for table in family.released}
    frames = LazyFrames({file: partial(read, table, file) for file, table in files.items()})
    published = LazyFiles(release.published) if release.manifest.opened else None
    return ReleaseTables(frames, release.manifest.section, published)


def _lacking(declared: pa.Field, found_schema: pa.Schema) -> list[str]:
    """Return the parts of a nested column that are not held as declared; none of a column that nobody knows."""
    import pyarrow as pa

    def parts(path: str, declared: pa.DataType, found_type: pa.DataType) -> Iterator[str]:
        if pa.types.is_null(found_type):
            return
        if pa.types.is_struct(declared):
            names = {field.name for field in found_type} if pa.types.is_struct(found_type) else set()
            for field in declared:
                if field.name in names:
                    yield from parts(f"{path}.{field.name}", field.type, found_type.field(field.name).type)
                else:
                    yield f"{path}.{field.name}"
        elif pa.types.is_list(declared):
            if pa.types.is_list(found_type):
                yield from parts(f"{path}[]", declared.value_type, found_type.value_type)
            else:
                yield f"{path}[]"

    return list(parts(declared.name, declared.type, found_schema.field(declared.name).type))


@dataclass(frozen=True)
class Export:
    """What was written: each file's size in bytes by its path, and how many cells of CSV are formulas to a spreadsheet.

    Those are as published, or, with `is_safe`, have an apostrophe before them.
    """

    sizes: dict[str, int]
    formula_cells: int
    is_safe: bool
    is_judged_anew: bool
    """Whether the release does not say that these files were judged when it was made, so that they were judged now."""


def export_release(
    release: OpenedRelease, family_name: str, folder: Path, *, is_safe: bool = False, is_upstream: bool = False
) -> Export:
    """Write the published files below `folder`; with `is_safe`, no cell of CSV is a formula to a spreadsheet.

    With `is_upstream` they stand in the published repository's own tree, beside a README. The files are those that were
    judged when the release was made; others, as another version of tripwright may write them, are judged first.
    Raises ReleaseError if the release is of another family or the folder is not empty, for a published folder that was
    opened, which has its files already, and for files that do not hold.
    """
    require_ours(release, f"exported: its files, as published, are in {release.folder / PUBLISHED}")
    if family_name != release.manifest.family:
        raise ReleaseError(
            f"the release is of family {release.manifest.family}, not {family_name!r}; use its own format"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ReleaseError(f"{folder}: found something there; expected an empty folder or none. Name another.")
    family = families()[family_name]
    tables = release_tables(release)
    files = exported_files(family, tables)
    _require_apart(files, family.name)
    is_judged_anew, problems = not_as_judged(family, release, tables, files)
    if problems:
        raise ReleaseError(
            f"{release.folder}: its export comes out otherwise than was judged when it was made, and does not hold:\n"
            + "\n".join(f"  - {problem}" for problem in problems[:SHOWN])
            + (f"\n  - and {len(problems) - SHOWN} more" if len(problems) > SHOWN else "")
            + "\nUse the tripwright that made the release, or build it again."
        )
    if is_upstream:
        if family.upstream is None:
            raise ReleaseError(f"{family.title} has no published repository whose tree it could be written in")
        files = family.call("upstream", files)
    _require_apart(files, family.name)
    extra = release.folder / NO_SOLUTION
    files = {**files, **({NO_SOLUTION: extra.read_bytes()} if extra.is_file() else {})}
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = part(folder.parent)
    try:
        unfinished.mkdir()
        sizes, formulas = {}, 0
        for name, data in files.items():
            if name.endswith(".csv"):
                joined = data if isinstance(data, bytes) else b"".join(data)
                safe, count = safe_csv(joined)
                data, formulas = safe if is_safe else joined, formulas + count
            sizes[name] = _write(unfinished / name, data)
        unfinished.replace(folder)
    except BaseException as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        if isinstance(error, OSError) and isinstance(error.filename, str | Path):
            error.filename = str(error.filename).replace(str(unfinished), str(folder))
        raise
    return Export(sizes, formulas, is_safe, is_judged_anew)


def _require_apart(names: Iterable[str], family: str) -> None:
    """Raise ReleaseError for a file's name that leads out of the folder, or to where another file stands.

    Two names for one file would leave one of both, on some disks also where they differ in case alone.
    """
    paths_taken = {NO_SOLUTION}
    for name in names:
        path = PurePosixPath(name)
        is_plain = name.isprintable() and "\\" not in name and path.as_posix() == name
        if not is_plain or path.is_absolute() or not path.parts or ".." in path.parts:
            raise ReleaseError(f"{family}: its export gives the file {name[:80]!r}; expected a path below the folder")
        if name.casefold() in paths_taken:
            raise ReleaseError(
                f"{family}: its export gives the file {name[:80]!r}, where another stands; expected one of that name, "
                f"whatever its letters' case, and none called {NO_SOLUTION}"
            )
        paths_taken.add(name.casefold())


def _write(path: Path, data: bytes | Iterable[bytes]) -> int:
    """Write a file whole or piece by piece and return its size, bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    size = len(data) if isinstance(data, bytes) else None
    with writing(f"the exported {path.name}", path.parent, size_bytes=size), path.open("wb") as file:
        file.writelines([data] if isinstance(data, bytes) else data)
    return path.stat().st_size
