"""`tripwright doctor`: what this machine has and what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console
from pipelines.commands.errors import Stop, errors_told
from pipelines.commands.shared import HomeOption, JsonOption

if TYPE_CHECKING:
    from pipelines.doctor import Finding


def doctor(
    install: Annotated[
        bool, typer.Option("--install-osrm", help="Fetch the pinned OSRM from the package index.")
    ] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what this machine has, what is missing, and the one command that mends it.

    Example: `tripwright doctor --install-osrm`.
    """
    from pipelines.doctor import diagnose
    from sources.services.osrm_install import default_cache_dir, install_osrm

    if install:
        with errors_told(as_json):
            install_osrm(default_cache_dir())
    findings = diagnose(home)
    if as_json:
        console.print_json({"findings": [f.__dict__ for f in findings]})
    else:
        needed = [f for f in findings if f.is_needed]
        rows = [("ok" if f.ok else "missing", f.what, f.state, "" if f.ok else f.remedy) for f in needed]
        console.OUT.print(console.grid("This machine", ("", "what", "found", "what to do"), rows))
        _show_extras([f for f in findings if not f.is_needed])
    raise Stop(0 if all(f.ok or not f.is_needed for f in findings) else 1)


def _show_extras(findings: list[Finding]) -> None:
    """Print which parts are installed that only some commands need, and of the others how to add each."""
    console.OUT.print("What only some commands need:")
    for finding in findings:
        state = "installed" if finding.ok else f"not installed; add it with: {finding.remedy}"
        console.OUT.print(console.Text(f"  {finding.what}: {state}"))
