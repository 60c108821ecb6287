"""Published folders opened: read-only releases by content, scored as published, never passed on as ours."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from assets.families import families
from assets.promises.gate import gate
from assets.release.page.data import family_page
from assets.release.reading import ReleaseError, open_release
from assets.tripcraft.variants import PUBLISHED_DENOMINATORS
from pipelines.housekeeping import collect_garbage
from tests.promises.editing import edited
from tests.published_folders import FOLDERS, INDEXES
from tests.recipes import command, lines_of
from warehouse.home import Home


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """Return a home with the three small folders opened, and by family: the folder, plans for it, and the answer."""
    place = tmp_path_factory.mktemp("opened")
    found = {}
    for family, write in FOLDERS.items():
        folder, plans = write(place / family)
        code, told = command("open", family, folder, home=place / "home")
        assert code == 0, told
        found[family] = (folder, plans, told)
    return place / "home", found


@pytest.fixture(params=list(FOLDERS))
def family(request):
    """Return each family's name."""
    return request.param


def test_the_release_is_the_folder_s_content(shelf, family, tmp_path):
    home, found = shelf
    folder, _, told = found[family]
    copied = shutil.copytree(folder, tmp_path / "elsewhere")
    assert command("open", family, copied, home=home)[1] == {**told, "is_new": False}
    second = command("open", family, copied, home=tmp_path / "home")[1]
    assert (second["version"], second["is_new"]) == (told["version"], True)
    release = open_release(Path(told["path"]))
    opened = release.manifest.opened
    assert opened is not None
    assert opened.files == told["files"] == {i.location: i.sha256 for i in release.manifest.inputs}
    assert {name: path.read_bytes() for name, path in release.published.items()} == {
        name: (folder / name).read_bytes() for name in opened.files
    }
    changed = next(iter(opened.files))
    (copied / changed).write_bytes((copied / changed).read_bytes().replace(b"\n", b" \n", 1))
    assert command("open", family, copied, home=tmp_path / "home")[1]["version"] != told["version"]


def test_nothing_of_it_is_certified_and_its_licence_is_unknown_unless_declared(shelf, family):
    home, found = shelf
    folder, _, told = found[family]
    manifest = open_release(Path(told["path"])).manifest
    assert (manifest.counts["tasks"], manifest.counts["certified"]) == (told["tasks"], 0)
    assert told["tasks"] == {"itinbench": 2, "tripcraft": 3, "grouptravel": 1}[family]
    assert pq.read_table(Path(told["path"]) / "certificates.parquet").num_rows == 0
    assert [entry["licence_id"] for entry in manifest.licences] == ["LicenseRef-unverified"]
    declared = command("open", family, folder, "--licence", "MIT", "--origin", "https://a.example", home=home)[1]
    stated = open_release(Path(declared["path"])).manifest
    assert [entry["licence_id"] for entry in stated.licences] == ["MIT"]
    assert stated.opened is not None and stated.opened.origin == "https://a.example"
    code, refused = command("open", family, folder, "--licence", "mine", home=home)
    assert (code, "licence 'mine' is not known" in refused["error"]) == (1, True)


def test_every_row_points_at_its_record_in_the_folder(shelf, family):
    _, found = shelf
    release = open_release(Path(found[family][2]["path"]))
    hashes = {snapshot.sha256 for snapshot in release.manifest.inputs}
    pointed = 0
    for name in release.tables():
        rows = release.rows(name)
        for pointers in rows["source_rows"].to_pylist() if "source_rows" in rows.column_names else ():
            assert len(pointers) == 1 and pointers[0].partition("@")[2].partition("#")[0] in hashes
            pointed += 1
    assert pointed >= 9


PERFECT = {
    "itinbench": {"n": 2, "oop": 0, "mi": 0, "macro": 100, "vr": 100},
    "tripcraft": {"delivery_rate": 1, "commonsense_macro": 1, "hard_macro": 1, "final_pass_rate": 1, "ordering": 1},
    "grouptravel": {"tasks": 1, "trials": 1, "pv": 100},
}


@pytest.mark.parametrize("variant", ["ours", "paper", "released"])
def test_plans_are_scored_by_every_variant(shelf, family, variant, tmp_path):
    home, found = shelf
    _, plans, told = found[family]
    code, scores = command("score", told["version"], lines_of(tmp_path / "p", plans), "--variant", variant, home=home)
    assert code == 0, scores
    perfect = dict(PERFECT[family])
    if (family, variant) == ("tripcraft", "released"):
        n = sum(plan[0] for plan in PUBLISHED_DENOMINATORS.values())
        perfect = {"delivery_rate": 3 / n, "commonsense_macro": 0}  # no plan passes Within Current City (T5)
        assert {tuple(plan["failed"]) for plan in scores["plans"]} == {("within_current_city",)}
    assert {name: scores["aggregate"][name] for name in perfect} == pytest.approx(perfect)


def test_texts_are_read_and_the_plans_scored_by_the_folder_s_own_numbers(shelf, tmp_path):
    home, found = shelf
    _, plans, told = found["itinbench"]
    texts = lines_of(tmp_path / "t", [{"index": p["index"], "plan": json.dumps(p["plan"])} for p in plans])
    out = tmp_path / "read.jsonl"
    assert command("extract-plans", told["version"], texts, out, home=home)[1]["plans"] == 2
    named = [json.loads(line)["task_id"] for line in out.read_text().splitlines()]
    assert named == [f"published.{n:05d}" for n in INDEXES]
    code, scores = command("score", told["version"], out, home=home)
    assert (code, scores["aggregate"]["vr"]) == (0, 100)


def test_the_other_commands_take_it_by_its_version(shelf, family, tmp_path):
    home, found = shelf
    _, _, told = found[family]
    version = told["version"]
    code, page = command("report", version, "--out", tmp_path / "p.html", home=home)
    assert (code, page["releases"]) == (0, [version])
    assert command("tools", version, "--list", home=home)[1]["tools"]
    code, same = command("diff", version, version, home=home)
    assert (code, same["same"], same["tasks_kept"]) == (0, True, told["tasks"])
    by_folder = command("inspect", family, Path(told["path"]) / "published", home=home)
    assert command("inspect", family, version, home=home) == by_folder
    assert by_folder[0] == 0


def test_two_folders_are_compared(shelf, tmp_path):
    home, found = shelf
    folder, _, told = found["itinbench"]
    other = shutil.copytree(folder, tmp_path / "other")
    queries = other / "humanQuerys.jsonl"
    queries.write_text(queries.read_text().replace("Query 7", "Question 7"))
    after = command("open", "itinbench", other, home=home)[1]
    code, difference = command("diff", told["version"], after["version"], home=home)
    assert code == 0
    (changed,) = difference["tasks"]["changed"]
    assert (changed["task_id"], [f["field"] for f in changed["fields"]]) == ("published.00007", ["query"])


REFUSED = (
    ("audit", "--release", "VERSION"), ("audit", "TASK", "--release", "VERSION"), ("publish", "VERSION", "OUT"),
    ("complete", "VERSION"), ("review", "VERSION", "OUT"), ("export", "VERSION", "OUT", "--format", "FAMILY"),
)  # fmt: skip


@pytest.mark.parametrize("words", REFUSED, ids=lambda words: " ".join(words))
def test_it_is_never_certified_passed_on_or_exported_as_ours(shelf, family, words, tmp_path):
    home, found = shelf
    told = found[family][2]
    task = pq.read_table(Path(told["path"]) / "tasks.parquet")["task_id"][0].as_py()
    stands = {"VERSION": told["version"], "OUT": tmp_path / "out", "FAMILY": family, "TASK": task}
    code, refused = command(*(stands.get(word, word) for word in words), home=home)
    assert (code, "is a published folder that was opened to be read, not a release of ours" in refused["error"]) == (
        1, True,
    )  # fmt: skip
    assert not (tmp_path / "out").exists()


def test_no_gate_judges_it_and_it_has_no_witnesses(shelf, family):
    home, found = shelf
    told = found[family][2]
    with pytest.raises(ReleaseError, match="cannot be certified"):
        gate(open_release(Path(told["path"])), Home(str(home)).snapshots)
    code, refused = command("score", told["version"], "witness", home=home)
    assert (code, "was opened has no witnesses of ours" in refused["error"]) == (1, True)
    assert ("gold.jsonl" in refused["error"]) is (family == "tripcraft")


def test_the_folder_s_own_plans_are_kept_beside_it(shelf):
    home, found = shelf
    _, plans, told = found["tripcraft"]
    gold = Path(told["path"]) / "gold.jsonl"
    assert [json.loads(line) for line in gold.read_text().splitlines()] == plans
    assert command("score", told["version"], gold, home=home)[1]["aggregate"]["final_pass_rate"] == 1


def test_nothing_is_planned_from_what_the_folder_does_not_say(shelf, tmp_path):
    home, found = shelf
    told = {family: command("score", found[family][2]["version"], "baseline", home=home) for family in FOLDERS}
    assert told["itinbench"][0] == 0
    assert "the folder does not say tripcraft_city.time_zone, tripcraft_restaurant.lat" in told["tripcraft"][1]["error"]
    assert "the greedy planner finds no plan" in told["grouptravel"][1]["error"]
    version = found["tripcraft"][2]["version"]
    for planner, why in (("witness", "no witnesses of ours"), ("greedy", "the folder does not say tripcraft_city")):
        code, refused = command("run", version, "--planner", planner, "--out", tmp_path / planner, home=home)
        assert (code, why in refused["error"]) == (1, True), refused


def test_it_stands_apart_from_our_releases_and_is_not_garbage(shelf):
    home, found = shelf
    kept = Home(str(home))
    assert (kept.releases.find(""), kept.releases.all_latest()) == ([], [])
    unneeded = collect_garbage(kept)
    versions = {told["version"] for _, _, told in found.values()}
    assert not [key for keys in unneeded.keys.values() for key in keys if versions & set(key.split("/"))]


@pytest.mark.parametrize("damaged", ["tasks.parquet", "published", "manifest.json"])
def test_a_damaged_file_of_it_is_named(shelf, family, damaged, tmp_path):
    home, found = shelf
    copied = shutil.copytree(home, tmp_path / "home")
    told = found[family][2]
    release = copied / Path(told["path"]).relative_to(home)
    path = release / damaged if damaged != "published" else release / damaged / next(iter(told["files"]))
    data = path.read_bytes()
    path.write_bytes(
        data.replace(b'"seed": 0', b'"seed": 1') if damaged == "manifest.json" else data[:-9] + b"123456789"
    )
    version = told["version"]
    inspected = [("inspect", name, version) for name in families()[family].inspect]
    others = [
        ("score", version, "witness"),
        ("report", version),
        ("tools", version, "--list"),
        ("diff", version, version),
    ]
    for words in (*others, *inspected):
        code, error = command(*words, home=copied)
        assert code == 1
        assert path.relative_to(release).as_posix() in error["error"], words


NEEDED = {
    "itinbench": ("evals.jsonl", "humanQuerys.jsonl", "hotels.jsonl", "restaurants.jsonl", "attractions.jsonl"),
    "tripcraft": ("database/flights.csv", "database/cities.csv", "database/nearest_stops.csv"),
    "grouptravel": ("datas/test.jsonl", "poi2category/all_poi_by_city.json"),
}


def test_a_folder_that_lacks_files_names_each(shelf, family, tmp_path):
    home, found = shelf
    copied = shutil.copytree(found[family][0], tmp_path / "folder")
    for name in NEEDED[family]:
        (copied / name).unlink()
    code, refused = command("open", family, copied, home=tmp_path / "home")
    assert code == 1
    assert [
        f"{name}: found no such file" for name in NEEDED[family] if f"{name}: found no" not in refused["error"]
    ] == []
    assert not (tmp_path / "home" / "opened").exists()
    assert command("open", family, tmp_path / "nowhere", home=home)[0] == 1


DAMAGED = (
    ("itinbench", "restaurants.jsonl", '"latitude": 40', '"latitude": 400', "restaurants.jsonl, row 1: found lat"),
    ("itinbench", "hotels.jsonl", '"safety": "', '"safety": "X', "hotels.jsonl, row 1: 'X"),
    ("itinbench", "evals.jsonl", '{"index": 3', '{"index": 7', "evals.jsonl: found index 7 2 times"),
    ("itinbench", "evals.jsonl", '"2 day"', '"9 day"', "evals.jsonl, index 3: not a published eval_info"),
    ("itinbench", "humanQuerys.jsonl", "{", "[", "humanQuerys.jsonl, line 1: found no JSON"),
    ("tripcraft", "annotation_3day.jsonl", "{", "[", "annotation_3day.jsonl, line 1: found no JSON"),
    ("tripcraft", "database/flights.csv", "Flight Number", "Number", "database/flights.csv: found no column Flight"),
    ("tripcraft", "annotation_5day.jsonl", '"org": "Harbour"', '"org": "Atlantis"', "-5d: org 'Atlantis' is no city"),
    ("tripcraft", "annotation_3day.jsonl", '"dest": "Amble"', '"dest": "Atlantis"', "-3d: dest 'Atlantis' is no"),
    ("tripcraft", "annotation_7day.jsonl", '"private room"', '"igloo"', "-7d: room_type asks for 'igloo'"),
    ("tripcraft", "annotation_3day.jsonl", '"A trip of 3 days."', '" "', "-3d: found no query text"),
    ("grouptravel", "datas/test.jsonl", "{", "[", "datas/test.jsonl: found no task"),
    ("grouptravel", "datas/test.jsonl", '"2025-10-06"', '"soon"', "datas/test.jsonl line 1: t1 is no task"),
    ("grouptravel", "poi2category/all_poi_by_city.json", "{", "[", "poi2category/all_poi_by_city.json: "),
)


@pytest.mark.parametrize(("family", "name", "old", "new", "told"), DAMAGED, ids=[case[4] for case in DAMAGED])
def test_a_damaged_file_of_the_folder_names_itself(shelf, family, name, old, new, told, tmp_path):
    _, found = shelf
    copied = shutil.copytree(found[family][0], tmp_path / "folder")
    text = (copied / name).read_text()
    assert old in text
    (copied / name).write_text(text.replace(old, new, 1))
    code, refused = command("open", family, copied, home=tmp_path / "home")
    assert (code, told in refused["error"]) == (1, True), refused
    assert not (tmp_path / "home" / "opened").exists()


def test_rows_that_say_too_little_are_left_out_and_told(shelf, tmp_path):
    _, found = shelf
    copied = shutil.copytree(found["tripcraft"][0], tmp_path / "folder")
    stays = copied / "database" / "accommodations.csv"
    stays.write_text(stays.read_text().replace("private_room", "tree_house", 1))
    code, told = command("open", "tripcraft", copied, home=tmp_path / "home")
    assert (code, told["rows_left_out"]) == (0, 2)  # the stay, and the stop that names no place now
    rejected = pq.read_table(Path(told["path"]) / "rejections.parquet").to_pylist()
    assert Counter(row["step"] for row in rejected) == {"tripcraft_stay": 1, "tripcraft_nearest_stop": 1}
    assert any("tree_house" in row["detail"] for row in rejected)


def test_a_place_that_is_nowhere_is_not_drawn(shelf, tmp_path):
    _, found = shelf
    copied = shutil.copytree(found["grouptravel"][0], tmp_path / "folder")
    path = copied / "poi2category" / "all_poi_by_city.json"
    listed = json.loads(path.read_text())
    n_places = sum(map(len, listed.values()))
    del listed["Oulu"][0]["location"]
    path.write_text(json.dumps(listed))
    told = command("open", "grouptravel", copied, home=tmp_path / "home")[1]
    code, page = command("report", told["version"], "--out", tmp_path / "p.html", home=tmp_path / "home")
    assert code == 0, page
    assert len(family_page(open_release(Path(told["path"]))).places) == n_places - 1


def test_released_reads_the_folder_s_own_words_not_our_tables(shelf, tmp_path):
    """A price in JSON is one that the published evaluator can read; Python's spelling of it costs nothing (T7)."""
    _, found = shelf
    folder, plans, _ = found["tripcraft"]
    copied = shutil.copytree(folder, tmp_path / "folder")
    stays = copied / "database" / "accommodations.csv"
    text = re.sub(r"\{'price': '\d+'\}", '{""price"": ""$9000""}', stays.read_text())
    stays.write_text(text)
    told = command("open", "tripcraft", copied, home=tmp_path / "home")[1]
    assert told["rows_left_out"] == 0
    for variant in ("ours", "released"):
        words = ("score", told["version"], lines_of(tmp_path / "p", plans), "--variant", variant)
        scores = command(*words, home=tmp_path / "home")[1]
        assert all("budget" in plan["failed"] for plan in scores["plans"]), variant


def test_a_plan_file_of_another_set_is_refused_by_name(shelf, tmp_path):
    home, found = shelf
    plans = {family: lines_of(tmp_path / family, found[family][1]) for family in FOLDERS}
    other = {
        "itinbench": [{"index": 1, "plan": {}}, *found["itinbench"][1]],
        "tripcraft": [{"task_id": "3d-0099", "plan": []}],
        "grouptravel": [{"task_id": "task_004831", "plan": {}}],
    }
    for family, lacking in (("itinbench", "number 1"), ("tripcraft", "'3d-0099'"), ("grouptravel", "'task_004831'")):
        version = found[family][2]["version"]
        code, refused = command("score", version, lines_of(tmp_path / "other", other[family]), home=home)
        assert (code, f"line 1: found no task {lacking}" in refused["error"]) == (1, True), refused
        assert f"are of another set than {family} {version}" in refused["error"]
        assert command("score", version, plans[family], home=home)[0] == 0
    asked = [{**plan, "query": "Another query."} for plan in found["itinbench"][1]]
    version = found["itinbench"][2]["version"]
    code, refused = command("score", version, lines_of(tmp_path / "asked", asked), home=home)
    assert (code, "line 2: found no task number 7 'Another query.'" in refused["error"]) == (1, True)
    code, refused = command("extract-plans", version, tmp_path / "other", tmp_path / "out", home=home)
    assert (code, (tmp_path / "out").exists()) == (1, False)


ELSEWHERE = {
    "itinbench": lambda plan: plan.replace(" house", " elsewhere"),
    "tripcraft": lambda plan: plan.replace("Table", "Bar").replace("Sight", "View").replace("Rest", "Bed"),
    "grouptravel": lambda plan: plan.replace('"location": "', '"location": "Nowhere '),
}


def test_plans_for_another_city_are_refused_though_their_ids_fit(shelf, family, tmp_path):
    home, found = shelf
    _, plans, told = found[family]
    moved = [{**plan, "plan": json.loads(ELSEWHERE[family](json.dumps(plan["plan"])))} for plan in plans] * 3
    code, refused = command("score", told["version"], lines_of(tmp_path / "p", moved), home=home)
    assert code == 1, refused
    assert "these are plans for other places than those of" in refused["error"]
    some = [*moved[:1], *plans, *plans, *plans]  # a planner may err
    assert command("score", told["version"], lines_of(tmp_path / "p", some), home=home)[0] == 0


def test_a_release_of_an_opened_folder_is_what_its_files_give_again(shelf, family, tmp_path):
    """Who changes a table of it beside the files changes what is scored: opening the files again names the rows."""
    home, found = shelf
    release = open_release(Path(found[family][2]["path"]))
    code, told = command("audit", "--release", release.folder, "--rebuild", home=home)
    assert (code, told["problems"]) == (0, [])
    edit = {"tasks": lambda rows: [{**rows[0], "query": "Plan nothing."}, *rows[1:]]}
    copy = edited(release.folder, tmp_path, edit)
    code, told = command("audit", "--release", copy, "--rebuild", home=home)
    (problem,) = told["problems"]
    assert code == 1 and problem.startswith("tasks.parquet: comes out otherwise in 1 row: ") and "query is" in problem
