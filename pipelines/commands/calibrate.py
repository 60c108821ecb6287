"""`tripwright calibrate`: what runs say about a release's tasks, and its leaderboard."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, ReleaseArgument, find_whole
from warehouse.home import Home


def calibrate(
    release: ReleaseArgument,
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN",
            help="Files that `tripwright run` wrote, each counted once; ratings beside one are read with it.",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="Where to write; by default a folder beside the first run, by the version.")
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score runs again and say how hard each task is, how well it tells planners apart, and who leads.

    Writes runs.parquet (planners by level, with intervals and cost), tasks.parquet (each task's measured difficulty)
    and leaderboard.md.

    Example: `tripwright calibrate 4c1f0a runs/4c1f0a*.jsonl`.
    """
    from assets.core.no_solution import LEVEL
    from assets.families import families
    from assets.release.exporting import release_tables
    from assets.runs.calibration import calibration
    from assets.runs.leaderboard import interval_text, said_of, short, write
    from assets.runs.records import RunError, read_run
    from assets.runs.scores import JUDGED, scored_run

    with errors_told(as_json):
        opened = find_whole(Home(home), release, "scored")
        family, tables = families()[opened.manifest.family], release_tables(opened)
        each = {path.resolve(): path for path in reversed(runs)}  # a pattern and a name may give one file twice
        run_records = [read_run(path) for path in reversed(each.values()) if not path.name.endswith(JUDGED)]
        if not run_records:
            raise RunError(f"found ratings of runs alone (*{JUDGED}); expected the runs beside them")
        empty = [str(run.path) for run in run_records if not run.release_tasks]
        if empty:
            raise RunError(
                f"{', '.join(empty)}: found no task of the release that was run; run some, or leave the file out"
            )
        variants = sorted({run.head.variant for run in run_records})
        if len(variants) > 1:
            raise RunError(f"found runs of variants {', '.join(variants)}; expected one, since their scores differ")
        results = [scored_run(family, tables, opened.version, run) for run in run_records]
        figures = calibration(results)
        paths = write(out or runs[0].parent / f"{opened.version}-calibration", opened.version, figures, results)
    ranked = figures.ranked
    if as_json:
        planners = {name: {level or "all": vars(mean) for level, mean in means.items()} for name, means in ranked}
        summary = {"release": opened.version, "planners": planners, "unsolved": figures.unsolved}
        summary |= {"always_solved": figures.always_solved, "levels": figures.levels_that_do_not_separate}
        summary |= {"not_run": figures.lacking, "agreeing": figures.agreeing, "contradicting": figures.contradicting}
        console.print_json({**summary, "paths": [str(path) for path in paths]})
        return
    rows = [
        (short(name), level or "all", mean.tasks, f"{mean.percent:.1f}", interval_text(mean),
         f"{100 * mean.solved:.0f} %")
        for name, means in ranked
        for level, mean in means.items()
        if level in ("", LEVEL) or len({*means} - {"", LEVEL}) > 1  # of one level alone, its row is that of all
    ]  # fmt: skip
    columns = ("planner", "level", "tasks", "grade, %", "95 % from, to", "solved")
    console.OUT.print(console.grid(f"{family.title}, release {opened.version}", columns, rows))
    for line in said_of(figures):
        console.OUT.print(console.Text(line))
    for path in paths:
        console.OUT.print(console.Text(f"wrote {path}"), soft_wrap=True)
