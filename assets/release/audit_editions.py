"""What a public edition says of itself, held against its files as far as no withheld value is asked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from assets.families import families
from assets.promises.whole import whole
from assets.release.audit_differences import OTHERWISE, different
from assets.release.audit_said import declared_otherwise, licences_by_row, sizes_otherwise
from assets.release.audit_words import draws_otherwise, engines_otherwise
from assets.release.licences import columns_under
from assets.release.measures import release_counts
from assets.release.reading import OpenedRelease
from assets.release.withholding import forbidden_leaves, lacks, what_is_left
from assets.rows import ReleaseTables
from schemas.counts import counted
from schemas.generation import Generation
from schemas.nested import Leaf
from schemas.release import ColumnsUnder, Manifest
from schemas.shown import in_short
from schemas.table import Column, Table
from schemas.task import Certificate, LineageEdge, Task
from warehouse.snapshots import Snapshots

OF_OTHER_ROWS = (Task, Certificate, LineageEdge, Generation)
"""Tables whose rows are under licences of others, which an edition may not name: what is found here is the least."""


def edition_otherwise(release: OpenedRelease, snapshots: Snapshots) -> list[str]:
    """Return what an edition says and its files do not bear out: counts, accounting, declarations, licences, withheld.

    Not its measures, facts and promises: they are the whole release's, and rest on values that are not here.
    """
    manifest, family = release.manifest, families()[release.manifest.family]
    frames = {name: release.rows(name, ("task_id", "city_id")).to_pandas() for name in ("tasks", "certificates")}
    counts = release_counts(family, ReleaseTables(frames, manifest.section), manifest.accounting)
    files, under, lacking = licences_by_row(release, snapshots)
    most_rows = {
        name: rows.num_rows
        for name, (table, rows) in files.items()
        if issubclass(table, OF_OTHER_ROWS) or _lacks_computed(manifest, table, name)
    }
    return [
        *declared_otherwise(manifest, family),
        *different("counts", manifest.counts, counts),
        *whole(release, family),
        *draws_otherwise(release, family),
        *engines_otherwise(release, family),
        *sizes_otherwise(manifest, snapshots),
        *(_under(manifest, columns_under(files, under), most_rows) if not lacking else ()),
        *_cells(release, files, under if not lacking else {}, most_rows if not lacking else files),
        *_of_the_whole(manifest),
    ]


def _lacks_computed(manifest: Manifest, table: type[Table], file: str) -> bool:
    """Return whether an edition says to lack what is computed in a table: of which rows, what is not here decides."""
    assert manifest.withheld is not None
    cells = manifest.withheld.cells.get(file.removesuffix(".parquet"), {})
    return any(column.name in cells for column in table.columns() if column.holds == "derived")


def _under(manifest: Manifest, recount: list[ColumnsUnder], most: Mapping[str, int]) -> Iterator[str]:
    """Yield the tables that are said to be under other licences than the rows that are here.

    `most` are the files of which more rows may be under a licence than are found here, and how many rows they have.
    """
    expected = {entry.key: entry for entry in what_is_left(recount)}
    stated = {entry.key: entry for entry in manifest.columns_under}
    for key in sorted({*stated, *expected}):
        stated_entry, expected_entry = stated.get(key), expected.get(key)
        if stated_entry and (expected_entry.rows if expected_entry else 0) < stated_entry.rows <= most.get(
            f"{key[0]}.parquet", 0
        ):
            expected_entry = (expected_entry or stated_entry).model_copy(update={"rows": stated_entry.rows})
        if stated_entry != expected_entry:
            rows = [entry.rows if entry else 0 for entry in (stated_entry, expected_entry)]
            difference = (
                f"columns_under: says {counted(rows[0], 'row')} of {key[0]} are under {key[1]}, found {rows[1]}"
            )
            yield f"manifest.json: {difference}: {OTHERWISE}"
    if len(stated) != len(manifest.columns_under):
        yield f"manifest.json: columns_under: says of a table twice what is under a licence: {OTHERWISE}"


def _cells(
    release: OpenedRelease,
    files: Mapping[str, tuple[type[Table], Any]],
    under: Mapping[str, Any],
    rest_elsewhere: Collection[str],
) -> Iterator[str]:
    """Yield the columns that are said to lack other values than their rows' licences (`under`) forbid to share.

    Of files that `rest_elsewhere`, whose rows may be under more, those said to lack more values than they do.
    """
    withheld = release.manifest.withheld
    assert withheld is not None
    expected = {
        name: {leaf.name: int(mask.sum()) for _, leaf, mask in forbidden_leaves(table, under[name])}
        for name, (table, _) in files.items()
        if name in under
    }
    stated = {f"{table}.parquet": columns for table, columns in withheld.cells.items()}
    for name in sorted({*stated, *expected}):
        stated_counts, least_counts = stated.get(name, {}), expected.get(name, {})
        if name not in rest_elsewhere and under:
            yield from different(f"withheld: {name}", stated_counts, least_counts)
        elif any(stated_counts.get(leaf, 0) < count for leaf, count in least_counts.items()):
            yield (
                f"manifest.json: withheld: {name}: says {in_short(stated_counts)}, found more, "
                f"{in_short(least_counts)}: {OTHERWISE}"
            )
        else:
            columns = files[name][0].columns() if name in files else ()
            leaves = {leaf.name: (column, leaf) for column in columns for leaf in column.leaves}
            for leaf_name, count in stated_counts.items():
                lacking = _lacking(release, name, *leaves[leaf_name]) if leaf_name in leaves else 0
                if not 0 < count <= lacking:
                    yield f"{name}: {leaf_name} lacks {counted(lacking, 'value')}; the manifest says {count}"


def _lacking(release: OpenedRelease, name: str, column: Column, leaf: Leaf) -> int:
    """Return in how many rows of a file nothing stands at a leaf."""
    rows = release.rows(name.removesuffix(".parquet"), (column.name,))
    return sum(lacks(column, leaf, value) for value in rows[column.name].to_pylist())


def _of_the_whole(manifest: Manifest) -> Iterator[str]:
    """Yield what is said of the whole release's files, and those that are the same here say otherwise."""
    withheld = manifest.withheld
    assert withheld is not None
    if withheld.left_out:
        yield f"manifest.json: withheld: leaves out {in_short(withheld.left_out)}, as no build does: {OTHERWISE}"
    tables = {file.path: file.sha256 for file in manifest.files if file.path.endswith(".parquet")}
    if others := tables.keys() ^ {path for path in withheld.files if path.endswith(".parquet")}:
        yield f"manifest.json: withheld: the whole release has other tables than are here: {in_short(sorted(others))}"
    for path in sorted(tables.keys() & withheld.files.keys()):
        if path.removesuffix(".parquet") not in withheld.cells and withheld.files[path] != tables[path]:
            yield f"{path}: lacks nothing, and is another file than the whole release is said to have"
