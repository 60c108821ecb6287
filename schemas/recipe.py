"""Recipe: what to build (cities, sources, families, counts, seed, engines), and the lock that pins its inputs.

How a recipe is read, resolved and walked belongs in `pipelines/`.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, field_validator, model_validator
from pydantic import Field as Key

from schemas.counts import counted
from schemas.engines import Engines
from schemas.recipe_values import (
    MAX_SEED,
    NO_CURRENCY,
    Address,
    Box,
    Country,
    Currency,
    Language,
    Latitude,
    Line,
    Longitude,
    Slug,
    TimeZone,
    line_problem,
)
from schemas.source import LICENCES, MAX_UNREADABLE, Snapshot
from schemas.stable import content_hash, stable_hash
from schemas.strict import Strict

if TYPE_CHECKING:
    import numpy as np

RECIPE_FORMAT = 1

Values = TypeVar("Values", list[Any], dict[str, Any])


class SourceBinding(Strict):
    """The files of one source, by role, and what the recipe knows of their origin.

    In TOML every key that is not one of ours names a role; its value is a path from the recipe, or a list of them.
    A role may have addresses beside its paths (a path is then what a first build reads) or instead of them.
    """

    files: dict[str, list[str]] = Key(default_factory=dict, description="Role to paths, relative to the recipe.")
    url: dict[str, list[Address]] = Key(
        default_factory=dict, description="Role to the public addresses that `refresh` fetches, as many as its paths."
    )
    allow_hosts: list[str] = Key(
        default_factory=list, description="Other hosts that an address may lead to, private ones too."
    )
    every_hours: float = Key(default=24.0, gt=0, description="How often a scheduled refresh asks for the addresses.")
    max_size_mb: int = Key(default=4096, ge=1, description="A longer answer is refused while it is read.")
    max_unreadable: float = Key(
        default=MAX_UNREADABLE,
        ge=0,
        le=1,
        description="The share of a file's rows that may be unreadable; above it the file is refused.",
    )
    licence: str | None = Key(
        default=None, description="Overrides the source's licence for these files (a licence id)."
    )
    attribution: Line | None = Key(default=None, description="Overrides the source's attribution for these files.")

    @model_validator(mode="before")
    @classmethod
    def _roles_are_keys(cls, binding: Any) -> Any:
        if not isinstance(binding, dict):
            raise ValueError("expected a table of role = path")
        field_values = {key: binding[key] for key in cls.model_fields if key in binding}
        if isinstance(field_values.get("url"), dict):
            field_values["url"] = {role: [a] if isinstance(a, str) else a for role, a in field_values["url"].items()}
        files = dict(field_values.pop("files", {}))
        for role, value in binding.items():
            if role in cls.model_fields:
                continue
            paths = [value] if isinstance(value, str) else value
            if not isinstance(paths, list) or not all(isinstance(p, str) and p for p in paths):
                raise ValueError(f"{role}: expected a path or a list of paths, found {value!r}")
            files[role] = paths
        return {**field_values, "files": files}

    @model_validator(mode="after")
    def _addresses_pair_with_paths(self) -> SourceBinding:
        odd = [r for r, addresses in self.url.items() if r in self.files and len(addresses) != len(self.files[r])]
        if odd:
            raise ValueError(
                f"url.{odd[0]}: expected an address for each of its {counted(len(self.files[odd[0]]), 'path')}"
            )
        return self

    def roles(self) -> list[str]:
        """Return the roles that have a path or an address, in order."""
        return list(dict.fromkeys([*self.files, *self.url]))

    @model_validator(mode="after")
    def _licence_is_known(self) -> SourceBinding:
        if self.licence is not None and self.licence not in LICENCES:
            raise ValueError(f"licence {self.licence!r} is not known; expected one of {', '.join(sorted(LICENCES))}")
        return self


class City(Strict):
    """A covered city: who it is and where it ends. Coverage is by area, never by name (defect T13)."""

    city_id: Slug = Key(description="country-region-name, such as us-in-bloomington.")
    name: str = Key(min_length=1, description="As its people and the wording call it.")
    region: str = Key(default="", description="State, province or region, as its people write it.")
    country: Country = Key(description="ISO 3166-1 alpha-2; XX for an invented one.")
    box: Box | None = Key(default=None, description="Where the city ends; give this or a polygon.")
    polygon: list[tuple[Latitude, Longitude]] | None = Key(default=None, min_length=3, description="[[lat, lon], …]")
    time_zone: TimeZone = Key(default="UTC", description="Of the IANA database, such as Europe/Lisbon.")
    currency: Currency = Key(
        default=NO_CURRENCY, description="ISO 4217 code; needed where prices in the city are read or compared."
    )
    languages: list[Language] = Key(
        default_factory=lambda: ["en"], description="ISO 639 codes of what people speak there."
    )
    is_visited: bool = Key(
        default=True,
        description="False where people only set out from the city: a family of one city a task makes none of it.",
    )
    sources: dict[str, SourceBinding] = Key(default_factory=dict, description="Files that only this city reads.")

    @model_validator(mode="after")
    def _one_area(self) -> City:
        if (self.box is None) == (self.polygon is None):
            raise ValueError(f"{self.city_id}: give the city either a box or a polygon")
        return self

    @model_validator(mode="after")
    def _area_is_not_empty(self) -> City:
        if self.box is not None and self.box.width == 0:
            raise ValueError(
                f"{self.city_id}: the box has no width, from west ({self.box.west}) to east ({self.box.east}); "
                "expected west and east apart"
            )
        if self.polygon is not None:
            lats, lons = zip(*self.polygon, strict=True)
            for name, degrees in (("latitude", lats), ("longitude", lons)):
                if min(degrees) == max(degrees):
                    raise ValueError(
                        f"{self.city_id}: the polygon's points all have {name} {degrees[0]}; expected a ring around "
                        "an area"
                    )
        return self

    @property
    def bounds(self) -> Box:
        """Return the box around the city's area."""
        if self.box is not None:
            return self.box
        assert self.polygon is not None
        lats, lons = zip(*self.polygon, strict=True)
        return Box(south=min(lats), west=min(lons), north=max(lats), east=max(lons))

    def contains(self, lat: np.ndarray | float, lon: np.ndarray | float) -> np.ndarray:
        """Return, for each point in degrees or for one, whether it lies in the city's area; NaN lies nowhere.

        A box includes its edges; a polygon is a planar ring of (lat, lon), as the recipe draws it.
        """
        import numpy as np

        if self.box is not None:
            return self.box.contains(lat, lon)
        import shapely

        ring = shapely.Polygon([(x, y) for y, x in self.polygon or []])
        return np.asarray(shapely.intersects_xy(ring, lon, lat), dtype=bool)


def _named_on_one_line(city: City) -> City:
    field_problems = ((what, line_problem(getattr(city, what))) for what in ("name", "region"))
    if problems := [f"{what}: {problem}" for what, problem in field_problems if problem]:
        raise ValueError(f"{city.city_id}: {'; '.join(problems)}")
    return city


def _of_one_ring(city: City) -> City:
    if city.polygon is None:
        return city
    import shapely

    reason = shapely.is_valid_reason(shapely.Polygon([(lon, lat) for lat, lon in city.polygon]))
    if reason != "Valid Geometry":
        spot = re.search(r"\[(\S+) (\S+)\]", reason)
        where = f" at {float(spot[2]):.7g}, {float(spot[1]):.7g}" if spot else ""
        raise ValueError(
            f"{city.city_id}: the polygon crosses or touches itself{where}; expected one ring, its corners in order "
            "round the area. Of several parts draw the one that is meant, or give a box around them"
        )
    return city


NamedCity = Annotated[City, AfterValidator(_named_on_one_line), AfterValidator(_of_one_ring)]
"""A recipe's city. A release's are read as they are: whoever made that may have named or drawn them otherwise."""


class InventedWorld(Strict):
    """An invented world written into the recipe's cities, in each named provider's native format."""

    providers: list[str] = Key(min_length=1, description="Names of the sources to invent, such as yelp or gtfs.")
    scale: float = Key(default=1.0, gt=0, le=1000, description="How much of everything, beside the usual 1.")
    seed: int = Key(default=0, ge=0, le=MAX_SEED, description="Another gives another world.")
    dirt: bool = Key(default=True, description="Whether the files hold the faults that real ones do.")
    hostile_names: bool = Key(
        default=True, description="Whether, where files hold faults, some names are such as break careless code."
    )
    dates: tuple[dt.date, dt.date] | None = Key(default=None, description="First and last day of events and flights.")

    @field_validator("dates")
    @classmethod
    def _first_day_first(cls, dates: tuple[dt.date, dt.date] | None) -> tuple[dt.date, dt.date] | None:
        if dates is not None and dates[0] > dates[1]:
            raise ValueError(
                f"the first day ({dates[0]}) is after the last ({dates[1]}); expected the first, then the last"
            )
        return dates


class SpatialSection(Strict):
    """Which spatial tables are made of the recipe's cities, and with which router."""

    trip_dates: list[dt.date] = Key(default_factory=list, description="Dates for which served stops are looked up.")
    modes: list[Literal["car", "foot", "bicycle"]] = Key(
        default_factory=lambda: ["foot"], min_length=1, description="How people move between a city's places."
    )
    router: Literal["osrm", "graph"] = Key(default="osrm", description="graph: our own street graph, without OSRM.")
    algorithm: Literal["ch", "mld"] = Key(default="mld", description="OSRM's; ch prepares longer and answers faster.")
    server: str | None = Key(
        default=None,
        pattern=r"^https?://\S+$",
        description="An OSRM server to ask for the roads between cities; without one they are marked estimates.",
    )
    pool_size: int = Key(default=1000, ge=1, le=5000, description="Places a city's distance matrix holds at most.")
    least_on_network: float = Key(
        default=0.5, ge=0, le=1, description="Share of those places that the main part of a mode's network must reach."
    )
    least_near_stop: float = Key(
        default=0.5,
        ge=0,
        le=1,
        description="Share of a city's places that must lie within 5 km of a stop of its feeds.",
    )


class Splits(Strict):
    """How a release's tasks are split; without this section all are for testing."""

    shares: dict[Literal["train", "validation", "test"], Annotated[float, Key(gt=0, allow_inf_nan=False)]] = Key(
        min_length=2, description="Share of the tasks in each split, in this order; they need not add up to 1."
    )
    apart: Literal["task", "city", "place"] = Key(
        default="task", description="What no two splits share: tasks only, cities, or any place that a witness visits."
    )


class Recipe(Strict):
    """One benchmark project: everything that decides what is built."""

    @model_validator(mode="before")
    @classmethod
    def _seed_comes_from_the_name(cls, document: Any) -> Any:
        if isinstance(document, dict) and "seed" not in document and isinstance(document.get("name"), str):
            return {**document, "seed": stable_hash("seed", document["name"]) % 2**31}
        return document

    format: Literal[1] = Key(default=RECIPE_FORMAT, description="The format of recipes; there is one.")
    name: Slug = Key(description="Lower case; names the folder of its releases.")
    title: Line = Key(default="", description="As pages and cards print it.")
    authors: list[Line] = Key(
        default_factory=list, description="Who makes the benchmark, by name: cards and citations name them."
    )
    seed: int = Key(
        default=0,
        ge=0,
        le=MAX_SEED,
        description="All that is drawn at random is drawn by this and the task's id; by default made of the name.",
    )
    cities: list[NamedCity] = Key(min_length=1, description="Which cities; each is built on its own.")
    sources: dict[str, SourceBinding] = Key(default_factory=dict, description="Files shared by all cities.")
    invented: InventedWorld | None = Key(default=None, description="Sources that are written, not found.")
    engines: Engines = Key(default_factory=Engines, description="Who reads and writes language.")
    splits: Splits | None = Key(
        default=None, description="Splits each release's tasks; by default all are for testing."
    )
    spatial: SpatialSection | None = Key(default=None, description="Makes the spatial tables of every city.")
    families: dict[str, dict[str, Any]] = Key(default_factory=dict, description="Each family's own section.")

    @model_validator(mode="after")
    def _its_parts_fit_together(self) -> Recipe:
        if problems := misfits(self.model_dump()):
            raise ValueError("; ".join(problems))
        return self


def values_in(table: Mapping[str, Any], key: str, kind: type[Values]) -> Values:
    """Return a list or a table of what a recipe gives; an empty one where something else stands."""
    values = table.get(key)
    return values if isinstance(values, kind) else kind()


def misfits(document: Mapping[str, Any]) -> list[str]:
    """Return what of a recipe does not fit together, as far as its parts are what they should be."""
    cities = [city for city in values_in(document, "cities", list) if isinstance(city, dict)]
    ids = [str(city.get("city_id")) for city in cities]
    problems = [
        f"cities: {one} stands more than once; keep one" for one in sorted({i for i in ids if ids.count(i) > 1})
    ]
    areas: dict[str, str] = {}
    for city_id, city in zip(ids, cities, strict=True):
        area = repr((city.get("box"), city.get("polygon")))
        first = areas.setdefault(area, city_id)
        if first != city_id and (city.get("box") or city.get("polygon")):
            problems.append(f"cities: {city_id} has the very area of {first}; expected that of each city")
    shared = values_in(document, "sources", dict)
    bound = {*shared, *(name for city in cities for name in values_in(city, "sources", dict))}
    invented = values_in(values_in(document, "invented", dict), "providers", list)
    if both := sorted(name for name in bound if name in invented):
        problems.append(f"sources {', '.join(both)} are both bound to files and invented; keep one")
    if values_in(document, "engines", dict).get("reviews") == "learned" and "labelled" not in shared:
        problems.append(
            'engines: reviews = "learned" learns from labelled sentences; expected [sources.labelled] with the '
            "roles train and val"
        )
    return problems


class RetiredTask(Strict):
    """A task that a refresh made unsolvable: its id is never given to another, and its slot stays empty."""

    task_id: str
    family: str
    city_id: str
    reason: str


class RecipeLock(BaseModel):
    """The inputs of a recipe as last resolved: every file by content hash, date and licence.

    `seal` is the hash of the rest: a lock that was edited by hand is told from one that tripwright wrote.
    """

    model_config = ConfigDict(extra="forbid")

    format: Literal[1] = RECIPE_FORMAT
    recipe: str
    snapshots: list[Snapshot]
    retired: list[RetiredTask] = []
    seal: str = ""

    def sealed(self) -> RecipeLock:
        """Return the lock with its seal; one without retired tasks is sealed as before there were any."""
        left_out = {"seal"} if self.retired else {"seal", "retired"}
        return self.model_copy(update={"seal": content_hash(self.model_dump(mode="json", exclude=left_out))})

    def of(self, source: str, role: str, city_id: str | None) -> list[Snapshot]:
        """Return the snapshots bound to a role: the city's own and those shared by all, in the lock's order."""
        return [s for s in self.snapshots if s.source == source and s.role == role and s.city_id in (None, city_id)]
