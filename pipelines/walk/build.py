"""One build from recipe to releases: resolve the inputs, walk the steps, release each family."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from assets.declared import require_functions
from assets.families import all_steps, families
from assets.family import Family
from assets.runs.setting import require_settings
from pipelines.releases.gathering import ReleaseError, SeveralRefusedError
from pipelines.releases.judging import Judging
from pipelines.releases.public import NotShareableError, Sharing
from pipelines.releases.release import HERE, Released, release
from pipelines.walk.call_costs import Spent
from pipelines.walk.fingerprint import Code
from pipelines.walk.inputs import resolve, taken_though
from pipelines.walk.listener import NOBODY, Listener
from pipelines.walk.recipe_walk import (
    RecipeWalk,
    family_targets,
    on_cluster,
    on_cores,
    require_known_cities,
    walk_recipe,
    without_cities,
)
from pipelines.walk.recipes import LoadedRecipe, RecipeError, load_recipe
from pipelines.walk.router import require_router
from pipelines.walk.unused_files import unused_files
from pipelines.walk.walk_report import Blocked, WalkResult
from schemas.spatial import CityCoverage, CityMap
from warehouse.build_records import BuiltStep
from warehouse.disk import writing
from warehouse.home import Home
from warehouse.tables import TableVersion


@dataclass
class BuildResult:
    """What a build gave: releases, what is blocked and why, and how many steps ran."""

    releases: list[Released] = field(default_factory=list)
    blocked: list[Blocked] = field(default_factory=list)
    steps_run: int = 0
    steps_skipped: int = 0
    records: list[BuiltStep] = field(default_factory=list)
    licences: dict[str, list[str]] = field(default_factory=dict)
    recipe: str = ""
    city_ids: list[str] = field(default_factory=list)
    family_names: list[str] = field(default_factory=list)
    maps: list[Path] = field(default_factory=list)
    coverage: list[dict[str, Any]] = field(default_factory=list)
    spent: Spent | None = None
    notices: list[str] = field(default_factory=list)

    def as_json(self, home: Home) -> dict[str, Any]:
        """Return the build's answer under `--json`."""
        return {
            "releases": [
                {
                    "family": r.ref.family,
                    "version": r.ref.version,
                    "path": str(home.releases.folder(r.ref)),
                    "tasks": r.tasks,
                    "certified": r.certified,
                    "rejected": r.rejected,
                    **({"repeats": list(r.repeats)} if r.repeats else {}),
                    **({"public": str(home.public.folder(r.public))} if r.public else {}),
                }
                for r in self.releases
            ],
            "blocked": [{"city_id": b.city_id, "step": b.step, "reason": b.reason} for b in self.blocked],
            **({"maps": [str(path) for path in self.maps], "coverage": self.coverage} if self.coverage else {}),
            "steps_run": self.steps_run,
            "steps_skipped": self.steps_skipped,
            **({"notices": self.notices} if self.notices else {}),
            **({"model": asdict(self.spent)} if self.spent else {}),
        }


def build(
    home: Home,
    recipe_path: Path,
    *,
    city_ids: list[str] | None = None,
    family_names: list[str] | None = None,
    locked: bool = False,
    allow_missing: bool = False,
    sharing: Sharing = "private",
    no_install: bool = False,
    listener: Listener = NOBODY,
    workers: int | None = None,
    scheduler: str | None = None,
) -> BuildResult:
    """Build what is stale of a recipe and release its families; return what came of it.

    A family is released only from a whole walk: with `city_ids` nothing is released, and a blocked city keeps its
    families back unless `allow_missing`. `workers` cells run at once, by default one a core; with the address of a Dask
    `scheduler` they run on its workers. Raises RecipeError, SourceError, ReleaseError and NotShareableError as their
    makers do.
    """
    loaded = load_recipe(recipe_path, families())
    require_known_cities(loaded, city_ids)
    require_functions(loaded.families.values())
    require_settings(loaded.families.values())
    code = Code()
    disk_guard = writing("what the build makes", home.store.folder("releases"), tempfile.gettempdir())
    with disk_guard, home.building(listener.waiting):
        worse: list[str] = []
        lock = resolve(
            home,
            loaded,
            code,
            locked=locked,
            worse=lambda problem: worse.append(taken_though(problem)),
            say=listener.say,
        )
        for notice in worse:
            listener.say(notice)
        require_router(loaded, lock, no_install, listener.say)
        start = on_cores(home, loaded, lock, workers, listener.say)
        if scheduler:
            start = on_cluster(home, loaded, lock, code, scheduler, no_install=no_install)
        recipe_walk = walk_recipe(home, loaded, lock, code, listener.report, city_ids, family_names, start)
        try:
            built = finish(
                home,
                recipe_walk,
                code,
                allow_missing=allow_missing,
                sharing=sharing,
                listener=listener,
                judging=Judging(workers, scheduler),
            )
        except BaseException:
            if recipe_walk.walk.spent and recipe_walk.walk.spent.has_asked:
                listener.say(recipe_walk.walk.spent.in_words())
            raise
        unused = unused_files(all_steps(loaded.families.values()).values(), built.records, lock)
        for notice in unused:
            listener.say(notice)
        built.notices += [*worse, *unused]
        return built


def finish(
    home: Home,
    walked: RecipeWalk,
    code: Code,
    *,
    allow_missing: bool = False,
    sharing: Sharing = "private",
    listener: Listener = NOBODY,
    judging: Judging = HERE,
) -> BuildResult:
    """Release the families of a walked recipe that may be released, show its cities, and return what came of it.

    Raises ReleaseError with the problems of every family that is refused; the others are released, and told.
    """
    loaded, walk = walked.loaded, walked.walk
    walk_record = walk.walked
    if not walked.target_families and not walked.spatial:
        sections = ", ".join(f"[families.{name}]" for name in sorted(families()))
        listener.say(
            f"nothing to build: {loaded.path.name} has no section of a benchmark ({sections}) and no [spatial]; in a "
            "recipe by `tripwright init` comments say what each benchmark lacks"
        )
    built = BuildResult(recipe=loaded.recipe.name, city_ids=[c.city_id for c in loaded.recipe.cities])
    built.family_names = [family.name for family in walked.target_families]
    built.blocked = walked.causes()
    refused: list[ReleaseError | NotShareableError | RecipeError] = []
    for family in walked.target_families:
        causes = walk_record.causes(family_targets(family))
        made_for = {c.city_id for c in loaded.recipe.cities if family.asks_of(c)}
        all_blocked = walk_record.blocked_of(family_targets(family)) >= made_for
        if walked.city_ids is None and not all_blocked and (allow_missing or not causes):
            try:
                built.releases.append(release_walked(home, walked, family, code, sharing, listener.say, judging))
            except (ReleaseError, NotShareableError, RecipeError) as error:
                refused.append(error)
                continue
            listener.released()
    if refused:
        for released in built.releases:
            listener.say(f"released: {home.releases.folder(released.ref)}")
        raise refused[0] if len(refused) == 1 else SeveralRefusedError(refused)
    if walked.spatial:
        _show_cities(home, loaded, walk_record, built)
    built.steps_run, built.records = walk_record.steps_run, list(walk_record.records.values())
    built.licences = walk_record.licences(walked.lock)
    built.steps_skipped = walk_record.steps_kept
    built.spent = walk.spent
    return built


def release_walked(
    home: Home,
    walked: RecipeWalk,
    family: Family,
    code: Code,
    sharing: Sharing = "private",
    say: Callable[[str], None] = lambda _: None,
    judging: Judging = HERE,
) -> Released:
    """Return the release of a family from a walked recipe, without what is blocked; raises as `release` does."""
    causes = walked.walk.walked.causes(family_targets(family))
    remaining_walk = _of_the_rest(home, _of_the_visited(home, walked, family, code), family, code, causes)
    return release(home, remaining_walk, family, code, sharing, say, judging)


def _of_the_visited(home: Home, walked: RecipeWalk, family: Family, code: Code) -> RecipeWalk:
    """Return the walk of the cities that people travel to, for a family of one city a task: it asks of no other."""
    cities = [city for city in walked.loaded.recipe.cities if family.asks_of(city)]
    if len(cities) == len(walked.loaded.recipe.cities):
        return walked
    loaded = replace(walked.loaded, recipe=walked.loaded.recipe.model_copy(update={"cities": cities}))
    visited_walk = walk_recipe(home, loaded, walked.lock, code, family_names=[family.name], planning=walked.planning)
    return replace(visited_walk, left_out=walked.left_out)


def _of_the_rest(home: Home, walked: RecipeWalk, family: Family, code: Code, causes: list[Blocked]) -> RecipeWalk:
    """Return the walk without the cities that are blocked, which give nothing: walked again where there are any."""
    left_out = list(walked.left_out)
    remaining_walk = walked
    while causes:
        left_out += causes
        gone = {cause.city_id for cause in left_out}
        loaded, lock = without_cities(walked.loaded, walked.lock, gone)
        remaining_walk = walk_recipe(home, loaded, lock, code, family_names=[family.name], planning=walked.planning)
        causes = remaining_walk.causes()
        if {cause.city_id for cause in causes} >= {city.city_id for city in loaded.recipe.cities}:
            raise RecipeError(
                f"{walked.loaded.path}: without {', '.join(sorted(gone))} every other city is blocked too"
            )
    return replace(remaining_walk, left_out=left_out)


def _show_cities(home: Home, loaded: LoadedRecipe, walked: WalkResult, built: BuildResult) -> None:
    """Write each city's map as a picture to look at, and collect what the cities cannot support."""
    for city in loaded.recipe.cities:
        drawn = walked.records.get((CityMap.table_name(), city.city_id))
        for row in home.tables.read(drawn.outputs[city.city_id]).to_pylist() if drawn else []:
            key, image = f"maps/{loaded.recipe.name}/{city.city_id}.png", base64.b64decode(row["png_base64"])
            if not home.store.exists(key) or home.store.read(key) != image:
                home.store.put(key, image)
            folder = home.store.folder(key)
            built.maps += [folder] if folder else []
    built.coverage = coverage(home, loaded, walked)


def coverage(home: Home, loaded: LoadedRecipe, walked: WalkResult) -> list[dict[str, Any]]:
    """Return what each city can support: every requirement, met or the reason why not."""
    rows: list[dict[str, Any]] = []
    for city in loaded.recipe.cities:
        covered = walked.records.get((CityCoverage.table_name(), city.city_id))
        rows += home.tables.read(covered.outputs[city.city_id]).to_pylist() if covered else []
    return rows


def built_tables(home: Home, recipe_path: Path) -> list[tuple[str, str, TableVersion]]:
    """Return (table, city_id, version) of everything that a recipe's last builds made; "" for an undivided table."""
    loaded = load_recipe(recipe_path, families())
    versions = []
    for step in all_steps(loaded.families.values()).values():
        for scope in [""] if step.per == "recipe" else [c.city_id for c in loaded.recipe.cities]:
            latest = home.built.latest(loaded.recipe.name, step.name, scope)
            versions += [(step.name, city_id, version) for city_id, version in latest.outputs.items()] if latest else []
    return versions
