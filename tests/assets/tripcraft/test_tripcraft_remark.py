"""Remarks give the reasons for a witness: what was chosen for which wish, what was traded."""

from __future__ import annotations

from tests.assets.tripcraft.witnesses import witness


def test_the_remark_gives_the_reason_for_every_constraint_and_the_money(world, record, days):
    asked = record(days)
    found = witness(asked, world)
    kinds = [*asked["constraints"]["cuisine"], *asked["constraints"]["attraction"], *asked["constraints"]["event"]]
    for said in (*kinds, "pets", "private room", "no self-driving", *asked["persona"].values()):
        assert said in found.remark
    assert f"costs {found.values['cost']} of 5000 XXC" in found.remark
