"""Drafts: distributions, solvability, budgets, distinctness, and that a change stays local."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections import Counter

import pandas as pd
import pytest

from assets.tripcraft.draft import (
    destinations,
    draw_constraints,
    draw_record,
    identity,
    slots,
    start_dates,
)
from assets.tripcraft.draws import Draws
from assets.tripcraft.section import PUBLISHED_COUNTS, TripcraftSection, share
from assets.tripcraft.vocabulary import CONSTRAINTS, PERSONA, ROOM_TYPES_MEETING
from schemas.stable import content_hash
from tests.assets.tripcraft.witnesses import roughly, slot_of

SMALL = TripcraftSection(counts={3: {"easy": 4, "medium": 6, "hard": 6}, 5: {"medium": 6, "hard": 4}, 7: {"hard": 6}})


@pytest.fixture(scope="module")
def drafts(world):
    return roughly(world, SMALL, 3)


def draw_many(section: TripcraftSection, level: str, people: int, count: int = 4000):
    return [draw_constraints(section, level, people, Draws(1, f"t{i}", 0)) for i in range(count)]


def draw(world, section, slot, draws):
    return draw_record(world, section, slot, draws, destinations(world, section, slot.series.about["days"]))


def shares(counts: Counter) -> dict:
    total = counts.total()
    return {key: count / total for key, count in counts.items()}


def test_the_published_counts_are_the_default():
    section = TripcraftSection()
    by_level = Counter()
    for series in slots(section):
        by_level[series.level] += series.count
    assert by_level.total() == 1000
    assert by_level == {"easy": 218, "medium": 435, "hard": 347}
    assert section.table() == PUBLISHED_COUNTS


def test_a_section_is_read_from_toml_and_has_a_json_schema():
    text = """
    first_date = 2025-03-01
    last_date = 2025-03-31
    currency = "EUR"
    people = {2 = 1.0, 5 = 3.0}
    counts.3 = {easy = 1, hard = 2}
    counts.7 = {medium = 4}
    car_rates = {self_driving_per_km = 0.2, taxi_per_km = 1.5}
    """
    section = TripcraftSection.model_validate(tomllib.loads(text))
    assert section.table() == {3: {"easy": 1, "medium": 0, "hard": 2}, 7: {"easy": 0, "medium": 4, "hard": 0}}
    assert (section.lengths(), section.people) == ([3, 7], {2: 1.0, 5: 3.0})
    assert section.car_rates.cost("taxi", 10.0, 5) == 30
    assert set(TripcraftSection.model_json_schema()["properties"]) == set(TripcraftSection.model_fields)
    assert TripcraftSection.model_validate_json(section.model_dump_json()) == section


def test_tasks_by_length_are_shared_among_the_levels():
    table = TripcraftSection(tasks={3: 30, 5: 30}).table()
    assert {days: sum(levels.values()) for days, levels in table.items()} == {3: 30, 5: 30}
    assert table[3] == {"easy": 8, "medium": 11, "hard": 11}
    assert share(1, PUBLISHED_COUNTS[3]) == {"easy": 0, "medium": 0, "hard": 1}


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"counts": {}, "tasks": {3: 1}}, "either `counts` or `tasks`"),
        ({"first_date": "2024-11-28"}, "shorter than the longest trip"),
        ({"weights_hard": {"cuisine": 1.0}}, "fewer positive weights than the 3 constraints"),
        ({"cuisines": ["Thai"]}, "`cuisines` has 1 value"),
        ({"categories": ["Museums", "Moon"]}, "category `Moon` is unknown"),
        ({"people": {0: 1.0}}, "parties of at least 1"),
        ({"typo": 1}, "typo"),
    ],
)
def test_a_section_that_does_not_fit_together_is_refused(keys, problem):
    with pytest.raises(ValueError, match=problem):
        TripcraftSection.model_validate(keys)


def test_easy_tasks_ask_nothing_medium_one_hard_three():
    for level, count in (("easy", 0), ("medium", 1), ("hard", 3)):
        for asked in draw_many(TripcraftSection(), level, 2, 200):
            assert sum(asked[name] is not None for name in CONSTRAINTS) == count


def test_medium_constraints_are_uniform_and_never_transportation():
    drawn = Counter(name for asked in draw_many(TripcraftSection(), "medium", 2) for name in CONSTRAINTS if asked[name])
    assert set(drawn) == set(CONSTRAINTS) - {"transportation"}
    assert shares(drawn) == pytest.approx(dict.fromkeys(drawn, 0.2), abs=0.025)


def test_hard_constraints_come_as_often_as_published():
    many = draw_many(TripcraftSection(), "hard", 2)
    drawn = {name: sum(asked[name] is not None for asked in many) / len(many) for name in CONSTRAINTS}
    rare = ("cuisine", "transportation")
    assert drawn == pytest.approx({name: 0.338 if name in rare else 0.581 for name in CONSTRAINTS}, abs=0.03)


def test_values_are_of_the_published_numbers_and_kinds():
    section = TripcraftSection()
    for level, cuisines, kinds in (("medium", 2, 1), ("hard", 4, 2)):
        for asked in draw_many(section, level, 5, 600):
            assert asked["cuisine"] is None or len(set(asked["cuisine"])) == cuisines
            assert asked["event"] is None or len(set(asked["event"])) == kinds
            assert asked["attraction"] is None or len(set(asked["attraction"])) == kinds
            assert asked["room_type"] in (None, "private room", "entire room")
    small = Counter(asked["room_type"] for asked in draw_many(section, "medium", 2) if asked["room_type"])
    assert shares(small) == pytest.approx(dict.fromkeys(ROOM_TYPES_MEETING, 0.25), abs=0.05)


def test_parties_origins_dates_and_personas_follow_their_laws(world):
    section = TripcraftSection()
    records = [draw(world, section, slot_of(f"s{i}", 3, "hard"), Draws(1, f"s{i}", 0)) for i in range(3000)]
    kept = [record for record in records if not isinstance(record, str)]
    assert len(kept) == len(records)
    people = shares(Counter(record["people"] for record in kept))
    assert people == pytest.approx({2: 0.5, **dict.fromkeys(range(3, 9), 1 / 12)}, abs=0.03)
    assert shares(Counter(r["origin_city_id"] for r in kept)) == pytest.approx(
        dict.fromkeys(world.cities, 1 / 6), abs=0.03
    )
    starts = Counter(record["dates"][0] for record in kept)
    assert len(starts) == 28 and max(starts.values()) < 2 * 3000 / 28
    for component, values in PERSONA.items():
        found = shares(Counter(record["persona"][component] for record in kept))
        assert found == pytest.approx(dict.fromkeys(values, 1 / len(values)), abs=0.04)


def test_the_last_day_of_the_window_is_drawn(world):
    section = TripcraftSection(last_date=dt.date(2024, 11, 7))
    assert [str(day) for day in start_dates(section, 7)] == ["2024-11-01"]
    (draft,) = roughly(world, section.model_copy(update={"counts": {7: {"easy": 1}}}), 1)
    assert draft.record is not None
    assert draft.record["dates"][-1] == "2024-11-07"


@pytest.mark.parametrize(("days", "starts"), [(3, 27), (5, 25), (7, 23)])
def test_only_the_released_way_never_draws_30_november(days, starts):
    """Published: 27, 25 and 23 starts, the last trip ends on the 29th (1.D)."""
    released, ours = (start_dates(TripcraftSection(variant=variant), days) for variant in ("released", "ours"))
    assert (len(released), len(ours)) == (starts, starts + 1)
    assert [str(way[-1] + dt.timedelta(days=days - 1)) for way in (released, ours)] == ["2024-11-29", "2024-11-30"]


def test_regions_are_as_likely_as_they_have_cities(frames, build):
    """Eastfold has four cities and Southmark five; both qualify, and are drawn four to five."""
    tables = frames()
    new = tables["cities"].iloc[[1] * 5].assign(city_id=[f"south-{i}" for i in range(5)], region="Southmark")
    tables["cities"] = pd.concat(
        [tables["cities"], new.assign(name=[f"South {i}" for i in range(5)])], ignore_index=True
    )
    world = build(tables)
    section = TripcraftSection(variant="released")
    drawn = Counter()
    for i in range(3000):
        record = draw(world, section, slot_of(f"s{i}", 5, "easy"), Draws(1, f"s{i}", 0))
        if not isinstance(record, str) and record["origin_city_id"] in ("harbour", "edge"):
            assert record["dest_city_id"] is None
            drawn[record["dest_region"]] += 1
    assert shares(drawn) == pytest.approx({"Eastfold": 4 / 9, "Southmark": 5 / 9}, abs=0.05)


def test_drafts_are_the_same_every_time_and_change_with_the_seed(world, drafts):
    assert roughly(world, SMALL, 3) == drafts
    assert roughly(world, SMALL, 4) != drafts


def test_drafts_do_not_depend_on_the_order_of_rows(frames, build, drafts):
    turned = build({name: frame.iloc[::-1].reset_index(drop=True) for name, frame in frames().items()})
    assert roughly(turned, SMALL, 3) == drafts


def test_every_record_is_distinct_and_consistent(world, drafts):
    records = [draft.record for draft in drafts]
    assert all(record is not None for record in records)
    assert len({content_hash(identity(record)) for record in records}) == len(records)
    for record in records:
        origin = world.cities[record["origin_city_id"]]
        assert origin.region != record["dest_region"]
        assert len(record["dates"]) == record["days"]
        assert (record["dest_city_id"] is None) == (record["days"] > 3)
        assert record["budget"] > 0 and record["budget"] % 100 == 0


def test_equal_records_are_drawn_again(frames, build):
    """One origin, one destination, one date: only one easy record can exist."""
    tables = frames()
    tables["cities"] = tables["cities"][tables["cities"]["city_id"].isin(["harbour", "edge"])]
    section = TripcraftSection(counts={3: {"easy": 2}}, last_date=dt.date(2024, 11, 3), max_attempts=40)
    first, second = roughly(build(tables), section, 1)
    assert first.record is not None and second.record is None
    assert f"the record equals that of {first.task_id}" in second.obstacles


def test_a_city_more_changes_only_tasks_that_draw_it(frames, build, drafts):
    tables = frames()
    far = tables["cities"].iloc[[0]].assign(city_id="isle", name="Isle", region="Isles")
    tables["cities"] = pd.concat([tables["cities"], far], ignore_index=True)
    after = roughly(build(tables), SMALL, 3)
    changed = [(a, b) for a, b in zip(drafts, after, strict=True) if a.record != b.record]
    # The isle has no flights, roads or places: where it is drawn as the origin the draw is repeated, no more.
    assert len(changed) <= len(drafts) / 3
    for _, b in changed:
        assert b.attempt > 0


def test_adding_tasks_keeps_the_others(world):
    few, more = (TripcraftSection(counts={3: {"medium": n, "hard": 2}}) for n in (3, 5))
    before = {d.task_id: d.record for d in roughly(world, few, 9)}
    after = {d.task_id: d.record for d in roughly(world, more, 9)}
    assert len(after) == len(before) + 2
    assert {task_id: after[task_id] for task_id in before} == before


def no_ways(tables):
    tables.update(flights=tables["flights"].iloc[:0], city_distances=tables["city_distances"].iloc[:0])


def long_ways(tables):
    tables["flights"] = tables["flights"].iloc[:0]
    tables["city_distances"]["duration_min"] = 721.0


def one_region(tables):
    tables["cities"]["region"] = "One"


def no_stays(tables):
    tables["stays"] = tables["stays"].iloc[:0]


def no_stops(tables):
    tables["nearest_stops"] = tables["nearest_stops"].iloc[:0]


@pytest.mark.parametrize(
    ("change", "obstacle"),
    [
        (no_ways, "no destination can be reached from the origin on the dates"),
        (long_ways, "no destination can be reached from the origin on the dates"),
        (one_region, "all 6 cities lie in one region"),
        (no_stays, "no city has places"),
        (no_stops, "no city has places"),
    ],
)
def test_a_world_where_nothing_can_be_asked_says_why(frames, build, change, obstacle):
    tables = frames()
    change(tables)
    section = TripcraftSection(counts={3: {"easy": 1}}, max_attempts=20)
    (draft,) = roughly(build(tables), section, 1)
    assert draft.record is None
    assert draft.obstacles.startswith(obstacle)


@pytest.mark.parametrize(("region", "days", "goes"), [("FI", 3, True), ("One", 3, False), ("FI", 5, False)])
def test_trips_to_one_city_lead_between_cities_of_a_country_of_which_nobody_says_a_region(
    frames, build, region, days, goes
):
    """A city without a region is put in one that is called by its country's code, so that longer trips can tour it."""
    tables = frames()
    tables["cities"] = tables["cities"].assign(region=region, country="FI")
    (draft,) = roughly(build(tables), TripcraftSection(counts={days: {"easy": 1}}), 1)
    assert (draft.record is not None) is goes
    if draft.record:
        assert draft.record["origin_city_id"] != draft.record["dest_city_id"]


def test_a_region_of_one_city_takes_no_longer_trips(frames, build):
    tables = frames()
    tables["cities"] = tables["cities"][tables["cities"]["city_id"].isin(["harbour", "edge", "amble"])]
    (draft,) = roughly(build(tables), TripcraftSection(counts={5: {"easy": 1}}), 1)
    assert draft.obstacles == "no region has 4 cities, as 5-day trips need"


def test_a_city_that_cannot_be_left_again_is_not_drawn(frames, build):
    tables = frames()
    for name in ("flights", "city_distances"):
        rows = tables[name]
        tables[name] = rows[~((rows["origin_city_id"] == "edge") & (rows["dest_city_id"] == "harbour"))]
    world, section = build(tables), TripcraftSection()
    for i in range(60):
        record = draw(world, section, slot_of(f"s{i}", 3, "easy"), Draws(1, f"s{i}", 0))
        assert not isinstance(record, str)
        assert (record["origin_city_id"], record["dest_city_id"]) != ("harbour", "edge")
