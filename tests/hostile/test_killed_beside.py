"""Commands that write where people say, killed (kill -9) while they use that folder and given again: whole, no more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_KILLS = 2


def given(number: int, folder: Path, words: list[str]) -> tuple[int, str]:
    """Return the exit code of a command that dies at its Nth use of a folder, and what it said on stderr."""
    command = [sys.executable, "-m", "tests.hostile.dying", str(number), str(folder), *words]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return ended.returncode, ended.stderr


def files(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["export", "review"])
def test_what_a_killed_command_left_is_gone_once_it_is_given_again(name, small_world, tmp_path):
    release, home = str(small_world.releases["itinbench"]), ["--home", str(small_world.home)]
    words = {
        "export": lambda folder: ["export", release, f"{folder}/exported", "--format", "itinbench", *home],
        "review": lambda folder: ["review", release, f"{folder}/sheet.csv", *home],
    }[name]
    (whole := tmp_path / "whole").mkdir()
    code, said = given(0, whole, words(whole))
    assert code == 0, said
    moments = int(said.split()[-1])
    assert moments > 1
    (folder := tmp_path / "killed").mkdir()
    for number in range(moments, 0, -max(1, moments // MOST_KILLS)):
        assert given(number, folder, words(folder))[0] == -9
        assert all(not part.startswith(("exported", "sheet")) for part in files(folder)), "half of it is there"
    assert given(0, folder, words(folder))[0] == 0
    assert files(folder) == files(whole)
