"""The error of the rules beside that of an earlier commit: it is that commit's code that rates."""

from __future__ import annotations

import shutil
import subprocess

import pandas as pd
import pytest

from perf.extraction import errors, rated_as_at

FIVES = """
import pandas as pd
class Rated:
    def __init__(self, rows): self.rows = rows
def rate_places(place, review):
    return Rated([{"place_id": one, "attribute": "flavor", "rating": 5, "engine": "rules"} for one in place.place_id])
"""


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not on this machine")
def test_an_earlier_commit_rates_by_its_own_code(tmp_path, monkeypatch):
    for room in ("assets", "assets/reviews", "schemas", "sources", "warehouse"):
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").touch()
    (tmp_path / "assets" / "reviews" / "rating.py").write_text(FIVES, encoding="utf-8")
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "first")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    place = pd.DataFrame({"place_id": ["a", "b"], "kind": "restaurant", "stars": [3.0, 3.0]})
    rated = rated_as_at("HEAD", place, pd.DataFrame({"text": ["The food was awful."]}))
    assert list(rated["rating"]) == [5, 5]
    truth = pd.DataFrame({"place_id": ["a", "b"], "attribute": "flavor", "rating": [5, 2]})
    assert errors(rated, place, truth).to_dict("list") == {"error": [3.0], "n": [2]}
