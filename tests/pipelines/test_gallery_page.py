"""The gallery that grows with a build, and the first look of the demonstration."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest
from typer.testing import CliRunner

from assets.release.page.gallery import AGAIN, Cards, page_of
from pipelines import gallery_page as module
from pipelines.cli import app
from pipelines.commands import build as demo_module
from pipelines.gallery_page import EVERY_S, KEY, GrowingGallery
from pipelines.walk.listener import NOBODY
from pipelines.walk.progress import Progress
from pipelines.walk.walk_report import Event
from tests.small_world import small_recipe
from warehouse.home import Home


@pytest.fixture
def growing(tmp_path, monkeypatch):
    """Return a gallery of an empty home, what it shows, and its clock."""
    shown = [Cards("<li>one</li>", 5, 5)]
    monkeypatch.setattr(module, "gallery_cards", lambda *_: shown[-1])
    clock = [0.0]
    progress = Progress()
    return GrowingGallery(Home(str(tmp_path)), progress, lambda: clock[0]), shown, clock


def built(step: str) -> Event:
    return Event(step, "a", "built", seconds=1.0, rows=1)


def test_the_page_follows_the_build_and_ends_with_it(growing):
    gallery, shown, clock = growing
    with gallery:
        assert "More is being built" in gallery.path.read_text()
        for step in ("place", "stop", "task"):
            gallery(Event(step, "a", "ahead"))
        gallery(built("place"))
        assert "1 of 3 steps" not in gallery.path.read_text(), "too soon after the page before"
        clock[0] += EVERY_S
        gallery(built("stop"))
        assert "2 of 3 steps" in gallery.path.read_text()
        shown.append(Cards("<li>two</li>", 7, 7))
        gallery.released()
        assert "7 of 7 tasks" in gallery.path.read_text()
    assert "being built" not in gallery.path.read_text()
    assert "<script" not in gallery.path.read_text()


def test_a_build_that_fails_leaves_no_page_that_says_it_runs(growing):
    gallery, *_ = growing
    with pytest.raises(KeyboardInterrupt), gallery:
        raise KeyboardInterrupt
    assert "being built" not in gallery.path.read_text()


def test_the_one_line_of_script_is_the_one_that_the_policy_allows():
    page = page_of(Cards("", 0, 0), "<script>alert(1)</script>")
    digest = base64.b64encode(hashlib.sha256(AGAIN.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page
    assert re.findall(r"<script>(.*?)</script>", page) == [AGAIN]
    assert "script-src" not in page_of(Cards("", 0, 0))


def test_a_first_look_is_shown_before_the_demonstration_and_only_then(small_world, tmp_path, monkeypatch):
    """The small world stands for both recipes: what is looked at is the order, and that it is shown once."""
    recipes = tmp_path / "recipes"
    recipes.mkdir()
    (recipes / "demo.toml").write_text(small_recipe().replace('name = "small"', 'name = "demo"'), encoding="utf-8")
    monkeypatch.setattr(demo_module, "ROOT", tmp_path)
    monkeypatch.setattr(demo_module, "FIRST_LOOK", small_world.recipe)
    asked: list[tuple[str, bool]] = []

    def building(home, recipe, **options):
        asked.append((recipe.stem, options["listener"].released is not NOBODY.released))
        return build(home, small_world.recipe, **{k: v for k, v in options.items() if k != "workers"})

    build = demo_module.build
    monkeypatch.setattr(demo_module, "build", building)
    ran = CliRunner().invoke(app, ["demo", "--home", str(small_world.home)])
    assert ran.exit_code == 0, ran.output
    said = ran.stdout
    assert asked == [(small_world.recipe.stem, False), ("demo", True)]
    assert said.index("See it: open") < said.index("Now the whole demonstration") < said.index("Watch it grow")
    assert said.index("Watch it grow") < said.index("See all of it: open")
    assert (small_world.home / KEY).is_file()
    asked.clear()
    monkeypatch.setattr(demo_module, "_is_released", lambda *_: True)
    said = CliRunner().invoke(app, ["demo", "--home", str(small_world.home)]).stdout
    assert asked == [("demo", False)]
    assert "Now the whole" not in said


def test_a_home_with_the_demonstration_is_known(small_world, tmp_path):
    assert demo_module._is_released(Home(str(small_world.home)), small_world.recipe)
    assert not demo_module._is_released(Home(str(tmp_path)), small_world.recipe)
