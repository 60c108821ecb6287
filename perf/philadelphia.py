"""How long the Philadelphia release takes: first build, a build with nothing to do, a build after one place moved.

    python -m perf.philadelphia ../shared/data/itinbench

Each is a process of its own, timed from its start; the baseline of the ratios is the first build of the same run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILES = ("restaurants.jsonl", "hotels.jsonl", "attractions.jsonl", "humanQuerys.jsonl")
TASKS = 500


def main(published: Path) -> None:
    """Print the seconds of each build, its ratio to the first, and what it ran."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        recipe = folder / "philadelphia.toml"
        text = (ROOT / "recipes" / "philadelphia.toml").read_text(encoding="utf-8")
        text = text.replace("../../shared/data/itinbench/", "")
        text = text.replace("tasks_per_city = 500", f"tasks_per_city = {TASKS}")
        recipe.write_text(text, encoding="utf-8")
        for name in FILES:
            shutil.copy(published / name, folder)
        first = _build(recipe)
        print(f"first build: {first[0]:.1f} s, {_told(first[1])}")
        again = _build(recipe)
        print(f"nothing changed: {again[0]:.1f} s ({again[0] / first[0]:.2f} of the first), {_told(again[1])}")
        _move_one(folder / "attractions.jsonl")
        moved = _build(recipe)
        print(f"one attraction moved: {moved[0]:.1f} s ({moved[0] / first[0]:.2f} of the first), {_told(moved[1])}")


def _build(recipe: Path) -> tuple[float, dict]:
    words = [
        sys.executable,
        "-m",
        "pipelines.cli",
        "build",
        str(recipe),
        "--home",
        str(recipe.parent / "home"),
        "--json",
    ]
    started = time.monotonic()
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    return time.monotonic() - started, json.loads(done.stdout)


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
