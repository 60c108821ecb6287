"""Telling a Dagster instance what a command built outside of it, so that its asset graph stays true."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from warehouse.built import BuiltStep
from warehouse.home import Home

INSTANCE_VARIABLE = "DAGSTER_HOME"
INSTANCE_KEY = "dagster"


def instance_folder(home: Home) -> Path | None:
    """Return where Dagster's records of a home are: $DAGSTER_HOME, else a folder of it; None if neither can be."""
    if named := os.environ.get(INSTANCE_VARIABLE):
        return Path(named).absolute()
    folder = home.store.folder(INSTANCE_KEY)
    return folder.absolute() if folder else None


def report_to_dagster(home: Home, recipe: str, city_ids: list[str], ran: Sequence[BuiltStep]) -> int:
    """Report each run of a step to the home's Dagster instance, and return how many events it got; 0 without one.

    A step that runs once a recipe is reported for every city, as Dagster's partitions have it.
    """
    folder = instance_folder(home)
    if not ran or folder is None or not folder.is_dir():
        return 0
    import dagster as dg

    reported = 0
    with dg.DagsterInstance.from_config(str(folder)) as instance:
        for built in ran:
            for city_id in [built.scope] if built.scope else city_ids:
                for event in _events(dg, recipe, city_id, built):
                    instance.report_runless_asset_event(event)
                    reported += 1
    return reported


def _events(dg: Any, recipe: str, city_id: str, built: BuiltStep) -> list[Any]:
    partition = f"{recipe}/{city_id}"
    version = built.outputs.get(city_id) or built.outputs.get("")
    made = dg.AssetMaterialization(
        built.step,
        partition=partition,
        metadata={"rows": version.rows if version else 0, "rejected": sum(built.accounting.rejected.values())},
        tags={"dagster/data_version": version.sha256 if version else built.fingerprint},
    )
    checks = [
        dg.AssetCheckEvaluation(
            asset_key=dg.AssetKey(built.step),
            check_name=verdict["check"],
            passed=verdict["holds"],
            metadata={"found": verdict["found"]},
            partition=partition,
        )
        for verdict in built.verdicts
    ]
    return [made, *checks]
