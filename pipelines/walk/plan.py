"""What a build would do, and what its model calls would cost: known now, or once all is built that asks no model."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from assets.families import all_steps, families
from pipelines.walk.build import coverage
from pipelines.walk.call_costs import Needed
from pipelines.walk.feasible import feasible
from pipelines.walk.fingerprint import Code
from pipelines.walk.inputs import known_lock, resolve, taken_though
from pipelines.walk.listener import NOBODY, Listener
from pipelines.walk.recipe_walk import build_targets, on_cores, require_known_cities
from pipelines.walk.recipes import load_recipe
from pipelines.walk.walk import Walk
from schemas.recipe import RecipeLock
from warehouse.home import Home


@dataclass(frozen=True)
class BuildPlan:
    """What a build would do: the (step, city) pairs to run first, the model calls they need, and what these cost.

    `waiting` names steps that ask a model about what other answers give: their calls cannot be counted yet.
    """

    stale: list[tuple[str, str]]
    needed: dict[tuple[str, str], Needed] = field(default_factory=dict)
    waiting: list[tuple[str, str]] = field(default_factory=list)
    coverage: list[dict[str, Any]] = field(default_factory=list)
    feasible: list[dict[str, Any]] = field(default_factory=list)

    @property
    def cost(self) -> float:
        """Return what the calls that can be counted would cost, as estimated."""
        return sum(needed.cost for needed in self.needed.values())

    def as_json(self) -> dict[str, Any]:
        """Return the plan as printed under `--json`."""
        counted = [{"step": step, "scope": scope, **asdict(needed)} for (step, scope), needed in self.needed.items()]
        total = {name: sum(row[name] for row in counted) for name in ("calls", "prompt_tokens", "completion_tokens")}
        later = [{"step": step, "scope": scope} for step, scope in self.waiting]
        return {
            "stale": [{"step": step, "scope": scope} for step, scope in self.stale],
            "calls": {**total, "cost": round(self.cost, 6), "by_step": counted, "not_yet_countable": later},
            **({"coverage": self.coverage} if self.coverage else {}),
            **({"feasible": self.feasible} if self.feasible else {}),
        }


def plan_build(
    home: Home, recipe_path: Path, city_ids: list[str] | None = None, family_names: list[str] | None = None
) -> BuildPlan:
    """Return what a build would run first, by what is known now. Nothing is built, fetched, copied or written.

    `city_ids` and `family_names` are those that the build is asked for, None for all; RecipeError for an unknown one.

    Where an input was never had (an address that was not asked, an invented world that was not written), all that a
    build comes to is returned.
    """
    loaded, code = load_recipe(recipe_path, families()), Code()
    require_known_cities(loaded, city_ids)
    lock = known_lock(home, loaded, code)
    steps = all_steps(loaded.families.values())
    walk = Walk(home, loaded, lock or RecipeLock(recipe=loaded.recipe.name, snapshots=[]), steps, code)
    targets = build_targets(loaded, family_names)
    if lock is None:
        return BuildPlan(_visits(walk, targets, city_ids))
    return BuildPlan(_stale(walk, targets, city_ids))


def estimate_build(
    home: Home,
    recipe_path: Path,
    listener: Listener = NOBODY,
    city_ids: list[str] | None = None,
    family_names: list[str] | None = None,
) -> BuildPlan:
    """Return what a build would run and ask, once all that asks no model was built; no model is asked.

    `city_ids` and `family_names` are those that the build is asked for, None for all; RecipeError for an unknown one.
    What the cities cannot support, and what can be asked of them how often, is known then, and returned.
    """
    loaded, code = load_recipe(recipe_path, families()), Code()
    require_known_cities(loaded, city_ids)
    with home.building():
        lock = resolve(home, loaded, code, worse=lambda problem: listener.say(taken_though(problem)), say=listener.say)
        steps, start = all_steps(loaded.families.values()), on_cores(home, loaded, lock)
        walk = Walk(home, loaded, lock, steps, code, listener.report, planning=True, start=start)
        targets = build_targets(loaded, family_names)
        stale = _stale(walk, targets, city_ids)
        walked = walk.build(targets, city_ids)
        engines = loaded.recipe.engines
        waiting = [
            (name, city_id)
            for name, city_id in walked.blocked
            if steps[name].job and engines.endpoint(steps[name].job) and not _is_counted(walk, name, city_id)
        ]
        return BuildPlan(stale, walk.needed, waiting, coverage(home, loaded, walked), feasible(home, loaded, walked))


def _visits(walk: Walk, targets: list[str], city_ids: list[str] | None) -> list[tuple[str, str]]:
    return [(step.name, city.city_id if city else "") for step, city in walk.graph.visits(targets, city_ids)]


def _stale(walk: Walk, targets: list[str], city_ids: list[str] | None) -> list[tuple[str, str]]:
    visits = set(_visits(walk, targets, city_ids))
    return [(step.name, scope) for step, scope in walk.stale(targets) if (step.name, scope) in visits]


def _is_counted(walk: Walk, step: str, city_id: str) -> bool:
    return (step, city_id) in walk.needed or (step, "") in walk.needed
