"""Commands that write where people say, killed (kill -9) while they use that folder and given again: whole, no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.written_recipe import DRAFT
from tests import published_folders
from tests.hostile.dying import died
from tests.recipes import command

MOST_KILLS = 2


def files(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def opened(tmp_path):
    """Return a published folder, opened as a release of a home of its own."""
    folder, _ = published_folders.itinbench(tmp_path / "published")
    code, told = command("open", "itinbench", folder, home=tmp_path / "home")
    assert code == 0, told
    return told["path"], ["--home", str(tmp_path / "home")]


@pytest.mark.parametrize("name", ["export", "review", "mend", "extract-plans"])
def test_what_a_killed_command_left_is_gone_once_it_is_given_again(name, small_world, opened, tmp_path):
    release, home = str(small_world.releases["itinbench"]), ["--home", str(small_world.home)]
    of_opened, its_home = opened
    (texts := tmp_path / "texts.jsonl").write_text('{"index": 3, "text": "{}"}\n')
    words = {
        "export": lambda folder: ["export", release, f"{folder}/exported", "--format", "itinbench", *home],
        "review": lambda folder: ["review", release, f"{folder}/sheet.csv", *home],
        "mend": lambda folder: ["mend", of_opened, f"{folder}/mended.toml", *its_home],
        "extract-plans": lambda folder: ["extract-plans", of_opened, str(texts), f"{folder}/plans.jsonl", *its_home],
    }[name]
    (whole := tmp_path / "whole").mkdir()
    code, moments = died(0, whole, *words(whole))
    assert code == 0 and moments > 1
    (folder := tmp_path / "killed").mkdir()
    for number in range(moments, 0, -max(1, moments // MOST_KILLS)):
        assert died(number, folder, *words(folder)) == (-9, 0)
        half = [part for part in files(folder) if not part.startswith(".part-") and part != f"mended.toml{DRAFT}"]
        assert half == [], "half of it is there"
    assert died(0, folder, *words(folder))[0] == 0
    assert files(folder) == files(whole)
