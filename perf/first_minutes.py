"""A stranger's first ten minutes: every command of the guide, in its order, in a new clone, with times and bytes.

    python -m perf.first_minutes            with uv's cache as it is on this machine
    python -m perf.first_minutes --cold     with an empty one, so that everything is downloaded

The commands are read from docs/pages/first-benchmark.md; the first that a reader types is README's, which installs too.
The clone, its home and all caches of ours are in a temporary folder; nothing of this machine's is used but Python, uv
and, unless it is cold, uv's cache. `pip install uv` is not run again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perf.computed import computed_s

ROOT = Path(__file__).resolve().parents[1]
GUIDE = Path("docs/pages/first-benchmark.md")
SEEN = b"See it: open "
"""What begins the line of the demonstration under its first map and certified task."""

NOT_AGAIN = "pip install uv"
MAY_END_WITH = {"doctor": {0, 1}}
"""What a machine lacks is told with exit code 1."""

ENVIRONMENT = ""
"""An environment to take as it is in place of one that is installed; tests have one."""


@dataclass(frozen=True)
class Tried:
    """One command: exit code, seconds by the clock and computed, lines and bytes printed, bytes kept on the disk."""

    command: str
    code: int
    clock_s: float
    computed_s: float
    lines: int
    printed: int
    kept: int
    seen_s: float | None = None
    """Seconds until the first certified task was shown, and the page of its map was there."""


def commands_of(page: str) -> list[str]:
    """Return the commands of a page's console blocks, in order."""
    blocks = re.findall(r"```console\n(.*?)```", page, re.S)
    return [line.removeprefix("$ ") for block in blocks for line in block.splitlines() if line.startswith("$ ")]


def main() -> int:
    """Print a line for each command, and the sums; return 1 if one of them failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--cold", action="store_true", help="download everything anew")
    parser.add_argument("--only", nargs="*", help="those of the guide's commands whose words begin like this")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="stranger-") as scratch:
        desk = Path(scratch)
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(desk / "clone")], check=True)
        tried = _walked(desk, _environment(desk, given.cold), given.only)
    _print(tried)
    return int(any(t.code not in MAY_END_WITH.get(_name(t.command), {0}) for t in tried))


def _environment(desk: Path, is_cold: bool) -> dict[str, str]:
    """Return the environment of somebody who has only just cloned: no activated environment, no home, no caches."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("VIRTUAL_ENV", "TRIPWRIGHT", "PYTHON", "UV_RUN"))}
    cache = {"UV_CACHE_DIR": str(desk / "uv-cache")} if is_cold else {}
    if ENVIRONMENT:
        cache |= {"UV_PROJECT_ENVIRONMENT": ENVIRONMENT, "UV_NO_SYNC": "1"}
    return kept | cache | {"TRIPWRIGHT_CACHE": str(desk / "cache"), "UV_LINK_MODE": "copy", "COLUMNS": "80"}


def _walked(desk: Path, environment: dict[str, str], only: Sequence[str] | None) -> list[Tried]:
    clone = desk / "clone"
    tried: list[Tried] = []
    for command in commands_of((clone / GUIDE).read_text(encoding="utf-8")):
        if command == NOT_AGAIN or (only is not None and not command.startswith(tuple(only))):
            continue
        for name, value in _stands_for(clone).items():
            command = re.sub(rf"\b{name}\b", value, command)
        tried.append(_tried(command, desk, environment))
        print(_line(tried[-1]), flush=True)
    return tried


def _stands_for(clone: Path) -> dict[str, str]:
    """Return a version and a task of the demo's ItinBench release for the words in capitals, once there is one."""
    for manifest in sorted(clone.glob(".tripwright/releases/*/itinbench/*/manifest.json")):
        import pyarrow.parquet as parquet

        tasks = parquet.read_table(manifest.parent / "tasks.parquet", columns=["task_id"])
        version = json.loads(manifest.read_text(encoding="utf-8")).get("version", manifest.parent.name)
        return {"VERSION": version, "TASK_ID": tasks["task_id"][0].as_py()}
    return {}


def _tried(command: str, desk: Path, environment: dict[str, str]) -> Tried:
    before, computed = _bytes_below(desk), computed_s()
    began = time.perf_counter()
    said, seen_s = bytearray(), None
    words = shlex.split(command)
    with subprocess.Popen(
        words, cwd=desk / "clone", env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as done:
        assert done.stdout is not None
        for line in done.stdout:
            said += line
            if seen_s is None and line.startswith(SEEN):
                seen_s = time.perf_counter() - began
    clock = time.perf_counter() - began
    if done.returncode:
        print(said.decode(errors="replace")[-2000:], file=sys.stderr)
    return Tried(
        command=command,
        code=done.returncode,
        clock_s=clock,
        computed_s=computed_s() - computed,
        lines=said.count(b"\n"),
        printed=len(said),
        kept=_bytes_below(desk) - before,
        seen_s=seen_s,
    )


def _bytes_below(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() or path.is_symlink())


def _name(command: str) -> str:
    return command.removeprefix("uv run tripwright ").split()[0]


def _line(tried: Tried) -> str:
    return (
        f"{tried.clock_s:7.1f} s, {tried.computed_s:6.1f} s computed, {tried.lines:4} lines, {tried.printed:7,} bytes "
        f"printed, {tried.kept / 1e6:7.1f} MB kept, exit {tried.code}: {tried.command}"
        + (f"\n{tried.seen_s:7.1f} s until its first certified task and map" if tried.seen_s is not None else "")
    )


def _print(tried: Sequence[Tried]) -> None:
    clock, computed = sum(t.clock_s for t in tried), sum(t.computed_s for t in tried)
    kept = sum(t.kept for t in tried) / 1e6
    print(f"{len(tried)} commands: {clock:.1f} s, {computed:.1f} s computed, {kept:.1f} MB kept, clone left out")


if __name__ == "__main__":
    raise SystemExit(main())
