"""Opening a release: its manifest and its tables, every file verified against the manifest's hashes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from assets.families import families
from schemas.counts import counted
from schemas.errors import ExpectedError
from schemas.problems import problem_told
from schemas.release import RELEASE_FORMAT, Manifest
from warehouse.releases import MANIFEST, VERSION_CHARACTERS
from warehouse.store import sha256_of

if TYPE_CHECKING:
    import pyarrow as pa


PUBLISHED, GOLD = "published", "gold.jsonl"
"""Where the release of an opened folder keeps that folder's files as they were found, and the plans among them."""
NO_SOLUTION = "without_solution.jsonl"
"""Tasks that no plan meets, where the recipe asked for such."""


BUILD_RECORD = "record/build.json"


PROBLEMS_SHOWN = 20


class ReleaseError(ExpectedError):
    """A folder is not a whole, unchanged release; lists every file that is missing, changed or unknown."""


class BuildRecord(BaseModel):
    """What a build wrote beside its release, in which no hash holds it; it may say more."""

    code_revision: str | None = None
    code: dict[str, str] | None = None
    """By step, the hash of the code that ran; None where it is not said."""


@dataclass(frozen=True)
class OpenedRelease:
    """A release on a local disk, as its manifest describes it."""

    folder: Path
    manifest: Manifest
    version: str

    def rows(self, name: str, columns: tuple[str, ...] | None = None, repeated: tuple[str, ...] = ()) -> pa.Table:
        """Return the rows of one of the release's Parquet files, with all its columns or those of them that it has.

        Columns of texts that are `repeated` come as Arrow's dictionaries.
        """
        return _rows(self.folder / f"{name}.parquet", columns, repeated)

    def count(self, name: str) -> int:
        """Return how many rows one of the release's Parquet files has; none of them is read."""
        import pyarrow.parquet as pq

        return pq.ParquetFile(_there(self.folder / f"{name}.parquet")).metadata.num_rows

    def batches(self, name: str) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a table piece by piece, for one that may not be wanted in memory whole."""
        import pyarrow.parquet as pq

        yield from pq.ParquetFile(self.folder / f"{name}.parquet").iter_batches()

    def table(self, name: str) -> Any:
        """Return the same rows as a pandas DataFrame, lists as Python lists; for typed columns use `Table.frame`."""
        return _frame(self.folder / f"{name}.parquet")

    @property
    def published(self) -> dict[str, Path]:
        """Return the files of the folder that was opened, by relative path; none of a release of ours."""
        opened = self.manifest.opened
        return {name: self.folder / PUBLISHED / name for name in opened.files} if opened else {}

    @property
    def build_record(self) -> BuildRecord:
        """Return what its build wrote beside it; nothing where no record was kept. Raises ReleaseError if damaged."""
        path = self.folder / BUILD_RECORD
        try:
            return BuildRecord.model_validate_json(path.read_bytes()) if path.is_file() else BuildRecord()
        except ValidationError:
            raise ReleaseError(
                f"{path}: found no record of a build; expected an object with `code_revision` and `code`. Remove the "
                "file: the release holds without it, and then does not say which code made it."
            ) from None

    def tables(self) -> list[str]:
        """Return the names of the release's tables."""
        return [f.path.removesuffix(".parquet") for f in self.manifest.files if f.path.endswith(".parquet")]


def open_release(folder: Path) -> OpenedRelease:
    """Return the release in a folder, every file verified against its hash.

    Raises ReleaseError if there is no manifest that can be read, and naming every file that is damaged.
    """
    release = unverified_release(folder)
    problems = file_problems(release)
    if problems:
        listed = "\n".join(f"  - {problem}" for problem in problems)
        raise ReleaseError(f"{folder}: damaged:\n{listed}\n{_remedy(release.manifest)}")
    return release


def _remedy(manifest: Manifest) -> str:
    """Return what makes a damaged release whole, for whoever made it and whoever got it from somebody."""
    if manifest.opened is not None:
        return "Open its published folder again: what is damaged is copied anew."
    if manifest.withheld is not None:
        return "Get it again from where it was published, or build its recipe again with --public --withhold."
    return "Build its recipe again, which makes what is damaged anew; what you downloaded, get again."


def release_problems(folder: Path) -> list[str]:
    """Return what is wrong with the release in a folder, a manifest that is not there or cannot be read among it."""
    try:
        return file_problems(unverified_release(folder))
    except ReleaseError as error:
        return [str(error)]


def require_ours(release: OpenedRelease, done: str) -> None:
    """Raise ReleaseError if the release is somebody else's published folder; `done` says what it cannot be."""
    if release.manifest.opened is not None:
        raise ReleaseError(
            f"{release.version} is a published folder that was opened to be read, not a release of ours: it has no "
            f"certificates and no sources, so it cannot be {done}. Score, inspect, report or compare it, or build a "
            "release of your own from a recipe."
        )


def require_values(release: OpenedRelease, done: str) -> None:
    """Raise ReleaseError if the release is a public edition without its tables' values; `done` says what it cannot be.

    An edition that leaves out no more than what was rejected has all that its tasks rest on.
    """
    withheld, lacking = release.manifest.withheld, release.manifest.lacking_tables
    if withheld and lacking:
        raise ReleaseError(
            f"{release.version} is the public edition of {withheld.completes_to}: values of {', '.join(lacking)} are "
            f"withheld, so it cannot be {done}. `tripwright complete` puts them back for whoever has the source files."
        )


def unverified_release(folder: Path) -> OpenedRelease:
    """Return the release in a folder as it is. Raises ReleaseError with all that is wrong with its manifest."""
    path = folder / MANIFEST
    if not path.is_file():
        raise ReleaseError(f"{folder}: found no {MANIFEST}; expected the folder of a release")
    body = path.read_bytes()
    problems: list[str] = []
    manifest = None
    try:
        manifest = Manifest.model_validate_json(body)
        if manifest.family not in families():
            problems.append(f"family: expected one of {', '.join(families())}, found {manifest.family[:80]!r}")
        if manifest.format != RELEASE_FORMAT:
            problems.append(f"format: expected {RELEASE_FORMAT}, found {manifest.format}")
    except ValidationError as error:
        problems += [
            problem_told(problem, ".".join(map(str, problem["loc"])) or "all of it")
            for problem in error.errors(include_url=False)
        ]
    if manifest is None or problems:
        listed = "\n".join(f"  - {problem}" for problem in problems[:PROBLEMS_SHOWN])
        raise ReleaseError(
            f"{path}: not a manifest of this format, {counted(len(problems), 'problem')}:\n{listed}\nUse the "
            "tripwright that made the release, or build it again."
        )
    return OpenedRelease(folder, manifest, hashlib.sha256(body).hexdigest()[:VERSION_CHARACTERS])


def file_problems(release: OpenedRelease) -> list[str]:
    """Return what is wrong with the release's files: missing, changed, not listed, or a folder named otherwise."""
    problems = []
    listed = {f.path: f for f in release.manifest.files}
    for name, file in listed.items():
        path = release.folder / name
        if not path.is_file():
            problems.append(f"{name}: listed in the manifest, but missing")
        elif sha256_of(path) != file.sha256:
            problems.append(
                f"{name}: changed since the release: expected sha256 {file.sha256}, found {sha256_of(path)}"
            )
    paths = (
        p for p in release.folder.rglob("*") if p.is_symlink() or not p.is_dir()
    )  # a linked folder is not looked into
    present = {p.relative_to(release.folder).as_posix() for p in paths}
    extra = sorted(name for name in present - set(listed) - {MANIFEST} if not name.startswith("record/"))
    problems += [f"{name}: not listed in the manifest" for name in extra]
    for name in dict.fromkeys((release.folder.absolute().name, release.folder.resolve().name)):  # of a link, both
        if re.fullmatch(f"[0-9a-f]{{{VERSION_CHARACTERS}}}", name) and name != release.version:
            problems.append(
                f"{MANIFEST}: changed since the release: its hash gives version {release.version}, not {name}"
            )
    return problems


@cache
def _rows(path: Path, columns: tuple[str, ...] | None = None, repeated: tuple[str, ...] = ()) -> pa.Table:
    import pyarrow.parquet as pq

    return pq.ParquetFile(_there(path), read_dictionary=list(repeated)).read(columns)


@cache
def _frame(path: Path) -> Any:
    import pyarrow as pa

    rows = _rows(path)
    frame = rows.to_pandas(date_as_object=True)
    for field in rows.schema:
        if pa.types.is_list(field.type):
            frame[field.name] = rows[field.name].to_pylist()
    return frame


def _there(path: Path) -> Path:
    if not path.is_file():
        raise ReleaseError(
            f"{path.parent}: found no table {path.name}, which this tripwright's releases have; expected it there. Use "
            "the tripwright that made the release, or build it again."
        )
    return path
