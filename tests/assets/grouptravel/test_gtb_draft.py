"""Archetypes against the published counts, and skeletons against their laws."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from itertools import permutations
from typing import cast

import pandas as pd
import pytest
from pydantic import ValidationError

from assets.core.slots import slots_of
from assets.grouptravel.archetypes import ARCHETYPES, BY_ID
from assets.grouptravel.difficulty import Difficulty, difficulty
from assets.grouptravel.draft import DraftError, Draws
from assets.grouptravel.drafting import slots
from assets.grouptravel.draws import ranked
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.tables import GroupCity, GroupCluster


def cities(*tiers: tuple[str, int, bool]) -> pd.DataFrame:
    rows = [(city, city.upper(), tier, departs, 60.0, 25.0) for city, tier, departs in tiers]
    return pd.DataFrame(rows, columns=[column.name for column in GroupCity.columns()])


WORLD = cities(*((f"c{n}", 1 + n % 3, n % 2 == 0) for n in range(12)), ("home", 0, True))
CLUSTERS = pd.DataFrame(
    [("k1", ["c1", "c2", "c3"]), ("k2", ["c4", "c5"]), ("k3", ["c6", "c7", "c8", "c9"])],
    columns=[column.name for column in GroupCluster.columns()],
)
SECTION = GroupTravelSection(currency="EUR", tasks={"easy": 40, "medium": 50, "hard": 40})


def drawn(world=WORLD, clusters=CLUSTERS, seed=1, section=SECTION, fastest=None):
    draws = Draws(world, clusters, section=section, fastest=fastest)
    found = slots_of("grouptravel", "north", slots(section), seed, ())
    return [draws.skeleton(slot.task_id, cast(Difficulty, slot.level), seed) for slot in found]


def test_nobody_sets_out_from_the_next_village_unless_there_is_nowhere_else():
    world = cities(("vaduz", 1, True), ("schaan", 0, True), ("zurich", 0, True))
    world["lat"], world["lon"] = [47.14, 47.17, 47.38], [9.52, 9.51, 8.54]
    alone = CLUSTERS.iloc[:0]
    both = {"train": dict.fromkeys(permutations(world["city_id"], 2), 30)}
    here = Draws(world, alone, section=SECTION, fastest=both)
    assert here.leaving(("vaduz",), 4) == ["zurich"]
    only_near = {"train": dict.fromkeys(permutations(["vaduz", "schaan"], 2), 30)}
    assert Draws(world, alone, section=SECTION, fastest=only_near).leaving(("vaduz",), 4) == ["schaan"]


def test_the_archetypes_are_those_of_the_release():
    assert len(ARCHETYPES) == len(BY_ID) == 22
    by_people = Counter[int]()
    for archetype in ARCHETYPES:
        by_people[len(archetype.roles)] += archetype.count
        assert archetype.group_id.startswith(f"{len(archetype.roles)}-")
        assert [made.user for made in archetype.plan if made.strategy == "skip"] == [
            n for n, role in enumerate(archetype.roles, 1) if role.is_small_child
        ]
        made = []
        for step in archetype.plan:
            assert (step.partner is not None) == step.strategy.startswith("copy")
            assert step.partner is None or step.partner in made
            made.append(step.user)
        assert sorted(made) == list(range(1, len(archetype.roles) + 1))
    assert by_people == {2: 74, 3: 121, 4: 126, 5: 124, 6: 205}
    assert sum(a.count * len(a.roles) for a in ARCHETYPES) == 2865
    assert sum(a.count * len(a.with_table) for a in ARCHETYPES) == 2748


def test_a_pattern_is_any_set_of_members_with_a_table():
    assert BY_ID["3-5"].patterns() == ((1,), (2,), (1, 2))
    assert len(BY_ID["6-1"].patterns()) == 63


def test_each_difficulty_gets_the_count_asked_for_and_is_what_its_size_says():
    found = drawn()
    assert Counter(s.difficulty for s in found) == SECTION.tasks
    for skeleton in found:
        people = len(skeleton.archetype.roles)
        assert difficulty(people, skeleton.days, len(skeleton.city_ids)) == (skeleton.score, skeleton.difficulty)


def test_every_skeleton_is_a_trip():
    clusters = [set(row) for row in CLUSTERS["city_ids"]]
    for skeleton in drawn():
        assert skeleton.departure_city_id not in skeleton.city_ids
        assert len(set(skeleton.city_ids)) == len(skeleton.city_ids) <= skeleton.days
        assert len(skeleton.city_ids) == 1 or any(set(skeleton.city_ids) <= cluster for cluster in clusters)
        assert dt.date(2025, 9, 1) <= skeleton.first_date <= dt.date(2026, 5, 1)
        assert skeleton.compromisable in skeleton.archetype.patterns()
        assert "home" not in skeleton.city_ids


def test_the_same_seed_gives_the_same_and_another_seed_others():
    shuffled = WORLD.sample(frac=1, random_state=3), CLUSTERS.sample(frac=1, random_state=3)
    assert drawn() == drawn(*shuffled)
    assert drawn() != drawn(seed=2)


def test_one_city_more_changes_few_skeletons_and_no_ids():
    before, after = drawn(), drawn(pd.concat([WORLD, cities(("new", 1, False))]))
    assert [s.task_id for s in before] == [s.task_id for s in after]
    changed = [after_ for before_, after_ in zip(before, after, strict=True) if before_ != after_]
    assert changed and all("new" in skeleton.city_ids for skeleton in changed)


def test_a_slot_does_not_depend_on_how_many_others_there_are():
    fewer = drawn(section=GroupTravelSection(currency="EUR", tasks={"easy": 10}))
    assert fewer == drawn()[:10]


@pytest.mark.parametrize(
    ("world", "section", "problem"),
    [
        (cities(("a", 0, True)), SECTION, "no city has enough to go to: 4 sights"),
        (cities(("a", 1, True)), SECTION, "no city to set out from"),
        (
            cities(("a", 1, True), ("b", 1, True)),
            GroupTravelSection(currency="EUR", tasks={"hard": 1}, archetypes={"2-1": 1}),
            "is hard",
        ),
    ],
)
def test_a_world_too_small_is_an_error_that_says_why(world, section, problem):
    with pytest.raises(DraftError, match=problem):
        drawn(world, CLUSTERS.head(0), section=section)


@pytest.mark.parametrize(
    "bad",
    [{"archetypes": {"9-9": 1}}, {"days": {8: 1}}, {"cities": {1: 0}}, {"tasks": {"extreme": 1}}, {"language": "fr"},
     {"currency": "euro"},
     {"first_date": "2026-01-02", "last_date": "2026-01-01"}, {"colour": 1}],
)  # fmt: skip
def test_a_section_that_makes_no_sense_is_refused(bad):
    with pytest.raises(ValidationError):
        GroupTravelSection(**{"currency": "EUR", **bad})


def test_no_currency_is_anybody_s_default():
    with pytest.raises(ValidationError, match="currency"):
        GroupTravelSection.model_validate({})


def test_an_option_removed_leaves_the_order_of_the_others():
    options = [(f"o{n}", n, 1.0 + n % 3) for n in range(30)]
    every = ranked(options, 7)
    assert ranked([o for o in options if o[1] != every[0]], 7) == every[1:]
    assert ranked(reversed(options), 7) == every
    firsts = Counter(ranked([("a", "a", 3.0), ("b", "b", 1.0), ("c", "c", 0.0)], seed)[0] for seed in range(2000))
    assert firsts["c"] == 0 and 0.7 < firsts["a"] / 2000 < 0.8


def test_a_city_to_set_out_from_is_left():
    """All three cities of the cluster are departures, and nothing else is: a trip takes at most two of them."""
    few = cities(("a", 1, True), ("b", 2, True), ("c", 3, True), ("d", 1, False))
    one = pd.DataFrame([("k", ["a", "b", "c"])], columns=[column.name for column in GroupCluster.columns()])
    found = drawn(few, one)
    assert Counter(len(s.city_ids) for s in found).keys() == {1, 2}
    assert all(s.departure_city_id not in s.city_ids for s in found)
    lone = drawn(cities(("a", 1, True), ("b", 1, False)), one.iloc[:0])
    assert {(s.departure_city_id, s.city_ids) for s in lone} == {("a", ("b",))}


def test_groups_are_as_large_as_published():
    """Drawn by the archetypes' weights within a difficulty, six people would be 37 % of tasks instead of 32 %."""
    found = drawn(section=GroupTravelSection(currency="EUR", tasks={"easy": 600, "medium": 750, "hard": 600}))
    shares = Counter(len(s.archetype.roles) for s in found)
    for people, published in {2: 74, 3: 121, 4: 126, 5: 124, 6: 205}.items():
        assert shares[people] / len(found) == pytest.approx(published / 650, abs=0.03)


def both_ways(*pairs: tuple[str, str], minutes: int = 60) -> dict[tuple[str, str], int]:
    return {way: minutes for one, other in pairs for way in ((one, other), (other, one))}


def test_a_trip_is_drawn_that_one_mode_leads_through_in_time():
    """From c0 trains run everywhere and around k1, flights from c2 too but to nowhere else, buses take all day."""
    trains = both_ways(*(("c0", f"c{n}") for n in range(1, 12)), ("c1", "c2"), ("c2", "c3"), ("c1", "c3"))
    flights = both_ways(("c2", "c6"), ("c4", "c5"), ("c7", "c8"))
    fastest = {"train": trains, "flight": flights, "high_speed": both_ways(("c10", "c4"), minutes=1400)}
    chosen = drawn(fastest=fastest)
    several = [s for s in chosen if len(s.city_ids) > 1]
    assert several and {city for s in several for city in s.city_ids} == {"c1", "c2", "c3"}, "k2 and k3 have no trains"
    assert {s.departure_city_id for s in several} == {"c0", "c2"}
    assert {s.departure_city_id for s in several if "c2" in s.city_ids} == {"c0"}
    assert {s.departure_city_id for s in chosen if s.city_ids == ("c4",)} <= {"c0"}
    assert {s.departure_city_id for s in chosen if s.city_ids == ("c6",)} <= {"c0", "c2"}
    assert "c10" not in {s.departure_city_id for s in chosen}, "a third of the waking hours is over before"


def test_where_nothing_runs_every_trip_is_drawn_and_the_fares_say_why_not():
    assert drawn(fastest={"train": {}}) == drawn()
