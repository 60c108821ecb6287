"""What planners write: the published planners' own texts against their published reading, and each style invented."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

from assets.itinbench.plan_layout import LISTS, SLOTS, read_layout
from assets.language.loose_json import json_values, strict
from assets.language.marked_text import day_number, lines_of, plain
from assets.language.plan_texts import by_grammar, extracted_plans, plan_text
from assets.release.belonging import queries_of, task_named
from assets.release.reading import ReleaseError
from assets.rows import ReleaseTables
from pipelines.extraction import read_texts
from tests.assets.planner_forms import CLUB, FORMS, NOBODY, ONE_DAY

TRIPCRAFT, ITINBENCH, GROUP = (plan_text(name) for name in ("tripcraft", "itinbench", "grouptravel"))

PUBLISHED = [
    ("gpt4o", "allDataRouteOP", 0.99),
    ("gpt4o", "filteredDataNoRoute", 0.99),
    ("mistral", "filteredDataRouteOP", 0.95),
]
LEAST_EQUAL = 0.98


def named(day, slot):
    """Return the slot's names and addresses."""
    places = day[slot] if slot in LISTS else [day[slot]]
    return [place[key] for place in places for key in ("name", "address")]


@pytest.mark.parametrize(("model", "task", "least"), PUBLISHED)
def test_published_texts_are_read_as_the_published_reading_has_them(model, task, least, shared_data):
    folder = shared_data / "itinbench_outputs" / model
    texts, truths = (
        [json.loads(line)["plan"] for line in (folder / kind / f"{task}.jsonl").read_text().splitlines()]
        for kind in ("plans", "evals")
    )
    read = equal = fields = 0
    for text, truth in zip(texts, truths, strict=False):  # one file has texts that were not read
        (one,) = extracted_plans({"t": text}, ITINBENCH, None)
        if one.plan is None:
            continue
        read += 1
        ours, theirs = one.plan["itinerary"], truth["itinerary"]
        for number in range(max(len(ours), len(theirs))):
            for slot in SLOTS:
                a, b = (named(days[number], slot) if number < len(days) else [] for days in (ours, theirs))
                fields += max(len(a), len(b))
                equal += sum(x == y for x, y in zip(a, b, strict=False))
    assert read >= least * min(len(texts), len(truths))
    assert equal >= LEAST_EQUAL * fields > 0


LINES = """Sure! Here is your plan, with love.

### **Day 1** – Museums
1. **Breakfast**:
   - Name: *Café Olé (Old City)*
     Address: 147 N 3rd St
2. **Morning Attraction**
   - **Name:** Rodin Museum
   - **Address:** 2151 Benjamin Franklin Pkwy
3. **Lunch**: N/A
4. **Afternoon Attractions:**
   1. **Name:** Barnes, The
      **Address:** 2025 Benjamin Franklin Pkwy
      **Why:** It is lovely, and near.
   2. **Name:** Rodin Museum
      **Address:** 2151 Benjamin Franklin Pkwy
5. **Dinner:**
   - **Name:** Zahav (a short walk from the last stop, book early)
     **Address:** 237 St James Pl, Philadelphia, PA 19106
6. **Night Attraction:** -
7. **Accommodation:** Club Quarters (1628 Chestnut St)

---
Enjoy your trip, and let me know if you want dinner somewhere else!
"""
ON_ONE_LINE = """Day One:
* Breakfast: Name: Café Olé (Old City), Address: 147 N 3rd St
* Morning: Rodin Museum - 2151 Benjamin Franklin Pkwy
* Lunch: none
* Afternoon attractions: Name: Barnes, The; Address: 2025 Benjamin Franklin Pkwy
* Afternoon attractions: Rodin Museum (2151 Benjamin Franklin Pkwy)
* Dinner at Zahav, 237 St James Pl, Philadelphia, PA 19106
* Hotel: Club Quarters, 1628 Chestnut St
"""
HEADED = """## Day 1
### Accommodation
Club Quarters
1628 Chestnut St
### Breakfast
**Name:** Café Olé (Old City) | **Address:** 147 N 3rd St
### Morning Attraction
[Rodin Museum](https://example.org/rodin) (2151 Benjamin Franklin Pkwy)
### Lunch
None
### Afternoon Attractions
- Name: Barnes, The, Address: 2025 Benjamin Franklin Pkwy
- Rodin Museum, 2151 Benjamin Franklin Pkwy
### Dinner
Zahav, 237 St James Pl, Philadelphia, PA 19106
### Night
-
"""
TABLE = """**Day 1**

| Time | Place | Address |
|---|---|---|
| Breakfast | Café Olé (Old City) | 147 N 3rd St |
| Morning | Rodin Museum | 2151 Benjamin Franklin Pkwy |
| Lunch | - | - |
| Afternoon | Barnes, The | 2025 Benjamin Franklin Pkwy |
| Afternoon | **Rodin Museum** | 2151 Benjamin Franklin Pkwy |
| Dinner | Zahav | 237 St James Pl, Philadelphia, PA 19106 |
| Hotel | Club Quarters | 1628 Chestnut St |
"""
TOLD_ONCE = "Accommodation: Club Quarters, 1628 Chestnut St (for all nights)\n" + ON_ONE_LINE.replace(
    "* Hotel: Club Quarters, 1628 Chestnut St\n", ""
)
IN_JSON = f"""Here it is:
```json
{{
  // the only day
  "itinerary": [{json.dumps(ONE_DAY, ensure_ascii=False)},],
}}
```
"""


@pytest.mark.parametrize(
    "text", [LINES, ON_ONE_LINE, HEADED, TABLE, TOLD_ONCE, IN_JSON],
    ids=["lines", "one line", "headed", "table", "told once", "json"],
)  # fmt: skip
def test_every_style_gives_the_same_plan(text):
    (one,) = extracted_plans({"t": text}, ITINBENCH, None)
    assert one.problem == ""
    assert one.plan == {"itinerary": [ONE_DAY]}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_that_planners_write_gives_the_same_plan(form):
    (one,) = extracted_plans({"t": FORMS[form]}, ITINBENCH, None)
    assert (one.problem, one.plan) == ("", {"itinerary": [ONE_DAY]})


def test_there_are_thirty_forms_and_each_is_another_text():
    assert len(FORMS) >= 30
    assert len(set(FORMS.values())) == len(FORMS)


def test_a_table_with_a_column_of_days_has_as_many_days_as_it_numbers():
    table = FORMS["a table with a column of days"]
    rows = [line for line in table.splitlines() if line.startswith("| 1 ")]
    second = "\n".join(row.replace("| 1 ", "| 2 ", 1) for row in rows)
    plan = read_layout(table + second + "\n")
    assert plan is not None
    assert plan["itinerary"] == [ONE_DAY, {**ONE_DAY, "days": "2"}]
    assert read_layout(table + second.replace("| 2 ", "| 3 ") + "\n") is None


def test_an_address_before_a_name_is_that_name_s_alone():
    text = """Day 1
Breakfast:
- Address: 1 X St
Lunch:
- Name: Zahav
Morning:
- Address: 2 Y St
- Name: Rodin Museum
- Name: City Hall
Dinner: none
"""
    plan = read_layout(text)
    assert plan is not None
    (day,) = plan["itinerary"]
    assert (day["breakfast"], day["lunch"]) == (NOBODY, {"name": "Zahav", "address": "-"})
    assert day["morning_attractions"] == [
        {"name": "Rodin Museum", "address": "2 Y St"}, {"name": "City Hall", "address": "-"},
    ]  # fmt: skip


def test_a_stay_is_carried_to_the_days_that_name_none():
    second = ON_ONE_LINE.replace("Day One", "Day 2").replace("* Hotel: Club Quarters, 1628 Chestnut St\n", "")
    plan = read_layout(ON_ONE_LINE + second)
    assert plan is not None
    assert [day["accommodation"] for day in plan["itinerary"]] == [CLUB, CLUB]


def test_a_pool_tells_a_name_from_an_address_that_has_no_number():
    text = ON_ONE_LINE.replace("Zahav, 237 St James Pl, Philadelphia, PA 19106", "Zahav, Old City, Philadelphia")
    assert read_layout(text) is None
    plan = read_layout(text, {"restaurant": ["Zah", "Zahav", "Zahav, Old"]})
    assert plan is not None
    assert plan["itinerary"][0]["dinner"] == {"name": "Zahav, Old", "address": "City, Philadelphia"}


@pytest.mark.parametrize(
    "text",
    [
        LINES.replace("Day 1", "Day 2"),
        LINES + LINES.replace("Day 1", "Day 3"),
        LINES.replace("5. **Dinner:**", "5. **Dinner:** Vetri, 1312 Spruce St"),
        ON_ONE_LINE.replace("* Hotel", "* Dinner: Vetri, 1312 Spruce St\n* Hotel"),
        "Day 1\n* Breakfast: Café Olé\n* Dinner: Zahav",
        "Day 1: we walk.\nDay 2: we rest.",
    ],
    ids=["no first day", "a day missing", "two dinners", "a second dinner", "two slots", "prose"],
)
def test_what_would_have_to_be_guessed_is_left_to_the_model(text):
    assert by_grammar(text, ITINBENCH) == (None, "")


def test_marks_are_taken_off_and_words_are_kept():
    marked = ("- **A** _b_", "1) `x`", "> # **T**", "snake_case", "5 * 3", "2. Fast", "2 Fast")
    assert [plain(text) for text in marked] == ["A b", "x", "T", "snake_case", "5 3", "Fast", "2 Fast"]
    lines = list(lines_of("| a | b |\n|---|---|\n\n---\n**Day 2 (Sat):**\nx: y: z"))
    assert [line.cells for line in lines] == [("a", "b"), (), ()]
    assert [day_number(line) for line in lines] == [None, 2, None]
    assert (lines[2].label, lines[2].value) == ("x", "y: z")


@pytest.mark.parametrize(("text", "number"), [
    ("Day 3", 3), ("## Day 3:", 3), ("**Day Three** - Parks", 3), ("Third day", 3), ("Day 3 of 4", 3), ("Day 12", 12),
    ("Day 3 was nice", None), ("Days 3", None), ("Daytime", None), ("Monday 3", None),
])  # fmt: skip
def test_the_line_that_opens_a_day(text, number):
    (line,) = lines_of(text)
    assert day_number(line) == number


@pytest.mark.parametrize(("text", "value"), [
    ('{"a": 1, }', {"a": 1}),
    ('[1, 2, // two\n]', [1, 2]),
    ('{"a": "x // y, ]", /* c, */ "b": [1,],}', {"a": "x // y, ]", "b": [1]}),
    ('Sure:\n```\n{"url": "https://x.example/#a, }"}\n```', {"url": "https://x.example/#a, }"}),
    ('{"a": 1,\n # note\n "b": "#2"}', {"a": 1, "b": "#2"}),
    ('so { this } is {"a": 1} it', {"a": 1}),
])  # fmt: skip
def test_json_is_read_without_comments_and_spare_commas(text, value):
    assert next(json_values(text)) == value


def test_strings_are_left_as_they_are():
    text = '{"a": "//, ]", "b": "\\" /* x */ ,}"}'
    assert strict(text) == text
    assert json.loads(strict(text)) == {"a": "//, ]", "b": '" /* x */ ,}'}


def test_many_open_brackets_end_soon():
    assert list(json_values("[" * 100_000)) == []
    assert list(json_values('{"a": ' * 50_000)) == []


DAY = {"days": 1, "current_city": "A", "transportation": "-"}


@pytest.mark.parametrize("text", [
    json.dumps([DAY]), json.dumps({"plan": [DAY]}), json.dumps({"Day 1": DAY}),
    "My plan:\n```json\n[\n" + json.dumps(DAY) + ", // day one\n]\n```\nEnjoy!",
])  # fmt: skip
def test_tripcraft_s_plans_in_json_are_read(text):
    assert by_grammar(text, TRIPCRAFT) == ([DAY], "json")


def test_grouptravel_s_plan_in_json_is_read():
    text = 'Dear all,\n```json\n{"days": [{"day": 1, "city_segments": [], },], /* done */}\n```\nBye'
    assert by_grammar(text, GROUP) == ({"days": [{"day": 1, "city_segments": []}]}, "json")


def asked(*tasks: tuple[str, str], published=None) -> ReleaseTables:
    """Return the tables of a release with these tasks, as id and query; numbered from 5 where it was opened."""
    rows = [{"task_id": task_id, "query": query, "slot": n} for n, (task_id, query) in enumerate(tasks, 5)]
    return ReleaseTables({"tasks": pd.DataFrame(rows)}, published=published)


def test_published_output_files_name_tasks_by_index(tmp_path):
    path, tables = tmp_path / "plans.jsonl", asked(("b", "B?"), ("a", "A?"))
    path.write_text('{"index": 2, "plan": "two"}\n{"task_id": "a", "text": "one"}\n')
    assert read_texts(path, tables) == {"b": "two", "a": "one"}
    path.write_text(
        '{"index": 3, "plan": "x"}\n{"index": true, "plan": "x"}\n{"index": 1}\n{"task_id": "c", "text": ""}\n'
    )
    with pytest.raises(ReleaseError, match="4 lines cannot be used") as refused:
        read_texts(path, tables)
    assert [line.split(": ")[0] for line in str(refused.value).splitlines()[1:]] == [
        f"  - line {number}" for number in (1, 2, 3, 4)
    ]


def test_plans_that_are_json_already_are_said_to_be_so(tmp_path):
    path = tmp_path / "plans.jsonl"
    path.write_text('{"index": 5, "plan": [{"days": 1}]}\n{"task_id": "b", "text": {}}\n')
    with pytest.raises(ReleaseError, match="line 1: found JSON, expected text; `tripwright score` takes such plans"):
        read_texts(path, asked(("b", "B?")))


def test_a_plan_that_was_not_delivered_is_an_empty_text_and_asks_no_model(tmp_path):
    path = tmp_path / "plans.jsonl"
    path.write_text('{"index": 5, "plan": null}\n{"index": 6, "text": null, "plan": "Day 1"}\n')
    texts = read_texts(path, asked(("b", "B?"), ("a", "A?"), published={5: ("b",), 6: ("a",)}))
    assert texts == {"b": "", "a": "Day 1"}
    ask: Any = lambda prompts: [pytest.fail("asked") for _ in prompts]  # noqa: E731
    (reading,) = extracted_plans({"b": " "}, GROUP, ask)
    assert reading.problem == "no grammar reads it: the text is empty"


@pytest.mark.parametrize(("line", "expected"), [
    ({"task_id": "b"}, ("b", "")),
    ({"task_id": "b", "query": " B?\n"}, ("b", "")),
    ({"task_id": "b", "query": "A?"}, (None, "found no task 'b' 'A?'")),
    ({"task_id": "z", "index": 5}, (None, "found no task 'z'")),
    ({"idx": "6"}, ("a", "")),
    ({"index": 1}, (None, "found no task number 1")),
    ({"index": "9" * 5_000}, (None, f"found no task number {'9' * 20}")),
    ({"index": 6, "query": "A?"}, ("a", "")),
    ({"index": 6, "query": "B?"}, (None, "found no task number 6 'B?'")),
    ({"query": "a?"}, ("a", "")),
    ({"query": "Else?"}, (None, "found no task with the query 'Else?'")),
    ({"index": None, "query": ""}, (None, "")),
])  # fmt: skip
def test_a_line_names_its_task_by_id_number_or_query_and_each_must_agree(line, expected):
    tables = asked(("b", "B?"), ("a", "A?"), published={})
    assert task_named(line, tables, queries_of(tables)) == expected


def test_a_number_that_several_tasks_have_is_told_by_the_query():
    tables = asked(("b", "B?"), ("a", "A?"), published={})
    tables.tasks["slot"] = 1
    assert task_named({"idx": 1, "query": "A?"}, tables, queries_of(tables)) == ("a", "")
    named, problem = task_named({"idx": 1}, tables, queries_of(tables))
    assert (named, problem) == (None, "task number 1 is any of a, b; give the task_id or the query")


def test_a_plan_in_a_plan_is_read_as_score_reads_it():
    plan = {"itinerary": [{"days": "day1", "breakfast": {"name": "Joe's", "address": "1 A Street"}}]}
    assert by_grammar(json.dumps({"plan": plan}), ITINBENCH) == (plan, "json")


def test_of_a_draft_and_another_plan_neither_is_read():
    draft, final = ({"days": [{"day": day, "city_segments": []}]} for day in (1, 2))
    assert by_grammar(f"Draft: {json.dumps(draft)}\nFinal: {json.dumps(final)}", GROUP) == (None, "")
    assert by_grammar(f"```json\n{json.dumps(final)}\n```\nOnce more: {json.dumps(final)}", GROUP) == (final, "json")
