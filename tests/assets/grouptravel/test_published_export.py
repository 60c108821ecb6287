"""An export as the published checker reads it: hours by date, repeated names, witnesses read back and judged."""

from __future__ import annotations

import datetime as dt
import json

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.grouptravel.checks.validity import CHECKS
from assets.grouptravel.export import task_files
from assets.grouptravel.facts.opening import is_open, is_open_as_text
from assets.grouptravel.published.checker import IS_PLAN, verdicts
from assets.grouptravel.published.dated_hours import dated_hours
from assets.grouptravel.published.published_folder import PLACES
from assets.grouptravel.variants import RELEASED
from schemas.clock import clock_face
from tests.assets.grouptravel.weekend import good_plan, table

MONDAY = dt.date(2025, 10, 6)
DATES = [MONDAY + dt.timedelta(days=n) for n in range(28)]


def rule(weekdays: list[int], *windows: tuple[str, str], span: tuple[str, str] | None = None) -> dict:
    between = {"start": span[0], "end": span[1]} if span else None
    opens = [{"open": start, "close": end} for start, end in windows]
    return {"date_range": between, "weekdays": weekdays, "time_windows": opens}


def hours(*rules: dict) -> dict:
    return {"always_open": False, "rules": list(rules)}


WEEK = hours(rule([1, 2, 3, 4, 5], ("09:00", "17:00")), rule([6], ("10:00", "14:00")))

starts = st.integers(0, 20 * 60)
windows = st.tuples(starts, st.integers(30, 600)).map(
    lambda w: (clock_face(w[0]), clock_face(w[0] + w[1]) if w[0] + w[1] < 1440 else "24:00")
)
rules = st.builds(
    lambda days, opens, span: rule(sorted(days), *opens, span=span),
    st.sets(st.integers(1, 7), min_size=1),
    st.lists(windows, min_size=1, max_size=2),
    st.sampled_from([None, None, ("10-01", "10-15"), ("10-16", "04-30")]),
)


@given(st.lists(rules, min_size=1, max_size=3), st.sampled_from(DATES), starts, st.integers(0, 180))
def test_on_every_date_the_first_rule_that_fits_says_what_all_rules_say(listed, date, start, minutes):
    end = min(start + minutes, 1439)
    written = dated_hours(hours(*listed), DATES)
    assert is_open_as_text(written, date, clock_face(start), clock_face(end), RELEASED) == is_open(
        hours(*listed), date, start, end
    )


def test_a_week_is_one_rule_and_a_dated_rule_for_each_other_open_day():
    written = dated_hours(WEEK, DATES[:7])
    saturday = {"start": "10-11", "end": "10-11"}
    assert [(r["date_range"], r["weekdays"]) for r in written["rules"]] == [
        (saturday, [1, 2, 3, 4, 5, 6, 7]),
        (None, [1, 2, 3, 4, 5]),
    ]
    plain = hours(rule([1, 2], ("09:00", "17:00")))
    assert dated_hours(plain, DATES) is plain
    assert dated_hours(None, DATES) is None


def test_dates_of_more_than_a_year_cannot_be_held():
    with pytest.raises(ValueError, match="less than a year apart"):
        dated_hours(WEEK, [MONDAY, MONDAY + dt.timedelta(days=366)])


USERS = ("User1", "User2", "User3")


def record() -> dict:
    return {
        "time": "2025-10-06",
        "metadata": {
            "departure_city": "Home", "cities": ["Oulu"], "date": "two days and one night", "child_members": [],
        },
        "user_preferences": {user: {"role": "friend", "preference": table(), "compromisable": True} for user in USERS},
        "difficulty_score": 1.0,
        "difficulty_type": "easy",
    }  # fmt: skip


def files(places: list[dict], witness: dict | None = None) -> dict[str, bytes]:
    columns = {"opening_hours": None, "avg_cost": None, "category": "museum", "lat": 65.0, "lon": 25.4}
    poi = pd.DataFrame([{**columns, "city_id": "o", **place} for place in places])
    city = pd.DataFrame([{"city_id": "o", "name": "Oulu"}, {"city_id": "h", "name": "Home"}])
    task = pd.DataFrame([{"task_id": "t1", "query": "Oulu", "record": record(), "messages": []}])
    plan = witness if witness is not None else good_plan()
    return task_files(poi, city, task, pd.DataFrame([{"task_id": "t1", "plan": plan}]))


MUSEUM = {"place_id": "a1", "name": "Grand Museum", "poi_type": "attractions", "opening_hours": WEEK}
SHOP = {"place_id": "b1", "name": "Grand Museum", "poi_type": "food",
        "opening_hours": hours(rule([7], ("20:00", "22:00")))}  # fmt: skip


def test_a_name_means_its_first_place_here_and_there():
    assert set(verdicts(files([MUSEUM, SHOP]))["t1"].values()) == {True}
    shop_first = [{**MUSEUM, "place_id": "c1"}, SHOP]
    assert verdicts(files(shop_first))["t1"]["opening_hours"] is False


def test_places_of_the_same_hours_hold_the_dates_of_trips_to_their_own_city():
    places = json.loads(files([{**MUSEUM, "city_id": "h"}, MUSEUM])[PLACES])
    assert places["Home"][0]["opening_hours"] == WEEK  # nobody travels there
    assert places["Oulu"][0]["opening_hours"] == dated_hours(WEEK, DATES[:2]) != WEEK


def test_the_checker_refuses_what_it_must():
    spoilt = good_plan()
    del spoilt["days"][0]["city_segments"][1]["activities"][-1]
    found = verdicts(files([MUSEUM], spoilt))["t1"]
    assert (found[IS_PLAN], found["hotels"], found["times"]) == (True, False, True)
    nothing = verdicts(files([MUSEUM], {"days": []}))["t1"]
    assert nothing == {IS_PLAN: False, **dict.fromkeys(CHECKS)}
    without = files([MUSEUM])
    del without["witness.jsonl"]
    assert verdicts(without)["t1"][IS_PLAN] is False


def test_a_day_closed_within_the_week_is_closed_there_too():
    monday_closed = hours(
        rule([1, 2, 3, 4, 5], ("09:00", "17:00"), span=("10-07", "12-31")), rule([3], ("09:00", "17:00"))
    )
    closed = {**MUSEUM, "opening_hours": monday_closed}
    assert verdicts(files([closed]))["t1"]["opening_hours"] is False
