"""Tasks that no plan meets, edited by whoever says so: each lie is named, by the gate and by the audit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from assets.core.no_solution import KEY
from assets.core.worlds import world_for, worlds_of
from assets.families import families
from assets.family import Family
from assets.itinbench.tables import PRICES
from assets.named import load
from assets.promises import mutants, no_solution
from assets.promises.certified import Job, opened_once
from assets.promises.no_solution import hold_no_solution
from assets.release.audit import audit_release
from assets.release.exporting import release_tables
from assets.release.reading import NO_SOLUTION, open_release
from assets.rows import ReleaseTables
from assets.runs.setting import setting_of
from pipelines.releases.without_solution import without_solution
from tests.promises.editing import edited, sealed
from warehouse.home import Home

FAMILIES = ("itinbench", "tripcraft", "grouptravel")
COUNT = 2

Row = dict[str, Any]


class Set(NamedTuple):
    """A release that holds tasks without a solution, their rows, its tables and its released rows by id."""

    family: Family
    folder: Path
    rows: list[Row]
    tables: ReleaseTables
    released: dict[str, Row]


@pytest.fixture(scope="module")
def sets(small_world, tmp_path_factory) -> dict[str, Set]:
    """Return a sealed copy of each family's release with two tasks that no plan meets."""
    made = {}
    for name in FAMILIES:
        release = open_release(small_world.releases[name])
        tables = release_tables(release)
        section = families()[name].section.model_validate(release.manifest.section | {KEY: COUNT})
        files = without_solution(families()[name], tables, section, release.manifest.seed)
        folder = edited(release.folder, tmp_path_factory.mktemp(name), {})
        sealed(folder, files, lambda manifest: manifest["section"].update({KEY: COUNT}))
        rows = [json.loads(line) for line in files[NO_SOLUTION].splitlines()]
        released: dict[str, Any] = {str(row["task_id"]): row for row in tables.tasks.to_dict("records")}
        made[name] = Set(families()[name], folder, rows, tables, released)
    return made


def held(folder: Path) -> Any:
    """Return what is found, but that the tests' own process has imported who draws such tasks."""
    opened_once.cache_clear()
    found = hold_no_solution(Job(folder, (), frozenset()))
    found.problems = [problem for problem in found.problems if "its process imported" not in problem]
    return found


def with_rows(one: Set, into: Path, rows: list[Row]) -> Path:
    """Return a sealed copy with other tasks without a solution."""
    folder = edited(one.folder, into, {})
    lines = "".join(f"{json.dumps(row, ensure_ascii=False, sort_keys=True)}\n" for row in rows)
    return sealed(folder, {NO_SOLUTION: lines.encode()})


@pytest.mark.parametrize("family", FAMILIES)
def test_what_was_drawn_holds_and_is_counted(sets, family):
    found = held(sets[family].folder)
    assert found.problems == []
    assert found.accepted == COUNT
    assert found.offered["a_plan_without_a_wish"] == sum(len(row["proof"]["clash"]) for row in sets[family].rows)
    assert found.offered["a_released_witness"] >= COUNT


def said(words: Any) -> Row:
    """Return a task's words as its line holds them."""
    return {"query": words.query, **({"messages": words.messages} if words.messages else {})}


def with_budget(record: Row, budget: int) -> Row:
    """Return a group's record in which somebody who never gives way has another budget."""
    entries = json.loads(json.dumps(record["user_preferences"]))
    user = next(user for user, entry in entries.items() if not entry["compromisable"])
    entries[user]["preference"]["global_constraints"]["avg_budget"] = budget
    return record | {"user_preferences": entries}


def solvable(one: Set, row: Row) -> str:
    """Call a task unsolvable that a plan meets, with the wish that it has more than the near one for a clash."""
    near, family = one.released[row["proof"]["near"]], one.family
    name = family.name
    worlds, setting = worlds_of(family, one.tables), setting_of(name)
    world, wishes_of = world_for(worlds, family, near["city_id"]), load(str(setting.wishes_of))
    own = near["record"]
    others = [own | {"price": price} for price in PRICES] if name == "itinbench" else [own | {"budget": 99_990}]
    if name == "grouptravel":
        others = [with_budget(own, 99_990)]
    record = next(
        other for other in others
        if other != own and load(str(setting.clash_holds))(other, wishes_of(other), None, world)
    )  # fmt: skip
    (more,) = set(wishes_of(record)) - set(wishes_of(own))
    plan = one.tables.certificates.set_index("task_id").loc[near["task_id"], "plan"]
    row |= {"record": record, **said(family.call("word", row["task_id"], record, world, 1))}
    row["proof"] |= {"clash": [more], "without": [{"wish": more, "plan": plan}]}
    return "its clash: "


def the_same(one: Set, row: Row) -> str:
    """Call the released task itself unsolvable."""
    near = one.released[row["proof"]["near"]]
    row |= {"record": near["record"], **said(SimpleNamespace(**near))}
    return "is not one wish from the task"


def breaks_more(one: Set, row: Row) -> str:
    """Show that a wish is needed by a plan that breaks something else: it has one day less."""
    plan = row["proof"]["without"][0]["plan"]
    days = mutants.days_of(plan)
    assert days is not None
    del days[-1]
    return "its plan without"


def two_away(one: Set, row: Row) -> str:
    """Take a record that is two wishes away: the near task is another one."""
    other = next(task for task in one.released.values() if task["task_id"] != row["proof"]["near"])
    row["proof"]["near"], row["task_id"] = other["task_id"], f"{other['task_id']}.no-solution"
    row["city_id"] = other["city_id"]
    return "the task it is near"


def other_words(one: Set, row: Row) -> str:
    """Ask for other wishes in the query than in the record: for those of the solvable task."""
    row |= said(SimpleNamespace(**one.released[row["proof"]["near"]]))
    return "its query says otherwise"


def lacks_more(one: Set, row: Row) -> str:
    """Say that something else is lacking."""
    row["proof"]["lacking"] = {"stay": {"matching": 0, "needed": 1}}
    return "is said to lack"


def other_town(one: Set, row: Row) -> str:
    """Be about another city than the task that it is near."""
    row["city_id"] = "us-in-nowhere"
    return "is near no released task of its city"


def loose_line(one: Set, row: Row) -> str:
    """Lack what a line should have."""
    del row["canary"]
    return "the line is not an object of"


LIES: tuple[Callable[[Set, Row], str], ...] = (
    solvable, the_same, breaks_more, two_away, other_words, lacks_more, other_town, loose_line,
)  # fmt: skip


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
@pytest.mark.parametrize("family", FAMILIES)
def test_each_lie_is_named(sets, family, lie, tmp_path):
    one = sets[family]
    rows = json.loads(json.dumps(one.rows))
    expected = lie(one, rows[0])
    found = held(with_rows(one, tmp_path, rows))
    assert [problem for problem in found.problems if expected in problem]
    assert found.accepted == COUNT - 1


@pytest.mark.parametrize("family", FAMILIES)
def test_a_clash_with_a_needless_wish_is_named_by_a_plan_that_keeps_the_others(sets, family, tmp_path):
    """The needless wish has a plan without it, and all the others are kept by none."""
    one = sets[family]
    setting = setting_of(family)
    rows = json.loads(json.dumps(one.rows))
    row = next(row for row in rows if len(row["proof"]["clash"]) < len(load(str(setting.wishes_of))(row["record"])))
    proof = row["proof"]
    wishes = load(str(setting.wishes_of))(row["record"])
    more = next(list(wish) for wish in wishes if list(wish) not in proof["clash"])
    proof["clash"].append(more)
    proof["without"].append({"wish": more, "plan": proof["without"][0]["plan"]})
    problems = held(with_rows(one, tmp_path, rows)).problems
    assert any(f"its plan without {more[0]}={more[1]} is not accepted" in problem for problem in problems)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_second_proof_that_says_yes_to_all_is_named_by_what_has_a_plan(sets, family, monkeypatch):
    real = setting_of(family)
    yes = {**vars(real), "clash_holds": "tests.promises.lying:clashes"}
    monkeypatch.setattr(no_solution, "setting_of", lambda _: type(real)(**yes))
    problems = held(sets[family].folder).problems
    near = {row["proof"]["near"] for row in sets[family].rows}
    told = [problem for problem in problems if "says that no plan meets" in problem]
    assert near <= {problem.partition("no plan meets ")[2].partition(",")[0] for problem in told}
    assert any("and a plan shows that it is" in problem for problem in problems)


def test_wishes_that_leave_something_out_are_named(sets, monkeypatch):
    real = setting_of("itinbench")
    few = {**vars(real), "wishes_of": "tests.promises.lying:first_wishes"}
    monkeypatch.setattr(no_solution, "setting_of", lambda _: type(real)(**few))
    problems = held(sets["itinbench"].folder).problems
    assert any("its wishes, put together, are not its record" in problem for problem in problems)


def test_a_file_of_fewer_than_the_section_asks_for_is_named(sets, tmp_path):
    one = sets["itinbench"]
    assert held(with_rows(one, tmp_path, one.rows[:1])).problems == [
        f"{NO_SOLUTION}: holds 1 task; the section asks for {COUNT}"
    ]


def test_lines_that_are_no_rows_are_named_each_for_itself(sets, tmp_path):
    one = sets["itinbench"]
    parted = json.dumps({**one.rows[0], "query": "a\u2028b"}, ensure_ascii=False).encode()  # no end of a line of JSON
    for number, lines in enumerate(([b"\xff", b"[" * 100_000], [parted, b"{}"])):
        folder = edited(one.folder, tmp_path / str(number), {})
        problems = held(sealed(folder, {NO_SOLUTION: b"\n".join(lines)})).problems
        misshapen = [problem.partition(": ")[0] for problem in problems if "is not an object of" in problem]
        assert misshapen == [f"{NO_SOLUTION}, line {n}" for n in ((1, 2) if number == 0 else (2,))]


def test_gate_and_audit_name_a_lie_and_count_what_holds(sets, small_world, tmp_path):
    one, snapshots = sets["itinbench"], Home(str(small_world.home)).snapshots
    rows = json.loads(json.dumps(one.rows))
    breaks_more(one, rows[0])
    report = audit_release(open_release(with_rows(one, tmp_path, rows)), snapshots, 1)
    for problems in (report.gate.problems, report.problems):
        assert any(problem.startswith(f"{rows[0]['task_id']}: its plan without") for problem in problems)
    assert not any("its process imported" in problem for problem in report.problems)
    assert "manifest.json: promises: says no_solution" in "\n".join(report.problems)
    assert report.gate.no_solution["tasks"] == COUNT - 1
