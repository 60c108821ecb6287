"""Homes that tests share: built once a run, whichever worker comes first."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from filelock import FileLock

from tests.recipes import command


class BuiltHome(NamedTuple):
    """A home in which a release was built, the recipe, and what the command answered."""

    home: Path
    recipe: Path
    built: dict[str, Any]

    @property
    def release(self) -> Path:
        """Return the folder of the only release."""
        (release,) = self.built["releases"]
        return Path(release["path"])

    def copied_recipe(self, folder: Path) -> Path:
        """Return a copy of the recipe, with its lock, in a folder of the test's own."""
        for path in (self.recipe, self.recipe.with_suffix(".lock.json")):
            shutil.copy(path, folder)
        return folder / self.recipe.name


def built_once(folders: pytest.TempPathFactory, name: str, text: str) -> tuple[Path, dict]:
    """Build a recipe once for every worker of a run: (folder with `recipe.toml` and `home`, the build's answer)."""
    shared = folders.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / name
    with FileLock(shared / f"{name}.lock"):
        if not (folder / "built.json").exists():
            folder.mkdir(exist_ok=True)
            recipe = folder / "recipe.toml"
            recipe.write_text(text, encoding="utf-8")
            code, built = command("build", recipe, home=folder / "home")
            assert code == 0, built
            assert built["blocked"] == []
            (folder / "built.json").write_text(json.dumps(built))
    return folder, json.loads((folder / "built.json").read_text())
