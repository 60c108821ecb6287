"""`tripwright inspect`: an audit of somebody else's published benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from assets.families import families
from assets.named import load
from assets.release.reading import PUBLISHED, ReleaseError
from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, find_release
from schemas.errors import ExpectedError
from warehouse.home import Home
from warehouse.releases import MANIFEST


def inspect(
    benchmark: Annotated[str, typer.Argument(help="Which published benchmark it is, such as itinbench.")],
    folder: Annotated[str, typer.Argument(help="The folder as published, or the version of one that was opened.")],
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Audit somebody else's published benchmark: every measurable defect, by its id.

    Examples: `tripwright inspect itinbench ItinBench/data` · `tripwright inspect itinbench 4c1f0a`. The second is
    of a version that `tripwright open` gave.
    """
    inspections = {name: run for family in families().values() for name, run in family.inspect.items()}
    with errors_told(as_json):
        if benchmark not in inspections:
            raise ExpectedError(f"no benchmark {benchmark!r} to inspect; there are {', '.join(sorted(inspections))}")
        findings = load(inspections[benchmark])(_published(home, folder))
    if as_json:
        console.print_json(findings)
    else:
        for defect_id, finding in findings.items():
            _show(defect_id, dict(finding))


def _show(defect_id: str, finding: dict[str, Any]) -> None:
    """Print one defect under its title; of one that was not measured, what measuring it needs."""
    title, is_measured, words = finding.pop("title", ""), finding.pop("measured", True), finding.pop("words", {})
    head = " ".join(text for text in (defect_id, str(title)) if text)
    console.OUT.print(console.Text(head if is_measured else f"{head}: not measured", style="bold"))
    for name, value in finding.items():
        console.show_measures(words.get(name, name.replace("_", " ")), value, 1)


def _published(home: str | None, text: str) -> Path:
    """Return the folder: itself, or the published files of an opened release. Raises ReleaseError for one of ours."""
    path = Path(text)
    is_release = (path / MANIFEST).is_file()
    if not is_release and (path.exists() or "/" in text):
        return path
    release = find_release(Home(home), text)
    if release.manifest.opened is None:
        raise ReleaseError(f"{release.version} is a release of ours: audit it; what is inspected is somebody else's")
    return release.folder / PUBLISHED
