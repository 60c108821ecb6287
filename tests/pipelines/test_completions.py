"""What a shell offers while a command is typed: commands, recipes, releases and task ids."""

from __future__ import annotations

import shutil

import pytest
from typer.testing import CliRunner

from assets.release.reading import open_release
from pipelines.cli import app
from warehouse.home import Home
from warehouse.store import StoreError


@pytest.fixture
def offered(small_world, tmp_path, monkeypatch):
    """Return what is offered for the last word of a line, in a folder with one recipe and the built world's home."""
    (tmp_path / "recipes").mkdir()
    shutil.copy(small_world.recipe, tmp_path / "recipes" / "towns.toml")
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)

    def ask(line: str, home=small_world.home) -> list[str]:
        asked = {"_TRIPWRIGHT_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
        told = CliRunner().invoke(app, prog_name="tripwright", env={**asked, "TRIPWRIGHT_HOME": str(home)})
        assert told.exception is None or isinstance(told.exception, SystemExit), told.exception
        return told.output.split()

    return ask


def test_commands_and_recipes_are_offered(offered):
    assert offered("tripwright dem") == ["demo"]
    for command in ("build", "refresh", "tables", "extract"):
        assert offered(f"tripwright {command} ") == ["recipes/towns.toml"]
    assert offered("tripwright build elsewhere/") == []


@pytest.mark.parametrize("command", ["report", "score", "export", "publish", "audit --release"])
def test_releases_are_offered_by_their_version(offered, small_world, command):
    release = open_release(small_world.releases["itinbench"])
    assert release.version in offered(f"tripwright {command} ")
    assert offered(f"tripwright {command} {release.version[:6]}") == [release.version]


def test_task_ids_are_offered(offered, small_world):
    ids = sorted(open_release(small_world.releases["tripcraft"]).table("tasks")["task_id"])
    assert offered("tripwright audit tripcraft") == ids


def test_without_a_home_nothing_is_offered_and_none_is_made(offered, tmp_path):
    assert offered("tripwright audit ", tmp_path / "none") == []
    assert not (tmp_path / "none").exists()


def test_a_damaged_home_offers_no_task_ids_and_shows_no_error(offered, tmp_path):
    pointer = tmp_path / "home" / "releases" / "towns" / "itinbench" / "latest"
    pointer.parent.mkdir(parents=True)
    pointer.write_text("newest")
    with pytest.raises(StoreError):
        Home(str(tmp_path / "home")).releases.all_latest()
    assert offered("tripwright audit x", tmp_path / "home") == []
