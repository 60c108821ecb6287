"""`tripwright run`: a planner on a release's tasks, one line a task, resumable."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, ReleaseArgument, find_whole
from pipelines.score_page import show_scores
from schemas.counts import counted
from warehouse.home import Home

if TYPE_CHECKING:
    from assets.runs.records import Head
    from assets.runs.scores import ScoredRun
    from pipelines.runs.planners import Field
    from warehouse.store import Store

FOLDER = "runs"


def run_command(
    release: ReleaseArgument,
    planner: Annotated[
        str,
        typer.Option(help="random, greedy, careful or witness; `model`; or `command:` and a command to run."),
    ],
    model: Annotated[
        Path | None,
        typer.Option("--model", metavar="RECIPE", help="The recipe whose [engines.openai] is asked, for `model`."),
    ] = None,
    setting: Annotated[str | None, typer.Option(help="The published setting; the family's first by default.")] = None,
    variant: Annotated[str, typer.Option(help="ours, paper or released: how it is played and scored.")] = "ours",
    limit: Annotated[int | None, typer.Option(min=1, help="So many tasks, evenly spaced; all by default.")] = None,
    level: Annotated[str | None, typer.Option(help="Tasks of this level alone.")] = None,
    unsolvable: Annotated[
        int,
        typer.Option(min=0, help="Add so many tasks that no plan can meet, near to solvable ones."),
    ] = 0,
    users: Annotated[
        str, typer.Option(help="Who speaks for a group's members: rules, or model (the one of --model).")
    ] = "rules",
    seed: Annotated[int, typer.Option(help="Another gives another random planner.")] = 0,
    out: Annotated[
        Path | None, typer.Option(help="The run's file; by default runs/VERSION-PLANNER-SETTING.jsonl here.")
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run a planner on a release's tasks in their published setting, and score what it hands in.

    Everything said is kept, one line of JSON a task. A run that was stopped goes on where it was when the same command
    is given again; a model's answers are in the home's ledger and are never paid for twice.

    Examples: `tripwright run 4c1f0a --planner greedy` · `tripwright run 4c1f0a --planner model --model mine.toml` ·
    `tripwright run 4c1f0a --planner 'command:python my_planner.py' --limit 20`.
    """
    from assets.runs.records import Head, alone, begin, forget_unplayed, read_run
    from assets.runs.scores import scored_run, unsolvable_of
    from pipelines.runs.planners import MODEL, Field, PlannerError

    opened = Home(home)
    with errors_told(as_json):
        if users not in ("rules", MODEL):
            raise PlannerError(f"no users {users!r}; expected rules or model")
        by_model = users == MODEL
        field = Field(find_whole(opened, release, "run"), setting, variant, seed, MODEL if by_model else "")
        if (planner == MODEL or by_model) != (model is not None):
            raise PlannerError("expected --planner model (or --users model) and --model RECIPE together")
        asker = asker_of(opened, model) if model else None
        head = Head(
            field.release.version, field.family.name, planner, asker.endpoint.model if asker else "", field.setting,
            variant, seed, field.users, unsolvable,
        )  # fmt: skip
        path = out or Path(FOLDER) / f"{_file_name(head)}.jsonl"
        extra = unsolvable_of(field.runs, field.tables, head)
        if len(extra) < unsolvable:
            raise PlannerError(
                f"found {counted(len(extra), 'task')} without a solution one wish away from the release's tasks; "
                f"--unsolvable asks for {unsolvable}. Ask for at most {len(extra)}"
            )
        tasks = [*field.tasks(limit, level), *extra]
        with alone(path):
            done = begin(path, head, dt.datetime.now(dt.UTC).date().isoformat())
            todo = [task for task in tasks if task["task_id"] not in done]
            try:
                lost = _played(todo, len(tasks), field, planner, path, asker, opened.store) if todo else []
            except BaseException:
                forget_unplayed(path)
                raise
        score = scored_run(field.family, field.tables, head.release, read_run(path))
    _show(score, path, lost, asker, as_json=as_json)
    if lost:
        raise typer.Exit(1)


def _played(todo: list[Any], count: int, field: Field, planner: str, path: Path, asker: Any, store: Store) -> list[str]:
    """Play the tasks that are left of a run and note what was paid; return why tasks were lost."""
    from pipelines.runs.run import play_all, reader
    from pipelines.walk.spending import note_spending

    player = field.player(planner, [task["task_id"] for task in todo])
    try:
        with _Progress(count, count - len(todo)) as progress:
            return play_all(todo, player, path, reader(field.family, names_of(field)), progress, asker).failures
    finally:
        if asker is not None:
            note_spending(store, f"run of {field.release.version}", asker.spent)


def asker_of(home: Home, recipe: Path) -> Any:
    """Return who asks the recipe's model. Raises RecipeError if it names none."""
    from assets.families import families
    from pipelines.walk.asking import Asker
    from pipelines.walk.recipes import RecipeError, load_recipe

    endpoint = load_recipe(recipe, families()).recipe.engines.openai
    if endpoint is None:
        raise RecipeError(f"{recipe}: names no model; it needs a table [engines.openai] with base_url and model")
    return Asker(home.ledger, endpoint, recipe.parent)


def names_of(field: Field) -> Any:
    """Return the names that the grammar of the family's plans takes, by task."""
    if field.family.plan_text is None:
        return {}
    from assets.language.plan_texts import plan_text

    grammar = plan_text(field.family.name)
    has_all = set(grammar.place_names_from) <= set(field.release.tables())
    return grammar.place_names(field.release.table) if has_all else {}


def _file_name(head: Head) -> str:
    """Return a name that says what is run and is a file's name anywhere."""
    parts = (head.release, head.planner, head.model, head.setting, head.variant if head.variant != "ours" else "")
    seed, users = f"seed{head.seed}" if head.seed else "", "users_by_model" if head.users else ""
    users += f"-unsolvable{head.unsolvable}" if head.unsolvable else ""
    name_parts = [re.sub(r"[^A-Za-z0-9.]+", "_", part)[:60].strip("_.") for part in (*parts, seed, users) if part]
    return "-".join(name_parts)


class _Progress:
    """Says on stderr how many tasks are done and what was paid: a line that changes on a terminal, else one each.

    Problems stay to be read.
    """

    def __init__(self, total: int, done: int) -> None:
        self._total, self._done = total, done
        self._line = console.ERR.status("", spinner=console.spinner(console.ERR)) if console.ERR.is_terminal else None

    def __enter__(self) -> _Progress:
        if self._line:
            self._line.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._line:
            self._line.stop()

    def __call__(self, line: Any, cost: float) -> None:
        self._done += 1
        paid = f", {cost:.4f} paid" if cost else ""
        problem = f": {line.problem}" if line.problem else ""
        text = console.Text(f"{self._done} of {self._total} {line.task_id}{paid}{problem}")
        if self._line:
            self._line.update(text)
        if problem or not self._line:
            console.ERR.print(text, soft_wrap=True)


def _show(score: ScoredRun, path: Path, lost: list[str], asker: Any, *, as_json: bool) -> None:
    from assets.runs.calibration import mean_percent

    own_outcomes = [score.outcomes[task_id] for task_id in score.run.release_tasks]
    extra = [one for task_id, one in score.outcomes.items() if task_id not in score.run.release_tasks]
    solved, right = (sum(one.is_solved for one in outcomes) for outcomes in (own_outcomes, extra))
    percent = mean_percent([one.percent for one in own_outcomes])
    spent = {name: getattr(asker.spent, name) for name in ("calls", "cached", "cost")} if asker else {}
    if as_json:
        summary = {"path": str(path), "release": score.run.head.release, "planner": score.run.name}
        summary |= {"tasks": len(own_outcomes), "solved": solved, "percent": percent, "lost": lost}
        summary |= {"without_solution": {"tasks": len(extra), "right": right}} if score.run.head.unsolvable else {}
        console.print_json({**summary, "spent": spent, "aggregate": score.aggregate})
        return
    head = score.run.head
    show_scores(
        head.family, f"release {head.release}, planner {score.run.name}, variant {head.variant}", score.aggregate
    )
    paid = (
        f"; {counted(spent['calls'], 'call')}, {spent['cached']} of the ledger, {spent['cost']:.4f} paid"
        if spent
        else ""
    )
    console.OUT.print(
        console.Text(f"{solved} of {counted(len(own_outcomes), 'task')} solved, {percent:.1f} % on average{paid}")
    )
    if score.run.head.unsolvable:
        console.OUT.print(f"of {counted(len(extra), 'task')} without a solution, said to be so and why: {right}")
    console.OUT.print(console.Text(f"kept in {path}"))
    if lost:
        console.OUT.print(console.Text(f"no reply to {counted(len(lost), 'task')}; run again for the rest: {lost[0]}"))
