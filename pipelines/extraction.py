"""What reading planners' texts needs from outside: their file, and the model of a recipe."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from assets.family import families
from pipelines.walk.asking import Asker
from pipelines.walk.recipes import RecipeError, load_recipe
from pipelines.walk.step_ask import StepAsk
from warehouse.home import Home

TEXT_KEYS = ("text", "plan")
"""Where a line has its text: ours, and the published planners' output files."""


def read_texts(path: Path, task_ids: Collection[str]) -> dict[str, str]:
    """Return text by task, of lines {task_id, text}, or {index, plan} as the published planners' files have them.

    An `index` is a task's number, from 1, in the order of the ids, as the export numbers them. Raises ValueError naming
    every line that is not of one of the release's tasks.
    """
    numbered = dict(enumerate(sorted(task_ids), 1))
    found: dict[str, str] = {}
    problems = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        row = row if isinstance(row, dict) else {}
        text = next((row[key] for key in TEXT_KEYS if isinstance(row.get(key), str)), None)
        named = row.get("task_id", row.get("index"))
        is_named = isinstance(named, str | int) and not isinstance(named, bool)
        task_id = numbered.get(named) if isinstance(named, int) else None
        if isinstance(named, str) and named in task_ids:
            task_id = named
        if text is None or not is_named:
            problems.append(f"  - line {number}: expected an object with task_id and text, or index and plan")
        elif task_id is None:
            problems.append(f"  - line {number}: the release has no task {named!r:.80}")
        elif task_id in found:
            problems.append(f"  - line {number}: task {task_id} was given before")
        else:
            found[task_id] = text
    if problems:
        raise ValueError(f"{path}: {len(problems)} lines cannot be used:\n" + "\n".join(problems[:20]))
    return found


def model_ask(home: Home, recipe: Path, job: str) -> StepAsk:
    """Return access to the model of a recipe for a job. Raises RecipeError if it names none."""
    loaded = load_recipe(recipe, families())
    endpoint = loaded.recipe.engines.openai
    if endpoint is None:
        raise RecipeError(f"{recipe}: names no model; it needs a table [engines.openai] with base_url and model")
    return Asker(home.ledger, endpoint, recipe.parent).for_step(job)
