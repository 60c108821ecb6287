"""`tripwright refresh`: sources asked again, what changed built and released."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines import console
from pipelines.commands.completions import recipe_files
from pipelines.commands.errors import Stop, errors_told
from pipelines.commands.shared import HomeOption, JsonOption, NoInstallOption
from pipelines.orchestrator.report import report_to_dagster
from pipelines.walk.progress import Progress
from schemas.counts import counted
from warehouse.home import Home


def refresh_command(
    recipe: Annotated[
        Path, typer.Argument(autocompletion=recipe_files, help="A recipe that was built, such as recipes/porto.toml.")
    ],
    accept: Annotated[
        list[str] | None,
        typer.Option("--accept", help="Take this role's files as they come, such as gtfs.feed (repeatable)."),
    ] = None,
    due: Annotated[bool, typer.Option("--due", help="Ask only addresses whose `every_hours` have passed.")] = False,
    no_install: NoInstallOption = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask for a recipe's sources again, build what changed, release what differs, and say what changed and why.

    A source that is gone, broken, half its size or of another schema is quarantined: its last good file stays.
    Exit code 0 if every source was had; 1 if a source is quarantined, a city blocked, or nothing could be done.

    Example: `tripwright refresh recipes/porto.toml`.
    """
    from assets.release.changes import counts_and_causes
    from pipelines.releases.refresh import refresh

    opened = Home(home)
    with Progress() as progress, errors_told(as_json):
        done = refresh(
            opened,
            recipe,
            accept=accept or (),
            due_only=due,
            no_install=no_install,
            listener=progress.listener,
        )
        report_to_dagster(opened, done.build)
    if as_json:
        console.print_json(done.as_json(opened))
    else:
        rows = [
            (n.name, n.city_id or "all", n.location, n.status, n.detail.removeprefix(f"{n.location}: "))
            for n in done.sources
        ]
        changed_rows = [row for row in rows if row[3] not in ("unchanged", "not_due")]
        if changed_rows:
            console.OUT.print(console.grid("Sources", ("source", "city", "file", "", ""), changed_rows))
        console.OUT.print(f"{len(rows) - len(changed_rows)} of {counted(len(rows), 'source')} unchanged")
        for notice in done.notices:
            console.OUT.print(console.Text(f"note: {notice}", style="yellow"))
        console.show_built(opened, done.build)
        for released in done.build.releases:
            if released.changes is not None and released.is_new:
                page = opened.releases.folder(released.ref) / "record" / "CHANGES.md"
                console.OUT.print(console.Text(counts_and_causes(page.read_text(encoding="utf-8"))), soft_wrap=True)
                console.OUT.print(console.Text(f"a few tasks and rows of each kind: {page}"), soft_wrap=True)
    raise Stop(1 if done.quarantined or done.build.blocked else 0)
