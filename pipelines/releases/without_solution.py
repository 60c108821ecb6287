"""The extra file of a release whose recipe asks for tasks without a solution: a line each, with its proof."""

from __future__ import annotations

import json
from typing import Any

from assets.core.no_solution import KEY
from assets.family import Family
from assets.named import load
from assets.release.reading import NO_SOLUTION, ReleaseError
from assets.rows import ReleaseTables
from assets.runs.setting import setting_of
from pipelines.walk.fingerprint import Code
from schemas.counts import counted
from schemas.release import CANARY


def asked_for(section: Any) -> int:
    """Return how many tasks without a solution the family's section of a recipe asks for."""
    return getattr(section, KEY, 0)


def maker_code(family: Family, section: Any, code: Code) -> str:
    """Return the hash of the code that such tasks are drawn and judged by; empty where none are asked for."""
    setting = setting_of(family.name)
    functions = (setting.unsolvable, setting.wishes_of, setting.with_wishes, setting.clash_holds, setting.unkept)
    return code.hash_of(*filter(None, functions)) if asked_for(section) else ""


def without_solution(family: Family, tables: ReleaseTables, section: Any, seed: int) -> dict[str, bytes]:
    """Return the file by its name; nothing where none are asked for. Raises ReleaseError if too few can be found."""
    count, maker = asked_for(section), setting_of(family.name).unsolvable
    if not count:
        return {}
    if maker is None:
        raise ReleaseError(
            f"{family.name}: {KEY} asks for {count}, and nothing draws them; expected `unsolvable` of a RunSetting in "
            f"assets/{family.name}/runs.py"
        )
    rows = load(maker)(tables, count, seed)
    if len(rows) < count:
        raise ReleaseError(
            f"{family.name}: {counted(len(rows), 'task')} without a solution, each one wish from a released "
            f"one; {KEY} asks for "
            f"{count}. Ask for at most {len(rows)}, or for more tasks"
        )
    column_names = ("task_id", "city_id", "query", "messages", "record", "proof")
    entries = ({**{name: row[name] for name in column_names if row[name] != []}, "canary": CANARY} for row in rows)
    lines = (json.dumps(line, ensure_ascii=False, sort_keys=True) for line in entries)
    return {NO_SOLUTION: "".join(f"{line}\n" for line in lines).encode()}
