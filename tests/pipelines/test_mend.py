"""`tripwright mend`: an opened folder's tasks as a recipe that builds; what has none is told."""

from __future__ import annotations

import datetime as dt
import json
import shutil
import tomllib
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from assets.families import families
from assets.release.audit_slots import empty_slots_otherwise
from assets.release.audit_words import repairs_otherwise
from assets.release.exporting import release_tables
from assets.release.reading import open_release, unverified_release
from pipelines.walk.recipes import load_recipe
from tests.promises.editing import Rows, described_anew, edited, sealed
from tests.published_folders import FOLDERS
from tests.recipes import command

WORLD = """
name = "world"
seed = 7

[sources.openflights]
airports = "../airports.dat"

[invented]
providers = ["tripadvisor", "airbnb", "events"]
scale = 0.5

[[cities]]
city_id = "xx-e-amble"
name = "Amble"
region = "Eastfold"
country = "XX"
box = { south = 1.0, west = 1.0, north = 1.1, east = 1.1 }

[cities.sources.gtfs]
feed = ["../feeds/a.zip"]
url = { feed = "https://example.org/a.zip" }

[families.tripcraft]
tasks = { 3 = 30 }
baseline_at_most = { hard = 0.3 }
first_date = 2024-11-01
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """Return a home with two small published folders opened, and what `open` said of each by family."""
    place = tmp_path_factory.mktemp("mended")
    opened = {}
    for family in ("itinbench", "tripcraft"):
        folder, _ = FOLDERS[family](place / family)
        queries = folder / "humanQuerys.jsonl"
        if queries.is_file():  # what TOML spells otherwise than JSON
            first, *rest = queries.read_text().splitlines()
            asked = json.loads(first)
            first = json.dumps(asked | {"query": f"{asked['query']} 🏨 \x7f\u0085"})
            queries.write_text("\n".join([first, *rest]) + "\n")
        code, told = command("open", family, folder, home=place / "home")
        assert code == 0, told
        opened[family] = (folder, told)
    return place / "home", opened


def test_the_recipe_asks_what_the_folder_asks_of_its_own_files(shelf, tmp_path):
    home, opened = shelf
    folder, told = opened["itinbench"]
    written = tmp_path / "mended.toml"
    code, said = command("mend", told["version"], written, home=home)
    assert (code, said) == (0, {"recipe": str(written)})
    recipe = tomllib.loads(written.read_text(encoding="utf-8"))
    queries = [json.loads(line)["query"] for line in (folder / "humanQuerys.jsonl").read_text().splitlines()]
    section = recipe["families"]["itinbench"]
    assert [task["query"] for task in section["asked"]] == queries
    assert section["tasks_per_city"] == len(queries)
    for role, path in recipe["sources"]["published"].items():
        assert (tmp_path / path).read_bytes() == (folder / f"{role}.jsonl").read_bytes()
    loaded = load_recipe(written, families())
    assert len(loaded.sections["itinbench"].model_dump()["asked"]) == len(queries)


def test_a_recipe_that_is_there_is_not_written_over(shelf, tmp_path):
    home, opened = shelf
    there = tmp_path / "mine.toml"
    there.write_text("mine")
    code, told = command("mend", opened["itinbench"][1]["version"], there, home=home)
    assert code == 1
    assert "is there already" in told["error"]
    assert there.read_text() == "mine"


def test_a_file_that_no_recipe_can_be_named_after_is_told(shelf, tmp_path):
    home, opened = shelf
    code, told = command("mend", opened["itinbench"][1]["version"], tmp_path / "My Town.toml", home=home)
    assert (code, "My Town.toml: the recipe is named after its file" in told["error"]) == (1, True), told
    assert not list(tmp_path.iterdir())


def test_a_form_that_says_too_little_asks_for_a_world_and_nothing_is_written(shelf, tmp_path):
    home, opened = shelf
    code, told = command("mend", opened["tripcraft"][1]["version"], tmp_path / "t.toml", home=home)
    assert code == 1
    assert "does not say where every place lies" in told["error"]
    assert "--world RECIPE" in told["error"]
    assert not (tmp_path / "t.toml").exists()


def test_a_set_in_the_world_of_a_recipe_has_its_cities_its_files_from_where_it_stands_and_its_keys(shelf, tmp_path):
    home, opened = shelf
    folder, told = opened["tripcraft"]
    world = tmp_path / "worlds" / "world.toml"
    world.parent.mkdir()
    feed = tmp_path / "feeds" / "a.zip"
    world.write_text(WORLD)
    written = tmp_path / "mended.toml"
    code, said = command("mend", told["version"], written, "--world", world, home=home)
    assert (code, said) == (0, {"recipe": str(written)})
    recipe = tomllib.loads(written.read_text(encoding="utf-8"))
    assert (tmp_path / recipe["cities"][0]["sources"]["gtfs"]["feed"][0]).resolve() == feed.resolve()
    assert (tmp_path / recipe["sources"]["openflights"]["airports"]).resolve() == (tmp_path / "airports.dat").resolve()
    given = tomllib.loads(WORLD)
    assert [{**city, "sources": {}} for city in recipe["cities"]] == [
        {**city, "sources": {}} for city in given["cities"]
    ]
    assert recipe["cities"][0]["sources"]["gtfs"]["url"] == {"feed": "https://example.org/a.zip"}
    assert (recipe["name"], recipe["seed"], recipe["invented"]) == ("mended", 0, given["invented"])
    section = recipe["families"].pop("tripcraft")
    assert recipe["families"] == {}
    queries = [json.loads((folder / f"annotation_{days}day.jsonl").read_text())["JSON"] for days in (3, 5, 7)]
    assert [task["query"] for task in section["asked"]] == [query["query"] for query in queries]
    assert {key: value for key, value in section.items() if key[:5] != "asked"} == {"first_date": dt.date(2024, 11, 1)}
    loaded = load_recipe(written, families())
    assert len(loaded.sections["tripcraft"].model_dump()["asked"]) == 3


def test_a_world_without_the_family_is_refused(shelf, tmp_path):
    home, opened = shelf
    world = tmp_path / "world.toml"
    world.write_text(WORLD.partition("[families.tripcraft]")[0] + "[families.itinbench]\ntasks_per_city = 1\n")
    code, told = command("mend", opened["tripcraft"][1]["version"], tmp_path / "t.toml", "--world", world, home=home)
    assert code == 1
    assert "found no [families.tripcraft]" in told["error"]
    assert not (tmp_path / "t.toml").exists()


def test_an_exported_set_is_rebuilt_in_its_world_and_every_task_is_kept_mended_or_retired(small_world, tmp_path):
    """The small recipe's own export with one budget gone, one cuisine nobody serves, and one origin elsewhere."""
    home, folder = tmp_path / "home", tmp_path / "exported"
    shutil.copytree(small_world.home, home)
    code, told = command("export", small_world.releases["tripcraft"].name, folder, "--format", "tripcraft", home=home)
    assert code == 0, told
    lines = (folder / "annotation_3day.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    poor, hungry, lost, kept = (row["JSON"] for row in rows)
    poor["budget"] = 1
    hungry["local_constraint"]["cuisine"] = ["Atlantean"]
    lost["org"] = "Farland"
    (folder / "annotation_3day.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with (folder / "database" / "cities.csv").open("a", encoding="utf-8") as cities:
        cities.write("Farland,FL,US\n")
    code, opened = command("open", "tripcraft", folder, home=home)
    assert code == 0, opened
    world, mended = tmp_path / "small.toml", tmp_path / "mended.toml"
    shutil.copyfile(small_world.recipe, world)
    code, told = command("mend", opened["version"], mended, "--world", world, home=home)
    assert code == 0, told
    code, built = command("build", mended, home=home)
    assert code == 0, built
    (release,) = built["releases"]
    assert (release["family"], release["tasks"], release["certified"]) == ("tripcraft", 3, 3)
    tasks = pq.read_table(Path(release["path"]) / "tasks.parquet").to_pylist()
    by_id = {task["drawn"]["published_id"]: task for task in tasks}
    first, second, _, last = (row["task_id"] for row in rows)
    assert set(by_id) == {first, second, last}
    fields = {task_id: [edit["field"] for edit in task["repairs"]] for task_id, task in by_id.items()}
    assert fields == {first: ["budget", "query"], second: ["constraints/cuisine", "query"], last: []}
    assert by_id[first]["repairs"][0]["before"] == "1"
    assert by_id[first]["drawn"]["why"].startswith("T9: ")
    assert by_id[second]["drawn"]["why"] == "T8: no Atlantean food"
    assert by_id[last]["query"] == kept["query"]
    rejected = pq.read_table(Path(release["path"]) / "rejections.parquet").to_pylist()
    retired = [row["detail"] for row in rejected if "retired" in row["detail"]]
    assert retired == ["retired: the origin 'Farland' is no city of the recipe"]
    opened_release = open_release(Path(release["path"]))
    measures = opened_release.manifest.measures
    became = [{"became": "kept", "tasks": 1}, {"became": "mended", "tasks": 2}, {"became": "retired", "tasks": 1}]
    assert measures["published_tasks"] == became
    assert measures["mended_fields"] == [{"field": name, "tasks": 1} for name in ("budget", "constraints/cuisine")]
    told_of = [by_id[name]["task_id"] for name in (first, second)]
    assert said_of_repairs(opened_release.folder) == []
    for change, words in FORGED:
        forged = edited(opened_release.folder, tmp_path / change.__name__, {"tasks": change})
        problems = said_of_repairs(forged)
        assert {problem.partition(": ")[0] for problem in problems} >= set(told_of), words
        assert [problem for problem in problems if words not in problem] == []

    for change, words in FORGED_REJECTIONS:
        forged = edited(opened_release.folder, tmp_path / f"{change.__name__} {words[:9]}", {"rejections": change})
        assert [problem for problem in said_of_empty_slots(forged) if words in problem], words
    assert said_of_empty_slots(opened_release.folder) == []

    assert opened_release.manifest.counts["left_out"] == 0
    told_of_tasks_left_out(home, mended, opened["version"], tmp_path)


def told_of_tasks_left_out(home: Path, mended: Path, version: str, folder: Path) -> None:
    """Hold that who takes a task out of a mended recipe is told of, and who hides or eases one is refused."""
    text = mended.read_text(encoding="utf-8")
    (gone,) = [line for line in text.splitlines() if "Farland" in line]
    mended.write_text(text.replace(f"{gone}\n", ""), encoding="utf-8")
    code, built = command("build", mended, home=home)
    assert code == 0, built
    release = open_release(Path(built["releases"][0]["path"]))
    assert release.manifest.counts["left_out"] == 1
    card = (release.folder / "README.md").read_text()
    assert "Of the 4 tasks of a published set it asks 3, and leaves out 1." in card
    code, audited = command("audit", "--release", release.version, home=home)
    assert (code, audited["problems"]) == (0, []), audited

    def says_less(manifest: dict) -> None:
        manifest["section"]["asked_of"]["tasks"] = 3
        manifest["counts"]["left_out"] = 0

    forged = described_anew(sealed(edited(release.folder, folder / "fewer", {}), change=says_less))
    code, audited = command("audit", "--release", forged, home=home)
    assert code == 1
    says = f"section: `asked_of` says 3 tasks; the published set {version} has 4"
    assert audited["problems"] == [says]
    shutil.move(home / "opened", home / "moved")
    code, audited = command("audit", "--release", forged, home=home)
    assert (code, audited["problems"]) == (0, [])
    assert any("that it asks 3 of the 3 tasks of a published set" in one for one in audited["terms_by_recipe"])
    shutil.move(home / "moved", home / "opened")
    told_of_a_forged_set(home, release.version, version, folder)
    easier = text.replace("budget = 1,", "budget = 90000,").replace("tasks = 4 }", "tasks = 3 }")
    mended.write_text(easier, encoding="utf-8")
    code, told = command("build", mended, home=home)
    assert code == 1, told
    assert says not in told["error"]  # a section of more tasks than its set has is refused as it is read
    assert "`asked` has 4 tasks, and the published set only 3" in told["error"]
    mended.write_text(easier.replace("tasks = 3 }", "tasks = 4 }"), encoding="utf-8")
    code, told = command("build", mended, home=home)
    assert (code, "`asked` has 1 task that the published set" in told["error"]) == (1, True), told
    mended.write_text("".join(line for line in text.splitlines(keepends=True) if "asked_of" not in line))
    code, told = command("build", mended, home=home)
    assert (code, "`asked` without `asked_of`" in told["error"]) == (1, True), told


def told_of_a_forged_set(home: Path, version: str, set_version: str, folder: Path) -> None:
    """Hold that an opened set that says another's hash is no such set, and hides none that is."""
    (honest,) = (home / "opened").rglob(set_version)

    def easier(rows: Rows) -> Rows:
        return [{**row, "query": "Anything goes."} for row in rows]

    forged = edited(honest, folder / "set", {"tasks": easier})
    shutil.move(forged, honest.with_name(unverified_release(forged).version))
    assert command("audit", "--release", version, home=home)[0] == 0
    shutil.move(honest, folder / "aside")
    code, audited = command("audit", "--release", version, home=home)
    assert (code, ["opened again, give another release" in one for one in audited["problems"]]) == (1, [True]), audited
    shutil.move(folder / "aside", honest)


def said_of_repairs(folder: Path) -> list[str]:
    """Return what an audit says of how tasks are said to have been repaired."""
    release = open_release(folder)
    return list(repairs_otherwise(release.manifest, families()[release.manifest.family], release_tables(release)))


def said_of_empty_slots(folder: Path) -> list[str]:
    """Return what an audit says of slots without a task."""
    release = open_release(folder)
    family = families()[release.manifest.family]
    return list(empty_slots_otherwise(release, family, release_tables(release)))


def retired_elsewhere(rows: Rows) -> Rows:
    """Say of no slot's task that it is retired."""
    return [{**row, "row": "tripcraft.us-mended.00009"} if row["reason"] == "retired" else row for row in rows]


def retired_and_kept(rows: Rows) -> Rows:
    """Say of a task that it is retired."""
    return [
        {**row, "row": f"{row['row'][:-5]}00000" if not row["row"].endswith("00000") else f"{row['row'][:-5]}00001"}
        if row["reason"] == "retired"
        else row
        for row in rows
    ]


FORGED_REJECTIONS = (
    (retired_elsewhere, "is a slot without a task, and no rejection says why"),
    (retired_elsewhere, "is no slot of the section"),
    (retired_and_kept, "is a task"),
)


def all_kept(rows: Rows) -> Rows:
    """Say of every task that it is as published."""
    return [{**row, "repairs": [], "drawn": {**row["drawn"], "edits": 0, "why": ""}} for row in rows]


def no_edits(rows: Rows) -> Rows:
    """Say of every task that none of its fields was changed, whatever its repairs say."""
    return [{**row, "drawn": {**row["drawn"], "edits": 0}} for row in rows]


def another_s(rows: Rows) -> Rows:
    """Say of every task that it is another of the published set."""
    ids = [row["drawn"]["published_id"] for row in rows]
    return [{**row, "drawn": {**row["drawn"], "published_id": ids[n - 1]}} for n, row in enumerate(rows)]


FORGED = (
    (all_kept, "its repairs are not what tells it from what was drawn"),
    (no_edits, "says 0 edits, found "),
    (another_s, "it is said to be"),
)


def test_a_release_of_ours_is_not_mended(small_world, tmp_path):
    code, told = command("mend", small_world.releases["itinbench"], tmp_path / "t.toml", home=small_world.home)
    assert code == 1
    assert "is a release of ours" in told["error"]
