"""`tripwright review`: a sheet for people to check a release by, and their answers read back."""

from __future__ import annotations

import datetime as dt
import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, ReleaseArgument, find_whole
from pipelines.walk.recipes import OVERRIDES
from schemas.counts import counted
from schemas.errors import ExpectedError
from warehouse.disk import put_whole
from warehouse.home import Home

if TYPE_CHECKING:
    from assets.release.reading import OpenedRelease


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
    from assets.release.review import review_sheet

    if read and not (who.strip() and recipe is not None):
        raise typer.BadParameter("--read needs --who and --recipe")
    if not read and (who or recipe is not None):
        raise typer.BadParameter("--who and --recipe are of --read; give it to read a filled sheet back")
    with errors_told(as_json):
        opened = find_whole(Home(home), release, "reviewed")
        if read and recipe is not None:
            answer = _read_back(opened, sheet, recipe, who.strip())
        else:
            body = review_sheet(opened, count)
            if sheet.exists():  # somebody may have filled it
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(sheet))
            put_whole(sheet, body, f"the sheet {sheet.name}")
            task_count = opened.manifest.counts["tasks"]
            answer = {"sheet": str(sheet), "tasks": min(count or task_count, task_count)}
    if as_json:
        console.print_json(answer)
        return
    if not read:
        line = f"{counted(answer['tasks'], 'task')} written to {answer['sheet']}"
    elif answer["corrections"]:
        count_text, before = counted(answer["corrections"], "correction"), answer["already_there"]
        count_text += f" ({before} stood there already)" if before else ""
        line = f"{count_text} appended to {answer['overrides']}; now: tripwright refresh {recipe}"
    else:
        line = f"the sheet corrects nothing that {answer['overrides']} does not hold already; nothing was written"
    console.OUT.print(console.Text(line), soft_wrap=True)


def _read_back(opened: OpenedRelease, sheet: Path, recipe: Path, who: str) -> dict[str, Any]:
    """Append what a filled sheet corrects to the recipe's overrides, and return which file that is and how many.

    Raises ExpectedError for a recipe that the release is not of, or whose builds would not read the file, with every
    row that cannot be used, and for a file that no build could read.
    """
    from assets.families import families
    from assets.release.review import new_corrections, overrides_text, read_sheet
    from pipelines.walk.locks import folder_held
    from pipelines.walk.recipes import bound_files, load_recipe
    from sources.corrections.overrides import SOURCE, corrections_in

    loaded = load_recipe(recipe, families())
    if loaded.recipe.name != opened.manifest.recipe:
        raise ExpectedError(
            f"{recipe}: is the recipe {loaded.recipe.name!r}; expected {opened.manifest.recipe!r}, the release's own"
        )
    path = recipe.with_suffix(OVERRIDES)
    bound = [str(file.path or file.url) for file in bound_files(loaded.recipe) if file.source.name == SOURCE.name]
    if bound and path.name not in bound:
        raise ExpectedError(
            f"{recipe}: binds corrections of its own ({', '.join(bound)}), and its builds would not read {path.name}. "
            f"Add {path.name} to what it binds, or take that out"
        )
    corrections = read_sheet(sheet.read_bytes(), opened, who, dt.datetime.now(dt.UTC).date())
    with folder_held(path.parent):
        before = path.read_bytes() if path.exists() else b"# People's corrections of this recipe.\n"
        entries = new_corrections(corrections, before, str(path))
        if entries:
            after = before + overrides_text(entries).encode()
            corrections_in(after, str(path))
            put_whole(path, after, f"the overrides {path.name}")
    return {"overrides": str(path), "corrections": len(entries), "already_there": len(corrections) - len(entries)}
