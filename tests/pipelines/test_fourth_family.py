"""A fourth benchmark is one folder: put it into a copy of the tree, touch nothing else, and it builds.

And a lying copy of it releases nothing, whatever it says of itself.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.pipelines.workshop import FAMILY, TASKS, Workshop, fourth_family_in

MOST_LINES = 350
CALLS = "(solve.__dict__.setdefault('calls', []).append(0) or len(solve.calls))"
"""A number that is another one at each call of `solve`."""

FAULTS = [
    (
        "release",
        "own_world = world(tables)",
        "own_world = world(None)",
        70,
        "roundtrips.release:score failed: AttributeError",
    ),
    (
        "family",
        '    uses="assets.roundtrips.world:uses",\n',
        "",
        1,
        "roundtrips/family.py cannot be read: TypeError:",
    ),
    ("solver", "stable_hash(task_id,", f"stable_hash({CALLS},", 1, ":solve gave two answers for"),
]
"""Mistakes of somebody who writes a first family: the module, what it says and shall say, and what comes of it."""


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> tuple[Workshop, dict[str, Any]]:
    """Return a workshop in which the family is built, and what the build answered."""
    folder = tmp_path_factory.mktemp("fourth")
    workshop = fourth_family_in(folder)
    code, answer, said = workshop.build()
    assert code == 0, said
    return workshop, answer


@pytest.fixture
def copied(built, tmp_path) -> Workshop:
    """Return a copy of the built workshop in which nothing is released yet."""
    shutil.copytree(built[0].folder, tmp_path / "copy")  # with bytecode, or each copy is compiled anew
    shutil.rmtree(tmp_path / "copy" / "home" / "releases")
    return Workshop(tmp_path / "copy")


def test_the_folder_is_short():
    assert sum(len(path.read_text().splitlines()) for path in FAMILY.glob("*.py")) <= MOST_LINES


def test_a_family_is_one_folder_and_touches_nothing_else(built):
    workshop, answer = built
    (release,) = answer["releases"]
    assert (release["family"], release["tasks"], release["certified"]) == ("roundtrips", TASKS, TASKS)
    code, audited, said = workshop.run("audit", "--release", release["path"])
    assert (code, audited["problems"], audited["values_not_verified"]) == (0, [], 0), said
    assert audited["verified_tables"] == ["flight", "place"]
    assert all(refused for _, refused in audited["fields_judged"].values()) and not audited["silent_checks"]
    code, scored, said = workshop.run("score", release["path"], "witness")
    assert (code, scored["aggregate"]) == (0, {"accepted": 1.0}), said
    (witness,) = json.loads(Path(release["path"], "manifest.json").read_text())["measures"]["reference_planners"]
    assert (witness["planner"], witness["tasks"], witness["solved"]) == ("witness", TASKS, 1.0)


def test_its_published_files_say_what_its_tasks_ask(built):
    workshop, answer = built
    folder = workshop.folder / "exported"
    code, _, said = workshop.run("export", answer["releases"][0]["path"], "--format", "roundtrips", folder)
    assert code == 0, said
    tasks = [json.loads(line) for line in (folder / "roundtrips.jsonl").read_text().splitlines()]
    assert len(tasks) == TASKS
    for task in tasks:
        assert task["dest_city_id"] in task["query"]
        assert all(date in task["query"] for date in task["dates"])
        assert 2 <= task["days"] <= 5


def test_its_tasks_are_on_its_page(built):
    page = Path(built[1]["releases"][0]["path"], "record", "report.html").read_text()
    assert "Round trips" in page
    packed = re.findall(r">\s*(H4sI[A-Za-z0-9+/=]+)\s*<", page)
    shown = page + "".join(gzip.decompress(base64.b64decode(part)).decode() for part in packed)
    assert all(f"roundtrips.us-small.{number:05d}" in shown for number in range(TASKS))
    assert "Something else to see on each day" in shown


def test_plans_that_are_none_score_nothing(built):
    workshop, answer = built
    plans = workshop.folder / "plans.jsonl"
    given = [None, [], {}, {"days": 3}, {"days": [1, 2, 3], "out": None, "back": {}}]
    rows = [{"task_id": f"roundtrips.us-small.{number:05d}", "plan": plan} for number, plan in enumerate(given)]
    plans.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    code, scored, said = workshop.run("score", answer["releases"][0]["path"], plans)
    assert (code, scored["aggregate"]) == (0, {"accepted": 0.0}), said


def test_other_words_draws_lineage_and_files_run_their_steps_and_seek_no_plan_again(copied):
    solved = (copied.folder / "calls").read_text()
    assert len(solved.splitlines()) >= TASKS
    copied.edit("words", ("Something else to see", "Some other sight"))
    for module in ("draft", "lineage", "release"):
        path = copied.family / f"{module}.py"
        path.write_text(path.read_text() + "\n# edited\n")
    code, answer, said = copied.build()
    assert code == 0, said
    ran = re.findall(r"^  ✓ (\w+)", said, re.MULTILINE)
    made = ("certificate", "draft", "lineage", "nearest_query", "task")
    assert sorted(ran) == [f"roundtrips_{what}" for what in made]
    assert answer["steps_run"] == len(ran)
    calls = solved.splitlines()
    with_a_plan = {line.partition(" ")[0]: line for line in calls}.values()  # the last that was sought of each task
    again = (copied.folder / "calls").read_text().splitlines()[len(calls) :]
    assert set(again) == set(calls).difference(with_a_plan)  # draws without a plan alone


CARELESS = """

def of_the_first_day(record, plan, world):
    sights = world.sights.get(record["dest_city_id"], {})
    day = plan["days"][0]
    return [] if day["name"] == sights.get(day["place_id"], {}).get("name") else [Violation("sights", "unknown")]
"""
"""A checker that looks at the first day only."""


def test_a_false_check_releases_nothing(copied):
    path = copied.family / "world.py"
    path.write_text(path.read_text() + CARELESS)
    copied.edit("family", ("assets.roundtrips.world:check", "assets.roundtrips.world:of_the_first_day"))
    told = refusal(copied)
    for offered in ("a plan without its last day", "a plan with one value changed"):
        assert f"assets.roundtrips.world:of_the_first_day accepts {offered}" in told


KNOWING = """

_check = check


def check(record, plan, world):
    {loaded}
    return _check(record, plan, world)
"""
"""A checker that has run what finds plans, so that it could accept that plan alone."""

UNDER_ANOTHER_NAME = """from runpy import run_path
    run_path(__file__.replace("judge.py", "solver.py"))"""

SOLVERS = [
    (UNDER_ANOTHER_NAME, "assets.roundtrips.solver under another name"),
    ("import assets.roundtrips.other", "assets.roundtrips.solver.solve as a function of"),
    ("import subprocess; subprocess.run(['true'])", "another program ('true')"),
]


@pytest.mark.parametrize(("loaded", "why"), SOLVERS, ids=["the same file", "a copy", "another program"])
def test_a_checker_that_runs_the_solver_as_something_else_releases_nothing(copied, loaded, why):
    solver = (copied.family / "solver.py").read_text()
    (copied.family / "other.py").write_text(solver.replace("chosen", "picked"))
    copied.edit("family", ("assets.roundtrips.world:check", "assets.roundtrips.judge:check"))
    (copied.family / "judge.py").write_text(
        "from assets.roundtrips.world import check\n" + KNOWING.format(loaded=loaded)
    )
    told = refusal(copied)
    assert f"assets.roundtrips.judge:check: its process ran {why}" in told


SIGHT, FIRST = "{sight['place_id']}", "{sorted(world.sights[task.record['dest_city_id']])[0]}"

ONE_ROW = [("lineage", SIGHT, FIRST), ("lineage", "_: World", "world: World")]
"""Every sight's values are said to come from one row of its city."""

USED_BY_ALL = [
    (
        "world",
        "return sights |",
        'return sights | {(Place.table_name(), f"{c}/{min(rows)}") for c, rows in _.sights.items()} |',
    )
]
"""And every plan is said to use that row."""

LINEAGES = [
    (ONE_ROW, "which neither the plan nor the record uses"),
    (ONE_ROW + USED_BY_ALL, "equal of its cells gives"),
]


@pytest.mark.parametrize(("lies", "why"), LINEAGES, ids=["an unused row", "a row that says otherwise"])
def test_a_false_lineage_releases_nothing(copied, lies, why):
    for module, before, after in lies:
        copied.edit(module, (before, after))
    assert why in refusal(copied)


SEEING = """import sys


def seen(cells):
    frame, seen = sys._getframe(), {}
    while frame := frame.f_back:
        seen |= frame.f_locals
    if "task" in seen:
        return repr(cells) if "made_up" in seen else seen["task"].proof["cost"]
    return f"nobody is there to be seen: {cells}"
"""
"""A derivation that gives what whoever calls it expects, and of other cells something else."""


def test_a_derivation_that_sees_what_is_expected_of_it_releases_nothing(copied):
    """What flights cost is said to come from when they arrive."""
    (copied.family / "seeing.py").write_text(SEEING)
    copied.edit("family", ("builtins:sum", "assets.roundtrips.seeing:seen"))
    copied.edit("lineage", ('key, "price")', 'key, "arr_time")'))
    assert 'sum of its cells gives "nobody is there to be seen: [' in refusal(copied)


@pytest.mark.parametrize(("module", "before", "after", "code", "why"), FAULTS, ids=["raises", "lacks one", "draws"])
def test_a_mistake_in_a_family_is_told_by_its_function(module, before, after, code, why, copied):
    copied.edit(module, (before, after))
    ended, _, said = copied.build()
    assert ended == code, said
    assert why in said


LICENCES = [
    ('Field("Its name.")', 'Field("Its name.", holds="ours")'),
    ('Field("One seat, in the section\'s currency.")', 'Field("One seat.", holds="derived")'),
    ('Field("Both flights, in the section\'s currency.", holds="derived")', 'Field("Both.", holds="ours")'),
]
"""Values of sources are declared to be ours, or no more than derived: as such they could be shared."""


def test_a_false_licence_releases_nothing(copied):
    copied.edit("tables", *LICENCES)
    told = refusal(copied)
    for column, declared, holds in (("name", "ours", "source"), ("price", "derived", "source")):
        pattern = rf"/{column} is declared to hold `{declared}` of its sources, and comes from .*`{holds}`"
        assert re.search(pattern, told), told
    assert "proof/cost is declared to hold `ours`" in told


def test_a_name_that_is_computed_from_itself_is_no_less_a_sources(copied):
    copied.edit("tables", ('Field("Its name.")', 'Field("Its name.", holds="derived")'))
    copied.edit("family", ('{"sum": "builtins:sum"}', '{"sum": "builtins:sum", "of_names": "builtins:min"}'))
    by = '"of_names" if column == "name" else "equal"'
    copied.edit("lineage", ('{column}", "cells", "equal", [cell]', f'{{column}}", "cells", {by}, [cell]'))
    assert "plan.days[].name is declared to hold less than a source's own values, and says them" in refusal(copied)


SIGHTS_TABLE = """class RoundtripSight(Table):
    \"\"\"What there is to see.\"\"\"

    city_id: str = Field("City.", key=True)
    place_id: str = Field("The place.", key=True)
    name: str = Field("Its name, as if it were ours.", holds="ours")
    letters: int = Field("Letters of the name.", holds="ours")
    source_rows: list[str] = Field("Where it comes from.")


class Sight(TypedDict):
"""

SIGHTS_STEP = """from assets.step import Outcome


def sights(places):
    rows = places[places["kind"] == "attraction"][["city_id", "place_id", "name", "source_rows"]].copy()
    rows["letters"] = rows["name"].str.len()
    return Outcome(rows.reset_index(drop=True))
"""


POINTERS = [
    ("tables", '    source_rows: list[str] = Field("Where it comes from.")\n', ""),
    ("sights", ', "source_rows"]]', "]]"),
]
"""Without pointers no record stands behind a row; the names are those of another table of the release."""


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ((), r"roundtrip_sight\.name is declared to hold `ours`, and ([\d,]+) of \1 values are what the record behind"),
        (
            POINTERS,
            r"roundtrip_sight\.name is declared to hold `ours`, and ([\d,]+) of its \1 texts are a source's own",
        ),
    ],
    ids=["with pointers", "without"],
)
def test_a_column_of_a_source_s_own_values_that_is_declared_ours_releases_nothing(changes, why, copied):
    copied.edit(
        "tables",
        ("from schemas.table import Field\n", "from schemas.table import Field, Table\n"),
        ("class Sight(TypedDict):\n", SIGHTS_TABLE),
        ('name: Annotated[str, Field("Its name.")]', 'name: Annotated[str, Field("Its name.", holds="ours")]'),
    )
    (copied.family / "sights.py").write_text(SIGHTS_STEP)
    place, sight = (
        "from schemas.places import Place\n",
        "from assets.roundtrips.tables import RoundtripSight as Place\n",
    )
    copied.edit("lineage", (place, sight))
    copied.edit("world", (place, sight), ('sights[sights["kind"] == "attraction"].to_dict', "sights.to_dict"))
    step = 'Step(RoundtripSight, "assets.roundtrips.sights:sights", (Place,), accounts=Own("sights"))'
    copied.edit(
        "family",
        (place, f"from assets.accounts import Own\nfrom assets.step import Step\n{place}"),
        ("import Drawing,", "import RoundtripSight, Drawing,"),
        ("world_tables=(Flight, Place)", "world_tables=(Flight, RoundtripSight), context=(Place,)"),
        ("rules=RULES", f"world_steps=({step},), rules=RULES"),
    )
    for module, before, after in changes:
        copied.edit(module, (before, after))
    assert re.search(why, refusal(copied))


def refusal(workshop: Workshop) -> str:
    """Return why nothing is released."""
    code, answer, said = workshop.build()
    assert code == 1, said
    assert not (workshop.folder / "home" / "releases" / "small" / "roundtrips").exists()
    return answer["error"]
