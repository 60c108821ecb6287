"""What a family exports stays below the folder that was asked for, and a folder is whole or not there."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from assets.release import exporting
from assets.release.reading import ReleaseError, open_release


@pytest.mark.parametrize("name", ["/tmp/x", "../x", "a/../../x", ""])
def test_a_file_that_would_stand_elsewhere_is_refused_and_nothing_is_left(small_world, tmp_path, monkeypatch, name):
    family = SimpleNamespace(name="itinbench", call=lambda *_: {"a/b": b"1", name: b"2"})
    monkeypatch.setattr(exporting, "families", lambda: {"itinbench": family})
    monkeypatch.setattr(exporting, "release_tables", lambda _: None)
    release = open_release(small_world.releases["itinbench"])
    with pytest.raises(ReleaseError, match="expected a path below the folder"):
        exporting.export_release(release, "itinbench", tmp_path / "out" / "of")
    assert [path.name for path in tmp_path.rglob("*")] == ["out"]
