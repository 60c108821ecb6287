"""`tripwright doctor` finds what is missing before a build does, and says what mends it."""

from __future__ import annotations

import os

import pytest

from pipelines.doctor import diagnose
from tests.pipelines.conftest import recipe_text

MODEL = '\n[engines]\nreviews = "openai"\n\n[engines.openai]\nbase_url = "http://localhost:9/v1"\nmodel = "m"\n'


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """Put a reader at a folder with recipes: one that asks a model with a key, one mistyped."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recipes").mkdir()
    (tmp_path / "recipes" / "asking.toml").write_text(recipe_text() + MODEL + 'api_key_env = "THE_KEY"\n')
    (tmp_path / "recipes" / "mistyped.toml").write_text(recipe_text().replace("seed", "sed", 1))
    monkeypatch.delenv("THE_KEY", raising=False)
    return tmp_path


def problems(home) -> dict[str, tuple[str, str]]:
    return {f.what: (f.state, f.remedy) for f in diagnose(str(home)) if not f.ok}


def test_a_missing_key_and_a_mistyped_recipe_are_found(desk, monkeypatch):
    found = problems(desk / "home")
    assert found["the key of recipes/asking.toml's model"] == ("$THE_KEY is not set", "export THE_KEY=…")
    assert "did you mean `seed`?" in found["recipes/mistyped.toml reads"][0]
    monkeypatch.setenv("THE_KEY", "x")
    assert "the key of recipes/asking.toml's model" not in problems(desk / "home")


def test_the_key_of_the_second_model_is_looked_for_too_and_a_pasted_key_is_not_printed(desk, monkeypatch):
    reader = MODEL.partition("\n\n")[2].replace(".openai", ".reader").replace('"m"', '"other"')
    second = MODEL.replace("\n\n", '\nwording = "openai"\n\n') + reader + 'api_key_env = "gsk_pasted1"\n'
    (desk / "recipes" / "asking.toml").write_text(recipe_text() + second)
    state, remedy = problems(desk / "home")["the key of recipes/asking.toml's second model"]
    assert "gsk_pasted1" not in state + remedy
    assert state.endswith("is not set")
    monkeypatch.setenv("gsk_pasted1", "x")
    assert "the key of recipes/asking.toml's second model" not in problems(desk / "home")


def test_a_home_that_cannot_be_written_is_found(desk, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != str(desk))
    assert problems(desk / "home")["a home that can be written"] == (f"{desk} cannot", f"chmod u+w {desk}")
