"""What may be shared: refused or withheld; and nobody's name leaves the raw store. Completing is in `test_complete.py`.

The small world is bound as files under each provider's own licence, with people planted in every provider's files.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from assets.release import audit
from assets.release.audit import audit_release
from assets.release.reading import open_release
from pipelines.cli import app
from pipelines.releases.public import NotShareableError, _require_said_once
from schemas.task import Task
from tests.assets.release.test_card import manifest
from tests.assets.release.test_withheld_repeats import FILES, NAMES, YELP
from tests.promises.editing import described_anew, edited, sealed
from tests.promises.leaves import unnamed
from tests.recipes import command
from tests.small_world import bound_recipe
from warehouse.home import Home

PERSON = "PLANTEDPERSON"
FAMILIES = ("itinbench", "tripcraft", "grouptravel")


def plant_people(folder: Path) -> int:
    """Write people into every provider's text files, as these name them, and return how many files hold some."""
    planted = 0
    for path in (p for p in folder.rglob("*") if p.suffix in (".json", ".jsonl", ".csv")):
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        text = text.replace('"user_id":"', f'"user_id":"{PERSON}')
        text = re.sub(r",(\d+),([^,\n]+),,([^,\n]+) Quarter", rf",77\1,{PERSON}\2,,\3 Quarter", text)
        text = re.sub(
            r'^(\{"(?:id|review_id|profile_id)":"[^"\n]*",)', rf'\1"user":{{"name":"{PERSON}"}},', text, flags=re.M
        )
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        planted += PERSON in text
    return planted


@pytest.fixture(scope="module")
def lawful(small_world, tmp_path_factory):
    """Return a home with every family's release and public edition, the recipe, and what the commands answered."""
    folder = tmp_path_factory.mktemp("lawful")
    recipe = bound_recipe(small_world, folder / "files")
    recipe.write_text(recipe.read_text().replace("easy = 3, medium = 2", "easy = 1, medium = 1"), encoding="utf-8")
    assert plant_people(folder / "files") >= 9
    home = folder / "home"
    refused = command("build", recipe, "--public", "--family", "itinbench", home=home)
    assert not (home / "releases").exists()
    code, built = command("build", recipe, "--public", "--withhold", home=home)
    assert code == 0, built
    return home, recipe, refused, {release["family"]: release for release in built["releases"]}


def texts_of(folder: Path) -> str:
    """Return every text in a folder's files, those of tables and of pages unpacked."""
    found = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        found.append(path.read_bytes().decode("utf-8", "replace"))
        if path.suffix == ".parquet":
            found.append(json.dumps(pq.read_table(path).to_pylist(), default=str, ensure_ascii=False))
        if path.suffix == ".html":
            packed = re.findall(r">\s*(H4sI[A-Za-z0-9+/=]+)\s*<", found[-1])
            assert len(packed) > 2  # maps, tasks, provenance, and a basemap of each city
            found += [gzip.decompress(base64.b64decode(part)).decode(errors="replace") for part in packed]
    return "\n".join(found)


def test_a_forbidden_release_is_refused_naming_table_columns_rows_and_licence(lawful):
    code, answer = lawful[2]
    assert code == 1
    (place,) = [line for line in answer["error"].splitlines() if "itinbench_place" in line]
    assert "name, address, lat, lon" in place
    assert "LicenseRef-Yelp" in place
    assert "flavor" not in place  # ratings are derived from reviews, which Yelp's terms allow
    assert re.search(r"of \d+ rows", place)
    assert "--withhold" in answer["error"]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_public_edition_holds_no_forbidden_value_and_all_pointers(lawful, family):
    whole, public = (Path(lawful[3][family][key]) for key in ("path", "public"))
    said = json.loads((public / "manifest.json").read_text())
    assert said["withheld"]["completes_to"] == whole.name
    told = texts_of(public)
    places = {"itinbench": "itinbench_place", "tripcraft": "tripcraft_restaurant", "grouptravel": "group_poi"}[family]
    for row in pq.read_table(whole / f"{places}.parquet").to_pylist():
        assert row["source_rows"][0] in told
        assert json.dumps(row["name"], ensure_ascii=False) not in told
        assert f"{row['lat']}" not in told
    table = pq.read_table(public / f"{places}.parquet")
    assert table["name"].null_count == table.num_rows == table.num_rows - table["withheld_hash"].null_count
    assert "Yelp" in (public / "README.md").read_text()


def test_no_picture_names_or_shows_the_places_that_an_edition_withholds(lawful, tmp_path):
    """A map lists the names of a witness's tour below it, and shows each place where it lies."""
    whole, public = (Path(lawful[3]["itinbench"][key]) for key in ("path", "public"))
    assert [*whole.rglob("*.png")] and "](record/maps/" in (whole / "README.md").read_text()
    assert [*public.rglob("*.png")] == [] and "](record/maps/" not in (public / "README.md").read_text()
    copy = shutil.copytree(public, tmp_path / "public")
    shutil.copytree(whole / "record" / "maps", copy / "record" / "maps", dirs_exist_ok=True)
    code, sent = command("publish", copy, tmp_path / "out", "--yes", home=lawful[0])
    assert code == 0 and [name for name in sent["files"] if name.endswith(".png")] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_nobody_is_named_in_a_release_an_edition_an_export_a_page_or_an_audit(lawful, tmp_path, family):
    home, recipe, _, built = lawful
    assert any(PERSON in p.read_text(errors="replace") for p in recipe.parent.rglob("*.json"))
    command("export", built[family]["version"], tmp_path / "export", "--format", family, home=home)
    code, audited = command("audit", "--release", built[family]["version"], home=home)
    assert code == 0, audited
    task = pq.read_table(Path(built[family]["path"]) / "tasks.parquet")["task_id"][0].as_py()
    tree = json.dumps(command("audit", task, home=home)[1])
    assert '"raw"' in tree
    for text in (*(texts_of(Path(built[family][key])) for key in ("path", "public")), texts_of(tmp_path), tree):
        assert text
        assert PERSON not in text


@pytest.mark.parametrize("family", FAMILIES)
def test_an_edition_says_what_it_holds_and_what_its_own_recipe_does(lawful, family):
    home = Home(str(lawful[0]))
    assert audit_release(open_release(Path(lawful[3][family]["public"])), home.snapshots).problems == []


def test_an_edition_s_description_and_title_cannot_be_edited(lawful, tmp_path):
    home, public = Home(str(lawful[0])), Path(lawful[3]["itinbench"]["public"])
    described = (
        (public / "croissant.json").read_bytes().replace(b"Yelp", b"Nobody").replace(b"certified", b"verified", 1)
    )
    copy = shutil.copytree(public, tmp_path / "described")
    (told,) = audit_release(open_release(sealed(copy, {"croissant.json": described})), home.snapshots).problems
    assert told.startswith("croissant.json: is not what the manifest says")
    copy = shutil.copytree(public, tmp_path / "titled")
    sealed(copy, None, lambda manifest: manifest["cities"][0].update(name="Philadelphia"))
    problems = audit_release(open_release(copy), home.snapshots).problems
    assert any("says cities" in problem and "its recipe makes it" in problem for problem in problems)


OF_THE_WHOLE = ("measures", "facts", "promises", "withheld/completes_to", "withheld/files")
"""What rests on values that an edition has not: who completes it finds it."""


def test_whatever_else_an_edition_says_is_named_if_it_is_otherwise(lawful, tmp_path, monkeypatch):
    home = Home(str(lawful[0]))
    folder = shutil.copytree(
        lawful[3]["itinbench"]["public"], tmp_path / "edited", ignore=shutil.ignore_patterns("record")
    )
    monkeypatch.setattr(audit, "texts_otherwise", lambda *_: [])  # made anew by whoever edits
    look, flaws_by_words = audit.files_otherwise, dict[str, Any]()

    def looked_at(release, tables):
        """Look at the files once for all leaves that nothing of them rests on."""
        words = release.manifest.model_dump_json(
            include={"family", "files", "format", "canary", "settings", "withheld"}
        )
        if words not in flaws_by_words:
            flaws_by_words[words] = look(release, tables)
        return flaws_by_words[words]

    monkeypatch.setattr(audit, "files_otherwise", looked_at)

    def problems(release, _):
        if release.manifest.withheld is None:
            yield ["is judged as a whole release"]
        yield audit_release(release, home.snapshots).problems

    assert unnamed(folder, OF_THE_WHOLE, problems) == []


def test_an_edition_that_was_changed_is_not_completed(lawful, tmp_path):
    public = shutil.copytree(lawful[3]["itinbench"]["public"], tmp_path / "public")
    (public / "complete" / "recipe.toml").write_text("name = 'other'\n")
    code, answer = command("complete", public, home=lawful[0])
    assert code == 1
    assert "recipe.toml: changed since the release" in answer["error"]
    assert "Get it again from where it was published" in answer["error"]


def test_an_edition_whose_rows_were_edited_is_named_when_it_is_completed(lawful, tmp_path):
    """Its hashes, card and manifest are made anew; what the whole release is said to be is left as it is."""

    def of_fewer(rows):
        return [{**row, "source_rows": row["source_rows"][:1]} for row in rows]

    public = Path(lawful[3]["itinbench"]["public"])
    edition = described_anew(edited(public, tmp_path, {"itinbench_place": of_fewer}))
    code, answer = command("complete", edition, home=lawful[0])
    assert code == 1
    assert "itinbench_place.parquet" in answer["error"].partition(": ")[2].partition(": not as the edition")[0]
    assert lawful[3]["itinbench"]["version"] in answer["error"]
    code, answer = command("complete", public, home=lawful[0])
    assert (code, answer["version"]) == (0, lawful[3]["itinbench"]["version"])


def test_a_build_says_where_the_public_edition_is(lawful):
    home, recipe, _, built = lawful
    words = ["build", str(recipe), "--public", "--withhold", "--home", str(home)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    for family in FAMILIES:
        assert f"its public edition: {built[family]['public']}" in done.output


@pytest.mark.parametrize(
    "words",
    [("score", "witness"), ("run", "--planner", "greedy"), ("export", "there", "--format", "itinbench"),
     ("review", "sheet.csv"), ("report",), ("tools", "--list"), ("calibrate", "run.jsonl"),
     ("judge", "run.jsonl", "--ratings", "ratings.jsonl"), ("extract-plans", "texts.jsonl", "plans.jsonl")],
    ids=lambda words: words[0],
)  # fmt: skip
def test_what_needs_withheld_values_is_refused_of_a_public_edition(lawful, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    home, built = lawful[0], lawful[3]["itinbench"]
    code, answer = command(words[0], built["public"], *words[1:], home=home)
    assert code == 1, answer
    assert f"is the public edition of {built['version']}: values of " in answer["error"]
    assert "`tripwright complete`" in answer["error"]
    assert list(tmp_path.iterdir()) == []


def test_an_edition_that_would_say_withheld_names_of_what_is_retired_is_not_made():
    retired = [{"task_id": name, "city_id": "us-x", "reason": f"{name} is gone"} for name in NAMES[:3]]
    none = {f"{name}.parquet": (Task, pa.table({"task_id": []}), {}) for name in ("tasks", "certificates")}
    _require_said_once(manifest(), FILES, none, {"shop.parquet": YELP})
    with pytest.raises(NotShareableError, match=r"manifest\.json retired/\[\]/reason: says 3 values again"):
        _require_said_once(manifest(retired=retired), FILES, none, {"shop.parquet": YELP})


def test_a_release_of_shareable_sources_is_public_as_it_is(small_world):
    code, built = command("build", small_world.recipe, "--public", home=small_world.home)
    assert code == 0
    assert all(release["public"] == release["path"] for release in built["releases"])


def test_a_whole_release_that_calls_itself_a_public_edition_is_named_and_not_published(lawful, tmp_path):
    """Its manifest says what the honest edition's says; only its tables hold what the edition lacks."""
    whole, public = (Path(lawful[3]["itinbench"][key]) for key in ("path", "public"))
    copy = shutil.copytree(whole, tmp_path / "copy", ignore=shutil.ignore_patterns("record"))
    shutil.copytree(public / "complete", copy / "complete")
    manifest = json.loads((public / "manifest.json").read_text())
    manifest["withheld"]["cells"] = {}
    manifest["files"] = json.loads((whole / "manifest.json").read_text())["files"]
    (copy / "without_solution.jsonl").unlink()
    manifest["files"] = [file for file in manifest["files"] if file["path"] != "without_solution.jsonl"]
    manifest["files"] += [{"path": f"complete/{path.name}"} for path in (copy / "complete").iterdir()]
    (copy / "manifest.json").write_text(json.dumps(manifest))
    described_anew(sealed(copy))
    home = lawful[0]
    code, audited = command("audit", "--release", copy, home=home)
    places = pq.read_table(copy / "itinbench_place.parquet").num_rows
    assert code == 1
    assert (
        f"itinbench_place.parquet: holds {places} values of name that its sources' licences forbid to share"
        in (audited["problems"])
    )
    code, sent = command("publish", copy, tmp_path / "out", "--yes", home=home)
    assert code == 1 and "not published; it holds what may not be shared" in sent["error"]
    assert not (tmp_path / "out").exists()
    code, sent = command("publish", public, tmp_path / "out", "--yes", home=home)
    assert code == 0, sent
