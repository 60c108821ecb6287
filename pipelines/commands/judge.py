"""`tripwright judge`: a run's conversations rated by a model, or by recorded ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.run import asker_of
from pipelines.commands.shared import HomeOption, JsonOption, ReleaseArgument, find_whole
from schemas.counts import counted
from warehouse.disk import put_whole
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
    from assets.families import families
    from assets.release.exporting import release_tables
    from assets.runs.records import alone, cut_to_whole_lines, read_run
    from assets.runs.scores import judgements_path, require_run_of, scored_run
    from assets.runs.setting import setting_of
    from pipelines.runs.planners import PlannerError
    from pipelines.runs.rating import judging_of, rate_all, rating_line
    from pipelines.walk.spending import note_spending

    opened, unrated = Home(home), list[str]()
    with errors_told(as_json):
        opened_release = find_whole(opened, release, "scored")
        family = families()[opened_release.manifest.family]
        judge_one, read_ratings = judging_of(setting_of(family.name), family.name)
        if (model is None) == (ratings is None):
            raise PlannerError(
                f"expected --model RECIPE or --ratings FILE, found {'neither' if model is None else 'both'}"
            )
        if meta and model is None:
            raise PlannerError("--meta has a model rate ratings; recorded ones bring theirs as `meta`. Leave it out")
        run_record = read_run(run)
        tables = release_tables(opened_release)
        require_run_of(family, tables, opened_release.version, run_record)
        path = judgements_path(run_record)
        asker = None if model is None else asker_of(opened, model)
        # Held before it is read: of two judges at once the second would write over what the first had added.
        with alone(path):
            done = read_ratings(path, run_record.lines) if cut_to_whole_lines(path) else {}
            if asker is None:
                assert ratings is not None
                rows = {**done, **read_ratings(ratings, run_record.lines)}
                put_whole(path, "".join(map(rating_line, rows.values())).encode(), f"the ratings {path.name}")
            else:
                tasks = {row["task_id"]: row for row in tables.tasks.to_dict("records")}
                todo = [tasks[task_id] for task_id in run_record.lines if task_id in tasks and task_id not in done]
                try:
                    unrated = rate_all(todo, run_record, judge_one, path, asker, with_meta=meta)
                finally:
                    note_spending(opened.store, f"judging of {opened_release.version}", asker.spent)
        rated = len(read_ratings(path, run_record.lines)) if path.is_file() else 0
        score = scored_run(family, tables, opened_release.version, run_record).aggregate.get("judge")
    if as_json:
        console.print_json({"path": str(path), "judge": score, "unrated": unrated})
    else:
        console.OUT.print(console.Text(_score_text(score, rated, len(run_record.lines))))
        if rated:
            console.OUT.print(console.Text(f"kept in {path}"), soft_wrap=True)
        _tell_unrated(unrated)
    if unrated:
        raise typer.Exit(1)


def _tell_unrated(reasons: list[str]) -> None:
    for reason in reasons[:MOST_REASONS]:
        console.ERR.print(console.Text(f"not rated: {reason}"), soft_wrap=True)
    if len(reasons) > MOST_REASONS:
        console.ERR.print(f"and {len(reasons) - MOST_REASONS} more; all of them: --json")


def _score_text(score: float | None, rated: int, conversations: int) -> str:
    if score is None:
        return f"none of {counted(conversations, 'conversation')} is rated"
    scale = "by the published five questions; more is better"
    return f"{score:.1f} of 100, the mean of {rated} of {counted(conversations, 'conversation')}, {scale}"
