"""The difference of two releases: every value that differs, and the nearest reason; none found, none published."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from assets.release.changes import changes_page, counts_and_causes
from assets.release.diff import Cause, FieldChange, OriginChange, RowChange, TaskChange, difference
from assets.release.sides import UNPUBLISHED, Side
from schemas.release import Manifest
from schemas.source import Snapshot

CITIES = [{"city_id": "xx-a"}, {"city_id": "xx-b"}]
CODE = {"itinbench_task": "c" * 64}


def snapshot(sha: str, city_id: str | None = "xx-a") -> Snapshot:
    return Snapshot(
        source="osm", role="extract", city_id=city_id, location="a.pbf", sha256=sha * 64, size_bytes=1,
        licence_id="ODbL-1.0",
    )  # fmt: skip


def place(place_id: str, name: str, city_id: str = "xx-a", at: str = "1", **values: Any) -> dict[str, Any]:
    row = {"city_id": city_id, "place_id": place_id, "kind": "stay", "name": name, "stars": 4.0}
    return {**row, "source_rows": [f"osm.extract@{at * 64}#node/{place_id}"], **values}


def task(task_id: str, query: str, witness: Any, city_id: str = "xx-a", rests_on: str = "") -> dict[str, Any]:
    return {"task_id": task_id, "city_id": city_id, "query": query, "witness": witness, "depends_on": rests_on}


def side(tasks, places, uses=(), version="old", code=CODE, answers=(), **manifest: Any) -> Side:
    """Return a release on paper; `uses` are (task_id, row of itinbench_place), `answers` (generation_id, answer)."""
    columns = ("task_id", "city_id", *(["generation_ids"] if "generation_ids" in tasks[0] else []))
    tables = {
        "tasks": [{**{c: t[c] for c in columns}, "query": t["query"], "content_hash": t["query"]} for t in tasks],
        "certificates": [
            {**{c: t[c] for c in columns[:2]}, "plan": t["witness"], "depends_on": t["depends_on"]} for t in tasks
        ],
        "itinbench_place": places,
        "lineage": [
            {
                "task_id": t,
                "kind": "cells",
                "generation_ids": [],
                "cells": [{"table": "itinbench_place", "row": ref, "column": "name"}],
            }
            for t, ref in uses
        ],
        "generations": [{"generation_id": g, "model": "m", "revision": "1", "answer": a} for g, a in answers],
    }
    given = {"inputs": [snapshot("1")], "section": {"tasks_per_city": 2}, "seed": 1, "cities": CITIES, "engines": {}}
    said = Manifest.model_construct(recipe="r", family="itinbench", title="Town", rules={}, **{**given, **manifest})
    hashes = {f"{name}.parquet": json.dumps([name, rows]) for name, rows in tables.items()}
    empty = pa.table({"task_id": pa.array([], pa.string()), "kind": [], "ref": [], "generation_id": []})
    return Side(said, version, lambda name: pa.Table.from_pylist(tables[name]) if tables[name] else empty, hashes, code)


TASKS = [task("t.0", "Ask.", {"stay": "Quay"}), task("t.1", "Ask more.", {"stay": "Mill"})]
PLACES = [place("q", "Quay"), place("m", "Mill"), place("z", "Zoo", "xx-b")]
USES = [("t.0", "xx-a/q/stay"), ("t.1", "xx-a/m/stay")]
OLD = side(TASKS, PLACES, USES)


def causes(found, task_id: str) -> list[tuple[str, str]]:
    return [(c.kind, c.what) for t in found.tasks if t.task_id == task_id for c in t.causes]


def test_equal_releases_differ_in_nothing():
    assert difference(OLD, side(TASKS, PLACES, USES, "new")).as_json()["same"] is True


def test_what_no_task_row_or_cause_tells_of_is_named_and_keeps_two_releases_from_being_the_same():
    new = side(TASKS, PLACES, USES[:1], "new", choices=[], measures={"mean_stars": 5.0})
    found = difference(OLD, new)
    assert found.others == ["lineage.parquet", "manifest.json: choices", "manifest.json: measures"]
    assert (found.as_json()["same"], found.tasks, found.rows, found.roots) == (False, [], [], [])
    assert "Also otherwise than before: lineage.parquet, manifest.json: choices" in changes_page(found, "Town")
    before = replace(new, version=UNPUBLISHED)
    assert difference(OLD, before).others == ["lineage.parquet", "manifest.json: choices"], "not measured yet"


def test_other_terms_of_the_same_file_are_a_cause():
    free = snapshot("1").model_copy(update={"licence_id": "CC0-1.0"})
    found = difference(OLD, side(TASKS, PLACES, USES, "new", inputs=[free]))
    assert found.roots == [Cause("source", 'osm.extract xx-a: a.pbf: licence_id "ODbL-1.0" → "CC0-1.0"')]
    assert found.as_json()["same"] is False


def test_rows_of_a_table_that_had_another_key_are_all_removed_and_all_added():
    """So that the code that gave the table its key does not stop every release after it."""
    ids = [{"id": row["place_id"], **{k: v for k, v in row.items() if k != "place_id"}} for row in PLACES]
    rows = difference(side(TASKS, ids, USES), side(TASKS, PLACES, USES, "new", {"itinbench_task": "d" * 64})).rows
    assert [(row.status, row.label) for row in rows if row.status == "removed"] == [
        ("removed", name) for name in ("Quay", "Mill", "Zoo")
    ]
    assert {row.key for row in rows if row.status == "added"} == {"xx-a/q/stay", "xx-a/m/stay", "xx-b/z/stay"}


def test_a_changed_row_is_the_reason_of_the_task_that_uses_it():
    moved = [place("q", "Quay", at="2", stars=3.0), place("m", "Mill", at="2"), PLACES[2]]
    tasks = [task("t.0", "Ask.", {"stay": "Mill"}), TASKS[1]]
    found = difference(OLD, side(tasks, moved, [("t.0", "xx-a/m/stay"), USES[1]], inputs=[snapshot("2")]))
    (changed,) = found.tasks
    assert [(f.field, f.old, f.new) for f in changed.fields] == [("certificate.plan/stay", "Quay", "Mill")]
    assert causes(found, "t.0") == [
        ("row", f"itinbench_place/xx-a/q/stay (Quay) changed: stars 4.0 → 3.0 [osm.extract@{'2' * 12}…#node/q]")
    ]
    assert (found.unexplained, found.tasks_kept, found.repointed) == ([], 1, {"itinbench_place": 1})
    assert "stand elsewhere in their source files: 1 of itinbench_place." in changes_page(found, "Small")
    (row,) = found.rows
    assert row.old_sources == [f"osm.extract@{'1' * 64}#node/q"]
    assert row.new_sources == [f"osm.extract@{'2' * 64}#node/q"]


def test_a_row_that_a_task_could_have_used_is_a_farther_reason():
    better = [*PLACES, place("n", "Nook", at="2")]
    tasks = [TASKS[0], task("t.1", "Ask more.", {"stay": "Mill"}, rests_on="more places")]
    found = difference(OLD, side(tasks, better, USES, inputs=[snapshot("2")]))
    assert causes(found, "t.1") == [
        ("candidate", f"itinbench_place/xx-a/n/stay (Nook) added [osm.extract@{'2' * 12}…#node/n]")
    ]


def test_tasks_come_and_go_with_the_recipe():
    found = difference(OLD, side([TASKS[0]], PLACES, USES[:1], section={"tasks_per_city": 1}))
    assert [(t.task_id, t.status) for t in found.tasks] == [("t.1", "removed")]
    assert causes(found, "t.1") == [("recipe", "families.itinbench.tasks_per_city: 2 → 1")]


def test_what_all_families_share_of_a_recipe_is_a_reason():
    places = [*PLACES, place("n", "Nook")]
    found = difference(OLD, side(TASKS, places, USES, settings={"spatial": {"modes": ["foot"]}}))
    assert found.unexplained == []
    assert [(root.kind, root.what) for root in found.roots] == [("recipe", 'spatial: null → {"modes": ["foot"]}')]


def test_code_and_models_are_reasons():
    tasks = [task("t.0", "Ask again.", {"stay": "Quay"}), TASKS[1]]
    by_code = difference(OLD, side(tasks, PLACES, USES, code={"itinbench_task": "d" * 64}))
    assert causes(by_code, "t.0") == [("code", f"step itinbench_task: {'c' * 12} → {'d' * 12}")]
    by_model = difference(OLD, side(tasks, PLACES, USES, engines={"wording": "m"}))
    assert causes(by_model, "t.0") == [("model", 'engines.wording: null → "m"')]
    assert causes(difference(replace(OLD, code=None), side(tasks, PLACES, USES)), "t.0")[0][0] == "code"


def test_a_field_that_holds_other_kinds_of_values_is_told_and_one_that_holds_more_of_them_is_not():
    before = {"plan.stay": {"equal": 2}, "record.days": {"chosen": 2}, "plan.gone": {"equal": 1}}
    after = {"plan.stay": {"chosen": 2}, "record.days": {"chosen": 9}, "plan.new": {"equal": 1}}
    sides = (side(TASKS, PLACES, USES, promises={"fields": fields}) for fields in (before, after))
    page = changes_page(difference(*sides), "Town")
    told = [line for line in page.splitlines() if "; now " in line]
    assert told == ["- `plan.stay`: 2 equal to a source's; now 2 chosen by a declared rule"]


def test_what_nothing_explains_is_said_to_be_unexplained():
    tasks = [task("t.0", "Ask again.", {"stay": "Quay"}), TASKS[1]]
    found = difference(OLD, side(tasks, PLACES, USES))
    assert found.unexplained == ["task t.0 changed: query"]
    elsewhere = difference(OLD, side(tasks, PLACES, USES, inputs=[snapshot("1"), snapshot("3", "xx-b")]))
    assert elsewhere.unexplained == ["task t.0 changed: query"]
    assert difference(OLD, side(TASKS, [place("q", "Kay"), *PLACES[1:]], USES)).unexplained == [
        "row itinbench_place/xx-a/q/stay changed"
    ]


def test_a_model_that_answered_otherwise_is_a_reason_and_so_are_other_calls():
    asked = [{**task, "generation_ids": ["g1"]} for task in TASKS]
    said = [{**asked[0], "query": "Ask again."}, asked[1]]
    old = side(asked, PLACES, USES, answers=[("g1", "Ask.")])
    found = difference(old, side(said, PLACES, USES, "new", answers=[("g1", "Ask again.")]))
    assert causes(found, "t.0") == [("model", "1 request answered otherwise by m@1")]
    assert found.unexplained == []
    said[0]["generation_ids"] = ["g2"]
    found = difference(old, side(said, PLACES, USES, "new", answers=[("g1", "Ask."), ("g2", "Ask again.")]))
    assert causes(found, "t.0") == [("model", "rests on 1 other call")]
    assert found.unexplained == []


def test_a_file_behind_the_city_is_the_last_reason():
    tasks = [task("t.0", "Ask again.", {"stay": "Quay"}), TASKS[1]]
    found = difference(OLD, side(tasks, PLACES, USES, inputs=[snapshot("2")]))
    assert [kind for kind, _ in causes(found, "t.0")] == ["source"]


def test_releases_of_two_recipes_are_not_compared():
    with pytest.raises(ValueError, match="give two releases of one recipe"):
        difference(OLD, _of_recipe("other"))


def _of_recipe(name: str) -> Side:
    other = side(TASKS, PLACES, USES)
    return replace(other, manifest=other.manifest.model_copy(update={"recipe": name}))


def test_a_source_s_text_cannot_become_markup_of_the_page():
    evil = "<img src=x> | [go](http://evil.example) `code`\n# Heading"
    changed = [place("q", evil, at="2"), *PLACES[1:]]
    page = changes_page(difference(OLD, side(TASKS, changed, USES, inputs=[snapshot("2")])), evil)
    assert not any(mark in page for mark in ("<img", "[go]", "\n# Heading"))


def test_a_source_s_text_cannot_act_on_a_terminal():
    page = changes_page(difference(OLD, OLD), "M\x1b[31m\x1b(0\u202e\x9b2J")
    assert "M\\x1b(31m\\x1b(0\\u202e\\x9b2J" in page and not {"\x1b", "\u202e", "\x9b"} & set(page)


def test_steps_whose_code_differs_are_one_line_of_the_page():
    found = difference(OLD, OLD)
    found.roots += [
        Cause("city", "xx-a: new box"),
        *(Cause("code", f"step {name}: aa → bb") for name in ("draft", "place")),
    ]
    lines = changes_page(found, "Alder").splitlines()
    assert lines[lines.index("## Why") + 2 :][:2] == ["- a city: xx-a: new box", "- the code of 2 steps: draft, place"]


def test_a_task_tells_of_changed_code_in_one_line_without_hashes():
    code = [Cause("code", f"step {name}: 52e7b4966fe2 → 43c866cb9186") for name in ("place", "review", "stay")]
    changed = TaskChange("t1", "changed", [], [*code, Cause("recipe", "seed: 1 → 2")])
    page = changes_page(replace(difference(OLD, OLD), tasks=[changed]), "Alder")
    told = [line for line in page.splitlines() if "because of" in line]
    assert told == ["  - because of the recipe: seed: 1 → 2", "  - because of the code of 3 steps that it rests on"]


def test_a_task_tells_of_its_values_and_not_of_its_certificate_s_hash():
    fields = [FieldChange("certificate.depends_on", "ab", "cd"), FieldChange("query", "one", "two")]
    page = changes_page(replace(difference(OLD, OLD), tasks=[TaskChange("t1", "changed", fields, [])]), "Alder")
    assert [line for line in page.splitlines() if "→" in line] == ["  - query: `one` → `two`"]


def test_a_task_tells_what_it_asks_before_its_plan_and_its_proof():
    names = ("certificate.plan/0/lunch", "certificate.proof/cost", "level", "query", "record/days")
    changed = TaskChange("t1", "changed", [FieldChange(name, "one", "two") for name in names], [])
    page = changes_page(replace(difference(OLD, OLD), tasks=[changed]), "Alder")
    told = [line.split(":")[0].strip(" -") for line in page.splitlines() if "→" in line]
    assert told == ["query", "record/days", "certificate.plan/0/lunch", "certificate.proof/cost", "level"]


def test_a_task_of_which_only_the_certificate_was_made_anew_says_so():
    changed = TaskChange("t1", "changed", [FieldChange("certificate.depends_on", "ab", "cd")], [])
    page = changes_page(replace(difference(OLD, OLD), tasks=[changed]), "Alder")
    assert "  - asks and plans the same as before: only its certificate was made anew" in page.splitlines()


def test_records_of_another_number_are_counted_and_not_printed():
    days = [FieldChange("certificate.plan/days", [{"day": 1, "date": "2026-01-01"}], [{"day": 1}, {"day": 2}])]
    page = changes_page(replace(difference(OLD, OLD), tasks=[TaskChange("t1", "changed", days, [])]), "Alder")
    assert "  - certificate.plan/days: `1 record` → `2 records`" in page.splitlines()


def test_a_place_that_moved_says_how_far_and_a_row_of_ways_how_many_differ():
    was = place("q", "Quay", lat=0.0, lon=0.0, ways=[1.0, 2.0, 3.0, 4.0, 5.0])
    now = place("q", "Quay", lat=0.0, lon=0.001, ways=[1.0, 2.0, 3.0, 4.0, 6.0])
    tasks = [task("t.0", "Ask again.", {"stay": "Quay"}), TASKS[1]]
    sides = side(TASKS, [was, *PLACES[1:]], USES), side(tasks, [now, *PLACES[1:]], USES)
    found = difference(*sides)
    ((_, said),) = causes(found, "t.0")
    assert "(Quay) changed: moved 111 m; lon 0.0 → 0.001; ways 1 of 5 values differ [" in said
    assert "| changed | moved 111 m; lon: `0.0` → `0.001`; ways: 1 of 5 values differ |" in changes_page(found, "Town")


def test_counts_and_causes_are_the_page_without_its_tasks_and_rows():
    found = replace(difference(OLD, OLD), tasks=[TaskChange("t1", "changed", [], [])], tasks_kept=2)
    found.roots.append(Cause("city", "xx-a: new box"))
    assert counts_and_causes(changes_page(found, "Alder")).splitlines() == [
        "# Changes: Alder",
        "",
        f"Tasks from `{found.old}` to `{found.new}`: 0 added, 0 removed, 1 changed, 2 as they were.",
        f"A few of each kind are shown; `tripwright diff {found.old} {found.new} --json` names all.",
        "",
        "## Why",
        "",
        "- a city: xx-a: new box",
    ]
    assert counts_and_causes("# Changes: Alder\n\nThe first.\n") == "# Changes: Alder\n\nThe first."


def test_a_page_is_read_by_a_person_however_much_differs_and_counts_all_of_it():
    many = 3_000
    found = replace(difference(OLD, OLD), tasks_kept=2)
    found.roots += [Cause("source", f"osm.extract xx-{n}: a.pbf: 1 → 2") for n in range(many)]
    found.roots += [Cause("retired", f"t.{n}: closed") for n in range(many)]
    field = [FieldChange("query", "one", "two"), FieldChange("certificate.plan/0", 1, 2)]
    for status in ("added", "removed", "changed"):
        causes = [Cause("city", f"xx-{n}: added") for n in range(many)]
        found.tasks += [TaskChange(f"{status}.{n}", status, field, causes) for n in range(many)]
        found.rows += [row_change("place", f"{status}.{n}", status) for n in range(many)]
    found.rows += [row_change("stop", "s.0", "changed")]
    found.origins += [OriginChange(f"plan.{n}", {"equal": 1}, {"chosen": 1}) for n in range(many)]
    found.unexplained += [f"row {n}" for n in range(many)]
    page = changes_page(found, "Town")
    assert len(page.splitlines()) < 900
    for told in (
        "3000 added, 3000 removed, 3000 changed, 2 as they were.",
        f"`tripwright diff {found.old} {found.new} --json` names all",
        "- and 2,990 more like this (a source file)",
        "- and 2,990 more like this (retired)",
        "- differing: query of 3,000, certificate.plan of 3,000\n- because of: a city (3,000)",
        "- and 2,990 more tasks",
        "  - and 2,990 more reasons",
        "- place: 3,000 added, 3,000 removed, 3,000 changed (name 3,000)",
        "| stop | `s.0` Quay | changed |",
        "- and 8,985 more rows",
        "- and 2,988 more fields",
        "- and 2,990 more differences",
    ):
        assert told in page, told


def test_a_release_that_is_not_published_yet_is_named_by_its_version_to_come():
    page = changes_page(difference(OLD, side(TASKS, PLACES, USES, version=UNPUBLISHED)), "Town")
    assert "`tripwright diff old VERSION --json` (VERSION: this release's, as its folder is called) names all." in page


def row_change(table: str, key: str, status: Any) -> RowChange:
    fields = [FieldChange("name", "Kay", "Quay")] if status == "changed" else []
    return RowChange(table, key, status, "Quay", fields, [], [], frozenset())


def test_long_values_show_where_they_differ():
    same = "It is time for a trip of four days to Monaco! There are two of us: a couple. From Paris, please, and "
    old, new = task("t.0", same + "not before Thursday.", []), task("t.0", same + "on Thursday.", [])
    page = changes_page(difference(side([old], []), side([new], [], version="new")), "Town")
    assert "`…From Paris, please, and not before Thursday.` → `…From Paris, please, and on Thursday.`" in page
    far = task("t.0", old["query"] + " " + "Thank you. " * 20, [])
    page = changes_page(difference(side([old], []), side([far], [], version="new")), "Town")
    assert re.search(r"`…not before Thursday\.` → `…not before Thursday\. (Thank you\. ){4}[^`]*…`", page)
