"""A published set's trips in a recipe's world: kept, mended in as few fields as it takes, or retired, each told."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

from assets.core.published_set import PublishedSet
from assets.family import Drawn, Refused, Slot
from assets.rows import ReleaseTables
from assets.tripcraft import mending
from assets.tripcraft.asked import AskedTrip, queries_of
from assets.tripcraft.draft import draft, prepare, slots
from assets.tripcraft.mend import DRAWN_KEYS, mended
from assets.tripcraft.mending import MAX_EDITS, WORDED_ANEW, forms
from assets.tripcraft.published.opening import open_folder
from assets.tripcraft.rules import disagreements
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.tables import TripcraftCity
from assets.tripcraft.wording import request, word
from schemas.stable import content_hash
from tests.assets.tripcraft.conftest import invented_frames, reference_of
from tests.assets.tripcraft.witnesses import witness
from tests.published_folders import tripcraft

TEXT = (
    "Please plan a 3-day trip for two people from Harbour to Amble, from November 5 to November 7, 2024. The budget "
    "for the whole trip is 5,000 XXC. We would like to eat American and Chinese food."
)

SET = PublishedSet(sha256="0" * 64, tasks=1000)


def trip(**changed):
    """Return a published trip that the invented world can meet."""
    said = {
        "task_id": "3d-0001", "origin": "Harbour", "dest": "Amble", "days": 3, "people": 2, "budget": 5000,
        "dates": ["2024-11-05", "2024-11-06", "2024-11-07"], "level": "medium",
        "constraints": {"cuisine": ["American", "Chinese"]}, "query": TEXT,
    }  # fmt: skip
    return AskedTrip.model_validate({**said, **changed})


def slot(series, number):
    return Slot(f"t.{series.name}.{number}", number, "xx", series, 1)


def drawn_of(world, *trips, attempts=50, **keys):
    """Return what each slot of a set draws, attempt by attempt."""
    section = TripcraftSection(asked=list(trips), asked_of=SET, **keys)
    drafting = prepare(world, section, ())
    found = {}
    for series in slots(section):
        for number in range(series.count):
            mine = slot(series, number)
            found[series.name, number] = [draft(mine, attempt, drafting) for attempt in range(attempts)]
    return found


def first_mended(world, asked, **keys):
    """Return what stands in the way of a trip, and its first mended form."""
    (drawn,) = drawn_of(world, asked, **keys).values()
    assert isinstance(drawn[0], Refused), drawn[0]
    assert isinstance(drawn[1], Drawn), drawn[1]
    return drawn[0], drawn[1]


def edits(drawn):
    return {edit["field"]: (edit["before"], edit["after"]) for edit in drawn.repairs}


def test_what_can_be_met_is_kept_with_its_words(world):
    (drawn,) = drawn_of(world, trip(), attempts=1).values()
    (kept,) = drawn
    assert isinstance(kept, Drawn)
    assert kept.repairs == []
    assert kept.drawn == {"attempt": 0, "published_id": "3d-0001", "edits": 0, "why": ""}
    assert (kept.record["origin_city_id"], kept.record["dest_city_id"], kept.city_id) == ("harbour", "amble", "amble")
    assert kept.record["constraints"]["cuisine"] == ["American", "Chinese"]


def test_a_text_that_does_not_say_its_record_is_worded_anew(world):
    (drawn,) = drawn_of(world, trip(query="Amble, please."), attempts=1).values()
    assert edits(drawn[0]) == {"query": ("Amble, please.", WORDED_ANEW)}
    assert drawn[0].drawn["edits"] == 0


@pytest.mark.parametrize(
    ("changed", "kind", "field", "before", "why"),
    [
        ({"constraints": {"cuisine": ["Chinese", "Ethiopian"]}}, "no_cuisine", "constraints/cuisine",
         "Chinese, Ethiopian", "T8: no Ethiopian food"),
        ({"constraints": {"event": ["Opera"]}}, "no_event", "constraints/event", "Opera", "T8: no event of Opera"),
        ({"constraints": {"attraction": ["Rockets"]}}, "no_category", "constraints/attraction", "Rockets",
         "T8: no attraction of Rockets"),
        ({"constraints": {"house_rule": "smoking", "room_type": "shared room"}, "dest": "Birch"}, "no_stay", None, "",
         "T8: no stay in birch"),
        ({"dates": ["2025-06-01", "2025-06-02", "2025-06-03"], "constraints": {"house_rule": "smoking"}},
         "no_way", "dates", "2025-06-01, 2025-06-02, 2025-06-03", "no way from harbour to amble on 2025-06-01"),
    ],
)  # fmt: skip
def test_what_stands_in_the_way_is_named_and_one_field_changed(changed, kind, field, before, why):
    frames = invented_frames()
    frames["stays"].loc[frames["stays"]["room_type"] == "shared_room", "house_rules"] = None
    frames["city_distances"] = frames["city_distances"].iloc[:0]
    world = reference_of(frames)
    refused, mended = first_mended(world, trip(**changed))
    assert refused.kind == kind
    assert mended.drawn["why"].startswith(why)
    assert mended.drawn["edits"] == 1
    told = edits(mended)
    assert set(told) == {"query", *((field and {field}) or set(told) - {"query"})}
    if field:
        assert told[field][0] == before
        assert told[field][1] != before
    assert told["query"] == (TEXT, WORDED_ANEW)
    assert witness(mended.record, world)


def test_a_budget_that_no_plan_meets_is_raised_to_what_a_trip_costs(world):
    (drawn,) = drawn_of(world, trip(budget=100)).values()
    kept, raised = drawn[:2]
    assert kept.record["budget"] == 100  # whether a plan costs that little is the solver's to say
    assert set(edits(raised)) == {"budget", "query"}
    assert raised.drawn["why"].startswith("T9: no plan was found within 100; a cheap trip costs ")
    assert witness(raised.record, world)


def test_forms_with_fewer_changes_come_first_and_none_has_more_than_three(world):
    (drawn,) = drawn_of(world, trip(constraints={"cuisine": ["Ethiopian", "Thai"], "event": ["Opera"]})).values()
    forms_ = [found for found in drawn if isinstance(found, Drawn)]
    counts = [found.drawn["edits"] for found in forms_]
    assert forms_
    assert max(counts) <= MAX_EDITS
    assert all(found.record["constraints"]["event"] != ["Opera"] for found in forms_)
    (easy,) = drawn_of(world, trip(constraints={"event": ["Opera"]})).values()
    counts = [found.drawn["edits"] for found in easy if isinstance(found, Drawn)]
    assert counts[0] == 1
    assert 2 in counts


def test_what_shows_a_published_defect_is_told_first():
    frames = invented_frames()
    frames["city_distances"] = frames["city_distances"].iloc[:0]
    asked = trip(dates=["2025-06-01", "2025-06-02", "2025-06-03"], constraints={"cuisine": ["Ethiopian"]})
    refused, mended = first_mended(reference_of(frames), asked)
    assert refused.kind == "no_way"
    assert mended.drawn["why"].startswith("T8: no Ethiopian food; no way from harbour to amble")
    assert set(edits(mended)) == {"dates", "constraints/cuisine", "query"}


def test_what_stands_in_the_way_is_changed_before_anything_else_is_tried(world, monkeypatch):
    """A hard trip has hundreds of forms with two changes; the two that help are among the first of them."""
    monkeypatch.setattr(mending, "MOST_ROUGH", 40)
    asked = {
        "cuisine": ["American", "Chinese", "Indian", "Italian"], "attraction": ["Boat Tours & Water Sports", "Rockets"],
        "event": ["Opera"], "house_rule": "pets",
    }  # fmt: skip
    (drawn,) = drawn_of(world, trip(constraints=asked)).values()
    first = next(found for found in drawn if isinstance(found, Drawn))
    assert set(edits(first)) == {"constraints/attraction", "constraints/event", "query"}


def test_what_equals_an_earlier_trip_is_mended_whoever_travels(world):
    twin = trip(task_id="3d-0002", persona={"Traveler Type": "Laidback Traveler"}, query="Another text.")
    first, second = drawn_of(world, trip(), twin, attempts=2).values()
    assert isinstance(first[0], Drawn)
    assert (second[0].kind, second[0].detail) == ("duplicate", "the record equals that of 3d-0001")
    assert second[1].drawn["why"] == "the record equals that of 3d-0001"
    assert second[1].record != first[0].record


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"origin": "Reno"}, "retired: the origin 'Reno' is no city of the recipe"),
        ({"dest": "Reno"}, "retired: the destination 'Reno' is no city of the recipe"),
        ({"days": 5, "dest": "Utah"}, "retired: the destination 'Utah' is the name of 0 regions"),
        ({"dates": ["soon"]}, "retired: its dates are ['soon'], which are none"),
        ({"dates": []}, "retired: its dates are [], which are none"),
    ],
)
def test_what_no_world_of_the_recipe_can_hold_is_retired_by_name(world, changed, told):
    (drawn,) = drawn_of(world, trip(**changed), attempts=1).values()
    assert isinstance(drawn[0], Refused)
    assert drawn[0].is_final
    assert drawn[0].detail.startswith(told)


def test_what_no_change_of_a_few_fields_helps_is_retired(world):
    section = TripcraftSection(
        asked=[trip(constraints={"cuisine": ["Ethiopian"]})], asked_of=SET, cuisines=["Thai", "Lao", "Fijian", "Lapp"]
    )
    (series,) = [series for series in slots(section) if series.count]
    *_, last = forms(slot(series, 0), section.asked[0], world, section)
    assert isinstance(last, Refused)
    assert (last.kind, last.is_final) == ("retired", True)
    assert last.detail == "retired: no change of at most 3 fields helps: T8: no Ethiopian food"


def test_dates_that_are_not_as_many_as_the_days_are_mended(world):
    (drawn,) = drawn_of(world, trip(dates=["2024-11-05", "2024-11-09"]), attempts=1).values()
    assert edits(drawn[0])["dates"] == ("2024-11-05, 2024-11-09", "2024-11-05, 2024-11-06, 2024-11-07")


def test_a_kept_record_has_the_published_text_and_a_mended_one_has_not():
    world = reference_of(invented_frames())
    asked = trip()
    world.queries = queries_of([asked.model_dump(mode="json")], world)
    (drawn,) = drawn_of(world, asked, attempts=1).values()
    record: Any = drawn[0].record
    assert world.queries == {content_hash(record): TEXT}
    assert word("t", record, world, 1).query == TEXT
    mended: Any = {**record, "budget": 5100}
    assert word("t", mended, world, 1).query == request(mended, world, seed=1, task_id="t")
    world.queries = {content_hash(record): TEXT.replace("5,000", "6,000")}
    assert disagreements(word("t", record, world, 1).query, record, world) == []


def test_a_section_that_asks_has_the_sets_own_counts_and_no_others():
    asked = [trip(), trip(task_id="b", days=5, dest="Eastfold", level="hard")]
    section = TripcraftSection(asked=asked, asked_of=SET)
    assert section.table() == {3: {"easy": 0, "medium": 1, "hard": 0}, 5: {"easy": 0, "medium": 0, "hard": 1}}
    for other in ({"tasks": {3: 1}}, {"counts": {3: {"easy": 1}}}, {"baseline_at_most": {"hard": 0.3}}):
        with pytest.raises(ValueError, match="`asked` says which tasks there are"):
            TripcraftSection.model_validate(
                {"asked": [t.model_dump(mode="json") for t in asked], "asked_of": SET, **other}
            )
    with pytest.raises(ValueError, match="house_rule: found 'llamas'"):
        trip(constraints={"house_rule": "llamas"})


def test_an_opened_set_is_asked_for_under_its_own_names(tmp_path):
    folder, _ = tripcraft(tmp_path)
    opened = open_folder(folder)
    names = ("tasks", TripcraftCity.table_name())
    tables = ReleaseTables(dict(zip(names, map(pd.DataFrame, (opened.tasks, opened.rows[TripcraftCity])), strict=True)))
    section, sources = mended(tables)
    assert sources == {}
    assert {key for key, value in section.items() if value is None} == set(DRAWN_KEYS)
    asked = [AskedTrip.model_validate(json.loads(json.dumps(given))) for given in section["asked"]]
    assert [(one.days, one.origin, one.dest) for one in asked] == [
        (3, "Harbour", "Amble"), (5, "Harbour", "Eastfold"), (7, "Harbour", "Eastfold"),
    ]  # fmt: skip
    assert asked[0].constraints.cuisine == ["Chinese", "American"]
