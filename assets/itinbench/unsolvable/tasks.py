"""Drawing tasks that no plan can meet, one wish from tasks of a release, and reading who says so.

Each is certified: two proofs that no plan meets it, a smallest set of wishes that clash, and for each of these a
certified plan of all other wishes of the record. It is near: its record is a released, solvable task's with one wish
changed or added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assets.core.claims import Wish, claim_in
from assets.core.no_solution import LEVEL, id_near, one_from_each, task_row
from assets.family import Solved
from assets.itinbench.checks.clashes import clash_holds, wishes_of
from assets.itinbench.evidence import known_places
from assets.itinbench.solver import solve_from
from assets.itinbench.tables import CUISINES, PRICES, Record
from assets.itinbench.unsolvable.clashes import Clash, Town, is_clash, smallest_clash
from assets.itinbench.wording import request
from assets.itinbench.world import World
from assets.rows import ReleaseTables
from schemas.reviews import ATTRACTION_ORIENTATIONS, RESTAURANT_ATTRIBUTES, STAY_ATTRIBUTES
from schemas.stable import stable_hash

MOST_ATTRIBUTES = 3

KINDS = 3
"""Kinds of places that a plan needs."""


def unsolvable_tasks(tables: ReleaseTables, count: int, seed: int) -> list[dict[str, Any]]:
    """Return at most so many tasks without a solution, each from another task: as a task's row, with `proof` beside.

    Of the changes of one wish that leave no plan, those whose clash is of several wishes come first.
    """
    cities = {str(city): (Town(rows), World(rows)) for city, rows in known_places(tables).groupby("city_id")}
    return one_from_each(tables, count, seed, lambda row: _near(*cities[row["city_id"]], row, seed))


def _near(town: Town, world: World, row: Mapping[Any, Any], seed: int) -> dict[str, Any] | None:
    task_id = id_near(row)
    options: list[tuple[bool, int, Record, Clash]] = []
    for changed in changes(row["record"]):
        clash = smallest_clash(town, changed)
        if clash is not None and not clash_holds(changed, clash.wishes, clash.lacking, world):
            lot = stable_hash(LEVEL, seed, task_id, str(wishes_of(changed)))
            options.append((len(clash.wishes) < 2, lot, changed, clash))
    for _, _, record, clash in sorted(options, key=lambda option: option[:2]):
        plans = plans_without(town, record, clash, task_id)
        if plans is not None:
            return task_row(row, request(task_id, record), record, clash.wishes, clash.lacking, plans)
    return None


def plans_without(town: Town, record: Record, clash: Clash, task_id: str) -> dict[Wish, Any] | None:
    """Return for each wish of a clash a plan of all other wishes with optimal tours; None if one of them has none."""
    plans_by_wish: dict[Wish, Any] = {}
    for wish in clash.wishes:
        pools = town.pools(other_wishes(record, wish))
        solved = solve_from(record, pools, task_id=task_id) if len(pools) == KINDS else None
        if not isinstance(solved, Solved):
            return None
        plans_by_wish[wish] = solved.plan
    return plans_by_wish


def other_wishes(record: Record, wish: Wish) -> list[Wish]:
    """Return all wishes of a record but one."""
    return [other for other in wishes_of(record) if other != wish]


def changes(record: Record) -> Iterator[Record]:
    """Yield every record that is one wish from a record: one changed, or one preference more."""
    for name, values in (("price", PRICES), ("orientation", ATTRACTION_ORIENTATIONS), ("cuisine", CUISINES)):
        yield from ({**record, name: value} for value in values if value != record[name])  # type: ignore[misc]
    for name, values in (("restaurant", RESTAURANT_ATTRIBUTES), ("hotel", STAY_ATTRIBUTES)):
        if len(record[name]) < MOST_ATTRIBUTES:
            yield from ({**record, name: [*record[name], v]} for v in values if v not in record[name])  # type: ignore[misc]


def is_right(tables: ReleaseTables, task: Mapping[str, Any], text: str, plan: Any) -> bool:
    """Return whether an answer to a task without a solution says so and names a clash; who hands in a plan does not."""
    clash = claim_in(text)
    if plan is not None or clash is None:
        return False
    places = known_places(tables)
    return is_clash(Town(places[places["city_id"] == task["city_id"]]), task["record"], clash)
