"""The copy that a machine keeps of a bucket's release: damaged, it is copied again, and the release is not blamed."""

from __future__ import annotations

import uuid

import pytest

from assets.release.reading import open_release
from warehouse.releases import MANIFEST, Releases
from warehouse.store import Store, StoreError
from warehouse.tables import Tables


@pytest.fixture
def remote(small_world, tmp_path, monkeypatch):
    """Return the releases of a store without a folder, one of them, and its keys' bytes as they were put."""
    monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "cache"))
    store, home = Store(f"memory://copies-{uuid.uuid4().hex}"), small_world.home
    folder = small_world.releases["itinbench"]
    for path in (path for path in folder.rglob("*") if path.is_file()):
        store.put(path.relative_to(home).as_posix(), path.read_bytes())
    releases = Releases(store, Tables(store))
    (ref,) = releases.find(folder.name)
    return releases, ref, store


@pytest.mark.parametrize("name", [MANIFEST, "tasks.parquet", "README.md"])
@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:-1] + bytes([data[-1] ^ 1])])
def test_a_damaged_copy_is_copied_again(remote, name, damage):
    releases, ref, store = remote
    copy = releases.folder(ref) / name
    whole = copy.read_bytes()
    copy.write_bytes(damage(whole))
    assert releases.folder(ref) / name == copy and copy.read_bytes() == whole == store.read(f"{ref.key}/{name}")
    open_release(releases.folder(ref))


def test_what_stands_beside_a_release_is_copied_again_when_it_has_grown(remote):
    releases, ref, store = remote
    page = releases.folder(ref) / "record" / "report.html"
    store.put(f"{ref.key}/record/report.html", b"another page")
    releases.folder(ref)
    assert page.read_bytes() == b"another page"


def test_a_copy_that_is_sound_is_not_fetched_again(remote, monkeypatch):
    releases, ref, _ = remote
    releases.folder(ref)
    monkeypatch.setattr(Store, "local", lambda *_: pytest.fail("nothing was to be fetched"))
    releases.folder(ref)


def test_of_a_release_without_a_manifest_that_can_be_read_what_is_there_is_still_copied(remote):
    releases, ref, store = remote
    releases.folder(ref)
    store.put(f"{ref.key}/{MANIFEST}", b"{")
    assert (releases.folder(ref) / MANIFEST).read_bytes() == b"{"


@pytest.mark.parametrize("damage", [b"", b"\xff", b"0123", b"../../../elsewhere", b"0123456789abcdef\n"])
def test_a_damaged_pointer_to_the_newest_release_is_named(remote, damage):
    releases, ref, store = remote
    key = f"releases/{ref.recipe}/{ref.family}/latest"
    store.put(key, damage)
    with pytest.raises(StoreError, match=rf"{key}: found .*, expected a version.* such as {ref.version}"):
        releases.latest(ref.recipe, ref.family)


def test_a_pointer_to_a_newest_release_that_is_not_there_is_named_to_who_looks_at_all(remote):
    releases, ref, _store = remote
    releases.set_latest(ref)
    assert releases.all_latest() == [ref]
    releases.remove(ref)
    assert releases.latest(ref.recipe, ref.family) is None, "a build makes the next"
    with pytest.raises(StoreError, match=rf"releases/{ref.recipe}/{ref.family}/latest: found a version that is not t"):
        releases.all_latest()


@pytest.mark.parametrize(
    "damage", [b"", b"\xff", b"small/itinbench", b"../itinbench/0123456789abcdef", b"a//0123456789abcdef"]
)
def test_a_damaged_pointer_to_what_was_made_is_as_if_nothing_was_made(remote, damage):
    releases, ref, store = remote
    store.put("released/abc", f"{ref.recipe}/{ref.family}/{ref.version}".encode())
    assert releases.made_from("abc", ref.recipe, ref.family) == ref
    for other in (("other", ref.family), (ref.recipe, "tripcraft")):
        assert releases.made_from("abc", *other) is None
    releases.set_latest(ref)
    assert releases.latest(ref.recipe, ref.family) == ref
    store.put("released/abc", damage)
    assert releases.made_from("abc", ref.recipe, ref.family) is None
    assert releases.made_from("never", ref.recipe, ref.family) is None


def test_a_release_is_made_by_whoever_signed_that(remote, tmp_path, monkeypatch):
    releases, ref, store = remote
    pointer = f"{ref.recipe}/{ref.family}/{ref.version}".encode()
    store.put("released/abc", pointer)
    assert not releases.is_made_here("abc")
    for user in ("one", "two", "one"):
        monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / user))
        releases._note_made("abc", pointer)
    assert releases.made_from("abc", ref.recipe, ref.family) == ref
    assert len(store.read("released/abc").split(b"\n")) == 3
    for user, expected in (("three", False), ("two", True), ("one", True)):
        monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / user))
        assert releases.is_made_here("abc") is expected
    store.put("released/other", store.read("released/abc"))
    assert not releases.is_made_here("other")
    store.put("released/abc", store.read("released/abc").replace(b"itinbench", b"tripcraft"))
    assert not releases.is_made_here("abc")
    releases._note_made("abc", pointer)
    assert len(store.read("released/abc").split(b"\n")) == 2


def test_a_newest_release_of_something_else_is_named(remote):
    releases, ref, store = remote
    body = store.read(f"{ref.key}/{MANIFEST}")
    releases.set_latest(ref)
    for other in (b'"family": "tripcraft"', b'"family": "grouptravel"'):
        store.put(f"{ref.key}/{MANIFEST}", body.replace(b'"family": "itinbench"', other, 1))
        with pytest.raises(StoreError, match=r"found a release of .*, expected one of small/itinbench"):
            releases.latest(ref.recipe, ref.family)
    store.put(f"{ref.key}/{MANIFEST}", body.replace(b'"recipe": "small"', b'"recipe": "other"', 1))
    with pytest.raises(StoreError, match="found a release of 'other/itinbench'"):
        releases.latest(ref.recipe, ref.family)
    store.put(f"{ref.key}/{MANIFEST}", b"{")
    assert releases.latest(ref.recipe, ref.family) == ref, "who opens it says that it is damaged"


def test_what_is_called_latest_and_stands_elsewhere_is_no_pointer(remote):
    releases, ref, store = remote
    releases.set_latest(ref)
    for key in ("releases/latest", "releases/small/latest", f"{ref.key}/latest"):
        store.put(key, b"0123456789abcdef")
    assert releases.all_latest() == [ref]


def test_a_release_that_is_taken_away_no_longer_exists_however_far_that_came(remote, monkeypatch):
    releases, ref, store = remote
    delete = Store.delete
    monkeypatch.setattr(Store, "delete", lambda self, key: (delete(self, key), pytest.fail("killed"))[1])
    with pytest.raises(pytest.fail.Exception):
        releases.remove(ref)
    monkeypatch.undo()
    assert releases.find(ref.version) == []
    assert list(store.keys(ref.key)) != []
    releases.remove(ref)
    assert list(store.keys(ref.key)) == []
