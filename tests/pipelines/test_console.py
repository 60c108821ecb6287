"""What a person reads at the end of a build."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from assets.release.page.data import family_page
from assets.release.reading import open_release
from pipelines import console
from pipelines.console import by_cause, unmet_by_cause
from pipelines.releases.release import Released, released_of
from pipelines.walk.build import BuildResult
from pipelines.walk.walk_report import Blocked
from warehouse.home import Home
from warehouse.releases import ReleaseRef


def test_a_cause_that_blocks_many_cities_is_one_line():
    many = [Blocked(f"xx-a-{n}", "read", "no file") for n in range(5)]
    rows = by_cause([*many, Blocked("xx-b-one", "map", "in the sea")])
    assert rows == [("xx-a-0, xx-a-1, xx-a-2 and 2 more", "read", "no file"), ("xx-b-one", "map", "in the sea")]


@pytest.mark.parametrize(("encoding", "spinner"), [("latin-1", "line"), ("cp1252", "line"), ("utf-8", "dots")])
def test_what_turns_is_of_characters_that_the_terminal_has(encoding, spinner):
    terminal = Console(file=io.TextIOWrapper(io.BytesIO(), encoding), force_terminal=True)
    assert console.spinner(terminal) == spinner


def test_a_need_that_many_cities_lack_is_one_line():
    unmet = [
        {"city_id": f"xx-a-{n}", "family": "tripcraft", "requirement": "trip_stays", "reason": "found 0"}
        for n in range(5)
    ]
    rows = unmet_by_cause([*unmet, {**unmet[0], "reason": "found 2"}])
    assert rows == [
        ("xx-a-0, xx-a-1, xx-a-2 and 2 more", "trip stays (tripcraft)", "found 0"),
        ("xx-a-0", "trip stays (tripcraft)", "found 2"),
    ]


def test_only_what_the_recipe_s_benchmarks_need_is_said_to_lack_released_or_not(monkeypatch, tmp_path):
    sent = io.StringIO()
    monkeypatch.setattr(console, "OUT", Console(file=sent, width=120))
    need = {"city_id": "xx-a", "requirement": "rated_stays", "found": 0, "is_met": False, "reason": "found none"}
    needs = [{**need, "family": family} for family in ("itinbench", "tripcraft")]
    console.show_built(Home(str(tmp_path)), BuildResult(family_names=["tripcraft"], coverage=needs))
    assert "rated stays (tripcraft)" in sent.getvalue()
    assert "itinbench" not in sent.getvalue()


def test_objects_of_the_same_keys_are_a_table_and_nothing_is_not_measured(monkeypatch):
    sent = io.StringIO()
    monkeypatch.setattr(console, "OUT", Console(file=sent, width=80))
    console.show_measures(
        "trips",
        {"persona": None, "checks": {"meal_gaps": {"pass": 3, "fail": 0}, "poi_list": {"pass": 2, "fail": 1}}},
    )
    lines = [" ".join(line.split()) for line in sent.getvalue().splitlines() if line.strip(" ─")]
    assert lines == ["trips", "persona: not measured", "checks", "pass fail", "meal gaps 3 0", "poi list 2 1"]


def test_a_release_whose_page_could_not_be_drawn_is_told_all_the_same(small_world, tmp_path, monkeypatch):
    """Why it could not was said when it was tried; what else was built is told to its end."""
    sent = io.StringIO()
    monkeypatch.setattr(console, "OUT", Console(file=sent, width=200))
    release = Released(ReleaseRef("towns", "tripcraft", "0" * 16, "towns/tripcraft/0"), True, 3, 3, 0)
    console.show_built(Home(str(tmp_path)), BuildResult(releases=[release], steps_run=7))
    assert "its page" not in sent.getvalue()
    assert "7 steps run, 0 already built" in sent.getvalue()


def test_each_release_is_a_line_of_its_tasks_and_of_the_rows_rejected_on_the_way_sources_and_its_own(
    small_world, tmp_path, monkeypatch
):
    sent = io.StringIO()
    monkeypatch.setattr(console, "OUT", Console(file=sent, width=200))
    manifest = open_release(small_world.releases["itinbench"]).manifest
    releases = []
    for version, is_new in (("1" * 16, True), ("2" * 16, False)):
        counts = {**manifest.counts, "tasks": 60, "certified": 59, "rejected": 4, "source_rows_rejected": 30 + is_new}
        changed = manifest.model_copy(update={"counts": counts})
        ref = ReleaseRef("towns", "itinbench", version, f"towns/itinbench/{version}")
        releases.append(released_of(ref, changed, None, is_new=is_new))
    console.show_built(Home(str(tmp_path)), BuildResult(releases=releases))
    lines = [line.split() for line in sent.getvalue().splitlines()]
    assert ["Releases"] in lines
    assert ["family", "version", "tasks", "certified", "rows", "rejected"] in lines
    assert ["itinbench", "1" * 16, "60", "59", "35", "new"] in lines
    assert ["itinbench", "2" * 16, "60", "59", "34", "unchanged"] in lines


def test_queries_that_repeat_others_are_told_where_the_build_ends(small_world, tmp_path, monkeypatch):
    sent = io.StringIO()
    monkeypatch.setattr(console, "OUT", Console(file=sent, width=200))
    manifest = open_release(small_world.releases["itinbench"]).manifest
    not_compared = dict.fromkeys(("median", "most", "share_from_90"), "not compared") | {"queries": 0}
    alike = {"nearest": "another task", "queries": 6, "median": 80.0, "most": 95.0, "share_from_90": 1 / 3}
    similar = [{"nearest": "a published query", **not_compared}, alike]
    manifest = manifest.model_copy(update={"measures": {**manifest.measures, "similar_queries": similar}})
    release = released_of(ReleaseRef("towns", "itinbench", "0" * 16, "towns/itinbench/0"), manifest, None)
    built, home = BuildResult(releases=[release], steps_run=7), Home(str(tmp_path))
    console.show_built(home, built)
    told = "2 of 6 queries are 90 % or more like another task"
    assert f"queries that repeat others: {told}\n" in sent.getvalue()
    assert built.as_json(home)["releases"][0]["repeats"] == [told]


def test_beside_a_stop_stands_what_the_place_has_of_what_is_asked(small_world):
    release = open_release(small_world.releases["itinbench"])
    records = dict(zip(*(release.table("tasks")[column] for column in ("task_id", "record")), strict=True))
    pool = {row["place_id"]: row for row in release.table("itinbench_place").to_dict("records")}
    for task in family_page(release).tasks:
        record = records[task.task_id]
        for stop in (stop for day in task.days for stop in day.stops):
            row = pool[stop.place_id]
            asked = {"attraction": [record["orientation"]], "stay": record["hotel"], "restaurant": record["restaurant"]}
            most = 3 if row["kind"] == "attraction" else 5
            assert all(f"{name} {row[name]:g}/{most}" in stop.note.split(", ") for name in asked[row["kind"]])
            if row["kind"] == "restaurant":
                assert {f"price {row['price_level']:g}/4", row["cuisine_1"]} <= {*stop.note.split(", "), ""}


@pytest.mark.parametrize("family", ["itinbench", "tripcraft", "grouptravel"])
def test_the_sample_is_the_task_that_the_page_shows_first(family, small_world, monkeypatch):
    release, sent = open_release(small_world.releases[family]), io.StringIO()
    last = family_page(release).tasks[-1]
    monkeypatch.setattr("assets.release.page.data.first_task", lambda _: last.task_id)
    monkeypatch.setattr(console, "OUT", Console(file=sent, width=200))
    console.show_sample(release)
    lines = sent.getvalue().split("\n")
    for label, value in last.scores:
        assert any(line.startswith(label) and value in line for line in lines)
    assert lines[1] == last.task_id and lines[-2].endswith(f"tripwright audit {last.task_id}")


def test_what_follows_the_sample_names_the_home_that_was_named(small_world, monkeypatch):
    sent = io.StringIO()
    monkeypatch.setattr(console, "OUT", Console(file=sent, width=200))
    console.show_sample(open_release(small_world.releases["itinbench"]), "my home")
    assert sent.getvalue().rstrip().endswith(" --home 'my home'")


def test_figures_stand_to_the_right_and_words_to_the_left(monkeypatch):
    sent = io.StringIO()
    monkeypatch.setattr(console, "OUT", Console(file=sent, width=80))
    rows = [("a", "9", "7.5 %", "x1"), ("bcd", "1,234", "not measured", "2"), ("e", "", "100 %", "3")]
    console.OUT.print(console.grid("", ("name", "rows", "share", "mixed"), rows))
    lines = [line.rstrip() for line in sent.getvalue().splitlines() if line.strip(" ─")]
    assert lines == [
        "  name    rows          share   mixed",
        "  a          9          7.5 %   x1",
        "  bcd    1,234   not measured   2",
        "  e                     100 %   3",
    ]


def test_no_page_is_said_to_have_no_size():
    assert [console.page_size(size) for size in (1, 49_600, 1_260_000)] == ["1 kB", "50 kB", "1.3 MB"]
