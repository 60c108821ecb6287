"""What is freed is what nothing points at: a build afterwards runs nothing, and releases stay whole."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from pipelines.housekeeping import collect_garbage
from tests.recipes import command
from warehouse.home import Home


@pytest.fixture(scope="module")
def built(one_town, tmp_path_factory):
    """Return a folder with a home and a recipe built twice, with another seed; not to be changed."""
    folder = tmp_path_factory.mktemp("built")
    shutil.copytree(one_town.home, folder / "home")
    shutil.rmtree(folder / "home" / "recipes")
    recipe = folder / "small.toml"
    recipe.write_text(one_town.recipe.read_text(encoding="utf-8").replace("\nseed = 5", "\nseed = 4"), encoding="utf-8")
    assert command("build", recipe, home=folder / "home")[0] == 0
    return folder


@pytest.fixture
def town(built, tmp_path):
    """Return a copy of the built home, and the recipe that it knows; neither that nor its lock is to be changed."""
    return shutil.copytree(built / "home", tmp_path / "home"), built / "small.toml"


@pytest.fixture
def own_lock(built, tmp_path):
    """Return a copy of the built home that knows no recipe but a copied one, and that one's lock, to be changed."""
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    shutil.rmtree(tmp_path / "home" / "recipes")
    command("build", tmp_path / "small.toml", home=tmp_path / "home")
    return tmp_path / "home", tmp_path / "small.lock.json"


def is_passing(home: Path, path: Path) -> bool:
    """Return whether a file is a lease, or scratch."""
    return path.relative_to(home).parts[0] in ("leases", "tmp")


def files(home: Path) -> dict[str, bytes]:
    return {
        p.relative_to(home).as_posix(): p.read_bytes()
        for p in home.rglob("*")
        if p.is_file() and not is_passing(home, p)
    }


def assert_whole_releases(home: Path) -> None:
    """Every release resolves; what rests on a raw file that is gone would be unverified, and no problem."""
    for manifest in home.glob("releases/*/*/*/manifest.json"):
        code, told = command("audit", "--release", manifest.parent, home=home)
        assert (code, told["problems"], told["unverified"]) == (0, [], [])


def test_a_dry_run_frees_nothing_and_a_real_one_only_what_the_first_seed_left(town):
    home, recipe = town
    before = files(home)
    code, said = command("gc", home=home)
    assert (code, said["deleted"], files(home)) == (0, False, before)
    assert {"records of steps", "tables"} <= set(said["unneeded"])
    code, freed = command("gc", "--delete", home=home)
    assert (code, freed) == (0, {**said, "deleted": True})
    after = files(home)
    assert sum(map(len, before.values())) - sum(map(len, after.values())) == said["bytes"]
    assert all(key in after for key in before if key.startswith("releases/"))
    code, again = command("build", recipe, home=home)
    assert (code, again["steps_run"]) == (0, 0)
    assert_whole_releases(home)
    assert command("gc", home=home)[1]["unneeded"] == {}


def test_raw_files_of_a_release_stay_when_the_recipe_is_gone(own_lock):
    home, lock = own_lock
    lock.unlink()
    code, freed = command("gc", "--delete", home=home)
    assert (code, freed["recipes"], len(freed["recipes_gone"])) == (0, [], 1)
    assert not list(home.glob("tables/*/*"))
    assert_whole_releases(home)


def test_what_killed_processes_left_is_freed_and_answers_of_models_are_not(town):
    home, _ = town
    unfinished = home / "releases" / "small" / "itinbench" / "0123456789abcdef" / "tasks.parquet"
    kept = home / "ledger" / "ab" / "abc.json"
    broken = home / "fetch" / "x"
    foreign = home / "notes" / "mine.txt"
    for path in (unfinished, kept, broken, foreign):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}")
    command("gc", "--delete", home=home)
    assert [path.exists() for path in (unfinished, kept, broken, foreign)] == [False, True, False, True]


def test_a_lock_that_cannot_be_read_frees_nothing(own_lock):
    home, lock = own_lock
    lock.write_text("{}")
    before = files(home)
    code, answer = command("gc", "--delete", home=home)
    assert (code, "not a lock that tripwright wrote" in answer["error"], files(home)) == (1, True, before)


DAMAGE = (b"", b"{", b"[]", b"{}", b'{"lock": 3}', b'{"lock": "/elsewhere/small.lock.json"}', b"\xff", b"[" * 100_000)


@pytest.mark.parametrize(
    ("record", "damage"),
    [
        *(("recipes/*.json", damage) for damage in DAMAGE),
        *(("latest/small/business/*", damage) for damage in (b"\xff", b"0" * 63)),
    ],
)
def test_a_damaged_record_of_what_is_needed_frees_nothing_and_a_build_writes_it_anew(town, record, damage):
    home, recipe = town
    (path,) = home.glob(record)
    path.write_bytes(damage)
    before = files(home)
    code, answer = command("gc", "--delete", home=home)
    assert (code, path.name in answer["error"], "Build its recipe again" in answer["error"]) == (1, True, True)
    assert files(home) == before
    assert command("build", recipe, home=home)[0] == 0
    assert command("gc", "--delete", home=home)[0] == 0


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff"])
def test_a_release_whose_manifest_is_damaged_is_named_and_frees_nothing(town, damage):
    home, _ = town
    path = sorted(home.glob("releases/*/*/*/manifest.json"))[0]
    path.write_bytes(damage)
    before = files(home)
    code, answer = command("gc", "--delete", home=home)
    assert (code, path.relative_to(home).as_posix() in answer["error"], files(home)) == (1, True, before)


@pytest.mark.parametrize("damage", [b"", b"[]", b"\xff", b"[" * 100_000])
@pytest.mark.parametrize("kind", ["invented", "fetched", "released"])
def test_a_damaged_list_that_protects_nothing_is_freed_and_made_anew(town, kind, damage):
    home, recipe = town
    path = next((home / kind).glob("*"), home / kind / "0.json")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(damage)
    code, built = command("build", recipe, home=home)
    assert (code, built["steps_run"]) == (0, 0)
    path.write_bytes(damage)
    assert command("gc", "--delete", home=home)[0] == 0
    assert not path.exists()


def test_it_waits_for_a_running_build(town):
    home, _ = town
    before = files(home)
    done = threading.Thread(target=command, args=("gc", "--delete"), kwargs={"home": home}, daemon=True)
    with Home(str(home)).building():
        done.start()
        done.join(1.5)
        assert done.is_alive()
        assert files(home) == before
    done.join()
    assert files(home) != before


def test_killed_in_the_middle_the_home_still_builds(town, monkeypatch):
    home, recipe = town
    opened = Home(str(home))
    real, left = opened.store.delete, [7]

    def delete(key):
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        real(key)

    monkeypatch.setattr(opened.store, "delete", delete)
    with opened.quiet(), pytest.raises(KeyboardInterrupt):
        collect_garbage(opened, delete=True)
    code, again = command("build", recipe, home=home)
    assert (code, again["blocked"]) == (0, [])
    assert [path.name for path in (home / "tmp").iterdir()] in ([], ["swap"])
