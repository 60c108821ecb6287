"""Planners' texts as plans: published grammars exactly, prose by a model, never a name that the text does not say."""

from __future__ import annotations

import json

import pytest

from assets.language.plan_texts import by_grammar, day_blocks, extracted_plans, plan_text
from assets.tripcraft.plan import read_plan
from tests.assets.test_wording_by_model import Told

TRIPCRAFT, ITINBENCH, GROUP = (plan_text(name) for name in ("tripcraft", "itinbench", "grouptravel"))

TRIP = """Here is your plan!

**Day 1:**
Current City: from Ithaca to Charlotte
Transportation: Flight Number: F3633413, from Ithaca to Charlotte, Departure Time: 05:38, Arrival Time: 07:46
Breakfast: Nagaland's Kitchen, Charlotte
Attraction: The Charlotte Museum of History, Charlotte; Freedom Park, Charlotte
Lunch: Cafe Maple Street, Charlotte
Dinner: -
Accommodation: Affordable Spacious Room, Charlotte
Event: -
Point of Interest List: Affordable Spacious Room, stay from 08:30 to 09:30, nearest transit: Main St, 98.06m away;
Cafe Maple Street, visit from 14:00 to 15:00, nearest transit: Elm, No. 2, 120.5m away.

**Day 2:**
- Current City: Charlotte
- Transportation: -
- Breakfast: Bagel Den, Charlotte
- Lunch: Cafe Olé, Charlotte
- Dinner: Grill 7, Charlotte
- Attractions: Zoo, Charlotte
- Accommodation: Affordable Spacious Room, Charlotte
- Event: -
- POI List: -
"""

ITIN = """Day 1
Breakfast: Dim Sum Garden (1020 Race St)
Morning Attractions: City Hall (1 S Broad St)
Lunch: Reading Grill, 51 N 12th St
Afternoon Attractions: Rodin Museum (2151 Benjamin Franklin Pkwy); The Franklin (222 N 20th St)
Dinner: Zahav (237 St James Pl)
Night Attractions: -
Accommodation: Club Quarters (1628 Chestnut St)
"""


def test_day_blocks_of_the_published_grammar_are_read_exactly():
    plan, how = by_grammar(TRIP, TRIPCRAFT)
    assert how == "grammar"
    assert [day["days"] for day in plan] == [1, 2]
    assert plan[0]["attraction"] == "The Charlotte Museum of History, Charlotte; Freedom Park, Charlotte"
    assert plan[1]["point_of_interest_list"] == "-"
    read = read_plan(plan)
    assert [(i.name, i.stop_name, i.distance_m) for i in read.days[0].items] == [
        ("Affordable Spacious Room", "Main St", 98.06),
        ("Cafe Maple Street", "Elm, No. 2", 120.5),
    ]
    assert read.days[0].transport is not None and read.days[0].transport.flight_number == "F3633413"
    assert all(not day.problems for day in read.days)


def test_a_plan_written_out_as_text_comes_back_as_it_was():
    plan, _ = by_grammar(TRIP, TRIPCRAFT)
    lines = []
    for one in plan:
        lines += [f"Day {one['days']}:"]
        lines += [f"{key.replace('_', ' ').title()}: {value}" for key, value in one.items() if key != "days"]
    assert by_grammar("\n".join(lines), TRIPCRAFT) == (plan, "grammar")


def test_itinbench_blocks_give_names_and_addresses():
    plan, how = by_grammar(ITIN, ITINBENCH)
    assert how == "grammar"
    day = plan["itinerary"][0]
    assert day["lunch"] == {"name": "Reading Grill", "address": "51 N 12th St"}
    assert [p["name"] for p in day["afternoon_attractions"]] == ["Rodin Museum", "The Franklin"]
    assert day["night_attractions"] == []
    assert extracted_plans({"t": ITIN}, ITINBENCH, None)[0].plan == plan


@pytest.mark.parametrize(("family", "around", "plan"), [
    (TRIPCRAFT, {}, [{"days": 1, "current_city": "A", "transportation": "-"}]),
    (ITINBENCH, {"index": 3}, {"itinerary": [{"days": "1"}]}),
    (GROUP, {}, {"days": [{"day": 1, "city_segments": []}]}),
])  # fmt: skip
def test_json_in_a_text_is_the_plan(family, around, plan):
    said = json.dumps({**around, "plan": plan} if around else plan)
    for text in (said, f"Sure!\n```json\n{said}\n```\nEnjoy."):
        assert by_grammar(text, family) == (plan, "json")
        assert extracted_plans({"t": text}, family, None)[0].read_by == "json"


@pytest.mark.parametrize("text", [
    "", "I would go to Paris.", "Day 1\nDay 1\n", "Day 2: x\nLunch: a", "Day 1:\nNote: hello\n",
    TRIP.replace("Day 2", "Day 3"), TRIP + "\nDay 3:\nLunch: a\nLunch: b\nDinner: c\nBreakfast: d", "[]", "[1]",
    "{" * 5000,
])  # fmt: skip
@pytest.mark.parametrize("family", [TRIPCRAFT, ITINBENCH, GROUP], ids=["tripcraft", "itinbench", "grouptravel"])
def test_what_is_not_of_the_grammar_is_left_to_the_model(text, family):
    plan, _ = by_grammar(text, family)
    assert plan is None
    assert extracted_plans({"t": text}, family, None)[0].problem.startswith("no grammar reads it")


def test_an_address_that_cannot_be_told_from_the_name_is_left_to_the_model():
    text = ITIN.replace("Reading Grill, 51 N 12th St", "Reading Grill, Suite 2, 51 N 12th St")
    assert by_grammar(text, ITINBENCH) == (None, "")


PROSE = "On the first day have lunch at Reading Grill on 51 N 12th St, see City Hall, and sleep at Club Quarters."


def day(**places: str) -> str:
    nobody = {"name": "-", "address": "-"}
    one = {"days": "1", "breakfast": nobody, "morning_attractions": [], "lunch": nobody, "afternoon_attractions": [],
           "dinner": nobody, "night_attractions": [], "accommodation": nobody}  # fmt: skip
    one |= {slot: {"name": name, "address": "-"} for slot, name in places.items()}
    return json.dumps({"itinerary": [one]})


def test_prose_is_read_by_the_model():
    told = extracted_plans(
        {"t": PROSE}, ITINBENCH, Told(lambda _: day(lunch="Reading Grill", accommodation="Club Quarters"))
    )
    assert (told[0].read_by, told[0].generation_id) == ("told-1", "g1")
    assert told[0].plan["itinerary"][0]["lunch"]["name"] == "Reading Grill"


@pytest.mark.parametrize("invented", ["Zahav", "Reading Grille", "Reading Terminal Market"])
def test_a_place_that_the_text_does_not_name_is_never_in_its_plan(invented):
    told = extracted_plans({"t": PROSE}, ITINBENCH, Told(lambda _: day(lunch=invented)))
    assert told[0].plan is None
    assert f"the text does not say '{invented}'" in told[0].problem


def test_a_tripcraft_answer_with_a_flight_of_its_own_is_refused():
    plan, _ = by_grammar(TRIP, TRIPCRAFT)
    assert plan is not None
    text = TRIP.replace("Day 1", "First").replace("Day 2", "Then")
    right = json.dumps({"plan": plan})
    assert extracted_plans({"t": text}, TRIPCRAFT, Told(lambda _: right))[0].plan == plan
    wrong = right.replace("F3633413", "F3633414")
    assert "'F3633414'" in extracted_plans({"t": text}, TRIPCRAFT, Told(lambda _: wrong))[0].problem


def test_blocks_join_lines_and_forget_prose_before_them():
    assert day_blocks("Hello: there\nDay 1:\nLunch: a\n  and b\nDinner: c") == {1: {"lunch": "a and b", "dinner": "c"}}
