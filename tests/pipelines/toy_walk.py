"""A walk of three steps over a file of listings: read, keep those with stars in each city, count; tests add steps."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pandas as pd
from pydantic import BaseModel

from assets.step import Outcome, Raw, Step, Verdict
from pipelines.walk.fingerprint import Code
from pipelines.walk.recipes import LoadedRecipe
from pipelines.walk.walk import Walk
from schemas.recipe import City, Recipe, RecipeLock
from schemas.recipe_values import Box
from schemas.source import Snapshot, SourceError
from schemas.table import Field, Table
from warehouse.home import Home


class Listing(Table):
    """A listing."""

    city_id: str = Field("City.", key=True)
    listing_id: str = Field("Id.", key=True)
    stars: int = Field("Stars.")


class Kept(Table):
    """A listing with stars."""

    city_id: str = Field("City.", key=True)
    listing_id: str = Field("Id.", key=True)


class CityCount(Table):
    """How many are kept in each city."""

    name: str = Field("City.", key=True)
    kept: int = Field("Count.", ge=0)


def read_listings(files, *, cities):
    """Read lines of `city,id,stars`."""
    rows = [line.split(",") for file in files for line in file.path.read_text().splitlines()]
    known = {c.city_id for c in cities}
    frame = pd.DataFrame([(c, i, int(s)) for c, i, s in rows if c in known], columns=["city_id", "listing_id", "stars"])
    lost = [{"row": i, "reason": "outside_every_city", "detail": c} for c, i, _ in rows if c not in known]
    return Outcome(frame, lost, rows_in=len(rows))


def keep_stars(listings, *, city, kept):
    """Keep listings with enough stars."""
    if (listings["stars"] < 0).any():
        raise SourceError(f"{city.name}: negative stars")
    good = listings[listings["stars"] >= kept.stars]
    lost = [
        {"row": i, "reason": "bad_value", "detail": "stars"}
        for i in listings["listing_id"]
        if i not in set(good["listing_id"])
    ]
    return Outcome(good[["city_id", "listing_id"]], lost, rows_in=len(listings))


def count(kept):
    """Count the kept."""
    return pd.DataFrame(sorted(kept["city_id"].value_counts().items()), columns=["name", "kept"])


def every_city_keeps_some(kept: pd.DataFrame) -> Verdict:
    """A city without rows has nothing to offer."""
    return Verdict(len(kept) > 0, f"{len(kept)} rows")


class SameCode(Code):
    """Code that never changes: the steps of this file are in no package."""

    def hash_of(self, *things):
        return "same"


class KeptSection(BaseModel):
    stars: int = 3


TOY = __name__
"""Where steps of other files find the functions of this one."""

STEPS = {
    step.name: step
    for step in (
        Step(Listing, f"{__name__}:read_listings", (Raw("toy", "listing"),), per="recipe"),
        Step(Kept, f"{__name__}:keep_stars", (Listing,), checks=(f"{__name__}:every_city_keeps_some",)),
        Step(CityCount, f"{__name__}:count", (Kept,), per="recipe"),
    )
}

CITIES = [
    City(city_id=f"xx-a-{name}", name=name, country="XX", box=Box(south=0, west=0, north=1, east=east))
    for east, name in enumerate(("one", "two"), 1)
]


def builder(folder):
    """Return a function that builds from text in a home of the folder and returns (walked, events, the home)."""

    def run(text, home="home", section=None, steps=STEPS, more=(), cities=CITIES):
        opened, snapshots = Home(str(folder / home)), []
        for role, location, of in (("listing", "l", text), *more):
            path = folder / f"{hashlib.sha256(of.encode()).hexdigest()}.csv"
            if not path.exists():
                path.write_text(of)
            sha256, size, _ = opened.snapshots.add(path)
            snapshots += [
                Snapshot(source="toy", role=role, location=location, sha256=sha256, size_bytes=size, licence_id="MIT")
            ]
        with opened.building():
            recipe = Recipe(name="toy", cities=cities)
            loaded = LoadedRecipe(Path("toy.toml"), recipe, {}, {"kept": section or KeptSection()})
            events = []
            lock = RecipeLock(recipe="toy", snapshots=snapshots)
            walked = Walk(opened, loaded, lock, steps, SameCode(), events.append).build(["city_count"])
        done = [(e.step, e.scope, e.status, *filter(None, [e.status == "built" and e.reason])) for e in events]
        return walked, [event for event in done if event[2] != "running"], opened

    return run


GOOD = "xx-a-one,a,5\nxx-a-one,b,1\nxx-a-two,c,4\nxx-a-far,d,4\n"
