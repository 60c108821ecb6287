"""`tripwright ledger`: what model calls cost, how many were saved, and moving or forgetting their records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption
from schemas.counts import counted
from warehouse.home import Home

SAID = {"already_there": "already there", "other_answers": "held here with another answer, which stays"}
"""What is said of an import only where it is so."""


def ledger_command(
    export: Annotated[Path | None, typer.Option("--export", help="Write every record to this new file.")] = None,
    import_: Annotated[Path | None, typer.Option("--import", help="Add the records of an exported file.")] = None,
    prune: Annotated[
        list[str] | None, typer.Option("--prune", metavar="REVISION", help="Forget a revision's calls (repeatable).")
    ] = None,
    prune_unusable: Annotated[
        bool, typer.Option("--prune-unusable", help="Forget answers that failed their check, to ask again.")
    ] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what the recorded model calls cost, by model, revision and job, and how many each recipe's builds saved.

    Examples: `tripwright ledger` · `tripwright ledger --export calls.jsonl` · `tripwright ledger --import calls.jsonl`
    · `tripwright ledger --prune gpt-4o-2024-08-06`. What is forgotten is paid for again when a build needs it.
    """
    from pipelines.walk.spending import export_ledger, import_ledger, spending, unwanted

    opened = Home(home)
    done: dict[str, int] = {}
    with errors_told(as_json):
        if import_ is not None:
            done |= import_ledger(opened.ledger, import_)
        if prune or prune_unusable:
            done["pruned"] = opened.ledger.remove(unwanted(prune or (), prune_unusable))
        if export is not None:
            done["exported"] = export_ledger(opened.ledger, export)
        costs = spending(opened)
    if as_json:
        console.print_json({**done, **costs})
        return
    for what, count in done.items():
        if count or what not in SAID:
            console.OUT.print(f"{SAID.get(what, what)}: {counted(count, 'record')}")
    for title, rows in (("Recorded calls", costs["records"]), ("Builds", costs["builds"])):
        if rows:
            console.OUT.print(console.grid(title, list(rows[0]), [list(row.values()) for row in rows]))
    if not costs["records"]:
        console.OUT.print("no model was asked in this home")
