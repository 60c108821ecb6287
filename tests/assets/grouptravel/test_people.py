"""Who wants what: children and bars, seasons, kinds that hold others; usual hours."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from assets.grouptravel.archetypes import ARCHETYPES
from assets.grouptravel.facts.categories import ATTRACTIONS, FOOD, STAYS, TAGS, VAGUE
from assets.grouptravel.facts.hours import published_hours
from assets.grouptravel.facts.kinds import CHINESE, MANNERS, PARENTS, clash, is_taste, kinds_of, manner
from assets.grouptravel.facts.modelled_hours import after_dark, is_modelled, modelled_hours
from assets.grouptravel.facts.opening import is_open, read_opening
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.profiles import assigned
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.wishes.candidates import city_candidates
from assets.grouptravel.wishes.people import BY_AGE, BY_TAG, COLD, WARM, Person
from assets.grouptravel.wishes.postvalidation import age_problems, problems
from assets.grouptravel.wishes.preference_tables import make_tables
from assets.grouptravel.wishes.preferences import items_of
from tests.assets.grouptravel import province
from tests.assets.grouptravel.weekend import daily

# --- the taxonomy ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("one", "other", "is_clash"), [
    ("Chinese food", "Asian food", True), ("Asian food", "Chinese food", True), ("sushi", "Asian food", True),
    ("sushi", "sushi", True), ("pizza", "Mediterranean food", True), ("bar", "nightlife", True),
    ("Chinese food", "Japanese food", False), ("pizza", "pasta", False), ("museum", "park", False),
    ("中餐", "亚洲菜", True), ("寿司", "亚洲菜", True), ("寿司", "中餐", False), ("酒吧", "夜店", False),
])  # fmt: skip
def test_who_wants_a_kind_cannot_refuse_what_holds_it(one, other, is_clash):
    assert clash(one, other) is clash(other, one) is is_clash


def test_the_taxonomy_has_no_circle_and_every_word_of_it_is_one_that_places_have():
    for kind in PARENTS:
        assert kind not in kinds_of(kind)[1:]
    said = {words[0] for table in (ATTRACTIONS, FOOD, STAYS, TAGS, VAGUE) for words in table.values()}
    parents = {parent for held in PARENTS.values() for parent in held}
    unplaced = {kind for kind in MANNERS if kind not in said | set(PARENTS) | parents}
    assert unplaced == set()
    for table in (ATTRACTIONS, TAGS, FOOD, VAGUE):
        assert [(en, zh) for en, zh in table.values() if zh and not set(kinds_of(zh)) & set(kinds_of(en))] == []
    assert all(english in said | set(PARENTS) | parents for english in CHINESE.values())


def test_every_kind_in_the_tables_of_people_is_one_that_places_have():
    known = {words[0] for table in (ATTRACTIONS, FOOD, STAYS, TAGS, VAGUE) for words in table.values()}
    known |= {kind for pair in PARENTS.items() for kind in (pair[0], *pair[1])} | set(EN.hotel_categories)
    used = {*BY_AGE, *WARM, *COLD, *(kind for weights in BY_TAG.values() for kind in weights)}
    assert used - known == set()
    tags = {tag[1] for archetype in ARCHETYPES for tag in archetype.tags}
    assert set(BY_TAG) <= tags


# --- people ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("category", ["bar", "pub", "nightclub", "casino", "winery", "酒吧", "赌场"])
def test_children_speak_neither_for_nor_against_what_is_for_adults(category):
    for age in (8, 13, 17):
        assert Person(age).wish(category) == Person(age, likes=(category,)).wish(category) == 0
        assert Person(age).refusal(category) == 0
    assert Person(25).wish(category) > 0
    assert Person(25).refusal(category) > 0


def test_wishes_follow_age_group_season_and_taste():
    child, young, old = Person(9), Person(24), Person(70)
    assert child.wish("zoo") > young.wish("zoo")
    assert old.wish("garden") > young.wish("garden") > child.wish("garden")
    assert young.refusal("garden") > old.refusal("garden")
    assert Person(40, ("family",)).wish("theme park") > Person(40).wish("theme park")
    summer, winter = Person(24, (), 7, 60.0), Person(24, (), 1, 60.0)
    assert summer.wish("beach") > young.wish("beach") > 10 * winter.wish("beach")
    assert Person(24, (), 1, -34.0).wish("beach") == summer.wish("beach")
    assert Person(24, (), 1, 5.0).wish("beach") == young.wish("beach")
    fan = Person(24, likes=("museum",), dislikes=("park",))
    assert fan.wish("museum") > young.wish("museum")
    assert fan.refusal("museum") < young.refusal("museum")
    assert fan.refusal("park") > young.refusal("park")


def nightly_city(name: str) -> Pois:
    kinds = ("museum", "park", "bar", "nightclub", "casino", "castle", "church", "public art")
    sights = [Poi(f"s{n}", f"{name} {kinds[n % 8]} {n}", "attractions", kinds[n % 8], None, None, 60.0, 25.0)
              for n in range(48)]  # fmt: skip
    food = ("sushi", "pizza", "Chinese food", "Asian food", "cafe", "restaurant", "steak", "burgers")
    meals = [Poi(f"f{n}", f"{name} food {n}", "food", food[n % 8], None, 12.0) for n in range(40)]
    return Pois({name: [*sights, *meals, Poi("h", f"{name} inn", "hotels", "hostel", None, 50.0)]})


@pytest.fixture(scope="module")
def drawn():
    """Return every member's age and table of many groups in a city of one hotel and much nightlife."""
    candidates = city_candidates("Aston", nightly_city("Aston"), EN)
    found = []
    for archetype in ARCHETYPES:
        for n in range(6):
            of = province.skeleton(archetype.group_id, ("a",), 3, f"t{n}")
            setting = province.setting(of)
            setting = type(setting)({"Aston": candidates}, setting.reach, EN)
            members, _ = assigned(of.archetype, province.PROFILES, of.task_id, n)
            made = make_tables(of, setting, members, seed=n, budget_step=50)
            assert made.failures == []
            assert all(problems(table, setting) == [] for table in made.tables.values())
            found += [(members[user].age, archetype, table) for user, table in made.tables.items()]
    return found


def test_nobody_travels_for_one_bar_and_children_name_none(drawn):
    adults_only = ("bar", "nightclub", "casino")
    for age, _, table in drawn:
        sights = table["city_specific_preferences"]["Aston"]["attractions"]
        named = [*sights["must_visit"], *sights["reject_visit"]]
        assert not any(word in name for name in named for word in (*adults_only, "public art"))
        if age < 18:
            assert not set(adults_only) & {*sights["category_pref"]["positive"], *sights["category_pref"]["negative"]}
    liked = [age for age, _, table in drawn
             if set(adults_only) & set(table["city_specific_preferences"]["Aston"]["attractions"]["category_pref"]["positive"])]  # fmt: skip  # noqa: E501
    assert liked and min(liked) >= 18


def test_few_wish_for_what_people_look_at_in_passing_and_nobody_refuses_one_of_it(drawn):
    """In a city of as many works of public art as churches."""
    tables = [table["city_specific_preferences"]["Aston"]["attractions"] for _, _, table in drawn]
    art, churches = (
        sum(kind in one["category_pref"]["positive"] for one in tables) for kind in ("public art", "church")
    )
    assert 0 < 3 * art < churches
    assert any("church" in name for one in tables for name in one["reject_visit"])
    assert not any("public art" in name for one in tables for name in one["reject_visit"])


def test_nobody_wishes_for_what_there_is_one_of_or_for_what_says_nothing(drawn):
    for _, _, table in drawn:
        for item in items_of(table):
            assert item.field.path[0] != "hotel_preference"
            if item.field.path[0] == "food":
                assert is_taste(item.value)


def test_no_table_wants_and_refuses_kinds_of_which_one_holds_the_other(drawn):
    for _, _, table in drawn:
        food = table["city_specific_preferences"]["Aston"]["food"]
        for wanted in (*food["must_eat"], *food["prefer_eat"]):
            assert not any(clash(wanted, refused) for refused in (*food["avoid_eat"], *food["reject_eat"]))


def test_a_clash_of_kinds_is_a_broken_rule_whoever_made_the_table():
    of = province.skeleton("2-1", ("a",), 3)
    setting = province.setting(of)
    members, _ = assigned(of.archetype, province.PROFILES, of.task_id, 1)
    table = make_tables(of, setting, members, seed=1, budget_step=50).tables[1]
    table["city_specific_preferences"]["Aston"]["food"] = {
        "must_eat": ["hotpot"], "prefer_eat": ["sushi"], "avoid_eat": ["noodles"], "reject_eat": [],
    }  # fmt: skip
    assert problems(table, setting) == []
    dishes = (*setting.cities["Aston"].food_categories, "Asian food")
    city = type(setting.cities["Aston"])(**{**vars(setting.cities["Aston"]), "food_categories": dishes})
    setting = type(setting)({"Aston": city}, setting.reach, EN)
    table["city_specific_preferences"]["Aston"]["food"]["avoid_eat"] = ["Asian food"]
    assert {problem.rule for problem in problems(table, setting)} == {"tiers_are_exclusive"}


@pytest.mark.parametrize(("age", "is_wrong"), [(9, True), (17, True), (18, False)])
def test_a_table_that_speaks_of_bars_does_not_suit_a_child_whoever_made_it(age, is_wrong):
    of = province.skeleton("2-1", ("a",), 3)
    candidates = city_candidates("Aston", nightly_city("Aston"), EN)
    setting = type(province.setting(of))({"Aston": candidates}, province.setting(of).reach, EN)
    members, _ = assigned(of.archetype, province.PROFILES, of.task_id, 1)
    table = make_tables(of, setting, members, seed=1, budget_step=50).tables[1]
    table["city_specific_preferences"]["Aston"]["attractions"]["category_pref"]["negative"] = ["bar"]
    assert [problem.rule for problem in age_problems(table, setting, age)] == ["suits_age"] * is_wrong


def test_a_city_of_one_kind_of_stay_gives_no_wish_for_kinds():
    inns = [Poi(f"h{n}", f"inn {n}", "hotels", "hostel", None, 50.0) for n in range(3)]
    assert city_candidates("X", Pois({"X": inns}), EN).hotel_categories == ()
    inns += [Poi(f"g{n}", f"grand {n}", "hotels", "luxury", None, 50.0) for n in range(2)]
    assert city_candidates("X", Pois({"X": inns}), EN).hotel_categories == ("luxury", "hostel")


# --- hours ----------------------------------------------------------------------------------------------------------

MONDAY, SUNDAY = dt.date(2025, 10, 6), dt.date(2025, 10, 5)


@pytest.mark.parametrize("country", ["FI", "ES", "US", "CN", "JP", "XX"])
def test_modelled_hours_are_marked_and_read(country):
    for poi_type, words in (("attractions", (*ATTRACTIONS.values(), *TAGS.values())), ("food", FOOD.values())):
        for category in {word for pair in words for word in pair}:
            hours = modelled_hours(poi_type, category, country)
            assert is_modelled(hours)
            assert read_opening(hours) == (hours, [])
            assert is_modelled(read_opening(hours)[0])
    assert modelled_hours("hotels", "hostel", country) is None
    assert not is_modelled({"always_open": True, "rules": []})


def test_hours_follow_kind_and_country():
    def opens(poi_type, category, country, date, hour):
        return is_open(modelled_hours(poi_type, category, country), date, hour * 60, hour * 60 + 45)

    for category in ("bar", "pub", "nightclub", "nightlife", "casino", "酒吧"):
        assert [opens("attractions", category, "FI", SUNDAY, hour) for hour in (11, 15, 19)] == [False, False, True]
        assert manner(category).is_after_dark
    assert opens("attractions", "museum", "FI", SUNDAY, 12) and not opens("attractions", "museum", "FI", MONDAY, 12)
    assert opens("attractions", "museum", "US", MONDAY, 12)
    assert opens("attractions", "public art", "FI", MONDAY, 3)
    assert not opens("food", "restaurant", "ES", MONDAY, 18) and opens("food", "restaurant", "ES", MONDAY, 21)
    assert opens("food", "restaurant", "FI", MONDAY, 18)
    assert opens("food", "cafe", "ES", MONDAY, 8) and not opens("food", "restaurant", "FI", MONDAY, 8)
    assert opens("food", "restaurant", "CN", MONDAY, 8)


def test_known_hours_of_nightlife_count_from_dark_and_keep_their_nights():
    pub = published_hours("Mo-Th 11:00-24:00; Fr-Sa 16:00-03:00; Su 12:00-17:00", 60.0, 24.0)
    assert pub is not None
    cut = after_dark(pub)
    assert read_opening(cut) == (cut, []) and not is_modelled(cut)
    friday, saturday, sunday = (dt.date(2025, 10, 10 + n) for n in range(3))

    def opens(date, hour, hours=cut):
        return is_open(hours, date, hour * 60, hour * 60 + 45)

    assert opens(MONDAY, 12, pub) and not opens(MONDAY, 12) and opens(MONDAY, 19)
    assert opens(friday, 23) and opens(saturday, 1) and not opens(friday, 17)
    assert opens(sunday, 14, pub) and not opens(sunday, 14) and not opens(sunday, 19)
    always = after_dark({"always_open": True, "rules": []})
    assert [opens(MONDAY, hour, always) for hour in (3, 12, 20)] == [False, False, True]
    summer = published_hours("Jun-Aug 10:00-16:00; Sep-May 18:00-23:00", 60.0, 24.0)
    assert summer is not None
    late = after_dark(summer)
    assert [opens(dt.date(2025, month, 6), 19, late) for month in (7, 10)] == [False, True]
    assert [opens(dt.date(2025, month, 6), 12, late) for month in (7, 10)] == [False, False]


@pytest.mark.parametrize("hours", [("11:00", "23:00"), ("18:00", "23:00"), ("11:00", "16:00")])
def test_nightlife_of_one_season_is_closed_in_the_others(hours):
    """Of dates that no rule covers nothing was known, so that a bar of the summer was open at noon in October."""
    opens, closes = hours
    summer = daily(opens, closes)
    summer["rules"][0]["date_range"] = {"start": "06-01", "end": "08-31"}
    cut = after_dark(summer)
    at = [(month, hour) for month in (7, 10) for hour in (12, 19)]
    opened = [is_open(cut, dt.date(2025, month, 6), hour * 60, hour * 60 + 45) for month, hour in at]
    assert opened == [False, closes == "23:00", False, False]


@pytest.mark.parametrize("archetype", ["2-1", "2-3", "6-1"])
def test_a_city_without_a_choice_of_tastes_gives_no_wish_for_food(archetype):
    of = province.skeleton(archetype, ("a",), 3)
    setting = province.setting(of)
    plain = replace(setting.cities["Aston"], food_categories=("noodles",))
    setting = replace(setting, cities={"Aston": plain})
    members, _ = assigned(of.archetype, province.PROFILES, of.task_id, 1)
    made = make_tables(of, setting, members, seed=1, budget_step=50)
    assert made.failures == [] and made.tables
    for table in made.tables.values():
        food = table["city_specific_preferences"]["Aston"]["food"]
        assert not any(food.values()) and problems(table, setting) == []
        food["must_eat"] = ["noodles"]
        assert {problem.rule for problem in problems(table, setting)} == {"item_counts"}


@pytest.mark.parametrize("archetype", ["2-1", "2-3", "6-1"])
def test_a_city_of_one_kind_of_sight_gives_wishes_for_sights_alone(archetype):
    parks = [Poi(f"p{n}", f"Park {chr(65 + n)}", "attractions", "park") for n in range(6)]
    assert city_candidates("X", Pois({"X": parks}), EN).attraction_categories == ()
    of = province.skeleton(archetype, ("a",), 3)
    setting = province.setting(of)
    setting = replace(setting, cities={"Aston": replace(setting.cities["Aston"], attraction_categories=())})
    members, _ = assigned(of.archetype, province.PROFILES, of.task_id, 1)
    made = make_tables(of, setting, members, seed=1, budget_step=50)
    assert made.failures == [] and made.tables
    for table in made.tables.values():
        sights = table["city_specific_preferences"]["Aston"]["attractions"]
        assert len(sights["must_visit"]) == 2 and not any(sights["category_pref"].values())
