"""Functions of a family that lie about words, about planners, or know the answers by heart: each is named or told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assets.core.worlds import worlds_of
from assets.families import families
from assets.promises import certified, check_trials, field_exchange, score_trials
from assets.promises.cells import index_of
from assets.promises.certified import Job, JobVerdict, judge, opened_once
from assets.promises.check_trials import judge_checks, mutants_of
from assets.promises.faithful import faithful
from assets.promises.field_exchange import judge_fields
from assets.promises.gate import GateReport
from assets.promises.score_trials import judge_scores
from assets.release.card import dataset_card
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from assets.runs.setting import RunSetting
from schemas.stable import content_hash
from tests.promises import lying

FAMILIES = ("itinbench", "tripcraft", "grouptravel")
LYING = "tests.promises.lying:"


@pytest.fixture
def judged(small_world, monkeypatch):
    """Return a function that gives the release's tasks, and what is found with some functions of its family changed."""

    def judge_with(name: str, **functions):
        every = families() | {name: replace(families()[name], **functions)}
        monkeypatch.setattr(certified, "families", lambda: every)
        release = open_release(small_world.releases[name])
        task_ids = tuple(release.rows("tasks")["task_id"].to_pylist())
        found = judge(Job(release.folder, task_ids, frozenset(task_ids)), index_of(release).rows)
        found.problems = [problem for problem in found.problems if "its process imported" not in problem]
        return task_ids, found

    return judge_with


def has_others(folder, task_id: str) -> bool:
    """Return whether other tasks of the task's city ask for something else."""
    views = opened_once(folder).views
    mine = views[task_id]
    return any(view.city_id == mine.city_id and view.record != mine.record for view in views.values())


@pytest.mark.parametrize("family", FAMILIES)
def test_the_familys_own_functions_are_true_of_every_task(judged, family):
    task_ids, found = judged(family)
    assert found.problems == []
    assert found.accepted == len(task_ids)
    assert found.offered["the_record_of_another_task"] > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_who_reads_any_words_as_any_record_is_named_for_every_task(judged, small_world, family):
    task_ids, found = judged(family, read=f"{LYING}reads_nothing")
    told = {problem.partition(":")[0] for problem in found.problems if "it must tell them apart" in problem}
    tried = {task_id for task_id in task_ids if has_others(small_world.releases[family], task_id)}
    assert told == tried != set()


@pytest.mark.parametrize("family", ["itinbench", "tripcraft"])
@pytest.mark.parametrize(
    ("liar", "told"), [("never_passes", "witness does not pass"), ("always_passes", "empty plan passes")]
)
def test_who_fails_or_passes_every_planner_is_named_for_every_task(judged, family, liar, told):
    task_ids, found = judged(family, passes=f"{LYING}{liar}")
    assert [problem.partition(":")[0] for problem in found.problems if told in problem] == list(task_ids)


@pytest.mark.parametrize("family", ["itinbench", "tripcraft"])
def test_a_checker_that_knows_the_witnesses_by_heart_is_named_by_what_asks_less(judged, small_world, family):
    views = opened_once(small_world.releases[family]).views.values()
    lying.HEART.update(content_hash([view.record, view.plan]) for view in views)
    task_ids, found = judged(family, check=f"{LYING}by_heart", verify=None)
    assert found.accepted == len(task_ids), "it accepts the witnesses, and refuses every plan that it must refuse"
    assert not [problem for problem in found.problems if " accepts " in problem]
    told = [problem.partition(":")[0] for problem in found.problems if "is not asked for" in problem]
    assert told == list(task_ids)


@pytest.mark.parametrize("name", FAMILIES)
def test_an_export_of_other_words_than_the_tasks_is_named_for_every_task(small_world, name):
    release, family = open_release(small_world.releases[name]), families()[name]
    tables = release_tables(release)
    assert faithful(family, release, tables)[1] == []
    lying.FAMILY[0] = family
    _, problems = faithful(replace(family, export=f"{LYING}exports_more"), release, tables)
    named = [problem.partition(":")[0] for problem in problems if "its query stands in no exported file" in problem]
    assert named == tables.tasks["task_id"].tolist()


@pytest.mark.parametrize("name", FAMILIES)
def test_who_changes_files_on_their_way_into_the_published_tree_is_named_for_every_file(small_world, name):
    release = open_release(small_world.releases[name])
    tables = release_tables(release)
    family = lying.FAMILY[0] = families()[name]
    for checker in (family.published_check, None):
        liar = replace(family, upstream=f"{LYING}moves_and_changes", published_check=checker)
        named = [problem.partition(":")[0] for problem in faithful(liar, release, tables)[1]]
        assert sorted(named) == sorted(family.call("export", tables))


def test_without_a_published_checker_an_export_of_nothing_or_of_chance_is_named(small_world):
    release = open_release(small_world.releases["itinbench"])
    tables = release_tables(release)
    family = lying.FAMILY[0] = replace(families()["itinbench"], published_check=None)
    assert faithful(family, release, tables)[1] == []
    _, problems = faithful(replace(family, export=f"{LYING}exports_nothing"), release, tables)
    assert len(problems) == len(tables.tasks)
    assert all("its query stands in no exported file" in problem for problem in problems)
    _, problems = faithful(replace(family, export=f"{LYING}exports_by_chance"), release, tables)
    assert problems == [f"made.txt: {LYING}exports_by_chance wrote it otherwise the second time"]
    assert faithful(replace(family, export=f"{LYING}exports_in_pieces"), release, tables)[1] == []


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize(
    ("given", "liar", "told"),
    [
        ("published_check", "publishes_yes", "from the witnesses"),
        ("published_check", "publishes_yes_once", "from the witnesses"),
        ("published_check", "fails_at_others", "failed: ZeroDivisionError"),
        ("export", "exports_the_witnesses", "from the witnesses"),
    ],
)
def test_a_published_checker_that_never_refuses_or_is_shown_other_plans_is_named(small_world, name, given, liar, told):
    release = open_release(small_world.releases[name])
    lying.FAMILY[0], lying.TABLES[:] = families()[name], [release_tables(release)]
    family = replace(families()[name], **{given: f"{LYING}{liar}"})
    figures, (problem,) = faithful(family, release, lying.TABLES[0])
    assert figures["checked"] == len(lying.TABLES[0].certificates)
    assert str(family.published_check) in problem and told in problem


@pytest.mark.parametrize("name", FAMILIES)
def test_an_export_or_a_published_checker_that_fails_is_named_and_no_fault_of_ours(small_world, name):
    release = open_release(small_world.releases[name])
    family = replace(families()[name], published_check=f"{LYING}expected_of_nothing")
    _, (problem,) = faithful(family, release, release_tables(release))
    assert "expected_of_nothing failed: ZeroDivisionError" in problem


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_not_judged_of_a_record_is_said_on_the_card(small_world, monkeypatch, family):
    """A family that says that nothing is judged, or names no wishes to try with, hides nothing by it."""
    release = open_release(small_world.releases[family])
    job = Job(release.folder, (), frozenset(release.rows("tasks")["task_id"].to_pylist()))
    known = judge_fields(job).fields
    none = replace(families()[family], wishes={})
    monkeypatch.setattr(field_exchange, "families", lambda: families() | {family: none})
    fewer = judge_fields(job).fields
    assert fewer.keys() == known.keys(), "what is tried with nothing stands there, never tried"
    left = sorted(name for name, (_, refused) in fewer.items() if not refused)
    unjudged = sorted(families()[family].unjudged)
    promises = release.manifest.promises | {"fields_judged": fewer, "unjudged": unjudged}
    rows = (release.rows(name) for name in ("tasks", "certificates"))
    card = dataset_card(release.manifest.model_copy(update={"promises": promises}), {"tasks.parquet": 1}, *rows)
    (line,) = (line for line in card.splitlines() if "Not shown to be judged" in line)
    assert all(f"`{name}`" in line for name in (*left, *unjudged))


@pytest.mark.parametrize(
    ("family", "check"), [("itinbench", "cuisine"), ("tripcraft", "budget"), ("grouptravel", "timeline")]
)
def test_a_check_that_never_refuses_is_named_on_the_card(small_world, monkeypatch, family, check):
    """A declared check that judges nothing certifies nothing, whatever certificates say of it."""
    release = open_release(small_world.releases[family])
    tried, real = frozenset(release.rows("tasks")["task_id"].to_pylist()), families()[family]
    assert check in judge_checks(Job(release.folder, (), tried)).refused_by
    lying.FAMILY[0], lying.SILENCED[0] = real, check
    silenced = replace(real, check=f"{LYING}refuses_by_others")
    monkeypatch.setattr(check_trials, "families", lambda: families() | {family: silenced})
    report = GateReport()
    report.add_trials(real, judge_checks(Job(release.folder, (), tried)))
    assert check in report.silent_checks and report.refusing_checks
    promises = release.manifest.promises | {"silent_checks": report.silent_checks}
    rows = (release.rows(name) for name in ("tasks", "certificates"))
    card = dataset_card(release.manifest.model_copy(update={"promises": promises}), {"tasks.parquet": 1}, *rows)
    (line,) = (line for line in card.splitlines() if "Not shown to refuse" in line)
    assert f"`{check}`" in line


def test_a_name_that_is_no_check_of_the_family_is_not_counted_among_those_that_refuse():
    report, family = GateReport(), families()["tripcraft"]
    report.add_trials(family, JobVerdict(refused_by={"budget", "made_up"}))
    assert report.refusing_checks == ["budget"]
    assert {*report.silent_checks} == {*family.checks} - {"budget"}


def test_what_is_offered_to_show_checks_is_changed_in_one_place():
    plan = {"days": [{"visits": ["a", "b"], "stay": None}, {"visits": ["c"], "stay": "x"}]}
    other = {"days": [{"visits": ["d"], "stay": "y"}]}
    offered = list(mutants_of(plan, other, "seed"))
    assert len(offered) == 4, "the days, a day's visits, a visit, a stay"
    assert all(new != plan for new in offered) and plan["days"][0] == {"visits": ["a", "b"], "stay": None}
    assert list(mutants_of({}, {}, "seed")) == list(mutants_of(None, None, "seed")) == []


@pytest.mark.parametrize("name", FAMILIES)
def test_a_score_that_does_not_tell_a_witness_from_other_plans_is_named(small_world, monkeypatch, name):
    release = open_release(small_world.releases[name])
    job = Job(release.folder, (), frozenset(release.rows("tasks")["task_id"].to_pylist()))
    assert release.manifest.promises["offered"]["scored_for_another_task"] > 0
    assert judge_scores(job).problems == []

    monkeypatch.setattr(score_trials, "setting_of", lambda _: RunSetting())
    lying.FAMILY[0] = families()[name]

    def told(score):
        family = replace(families()[name], score=f"{LYING}{score}")
        monkeypatch.setattr(score_trials, "families", lambda: {name: family})
        return [problem.removeprefix(f"{LYING}{score} ") for problem in judge_scores(job).problems]

    exchanged = "gives plans that the checker refuses the witnesses' figures; expected others"
    elsewhere = [exchanged.replace("; ", f" by `{variant}`; ") for variant in ("paper", "released")]
    assert told("scores_all_alike") == ["gives no plans the witnesses' figures; expected others", exchanged, *elsewhere]
    assert told("scores_by_number") == [exchanged, *elsewhere]
    assert told("scores_the_first") == ["gives the witnesses other figures in another order"]
    assert told("scores_alike_in_the_paper") == elsewhere[:1]
    rows = "has rows by which "
    empty, *refused = told("scores_with_rows_that_all_pass")
    assert empty.startswith(f"{rows}an empty plan solves ")
    assert [text.startswith(f"{rows}a plan of which `passes` says otherwise solves ") for text in refused] == (
        [True] if families()[name].passes else []
    )
    (failing,) = told("scores_with_rows_that_never_pass")
    assert failing.startswith(f"{rows}the witness does not solve ")


PASSED_OVER = [("itinbench", "cuisine"), ("tripcraft", "budget"), ("grouptravel", "time"), ("grouptravel", "days")]


@pytest.mark.parametrize(("family", "field"), PASSED_OVER)
def test_a_wish_that_nobody_reads_out_of_the_words_is_named(small_world, monkeypatch, family, field):
    """Else a query could leave out what its record asks, and no planner would know of it."""
    release = open_release(small_world.releases[family])
    lying.FAMILY[0], lying.UNREAD[0] = families()[family], field
    lying.RECORDS.update({view.query: view.record for view in opened_once(release.folder).views.values()})
    job = Job(release.folder, (), frozenset(release.rows("tasks")["task_id"].to_pylist()))

    def told(**functions):
        changed = families() | {family: replace(families()[family], read=f"{LYING}reads_all_but", **functions)}
        monkeypatch.setattr(field_exchange, "families", lambda: changed)
        return [problem for problem in judge_fields(job).problems if problem.startswith("record/")]

    assert told() == [], "of so few tasks nothing is concluded"
    monkeypatch.setattr(field_exchange, "FEWEST_READ", 3)

    (problem,) = told()
    assert problem.startswith(f"record/{field}: {LYING}reads_all_but reads the words of ")
    assert told(unread=(field, *families()[family].unread)) == []


@pytest.mark.parametrize(("family", "field"), PASSED_OVER)
def test_what_the_words_are_not_shown_to_say_is_named_on_the_card(small_world, monkeypatch, family, field):
    """A family that declares a wish to be given beside the words hides nothing by it."""
    release, own = open_release(small_world.releases[family]), families()[family]
    job = Job(release.folder, (), frozenset(release.rows("tasks")["task_id"].to_pylist()))
    assert field in judge_fields(job).said_in_words
    beside = replace(own, unread=(field, *own.unread))
    monkeypatch.setattr(field_exchange, "families", lambda: families() | {family: beside})
    report = GateReport()
    report.add_verdict(beside, judge_fields(job))
    assert {field, *own.unjudged} <= {*report.not_read}
    promises = release.manifest.promises | {"not_read": report.not_read}
    rows = (release.rows(name) for name in ("tasks", "certificates"))
    card = dataset_card(release.manifest.model_copy(update={"promises": promises}), {"tasks.parquet": 1}, *rows)
    (line,) = (line for line in card.splitlines() if "Not shown to be said in them" in line)
    assert all(f"`{name}`" in line for name in report.not_read)


@pytest.mark.parametrize("family", FAMILIES)
def test_to_fail_on_another_record_is_not_to_judge_it(small_world, monkeypatch, family):
    release = open_release(small_world.releases[family])
    lying.FAMILY[0] = families()[family]
    lying.HEART.update(content_hash(view.record) for view in opened_once(release.folder).views.values())
    failing = replace(families()[family], check=f"{LYING}fails_on_other_records", verify=None)
    monkeypatch.setattr(field_exchange, "families", lambda: families() | {family: failing})
    fields = judge_fields(Job(release.folder, (), frozenset(release.rows("tasks")["task_id"].to_pylist()))).fields
    assert sum(tried for tried, _ in fields.values()) > 0
    assert {refused for _, refused in fields.values()} == {0}


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_refused_by_a_name_that_certificates_do_not_state_is_named(judged, family):
    lying.FAMILY[0] = families()[family]
    _, found = judged(family, check=f"{LYING}refuses_by_another_name")
    (told,) = (problem for problem in found.problems if "refuses a plan by" in problem)
    assert told.startswith(f"{LYING}refuses_by_another_name refuses a plan by 'other', which is none of its checks")
    _, found = judged(family, asked=f"{LYING}asks_nothing")
    told = {problem for problem in found.problems if "refuses a plan by" in problem}
    assert told != set()
    assert all("which `asked` says asks nothing of the record" in problem for problem in told)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_world_is_made_of_what_a_plan_may_use_and_knows_no_witness(small_world, family):
    release, own = open_release(small_world.releases[family]), families()[family]
    curious = replace(own, world=f"{LYING}tables_of_the_world")
    names = sorted(table.table_name() for table in own.world_tables)
    worlds = worlds_of(curious, release_tables(release))
    assert list(worlds) != []
    assert all(worlds[city] == names for city in worlds)
