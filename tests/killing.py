"""A build as a process of its own that is killed (kill -9) while a model answers it, and started again."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil

from tests.model_server import ModelServer

ROOT = Path(__file__).resolve().parents[1]
ENOUGH_S = 900
"""Nothing takes so long by itself: what has not ended then never ends."""


def all_ended(processes: list[psutil.Process]) -> bool:
    """Return whether all processes ended by themselves, as soon as they have; those that never end are killed."""
    _, left = psutil.wait_procs(processes, timeout=ENOUGH_S)
    for process in left:
        process.kill()
    return not left


def built_through_kills(
    server: ModelServer, recipe: Path, home: Path, kills: int, seed: int, most: int
) -> tuple[dict[str, Any], int]:
    """Return what the last build answered, and how many before it were killed: at most `kills`.

    Each is killed by the server that it asks, at its Nth request, N drawn up to `most`: a count, so that it does not
    matter how fast the machine is.
    """
    words = [sys.executable, "-m", "pipelines.cli", "build", str(recipe), "--home", str(home), "--json"]
    moments, killed, fault = random.Random(seed), 0, server.fault
    while True:
        child = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if killed < kills:
            left = [moments.randint(1, most)]

            def kills_at_last(body: bytes, nth: int, left: list[int] = left, child: Any = child) -> str:
                left[0] -= 1
                if left[0] == 0:
                    child.kill()
                return fault(body, nth)

            server.fault = kills_at_last
        out, error = child.communicate()
        server.fault = fault
        if child.returncode == 0:
            return json.loads(out), killed
        assert child.returncode < 0, f"the build failed by itself: {out}{error}"
        killed += 1
