"""What reading planners' texts needs from outside: their file, and the model of a recipe."""

from __future__ import annotations

import json
from pathlib import Path

from assets.family import families
from pipelines.walk.asking import Asker, StepAsk
from pipelines.walk.recipes import RecipeError, load_recipe
from warehouse.home import Home


def read_texts(path: Path, task_ids: set[str]) -> dict[str, str]:
    """Return text by task. Raises ValueError naming every line that is not of one of the release's tasks."""
    found: dict[str, str] = {}
    problems = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in ("task_id", "text")):
            problems.append(f"  - line {number}: expected an object with task_id and text, both text")
        elif row["task_id"] not in task_ids:
            problems.append(f"  - line {number}: the release has no task {row['task_id']!r:.80}")
        elif row["task_id"] in found:
            problems.append(f"  - line {number}: task {row['task_id']} was given before")
        else:
            found[row["task_id"]] = row["text"]
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
