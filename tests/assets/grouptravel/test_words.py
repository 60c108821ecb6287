"""Words: queries that tell every fact in many forms, and a lint over every message of whole releases' tasks."""

from __future__ import annotations

import datetime as dt
import itertools
import random
import re
import statistics
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from assets.grouptravel.archetypes import ARCHETYPES
from assets.grouptravel.facts.kinds import manner
from assets.grouptravel.facts.modelled_hours import is_modelled
from assets.grouptravel.vocabulary import EN, VOCABULARIES, ZH, Language, duration_text
from assets.grouptravel.wishes import query_frames_zh
from assets.grouptravel.wishes.frames import FRAMES
from assets.grouptravel.wishes.message_reading import Terms, misread
from assets.grouptravel.wishes.messages import opening, worded
from assets.grouptravel.wishes.preferences import FIELDS, Item
from assets.grouptravel.wishes.queries import ASKS, CHILDREN, ENDS, GROUPS, STARTS, TRIPS, Trip, query
from assets.grouptravel.wishes.spoken import by_text, lexicon
from assets.language.diversity import diversity
from assets.language.nearest_query import nearest_texts
from tests import lint as tests_lint
from tests.assets.grouptravel.test_people import drawn  # noqa: F401  (a fixture)
from tests.lint import CODE, MARKED

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September",
          "October", "November", "December"]  # fmt: skip


def trips(n: int, cities: list[str], homes: list[str]) -> list[Trip]:
    """Return trips as a release of so many tasks has them: archetypes by their published counts."""
    rng = random.Random(1)
    found = []
    for _ in range(n):
        kind = rng.choices(ARCHETYPES, [archetype.count for archetype in ARCHETYPES])[0]
        date = dt.date(2025, 9, 1) + dt.timedelta(days=rng.randrange(243))
        children = tuple(role.en for user, role in enumerate(kind.roles, 1) if user not in kind.with_table)
        to = tuple(rng.sample(cities, rng.choice((1, 2, 3)) if len(cities) > 3 else 1))
        found.append(Trip(to, rng.choice(homes), date, rng.randint(2, 7), kind.group_id, len(kind.roles), children))
    return found


@pytest.mark.parametrize(
    ("group_id", "people", "children", "said", "told"),
    [
        ("4-5", 4, ("small child (0-7)",), "a small child", 1),
        ("3-5", 3, ("small child (0-7)",), "a small child", 1),
        ("6-3", 6, ("small child (0-7)",), "the small child", 0),
        ("4-4", 4, (), "four", 1),
        ("6-2", 6, (), "six of us", None),
    ],
)
def test_a_query_says_once_who_comes_along_and_how_many_they_are(group_id, people, children, said, told):
    trip = Trip(("Oulu",), "Kemi", dt.date(2026, 3, 1), 7, group_id, people, children)
    counts = {query(EN, trip, f"t{number}").lower().count(said) for number in range(200)}
    assert counts == ({0, 1} if told is None else {told})
    if children and told:
        assert all("the small child" in query(EN, trip, f"t{number}").lower() for number in range(50))


def test_a_query_tells_every_fact_in_every_form():
    for number, trip in enumerate(trips(600, ["Aston", "Barrow", "Colby", "Derby"], ["Home", "Away"])):
        text = query(EN, trip, f"t{number}")
        assert GROUPS[trip.group_id].casefold() in text.casefold()
        assert all(city in text for city in (*trip.cities, trip.home))
        assert str(trip.first_date.year) in text
        assert MONTHS[trip.first_date.month - 1] in text or trip.first_date.isoformat() in text
        assert re.search(
            rf"\b{['', '', 'two', 'three', 'four', 'five', 'six', 'seven'][trip.days]}[ -]days?\b", text, re.I
        )
        assert all("small child" in text for child in trip.children if child.startswith("small child"))
        assert not NOBODY_SAYS.search(text)
        assert not re.search(r"[{}]|\ba [aeiou](?!ne)|  |one nights|\.\.|\bin in\b", text)
        assert (text[0].isupper() or text[0].isdigit()) and text[-1] in ".?!"


def test_every_group_has_words_in_both_languages():
    assert set(GROUPS) == set(query_frames_zh.GROUPS) == {archetype.group_id for archetype in ARCHETYPES}
    trip = Trip(("贵阳市", "安顺市"), "深圳市", dt.date(2025, 9, 28), 3, "2-1", 2)
    assert all(fact in query(ZH, trip, "t") for fact in ("贵阳市、安顺市", "深圳市", "三", "两", "2025", "情侣"))
    assert len(ASKS) * len(TRIPS) * len(STARTS) * len(ENDS) * len(CHILDREN) > 50_000


@pytest.mark.parametrize(("cities", "homes"), [
    (["Helsinki"], ["Tampere"]), (["Aston", "Barrow", "Colby", "Derby", "Easton"], ["Home", "Away"]),
])  # fmt: skip
def test_at_the_published_size_few_queries_are_near_alike(cities, homes):
    """Of the one-line queries 62 % were at least 90 % like another task's, and the nearest 91 % at the median."""
    texts = [query(EN, trip, f"t{number}") for number, trip in enumerate(trips(650, cities, homes))]
    nearest = [found[1] for found in nearest_texts(texts) if found]
    assert sum(value >= 90 for value in nearest) <= 0.15 * len(nearest)
    assert statistics.median(nearest) <= 75
    old = [
        f"{', '.join(trip.cities)}: a trip plan of {duration_text(EN, trip.days)} for {trip.people} people"
        for trip in trips(650, cities, homes)
    ]
    assert statistics.median(found[1] for found in nearest_texts(old) if found) > 90


def test_chinese_queries_tell_all_and_are_not_alike():
    made = trips(650, ["贵阳市", "安顺市", "海口市"], ["深圳市"])
    chinese = [replace(trip, children=("小孩（0-7岁）",) if trip.children else ()) for trip in made]
    texts = [query(ZH, trip, f"t{number}") for number, trip in enumerate(chinese)]
    for text, trip in zip(texts, chinese, strict=True):
        date = trip.first_date
        assert "、".join(trip.cities) in text and trip.home in text and query_frames_zh.GROUPS[trip.group_id] in text
        assert f"{date.year}年{date.month}月{date.day}日" in text or date.isoformat() in text
        assert f"{ZH.numbers[trip.days]}天" in text or f"{ZH.numbers[trip.days]}日游" in text
        assert ("小孩" in text) == bool(trip.children)
        assert not re.search(r"[{}a-zA-Z ]|。。|，，|来(一次)?去|之旅的", text)
    nearest = [found[1] for found in nearest_texts(texts) if found]
    assert sum(value >= 90 for value in nearest) <= 0.15 * len(nearest)
    assert statistics.median(nearest) <= 75


OLD_FRAMES = {
    "avg_budget": ("My budget is at most {item} EUR per person, no more.",
                   "I cannot spend more than {item} EUR per person, full stop."),
    "transport.must": ("I must travel by {item} between cities.", "Between cities it has to be {item} for me."),
    "transport.prefer": ("I would like to travel by {item} if possible.",),
    "transport.avoid": ("I would rather not travel by {item}.",),
    "transport.reject": ("I will under no circumstances travel by {item}.",),
    "intensity.max_poi_per_day": ("I can do at most {item} sights a day, no more.",),
    "intensity.max_active_hours": ("I can be on my feet at most {item} hours a day, no more.",),
    "hotel_preference.prefer": ("I would like to stay somewhere of the kind {item} if possible.",),
    "hotel_preference.avoid": ("I would rather not stay somewhere of the kind {item}.",),
    "attractions.must_visit": ("In {city} I must see {item}.", "I have to go to {item} in {city}, whatever happens."),
    "attractions.reject_visit": ("In {city} I will under no circumstances go to {item}.",),
    "attractions.category_pref.positive": ("In {city} I would enjoy sights of the kind {item}.",),
    "attractions.category_pref.negative": ("In {city} I would rather skip sights of the kind {item}.",),
    "food.must_eat": ("In {city} I must eat {item}.", "I have to have {item} in {city}, whatever happens."),
    "food.prefer_eat": ("In {city} I would like to eat {item} if possible.",),
    "food.avoid_eat": ("In {city} I would rather not eat {item}.",),
    "food.reject_eat": ("In {city} I will under no circumstances eat {item}.",),
}  # fmt: skip
"""The sentences of before, to compare by: the same openings, in the same run."""


def test_messages_have_three_times_the_three_word_runs_of_the_sentences_before(drawn):  # noqa: F811
    new, old = [], []
    for number, (_, _, table) in enumerate(drawn):
        said = opening(table, number)
        new.append(worded(said, "en", "EUR", number))
        old.append(" ".join(
            OLD_FRAMES[".".join(item.field.path)][number % len(OLD_FRAMES[".".join(item.field.path)])].format(
                item=item.value if not item.field.is_list else f"“{item.value}”", city="“Aston”"
            ) for item in said
        ))  # fmt: skip

    def runs(texts: list[str]) -> int:
        words = [re.findall(r"\w+", text.casefold()) for text in texts]
        return len({tuple(found[n : n + 3]) for found in words for n in range(len(found) - 2)})

    assert runs(new) >= 3 * runs(old)
    assert diversity(new)["distinct_3"] > diversity(old)["distinct_3"]


# --- the lint -------------------------------------------------------------------------------------------------------

EMPTY_KINDS = ("restaurant", "restaurants", "cafe", "food court")


NOBODY_SAYS = re.compile(
    r"who are friends|we must not|active hours|be happy about|appreciate|hello, friends|pair of parents|"
    r"journey to [A-Z]\w+ of|roommates of|possible, not (?!by )|leave without|days in all (?:for|would)",
    re.IGNORECASE,
)
"""Found by reading releases aloud as the people in them."""


def lint(message: str, currency: str, language: Language = "en") -> list[str]:
    """Return what nobody would write: what `tests.lint` finds, kinds in marks, and kinds that say nothing."""
    kinds = {*by_text(language), *(one.value for one in lexicon(language)), *VOCABULARIES[language].modes.values()}
    if language == "en":
        bare = MARKED.sub("X", message)
        unsaid = [f"{kind!r} says nothing" for kind in EMPTY_KINDS if re.search(rf"\b{kind}\b", bare)]
        unsaid += [f"nobody says {m!r}" for m in NOBODY_SAYS.findall(bare)]
        return [*unsaid, *tests_lint.lint(message, kinds=kinds, codes=(currency,))]
    found = [f"the kind {name!r} is in marks" for name in MARKED.findall(message) if {name, name.casefold()} & kinds]
    found += [f"the code {code}" for code in CODE.findall(MARKED.sub("X", message)) if code == currency]
    return found + [f"a brace: {m}" for m in re.findall(r"[{}]", message)]


@pytest.mark.parametrize("message", [
    "I must eat “sushi” in Oulu.", "I must travel by “train”.", "In Oulu I must eat restaurant.",
    "I'd like a upscale hotel.", "I'd like an hostel.", "At most 500 EUR.", "At most 1 sights a day.",
    "In in Oulu I must eat sushi.", "In Oulu I must eat sushi", "I must see {item}.",
])  # fmt: skip
def test_the_lint_finds_what_nobody_would_write(message):
    assert lint(message, "EUR")
    assert lint("In Oulu I must see “Lake Park”, whatever happens.", "EUR") == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_frame_with_every_word_of_its_part_passes_the_lint_and_reads_back(language):
    """All frames x all words, one seed a word and frame: 161 frames and some 200 words."""
    city = {"en": "Oulu", "zh": "海口市"}[language]
    parts = {"category_pref": "kind", "food": "food", "hotel_preference": "hotel", "transport": "transport"}
    terms = Terms([city], language, "EUR")
    for field in FIELDS:
        part = next((parts[key] for key in reversed(field.path) if key in parts), None)
        values = ["Lake Park"] if field.path[-1].endswith("_visit") else [1500] if not field.is_list else None
        values = values or sorted({one.value for one in lexicon(language) if one.part == part})
        frames = len(FRAMES[language][".".join(field.path)])
        for value, seed in itertools.product(values, range(2 * frames if len(values) < 5 else 3)):
            one = Item(field, city if field.per_city else "", value)
            text = worded([one], language, "EUR", seed)
            assert lint(text, "EUR", language) == [], text
            assert misread(text, [one], terms) == [], text


def lint_tasks(tasks: list[dict[str, Any]], currency: str, language: Language) -> list[str]:
    """Return what the lint finds in every message of published tasks."""
    return [
        f"{task['task_id']} {message['role']}: {problem}: {message['content']}"
        for task in tasks
        for message in task["initial_messages"]
        for problem in lint(message["content"], currency, language)
    ]


@pytest.fixture(scope="module", params=["Helsinki", "Monaco", "Helsinki in Chinese"])
def real(request, real_town):
    """Return a real town's groups and their language."""
    language = "zh" if "Chinese" in request.param else "en"
    return real_town(request.param.partition(" ")[0], language), language


def test_every_message_of_a_real_town_passes_the_lint(real):
    made, language = real
    assert len(made.tasks) == 30
    assert made.problems == []
    assert lint_tasks(made.tasks, made.section.currency, language) == []


def test_every_message_of_the_invented_demonstration_passes_the_lint(small_world):
    task = pd.read_parquet(small_world.releases["grouptravel"] / "tasks.parquet")
    tasks = [{"task_id": row["task_id"], "initial_messages": row["messages"]} for row in task.to_dict("records")]
    assert len(tasks) == 6
    assert lint_tasks(tasks, "USD", "en") == []


def test_a_real_town_s_places_are_what_people_see_eat_and_sleep_in(real):
    made, _ = real
    pois = made.pois
    hours = pois.loc[pois["poi_type"] != "hotels", "opening_hours"].tolist()
    assert all(hours)
    assert any(is_modelled(held) for held in hours) and not all(is_modelled(held) for held in hours)
    food = pois[pois["poi_type"] == "food"]
    assert food["avg_cost"].between(2, 60).all() and food["avg_cost"].nunique() >= 12
    assert pois.loc[pois["poi_type"] == "hotels", "avg_cost"].between(15, 500).all()


def test_no_child_of_a_real_town_speaks_of_money_or_hotels(real):
    made, language = real
    money, hotels = {"en": ("euro", ("hotel", "hostel")), "zh": ("欧元", ("酒店", "旅馆"))}[language]
    said = [(task["user_preferences"][message["role"]]["role"], message["content"])
            for task in made.tasks for message in task["initial_messages"]]  # fmt: skip
    children = [text for role, text in said if "child" in role or "孩" in role or "儿童" in role]
    assert children and not any(word in text for text in children for word in (money, *hotels))
    assert any(money in text for _, text in said)
    tables = [
        entry["preference"]["global_constraints"] for task in made.tasks for entry in task["user_preferences"].values()
    ]
    has_kinds = any(table["hotel_preference"]["prefer"] for table in tables)
    assert any(word in text for _, text in said for word in hotels) == has_kinds


def test_nobody_in_a_real_town_must_see_a_bar_or_refuses_a_park_and_no_child_speaks_of_a_bar(real):
    made, language = real
    kind_of = dict(zip(made.pois["name"], made.pois["category"], strict=True))
    for task in made.tasks:
        for entry in task["user_preferences"].values():
            for held in entry["preference"]["city_specific_preferences"].values():
                sights = held["attractions"]
                assert all(manner(kind_of[name]).is_destination for name in sights["must_visit"])
                assert all(manner(kind_of[name]).is_refused for name in sights["reject_visit"])
                if "child" in entry["role"] or "孩" in entry["role"] or "儿童" in entry["role"]:
                    liked = (*sights["category_pref"]["positive"], *sights["category_pref"]["negative"])
                    assert not any(kind in VOCABULARIES[language].adult_only for kind in liked)
