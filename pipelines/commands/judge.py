"""`tripwright judge`: a run's conversations rated by a model, or by recorded ratings."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.run import asker_of
from pipelines.commands.shared import HomeOption, JsonOption, ReleaseArgument, find_whole
from warehouse.disk import put_whole, writing
from warehouse.home import Home

MOST_REASONS = 5
"""Why a conversation has no rating is told of so many; the others are often the same."""


def judge(
    release: ReleaseArgument,
    run: Annotated[Path, typer.Argument(help="A file that `tripwright run` wrote.")],
    model: Annotated[
        Path | None, typer.Option("--model", metavar="RECIPE", help="The recipe whose [engines.openai] is asked.")
    ] = None,
    ratings: Annotated[
        Path | None, typer.Option(help='Recorded ratings instead: lines {"task_id", "ratings": [1 to 5, …], "meta"}.')
    ] = None,
    meta: Annotated[bool, typer.Option("--meta", help="Have the ratings rated too, as published.")] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Rate a run's conversations by the published five questions; `calibrate` and `run` then show the score.

    Writes the ratings beside the run; one that was stopped goes on, and no answer is paid for twice. Recorded ratings
    take the place of those of the same tasks; others stay.

    Examples: `tripwright judge 4c1f0a runs/mine.jsonl --model mine.toml --meta` ·
    `tripwright judge 4c1f0a runs/mine.jsonl --ratings rated.jsonl`.
    """
    from assets.family import families
    from assets.named import load
    from assets.release.exporting import release_tables
    from assets.runs.records import alone, cut_to_whole_lines, read_run
    from assets.runs.scores import judgements_path, require_run_of, scored
    from assets.runs.setting import setting_of
    from pipelines.runs.planners import PlannerError
    from pipelines.walk.spending import note_spending

    opened = Home(home)
    with errors_told(as_json):
        opened_release = find_whole(opened, release, "scored")
        family = families()[opened_release.manifest.family]
        setting = setting_of(family.name)
        if setting.judge is None or setting.ratings is None:
            raise PlannerError(f"{family.name} has no conversations to judge")
        if (model is None) == (ratings is None):
            raise PlannerError(
                f"expected --model RECIPE or --ratings FILE, found {'neither' if model is None else 'both'}"
            )
        read = read_run(run)
        tables = release_tables(opened_release)
        require_run_of(family, tables, opened_release.version, read)
        path = judgements_path(read)
        asker = None if model is None else asker_of(opened, model)
        # Held before it is read: of two judges at once the second would write over what the first had added.
        with alone(path):
            done = load(setting.ratings)(path, read.lines) if cut_to_whole_lines(path) else {}
            if ratings is not None:
                rows = {**done, **load(setting.ratings)(ratings, read.lines)}
                put_whole(path, "".join(map(_line, rows.values())).encode(), f"the ratings {path.name}")
                unrated = []
            else:
                assert asker is not None
                tasks = {row["task_id"]: row for row in tables.tasks.to_dict("records")}
                todo = [tasks[task_id] for task_id in read.lines if task_id in tasks and task_id not in done]
                begin = load(setting.judge)
                try:
                    unrated = _asked(
                        todo, lambda task: begin(task, read.lines[task["task_id"]].log, with_meta=meta), path, asker
                    )
                finally:
                    note_spending(opened.store, f"judging of {opened_release.version}", asker.spent)
        rated = len(load(setting.ratings)(path, read.lines)) if path.is_file() else 0
        aggregate = scored(family, tables, opened_release.version, read).aggregate
    summary = {"path": str(path), "judge": aggregate.get("judge"), "unrated": unrated}
    if as_json:
        console.print_json(summary)
    else:
        console.OUT.print(console.Text(_said(summary["judge"], rated, len(read.lines))))
        if rated:
            console.OUT.print(console.Text(f"kept in {path}"), soft_wrap=True)
        for reason in unrated[:MOST_REASONS]:
            console.ERR.print(console.Text(f"not rated: {reason}"), soft_wrap=True)
        if len(unrated) > MOST_REASONS:
            console.ERR.print(f"and {len(unrated) - MOST_REASONS} more; all of them: --json")
    if unrated:
        raise typer.Exit(1)


def _asked(todo: list[Any], begin: Callable[[Any], Any], path: Path, asker: Any) -> list[str]:
    """Have the conversations rated, add each rating to the file when it is there, and return why some have none."""
    from pipelines.runs.run import ask_each

    unrated: list[str] = []

    def keep(task: Any, judged: Any, _: float) -> None:
        if judged.problem:
            unrated.append(f"{task['task_id']}: {judged.problem}")
            return
        with writing(f"the ratings {path.name}", path.parent), path.open("a", encoding="utf-8") as file:
            file.write(_line(judged))

    lost = ask_each(todo, begin, keep, asker).lost
    return [*unrated, *lost]


def _said(score: float | None, rated: int, conversations: int) -> str:
    if score is None:
        return f"none of {conversations} conversations is rated"
    scale = "by the published five questions; more is better"
    return f"{score:.1f} of 100, the mean of {rated} of {conversations} conversations, {scale}"


def _line(judged: Any) -> str:
    row = {name: value for name, value in asdict(judged).items() if name != "problem"}
    return json.dumps(row, ensure_ascii=False) + "\n"
