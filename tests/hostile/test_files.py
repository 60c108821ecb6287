"""Damaged source files over all readers: each is read with every row accounted for, or refused as a whole with words.

Every role's file is damaged in every way that its kind can be, seeded. What is more than these, `perf/trials.py` tries.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sources import invented
from tests.hostile.damage import kinds_of
from tests.hostile.readers import READERS, hand_written

SEED = 1
MEMORY_MB = 600
FEWEST_TRIALS = 600


def base_files(folder: Path) -> dict[tuple[str, str], Path]:
    """Return a small good file of every role."""
    files = {
        (provider, role): sorted(paths, key=lambda path: path.stat().st_size)[0]
        for provider, roles in invented.generate(folder, cities=4, scale=0.05, seed=3).items()
        for role, paths in roles.items()
    }
    for (provider, role), content in hand_written().items():
        path = folder / f"{provider}.{role}"
        path.write_bytes(content)
        files[provider, role] = path
    return files


def trials(files: dict[tuple[str, str], Path], seeds: range) -> list[dict[str, Any]]:
    """Return every trial: a file, a damage, a seed."""
    return [
        {"provider": provider, "role": role, "path": str(path), "name": name, "seed": seed}
        for seed in seeds
        for (provider, role), path in sorted(files.items())
        for name in kinds_of(path.read_bytes())
    ]


def damage(path: Path, name: str, seed: int, target: Path) -> None:
    """Write a file's content to the target, after the damage of that name."""
    content = path.read_bytes()
    target.write_bytes(kinds_of(content)[name](content, random.Random(f"{seed}:{name}:{path.name}")))


def results_of(jobs: list[dict[str, Any]], target: Path) -> list[dict[str, Any]]:
    """Return what came of each trial, all read in one process."""
    results = []
    with subprocess.Popen(
        [sys.executable, "-m", "tests.hostile.read_damaged"], cwd=Path(__file__).parents[2], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as child:  # fmt: skip
        assert child.stdin is not None and child.stdout is not None
        for job in jobs:
            seed, path = job["seed"], Path(job["path"])
            damage(path, job["name"], seed, target)
            asked = {name: job[name] for name in ("provider", "role", "name")} | {"target": str(target)}
            child.stdin.write(json.dumps(asked) + "\n")
            child.stdin.flush()
            line = child.stdout.readline()
            assert line, f"{job} ended the process"
            results.append(json.loads(line) | {"seed": seed})
        child.stdin.close()
    return results


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> list[dict[str, Any]]:
    """Return what came of every file's every damage."""
    folder = tmp_path_factory.mktemp("damaged")
    files = base_files(folder)
    assert set(files) == set(READERS)
    return results_of(trials(files, range(SEED, SEED + 1)), folder / "target")


def named(results: list[dict[str, Any]], outcome: str) -> list[str]:
    """Return the trials of an outcome, in words."""
    wrong = (r for r in results if r["outcome"] == outcome)
    return [f"{r['provider']}.{r['role']} {r['damage']} (seed {r['seed']}): {r['said']}" for r in wrong]


def test_at_least_600_files_over_all_readers(results):
    assert len(results) >= FEWEST_TRIALS
    outcomes = Counter(result["outcome"] for result in results)
    assert outcomes["read"] > 150 and outcomes["refused"] > 100, outcomes


def test_no_exception_is_undeclared_and_nothing_hangs(results):
    assert named(results, "undeclared") == []


def test_every_row_is_accounted_for(results):
    assert named(results, "unaccounted") == []


def test_memory_stays_bounded(results):
    worst = max(results, key=lambda result: result["peak_mb"])
    assert worst["peak_mb"] < MEMORY_MB, worst


def test_a_refusal_names_the_file_what_was_expected_and_what_to_do(results):
    told = [result["said"] for result in results if result["outcome"] == "refused"]
    silent = [text for text in told if not any(word in text.lower() for word in ("expected", "missing", "twice"))]
    assert silent == []
    assert not [text for text in told if "\x1b" in text or "\u202e" in text]


HARMLESS = ("utf_8_with_mark", "utf_16", "utf_16_le", "utf_16_be", "utf_32", "returns", "both", "packed")
"""Damage that changes no row."""


def rows_of(result: dict[str, Any]) -> tuple[int, int]:
    """Return how many rows a reader kept and rejected."""
    return result["rows"], result.get("rejected", 0)


def test_a_file_in_another_encoding_packing_or_with_other_line_ends_gives_the_same_rows(results):
    whole = {(r["provider"], r["role"]): rows_of(r) for r in results if r["damage"] == "utf_8_with_mark"}
    harmless = [r for r in results if r["damage"] in HARMLESS and (r["provider"], r["role"]) in whole]
    other = [
        (r["provider"], r["role"], r["damage"], rows_of(r), r["said"])
        for r in harmless
        if rows_of(r) != whole[r["provider"], r["role"]]
    ]
    assert other == []
    assert all(map(sum, whole.values())), whole
