"""A release held against the recipe and lock that it was made by: what either says otherwise is named."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from assets.release.audit_recipe import recipe_otherwise, terms_by_recipe
from assets.release.licences import release_licences
from assets.release.reading import open_release
from schemas.source import Snapshot
from tests.promises.editing import edited, sealed
from tests.recipes import command

Manifest = dict[str, Any]


@pytest.fixture(scope="module")
def of_recipe(small_world) -> tuple[bytes, bytes]:
    return small_world.recipe.read_bytes(), small_world.recipe.with_suffix(".lock.json").read_bytes()


def test_honest_releases_say_what_their_recipe_does(small_world, of_recipe):
    for folder in small_world.releases.values():
        assert recipe_otherwise(open_release(folder).manifest, *of_recipe) == []


def another_licence(manifest: Manifest) -> None:
    """Bind a file under freer terms, and make the licences of them anew."""
    manifest["inputs"][0]["licence_id"] = "CC0-1.0"
    inputs = [Snapshot.model_validate(entry) for entry in manifest["inputs"]]
    manifest["licences"] = json.loads(json.dumps(release_licences(inputs)))


SAID_OF_THE_RECIPE: tuple[tuple[Callable[[Manifest], Any], str], ...] = (
    (lambda m: m.update(title="ItinBench, official"), "says title"),
    (lambda m: m.update(recipe="philadelphia"), "says recipe"),
    (lambda m: m.update(seed=m["seed"] + 1), "says seed"),
    (lambda m: m["cities"][0].update(name="Philadelphia"), "says cities"),
    (lambda m: m["engines"].update(wording="a model"), "says engines"),
    (lambda m: m["settings"]["invented"].update(seed=1), "says settings"),
    (lambda m: m["section"].update(tasks_per_city=1), "says section"),
    (lambda m: m["retired"].append({"task_id": "x", "city_id": "y", "reason": "z"}), "says retired"),
    (lambda m: m["missing_cities"].append({"city_id": "us-x", "step": "review", "reason": "z"}), "is missing, no city"),
    (another_licence, "licence_id"),
    (lambda m: m["inputs"][0].update(attribution="Somebody else"), "attribution"),
    (lambda m: m["inputs"][0].update(sha256="0" * 64), "is not in its lock"),
    (lambda m: m["inputs"].pop(0), "has no input"),
)


@pytest.mark.parametrize(("edit", "told"), SAID_OF_THE_RECIPE, ids=[told for _, told in SAID_OF_THE_RECIPE])
def test_what_its_recipe_and_lock_say_otherwise_is_named(release, of_recipe, edit, told):
    manifest = release.manifest.model_dump(mode="json")
    edit(manifest)
    problem, *others = recipe_otherwise(type(release.manifest).model_validate(manifest), *of_recipe)
    assert told in problem
    assert all("has no input" in other for other in others)  # of one that has another hash


def test_terms_that_are_the_recipe_s_word_alone_are_told(release):
    (invented,) = terms_by_recipe(release.manifest)
    assert "yelp.business" in invented
    assert "invented by tripwright" in invented
    manifest = release.manifest.model_dump(mode="json")
    yelp = next(entry for entry in manifest["inputs"] if entry["source"] == "yelp")
    yelp["licence_id"] = "CC0-1.0"
    freer = type(release.manifest).model_validate(manifest)
    assert f"yelp.{yelp['role']}: CC0-1.0, the source's own LicenseRef-Yelp" in terms_by_recipe(freer)
    yelp["licence_id"] = "LicenseRef-invented"
    manifest["settings"]["invented"]["providers"].remove("yelp")
    said = terms_by_recipe(type(release.manifest).model_validate(manifest))
    assert f"yelp.{yelp['role']}: LicenseRef-invented, the source's own LicenseRef-Yelp" in said


def test_that_tasks_lost_their_witness_is_told_as_the_lock_s_word(release):
    entry = {"task_id": "itinbench.us-x.00003", "city_id": "us-x", "reason": "its museum is closed"}
    manifest = release.manifest.model_copy(update={"retired": [entry]})
    told, _ = terms_by_recipe(manifest)
    assert told == 'retired: that 1 task lost a witness, such as itinbench.us-x.00003: "its museum is closed"'


def test_a_lock_that_was_edited_and_a_recipe_that_is_none_are_named(release, of_recipe):
    recipe, lock = of_recipe
    edited_lock = json.loads(lock)
    edited_lock["snapshots"][-1]["attribution"] = "Somebody else"
    assert any(
        "its seal" in told for told in recipe_otherwise(release.manifest, recipe, json.dumps(edited_lock).encode())
    )
    for broken in (b"\xff", b"[", b"name = 3"):
        (told,) = recipe_otherwise(release.manifest, broken, lock)
        assert told.startswith("its recipe or lock cannot be read")
    other = recipe.replace(b"[families.itinbench]", b"[families.unheard]")
    (told,) = recipe_otherwise(release.manifest, other, lock)
    assert "is of itinbench; its recipe asks for" in told
    spatial = re.sub(rb"(?ms)^\[families.*", b"", recipe)
    (told,) = recipe_otherwise(release.manifest, spatial, lock)
    assert told.endswith("its recipe asks for no benchmark")


def test_the_command_holds_a_release_against_its_recipe(small_world, release, tmp_path):
    folder = sealed(edited(release.folder, tmp_path, {}), None, lambda m: m.update(title="ItinBench, official"))
    code, told = command("audit", "--release", folder, "--recipe", small_world.recipe, home=small_world.home)
    assert code == 1
    assert any("says title" in problem for problem in told["problems"])
    code, told = command("audit", "--release", folder, "--recipe", tmp_path / "none.toml", home=small_world.home)
    assert code == 1
    assert "found no" in told["error"]
