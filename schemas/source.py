"""Source, Licence, Snapshot, and the pointer from a row to the bytes it came from."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, field_validator

from schemas.errors import ExpectedError


class SourceError(ExpectedError):
    """A provider's file is not what it claims to be, or cannot be had; says what was found, expected, and to do."""


class Sharing(StrEnum):
    """What a licence lets a public release contain."""

    ROWS = "rows"  # the rows themselves may be shared
    DERIVED = "derived"  # only values derived from them (ratings, matrices) may be shared
    NOTHING = "nothing"  # neither, without permission


@dataclass(frozen=True)
class Licence:
    """The terms under which a source's rows may be passed on."""

    licence_id: str  # SPDX identifier where there is one, else LicenseRef-…
    title: str
    url: str
    sharing: Sharing
    attribution_required: bool = False
    share_alike: bool = False


LICENCES: dict[str, Licence] = {
    licence.licence_id: licence
    for licence in (
        Licence(
            "CC0-1.0", "Creative Commons Zero 1.0", "https://creativecommons.org/publicdomain/zero/1.0/", Sharing.ROWS
        ),
        Licence(
            "CC-BY-4.0",
            "Creative Commons Attribution 4.0",
            "https://creativecommons.org/licenses/by/4.0/",
            Sharing.ROWS,
            attribution_required=True,
        ),
        Licence(
            "CC-BY-SA-4.0",
            "Creative Commons Attribution-ShareAlike 4.0",
            "https://creativecommons.org/licenses/by-sa/4.0/",
            Sharing.ROWS,
            attribution_required=True,
            share_alike=True,
        ),
        Licence(
            "ODbL-1.0",
            "Open Database License 1.0",
            "https://opendatacommons.org/licenses/odbl/1-0/",
            Sharing.ROWS,
            attribution_required=True,
            share_alike=True,
        ),
        Licence(
            "CDLA-Permissive-2.0",
            "Community Data License Agreement Permissive 2.0",
            "https://cdla.dev/permissive-2-0/",
            Sharing.ROWS,
        ),
        Licence("MIT", "MIT License", "https://opensource.org/license/mit", Sharing.ROWS, attribution_required=True),
        Licence(
            "Apache-2.0",
            "Apache License 2.0",
            "https://www.apache.org/licenses/LICENSE-2.0",
            Sharing.ROWS,
            attribution_required=True,
        ),
        Licence(
            "LicenseRef-US-public-domain",
            "United States government work, public domain",
            "https://www.usa.gov/government-works",
            Sharing.ROWS,
        ),
        Licence(
            "LicenseRef-invented",
            "Invented by tripwright, no rights reserved",
            "https://creativecommons.org/publicdomain/zero/1.0/",
            Sharing.ROWS,
        ),
        Licence(
            "LicenseRef-Yelp",
            "Yelp Open Dataset terms of use",
            "https://business.yelp.com/data/resources/open-dataset/",
            Sharing.DERIVED,
            attribution_required=True,
        ),
        Licence("LicenseRef-scraped", "Scraped from a website whose terms forbid redistribution", "", Sharing.NOTHING),
        Licence(
            "LicenseRef-API-terms", "Obtained through an API whose terms forbid redistribution", "", Sharing.NOTHING
        ),
        Licence("LicenseRef-unverified", "Terms stated by the provider but not verified", "", Sharing.NOTHING),
    )
}


MAX_UNREADABLE = 0.5
"""As many of a file's rows may be unreadable before it is a failed file; a recipe's binding may say otherwise."""


@dataclass(frozen=True)
class SourceFile:
    """One file that a source reads: its role in a recipe's binding, its format, and whether it may be absent."""

    role: str
    format: str
    required: bool = True


@dataclass(frozen=True)
class Source:
    """One provider: who it is, under which terms, which files it gives, and how to get them."""

    name: str
    title: str
    homepage: str
    licence_id: str
    attribution: str
    files: tuple[SourceFile, ...]
    how_to_get: str
    tables: tuple[str, ...] = field(default=())

    @property
    def licence(self) -> Licence:
        """Return the declared licence; a recipe's binding may name another for its own files."""
        return LICENCES[self.licence_id]


Binding = tuple[str, str, str]
"""A file as it is read: source, role and the hash of its bytes."""


class Snapshot(BaseModel):
    """The raw bytes of one file of one source at one time, as a recipe's lock pins them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    role: str
    city_id: str | None = None
    location: str
    sha256: str
    size_bytes: int
    retrieved_at: str | None = None
    url: str | None = None
    etag: str | None = None
    fetched: bool = False  # from `url`, not from a file that somebody put in place
    licence_id: str
    attribution: str = ""

    @field_validator("retrieved_at")
    @classmethod
    def _is_a_time(cls, text: str | None) -> str | None:
        if text is not None:
            dt.datetime.fromisoformat(text)
        return text

    @property
    def binding(self) -> Binding:
        """Return what the file is bound as, and its hash: the same bytes may be bound to several roles."""
        return self.source, self.role, self.sha256

    def pointer(self, locator: str | int) -> str:
        """Return the row pointer `source.role@sha256#locator`; an int locator is a 1-based line number."""
        where = f"L{locator}" if isinstance(locator, int) else locator
        return f"{self.source}.{self.role}@{self.sha256}#{where}"


_POINTER = re.compile(r"(?P<source>[a-z_]+)\.(?P<role>[a-z_]+)@(?P<sha256>[0-9a-f]{64})#(?P<locator>.+)", re.DOTALL)


@dataclass(frozen=True)
class RowPointer:
    """Where a row came from: the source and role, the file's hash, and where in the file."""

    source: str
    role: str
    sha256: str
    locator: str

    @property
    def binding(self) -> Binding:
        """Return the source and role that the row was read as, and the file's hash."""
        return self.source, self.role, self.sha256

    @classmethod
    def parse(cls, text: str) -> RowPointer:
        """Return the parsed pointer. Raises ValueError if the text is not one."""
        match = _POINTER.fullmatch(text)
        if match is None:
            raise ValueError(f"`{text[:120]}` is not a row pointer; expected source.role@sha256#locator")
        return cls(**match.groupdict())
