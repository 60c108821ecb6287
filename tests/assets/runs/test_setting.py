"""A family's setting: its own file's, the default without one, and a file that gives none is told."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from assets.declared import FamilyError
from assets.runs.setting import RunSetting, setting_of


def test_without_a_file_there_is_the_default():
    assert setting_of("spatial") == RunSetting()


def test_a_file_without_a_setting_is_told_by_its_name(monkeypatch):
    empty = ModuleType("assets.itinbench.runs")
    empty.__spec__ = sys.modules[RunSetting.__module__].__spec__
    monkeypatch.setitem(sys.modules, empty.__name__, empty)
    with pytest.raises(FamilyError, match=r"assets/itinbench/runs\.py defines no `RUNS`"):
        setting_of("itinbench")
