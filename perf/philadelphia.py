"""How long the Philadelphia release takes: first build, a build with nothing to do, a build after one place moved.

    python -m perf.philadelphia ../shared/data/itinbench

Each is a process of its own, measured from its start, with the processes that it starts: by the clock, and by what is
computed, of which the ratios are. Their baseline is the first build of the same run.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from perf.gate import computed

ROOT = Path(__file__).resolve().parents[1]
FILES = ("restaurants.jsonl", "hotels.jsonl", "attractions.jsonl", "humanQuerys.jsonl")
TASKS = 500


def main(published: Path) -> None:
    """Print what each build took, its ratio to the first, and what it ran."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        recipe = folder / "philadelphia.toml"
        text = (ROOT / "recipes" / "philadelphia.toml").read_text(encoding="utf-8")
        text = text.replace("../../shared/data/itinbench/", "")
        text = text.replace("tasks_per_city = 500", f"tasks_per_city = {TASKS}")
        recipe.write_text(text, encoding="utf-8")
        for name in FILES:
            shutil.copy(published / name, folder)
        first = _build("first build", recipe)
        _build("nothing changed", recipe, first)
        _move_one(folder / "attractions.jsonl")
        _build("one attraction moved", recipe, first)


def _build(what: str, recipe: Path, first_s: float | None = None) -> float:
    """Build, print what that took and ran, and return the seconds computed."""
    home = str(recipe.parent / "home")
    clock, seconds, answer = computed(["-m", "pipelines.cli", "build", str(recipe), "--home", home, "--json"])
    share = f" ({seconds / first_s:.2f} of the first)" if first_s else ""
    print(
        f"{what}: {seconds:.1f} s computed{share}, {clock:.1f} s by the clock, {_told(json.loads(answer))}", flush=True
    )
    return seconds


def _told(built: dict) -> str:
    certified = built["releases"][0]["certified"]
    return f"{certified} certified, {built['steps_run']} steps run, {built['steps_skipped']} kept"


def _move_one(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows[0]["latitude"] += 0.001
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    os.utime(path, (1_700_000_000, 1_700_000_000))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
