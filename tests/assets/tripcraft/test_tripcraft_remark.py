"""Remarks give the reasons for a witness: what was chosen for which wish, what was traded."""

from __future__ import annotations

from datetime import date

import pytest

from tests.assets.tripcraft.witnesses import free, persona, witness


def test_the_remark_gives_the_reason_for_every_constraint_and_the_money(world, record, days):
    asked = record(days)
    found = witness(asked, world)
    kinds = [*asked["constraints"]["cuisine"], *asked["constraints"]["attraction"], *asked["constraints"]["event"]]
    for said in (*kinds, "pets", "private room", "driving oneself was ruled out", *asked["persona"].values()):
        assert said in found.remark
    assert f"costs {found.values['cost']} of 5000 XXC" in found.remark


@pytest.mark.parametrize(
    ("keeps", "said"),
    [(lambda hours: hours < "", "as no flight goes that day."), (lambda hours: hours > "21:00", "at a useful hour.")],
)
def test_why_one_drives_is_told_by_the_day_s_flights_and_not_by_those_of_useful_hours(
    frames, build, record, keeps, said
):
    tables, asked = frames(), record(3)
    flights = tables["flights"]
    flights["dep_time"], flights["arr_time"] = "22:10", "23:40"
    tables["flights"] = flights[[keeps(hour) for hour in flights["dep_time"]]]
    asked["constraints"]["transportation"] = None
    remark = witness(asked, build(tables)).remark
    assert said in remark.replace(", from", ". From").partition("“")[0], remark


def _flown(frames, record):
    """Return a world whose flights all leave at eight, and a record that takes one."""
    tables, asked = frames(), free(record, 3, persona())
    tables["flights"] = tables["flights"][tables["flights"]["dep_time"] == "08:00"]
    asked["constraints"]["transportation"] = "no self-driving"
    return tables, asked


def test_a_meal_that_the_rest_of_the_budget_cannot_pay_is_not_said_to_be_closed(frames, build, record):
    tables, asked = _flown(frames, record)
    tables["restaurants"]["avg_cost"] = 100
    found = witness(asked | {"people": 2, "budget": 1400}, build(tables))
    assert 1200 < found.values["cost"] <= 1400
    assert "as the budget leaves too little for it." in found.remark


def test_a_meal_of_a_day_on_which_all_tables_are_closed_is_said_to_have_none(frames, build, record):
    tables, asked = _flown(frames, record)
    closed = date.fromisoformat(asked["dates"][0]).weekday()
    week = [day for number, day in enumerate(("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")) if number != closed]
    tables["restaurants"]["opening_hours"] = f"{','.join(week)} 07:00-23:00"
    found = witness(asked, build(tables))
    assert "On day 1 there is no lunch or dinner, as no other table is open then." in found.remark


def test_a_remark_reads_as_somebody_would_say_it(frames, build, record):
    tables, asked = _flown(frames, record)
    asked["constraints"] |= {"room_type": "not shared room", "event": ["Film"]}
    remark = witness(asked | {"people": 1}, build(tables)).remark
    assert "was taken because it costs 50 XXC a night, it is no shared room, as asked" in remark
    assert "is the Film event that was asked for." in remark
    assert "as the journey takes those hours." in remark
