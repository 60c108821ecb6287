"""Fixtures shared by all tests: the real data and worked cases beside the repository, when they are there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real provider files; skips the test where there is none."""
    folder = SHARED / "data"
    if not folder.is_dir():
        pytest.skip("the real files (../shared/data) are not on this machine")
    return folder


@pytest.fixture(scope="session")
def golden_case() -> Callable[[str], dict[str, Any]]:
    """Return a function from a worked case's id to the case; skips the test where there are none."""
    path = SHARED / "golden" / "cases.json"
    if not path.is_file():
        pytest.skip("the worked cases (../shared/golden) are not on this machine")
    cases = {case["id"]: case for case in json.loads(path.read_text(encoding="utf-8"))}
    return cases.__getitem__
