"""What a first recipe is written from: cities as they were found, and how a family stands in a recipe of theirs.

A family whose section can be written from open files alone gives a FirstRecipe (`Family.first_recipe`); `tripwright
init` and `tripwright new` know the families by it alone.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assets.step import RawFile
from schemas.recipe import City
from schemas.recipe_values import SLUG_LENGTH, Box, slug
from schemas.source import Snapshot
from schemas.stable import content_hash
from warehouse.store import sha256_of

HASH_LENGTH = 8
"""Digits of its hash that the id of a city of a long name ends in."""

LEVELS = ("easy", "medium", "hard")

PLACES_A_TASK = 4
"""Places to eat for each task of a difficulty: of fewer, all tasks would ask for the same few."""


@dataclass(frozen=True)
class CityFacts:
    """What a recipe says of a city."""

    name: str
    region: str
    country: str
    box: Box
    time_zone: str
    currency: str
    languages: tuple[str, ...]
    polygon: tuple[tuple[float, float], ...] | None = None
    note: str = ""
    """Of a territory apart from its country: what its code and money are, in words."""

    @property
    def city_id(self) -> str:
        """Return `country-region-name`, without a region that nobody knows; a long one is cut, and ends in its hash."""
        full_id = "-".join(part for part in map(slug, (self.country, self.region, self.name)) if part)
        if len(full_id) <= SLUG_LENGTH:
            return full_id
        mark = content_hash(full_id)[:HASH_LENGTH]
        return f"{full_id[: SLUG_LENGTH - HASH_LENGTH - 1].rstrip('-')}-{mark}"

    def as_city(self) -> City:
        """Return the city as recipes hold it."""
        return City(
            city_id=self.city_id,
            name=self.name,
            region=self.region,
            country=self.country,
            currency=self.currency,
            polygon=list(self.polygon) if self.polygon else None,
            box=None if self.polygon else self.box,
        )


@dataclass
class SurveyedCity:
    """A city to travel to: its facts, how its area was found, its files by `source.role`, and what these hold.

    `mapped_places` are the rows of `OsmPlace` that its map holds, `note` what its area leaves to be said.
    """

    facts: CityFacts
    found_by: str
    files: dict[str, list[Path]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    mapped_places: list[dict[str, Any]] = field(default_factory=list)
    note: str = ""


@dataclass(frozen=True)
class FamilyChoice:
    """Whether a family is built, of which levels and how many tasks each, and why not or what would add to it."""

    family: str
    tasks: int
    why_not: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    levels: tuple[str, ...] = LEVELS
    fewer: Mapping[str, str] = field(default_factory=dict)
    """The levels that it has none of, each with the reason."""
    invents: Mapping[str, str] = field(default_factory=dict)
    """Providers whose files are invented for it, each with what it tells."""

    @property
    def tasks_by_level(self) -> str:
        """Return the number of tasks of each level as an inline table of TOML."""
        return f"{{ {', '.join(f'{level} = {self.tasks if level in self.levels else 0}' for level in LEVELS)} }}"


@dataclass(frozen=True)
class TripDay:
    """A working day on which as many of the cities' feeds run as on any: which, how many, of how many."""

    date: dt.date
    running: int
    feeds: int

    @property
    def text(self) -> str:
        """Return the day, and which of the feeds run on it, in words."""
        some = "the feed runs" if self.feeds == 1 else f"all {self.feeds} feeds run"
        if self.running < self.feeds:
            some = f"{self.running} of the {self.feeds} feeds {'runs' if self.running == 1 else 'run'}"
        return f"{self.date:%A}, {self.date}, when {some}"


@dataclass
class Survey:
    """Cities to travel to, towns to set out from, files that all share, and the families that these carry."""

    cities: list[SurveyedCity]
    neighbours: list[CityFacts]
    shared: dict[str, list[Path]]
    choices: list[FamilyChoice] = field(default_factory=list)
    trip_day: TripDay | None = None
    """None where no feed is bound, or none ever runs."""
    left_out: dict[str, str] = field(default_factory=dict)
    """By name, the cities of which a build showed that they cannot be built, and why."""

    def shared_files(self, key: str) -> list[RawFile]:
        """Return the shared files of a `source.role`, as readers take them."""
        source, _, role = key.partition(".")
        return [raw_file(path, source, role) for path in self.shared.get(key, [])]


def _nothing(_: Any) -> list[str]:
    return []


def _no_reasons(_: Sequence[SurveyedCity]) -> dict[str, str]:
    return {}


def _by_places(cities: Sequence[SurveyedCity]) -> int:
    fewest = max(min(city.counts["restaurants"], city.counts["attractions"]) for city in cities)
    return max(1, fewest // PLACES_A_TASK)


def _nothing_invented(_: Survey) -> dict[str, str]:
    return {}


def _no_files(_: Survey) -> dict[str, dict[str, int]]:
    return {}


def _no_evidence(_: Mapping[str, Any]) -> list[dict[str, Any]]:
    return []


def _no_counts(_: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    return {}


@dataclass(frozen=True)
class FirstRecipe:
    """How a family stands in a recipe that is written of open files."""

    section: Callable[[Survey, FamilyChoice], list[str]]
    """The lines of its section, comments included."""
    modelled: str
    """What its tasks hold that is modelled, in words."""
    invented: str
    """What its tasks hold that is invented whatever the files, in words."""
    adds: tuple[tuple[str, str], ...] = ()
    """Source, and what its file would add."""
    invents: Callable[[Survey], Mapping[str, str]] = _nothing_invented
    """Providers whose files are invented, since nobody gives them away, each with what it tells, in words."""
    lacks: Callable[[Survey], list[str]] = _nothing
    """What stands in its way in all cities, and what would help."""
    levels: tuple[str, ...] = LEVELS
    """Its difficulties."""
    fewer: Callable[[Sequence[SurveyedCity]], Mapping[str, str]] = _no_reasons
    """The difficulties that the cities do not carry, each with the reason."""
    counts: Callable[[Sequence[Mapping[str, Any]]], dict[str, int]] = _no_counts
    """What it counts of a city's mapped places, for `fewer` and `section` to rest on."""
    counted_as: Mapping[str, str] = field(default_factory=dict)
    """What it requires of a city under another name than a survey counts it; empty where it is not counted."""
    files: Callable[[Survey], Mapping[str, Mapping[str, int]]] = _no_files
    """What it counts by city, of the given files, beside what their maps hold."""
    by_hand: Mapping[str, str] = field(default_factory=dict)
    """Sources whose rows a survey does not count, each with what to write of the family where they are bound."""
    most: Callable[[Sequence[SurveyedCity]], int] = _by_places
    """Tasks of a difficulty that the cities carry at most."""
    evidence: Callable[[Mapping[str, Any]], list[dict[str, Any]]] = _no_evidence
    """Of its release's measures, rows for people of how much the files tell of what it asks; its cities together."""
    takes_neighbours: bool = True
    """Whether its trips set out from other towns."""


def raw_file(path: Path, source: str, role: str) -> RawFile:
    """Return a file as readers take it."""
    snapshot = Snapshot(
        source=source, role=role, location=path.name, sha256=sha256_of(path), size_bytes=path.stat().st_size,
        licence_id="LicenseRef-unverified",
    )  # fmt: skip
    return RawFile(snapshot, path)
