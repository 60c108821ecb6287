"""A recipe walked as far as it goes: what its families and its cities' space need, nothing released yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cache

from assets.families import all_steps, stage_steps
from assets.family import Family
from pipelines.walk.cell import Bench
from pipelines.walk.executors import Executor, cores
from pipelines.walk.fingerprint import Code
from pipelines.walk.jobs import keep_job
from pipelines.walk.recipes import LoadedRecipe, RecipeError
from pipelines.walk.spending import note_spending
from pipelines.walk.walk import Start, Walk
from pipelines.walk.walk_report import Blocked, Event
from schemas.recipe import RecipeLock
from warehouse.home import Home


@dataclass
class RecipeWalk:
    """A recipe walked as far as it goes, nothing released yet."""

    loaded: LoadedRecipe
    lock: RecipeLock
    walk: Walk
    target_families: list[Family]
    city_ids: list[str] | None
    spatial: bool
    left_out: list[Blocked] = field(default_factory=list)
    planning: bool = False

    def causes(self) -> list[Blocked]:
        """Return what is blocked, and why."""
        targets = [name for family in self.target_families for name in family_targets(family)]
        return self.walk.walked.causes([*targets, *(stage_steps("spatial") if self.spatial else [])])


def walk_recipe(
    home: Home,
    loaded: LoadedRecipe,
    lock: RecipeLock,
    code: Code,
    report: Callable[[Event], None] = lambda _: None,
    city_ids: list[str] | None = None,
    family_names: list[str] | None = None,
    start: Start | None = None,
    *,
    planning: bool = False,
) -> RecipeWalk:
    """Build what is stale of a recipe's families, and of its cities' space; the home's lock must be held.

    With `planning` no model is asked: `walk.needed` says which answers the ledger lacks. Raises StoreError if the
    pointer to a family's newest release is damaged.
    """
    target_families = _wanted_families(loaded, family_names)
    for family in target_families:  # now, not after hours of work
        home.releases.latest(loaded.recipe.name, family.name)
    start = start or on_cores(home, loaded, lock)
    steps = all_steps(loaded.families.values())
    walk = Walk(home, loaded, lock, steps, code, report, planning=planning, start=start)
    spatial = loaded.recipe.spatial is not None and family_names is None
    targets = build_targets(loaded, family_names)
    ahead = {(step.name, city.city_id if city else "") for step, city in walk.graph.visits(targets, city_ids)}
    for step, scope in sorted(ahead):
        report(Event(step, scope, "ahead"))
    walk.build(targets, city_ids)
    if walk.spent is not None:
        note_spending(home.store, loaded.recipe.name, walk.spent)
        home.ledger.close()
    return RecipeWalk(loaded, lock, walk, target_families, city_ids, spatial, planning=planning)


def on_cores(
    home: Home,
    loaded: LoadedRecipe,
    lock: RecipeLock,
    workers: int | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Start:
    """Return how a walk starts what runs its cells: on so many cores of this machine, None for all."""

    def start(bench: Bench) -> AbstractContextManager[Executor]:
        return cores(bench, home.url, cache(lambda: keep_job(home, loaded, lock)), workers, say)

    return start


def on_cluster(
    home: Home, loaded: LoadedRecipe, lock: RecipeLock, code: Code, scheduler: str, *, no_install: bool = False
) -> Start:
    """Return how a walk starts what runs its cells: on the workers of a Dask scheduler, each of which fetches OSRM."""
    from pipelines.walk.cluster import cluster

    def start(_: Bench) -> AbstractContextManager[Executor]:
        job = cache(lambda: keep_job(home, loaded, lock, no_install=no_install))
        return cluster(scheduler, home.store.address, job, code)

    return start


def without_cities(loaded: LoadedRecipe, lock: RecipeLock, gone: set[str]) -> tuple[LoadedRecipe, RecipeLock]:
    """Return a recipe and its lock without some cities and their files."""
    cities = [city for city in loaded.recipe.cities if city.city_id not in gone]
    recipe = loaded.recipe.model_copy(update={"cities": cities})
    snapshots = [snapshot for snapshot in lock.snapshots if snapshot.city_id not in gone]
    remaining_lock = lock.model_copy(update={"snapshots": snapshots}).sealed()
    return replace(loaded, recipe=recipe, left_out=tuple(sorted(gone))), remaining_lock


def family_targets(family: Family) -> list[str]:
    """Return the names of the tables that a family's release needs."""
    return [table.table_name() for table in family.released]


def build_targets(loaded: LoadedRecipe, family_names: list[str] | None) -> list[str]:
    """Return the steps that a build of these families ends in, with the cities' space where it builds all."""
    targets = [name for family in _wanted_families(loaded, family_names) for name in family_targets(family)]
    return targets + (stage_steps("spatial") if loaded.recipe.spatial is not None and family_names is None else [])


def _wanted_families(loaded: LoadedRecipe, names: Iterable[str] | None) -> list[Family]:
    family_names = list(names) if names else list(loaded.families)
    unknown = [name for name in family_names if name not in loaded.families]
    if unknown:
        have = ", ".join(loaded.families) or "none"
        raise RecipeError(f"{loaded.path}: the recipe has no section for {', '.join(unknown)}; it builds {have}")
    return [loaded.families[name] for name in family_names]


def require_known_cities(loaded: LoadedRecipe, city_ids: list[str] | None) -> None:
    """Raise RecipeError naming the cities that the recipe does not have."""
    recipe_city_ids = [c.city_id for c in loaded.recipe.cities]
    unknown = [c for c in city_ids or [] if c not in recipe_city_ids]
    if unknown:
        raise RecipeError(f"{loaded.path}: no city {', '.join(unknown)}; the recipe has {', '.join(recipe_city_ids)}")
