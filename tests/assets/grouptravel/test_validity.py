"""Plan validity: a plan without issues, and for each of the nine checks the changes that must be found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.grouptravel.checks.utility import GroupUtility
from assets.grouptravel.checks.validity import CHECKS, issues, validity, verdict_and_utility
from assets.grouptravel.checks.validity_facts import Facts
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.plan import read_plan
from assets.grouptravel.variants import VARIANTS
from tests.assets.grouptravel.weekend import FACTS, POIS, acts, at, good_plan, leg, move, table

Change = Callable[[dict[str, Any]], object]
ALL = ("ours", "paper", "released")


def segments(plan: dict[str, Any], day: int) -> list[dict[str, Any]]:
    return plan["days"][day]["city_segments"]


def found(plan: Any, variant: str) -> set[tuple[str, str]]:
    return {(issue.check, issue.kind) for issue in validity(read_plan(plan), FACTS, VARIANTS[variant]).issues}


@pytest.mark.parametrize("variant", ALL)
def test_a_good_plan_has_no_issue(variant):
    assert validity(read_plan(good_plan()), FACTS, VARIANTS[variant]).issues == ()


@pytest.mark.parametrize("variant", ALL)
def test_a_hotel_overlaps_nothing(variant):
    plan = good_plan()
    acts(plan)[7].update(start_time="15:00", end_time="23:00")
    assert acts(plan)[7]["type"] == "hotel"
    assert "overlaps" not in {check for check, _ in found(plan, variant)}


def test_caps_are_judged_in_ours_by_what_the_plan_is_worth_to_each():
    tables = {"User1": table(max_poi_per_day=1), "User2": table(max_poi_per_day=2), "User3": table()}
    said = {v: verdict_and_utility(read_plan(good_plan()), tables, FACTS, VARIANTS[v])[0].issues for v in ALL}
    assert {v: [(issue.check, issue.user) for issue in told] for v, told in said.items()} == {
        "ours": [("caps", "User1")], "paper": [], "released": [],
    }  # fmt: skip


def test_who_asks_for_the_first_issue_alone_has_no_more_looked_for():
    plan = read_plan({**good_plan(), "days": good_plan()["days"][:1]})

    def worth() -> GroupUtility:
        raise AssertionError("the plan is refused already")

    assert next(issues(plan, FACTS, VARIANTS["ours"], worth)).check == "intercity"


def test_of_other_users_others_take_part():
    resting = at("rest", "09:00", "10:00", "", ["User2", "User9"])
    ((_, _, act),) = read_plan({"days": [{"city_segments": [{"city": "Oulu", "activities": [resting]}]}]}).visits
    assert [act.joined_by(users) for users in (("User1", "User2"), ("User9",), ("User1", "User2"))] == [
        ("User2",), ("User9",), ("User2",),
    ]  # fmt: skip


def set_key(day: int, position: int, **changes: Any) -> Change:
    return lambda plan: acts(plan, day)[position].update(changes)


def elsewhere(plan: dict[str, Any]) -> None:
    plan["days"][1]["city_segments"][0]["city"] = "Kemi"


MUTATIONS: list[tuple[str, str, str, Change, tuple[str, ...]]] = [
    # check, issue, what is done to the good plan, the change, the variants that must see it
    ("intercity", "missing_intercity_transport", "another city in the morning", elsewhere, ALL),
    ("intercity", "missing_intercity_transport", "no way there (G9)", lambda p: segments(p, 0).pop(0),
     ("ours", "paper")),
    ("intercity", "missing_intercity_transport", "no way home (G9)", lambda p: segments(p, 1).pop(), ("ours", "paper")),
    ("intercity", "intercity_origin_mismatch", "a leg from elsewhere",
     lambda p: segments(p, 1)[-1].update(from_city="Kemi"), ("ours", "paper")),
    ("intercity", "leg_by_other_mode", "by car (G9)",
     lambda p: segments(p, 0)[0].update(transport_mode="car"), ("paper",)),
    ("intercity", "no_such_service", "a train that does not run",
     lambda p: segments(p, 0)[0].update(start_time="06:00"), ("ours",)),
    ("intercity", "impossible_local_move", "too fast on foot (G9)",
     set_key(0, 4, transport_mode="walk", start_time="13:29"), ("ours",)),
    ("hotels", "missing_hotel", "no hotel", lambda p: acts(p).pop(), ALL),
    ("hotels", "missing_hotel", "nothing at all", lambda p: acts(p).clear(), ALL),
    ("hotels", "hotel_not_last_activity", "out again", lambda p: acts(p).append(at("rest", "21:00", "22:00", "")), ALL),
    ("hotels", "hotel_double_booked", "two hotels (G9)",
     lambda p: acts(p).insert(7, at("hotel", "18:00", "19:00", "Grand Palace", avg_cost=400)), ("ours", "paper")),
    ("times", "invalid_time_format", "a time in words", set_key(0, 1, start_time="half past nine"), ALL),
    ("times", "invalid_time_format", "minute 60", set_key(0, 1, end_time="11:60"), ALL),
    ("times", "invalid_time_range", "ends before it starts", set_key(1, 1, end_time="08:00"), ALL),
    ("times", "invalid_time_format", "a leg without times", lambda p: segments(p, 0)[0].pop("end_time"), ALL),
    ("overlaps", "time_overlap", "twice at once", set_key(0, 3, start_time="11:00"), ALL),
    ("opening_hours", "outside_opening_hours", "the temple at night",
     set_key(0, 5, start_time="17:00", end_time="19:00"), ALL),
    ("opening_hours", "outside_opening_hours", "breakfast where lunch begins (G9)",
     lambda p: acts(p, 1)[3].update(start_time="10:30", end_time="11:00"), ("ours", "paper")),
    ("opening_hours", "wrong_date", "another date", lambda p: p["days"][1].update(date="2025-11-07"), ("ours",)),
    ("continuity", "missing_intracity_transport", "no transfer on arrival", lambda p: acts(p).pop(0), ALL),
    ("continuity", "missing_intracity_transport", "no transfer to lunch", lambda p: acts(p).pop(2), ALL),
    ("continuity", "missing_intracity_transport", "no transfer to the hotel", lambda p: acts(p).pop(6), ALL),
    ("continuity", "intracity_transport_origin_mismatch", "a ride from elsewhere",
     set_key(0, 4, **{"from": "Zoo"}), ALL),
    ("continuity", "intracity_transport_origin_mismatch", "not from the night's hotel",
     set_key(1, 0, **{"from": "Grand Palace"}), ("ours",)),
    ("timeline", "timeline_order_violation", "back in time",
     lambda p: acts(p).insert(5, at("rest", "08:00", "08:30", "")), ALL),
    ("timeline", "timeline_order_violation", "leaves before lunch ends",
     lambda p: segments(p, 1)[-1].update(start_time="12:00"), ALL),
    ("costs", "missing_avg_cost", "a meal for nothing", lambda p: acts(p)[3].pop("avg_cost"), ALL),
    ("costs", "missing_avg_cost", "a leg for nothing", lambda p: segments(p, 0)[0].update(avg_cost=None), ALL),
    ("costs", "wrong_avg_cost", "a cheap night (G9)", set_key(0, 7, avg_cost=20), ("ours", "paper")),
    ("costs", "wrong_avg_cost", "a cheap train (G9)", lambda p: segments(p, 0)[0].update(avg_cost=90),
     ("ours", "paper")),
    ("costs", "wrong_avg_cost", "less than nothing", lambda p: acts(p)[3].update(avg_cost=-80), ("ours", "paper")),
    ("participants", "invalid_participants", "nobody", set_key(0, 1, participants=[]), ALL),
    ("participants", "invalid_participants", "a stranger", set_key(0, 1, participants=["User1", "User9"]), ALL),
    ("participants", "invalid_participants", "no list", set_key(0, 1, participants="User1"), ALL),
]  # fmt: skip


@pytest.mark.parametrize("variant", ALL)
@pytest.mark.parametrize(("check", "kind", "what", "change", "seen_by"), MUTATIONS, ids=[row[2] for row in MUTATIONS])
def test_a_spoilt_plan_is_found_out(check, kind, what, change, seen_by, variant):
    plan = good_plan()
    change(plan)
    assert ((check, kind) in found(plan, variant)) is (variant in seen_by), found(plan, variant)


def test_each_of_the_nine_checks_has_a_mutation():
    assert len(CHECKS) == 9
    assert {row[0] for row in MUTATIONS} == set(CHECKS)


@pytest.mark.parametrize(
    ("check", "kind", "what", "change"),
    [
        ("nights", "wrong_nights", "to bed at no time", set_key(0, 7, start_time="late")),
        ("nights", "wrong_nights", "until no time", lambda p: acts(p)[7].pop("end_time")),
        ("nights", "wrong_nights", "a bed for two of three", set_key(0, 7, participants=["User1", "User2"])),
        ("nights", "wrong_nights", "a bed on the last day", lambda p: acts(p, 1).append(acts(p)[7])),
        ("nights", "wrong_nights", "no bed", lambda p: acts(p).pop()),
        ("participants", "invalid_participants", "a bed for nobody", set_key(0, 7, participants=[])),
        ("participants", "invalid_participants", "a bed for strangers", set_key(0, 7, participants=["All", "User9"])),
        ("places", "unknown_kind", "no plan has it", lambda p: acts(p).insert(4, at("skydive", "13:00", "13:30", ""))),
        ("places", "unknown_kind", "a leg inside a city", lambda p: acts(p, 1).append(segments(p, 1)[-1])),
        ("places", "wrong_city", "a rest in another city", lambda p: segments(p, 1).insert(
            1, {"city": "Kemi", "activities": [at("rest", "12:40", "13:00", "")]})),
    ],
)  # fmt: skip
def test_what_is_in_a_plan_of_ours_is_read(check, kind, what, change):
    facts, plan = replace(FACTS, cities=("Oulu",), days=2), good_plan()
    assert not [issue for issue in judged_by_ours(plan, facts) if issue[0] in ("nights", "places", "participants")]
    change(plan)
    assert (check, kind) in judged_by_ours(plan, facts), what


def judged_by_ours(plan: Any, facts: Facts) -> set[tuple[str, str]]:
    return {(issue.check, issue.kind) for issue in validity(read_plan(plan), facts, VARIANTS["ours"]).issues}


def test_a_place_between_two_users_is_followed_for_each():
    plan = good_plan()
    acts(plan)[1:2] = [
        at("attraction", "09:30", "11:30", "Grand Museum", ["User1", "User3"]),
        at("rest", "09:30", "11:30", "", ["User2"]),
    ]
    assert found(plan, "ours") == set()
    acts(plan)[3]["participants"] = ["User2"]
    issues = validity(read_plan(plan), FACTS, VARIANTS["ours"]).issues
    assert {(i.kind, i.user) for i in issues} == {
        ("missing_intracity_transport", "User1"),
        ("missing_intracity_transport", "User3"),
    }


def test_a_leg_over_midnight_is_no_wrong_time():
    plan = good_plan()
    segments(plan, 1)[-1].update(start_time="23:00", end_time="01:30")
    assert not [issue for issue in found(plan, "released") if issue[0] in ("times", "timeline", "overlaps")]


def test_an_administrative_suffix_makes_no_other_city():
    from assets.grouptravel.vocabulary import ZH

    plan = {"days": [{"day": 1, "city_segments": [
        leg("07:00", "09:00", "北京", "上海"),
        {"city": "上海市", "activities": [{**move("09:00", "10:00", "虹桥站", "外滩"), "transport_mode": "打车"}]},
        leg("12:00", "14:00", "上海市", "北京市", "高铁"),
    ]}]}  # fmt: skip
    plan["days"][0]["city_segments"][0]["transport_mode"] = "火车"
    facts = replace(FACTS, departure_city="北京市", vocabulary=ZH, fares=None, first_date=None)
    assert validity(read_plan(plan), facts, VARIANTS["ours"]).issues == ()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
keys = st.sampled_from(
    ["type", "start_time", "end_time", "location", "participants", "avg_cost", "transport_mode", "from", "to", "city",
     "activities", "from_city", "to_city"]
)  # fmt: skip
words = st.sampled_from(
    ["attraction", "food", "hotel", "rest", "intercity_transport", "intracity_transport", "09:00", "25:99", "Oulu",
     "All",
     "Grand Museum"]
)  # fmt: skip
entries = st.dictionaries(keys, words | json_values | st.lists(words | json_values, max_size=3), max_size=9)
hostile_plans = json_values | st.fixed_dictionaries(
    {"days": st.lists(json_values | st.fixed_dictionaries(
        {"city_segments": st.lists(json_values | entries | st.fixed_dictionaries(
            {"city": words | json_values, "activities": st.lists(entries | json_values, max_size=4)}), max_size=3)}
    ), max_size=3)}
)  # fmt: skip


@given(hostile_plans)
def test_nothing_in_a_plan_is_an_error(raw):
    from assets.grouptravel.checks.utility import group_utility
    from tests.assets.grouptravel.weekend import USERS, table

    plan = read_plan(raw)
    for variant in VARIANTS.values():
        validity(plan, FACTS, variant)
        group_utility(plan, dict.fromkeys(USERS, table(must_visit=["Grand Museum"])), USERS, POIS, variant)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("child_alone", lambda p: acts(p)[3].update(participants=["User1", "User2"])),
        ("child_out_late", lambda p: acts(p)[3].update(start_time="20:30", end_time="21:30")),
        ("child_at_a_place_of_adults", lambda p: acts(p)[3].update(location="Spirit Bar")),
    ],
)
@pytest.mark.parametrize("variant", ALL)
def test_a_small_child_is_minded(kind, change, variant):
    """G9: the paper says that members of preschool age get nothing unreasonable; the release does not look."""
    bar = Poi("b1", "Spirit Bar", "food", "bar", None, 80.0, 65.013, 25.470)
    facts = replace(FACTS, children=("User3",), pois=Pois({"Oulu": [*POIS.in_city("Oulu"), bar]}))
    assert validity(read_plan(good_plan()), facts, VARIANTS[variant]).issues == ()
    plan = good_plan()
    change(plan)
    kinds = {issue.kind for issue in validity(read_plan(plan), facts, VARIANTS[variant]).issues}
    assert (kind in kinds) is (variant != "released")
    grown = validity(read_plan(plan), replace(facts, children=()), VARIANTS[variant]).issues
    assert kind not in {issue.kind for issue in grown}


A, B, CHILD = "User1", "User2", "User3"
TO_PARK = move("08:30", "09:00", "Comfort Inn", "Lake Park")


def in_park(start: str, end: str, *who: str) -> dict[str, Any]:
    return at("attraction", start, end, "Lake Park", list(who) or None)


@pytest.mark.parametrize(
    ("what", "day", "alone_at"),
    [
        ("with one of two in the hotel", [move("08:30", "09:00", "Comfort Inn", "Lake Park", [A])], None),
        ("with one who rests", [move("08:30", "09:00", "Comfort Inn", "Lake Park", [A]),
                                at("rest", "08:30", "09:00", "", [B])], None),
        ("it waits where one of two goes on looking", [TO_PARK, in_park("09:00", "10:00", A)], None),
        ("both leave before it wakes", [move("08:30", "09:00", "Comfort Inn", "Lake Park", [A, B])], "08:30"),
        ("they take turns to leave, which all do", [move("08:30", "09:00", "Comfort Inn", "Lake Park", [A]),
                                                    move("09:10", "09:30", "Comfort Inn", "Lake Park", [B])], "09:10"),
        ("one waits in the hotel, one has gone on", [
            move("08:30", "09:00", "Comfort Inn", "Lake Park", [A, CHILD]), in_park("09:00", "10:00", A, CHILD),
            move("11:00", "11:20", "Lake Park", "Noodle House", [A])], "11:00"),
        ("one comes before the other goes", [
            TO_PARK, in_park("09:00", "10:00"), move("10:00", "10:30", "Lake Park", "Noodle House", [A]),
            move("10:30", "11:00", "Noodle House", "Lake Park", [A]),
            move("11:00", "11:20", "Lake Park", "Noodle House", [B])], None),
        ("one goes before the other comes", [
            TO_PARK, in_park("09:00", "10:00"), move("10:00", "10:30", "Lake Park", "Noodle House", [A]),
            move("10:30", "11:00", "Noodle House", "Lake Park", [A]),
            move("10:59", "11:20", "Lake Park", "Noodle House", [B])], "10:59"),
        ("both look at what it does not", [TO_PARK, in_park("09:00", "10:00", A, B)], "09:00"),
        ("it goes to the park by itself", [TO_PARK, in_park("09:00", "09:40", CHILD)], "09:00"),
        ("both go to the station", [TO_PARK, in_park("09:00", "11:00"),
                                    move("11:00", "11:20", "Lake Park", "Station", [A, B])], "11:00"),
        ("one is back in the hotel before the other goes", [
            move("08:30", "09:00", "Comfort Inn", "Lake Park", [A]),
            move("09:00", "09:30", "Lake Park", "Comfort Inn", [A]),
            move("09:30", "10:00", "Comfort Inn", "Lake Park", [B])], None),
        ("one waits at the station, whatever it is called, while the other goes back", [
            TO_PARK, in_park("09:00", "11:00"), move("11:00", "11:20", "Lake Park", "Station", [A]),
            move("11:10", "11:30", "Lake Park", "The station", [B, CHILD]),
            move("11:30", "11:50", "The station", "Lake Park", [B])], None),
        ("all go to the station, one after the other", [
            TO_PARK, in_park("09:00", "11:00"), move("11:00", "11:20", "Lake Park", "Station", [A]),
            move("11:10", "11:30", "Lake Park", "The station", [B, CHILD])], None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("variant", ("ours", "paper"))
def test_somebody_is_always_where_a_small_child_is(what, day, alone_at, variant):
    """In one entry with it, or at one place between entries: what others do elsewhere minds nobody."""
    plan = good_plan()
    acts(plan, 1)[:] = day
    assert alone(plan, variant) == ([] if alone_at is None else [(2, CHILD, f"at {alone_at}")]), what


def test_nobody_is_alone_on_the_way_to_a_city_or_after_it():
    plan = good_plan()
    acts(plan)[:3] = [
        move("09:10", "09:30", "Station", "Spice Pot", [A]), move("09:40", "10:00", "Station", "Spice Pot", [B, CHILD])
    ]  # fmt: skip
    assert alone(plan, "ours") == []
    acts(plan)[1]["participants"] = [B]
    assert alone(plan, "ours") == [(1, CHILD, "at 09:40")]


def alone(plan: Any, variant: str) -> list[tuple[int, str, str]]:
    issues = validity(read_plan(plan), replace(FACTS, children=(CHILD,)), VARIANTS[variant]).issues
    told = [(issue.day, issue.user, issue.detail.split(":")) for issue in issues if issue.kind == "child_alone"]
    return [(day, user, ":".join(words[:2])) for day, user, words in told]
