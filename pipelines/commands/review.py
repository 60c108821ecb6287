"""`tripwright review`: a sheet for people to check a release by, and their answers read back."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated

import typer

from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, ReleaseArgument, find_release
from pipelines.walk.recipes import OVERRIDES
from schemas.counts import counted
from warehouse.home import Home


def review(
    release: ReleaseArgument,
    sheet: Annotated[Path, typer.Argument(help="The CSV file to write; with --read, the filled one.")],
    read: Annotated[bool, typer.Option("--read", help="Read the filled sheet back.")] = False,
    who: Annotated[str, typer.Option("--who", help="Who filled it; needed with --read.")] = "",
    recipe: Annotated[
        Path | None, typer.Option("--recipe", help="The release's recipe; its corrections are kept beside it.")
    ] = None,
    count: Annotated[int | None, typer.Option("--count", min=1, help="Only so many tasks.")] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a sheet for checking a release by hand (task, wording, witness, links), or read the filled one back.

    In the sheet, `verdict` is ok, withdraw, or correct (with row, field, value); say why. Read back, the answers
    are appended to the recipe's `.overrides.toml`; the next `tripwright refresh` builds with them.

    Examples: `tripwright review 4c1f0a sheet.csv` · `tripwright review 4c1f0a sheet.csv --read --who "A. Reader"
    --recipe recipes/philadelphia.toml`.
    """
    from assets.release.review import new_corrections, overrides_text, read_sheet, review_sheet

    if read and not (who.strip() and recipe is not None):
        raise typer.BadParameter("--read needs --who and --recipe")
    with errors_told(as_json):
        opened = find_release(Home(home), release)
        if not read or recipe is None:
            sheet.write_bytes(review_sheet(opened, count))
            answer = {
                "sheet": str(sheet),
                "tasks": min(count or opened.manifest.counts["tasks"], opened.manifest.counts["tasks"]),
            }
        else:
            entries = read_sheet(sheet.read_bytes(), opened, who.strip(), dt.datetime.now(dt.UTC).date())
            path = recipe.with_suffix(OVERRIDES)
            before = path.read_text(encoding="utf-8") if path.exists() else "# People's corrections of this recipe.\n"
            added = new_corrections(entries, before)
            if added:
                part = path.with_name(f".{path.name}.part")
                part.write_text(before + overrides_text(added), encoding="utf-8")
                part.replace(path)
            answer = {"overrides": str(path), "corrections": len(added), "already_there": len(entries) - len(added)}
    if as_json:
        console.print_json(answer)
    elif read:
        console.OUT.print(
            f"{counted(answer['corrections'], 'correction')} appended to {answer['overrides']} "
            f"({answer['already_there']} stood there already); now refresh the recipe"
        )
    else:
        console.OUT.print(f"{answer['tasks']} tasks written to {answer['sheet']}")
