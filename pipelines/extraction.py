"""What reading planners' texts needs from outside: their file, and the model of a recipe."""

from __future__ import annotations

from pathlib import Path

from assets.families import families
from assets.release.belonging import queries_of, task_named
from assets.release.reading import ReleaseError
from assets.rows import ReleaseTables
from pipelines.walk.asking import Asker
from pipelines.walk.recipes import RecipeError, load_recipe
from pipelines.walk.step_ask import StepAsk
from schemas.counts import counted
from schemas.json_lines import json_lines, lines_told
from schemas.shown import shown
from warehouse.home import Home

TEXT_KEYS = ("text", "plan")
"""Where a line has its text: ours, and the published planners' output files."""


def read_texts(path: Path, tables: ReleaseTables) -> dict[str, str]:
    """Return text by task, of lines {task_id, text}, or {index, plan} as the published planners' files have them.

    Tasks are named as for a score (`assets.release.belonging`). A null is a text that was not delivered: an empty one.
    Raises ReleaseError naming every line that is of no task of the release, and for a file without any.
    """
    queries = queries_of(tables)
    texts: dict[str, str] = {}
    problems = []
    for line in json_lines(path):
        if line.problem:
            problems.append(f"line {line.number}: {line.problem}")
            continue
        row = line.value
        row_texts = [row[key] for key in TEXT_KEYS if isinstance(row.get(key, 0), str | None)]
        text = next((one for one in row_texts if one is not None), "" if row_texts else None)
        task_id, problem = task_named(row, tables, queries)
        if text is None and any(isinstance(row.get(key), dict | list) for key in TEXT_KEYS):
            problems.append(f"line {line.number}: found JSON, expected text; `tripwright score` takes such plans")
        elif text is None or (task_id is None and not problem):
            problems.append(f"line {line.number}: expected an object with task_id and text, or index and plan")
        elif task_id is None:
            problems.append(shown(f"line {line.number}: {problem}"))
        elif task_id in texts:
            problems.append(shown(f"line {line.number}: task {task_id} was given before"))
        else:
            texts[task_id] = text
    if problems:
        raise ReleaseError(f"{path}: {counted(len(problems), 'line')} cannot be used:\n{lines_told(problems)}")
    if not texts:
        raise ReleaseError(f"{path}: found no text; expected a line of JSON a task, with task_id and text")
    return texts


def model_ask(home: Home, recipe: Path, job: str) -> StepAsk:
    """Return access to the model of a recipe for a job. Raises RecipeError if it names none."""
    loaded = load_recipe(recipe, families())
    endpoint = loaded.recipe.engines.openai
    if endpoint is None:
        raise RecipeError(f"{recipe}: names no model; it needs a table [engines.openai] with base_url and model")
    return Asker(home.ledger, endpoint, recipe.parent).for_step(job)
