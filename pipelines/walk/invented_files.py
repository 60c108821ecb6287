"""The invented world of a recipe as raw files: written once, found again by what it was written from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pipelines.walk.fingerprint import Code
from schemas.recipe import City, Recipe, RecipeLock
from schemas.source import Snapshot
from schemas.stable import content_hash
from sources.invented.source import SOURCE as INVENTED
from warehouse.disk import writing
from warehouse.home import Home

if TYPE_CHECKING:
    from sources.invented import CitySpec


def invented_files(home: Home, recipe: Recipe, code: Code) -> list[Snapshot]:
    """Return the snapshots of the recipe's invented world, writing it unless its bytes are here already."""
    if recipe.invented is None:
        return []
    known_snapshots = known_invented(home, recipe, code)
    if known_snapshots is not None:
        return known_snapshots
    from sources import invented
    from sources.invented.generate import TRUTH_FILE
    from sources.invented.world import TRIP_DATES

    snapshots = []
    with home.store.scratch() as folder, home.snapshots.adding_many():
        with writing("the invented world", folder):
            files = invented.generate(
                folder,
                providers=recipe.invented.providers,
                cities=[_spec(city) for city in recipe.cities],
                scale=recipe.invented.scale,
                seed=recipe.invented.seed,
                dirt=recipe.invented.dirt,
                dates=recipe.invented.dates or TRIP_DATES,
                hostile_names=recipe.invented.hostile_names,
            )
        files = {**files, INVENTED.name: {"truth": [folder / TRUTH_FILE]}}
        for provider, role, path in _flat(files):
            sha256, size, _ = home.snapshots.add(path)
            snapshots.append(
                Snapshot(
                    source=provider,
                    role=role,
                    city_id=invented.city_of(path),
                    location=f"invented:{path.relative_to(folder).as_posix()}",
                    sha256=sha256,
                    size_bytes=size,
                    licence_id=INVENTED.licence_id,
                    attribution=INVENTED.attribution,
                )
            )
    key = _key(recipe, code)
    home.store.put(key, RecipeLock(recipe=recipe.name, snapshots=snapshots).model_dump_json().encode())
    return snapshots


def known_invented(home: Home, recipe: Recipe, code: Code) -> list[Snapshot] | None:
    """Return the snapshots of the recipe's invented world if it was written and its bytes are here, else None."""
    if recipe.invented is None:
        return []
    data = home.store.read_if_there(_key(recipe, code))
    try:
        snapshots = RecipeLock.model_validate_json(data or b"").snapshots
    except ValidationError:  # none, or a damaged one: it is written anew
        return None
    return snapshots if all(home.snapshots.holds(s.sha256) for s in snapshots) else None


def _key(recipe: Recipe, code: Code) -> str:
    """Return where the list of a world's files is kept: by all that the world is written from."""
    assert recipe.invented is not None
    cities = [c.model_dump(mode="json", exclude={"sources"}) for c in recipe.cities]
    written_by = code.hash_of("sources.invented.generate:generate")
    return f"invented/{content_hash([[cities, recipe.invented.model_dump(mode='json')], written_by])}.json"


def _flat(files: Mapping[str, Mapping[str, list[Path]]]) -> Iterator[tuple[str, str, Path]]:
    for provider, roles in files.items():
        for role, paths in roles.items():
            for path in paths:
                yield provider, role, path


def _spec(city: City) -> CitySpec:
    """Return the city as the invented world fills it: its name and zone, the box around its area."""
    from sources.invented import Box, CitySpec

    box = city.bounds
    return CitySpec(
        name=city.name,
        region=city.region,
        country=city.country,
        lat=(box.south + box.north) / 2,
        lon=(box.west + box.east) / 2 if box.west <= box.east else box.middle[1],
        box=Box(box.south, box.west, box.north, box.east),
        time_zone=city.time_zone,
        currency=city.currency,
        languages=tuple(city.languages),
        given_id=city.city_id,
    )
