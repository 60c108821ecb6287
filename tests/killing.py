"""A build as a process of its own that is killed (kill -9) while a model answers it, and started again."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def built_through_kills(recipe: Path, home: Path, kills: int, seed: int, within_s: float) -> tuple[dict[str, Any], int]:
    """Return what the last build answered, and how many before it were killed: at most `kills`.

    Each is killed at a random moment within so many seconds of the first answer that it recorded.
    """
    words = [sys.executable, "-m", "pipelines.cli", "build", str(recipe), "--home", str(home), "--json"]
    moments, killed = random.Random(seed), 0
    while True:
        child = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if killed < kills and _has_recorded_more(home, child):
            time.sleep(moments.uniform(0, within_s))
            child.kill()
        out, error = child.communicate()
        if child.returncode == 0:
            return json.loads(out), killed
        assert child.returncode < 0, f"the build failed by itself: {out}{error}"
        killed += 1


def _has_recorded_more(home: Path, child: subprocess.Popen[str]) -> bool:
    """Return, as soon as it is known, whether the process recorded an answer before it ended."""
    before = _recorded(home)
    while child.poll() is None and _recorded(home) == before:
        time.sleep(0.01)
    return child.poll() is None


def _recorded(home: Path) -> int:
    return sum(path.stat().st_size for path in home.glob("ledger/*.jsonl"))
