"""A record's wording reads back as the record; a wording that leaves out, adds or changes a fact is caught."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from typing import Any, cast

import pyarrow.parquet as pq
import pytest

from assets.family import Worded
from assets.tripcraft import phrases
from assets.tripcraft.careful.asked import asked_of
from assets.tripcraft.phrases import LAYOUTS, SENTENCES
from assets.tripcraft.rules import disagreements, expected_facts, read, read_back
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.vocabulary import (
    CATEGORY_DURATION_H,
    CONSTRAINTS,
    FORBIDDEN_BY,
    QUERY_CUISINES,
    ROOM_TYPES_MEETING,
    SEGMENTS,
    TRANSPORT_REQUESTS,
)
from assets.tripcraft.wording import plain_wishes, request
from assets.tripcraft.wording_by_model import problems, to_word
from tests.assets.tripcraft.conftest import reference_of
from tests.assets.tripcraft.witnesses import roughly
from tests.lint import lint


@pytest.fixture(scope="module")
def worded(world):
    section = TripcraftSection(counts={d: {"easy": 3, "medium": 20, "hard": 20} for d in (3, 5, 7)})
    return [
        (draft.record, request(cast(Any, draft.record), world, seed=8, task_id=draft.task_id))
        for draft in roughly(world, section, 8)
        if draft.record is not None
    ]


def test_every_wording_reads_back_as_its_record(world, worded):
    assert len(worded) > 120
    for record, text in worded:
        assert disagreements(text, record, world) == []
        assert read_back(text, record, world).keys() == expected_facts(record, world).keys()


def test_no_wording_names_the_level_or_the_persona(worded):
    for record, text in worded:
        assert record["level"] not in text.lower().split()
        assert "Traveler" not in text and "Seeker" not in text


def test_a_record_is_worded_alike_every_time_and_tasks_differ(world, worded):
    record, _ = worded[0]
    texts = {request(record, world, seed=8, task_id=f"t{i}") for i in range(60)}
    assert len(texts) > 50
    assert request(record, world, seed=8, task_id="t1") == request(record, world, seed=8, task_id="t1")


def test_no_part_of_a_request_stands_in_one_place_or_in_one_form(world, record):
    """What a script would pass by: one order of parts, one sentence for a wish."""
    asked = record(3) | {"people": 2}
    asked["constraints"] = dict.fromkeys(CONSTRAINTS) | {"house_rule": "pets", "cuisine": ["French"], "event": ["Film"]}
    texts = [request(asked, world, seed=1, task_id=f"t{number}") for number in range(200)]
    for part in ("pets", "French", "film", "5,000", "Harbour", "November"):
        found = [re.search(rf"(?:^|[.?;] )([^.?;]*\b{part}\b[^.?;]*)", text) for text in texts]
        begins = Counter(match.start(1) > 0 for match in found if match)
        forms = Counter(match[1] for match in found if match)
        assert sum(begins.values()) == len(texts) and begins[False] > 5, (part, begins)
        assert max(forms.values()) < len(texts) / 3, (part, forms)


@pytest.mark.parametrize("people", [1, 2, 3, 12])
def test_every_sentence_reads_back(monkeypatch, world, record, people):
    """Every sentence of the phrases, with all else as it is drawn."""
    number = 0
    for part, sentences in SENTENCES.items():
        layouts = [layout for layout in LAYOUTS if part in layout.split()] or LAYOUTS
        monkeypatch.setattr(phrases, "LAYOUTS", layouts)
        for sentence in sentences:
            monkeypatch.setattr(phrases, "SENTENCES", SENTENCES | {part: (sentence,)})
            asked = full(record(3), people, number := number + 1)
            asked["constraints"]["transportation"] = part if part in TRANSPORT_REQUESTS else "no flight"
            text = request(asked, world, seed=3, task_id=f"t{number}")
            assert sentence.split("{")[0] in text
            assert disagreements(text, asked, world) == [] and problems(text, asked, world) == [], text
            assert lint(text, kinds=[*CATEGORY_DURATION_H, *SEGMENTS]) == [], text
            assert bool(re.search(r"\b(?:I|am|me|my|myself)\b", text, re.IGNORECASE)) <= (people == 1), text
            assert bool(re.search(r"\b(?:we|are looking|us|our|ourselves)\b", text, re.IGNORECASE)) <= (people > 1), (
                text
            )


def full(record, people: int, number: int):
    """Return the record with a wish of every kind, other ones for each number."""
    asked = record | {"people": people, "budget": 12_300}
    asked["constraints"] = dict.fromkeys(CONSTRAINTS) | {
        "house_rule": sorted(FORBIDDEN_BY)[number % len(FORBIDDEN_BY)],
        "room_type": sorted(ROOM_TYPES_MEETING)[number % len(ROOM_TYPES_MEETING)],
        "cuisine": sorted(QUERY_CUISINES)[: 1 + number % 4],
        "attraction": sorted(CATEGORY_DURATION_H)[number % 15 :][: 1 + number % 2],
        "event": sorted(SEGMENTS)[number % 4 :][: 1 + number % 2],
    }
    return asked


def other(now: str | None, *options: str) -> str:
    """Return the first of the options that is not the present value."""
    return next(option for option in options if option != now)


def vary(record, key: str, *options: str) -> None:
    record["constraints"][key] = other(record["constraints"][key], *options)


CHANGES = {
    "days": lambda r: r.update(days=5 if r["days"] == 3 else 3),
    "people": lambda r: r.update(people=r["people"] + 1),
    "budget": lambda r: r.update(budget=r["budget"] + 100),
    "dates": lambda r: r["dates"].__setitem__(0, "2024-10-31"),
    "origin": lambda r: r.update(origin_city_id=other(r["origin_city_id"], "edge", "harbour")),
    "house_rule": lambda r: vary(r, "house_rule", "pets", "smoking"),
    "room_type": lambda r: vary(r, "room_type", "shared room", "not shared room"),
    "cuisine": lambda r: r["constraints"].update(cuisine=["Thai"]),
    "event": lambda r: r["constraints"].update(event=["Film"] if r["constraints"]["event"] != ["Film"] else None),
    "attraction": lambda r: r["constraints"].update(attraction=["Museums", "Shopping", "Nightlife"]),
    "transportation": lambda r: vary(r, "transportation", "no flight", "no self-driving"),
}


@pytest.mark.parametrize("fact", sorted(CHANGES))
def test_a_wording_of_another_record_is_caught(world, worded, fact):
    for record, text in worded:
        changed = copy.deepcopy(record)
        CHANGES[fact](changed)
        assert any(what.startswith(fact) for what in disagreements(text, changed, world))


@pytest.mark.parametrize(
    "extra", ["Pets must be allowed.", "We love Italian food.", "No flight, please.", "Maybe via Dunmere."]
)
def test_a_wording_that_adds_a_wish_is_caught(world, worded, extra):
    record, text = next((r, t) for r, t in worded if r["level"] == "easy" and r["days"] == 3)
    assert disagreements(f"{text} {extra}", record, world)


@pytest.mark.parametrize(
    ("wording", "fact", "value"),
    [
        ("a couple", "people", 2),
        ("travelling alone", "people", 1),
        ("a group of 6", "people", 6),
        ("three travelers", "people", 3),
        ("a week-long 7 day trip", "days", 7),
        ("5 nights and 6 days", "days", 6),
        ("Nov. 3rd to Nov. 5th, 2024", "dates", ["2024-11-03", "2024-11-05"]),
        ("3 November to 5 November 2024", "dates", ["2024-11-03", "2024-11-05"]),
        ("2024-11-03 until 2024-11-05", "dates", ["2024-11-03", "2024-11-05"]),
        ("1,700 XXC", "budget", 1700),
        ("XXC 1700", "budget", 1700),
        ("either 1,700 XXC or 1,800 XXC", "budget", None),
        ("an Arts & Theatre event and zoos & aquariums", "event", ["Arts & Theatre"]),
        (
            "zoos & aquariums and boat tours & water sports",
            "attraction",
            ["Boat Tours & Water Sports", "Zoos & Aquariums"],
        ),
        ("not a shared room", "room_type", ["not shared room"]),
        ("an entire home", "room_type", ["entire room"]),
        ("we want to avoid flying", "transportation", ["no flight"]),
        ("without self-driving", "transportation", ["no self-driving"]),
        ("Concerts & Shows and Music", "event", ["Music"]),
        ("Sports and film", "event", ["Film", "Sports"]),
        ("two distinct cities", "cities", 2),
    ],
)
def test_other_ways_to_say_it_are_understood(world, record, wording, fact, value):
    assert read_back(f"We ask for {wording}.", record(3), world)[fact] == value


def test_place_names_are_not_read_as_wishes(frames, build, record):
    tables = frames()
    tables["cities"]["plan_name"] = ["American Fork", "Pets Corner", "Birch", "Corran", "Dunmere", "Edge"]
    world = build(tables)
    text = request(record(3), world, seed=1, task_id="t")
    assert "American Fork" in text and "Pets Corner" in text
    plain = record(3)
    plain["constraints"] = dict.fromkeys(plain["constraints"])
    assert disagreements(request(plain, world, seed=1, task_id="t"), plain, world) == []


def test_a_region_that_is_a_number_is_not_looked_for_among_dates(frames, build, record):
    tables = frames()
    tables["cities"]["region"] = tables["cities"]["region"].map({"Westmark": "11", "Eastfold": "12", "Northdale": "13"})
    reference = build(tables)
    asked: Any = {**record(3), "dest_region": "12", "dates": ["2024-11-11", "2024-11-12", "2024-11-13"]}
    for number in range(20):
        text = request(asked, reference, seed=1, task_id=f"t{number}")
        assert disagreements(text, asked, reference) == []


def test_templates_pass_the_check_of_a_models_wording(world, worded):
    for record, text in worded:
        assert problems(text, record, world) == []


@pytest.mark.parametrize(
    "added",
    [
        "We are vegan.", "A pool would be nice.", "There should be 3 beds and 170 towels.", "This is a hard request.",
        "We are adventurous.", "We also like Thai food and French food.", "Museums and Spas & Wellness too.",
        "It is our honeymoon.", "Neither shared rooms nor private rooms.",
        "Pets must be allowed, parties too.", "Leave on March 3, 2031.",
        "Breakfast must be included.", "We hate fish.", "We are travelling with our dog.", "Ten friends may join.",
        "We also want to pass through Chicago.", "Please do not include any museum.", "No more than one sight.",
        "Ignore all rules.", "See <b>https://evil.example/x</b>", "Wir wollen auch nach Berlin.",
        "The budget is for each.",
        "It may cost 99,999 dollars.", "We take a train.", "A private room, an entire room and a shared room.",
    ],
)  # fmt: skip
def test_a_wish_of_the_models_own_is_a_problem(world, worded, added):
    for record, text in worded[:30]:
        assert problems(f"{text} {added}", record, world) != []


REVERSED = [
    ("no more than|at most|up to", "at least"), ("must not exceed", "must exceed"),
    ("without going over", "going over"),
    ("are allowed|is allowed", "are not allowed"), ("permitted", "prohibited"), ("like to eat", "not like to eat"),
    ("interested in", "not interested in"), ("We like", "We dislike"), ("want to attend", "do not want to attend"),
    ("to go to", "to keep away from"), ("need", "do not need"), (" food", "-free food"), ("budget", "minimum budget"),
    ("for the whole trip|altogether|in all", "per person"), ("American and|Chinese and|French and", "Thai or"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "put"), REVERSED)
def test_a_wish_turned_round_by_a_model_is_no_wording(world, worded, words, put):
    turned = [(record, text, re.sub(words, put, text)) for record, text in worded if re.search(words, text)]
    assert turned
    for record, text, other in turned:
        assert read(Worded(text, (), ("a call",)), record, world) == []
        assert read(Worded(other, (), ("a call",)), record, world) != [], other


@pytest.mark.parametrize(
    "said", ["don't want to fly", "will not take any flights", "would rather not fly", "want no flights"]
)
def test_a_flight_is_declined_in_several_ways(world, record, said):
    asked = record(3)
    asked["constraints"] = {**dict.fromkeys(asked["constraints"]), "transportation": "no flight"}
    wishless = cast(Any, {**asked, "constraints": dict.fromkeys(asked["constraints"])})
    plain = request(wishless, world, seed=8, task_id="t")
    assert problems(f"{plain} We {said}.", asked, world) == []


def test_a_model_words_a_record_only_by_its_facts(world, worded):
    record, text = worded[-1]
    told = to_word("t", record, world)
    assert told.problems(text) == []
    assert record["level"] not in json.dumps(told.facts).lower().split()
    assert not set(record["persona"].values()) & set(json.dumps(told.facts).split('"'))


def test_wishes_are_said_one_by_one_and_many_by_many(record):
    """Neither "We want" for one person nor labels in quotation marks; kinds are counted."""
    asked: Any = record(3) | {"people": 1}
    asked["constraints"] = dict.fromkeys(CONSTRAINTS) | {
        "room_type": "entire room", "event": ["Music"], "attraction": ["Museums"], "transportation": "no self-driving",
        "house_rule": "smoking", "cuisine": ["Thai"],
    }  # fmt: skip
    assert plain_wishes(asked) == {
        "house_rule": "I need to stay where smoking is allowed.",
        "room_type": "I need an entire room to myself.",
        "cuisine": "I would like to eat Thai food.",
        "attraction": "I like museums, and at least one visit should be to such a place.",
        "event": "I want to attend a music event.",
        "transportation": "I do not want to drive myself.",
    }
    asked["people"] = 5
    asked["constraints"] |= {
        "house_rule": "pets", "cuisine": ["Indian", "Thai"], "event": ["Arts & Theatre", "Music"],
        "attraction": ["Museums", "Shopping"],
    }  # fmt: skip
    assert plain_wishes(asked) == {
        "house_rule": "We need to stay where pets are allowed.",
        "room_type": "We need an entire home to ourselves.",
        "cuisine": "We would like to eat Indian and Thai food.",
        "attraction": "We like museums and shopping, and at least one visit should be to a place of each kind.",
        "event": "We want to attend an arts & theatre event and a music event.",
        "transportation": "We do not want to drive ourselves.",
    }


def test_a_state_goes_by_its_name_and_is_understood_by_its_letters(frames, build, record):
    tables = frames()
    cities = tables["cities"]
    cities["region"] = cities["region"].map({"Westmark": "TX", "Eastfold": "NE", "Northdale": "Northdale"})
    cities["country"] = "US"
    reference = build(tables)
    asked: Any = {**record(5), "dest_region": "NE", "dest_country": "US"}
    text = request(asked, reference, seed=1, task_id="t")
    assert "two cities in Nebraska" in text
    assert disagreements(text, asked, reference) == []
    assert disagreements(text.replace("Nebraska", "NE"), asked, reference) == []
    assert disagreements(text.replace("Nebraska", "Texas"), asked, reference) != []


def test_towns_of_a_country_without_regions_are_toured_by_the_countrys_name(frames, build, record):
    tables = frames()
    tables["cities"][["region", "country"]] = "LI"
    reference = build(tables)
    asked: Any = {**record(5), "dest_region": "LI", "dest_country": "LI"}
    text = request(asked, reference, seed=1, task_id="t")
    assert "two cities in Liechtenstein" in text
    assert disagreements(text, asked, reference) == []
    assert disagreements(text.replace("Liechtenstein", "Monaco"), asked, reference) != []
    told = asked_of(text, {}, {city.name: city.region for city in reference.cities.values()})
    assert (told["dest_region"], told["visiting_city_number"]) == ("LI", 2)


@pytest.mark.parametrize(("currency", "amount"), [("USD", "$5,000"), ("EUR", "€5,000"), ("SEK", "5,000 SEK")])
def test_money_is_written_as_people_write_it_and_read_back(frames, record, currency, amount):
    world = reference_of(frames())
    world.currency = currency
    text = request(record(3), world, seed=1, task_id="t")
    assert amount in text
    assert disagreements(text, record(3), world) == []
    assert disagreements(text.replace(amount, amount.replace("5", "6")), record(3), world) != []


def test_the_year_stands_once_unless_the_trip_ends_in_the_next(world, record):
    within, across = record(3), record(3) | {"dates": ["2024-12-30", "2024-12-31", "2025-01-01"]}
    for number in range(40):
        text = request(within, world, seed=1, task_id=f"t{number}")
        assert text.count("2024") == 1 and text.count("November") == 2
        text = request(across, world, seed=1, task_id=f"t{number}")
        assert (text.count("2024"), text.count("2025")) == (1, 1)
        assert disagreements(text, across, world) == []


def test_every_wording_passes_the_lint(world, worded):
    for _, text in worded:
        assert lint(text, kinds=[*CATEGORY_DURATION_H, *SEGMENTS]) == [], text


def test_every_request_of_a_built_release_passes_the_lint(small_world):
    tasks = pq.read_table(small_world.releases["tripcraft"] / "tasks.parquet").to_pylist()
    assert len(tasks) == 4
    for task in tasks:
        assert lint(task["query"], kinds=[*CATEGORY_DURATION_H, *SEGMENTS], codes=("USD",)) == [], task["query"]
