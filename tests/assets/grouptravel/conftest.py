"""Real towns' groups, drawn once for all tests and workers."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from filelock import FileLock

from assets.grouptravel.vocabulary import Language
from assets.rows import ReleaseTables
from tests.assets.grouptravel.real_town import HELSINKI, MONACO, Town, town

GivenTown = Callable[[str, Language], Town]
CITIES = {city.name: city for city in (HELSINKI, MONACO)}


@pytest.fixture(scope="session")
def real_town(tmp_path_factory: pytest.TempPathFactory, shared_data: Path) -> GivenTown:
    """Return a function from a town's name and a language to its thirty groups, ten of each difficulty."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent

    @cache
    def made(name: str, language: Language) -> Town:
        path = shared / f"town-{name}-{language}.pickle"
        with FileLock(f"{path}.lock"):
            if not path.exists():
                path.write_bytes(pickle.dumps(town(CITIES[name], shared_data, language)))
            return pickle.loads(path.read_bytes())

    return made


def some_of_each(release: ReleaseTables, count: int) -> ReleaseTables:
    """Return the release with so many tasks of each difficulty."""
    tasks = release.tasks
    levels = [record["difficulty_type"] for record in tasks["record"]]
    kept = tasks.groupby(levels, sort=False).head(count).reset_index(drop=True)
    return ReleaseTables({**release.tables, "tasks": kept}, release.section)
