"""`tripwright inspect`: an audit of somebody else's published benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assets.family import families
from assets.named import load
from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import JsonOption


def inspect(
    benchmark: Annotated[str, typer.Argument(help="Which published benchmark it is, such as itinbench.")],
    folder: Annotated[Path, typer.Argument(help="The folder as published.")],
    as_json: JsonOption = False,
) -> None:
    """Audit somebody else's published benchmark: every measurable defect, by its id.

    Example: `tripwright inspect itinbench ItinBench/data`.
    """
    known = {name: run for family in families().values() for name, run in family.inspect.items()}
    with errors_told(as_json):
        if benchmark not in known:
            raise ValueError(f"no benchmark {benchmark!r} to inspect; there are {', '.join(sorted(known))}")
        findings = load(known[benchmark])(folder)
    if as_json:
        console.print_json(findings)
    else:
        for defect_id, finding in findings.items():
            console.show_measures(defect_id, finding)
