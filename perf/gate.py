"""What the gate costs beside the build that it guards, and what it costs where its verdicts are kept.

    python -m perf.gate RECIPE [--tasks N]

"Computed" is the processor time of a process and of all that it starts: of the whole build, start and imports
included; of the gate and the planners, of that call alone, the processes that judge included, where the family's steps
are imported and the server that processes are forked from has started, as in a build; bytecode is kept, as it is for
users. The build is the baseline: what it computes without the gate, and without the planners that every release is
measured by, which are told apart. `--tasks` asks for so many tasks of each kind, for a small form.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from perf.computed import computed_s

ROOT = Path(__file__).resolve().parents[1]
TRY = """
import sys
from pathlib import Path
from assets.core.garbage import look_seldom
from assets.core.processes import fresh_processes
from assets.promises.certified import judge
from assets.promises.gate import gate
from assets.promises.verdicts import KeptVerdicts
from assets.families import all_steps, families
from assets.release.difficulty import difficulty
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from assets.runs.reference import reference_rows
from perf.computed import computed_s
from pipelines.walk.executors import PRELOADED
from warehouse.home import Home

if __name__ == "__main__":
    what, home, release = sys.argv[1], Home(sys.argv[2]), open_release(Path(sys.argv[3]))
    for step in all_steps([families()[release.manifest.family]]).values():
        step.function  # a build has imported what its steps need when it comes to the gate
    look_seldom()  # as every command does
    first = fresh_processes(PRELOADED).Process()  # and has a server that other processes are forked from
    first.start()
    first.join()
    before = computed_s()
    family = families()[release.manifest.family]
    if what == "baselines":
        difficulty(family, release_tables(release))
        reference_rows(family, release_tables(release))
    else:
        report = gate(release, home.snapshots, kept=KeptVerdicts(home.store, "perf"))
        assert not report.problems, report.problems[:3]
    print(computed_s() - before)
"""


def main() -> None:
    """Print what the build computed, and beside it the gate, its second run with verdicts kept, and the baselines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("--tasks", type=int)
    chosen = parser.parse_args()
    recipe, made = chosen.recipe.resolve(), None
    if chosen.tasks is not None:
        text = recipe.read_text(encoding="utf-8")
        made = recipe.with_name(f"perf-gate-{recipe.name}")
        made.write_text(re.sub(r"(?m)^(tasks_per_city) = \d+", rf"\1 = {chosen.tasks}", text), encoding="utf-8")
    try:
        with tempfile.TemporaryDirectory() as scratch:
            _measure(made or recipe, Path(scratch))
    finally:
        if made is not None:
            made.unlink()
            made.with_name(made.name.replace(".toml", ".lock.json")).unlink(missing_ok=True)


def _measure(recipe: Path, scratch: Path) -> None:
    home, script = scratch / "home", scratch / "try.py"
    script.write_text(TRY, encoding="utf-8")
    words = ["-m", "pipelines.cli", "build", str(recipe), "--home", str(home), "--json"]
    clock, whole, answer = computed(words)
    built = json.loads(answer)
    for release in built["releases"]:
        given = [str(home), release["path"]]
        tries = ("gate", "gate", "baselines")  # the first gate keeps its verdicts, as a build's does
        first, again, baselines = (float(computed([str(script), what, *given])[2]) for what in tries)
        rest = whole - first - baselines
        print(
            f"{release['family']}, {release['certified']} tasks: build {whole:.1f} s computed ({clock:.1f} s clock); "
            f"of it the gate {first:.1f} s, {first / rest:.0%} of the rest; baselines {baselines:.1f} s; the gate with "
            f"its verdicts kept {again:.1f} s"
        )


def computed(words: list[str]) -> tuple[float, float, str]:
    """Return the seconds of the clock and of the processors that a Python process takes, and what it prints."""
    before, started = computed_s(), time.monotonic()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.monotonic() - started, computed_s() - before, done.stdout


if __name__ == "__main__":
    main()
