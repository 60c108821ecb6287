"""Names that break careless code are planted where files hold faults, unless a world is to be shown to people."""

from __future__ import annotations

import csv
import tomllib
import zipfile
from pathlib import Path

import pytest

from sources.invented import PROVIDERS, generate
from sources.invented.dirt import HOSTILE_NAMES

MARKS = ("Sons, and Daughters", "DROP TABLE place", "'cmd'!A0", "Annex", "&amp; Co.")


def written(folder: Path, **options: object) -> tuple[set[str], set[str]]:
    """Return the kinds of dirt that the lists name, and the marks of hostile names that the files hold."""
    generate(folder, scale=0.1, seed=3, **options)  # pyright: ignore[reportArgumentType]
    kinds: set[str] = set()
    for path in folder.glob("*/dirt.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            kinds |= {row["kind"] for row in csv.DictReader(file)}
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in folder.rglob("*.json")]
    texts += [path.read_text(encoding="utf-8", errors="replace") for path in folder.glob("airbnb/**/*.csv")]
    for path in folder.glob("gtfs/**/*.zip"):
        with zipfile.ZipFile(path) as feed:
            texts += [feed.read(name).decode() for name in feed.namelist() if name.endswith("stops.txt")]
    return kinds, {mark for mark in MARKS if any(mark in text for text in texts)}


@pytest.mark.parametrize("hostile_names", [True, False])
def test_names_are_hostile_only_where_asked_for(tmp_path, hostile_names):
    kinds, marks = written(tmp_path, hostile_names=hostile_names)
    named = kinds & {kind for kind, _ in HOSTILE_NAMES}
    assert bool(named) == hostile_names
    assert marks == (set(MARKS) if hostile_names else set())
    assert len(kinds - named) > 20, "other faults stay"


def test_the_recipes_that_people_look_at_plant_none():
    root = Path(__file__).resolve().parents[3] / "recipes"
    for name in ("demo", "first-look"):
        invented = tomllib.loads((root / f"{name}.toml").read_text(encoding="utf-8"))["invented"]
        assert invented["hostile_names"] is False
        assert invented.get("dirt", True), "what is rejected is part of what is shown"
        assert set(invented["providers"]) <= set(PROVIDERS)
