"""What post-validation finds in a preference table, each rule of its own, and what it repairs."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

from assets.grouptravel.archetypes import BY_ID
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.profiles import assigned
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.wishes import preference_tables
from assets.grouptravel.wishes.postvalidation import RULES, child_problems, problems, repaired
from assets.grouptravel.wishes.preference_tables import make_tables
from assets.grouptravel.wishes.preferences import FIELDS, put
from tests.assets.grouptravel import province as world

SECTION = GroupTravelSection(language="en", currency="EUR", budget_step=50)


def made(of, seed=1):
    members, missing = assigned(of.archetype, world.PROFILES, of.task_id, seed)
    assert missing == []
    return make_tables(of, world.setting(of), members, seed=seed, budget_step=50)


def spoil(rule: str):
    """Return a valid table and its setting with one rule broken by hand."""
    of = world.skeleton("2-1", ("a", "b"), 4)
    setting, table = world.setting(of), copy.deepcopy(made(of).tables[1])
    city = table["city_specific_preferences"]["Aston"]
    caps = table["global_constraints"]
    sights, food = city["attractions"], city["food"]
    if rule == "listed":
        sights["must_visit"][0] = "Nowhere Castle"
    elif rule == "item_counts":
        food.update(must_eat=["noodles"], prefer_eat=[], avoid_eat=[], reject_eat=[])
    elif rule == "same_cities":
        del table["city_specific_preferences"]["Barrow"]
    elif rule == "tiers_are_exclusive":
        food["avoid_eat"] = list(food["must_eat"])
    elif rule == "category_agrees":
        sights.update(must_visit=["Aston museum A"], category_pref={"positive": [], "negative": ["museum"]})
    elif rule == "has_negative":
        for field in FIELDS:
            for name in ("Aston", "Barrow") if field.sign < 0 else ():
                put(table, field, name, [])
    elif rule == "food_is_diverse":
        for name in ("Aston", "Barrow"):
            table["city_specific_preferences"][name]["food"].update(
                must_eat=["noodles"], prefer_eat=["pizza"], avoid_eat=[], reject_eat=[]
            )
    elif rule == "reachable":
        caps["transport"].update(must=["flight"], prefer=[], avoid=[], reject=[])
    elif rule == "mode_left":
        caps["transport"].update(must=[], prefer=[], avoid=[], reject=list(EN.modes.values()))
    elif rule == "budget_covers":
        caps["avg_budget"] = int(setting.reach.floor or 0) - 1
    elif rule == "caps_in_range":
        caps["intensity"]["max_poi_per_day"] = 9
    return table, setting


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in ("child_role", "suits_age")])
def test_every_rule_is_found_when_broken(rule):
    table, setting = spoil(rule)
    assert {problem.rule for problem in problems(table, setting)} == {rule}


def test_a_trip_that_no_mode_serves_is_told_apart_from_one_whose_modes_are_all_refused():
    table, setting = spoil("mode_left")
    nowhere = replace(setting, reach=replace(setting.reach, whole_trip_modes=(), part_trip_modes=()))
    for judged, words in ((setting, "no mode is left"), (nowhere, "bind fares (group) that have, or add a city")):
        (problem,) = problems(table, judged)
        assert words in problem.detail


@pytest.mark.parametrize("rule", ["listed", "tiers_are_exclusive", "category_agrees", "reachable"])
def test_repair_keeps_the_stronger_and_a_repaired_table_is_not_repaired_again(rule):
    """G2 and G3: after inheritance the same dish was wanted and refused, and wanted museums were of a refused kind."""
    table, setting = spoil(rule)
    kept, dropped = repaired(table, setting)
    assert dropped >= 1
    assert rule not in {problem.rule for problem in problems(kept, setting)}
    assert repaired(kept, setting) == (kept, 0)
    city = kept["city_specific_preferences"]["Aston"]
    if rule == "tiers_are_exclusive":
        assert city["food"]["must_eat"] and not city["food"]["avoid_eat"]
    if rule == "category_agrees":
        assert city["attractions"]["must_visit"] == ["Aston museum A"]
        assert city["attractions"]["category_pref"]["negative"] == []


def test_a_table_is_judged_again_after_it_inherits(monkeypatch):
    """G2: what the partner avoids was inherited, then wanted anew, and nothing looked again."""
    drawn = preference_tables._Draw.table

    def careless(self, strategy, partner):
        table = drawn(self, strategy, partner)
        for city in table["city_specific_preferences"].values() if partner is not None else ():
            city["food"]["avoid_eat"] = list(city["food"]["must_eat"])
        return table

    monkeypatch.setattr(preference_tables._Draw, "table", careless)
    of = world.skeleton("2-1", ("a", "b"), 4)
    found = made(of)
    assert found.dropped_items >= 2
    assert found.failures or problems(found.tables[2], world.setting(of)) == []


@pytest.mark.parametrize(("name", "kind"), [("Aston Hall", "museum"), ("Aston museum shop", "shop")])
def test_a_place_is_of_a_category_by_its_kind_or_by_its_name(name, kind):
    table, setting = spoil("category_agrees")
    city = setting.cities["Aston"]
    city = replace(city, attractions=(*city.attractions, Poi("x", name, "attractions", kind)))
    setting = replace(setting, cities={**setting.cities, "Aston": city})
    table["city_specific_preferences"]["Aston"]["attractions"]["must_visit"] = [name]
    assert [problem.rule for problem in problems(table, setting)] == ["category_agrees"]


def test_children_have_a_table_exactly_if_they_are_old_enough():
    """G6: the release skips a child of up to twelve, and gives a table to another."""
    assert child_problems(BY_ID["4-5"], {}, {1, 2, 3}) == []
    assert [p.path for p in child_problems(BY_ID["4-5"], {}, {1, 2, 3, 4})] == ["User4"]
    assert [p.path for p in child_problems(BY_ID["5-3"], {3: 6}, {1, 2, 3, 4, 5})] == ["User3"]
    assert [p.path for p in child_problems(BY_ID["5-3"], {3: 9}, {1, 2, 4, 5})] == ["User3"]
