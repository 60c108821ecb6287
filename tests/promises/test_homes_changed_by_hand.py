"""What somebody with write access to a home did: a step's accounting rewritten, and a city that cannot be read."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest

from assets.release.reading import ReleaseError, open_release, unverified_release
from tests.promises.editing import described_anew, edited, sealed
from tests.recipes import command
from tests.small_world import bound_recipe


@pytest.fixture
def home(small_world, tmp_path):
    """Return a copy of the small world's home that has its kept tables and no release."""
    ignored = shutil.ignore_patterns("releases", "released")
    return shutil.copytree(small_world.home, tmp_path / "home", ignore=ignored)


def rewritten(home: Path, step: str, **accounting) -> dict:
    """Rewrite a step's accounting in `built/`, its seal made anew, and return the accounting as it was."""
    for path in sorted((home / "built").rglob("*.json")):
        record = json.loads(path.read_text())["record"]
        if record["step"] == step:
            before = dict(record["accounting"])
            record["accounting"] |= accounting
            seal = hashlib.sha256(json.dumps(record).encode()).hexdigest()
            path.write_text(json.dumps({"seal": seal, "record": record}))
            return before
    raise LookupError(step)


def test_steps_rewritten_accounting_stops_the_release_that_rests_on_them(small_world, home):
    before = rewritten(home, "business", rejected={}, merged=0, rows_in=606)
    rejected = sum(before["rejected"].values())
    assert rejected > 50
    reviews = rewritten(home, "review", rows_in=9_999)["rows_in"]
    rewritten(home, "review", rows_out=9_999 - sum(rewritten(home, "review")["rejected"].values()))
    code, told = command("build", small_world.recipe, "--family", "itinbench", home=home)
    assert code == 1
    assert f"business: is said to reject 0 rows, the rejections hold {rejected} of it" in told["error"]
    assert "review: 9,999 rows in, but " in told["error"], reviews
    assert not (home / "releases").exists()


GONE = "us-vt-pelvarvale"


@pytest.fixture(scope="module")
def without_a_city(small_world, tmp_path_factory):
    """Return a home whose recipe was built though one city's listings cannot be read, and what the build answered."""
    folder = tmp_path_factory.mktemp("without_a_city")
    home = shutil.copytree(small_world.home, folder / "home", ignore=shutil.ignore_patterns("releases", "released"))
    recipe = bound_recipe(small_world, folder / "files")
    (folder / "files" / "airbnb" / GONE / f"{GONE}.listings.csv").write_bytes(b"\x00 no listing at all")
    words: tuple[object, ...] = ("build", recipe, "--allow-missing", "--family", "tripcraft", "--family", "grouptravel")
    words += ("--public", "--withhold")
    return home, command(*words, home=home)


@pytest.mark.parametrize("family", ["tripcraft", "grouptravel"])
def test_a_blocked_city_gives_no_task_no_row_and_no_licence_and_the_rest_is_audited(without_a_city, family):
    home, (code, built) = without_a_city
    assert code == 0, built
    assert {(blocked["city_id"], blocked["step"]) for blocked in built["blocked"]} == {(GONE, "stay")}
    (released,) = (release for release in built["releases"] if release["family"] == family)
    assert released["certified"] == released["tasks"] > 0
    release = open_release(Path(released["path"]))
    manifest = release.manifest
    assert [missing["city_id"] for missing in manifest.missing_cities] == [GONE]
    assert GONE not in {city["city_id"] for city in manifest.cities}
    assert {snapshot.city_id for snapshot in manifest.inputs} >= {None}
    assert GONE not in {snapshot.city_id for snapshot in manifest.inputs}
    named = [
        (name, row)
        for name in release.tables()
        for row in release.rows(name).to_pylist()
        if GONE in json.dumps({key: value for key, value in row.items() if key != "detail"}, default=str)
    ]
    assert named == []
    code, audited = command("audit", "--release", release.folder, home=home)
    assert (code, audited["problems"], audited["unverified"]) == (0, [], [])


def test_an_edition_without_a_blocked_city_is_completed_to_equal_bytes(without_a_city, tmp_path):
    home, (_, built) = without_a_city
    (released,) = (release for release in built["releases"] if release["family"] == "tripcraft")
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(home / "raw", elsewhere / "raw")
    code, answer = command("complete", released["public"], home=elsewhere)
    assert (code, answer.get("version")) == (0, released["version"]), answer


def easier(folder: Path) -> Path:
    return edited(folder, folder.parent, {"tasks": lambda rows: [{**row, "query": "Anything goes."} for row in rows]})


def boasting(folder: Path) -> Path:
    """Return a release whose tables are as they were built, with a manifest and a card that say other things of it."""

    def say(manifest: dict) -> None:
        manifest["title"], manifest["columns_under"] = "Free to all", []
        manifest["promises"]["offered"] = {"the_empty_plan": 10**6}

    return described_anew(sealed(edited(folder, folder.parent, {}), change=say))


@pytest.mark.parametrize("forge", [easier, boasting])
def test_a_build_takes_no_other_sound_release_for_the_one_that_it_made(small_world, tmp_path, forge):
    home = shutil.copytree(small_world.home, tmp_path / "home")
    release = home / small_world.releases["itinbench"].relative_to(small_world.home)
    forged = forge(shutil.copytree(release, tmp_path / "copy"))
    version = unverified_release(forged).version
    shutil.move(forged, release.with_name(version))
    pointers = [path for path in (home / "released").iterdir() if release.name in path.read_text()]
    for pointer in pointers:
        pointer.write_text(pointer.read_text().replace(release.name, version))
    assert pointers
    code, built = command("build", small_world.recipe, "--family", "itinbench", home=home)
    assert code == 0, built
    assert [Path(one["path"]) for one in built["releases"]] == [release]
    assert (release.parent / "latest").read_text() == release.name


def test_a_link_in_the_place_of_a_release_is_replaced_and_what_it_leads_to_is_not_touched(small_world, tmp_path):
    home = shutil.copytree(small_world.home, tmp_path / "home")
    release = home / small_world.releases["itinbench"].relative_to(small_world.home)
    (tmp_path / "own").mkdir()
    for name in ("thesis.txt", "README.md"):
        (tmp_path / "own" / name).write_text("mine")
    for at in ("with a pointer", "without"):
        shutil.rmtree(release)
        release.symlink_to(tmp_path / "own")
        if at == "without":
            shutil.rmtree(home / "released")
        code, built = command("build", small_world.recipe, "--family", "itinbench", home=home)
        assert (code, [one["path"] for one in built["releases"]]) == (0, [str(release)]), built
        assert not release.is_symlink()
        open_release(release)
        own = {path.name: path.read_text() for path in (tmp_path / "own").iterdir()}
        assert own == {"thesis.txt": "mine", "README.md": "mine"}


def test_a_release_is_not_taken_for_the_one_by_whose_version_a_link_to_it_is_called(small_world, tmp_path):
    link = tmp_path / "0123456789abcdef"
    link.symlink_to(small_world.releases["itinbench"])
    with pytest.raises(ReleaseError, match=f"gives version {small_world.releases['itinbench'].name}, not {link.name}"):
        open_release(link)
    (tmp_path / "newest").symlink_to(small_world.releases["itinbench"])
    open_release(tmp_path / "newest")


def test_what_is_no_file_among_a_release_s_is_refused_by_name(small_world, tmp_path):
    folder = edited(small_world.releases["itinbench"], tmp_path, {})
    os.mkfifo(folder / "pipe")
    with pytest.raises(ReleaseError, match="pipe: not listed in the manifest"):
        open_release(folder)


def test_a_release_of_another_format_is_refused_by_name(small_world, tmp_path):
    folder = edited(small_world.releases["itinbench"], tmp_path, {})
    later = (folder / "manifest.json").read_text().replace('"format": 1', '"format": 2')
    (folder / "manifest.json").write_text(later)
    with pytest.raises(ReleaseError, match="format: expected 1, found 2"):
        open_release(folder)
