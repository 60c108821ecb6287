"""Two cities' releases have no more groups in common than any two sets drawn by chance."""

from __future__ import annotations

import math
from itertools import product
from typing import cast

import pandas as pd
import pytest

from assets.core.slots import area_of, slots_of
from assets.grouptravel.difficulty import Difficulty
from assets.grouptravel.draft import Draws
from assets.grouptravel.drafting import slots
from assets.grouptravel.facts.profiles import Profile, assigned
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.tables import GroupCity, GroupCluster

SECTION = GroupTravelSection(currency="EUR", tasks={"easy": 60, "medium": 60, "hard": 60}, cities={1: 1})
PROFILES = [
    Profile(f"p{age}{gender}{married}{parent}{n}", age, gender, married, parent)
    for age, gender, married, parent, n in product(range(1, 90), ("male", "female"), (True, False), (True, False), "ab")
]


def groups(area: str, destination: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return what kind of group each slot's is, and who its members are: where it goes is left out."""
    rows = [(destination, "There", 1, False, 60.0, 25.0), ("home", "Home", 0, True, 60.0, 25.0)]
    world = pd.DataFrame(rows, columns=[column.name for column in GroupCity.columns()])
    draws = Draws(world, pd.DataFrame(columns=[column.name for column in GroupCluster.columns()]), section=SECTION)
    found = []
    for slot in slots_of("grouptravel", area, slots(SECTION), 1, ()):
        archetype = draws.skeleton(slot.task_id, cast(Difficulty, slot.level), slot.seed).archetype
        members, problems = assigned(archetype, PROFILES, slot.task_id, slot.seed)
        assert not problems
        found.append((archetype.group_id, tuple(member.profile_id for _, member in sorted(members.items()))))
    return found


@pytest.mark.parametrize("others", [(["us-or-b"], "other"), (["us-in-a", "us-or-b"], "one")], ids=["city", "recipe"])
def test_two_sets_have_no_more_groups_in_common_than_chance(others):
    mine, theirs = groups(area_of(["us-in-a"], "one"), "us-in-a"), groups(area_of(*others), "us-or-b")
    assert len(mine) == len(theirs) == 180
    assert not {members for _, members in mine} & {members for _, members in theirs}
    for level in range(3):
        kinds = [[kind for kind, _ in found[60 * level :][:60]] for found in (mine, theirs)]
        alike = sum(one == other for one, other in zip(*kinds, strict=True))
        share = sum(one == other for one, other in product(*kinds)) / 60**2
        assert alike <= 60 * share + 4 * math.sqrt(60 * share * (1 - share))
