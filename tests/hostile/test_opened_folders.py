"""Published folders with values that no table holds: `open` names file, line and field, and keeps nothing."""

from __future__ import annotations

import json
import os
import re
import shutil

import pytest

from tests.published_folders import FOLDERS
from tests.recipes import command

HUGE, HALF = "1" + "0" * 400, r"\ud800"
PAIR, LARGE = "found half of a surrogate pair", "expected a number of at most 64 bits"
EVALS, QUERIES, HOTELS = "evals.jsonl", "humanQuerys.jsonl", "hotels.jsonl"
GROUPS, POIS = "datas/test.jsonl", "poi2category/all_poi_by_city.json"
THREE, SETS = "annotation_3day.jsonl", "train_ref_info.jsonl"
BUDGET = '"avg_budget":[ ]*[0-9]+'
WITNESS = {
    "itinbench": ("witnesses.jsonl", '{"index": 3, "task_id": "a", "plan": {"itinerary": [VALUE]}}', "itinerary[0]"),
    "grouptravel": ("witness.jsonl", '{"task_id": "t1", "plan": {"days": [VALUE]}}', "days[0]"),
}

CHANGED = (
    ("itinbench", (HOTELS,), '"address": "', f'"address": "{HALF}', f"{HOTELS}, line 1: address: {PAIR}"),
    ("itinbench", (HOTELS,), '"stars": [^,]+', f'"stars": {HUGE}', f"{HOTELS}, line 1: stars: found 1000"),
    ("itinbench", (HOTELS,), '"latitude": [0-9.-]+', '"latitude": 1e999', f"{HOTELS}, row 1: found lat inf"),
    ("itinbench", (QUERIES,), '"Query 3', f'"{HALF} Query 3', f"{QUERIES}, line 1: query: {PAIR}"),
    ("itinbench", (QUERIES, EVALS), '"index": 3', f'"index": {HUGE}', f"{EVALS}, line 1: index: found 1000"),
    ("itinbench", (QUERIES, EVALS), '"index": 3', f'"index": "{"9" * 20}"', f"{EVALS}: 1 index other than numbers"),
    ("itinbench", (QUERIES, EVALS), '"index": 3', f'"index": "{"9" * 5_000}"', f"{EVALS}: 1 index other than numbers"),
    ("itinbench", (QUERIES, EVALS), '"index": 3', r'"index": "\\u0663"', f"{EVALS}: 1 index other than numbers"),
    ("tripcraft", (THREE,), '"A trip', f'"{HALF} A trip', f"{THREE}, line 1: JSON.query: {PAIR}"),
    ("tripcraft", (THREE,), '"budget": [0-9]+', f'"budget": {HUGE}', f"{THREE}, line 1: JSON.budget: found 1000"),
    ("tripcraft", (THREE,), '"budget": [0-9]+', '"budget": 1e999', f"{THREE}, line 1: budget is inf"),
    ("tripcraft", (THREE,), '"budget": [0-9]+', '"budget": NaN', f"{THREE}, line 1: budget is nan"),
    ("tripcraft", (THREE,), '"budget": [0-9]+', '"budget": 1e300', f"{THREE}, line 1: budget is 1e"),
    ("tripcraft", (THREE,), '"visiting_city_number": 1', '"visiting_city_number": "one"', "city_number is 'one'"),
    ("grouptravel", (GROUPS,), BUDGET, f'"avg_budget": {HUGE}', "global_constraints.avg_budget: fou"),
    ("grouptravel", (GROUPS,), BUDGET, f'"avg_budget": {2**63}', LARGE),
    ("grouptravel", (GROUPS,), BUDGET, '"avg_budget": 1e300', "t1: ValueError: avg_budget is 1e+300"),
    ("grouptravel", (GROUPS,), '"2025-10-06"', '"9999-12-31"', f"{GROUPS} line 1: t1 is no task: "),
    ("grouptravel", (GROUPS,), r'"cities": ?\[[^]]*\]', '"cities": [["Oulu"]]', 'no task: ValueError("found'),
    ("grouptravel", (GROUPS,), r'"cities": ?\[[^]]*\]', '"cities": "Oulu"', 'no task: ValueError("found'),
    ("grouptravel", (GROUPS,), '"A trip', f'"{HALF} A trip', f"line 1: query: {PAIR}"),
    ("grouptravel", (GROUPS,), '"User1"', f'"User{HALF}"', f": {PAIR}"),
    ("grouptravel", (POIS,), '"Oulu"', f'"{HALF}"', f"{POIS}: found half of a surrogate pair in the name of a city"),
)  # fmt: skip


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Return a small published folder of each family, and of TravelPlanner, which is only inspected."""
    place = tmp_path_factory.mktemp("published")
    (place / "travelplanner").mkdir()
    rows = {"Attractions in A": [{"Name": "B", "City": "A"}], "Accommodations in A": [{"NAME": "C", "city": "A"}]}
    (place / "travelplanner" / SETS).write_text(json.dumps(rows) + "\n")
    return {
        **{family: write(place / family)[0] for family, write in FOLDERS.items()},
        "travelplanner": place / "travelplanner",
    }


@pytest.fixture
def copied(folders, tmp_path):
    """Return what copies a family's folder, to be changed."""
    return lambda family: shutil.copytree(folders[family], tmp_path / "folder")


def refused(family, folder, tmp_path) -> str:
    """Return what `open` refuses the folder with; nothing of it is kept."""
    code, told = command("open", family, folder, home=tmp_path / "home")
    assert code == 1, told
    assert not (tmp_path / "home" / "opened").exists()
    return told["error"]


@pytest.mark.parametrize(("family", "names", "old", "new", "told"), CHANGED, ids=range(len(CHANGED)))
def test_a_value_that_no_table_holds_is_named(copied, family, names, old, new, told, tmp_path):
    folder = copied(family)
    for name in names:
        text = (folder / name).read_text()
        assert re.search(old, text)
        (folder / name).write_text(re.sub(old, new.replace(HALF, r"\\ud800"), text, count=1))
    assert told in refused(family, folder, tmp_path)


@pytest.mark.parametrize("family", WITNESS)
@pytest.mark.parametrize(("value", "told"), [(f'"{HALF}"', f": {PAIR}"), (HUGE, f": found {HUGE[:20]}")])
def test_so_is_one_of_a_plan(copied, family, value, told, tmp_path):
    folder = copied(family)
    name, line, where = WITNESS[family]
    (folder / name).write_text(line.replace("VALUE", value) + "\n")
    error = refused(family, folder, tmp_path)
    assert name in error and f"line 1: plan.{where}{told}" in error


@pytest.mark.parametrize("cost", [HUGE, f"-{HUGE}", "1e999", "NaN", '"x"'])
def test_a_place_s_cost_that_is_no_number_is_null(copied, cost, tmp_path):
    folder = copied("grouptravel")
    listed = (folder / POIS).read_text()
    (folder / POIS).write_text(re.sub(r'"avg_cost":[ ]*[0-9.]+', f'"avg_cost": {cost}', listed, count=1))
    code, told = command("open", "grouptravel", folder, home=tmp_path / "home")
    assert code == 0, told
    plans = tmp_path / "plans.jsonl"
    plans.write_text(json.dumps({"task_id": "t1", "plan": {}}) + "\n")
    for variant in ("ours", "paper", "released"):
        code, told_of = command("score", told["version"], plans, "--variant", variant, home=tmp_path / "home")
        assert code == 0, told_of


@pytest.mark.parametrize(
    ("family", "name"),
    [("itinbench", "witnesses.jsonl"), ("tripcraft", "database/flights.csv"), ("grouptravel", "witness.jsonl")],
)
def test_a_file_that_is_larger_than_any_published_one_is_not_read(copied, family, name, tmp_path):
    folder = copied(family)
    with (folder / name).open("ab") as stream:
        os.truncate(stream.fileno(), 60_000_000_000)  # a file of holes
    assert f"{name}: has 60,000,000,000 bytes, expected at most 1,000,000,000" in refused(family, folder, tmp_path)


@pytest.mark.parametrize("family", FOLDERS)
def test_a_link_to_a_file_is_the_file_and_one_to_a_folder_the_folder(copied, family, tmp_path):
    """As a cache of the Hugging Face Hub lays its files out."""
    folder, blobs = copied(family), tmp_path / "blobs"
    told = command("open", family, folder, home=tmp_path / "home"), command("inspect", family, folder, home=tmp_path)
    blobs.mkdir()
    for number, path in enumerate(sorted(path for path in folder.rglob("*") if path.is_file())):
        path.rename(blobs / str(number))
        path.symlink_to(blobs / str(number))
    for path in [path for path in folder.iterdir() if path.is_dir()]:
        path.rename(blobs / path.name)
        path.symlink_to(blobs / path.name)
    again = command("open", family, folder, home=tmp_path / "home"), command("inspect", family, folder, home=tmp_path)
    assert (told[0][0], told[0][1]["version"], told[1]) == (0, again[0][1]["version"], again[1])


NO_LINES = (b"\x80\xff", b"[]", b"null", b"1", b"{", b"\0", b"{}", b'{"a": ' + b"[" * 5_000, b"\xff\xfe{\0}\0")
"""Lines that are no object of any published file."""

LINES = (
    ("itinbench", HOTELS),
    ("tripcraft", THREE),
    ("grouptravel", GROUPS),
    ("travelplanner", SETS),
)


@pytest.mark.parametrize(("benchmark", "name"), LINES)
def test_no_inspection_passes_over_a_line_that_it_cannot_read(copied, benchmark, name, tmp_path):
    folder = copied(benchmark)
    honest = (folder / name).read_bytes()
    assert command("inspect", benchmark, folder, home=tmp_path)[0] == 0
    for line in NO_LINES:
        (folder / name).write_bytes(honest + line + b"\n")
        code, told = command("inspect", benchmark, folder, home=tmp_path)
        assert (code, [*told]) == (1, ["error"]), line
        assert name in told["error"] and f"line {len(honest.splitlines()) + 1}: " in told["error"], told


ODD = ("null", "7", "3.0", "1e999", "true", "[]", "{}", "[[1]]", "[{}]", '{"a": 1}', '["a"]', '"x"', '"9"')
FIELDS = (
    ("itinbench", EVALS, "index", *("eval_info/" + key for key in ("day", "cuisine", "hotel", "preference_count"))),
    ("tripcraft", THREE, *("JSON/" + key for key in ("org", "dest", "days", "date", "budget", "local_constraint")),
     *(f"JSON/local_constraint/{key}" for key in ("cuisine", "event", "attraction", "room type")), "plan"),
    ("grouptravel", GROUPS, *("metadata/" + key for key in ("date", "cities", "compromise_pattern")), "task_id"),
    ("grouptravel", POIS, "Oulu", "Oulu/1/name", "Oulu/1/poi_type", "Oulu/1/location"),
    ("travelplanner", SETS, *(f"Attractions in A/0/{key}" for key in ("Name", "City", "Address")), "Attractions in A"),
    ("travelplanner", SETS, *(f"Accommodations in A/0/{key}" for key in ("NAME", "city", "minimum nights"))),
)  # fmt: skip


@pytest.mark.parametrize(("family", "name", "field"), [(f, n, field) for f, n, *fields in FIELDS for field in fields])
def test_a_value_of_another_type_is_no_fault_of_an_inspection(copied, family, name, field, tmp_path):
    folder = copied(family)
    whole = (folder / name).read_text()
    first, *others = whole.splitlines() if name.endswith("l") else [whole]
    for odd in ODD:
        row = value = json.loads(first)
        *way, key = field.split("/")
        for step in way:
            value = value[int(step) if isinstance(value, list) else step]
        value[key] = json.loads(odd)
        (folder / name).write_text("\n".join([json.dumps(row), *others]))
        code, told = command("inspect", family, folder, home=tmp_path)
        assert code in (0, 1), (odd, told)


ABSENT = (("tripcraft", THREE), ("itinbench", "witnesses.jsonl"), ("grouptravel", "witness.jsonl"),
          ("itinbench", HOTELS), ("grouptravel", GROUPS), ("grouptravel", POIS),
          ("travelplanner", SETS))  # fmt: skip
"""Files that a folder may lack, or not."""


@pytest.mark.parametrize("verb", ["open", "inspect"])
@pytest.mark.parametrize(("family", "name"), ABSENT)
def test_what_is_there_and_is_no_file_is_not_absent(copied, verb, family, name, tmp_path):
    if (verb == "inspect" and "witness" in name) or (verb == "open" and family not in FOLDERS):
        return  # an inspection reads none, or nothing opens it
    folder = copied(family)
    (folder / name).unlink(missing_ok=True)
    for make, told in (
        (lambda path: path.mkdir(), "found a folder; expected a file"),
        (
            lambda path: path.rmdir() or path.symlink_to("nowhere"),
            "found a link that leads to no file; expected a file",
        ),
        (lambda path: path.unlink() or path.symlink_to(path.name), "found a link that leads to no file"),
        (lambda path: path.unlink() or os.mkfifo(path), "found what is no file; expected a file"),
    ):
        make(folder / name)
        code, answer = command(verb, family, folder, home=tmp_path / "home")
        assert (code, f"{name}: {told}" in answer["error"]) == (1, True), answer
        assert not (tmp_path / "home" / "opened").exists()
