"""What a recipe's families can ask of its cities, before anything is drafted: from the tables that were built."""

from __future__ import annotations

from typing import Any

from assets.core.worlds import given_tables
from pipelines.walk.recipes import LoadedRecipe
from pipelines.walk.walk_report import WalkResult
from warehouse.home import Home


def feasible(home: Home, loaded: LoadedRecipe, walked: WalkResult) -> list[dict[str, Any]]:
    """Return the rows of each family that tells what is feasible, by family and city; of blocked cities none."""
    rows: list[dict[str, Any]] = []
    for name, family in loaded.families.items():
        if family.feasible is None:
            continue
        for city in loaded.recipe.cities:
            runs = [(table, walked.records.get((table.table_name(), city.city_id))) for table in family.world_tables]
            if any(built is None for _, built in runs):
                continue
            frames = [
                table.frame(home.tables.read(built.outputs[city.city_id])) for table, built in runs if built is not None
            ]
            tables = given_tables(family.world_tables, frames, loaded.sections[name])
            city_rows = family.call("feasible", tables, loaded.sections[name])
            rows += [{"family": name, "city_id": city.city_id, **row} for row in city_rows]
    return rows
