"""Preference tables: the rules that all of them hold, what inheritance keeps, and what post-validation finds."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from assets.grouptravel.archetypes import ARCHETYPES
from assets.grouptravel.drafting import setting_of
from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.opening import read_opening
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.profiles import assigned, fits
from assets.grouptravel.records import published_task, record_of
from assets.grouptravel.scoring import task_case
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.vocabulary import EN, ZH
from assets.grouptravel.wishes import preference_tables
from assets.grouptravel.wishes.candidates import city_candidates, leg_dates, reach
from assets.grouptravel.wishes.conflicts import conflicts
from assets.grouptravel.wishes.postvalidation import problems
from assets.grouptravel.wishes.preference_tables import make_tables
from assets.grouptravel.wishes.preferences import FIELDS, get
from tests.assets.grouptravel import province as world

SECTION = GroupTravelSection(language="en", currency="EUR", budget_step=50)


def made(of, seed=1):
    members, missing = assigned(of.archetype, world.PROFILES, of.task_id, seed)
    assert missing == []
    return make_tables(of, world.setting(of), members, seed=seed, budget_step=50)


SHAPES = [(("a",), 2), (("a", "b"), 4), (("a", "b", "c"), 7)]


@pytest.mark.parametrize("archetype", ARCHETYPES, ids=lambda a: a.group_id)
@pytest.mark.parametrize(("cities", "days"), SHAPES)
def test_every_table_of_every_archetype_holds_every_rule(archetype, cities, days):
    for seed in range(3):
        of = world.skeleton(archetype.group_id, cities, days, f"t{seed}")
        found = made(of, seed)
        assert found.failures == []
        assert list(found.tables) == [step.user for step in archetype.plan if step.strategy != "skip"]
        for table in found.tables.values():
            assert problems(table, world.setting(of)) == []
            transport = table["global_constraints"]["transport"]
            assert bool(transport["must"]) + bool(transport["prefer"]) == 1, "who insists on one likes no other"


def fields(group: str, *tiers: str):
    return [f for f in FIELDS if f.path[0] == group and f.path[-1] in tiers]


def test_what_each_strategy_inherits():
    pair = made(world.skeleton("2-1")).tables
    friends = made(world.skeleton("2-3")).tables
    assert pair[2]["global_constraints"] == pair[1]["global_constraints"]
    assert friends[2]["global_constraints"] == friends[1]["global_constraints"]
    kept = [*fields("attractions", "positive", "negative"), *fields("food", "prefer_eat", "avoid_eat")]
    for city in ("Aston", "Barrow"):
        assert [get(pair[2], f, city) for f in kept] == [get(pair[1], f, city) for f in kept]
        assert len(get(pair[2], fields("attractions", "must_visit")[0], city)) == 1
        assert get(pair[2], fields("attractions", "must_visit")[0], city) != get(
            pair[1], fields("attractions", "must_visit")[0], city
        )
    assert friends[2]["city_specific_preferences"] != friends[1]["city_specific_preferences"]


def test_a_moderate_copy_likes_other_kinds_and_a_minor_one_never_the_same_places():
    moderate = [made(world.skeleton("2-3"), seed).tables for seed in range(6)]
    minor = [made(world.skeleton("2-1"), seed).tables for seed in range(6)]
    kinds, places = fields("attractions", "positive")[0], fields("attractions", "must_visit")[0]
    assert any(get(tables[1], kinds, "Aston") != get(tables[2], kinds, "Aston") for tables in moderate)
    for tables in minor:
        assert not set(get(tables[1], places, "Aston")) & set(get(tables[2], places, "Aston"))


def test_the_same_seed_gives_the_same_tables_and_other_seeds_others():
    assert made(world.skeleton()).tables == made(world.skeleton()).tables
    assert made(world.skeleton()).tables != made(world.skeleton(), 2).tables


def test_taste_shows():
    """Who likes museums asks for them far more often than who does not care."""

    def museums(liked: bool) -> int:
        count = 0
        for n in range(40):
            of = world.skeleton("2-3", ("a",), 3, f"t{n}")
            profiles = [replace(p, likes=("museum",) if liked else (), dislikes=()) for p in world.PROFILES]
            members, _ = assigned(of.archetype, profiles, of.task_id, 1)
            tables = make_tables(of, world.setting(of), members, seed=1, budget_step=50).tables
            count += sum(
                "museum" in str(table["city_specific_preferences"]["Aston"]["attractions"]["must_visit"])
                for table in tables.values()
            )
        return count

    assert museums(True) > 1.5 * museums(False)


def test_modes_that_do_not_serve_the_trip_are_not_asked_for():
    """G5: must-have modes that no service, or no time, allows."""
    of = world.skeleton("2-1", ("a", "b"), 4)
    assert world.setting(of).reach.whole_trip_modes == ("high_speed", "train")  # no car: no plan may drive
    assert world.setting(of).reach.part_trip_modes == ("flight",)
    slow = Fares({pair: [Service("train", 40.0, 480, 479, world.WEEK)] for pair in world.PAIRS})
    assert reach(of, world.CITIES, slow).whole_trip_modes == ()
    sundays = Fares({pair: [Service("train", 40.0, 480, 600, (7,))] for pair in world.PAIRS})
    assert reach(of, world.CITIES, sundays) == replace(
        reach(of, world.CITIES, slow), whole_trip_modes=(), part_trip_modes=(), fares=None, floor=None
    )
    free = Fares({pair: [Service("train", 0.0, 480, 600, world.WEEK)] for pair in world.PAIRS})
    assert reach(of, world.CITIES, free) == reach(of, world.CITIES, sundays)


@pytest.mark.parametrize(
    ("whole", "wanted", "refused"),
    [
        (("flight",), set(), set()),
        (("train",), set(), set()),
        (("high_speed", "train"), {"high-speed train", "train"}, {"high-speed train", "train", "car"}),
        (("flight", "train"), {"flight", "train"}, {"flight", "train", "car"}),
    ],
)
def test_wishes_to_travel_are_of_ways_there_are_and_none_where_there_is_one(whole, wanted, refused):
    """Nobody on an island refuses trains, nor insists on the only way there is; where trains run, some do not drive."""
    of, said = world.skeleton("3-3", ("a",), 3, "t"), {"wanted": set(), "refused": set()}
    setting = world.setting(of)
    setting = replace(setting, reach=replace(setting.reach, whole_trip_modes=whole, part_trip_modes=()))
    for seed in range(40):
        members, _ = assigned(of.archetype, world.PROFILES, of.task_id, seed)
        tables = make_tables(of, setting, members, seed=seed, budget_step=50).tables
        for table in tables.values():
            transport = table["global_constraints"]["transport"]
            said["wanted"] |= {*transport["must"], *transport["prefer"]}
            said["refused"] |= {*transport["avoid"], *transport["reject"]}
    assert said == {"wanted": wanted, "refused": refused}


def test_legs_are_spread_over_the_days_and_the_floor_covers_them():
    of = world.skeleton("2-1", ("a", "b", "c"), 7)
    assert [(d - of.first_date).days for d in leg_dates(of)] == [0, 2, 4, 6]
    found = world.setting(of).reach
    assert (found.fares, found.floor) == (160.0, 160 + 6 * 70 + 7 * 3 * 12)


def test_a_trip_that_nobody_can_make_fails_and_says_why():
    of = world.skeleton("2-1", ("a", "b"), 4)
    members, _ = assigned(of.archetype, world.PROFILES, of.task_id, 1)
    nowhere = make_tables(of, world.setting(of, Fares({})), members, seed=1, budget_step=50)
    assert "budget_covers" in {problem.rule for problem in nowhere.failures}
    assert nowhere.made_again == 3


def test_names_that_cannot_be_told_apart_are_no_candidates():
    names = ["Old Temple", "Old Temple Market", "Old", "Twin", "Twin", "Zoo", "line\nbreak"]
    pois = Pois({"X": [Poi(f"p{n}", name, "attractions", "park") for n, name in enumerate(names)]})
    found = city_candidates("X", pois, EN)
    assert [poi.name for poi in found.attractions] == ["Zoo", "Old Temple Market"]
    assert found.problems() == [
        "X has 2 attractions of an unmistakable name, needs 4",
        "X has 0 places to eat, needs 6",
        "X has 0 hotels, needs 1",
    ]


@pytest.mark.parametrize(
    ("plain", "taken"),
    [(3, ["Fort 0", "Fort 1", "Fort 2", "Park 0", "Park 1", "Park 2"]), (4, ["Fort 0", "Fort 1", "Fort 2", "Fort 3"])],
)
def test_where_a_bar_is_named_by_a_letter_sights_that_hold_it_are_candidates_if_too_few_others_are(plain, taken):
    """No sight's name stands in another name, so that a plan that is to visit one cannot be met by visiting another."""
    sights = [f"Fort {n}" for n in range(plain)] + [f"Park {n}" for n in range(3)]
    bar = Poi("bar", "P", "food", "noodles")
    pois = Pois({"X": [bar, *(Poi(f"p{n}", name, "attractions", "park") for n, name in enumerate(sights))]})
    assert [poi.name for poi in city_candidates("X", pois, EN).attractions] == taken


def test_categories_follow_the_published_rules():
    assert ZH.category("旅游景点", "attractions") == ZH.category("", "attractions") == "公园"
    assert ZH.category("食堂", "food") == "中餐"
    assert ZH.category("城堡酒店", "hotels") == "商务酒店"
    assert ZH.category("民宿", "hotels") == "民宿"
    rare = [Poi(f"p{n}", f"n{n}", "food", "noodles" if n else "rare") for n in range(200)]
    assert city_candidates("X", Pois({"X": rare}), EN).food_categories == ("noodles",)


def test_a_role_is_filled_by_who_fits_and_nobody_twice():
    of = world.skeleton("6-3")
    members, missing = assigned(of.archetype, world.PROFILES, "t", 1)
    assert missing == []
    assert len({profile.profile_id for profile in members.values()}) == len(members) == 5
    assert all(fits(profile, of.archetype.roles[user - 1]) for user, profile in members.items())
    six = [profile for profile in world.PROFILES if 18 <= profile.age <= 26][:6]
    members, missing = assigned(world.skeleton("6-1").archetype, six, "t", 1)
    assert (len({profile.profile_id for profile in members.values()}), missing) == (6, [])
    young = [profile for profile in world.PROFILES if profile.age < 50]
    assert assigned(of.archetype, young, "t", 1)[1] == [
        "no profile left that fits User1, grandfather",
        "no profile left that fits User2, grandmother",
    ]


def test_conflicts_count_directed_pairs_by_source():
    from tests.assets.grouptravel.weekend import table

    group = {
        1: table(must_eat=["hotpot"], transport_must=["train"], must_visit=["Grand Museum"]),
        2: table(avoid_eat=["hotpot"], transport_avoid=["train"], prefer_eat=["noodles"]),
        3: table(reject_eat=["hotpot", "noodles"], hotel_avoid=["luxury"]),
    }
    assert conflicts(group) == {"transport": 1, "hotel_preference": 0, "attractions": 0, "food": 3}
    assert conflicts(dict(reversed(group.items()))) == conflicts(group)


def test_the_record_is_the_published_one():
    of = world.skeleton("4-5", ("a", "b"), 4)
    tables = made(of).tables
    said = [{"role": f"User{user}", "content": f"Hello from {user}"} for user in sorted(tables)]
    made_of = record_of(of, tables, world.NAMES, SECTION)
    record = published_task({"task_id": of.task_id, "query": "Where to?", "record": made_of, "messages": said})
    assert json.loads(json.dumps(record)) == record
    assert list(record)[:2] == ["task_id", "query"] and list(record)[-2:] == ["difficulty_score", "difficulty_type"]
    assert record["context"] == (
        "Departure city: Home; departure date: 2025-10-06; group: family with two children far apart in age "
        "(4 people); accompanying children: small child (0-7)"
    )
    assert list(record["user_preferences"]) == ["User2", "User1", "User3"]
    assert record["initial_messages"] == [{"role": f"User{n}", "content": f"Hello from {n}"} for n in (1, 2, 3)]
    assert record["metadata"]["child_members"] == [{"user": "User4", "role": "small child (0-7)"}]
    assert [u["compromisable"] for u in record["user_preferences"].values()] == [False, True, False]
    assert task_case("t", record, world.POIS, None, EN).facts.users == ("User1", "User2", "User3", "User4")


def test_the_chinese_record_reads_as_published():
    from assets.grouptravel.vocabulary import context_text

    assert context_text(ZH, "深圳市", "2025-09-28", "四口之家（两孩年龄差大）", 4, ("小孩（0-12岁）",)) == (
        "出发城市：深圳市；出行日期：2025-09-28；团队类型：四口之家（两孩年龄差大）（共4人）；随行儿童：小孩（0-12岁）"
    )


def test_nobody_wishes_to_see_what_is_shut_on_every_day_of_the_trip():
    """From Monday to Wednesday: shut on Mondays is open on the others; open on Sundays alone is shut all along."""
    of = world.skeleton(cities=("a",), days=3)
    windows = [{"open": "10:00", "close": "18:00"}]
    week = {
        "a-attractions-00": [{"weekdays": [7], "time_windows": windows}],
        "a-attractions-01": [{"weekdays": [2, 3, 4, 5, 6, 7], "time_windows": windows}],
    }
    sights = world.CITIES["a"].attractions
    hours = {key: read_opening({"rules": rules})[0] for key, rules in week.items()}
    assert None not in hours.values()
    city = replace(world.CITIES["a"], attractions=tuple(replace(s, hours=hours.get(s.place_id)) for s in sights))
    town: Any = SimpleNamespace(candidates={"a": city}, fares_by_id=world.FARES, names=world.NAMES, vocabulary=EN)
    offered = setting_of(of, town).cities["Aston"].attractions
    assert {s.place_id for s in sights} - {s.place_id for s in offered} == {"a-attractions-00"}


def test_whoever_wishes_for_nightlife_wishes_for_one_kind_of_it_and_for_something_by_day():
    kinds = ["bar", "pub", "theatre", "museum", "nightclub"]
    assert preference_tables._by_day_too(kinds, 1) == ["bar", "museum"]
    assert preference_tables._by_day_too(kinds, 2) == ["bar", "museum"]
    assert preference_tables._by_day_too(kinds[2:], 2) == ["theatre", "museum"]
    assert preference_tables._by_day_too(["bar", "pub"], 2) == ["bar"]


def test_stays_that_somebody_likes_are_a_step_of_price_apart_at_most():
    ranked = ["luxury", "hostel", "upscale", "comfort"]
    assert preference_tables._of_like_price(ranked, 1) == ["luxury"]
    assert preference_tables._of_like_price(ranked, 2) == ["hostel", "comfort"]
    assert preference_tables._of_like_price(["旅馆", "豪华型", "舒适型", "商务酒店"], 3) == [
        "旅馆",
        "舒适型",
        "商务酒店",
    ]
    assert preference_tables._of_like_price([], -1) == []


def test_no_member_is_of_bars_alone_or_of_hostels_and_luxury():
    """Of a city that offers all of them, whatever is drawn."""
    kinds, stays = ("bar", "pub", "nightclub", "museum"), ("hostel", "luxury", "upscale", "comfort")
    of, likes = world.skeleton("3-3", ("a",), 2, "t"), []
    setting = world.setting(of)
    cities = {n: replace(c, attraction_categories=kinds, hotel_categories=stays) for n, c in setting.cities.items()}
    for seed in range(12):
        members, _ = assigned(of.archetype, world.PROFILES, of.task_id, seed)
        tables = make_tables(of, replace(setting, cities=cities), members, seed=seed, budget_step=50).tables
        for table in tables.values():
            (city,) = table["city_specific_preferences"].values()
            likes.append(city["attractions"]["category_pref"]["positive"])
            liked_stays = set(table["global_constraints"]["hotel_preference"]["prefer"])
            assert not ("hostel" in liked_stays and liked_stays & {"luxury", "upscale"})
    assert all(len({*liked} - {"museum"}) <= 1 and "museum" in liked for liked in likes if {*liked} != {"museum"})
    assert any({*liked} - {"museum"} for liked in likes)
