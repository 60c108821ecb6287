"""How trials end: what they found is printed, and noted in a part of perf/README.md each, with the commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "perf" / "README.md"


def commit() -> str:
    """Return the commit that is checked out, with a sign where files differ from it."""
    git = ["git", "-C", str(ROOT)]
    name = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout
    changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=True).stdout
    return name.strip() + ("+" if changed.strip() else "")


def noted(part: str, text: str) -> None:
    """Put the text into perf/README.md in the place of what the last run of this part said."""
    begin, end = f"<!-- {part} -->", f"<!-- /{part} -->"
    page = README.read_text(encoding="utf-8")
    if begin not in page:
        page = f"{page.rstrip()}\n\n{begin}\n{end}\n"
    before, rest = page.split(begin)
    README.write_text(f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}", encoding="utf-8")


def ended(part: str, lines: list[str], wrong: list[str], *, note: bool) -> int:
    """Print a part's lines and after them what was wrong, put the lines into perf/README.md if asked to.

    Returns the exit code: 1 where anything was wrong.
    """
    print("\n".join([*lines, *wrong]))
    if note:
        noted(part, "\n".join(lines))
    return 1 if wrong else 0
