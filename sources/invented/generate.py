"""Writes a whole invented world to a folder: each provider's files, the truth about them, and a notice.

Everything is written to a hidden folder first and moved when it is complete, so a killed run leaves
nothing half-written; the next run clears what it left.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from sources.invented.truth import write_truth
from sources.invented.world import INVENTED, World

STAGING_FOLDER = ".partial"
TRUTH_FILE = "truth.csv"
NOTICE_FILE = "NOTICE.txt"

Writer = Callable[[World, Path, bool], dict[str, list[Path]]]
Files = dict[str, dict[str, list[Path]]]


def write_world(
    folder: Path,
    writers: Mapping[str, Writer],
    world: World,
    dirt: bool,
) -> Files:
    """Return provider → role → files of the world, after writing them and `truth.csv` to the folder."""
    staging = folder / STAGING_FOLDER
    if staging.exists():
        shutil.rmtree(staging)
    staging.mkdir(parents=True)
    staged = {provider: write(world, staging / provider, dirt) for provider, write in writers.items()}
    write_truth(world, staging / TRUTH_FILE)
    (staging / NOTICE_FILE).write_text(INVENTED + "\n", encoding="utf-8")
    for path in sorted(path for path in staging.rglob("*") if path.is_file()):
        final = folder / path.relative_to(staging)
        final.parent.mkdir(parents=True, exist_ok=True)
        path.replace(final)
    shutil.rmtree(staging)
    return {
        provider: {role: [folder / path.relative_to(staging) for path in paths] for role, paths in roles.items()}
        for provider, roles in staged.items()
    }
