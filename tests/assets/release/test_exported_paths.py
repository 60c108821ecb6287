"""What a family exports stays below the folder that was asked for, and a folder is whole or not there."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from assets.release import exporting
from assets.release.reading import ReleaseError, open_release

ELSEWHERE = ("/tmp/x", "../x", "a/../../x", "", "..\\x", "x\n", "x\0", "x\ud800")
TWICE = ("./a/b", "a//b", "A/b", "without_solution.jsonl")
"""Names of a file that is there already: what was judged would not be what is left."""


@pytest.mark.parametrize("name", [*ELSEWHERE, *TWICE])
def test_a_file_that_would_stand_elsewhere_is_refused_and_nothing_is_left(small_world, tmp_path, monkeypatch, name):
    family = SimpleNamespace(name="itinbench", call=lambda *_: {"a/b": b"1", name: b"2"}, published_check="")
    monkeypatch.setattr(exporting, "families", lambda: {"itinbench": family})
    monkeypatch.setattr(exporting, "release_tables", lambda _: None)
    release = open_release(small_world.releases["itinbench"])
    with pytest.raises(ReleaseError, match=r"expected (a path below the folder|one of that name)"):
        exporting.export_release(release, "itinbench", tmp_path / "out" / "of")
    assert [path.name for path in tmp_path.rglob("*")] == []
