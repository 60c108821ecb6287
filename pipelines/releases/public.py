"""What of a release may be made public: all of it, or an edition that lacks the values that a licence forbids."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from assets.family import Family
from assets.release import card, croissant
from assets.release.exporting import released_tables
from assets.release.licences import row_licences, sharing_problems
from assets.release.origins import Origins, licences_by_pointers
from assets.release.reading import open_release
from assets.release.withheld_repeats import Files, repeats, said_as_ours, withheld_texts
from assets.release.withholding import (
    LOCK,
    PICTURES,
    RECIPE,
    sealed_hashes,
    withheld_manifest,
    withheld_rows,
)
from pipelines.walk.recipes import LoadedRecipe
from schemas.errors import ExpectedError
from schemas.recipe import RecipeLock
from schemas.release import Manifest
from schemas.table import Table
from warehouse.home import Home
from warehouse.releases import ReleaseRef

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

Sharing = Literal["private", "public", "withhold"]
"""Who a release is for: its maker; everybody, refused if a licence forbids it; everybody, less what one forbids."""


SAID = ("measures", "facts", "choices", "rules", "missing_cities", "retired", "promises", "accounting", "counts")
"""Parts of a manifest that families and steps write."""


class NotShareableError(ExpectedError):
    """A release that was to be public holds what may not be shared; names every table, column, row count, licence."""


def require_shareable(manifest: Manifest, sharing: Sharing) -> None:
    """Raise NotShareableError if the release is to be public and a licence forbids that."""
    problems = sharing_problems(manifest) if sharing == "public" else []
    if problems:
        listed = "\n".join(f"  - {problem}" for problem in problems)
        raise NotShareableError(
            f"{manifest.recipe}/{manifest.family}: may not be made public; nothing is released:\n{listed}\n"
            "Add --withhold to release these columns as pointers and hashes, or bind sources that may be shared."
        )


def public_edition(
    home: Home,
    ref: ReleaseRef,
    loaded: LoadedRecipe,
    lock: RecipeLock,
    family: Family,
    origins: Origins,
    verified: Collection[str],
    sharing: Sharing,
) -> ReleaseRef | None:
    """Return what may be shared of a release: itself, or its edition without the forbidden values, made if need be.

    None for a release that stays private.
    """
    if sharing == "private":
        return None
    release = open_release(home.releases.folder(ref))
    if not sharing_problems(release.manifest):
        return ref
    declared = released_tables(family)
    files = {
        file.path: (declared.get(file.path, family.tables.task), release.rows(file.path.removesuffix(".parquet")))
        for file in release.manifest.files
        if file.path.endswith(".parquet")
    }
    under = row_licences(files, origins, licences_by_pointers(files, origins, verified))
    unsealed = {name: withheld_rows(table, rows, under[name]) for name, (table, rows) in files.items()}
    sealed = sealed_hashes({name: rows for name, (_, rows, _) in unsealed.items()})
    public_tables = {name: (table, sealed[name], lacking) for name, (table, _, lacking) in unsealed.items()}
    _require_said_once(release.manifest, files, public_tables, under)
    cells = {name.removesuffix(".parquet"): lacking for name, (_, _, lacking) in public_tables.items() if lacking}
    manifest = withheld_manifest(release.manifest, ref.version, cells, [])
    drawn = [] if manifest.lacking_tables else sorted((release.folder / PICTURES).glob("*.png"))
    versions = {name: (table, home.tables.write(table, rows)) for name, (table, rows, _) in public_tables.items()}
    described = home.public.file_descriptions(versions)
    texts = {
        "README.md": card.dataset_card(
            manifest,
            {file.path: file.rows or 0 for file in described},
            *(public_tables[f"{name}.parquet"][1] for name in ("tasks", "certificates")),
        ).encode(),
        croissant.FILE_NAME: croissant.croissant(manifest, {n: table for n, (table, _) in versions.items()}, described),
        RECIPE: loaded.path.read_bytes(),
        LOCK: (lock.sealed().model_dump_json(indent=1) + "\n").encode(),
    }
    record = {f"{PICTURES.removeprefix('record/')}{path.name}": path.read_bytes() for path in drawn}
    return home.public.publish(manifest, versions, texts, record)[0]


def _require_said_once(
    manifest: Manifest,
    files: Files,
    public_tables: Mapping[str, tuple[type[Table], pa.Table, dict[str, int]]],
    under: Mapping[str, np.ndarray],
) -> None:
    """Raise NotShareableError if what is withheld stands elsewhere: in measures, in tasks, or in a table as ours."""

    def public_values() -> Iterator[tuple[str, Any]]:
        for name in SAID:
            yield f"manifest.json {name}", getattr(manifest, name)
        for name in ("tasks.parquet", "certificates.parquet"):
            for row in public_tables[name][1].to_pylist():
                yield from ((f"{name} {column}", value) for column, value in row.items())
        yield from said_as_ours({name: (table, rows) for name, (table, rows, _) in public_tables.items()})

    problems = repeats(public_values(), withheld_texts(files, under))
    if problems:
        listed = "\n".join(f"  - {problem}" for problem in problems)
        raise NotShareableError(
            f"{manifest.recipe}/{manifest.family}: has no public edition: it would say what it withholds:\n{listed}\n"
            "Leave these values out of the family's measures and remarks, or declare what they hold of their sources."
        )
