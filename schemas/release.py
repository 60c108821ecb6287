"""Manifest: what a release says of itself; the release exists when this file does."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Strict, StringConstraints, ValidationError

from schemas.problems import in_our_words
from schemas.recipe import City, InventedWorld, Splits
from schemas.rejection import Reason
from schemas.source import LICENCES, Snapshot

RELEASE_FORMAT = 1
CANARY = "TRIPWRIGHT BENCHMARK DATA: NOT FOR TRAINING CORPORA. canary 6f0f9d0a-4a1c-4f6e-9a53-2b7c1de85a90"
"""Stands in every released file's metadata, so that a corpus which holds a release can be found to hold it."""


def _below(path: str) -> str:
    """Return the path if it lies below the release's folder. Raises ValueError if not: copies would lie elsewhere."""
    if path in ("", ".") or PurePosixPath(path).as_posix() != path or path.startswith("/") or ".." in path.split("/"):
        raise ValueError(f"{path[:80]!r} is no path of a file below the release's folder")
    return path


def _known_licence(licence_id: str) -> str:
    if licence_id not in LICENCES:
        raise ValueError(f"expected a licence of {', '.join(sorted(LICENCES))}, found {licence_id[:80]!r}")
    return licence_id


LicenceId = Annotated[str, AfterValidator(_known_licence)]


class _Entry(BaseModel):
    """What an entry of a manifest's lists must have, of these very types; it may have more."""

    model_config = ConfigDict(strict=True)


class _Terms(_Entry):
    licence_id: LicenceId
    title: str
    url: str
    sharing: str
    share_alike: bool
    attribution: list[str]
    sources: list[str]


class _StepRows(_Entry):
    step: str
    rows_in: int | None
    rows_out: int
    merged: int
    rejected: dict[Annotated[Reason, Strict(False)], int]


class _MissingCity(_Entry):
    city_id: str
    step: str
    reason: str


class _Choice(_Entry):
    choice_id: str
    text: str


class _Retired(_Entry):
    task_id: str
    city_id: str
    reason: str


class _TaskCounts(_Entry):
    tasks: int
    certified: int
    rejected: int


class _Input(_Entry):
    sha256: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
    licence_id: LicenceId


class _Settings(_Entry):
    authors: list[str] = []
    invented: Annotated[InventedWorld, Strict(False)] | None = None
    splits: Annotated[Splits, Strict(False)] | None = None


class _Promises(_Entry):
    verified_tables: list[str] = []


def _like(kind: type[BaseModel]) -> AfterValidator:
    """Return a check that an entry is of its kind; it stays as it was given, to the byte, for it is hashed."""

    def checked(entry: Any) -> Any:
        try:
            kind.model_validate(entry, from_attributes=True)
        except ValidationError as error:
            problems = (f"{'.'.join(map(str, p['loc']))}: {in_our_words(p['msg'])}" for p in error.errors())
            raise ValueError("; ".join(text.removeprefix(": ") for text in problems)) from None
        return entry

    return AfterValidator(checked)


class ReleasedFile(BaseModel):
    """One file of the release: its hash, size, and for tables the number of rows and the schema."""

    model_config = ConfigDict(extra="forbid")

    path: Annotated[str, AfterValidator(_below)]
    sha256: str
    size_bytes: int
    rows: int | None = None
    columns: dict[str, str] | None = None


def _each_once(files: list[ReleasedFile]) -> list[ReleasedFile]:
    """Return the files if each stands there once. Raises ValueError if not: readers could take either for the file."""
    twice = sorted(path for path, count in Counter(file.path for file in files).items() if count > 1)
    if twice:
        raise ValueError(f"{', '.join(twice[:3])} stands twice among the files")
    return files


class ColumnsUnder(BaseModel):
    """How many rows of one released table are under one licence, and which columns hold what of them."""

    model_config = ConfigDict(extra="forbid")

    table: str
    licence_id: LicenceId
    rows: int
    source: list[str]  # columns that hold the source's own values
    derived: list[str]  # columns computed from them

    @property
    def key(self) -> tuple[str, str, bool]:
        """Return which entry of a release it is: what rows hold of a licence's sources, or what is computed alone."""
        return self.table, self.licence_id, bool(self.source)


class Withheld(BaseModel):
    """What a public edition leaves out of a release, which whoever has the source files completes it to."""

    model_config = ConfigDict(extra="forbid")

    completes_to: str  # the version of the whole release
    files: dict[str, str]  # its files by sha256
    cells: dict[str, dict[str, int]]  # table → column → values left out
    left_out: list[str]  # files that are not here at all


class OpenedFrom(BaseModel):
    """Somebody else's published folder, of which a release is the read-only tables: nothing of it is certified."""

    model_config = ConfigDict(extra="forbid")

    sha256: str  # of the hashes of its files by their paths
    files: dict[str, str]  # the folder's files, as they were found, by sha256
    origin: str | None = None  # where it was got, if that was declared
    notes: list[str] = []  # what of it could not be read as its form says
    gold: int = 0  # plans that the folder itself holds for its tasks


class Manifest(BaseModel):
    """A release's inputs, outputs, choices and counts. Holds no clock and no path of the machine that made it."""

    model_config = ConfigDict(extra="forbid")

    format: int = RELEASE_FORMAT
    canary: str = CANARY
    recipe: str
    family: str
    title: str
    seed: int
    cities: list[Annotated[dict[str, Any], _like(City)]]
    missing_cities: list[Annotated[dict[str, str], _like(_MissingCity)]]
    inputs: list[Annotated[Snapshot, _like(_Input)]]
    licences: list[Annotated[dict[str, Any], _like(_Terms)]]
    columns_under: list[ColumnsUnder] = []
    withheld: Withheld | None = None
    opened: OpenedFrom | None = None
    engines: dict[str, str]
    settings: Annotated[dict[str, Any], _like(_Settings)] = {}
    section: dict[str, Any]
    choices: list[Annotated[dict[str, str], _like(_Choice)]]
    rules: dict[str, str]
    counts: Annotated[dict[str, Any], _like(_TaskCounts)]
    promises: Annotated[dict[str, Any], _like(_Promises)] = {}
    retired: list[Annotated[dict[str, str], _like(_Retired)]] = []
    accounting: list[Annotated[dict[str, Any], _like(_StepRows)]]
    measures: dict[str, Any]
    facts: dict[str, Any] = {}
    """What steps counted while they worked, by step and scope, that measures rest on beside the tables: a record."""
    files: Annotated[list[ReleasedFile], AfterValidator(_each_once)]

    @property
    def lacking_tables(self) -> list[str]:
        """Return the tables of which values are withheld, but for rejections, on which no task rests: none of a whole.

        What such values say is not drawn either: a picture names the places of a plan.
        """
        return sorted(set(self.withheld.cells) - {"rejections"}) if self.withheld else []
