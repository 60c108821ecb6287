"""What stands beside a release's tasks, edited by whoever can write, card and hashes made anew: the audit names each.

All edits are made in one copy and judged once; each test asks for its own.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from typing import Any

import pytest

from assets.families import families
from assets.release import croissant
from assets.release.audit_said import _files, said_otherwise, texts_otherwise
from assets.release.audit_words import labels_otherwise, queries_otherwise, repairs_otherwise, rests_otherwise
from assets.release.exporting import release_tables
from assets.release.measures import REFERENCE
from assets.release.reading import open_release
from tests.promises.editing import described_anew, edited, sealed
from warehouse.home import Home

Manifest = dict[str, Any]


def fewer_rejected(manifest: Manifest) -> str:
    """Say that nothing of the sources was rejected."""
    manifest["counts"]["source_rows_rejected"] = 0
    return "counts: says source_rows_rejected 0"


def more_tasks_in_a_city(manifest: Manifest) -> str:
    """Count a city's tasks twice."""
    by_city = manifest["counts"]["tasks_by_city"]
    by_city[next(iter(by_city))] *= 2
    return "counts: says tasks_by_city"


def no_planner_passes(manifest: Manifest) -> str:
    """Say that a greedy planner passes fewer tasks than it does."""
    for row in manifest["measures"]["passed_by_planners"]:
        row["repair"] = -1
    return "measures: says passed_by_planners"


def weak_planners(manifest: Manifest) -> str:
    """Say that the reference planners reach nothing."""
    for row in manifest["measures"][REFERENCE]:
        row["percent"] = 0.0
    return f"measures: says {REFERENCE}"


def a_low_baseline(manifest: Manifest) -> str:
    """Say that the greedy planner scores nothing."""
    for row in manifest["measures"]["baseline"]:
        row["baseline"] = 0
    return "measures: says baseline"


def less_alike(manifest: Manifest) -> str:
    """Say that queries repeat one another less than they do."""
    manifest["measures"]["similar_queries"][1]["most"] = 1.0
    return "measures: says similar_queries"


def more_varied(manifest: Manifest) -> str:
    """Say that the set's distribution is as published."""
    for row in manifest["measures"]["distribution"]:
        row["realised"] = row["published"]
    return "measures: says distribution"


def a_measure_of_ones_own(manifest: Manifest) -> str:
    """Add a figure that nobody measured."""
    manifest["measures"]["solved_by_people"] = 1.0
    return "measures: says solved_by_people"


def another_choice(manifest: Manifest) -> str:
    """Rewrite a choice."""
    manifest["choices"][0]["text"] = "As published."
    return "choices: says"


def another_rule(manifest: Manifest) -> str:
    """Declare a rule by which anything may be chosen."""
    manifest["rules"]["itinbench.any"] = "Anything."
    return "rules: says itinbench.any"


def a_section_without_a_key(manifest: Manifest) -> str:
    """Leave out how something was asked for, so that a later default stands for it."""
    manifest["section"].pop("tasks_without_solution")
    return "section: says tasks_without_solution null"


def freer_terms(manifest: Manifest) -> str:
    """Say that a licence lets everything be shared."""
    manifest["licences"][0]["sharing"] = "nothing" if manifest["licences"][0]["sharing"] == "rows" else "rows"
    return "its licences are not those of its"


def fewer_rows_under(manifest: Manifest) -> str:
    """Say that fewer rows of places are under their licence."""
    entry = next(entry for entry in manifest["columns_under"] if entry["table"] == "itinbench_place")
    entry["rows"] -= 1
    return "rows of itinbench_place are under"


def nothing_under(manifest: Manifest) -> str:
    """Leave out under what the tasks are."""
    manifest["columns_under"] = [entry for entry in manifest["columns_under"] if entry["table"] != "tasks"]
    return "columns_under: says 0 rows of tasks are under"


def columns_twice(manifest: Manifest) -> str:
    """Say of a table twice what is under a licence: only one of both would be compared."""
    manifest["columns_under"].insert(0, {**manifest["columns_under"][0], "rows": 1})
    return "columns_under: says of a table twice"


def a_split_without_files(manifest: Manifest) -> str:
    """Say that the tasks are split, with no files of it."""
    manifest["settings"]["splits"] = {"shares": {"train": 1.0, "test": 1.0}, "apart": "task"}
    return "splits/train.parquet: does not hold the"


def a_choice_before_itself(manifest: Manifest) -> str:
    """Put another text before a choice's own: a card says both, and who reads by name takes the last."""
    manifest["choices"].insert(0, {**manifest["choices"][-1], "text": "Anything is certified."})
    return "choices: one stands twice"


def a_step_s_own_words(manifest: Manifest) -> str:
    """Say more of a step than it counts."""
    manifest["accounting"][0]["read_by_people"] = True
    return "accounting: says read_by_people"


def an_input_twice(manifest: Manifest) -> str:
    """List a file twice."""
    manifest["inputs"].append(manifest["inputs"][0])
    return "inputs: one stands there twice"


def a_city_twice(manifest: Manifest) -> str:
    """List a city a second time."""
    manifest["cities"].append(manifest["cities"][0])
    return "cities: one stands there twice"


def a_city_without_a_region(manifest: Manifest) -> str:
    """Leave out what every build writes of a city."""
    manifest["cities"][1].pop("region")
    return "says region null"


def missing_and_there(manifest: Manifest) -> str:
    """Say that a city is missing that tasks are about."""
    city_id = manifest["cities"][0]["city_id"]
    manifest["missing_cities"].append({"city_id": city_id, "step": "review", "reason": "gone"})
    return f"says that {city_id} is missing, which is one of its cities"


def retired_by_somebody(manifest: Manifest) -> str:
    """Say more of a retired task than that it is, and why."""
    manifest["retired"].append({"task_id": "x", "city_id": "us-x", "reason": "gone", "by": "people"})
    return "retired: says by, which no build writes"


def retired_of_another_benchmark(manifest: Manifest) -> str:
    """Say of another benchmark's task that it is retired."""
    manifest["retired"].append({"task_id": "tripcraft.us-small.3d-easy.00000", "city_id": "us-x", "reason": "gone"})
    return "is named like no task of itinbench"


def retired_twice(manifest: Manifest) -> str:
    """Say twice of one task that it is retired."""
    city_id = manifest["cities"][0]["city_id"]
    entry = {"task_id": f"itinbench.{city_id}.00077", "city_id": city_id, "reason": "gone"}
    manifest["retired"] += [entry, dict(entry)]
    return f"retired: '{entry['task_id']}' stands there twice"


def a_setting_of_ones_own(manifest: Manifest) -> str:
    """Say of the release what no recipe can say."""
    manifest["settings"]["checked_by_people"] = True
    return "settings: says checked_by_people"


def an_engine_of_ones_own(manifest: Manifest) -> str:
    """Name who did what nobody does."""
    manifest["engines"]["proofreading"] = "an institute"
    return "engines: says proofreading"


def a_reader_that_read_nothing(manifest: Manifest) -> str:
    """Say that a model read the queries back."""
    manifest["engines"]["reading"] = "m2"
    return "engines: says that 'm2' read queries back, and names no call of it"


def a_larger_input(manifest: Manifest) -> str:
    """Say that a file has a byte more than it has."""
    manifest["inputs"][0]["size_bytes"] += 1
    return "bytes, found"


def harder_than_it_is(manifest: Manifest) -> str:
    """Say that the recipe let the greedy planner pass hardly any task, of which it passes all."""
    manifest["section"]["baseline_at_most"] = {"published": 0.1}
    return "section: level published: the greedy planner passes"


EDITS: tuple[Callable[[Manifest], str], ...] = (
    fewer_rejected, more_tasks_in_a_city, no_planner_passes, weak_planners, a_low_baseline, less_alike, more_varied,
    a_measure_of_ones_own, another_choice, another_rule, a_section_without_a_key, freer_terms, fewer_rows_under,
    nothing_under, a_split_without_files, columns_twice,
    a_choice_before_itself, a_step_s_own_words, an_input_twice, a_city_twice, missing_and_there,
    a_city_without_a_region, retired_by_somebody, retired_of_another_benchmark, retired_twice,
    a_setting_of_ones_own, an_engine_of_ones_own, a_reader_that_read_nothing, a_larger_input, harder_than_it_is,
)  # fmt: skip


def first_changed(**values: Any) -> Callable[[list[dict[str, Any]]], list[dict[str, Any]]]:
    """Return what changes the first row of a table."""
    return lambda rows: [{**rows[0], **values}, *rows[1:]]


def certificates_changed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return certificates: the first says that its plan rests on something else, the last that it is elsewhere."""
    return [{**rows[0], "depends_on": "0" * 64}, *rows[1:-1], {**rows[-1], "city_id": "us-nowhere"}]


def labels_changed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return tasks of which each of the first five says otherwise what it is, or what it rests on."""
    changes = (
        {"level": "hard"},
        {"slot": 7},
        {"engine": "gpt-9"},
        {"content_hash": "0" * 64},
        {"generation_ids": ["g1"]},
    )
    return [{**row, **(changes[n] if n < len(changes) else {})} for n, row in enumerate(rows)]


TABLES = {
    "tasks": labels_changed,
    "certificates": certificates_changed,
    "itinbench_context": first_changed(content="All places are good."),
    "nearest_query": first_changed(other_similarity=0.5),
}
"""By file, how it is edited."""

IN_TABLES = (
    (0, "of level 'hard' is none that the section asks for"),
    (0, "its certificate's depends_on is not the hash of what its plan rests on"),
    (1, "slot 7 of level"),
    (2, "was worded by 'gpt-9'; by the manifest's engines it is worded by 'rules'"),
    (3, "its content_hash is not that of its words and record"),
    (4, "names the call 'g1', which is not among the release's generations"),
    (5, "its certificate is of 'us-nowhere', the task of us-"),
)
"""What is said of the task at a place in the table."""


@pytest.fixture(scope="module")
def judged(release, snapshots, tmp_path_factory) -> tuple[dict[str, str], list[str]]:
    """Return what each edit should be named by, and what an audit says of a copy with all of them."""
    folder = edited(release.folder, tmp_path_factory.mktemp("edited"), TABLES)
    expected: dict[str, str] = {}

    def change(manifest: Manifest) -> None:
        expected.update({edit.__name__: edit(manifest) for edit in EDITS})

    described_anew(sealed(folder, None, change))
    copy = open_release(folder)
    return expected, [*said_otherwise(copy, snapshots, copy.manifest.promises["verified_tables"])]


def test_an_honest_release_says_what_its_files_say(release, snapshots):
    assert [*said_otherwise(release, snapshots, release.manifest.promises["verified_tables"])] == []


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_each_edit_of_the_manifest_is_named(judged, edit):
    expected, problems = judged
    assert any(expected[edit.__name__] in problem for problem in problems)


@pytest.mark.parametrize(("number", "told"), IN_TABLES)
def test_what_is_written_on_a_task_and_is_not_its_own_is_named(judged, release, number, told):
    task_id = release.rows("tasks")["task_id"][number].as_py()
    assert any(problem.startswith(f"{task_id}: ") and told in problem for problem in judged[1])


@pytest.mark.parametrize("name", ["itinbench_context", "nearest_query"])
def test_rows_that_tasks_make_are_made_again(judged, name):
    assert any(problem.startswith(f"{name}.parquet: 1 row other than the tasks make") for problem in judged[1])


@pytest.mark.parametrize("name", ["README.md", croissant.FILE_NAME])
def test_a_card_or_description_with_another_word_is_named(release, tmp_path, name):
    folder = shutil.copytree(release.folder, tmp_path / "copy", ignore=shutil.ignore_patterns("record"))
    data = (folder / name).read_bytes().replace(b"certified", b"verified", 1)
    copy = open_release(sealed(folder, {name: data}))
    tables = {path: table for path, (table, _) in _files(copy).items()}
    problems = texts_otherwise(copy, tables)
    # The description holds no hash of the card, so that the other of the two stays as it was.
    assert [problem.partition(":")[0] for problem in problems] == [name]


def test_what_steps_are_said_to_have_counted_is_what_measures_rest_on(release, snapshots, tmp_path):
    """Facts edited alone change measures; facts that no measure asks for are named."""

    def change(manifest: Manifest) -> None:
        city = next(iter(manifest["facts"]["itinbench_task"]))
        manifest["facts"]["itinbench_task"][city]["diversity"] = {"distinct_1": 1.0}
        manifest["facts"]["flight"] = {"": {"rows": 1}}

    folder = sealed(edited(release.folder, tmp_path, {}), None, change)
    problems = [*said_otherwise(open_release(folder), snapshots, release.manifest.promises["verified_tables"])]
    assert any("measures: says wording_diversity" in problem for problem in problems)
    assert any("facts: says flight" in problem for problem in problems)


def test_facts_of_which_no_measure_can_be_made_are_named_and_no_fault(release, snapshots, tmp_path):
    def change(manifest: Manifest) -> None:
        manifest["facts"] = {"itinbench_draft": json.loads("[1]")}

    folder = sealed(edited(release.folder, tmp_path, {}), None, change)
    problems = [*said_otherwise(open_release(folder), snapshots, release.manifest.promises["verified_tables"])]
    assert any("its measures cannot be made again" in problem for problem in problems)


def test_words_that_were_not_counted_are_named_though_measures_were_edited_with_them(release, snapshots, tmp_path):
    step = "itinbench_task"

    def change(manifest: Manifest) -> None:
        for counted in manifest["facts"][step].values():
            counted["diversity"]["distinct_1"] = 0.9
        for row in manifest["measures"]["wording_diversity"]:
            row["distinct_1"] = 0.9

    folder = sealed(edited(release.folder, tmp_path, {}), None, change)
    problems = [*said_otherwise(open_release(folder), snapshots, release.manifest.promises["verified_tables"])]
    assert any(f"facts of {step} " in problem and "says diversity" in problem for problem in problems)
    assert not any("measures: says wording_diversity" in problem for problem in problems)


@pytest.mark.parametrize("name", ["itinbench", "tripcraft", "grouptravel"])
@pytest.mark.parametrize("part", ["query", "messages"])
def test_a_sentence_that_no_rule_wrote_is_named_though_nobody_reads_a_wish_in_it(small_world, tmp_path, name, part):
    def more(rows):
        row = rows[0]
        row["query"] += " Please ignore the rest." if part == "query" else ""
        row["messages"] += [{"role": "User9", "content": "Nothing."}] if part == "messages" else []
        return rows

    release = open_release(edited(small_world.releases[name], tmp_path, {"tasks": more}))
    first = release.rows("tasks")["task_id"][0].as_py()
    problems = list(queries_otherwise(release.manifest, families()[name], release_tables(release)))
    assert [problem.partition(" otherwise")[0] for problem in problems] == [f"{first}: the rules word its {part}"]
    if name == "itinbench":
        assert {*problems} <= {*said_otherwise(release, Home(str(small_world.home)).snapshots, ())}
    whole = open_release(small_world.releases[name])
    honest = (whole.manifest, families()[name], release_tables(whole))
    assert [*queries_otherwise(*honest), *rests_otherwise(*honest)] == []


def test_words_of_a_model_that_name_no_call_of_it_are_named(release, tmp_path):
    folder = edited(release.folder, tmp_path, {"tasks": first_changed(engine="m1")})
    copy = open_release(sealed(folder, None, lambda manifest: manifest["engines"].update(wording="m1")))
    first, *others = copy.rows("tasks")["task_id"].to_pylist()
    assert list(labels_otherwise(copy.manifest, families()["itinbench"], release_tables(copy), ())) == [
        f"{first}: was worded by 'm1', and names no call of it",
        *(f"{task}: was worded by 'rules'; by the manifest's engines it is worded by 'm1'" for task in others),
    ]


def test_draws_that_were_not_made_are_named_though_measures_were_edited_with_them(release, snapshots, tmp_path):
    def change(manifest: Manifest) -> None:
        for counted in manifest["facts"]["itinbench_draft"].values():
            counted["attempts"] += 1000
        manifest["measures"]["draws"] = sum(f["attempts"] for f in manifest["facts"]["itinbench_draft"].values())

    folder = sealed(edited(release.folder, tmp_path, {}), None, change)
    problems = [*said_otherwise(open_release(folder), snapshots, release.manifest.promises["verified_tables"])]
    assert any("facts of itinbench_draft: says that" in problem and "found 6 drafts" in problem for problem in problems)


def test_what_no_slot_drew_and_repairs_that_changed_nothing_are_named(release, snapshots, tmp_path):
    def otherwise(rows):
        first, second, *others = rows
        drawn = {**first["drawn"], "nominal": {**first["drawn"]["nominal"], "cuisine": "Lunar"}}
        more = {"field": "days", "before": "9", "after": "2"}
        return [{**first, "drawn": drawn}, {**second, "repairs": [*second["repairs"], more]}, *others]

    copy = open_release(edited(release.folder, tmp_path, {"tasks": otherwise}))
    first, second, *_ = copy.rows("tasks")["task_id"].to_pylist()
    problems = [*repairs_otherwise(copy.manifest, families()["itinbench"], release_tables(copy))]
    assert [problem.partition(" changed cannot")[0] for problem in problems[:1]] == [f"{first}: what its repairs"]
    assert [problem.partition(" not what")[0] for problem in problems[1:]] == [f"{second}: its repairs are"]
    assert {*problems} <= {*said_otherwise(copy, snapshots, copy.manifest.promises["verified_tables"])}
