"""Remarks give the reasons for a witness: what was chosen for which wish, what was traded."""

from __future__ import annotations

import pytest

from tests.assets.tripcraft.witnesses import witness


def test_the_remark_gives_the_reason_for_every_constraint_and_the_money(world, record, days):
    asked = record(days)
    found = witness(asked, world)
    kinds = [*asked["constraints"]["cuisine"], *asked["constraints"]["attraction"], *asked["constraints"]["event"]]
    for said in (*kinds, "pets", "private room", "no self-driving", *asked["persona"].values()):
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
