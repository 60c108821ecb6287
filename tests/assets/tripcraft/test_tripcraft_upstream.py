"""The export in the published repository's tree, opened as its scripts open it after the README's one command."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from assets.tripcraft.upstream import COMMAND, DATABASE, PLACE, upstream

SCRIPTS = {
    "evaluation/one.py": 'city_set = open("/home/someone/ATP_database/background/citySet_with_states_140.txt").read()',
    "evaluation/two.py": "pois = read('/disk/of/others/ATP_database/all_poi_nearest_stops.csv')",
    "tools/events.py": 'PATH = "../TripCraft_database/events/events_cleaned.csv"',
    "tools/stays.py": "def of(path='TripCraft_database/accommodation/cleaned_listings_final_v2.csv'): ...",
    "tools/other.py": "PATH = '/home/someone/else.csv'",
}
"""Lines as published scripts have them: paths of other machines, from another folder, or from the root."""


@pytest.fixture
def exported():
    """Return every file of an export, each holding its own name."""
    files = {f"database/{name}": name.encode() for name in PLACE}
    cities = '"city","state","country"\n"Castelo","Estremadura","PT"\n"Vila, Nova","","PT"\n'
    return {**files, "database/cities.csv": cities.encode(), "annotation_3day.jsonl": b"{}\n"}


def test_every_file_has_its_published_place_and_nothing_is_lost(exported):
    found = upstream(exported)
    moved = {f"database/{name}": found[f"{DATABASE}/{place}"] for name, place in PLACE.items()}
    assert {**moved, "annotation_3day.jsonl": found["annotation_3day.jsonl"]} == exported
    assert len(found) == len(exported) + 2 and COMMAND in found["README.md"].decode(), "README and list of cities"


def test_the_list_of_cities_is_read_as_the_published_scripts_read_it(exported):
    text = upstream(exported)[f"{DATABASE}/background/citySet_with_states_140.txt"].decode()
    pairs = [unit.split("\t") for unit in text.split("\n")]
    assert dict(pairs) == {"Castelo": "Estremadura", "Vila, Nova": ""}


def test_the_one_command_makes_scripts_open_these_files(exported, tmp_path):
    for path, data in {**upstream(exported), **{name: text.encode() for name, text in SCRIPTS.items()}}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    subprocess.run(["bash", "-c", COMMAND], cwd=tmp_path, check=True, env=os.environ | {"PWD": str(tmp_path)})
    opened = {}
    for name in SCRIPTS:
        text = (tmp_path / name).read_text()
        opened[name] = next(part for part in text.replace('"', "'").split("'") if part.endswith((".csv", ".txt")))
    assert opened["tools/other.py"] == "/home/someone/else.csv"
    del opened["tools/other.py"]
    assert all(Path(path).is_absolute() and Path(path).is_file() for path in opened.values()), opened
    assert Path(opened["evaluation/two.py"]).read_text(encoding="utf-8") == "nearest_stops.csv"
