"""`tripwright init` writes a date of trips on which the given feeds run, and says how many of them do."""

from __future__ import annotations

import datetime as dt

import pytest

from assets.families import families
from assets.first_recipe import TripDay
from pipelines.walk.recipes import load_recipe
from tests.pipelines.spatial import town_feed, zipped
from tests.pipelines.test_init import init


def test_the_trip_date_is_a_working_day_on_which_the_most_feeds_run(tmp_path):
    windows = {"a": ("20250101", "20251231"), "b": ("20250210", "20250220"), "c": ("20240101", "20240110")}
    given = []
    for name, window in windows.items():
        (tmp_path / f"{name}.zip").write_bytes(zipped(town_feed(-17.0, 145.7, *window)))
        given += ["--with", tmp_path / f"{name}.zip"]
    answer = init("Cairns", "--box=-17.1,145.6,-16.7,145.8", *given, "--out", tmp_path / "c.toml")
    assert answer.exit_code == 0, answer.output
    spatial = load_recipe(tmp_path / "c.toml", families()).recipe.spatial
    assert spatial is not None
    (day,) = spatial.trip_dates
    assert day in (dt.date(2025, 2, d) for d in (11, 12, 13, 18, 19, 20))  # both of this year run then
    assert f"{day:%A}, {day}, when 2 of the 3 feeds run" in (tmp_path / "c.toml").read_text()
    assert f"note: which stops are served is looked up for {day:%A}, {day}, when" in " ".join(answer.output.split())


@pytest.mark.parametrize(
    ("running", "feeds", "told"),
    [
        (1, 1, "the feed runs"),
        (2, 2, "all 2 feeds run"),
        (1, 2, "1 of the 2 feeds runs"),
        (2, 3, "2 of the 3 feeds run"),
    ],
)
def test_how_many_feeds_run_is_said_in_words(running, feeds, told):
    day = TripDay(dt.date(2014, 6, 17), running, feeds)
    assert day.text == f"Tuesday, 2014-06-17, when {told}"


def test_a_feed_at_the_end_of_the_calendar_is_no_fault(tmp_path):
    (tmp_path / "feed.zip").write_bytes(zipped(town_feed(-17.0, 145.7, "99991201", "99991231")))
    box = "--box=-17.1,145.6,-16.7,145.8"
    assert init("Cairns", box, "--with", tmp_path / "feed.zip", "--out", tmp_path / "c.toml").exit_code == 0
    spatial = load_recipe(tmp_path / "c.toml", families()).recipe.spatial
    assert spatial is not None and [day.year for day in spatial.trip_dates] == [9999]


def test_no_trip_date_is_written_where_no_feed_ever_runs(tmp_path):
    feed = town_feed(-17.0, 145.7) | {"calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,"
                                      "sunday,start_date,end_date\nDAY,0,0,0,0,0,0,0,20250101,20251231\n"}  # fmt: skip
    (tmp_path / "feed.zip").write_bytes(zipped(feed))
    box = "--box=-17.1,145.6,-16.7,145.8"
    assert init("Cairns", box, "--with", tmp_path / "feed.zip", "--out", tmp_path / "c.toml").exit_code == 0
    spatial = load_recipe(tmp_path / "c.toml", families()).recipe.spatial
    assert spatial is not None and spatial.trip_dates == []
