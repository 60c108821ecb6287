"""Commands killed (kill -9) at random moments and given again: every byte as without a kill.

    python -m perf.kills ../shared/data --kills 60 --seed 1
    python -m perf.kills ../shared/data --whole

Three worlds: a demo world of all three families, its files bound under their providers' own licences; and Philadelphia
and Helsinki from their real files. By our recipes with fewer tasks, a command killed a few times at most; or `--whole`:
by our recipes as they stand, each command killed at all its moments one after the other, so that it is done once beside
the undisturbed one however many kills there are. Each goes through build, publish,
complete, audit, refresh (a source file has changed) and gc. Before each command the state is kept; it is killed once
or several times, in one process or on two cores, then given again, and what there is then must equal what there is
without a kill: files of releases, editions, tables and raw files to the byte, and no file more or less beside them.

A moment is the Nth use of a file of the world, N drawn with the seed (`tests/hostile/dying.py`), not a time.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from perf.trials_noted import commit, ended
from tests.hostile.dying import die_at
from tests.hostile.worlds import Stage, World, worlds_of

SAME_NAME_ONLY = ("built", "latest", "ledger", "spending", "fetch")
"""Folders of a home whose files say when and how long: there must be the same ones."""
PASSING = ("tmp", "leases", "logs", "dagster", "jobs")
"""Folders of what passes, and of what builds on several cores leave for their processes."""


def state(root: Path) -> dict[str, bytes]:
    """Return what must be equal: the bytes of every file of a world, empty where they say a time."""
    found = {}
    for path in sorted(p for p in root.rglob("*") if p.is_file()):
        name = path.relative_to(root)
        within = name.parts[1:] if name.parts[0].startswith("home") else name.parts
        if within[0] not in PASSING:
            says_a_time = within[0] in SAME_NAME_ONLY or "record" in within or name.name == "seen.json"
            found[name.as_posix()] = b"" if says_a_time else path.read_bytes()
    return found


def given(words: list[str], root: Path, number: int, workers: int) -> tuple[int, int]:
    """Give a command in a process that dies at its Nth moment; return its exit code, below 0 if it died, and moments.

    The process is forked from this one, in which all that a command loads is loaded.
    """
    log = root.parent / "log"
    log.unlink(missing_ok=True)
    child = os.fork()
    if not child:
        code = 70
        try:
            os.setsid()
            os.environ["TRIPWRIGHT_WORKERS"] = str(workers)
            for name, stream in ((f"{log}.out", 1), (f"{log}.err", 2)):
                os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), stream)
            moments = die_at(number, str(root))
            code = _run(words)
            log.write_text(str(moments()))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return code, int(log.read_text()) if log.exists() else 0


def _run(words: list[str]) -> int:
    from pipelines.cli import app

    try:
        app(words)
    except SystemExit as ended:
        sys.stdout.flush()
        sys.stderr.flush()
        return int(ended.code or 0)
    return 0


FEW = "A few tasks of each recipe; streets routed in process."


def load() -> None:
    """Load what the commands load, before anything is forked."""
    from importlib import import_module

    for name in ("build", "refresh", "gc", "publish", "complete", "audit", "errors", "shared"):
        import_module(f"pipelines.commands.{name}")
    for name in ("pipelines.walk.build", "pipelines.releases.complete", "pipelines.releases.publish",
                 "pipelines.releases.refresh", "assets.release.audit", "pipelines.housekeeping", "assets.families",
                 "pandas", "scipy.spatial", "sklearn.cluster", "ortools.sat.python.cp_model"):  # fmt: skip
        import_module(name)


class Trial:
    """One world taken through its stages, killed on the way."""

    def __init__(
        self, world: World, kept: Path, moments: random.Random, say: Callable[[str], None], *, is_chain: bool = False
    ) -> None:
        """`is_chain`: all the kills of a stage fall into one doing of it, if it has so many moments."""
        self._world, self._kept, self._moments, self._say = world, kept, moments, say
        self._is_chain = is_chain
        self.killed: Counter[str] = Counter()
        self.wrong: list[str] = []

    def go(self, kills: int) -> None:
        """Take the world through all its stages, with so many kills spread over them."""
        stages = self._world.stages()
        shares = Counter(stages[n % len(stages)].name for n in range(kills))
        for stage in stages:
            stage.prepare()
            self._copy(self._world.root, self._kept)
            words = stage.words()
            code, moments = given(words, self._world.root, 0, 1)
            said = self._said()
            if code != 0:
                raise SystemExit(f"{self._world.name} {stage.name} fails unkilled ({code}): {said}{self._error()}")
            expected = state(self._world.root)
            self._copy(self._world.root, after := self._kept.with_name("after"))
            self._stage(stage, words, moments, shares[stage.name], expected, said)
            self._copy(after, self._world.root)

    def _stage(
        self, stage: Stage, words: list[str], moments: int, kills: int, expected: dict[str, bytes], said: str
    ) -> None:
        done = 0
        while done < kills:
            self._copy(self._kept, self._world.root)
            at, workers = [], self._moments.choice((1, 1, 2))
            most = max(2, 2 * moments // (kills - done + 1)) if self._is_chain else moments
            while done < kills and most > 1:
                number = self._moments.randint(1, most)
                code, _ = given(words, self._world.root, number, workers)
                if code >= 0:  # fewer moments were left
                    break
                at.append(number)
                done += 1
                most = most if self._is_chain else most // 2
            code, _ = given(words, self._world.root, 0, 1)
            told = f"{self._world.name} {stage.name}, {workers} workers, killed at moments {at} of {moments}"
            problems = [f"exit {code}: {self._error()}"] if code else []
            problems += list(differences(expected, state(self._world.root)))
            problems += [f"another answer: {self._said()}"] if stage.same_answer and self._said() != said else []
            self.killed[stage.name] += len(at)
            self.wrong += [f"{told}: {problem}" for problem in problems[:5]]
            self._say(f"{told}: {'; '.join(problems[:5]) or 'equal'}")

    def _said(self) -> str:
        return (self._world.root.parent / "log.out").read_text()

    def _error(self) -> str:
        return (self._world.root.parent / "log.err").read_text()[-1500:]

    @staticmethod
    def _copy(source: Path, target: Path) -> None:
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target, symlinks=True)


def differences(expected: dict[str, bytes], found: dict[str, bytes]) -> Iterator[str]:
    """Yield what is missing, too much or other than expected."""
    for name in sorted(expected.keys() | found.keys()):
        if name not in found:
            yield f"{name} is missing"
        elif name not in expected:
            yield f"{name} is too much"
        elif expected[name] != found[name]:
            yield f"{name} differs"


def main() -> int:
    """Run the trial; return 1 where anything differs."""
    asked = argparse.ArgumentParser(description="Commands killed at random moments.")
    asked.add_argument("data", type=Path, help="The folder of real files.")
    asked.add_argument("--kills", type=int, default=60)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--worlds", default="demo,philadelphia,helsinki")
    asked.add_argument("--whole", action="store_true", help="Our recipes as they stand, not with a few tasks.")
    asked.add_argument("--note", action="store_true", help="Write the result into perf/README.md.")
    options = asked.parse_args()
    load()
    started, of_commit, rows, wrong = time.monotonic(), commit(), [], []
    names = options.worlds.split(",")
    for number, name in enumerate(names):
        kills = options.kills // len(names) + (number < options.kills % len(names))
        with tempfile.TemporaryDirectory() as folder:
            world = worlds_of(Path(folder) / "world", options.data, whole=options.whole)[name]
            trial = Trial(
                world,
                Path(folder) / "before",
                random.Random(f"{options.seed}:{name}"),
                lambda text: print(text, flush=True),
                is_chain=options.whole,
            )
            trial.go(kills)
        each = ", ".join(f"{what} {count}" for what, count in trial.killed.items())
        rows.append(f"| {name} | {sum(trial.killed.values())} | {each} | {len(trial.wrong)} |")
        wrong += trial.wrong
    lines = [
        "## Killed commands",
        "",
        f"`python -m perf.kills DATA --kills {options.kills} --seed {options.seed} --worlds {options.worlds}"
        f"{' --whole' if options.whole else ''}`, commit {of_commit}, {time.monotonic() - started:.0f} s, load average "
        f"{os.getloadavg()[1]:.0f}. Each killed with kill -9 at a drawn use of a file, in one process or on two cores; "
        "given again, every byte is compared with those of an "
        f"undisturbed run. {'The recipes as they stand.' if options.whole else FEW}",
        "",
        "| world | kills | of which | wrong |",
        "|---|---|---|---|",
        *rows,
    ]
    return ended("kills", lines, wrong, note=options.note)


if __name__ == "__main__":
    sys.exit(main())
