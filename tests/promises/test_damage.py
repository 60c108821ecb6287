"""A damaged file of a release is named by every command that opens it, which ends with 1; `build` makes it again."""

from __future__ import annotations

import json
import random
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assets.families import families
from assets.release.reading import open_release
from assets.release.sides import opened_side
from pipelines.releases.changes import changes_since
from pipelines.releases.release import _make_newest, sound_release
from tests.promises.damage import trials
from tests.recipes import command, hashed_files
from warehouse.home import Home
from warehouse.releases import ReleaseRef

FAMILIES = ("itinbench", "tripcraft", "grouptravel")
SEED = 8


@pytest.fixture(scope="module")
def opening(small_world, tmp_path_factory):
    """Return the commands that open a release, as words with the release's folder and a whole release of its family."""
    folder = tmp_path_factory.mktemp("opening")
    (folder / "texts.jsonl").write_text('{"task_id": "none", "text": "none"}\n', encoding="utf-8")

    def words(family, release):
        whole = small_world.releases[family]
        return {
            "score": ("score", release, "witness"),
            "export": ("export", release, folder / "exported", "--format", family),
            "report": ("report", release, "--out", folder / "report.html"),
            "tools": ("tools", release, "--list"),
            "diff, as the older": ("diff", release, whole),
            "diff, as the newer": ("diff", whole, release),
            "review": ("review", release, folder / "sheet.csv"),
            "extract-plans": ("extract-plans", release, folder / "texts.jsonl", folder / "plans.jsonl"),
            "audit": ("audit", "--release", release),
            "run": ("run", release, "--planner", "greedy", "--out", folder / "run.jsonl"),
            "calibrate": ("calibrate", release, folder / "texts.jsonl", "--out", folder / "calibrated"),
            "judge": ("judge", release, folder / "texts.jsonl", "--ratings", folder / "texts.jsonl"),
            "publish": ("publish", release, folder / "target", "--yes"),
            "complete": ("complete", release),
        }

    yield words
    left = {path.name for path in folder.iterdir()}
    assert left == {"texts.jsonl"}, "a command that refused a release has written something"


def test_whoever_opens_a_damaged_release_names_the_file_and_ends_with_1(small_world, opening, tmp_path):
    """Every command opens the releases of every family by one function."""
    family, draw = "itinbench", random.Random(f"itinbench {SEED}")
    whole, untold = small_world.releases[family], []
    for number, trial in enumerate(trials(whole, draw)):
        release = shutil.copytree(whole, tmp_path / str(number) / whole.name, ignore=shutil.ignore_patterns("record"))
        trial.apply(release, draw)
        for name, words in opening(family, release).items():
            code, answer = command(*words, home=small_world.home)
            said = answer.get("error", "")
            if code != 1 or not any(damaged in said for damaged in trial.damaged):
                untold.append((trial, name, code, said[:200]))
        shutil.rmtree(release.parent)
    assert untold == []


@pytest.mark.parametrize("family", FAMILIES)
def test_a_build_that_finds_its_release_damaged_names_the_file_and_takes_the_release_away(
    small_world, family, tmp_path
):
    draw = random.Random(f"{family} {SEED}")
    whole = small_world.releases[family]
    key = whole.relative_to(small_world.home).as_posix()
    made_from = next(
        path for path in (small_world.home / "released").iterdir() if f"{family}/{whole.name}" in path.read_text()
    )
    unnoticed = []
    for number, trial in enumerate(trials(whole, draw)):
        home = tmp_path / str(number)
        release = shutil.copytree(whole, home / key)
        (home / "released").mkdir()
        shutil.copyfile(made_from, home / "released" / made_from.name)
        trial.apply(release, draw)
        told: list[str] = []
        kept = sound_release(Home(str(home)), made_from.name, "small", family, told.append)
        left = [path for path in release.rglob("*") if path.is_file()]
        is_named = any(damaged in text for damaged in trial.damaged for text in told)
        if kept is not None or left or not is_named:
            unnoticed.append((trial, kept, told, left[:3]))
        shutil.rmtree(home)
    assert unnoticed == []


def test_every_price_set_to_1_is_accepted_by_no_command_and_made_again_by_build(small_world, opening, tmp_path):
    home = shutil.copytree(small_world.home, tmp_path / "home")
    release = home / small_world.releases["tripcraft"].relative_to(small_world.home)
    before = hashed_files(release)
    path = release / "tripcraft_stay.parquet"
    rows = pq.read_table(path)
    prices = pa.array([1.0] * rows.num_rows, rows.schema.field("price").type)
    pq.write_table(rows.set_column(rows.schema.get_field_index("price"), rows.schema.field("price"), prices), path)
    for name, words in opening("tripcraft", release).items():
        code, answer = command(*words, home=home)
        assert (code, "tripcraft_stay.parquet: changed since the release" in answer["error"]) == (1, True), name
    code, built = command("build", small_world.recipe, "--family", "tripcraft", home=home)
    assert code == 0, built
    (made,) = built["releases"]
    assert (code, built["steps_run"], made["version"]) == (0, 0, release.name)
    assert hashed_files(release) == before
    assert json.loads((release / "manifest.json").read_text())["counts"]["certified"] == made["certified"]


def test_a_release_that_is_published_again_has_its_damaged_files_written_anew(small_world, tmp_path):
    manifest = open_release(small_world.releases["itinbench"]).manifest.model_copy(update={"files": []})
    releases, texts = Home(str(tmp_path)).releases, {"README.md": b"as it was", "croissant.json": b"{}"}
    ref, is_new = releases.publish(manifest, {}, texts, {"build.json": b"first"})
    assert is_new
    folder = releases.folder(ref)
    (folder / "README.md").write_bytes(b"as it should not be")
    (folder / "croissant.json").unlink()
    assert releases.publish(manifest, {}, texts, {"build.json": b"second"}) == (ref, False)
    assert hashed_files(open_release(folder).folder) == {
        "manifest.json": (folder / "manifest.json").read_bytes(),
        **texts,
    }
    assert (folder / "record" / "build.json").read_bytes() == b"first"


def test_a_damaged_release_before_is_named_and_not_compared_with(small_world, tmp_path):
    whole = small_world.releases["itinbench"]
    before = shutil.copytree(whole, tmp_path / whole.relative_to(small_world.home))
    ref = ReleaseRef("small", "itinbench", whole.name, before.relative_to(tmp_path).as_posix())
    (before / "tasks.parquet").write_bytes(b"")
    told: list[str] = []
    difference, page = changes_since(Home(str(tmp_path)), ref, opened_side(open_release(whole)), told.append)
    assert difference is None
    for text in (*told, page.decode()):
        assert whole.name in text
        assert "tasks.parquet: changed since the release" in text


@pytest.mark.parametrize(
    ("latest", "is_left", "told_of"),
    [
        ("0" * 16, True, "the newest one before, is gone from this home; of others there are"),
        ("0" * 16, False, "release 0000000000000000, the newest one before, is gone from this home"),
        (None, True, "this home does not say which release was the newest one before; of others there are"),
        (None, False, ""),
    ],
    ids=["gone", "alone and gone", "not named", "first"],
)
def test_a_release_is_said_to_be_the_first_only_if_none_was_before(small_world, tmp_path, latest, is_left, told_of):
    """Who takes the newest release away would have the next one differ from nothing."""
    whole = small_world.releases["itinbench"]
    shelf = tmp_path / whole.parent.relative_to(small_world.home)
    shelf.mkdir(parents=True)
    if is_left:
        shutil.copytree(whole, shelf / whole.name)
    if latest is not None:
        (shelf / "latest").write_text(latest)
    told: list[str] = []
    home = Home(str(tmp_path))
    before = home.releases.latest("small", "itinbench")
    difference, page = changes_since(home, before, opened_side(open_release(whole)), told.append)
    assert (before, difference) == (None, None)
    assert ("the first release" in page.decode()) == (not told) == (not told_of)
    for text in (*told, page.decode()) if told_of else ():
        assert told_of in text
        assert (whole.name in text) == is_left


def test_a_release_that_is_gone_is_not_named_to_be_compared_with(small_world, tmp_path):
    whole = small_world.releases["itinbench"]
    shutil.copytree(whole, tmp_path / whole.relative_to(small_world.home))
    releases, told = Home(str(tmp_path)).releases, []
    (ref,) = releases.find(whole.name)
    (tmp_path / ref.key).with_name("latest").write_text("0" * 16)
    _make_newest(Home(str(tmp_path)), ref, families()["itinbench"], told.append)
    assert (told, releases.latest("small", "itinbench")) == ([], ref)


@pytest.mark.parametrize("record", [b"\xff", b"[1]", b'{"code": [1]}'], ids=["no text", "no object", "no hashes"])
def test_a_damaged_record_beside_a_release_is_named_by_who_reads_it(small_world, record, tmp_path):
    """No hash holds the record, so that opening the release does not find it."""
    whole = small_world.releases["itinbench"]
    release = shutil.copytree(whole, tmp_path / whole.name)
    (release / "record" / "build.json").write_bytes(record)
    task_id = pq.read_table(release / "tasks.parquet")["task_id"][0]
    for words in (("diff", release, whole), ("audit", task_id, "--release", release)):
        code, answer = command(*words, home=small_world.home)
        assert (code, "record/build.json: found no record of a build" in answer["error"]) == (1, True)


def test_a_record_of_changes_that_is_no_text_is_named_by_who_shows_it(small_world, tmp_path):
    release = shutil.copytree(small_world.releases["itinbench"], tmp_path / small_world.releases["itinbench"].name)
    (release / "record" / "CHANGES.md").write_bytes(b"\xff")
    code, answer = command("report", release, home=small_world.home)
    assert (code, "record/CHANGES.md: found bytes that are no text" in answer["error"]) == (1, True)


def test_a_page_is_not_written_over_what_a_link_in_its_place_leads_to(small_world, tmp_path):
    release = shutil.copytree(small_world.releases["itinbench"], tmp_path / small_world.releases["itinbench"].name)
    (tmp_path / "precious").write_text("mine")
    page = release / "record" / "report.html"
    page.unlink()
    page.symlink_to(tmp_path / "precious")
    code, answer = command("report", release, home=small_world.home)
    assert (code, "record/report.html: found a link" in answer["error"]) == (1, True)
    assert (tmp_path / "precious").read_text() == "mine"
    assert command("report", release, "--out", tmp_path / "page.html", home=small_world.home)[0] == 0
