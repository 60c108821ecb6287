"""The inspection: exactly the published counts, each defect found when injected, feasibility by brute force."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.itinbench.checks.feasibility import can_pass_macro
from assets.itinbench.inspect import TITLES, Folder, inspect, inspect_folder
from assets.itinbench.published.published_folder import FILE_KEYS, read_folder
from schemas.source import SourceError

RATINGS = ("flavor", "freshness", "service", "environment", "value")
ORIENTATIONS = ("family", "history", "activity", "nature", "food", "shopping")


def restaurant(i, **values):
    row = {
        "business_id": f"r{i}",
        "name": f"Diner {i}",
        "address": f"{i} Main St",
        "latitude": 39.95,
        "longitude": -75.16,
    }
    row |= {"price": "$$", "good_for_meal": "breakfast", "cuisine_1": "Thai", "cuisine_2": "Not Applicable"}
    return row | {a: f"good {a}" for a in RATINGS} | values


def hotel(i, **values):
    row = {
        "business_id": f"h{i}",
        "name": f"Inn {i}",
        "address": f"{i} Side St",
        "latitude": 39.95,
        "longitude": -75.16,
    }
    return row | {"price": "$$"} | {a: f"good {a}" for a in ("quality", "location", "service", "safety")} | values


def attraction(i, **values):
    row = {
        "business_id": f"a{i}",
        "name": f"Park {i}",
        "address": f"{i} Hill St",
        "latitude": 39.95,
        "longitude": -75.16,
    }
    return row | {"price": "$"} | {f"{o} oriented": f"medium {o} oriented" for o in ORIENTATIONS} | values


def record(index, **values):
    info = {"day": ["2 day"], "price": ["cheap budget"], "attraction": ["history oriented"], "cuisine": ["Thai"]}
    info |= {"restaurant": ["good flavor", "good value"], "hotel": ["good safety"], "preference_count": [7]}
    return {"index": index, "eval_info": info | values}


def folder(**tables):
    """A folder without a defect, but for the tables given."""
    rows = {
        "restaurants": [restaurant(i) for i in range(6)],
        "hotels": [hotel(1)],
        "attractions": [attraction(i) for i in range(8)],
        "evals": [record(1)],
        "queries": [{"index": 1, "query": "Two days, Thai."}],
    }
    return Folder(**(rows | tables))


def counts(defect, **tables):
    return inspect(folder(**tables))[defect]


def test_what_is_told_in_words_is_what_was_found():
    found = inspect(folder())
    assert found["I1"]["words"]["short"] == "with fewer fitting restaurants than meals"
    assert all(finding["words"].keys() <= finding.keys() for finding in found.values())


def test_the_published_folder_has_exactly_these_defects(published):
    found = inspect_folder(published)
    assert list(found) == list(TITLES)
    first = found["I1"]
    assert (first["short"], first["none"], first["impossible"], first["impossible_distinct"]) == (309, 18, 9, 129)
    assert first["none_queries"] == [
        10,
        55,
        109,
        135,
        163,
        178,
        181,
        190,
        236,
        243,
        250,
        259,
        289,
        292,
        341,
        354,
        479,
        492,
    ]
    assert first["impossible_queries"] == [55, 163, 181, 190, 243, 250, 259, 289, 292]
    assert first["by_cuisine"] == {
        "Greek": [32, 32],
        "Irish": [38, 38],
        "Middle Eastern": [30, 35],
        "Korean": [32, 39],
        "Vietnamese": [31, 38],
        "French": [30, 37],
        "Thai": [23, 29],
        "Japanese": [24, 40],
        "Indian": [20, 35],
        "Asian Fusion": [16, 30],
        "Chinese": [14, 38],
        "Mexican": [11, 35],
        "Italian": [8, 39],
        "US": [0, 35],
    }
    assert first["first"] == {
        "100": {"short": 64, "impossible": 1, "impossible_distinct": 29},
        "300": {"short": 194, "impossible": 9, "impossible_distinct": 88},
    }
    assert (first["fewest_stays"], first["fewest_attractions"]) == (3, 43)
    assert (first["short_stays"], first["short_attractions"]) == (0, 0)
    third = found["I3"]
    assert (third["unknown_price"], third["hotels"]) == (16, 105)
    assert (third["no_first_cuisine"], third["no_cuisine"], third["restaurants"]) == (59, 58, 500)
    assert (third["meals_unknown"], third["meals_empty"], third["serve_breakfast"]) == (28, 8, 86)
    assert third["queries_short_of_breakfast"] == 432
    fourth = found["I4"]
    assert fourth["surplus_names"] == {"restaurants": 12, "hotels": 0, "attractions": 2}
    assert fourth["repeated_names"]["attractions"] == ["Comcast", "Penn's Landing"]
    assert fourth["in_tables"] == {"restaurants+attractions": 18, "restaurants+hotels": 3, "hotels+attractions": 0}
    assert fourth["in_two_tables"] == 21
    assert set(fourth["surplus_ids"].values()) == set(fourth["surplus_name_and_address"].values()) == {0}
    fifth = found["I5"]
    assert [row["name"] for row in fifth["outside"]] == ["LeBus Cafe"]
    assert fifth["address_without_digit"] == {"restaurants": 0, "hotels": 3, "attractions": 19}
    assert fifth["address_empty"]["hotels"] == 1
    assert found["I6"]["without_orientation"] == 19
    assert found["I6"]["high"]["activity oriented"] == 5
    assert {k: found["I7"][k] for k in ("restaurants", "hotels", "attractions")} == {
        "restaurants": 247,
        "hotels": 12,
        "attractions": 13,
    }
    assert found["I11"]["same_record"] == found["I11"]["same_text"] == [[29, 194], [78, 108]]
    alike = {"median_similarity": 92.98, "from_percent": 92.0, "queries": 305, "of": 500}
    assert found["I11"]["near_duplicates"] == alike
    assert [defect for defect, row in found.items() if not row["measured"]] == ["I2", "I8", "I9", "I10"]


def test_a_folder_without_defects():
    found = inspect(folder())
    assert (found["I1"]["short"], found["I1"]["impossible"], found["I3"]["unknown_price"]) == (0, 0, 0)
    assert (found["I4"]["in_two_tables"], found["I5"]["outside_box"], found["I6"]["without_orientation"]) == (0, 0, 0)
    assert (found["I7"]["restaurants"], found["I11"]["pairs"]) == (0, 0)


def test_i1_injected():
    one_less = counts("I1", restaurants=[restaurant(i) for i in range(5)])
    assert (one_less["short"], one_less["none"], one_less["by_cuisine"]) == (1, 0, {"Thai": [1, 1]})
    assert (one_less["impossible"], one_less["impossible_distinct"]) == (0, 1)
    irish = counts("I1", evals=[record(1, cuisine=["Irish"])])
    assert (irish["none"], irish["impossible"], irish["none_queries"]) == (1, 1, [1])
    assert counts("I1", attractions=[attraction(i) for i in range(7)])["short_attractions"] == 1
    assert counts("I1", hotels=[hotel(1, safety="average safety")])["short_stays"] == 1


def test_i3_injected():
    rows = [restaurant(i) for i in range(6)]
    rows[0] |= {"cuisine_1": "Not Applicable"}
    rows[1] |= {"good_for_meal": "Unknown"}
    rows[2] |= {"good_for_meal": ""}
    rows[3] |= {"good_for_meal": "lunch, dinner"}
    rows[4] |= {"good_for_meal": "dinner, brunch"}
    found = counts("I3", restaurants=rows, hotels=[hotel(1, price="Unknown price")])
    assert (found["no_first_cuisine"], found["no_cuisine"], found["unknown_price"]) == (1, 1, 1)
    assert (found["meals_unknown"], found["meals_empty"], found["serve_breakfast"]) == (1, 1, 3)
    assert found["queries_short_of_breakfast"] == 0
    assert counts("I3", restaurants=rows[1:4])["queries_short_of_breakfast"] == 1


def test_i4_injected():
    both = [restaurant(i) for i in range(5)] + [restaurant(5, business_id="h1", name="Diner 4")]
    found = counts("I4", restaurants=both)
    assert (found["in_tables"]["restaurants+hotels"], found["surplus_names"]["restaurants"]) == (1, 1)
    again = counts("I4", hotels=[hotel(1), hotel(1)])
    assert (again["surplus_ids"]["hotels"], again["surplus_name_and_address"]["hotels"]) == (1, 1)


def test_i5_injected():
    found = counts(
        "I5", hotels=[hotel(1, latitude=48.1), hotel(2, longitude=None), hotel(3, address="Pier"), hotel(4, address="")]
    )
    assert (found["outside_box"], found["address_without_digit"]["hotels"], found["address_empty"]["hotels"]) == (
        2,
        1,
        1,
    )
    assert inspect(folder(), box=(0, 0, 1, 1))["I5"]["outside_box"] is None


def test_i6_and_i7_injected():
    plain = {f"{o} oriented": f"low {o} oriented" for o in ORIENTATIONS}
    rows = [attraction(i) for i in range(7)] + [attraction(8, name="Vape, Etc.", **plain)]
    assert counts("I6", attractions=rows)["without_orientation"] == 1
    assert counts("I6", attractions=rows)["suspects"]["attractions"] == ["Vape, Etc."]
    assert counts("I7", attractions=rows)["attractions"] == 1


def test_i11_injected():
    twice = [record(1), record(2, restaurant=["good value", "good flavor"]), record(3, price=["moderate budget"])]
    texts = [{"index": i, "query": q} for i, q in ((1, "a"), (2, "b"), (3, "b"))]
    found = counts("I11", evals=twice, queries=texts)
    assert (found["pairs"], found["same_record"], found["same_text"]) == (1, [[1, 2]], [[2, 3]])


def test_records_that_do_not_read_are_all_named():
    bad = [record(1), {"index": 2, "eval_info": {}}, record(3, price=["no budget"]), record(4, day=[])]
    with pytest.raises(ValueError, match=r"3 of 4 records.*record 2.*record 3.*record 4"):
        inspect(folder(evals=bad))


def write(path: Path, **lines: bytes) -> Path:
    """Write a folder without a defect, but for the files given."""
    good = folder()
    rows = good.tables() | {"evals": good.evals, "humanQuerys": good.queries}
    for stem, found in rows.items():
        (path / f"{stem}.jsonl").write_bytes(lines.get(stem) or "\n".join(map(json.dumps, found)).encode())
    return path


def test_a_folder_is_read_as_it_is(tmp_path):
    assert inspect_folder(write(tmp_path)) == inspect(folder())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\n\n", "hotels.jsonl: found no row"),
        (b"\x89PNG\r\n\x00", "hotels.jsonl, line 1: not UTF-8 at byte 1 (0x89)"),
        (b'{"business_id": "x"}', "hotels.jsonl, line 1: found no name, address"),
        (b"[1]", "hotels.jsonl, line 1: found a list, expected an object"),
        (b'{"business_id": "x", "na', "hotels.jsonl, line 1: found no JSON"),
    ],
)
def test_a_file_that_is_not_as_published_is_named(tmp_path, content, message):
    with pytest.raises(SourceError, match="Name the folder that holds") as error:
        inspect_folder(write(tmp_path, hotels=content))
    assert message in str(error.value)


def test_every_missing_file_is_named(tmp_path):
    with pytest.raises(SourceError) as error:
        inspect_folder(tmp_path)
    assert all(f"{stem}.jsonl: found no such file" in str(error.value) for stem in FILE_KEYS)


worths = st.tuples(st.booleans(), st.booleans(), st.integers(0, 2))


def slow_can_pass(restaurants, stays, attractions, preferences, wishes, distinct):
    """One day: every choice of 3 meals, a stay and 4 visits."""
    choose = itertools.combinations if distinct else itertools.combinations_with_replacement
    for meals in choose(restaurants, 3):
        if 4 * sum(w[1] for w in meals) < 9 or 4 * sum(w[2] for w in meals) < 9 * preferences:
            continue
        for stay, visits in itertools.product(stays, choose(attractions, 4)):
            enough = 4 * stay[2] >= 3 * wishes and 4 * sum(w[1] for w in visits) >= 12
            if enough and 4 * sum(w[0] for w in (*meals, stay, *visits)) >= 24:
                return True
    return False


@settings(max_examples=120, deadline=None)
@given(
    st.lists(worths, max_size=5),
    st.lists(worths, max_size=2),
    st.lists(worths, max_size=5),
    st.integers(1, 2),
    st.booleans(),
)
def test_feasibility_agrees_with_every_choice(restaurants, stays, attractions, preferences, distinct):
    stays = [(cheap, True, met) for cheap, _, met in stays]
    attractions = [(cheap, fits, 0) for cheap, fits, _ in attractions]
    found = can_pass_macro(1, restaurants, stays, attractions, preferences=preferences, wishes=2, distinct=distinct)
    assert found == slow_can_pass(restaurants, stays, attractions, preferences, 2, distinct)


def test_folders_below_that_would_do_are_named(tmp_path):
    for city in ("us-in-alder", "us-in-birch"):
        (tmp_path / city).mkdir()
        (tmp_path / city / "restaurants.jsonl").write_text("{}\n")
    with pytest.raises(SourceError, match=r"these hold restaurants\.jsonl: us-in-alder, us-in-birch"):
        read_folder(tmp_path)


@pytest.mark.parametrize("odd", [[], {"a": None}, [None], 10**400], ids=["list", "object", "null", "huge"])
def test_values_of_other_types_are_counted_like_others(odd):
    rows = [restaurant(1, business_id=odd, name=odd, address=odd, latitude=odd)] * 2
    found = inspect(Folder(rows, [hotel(1)], [], evals=[], queries=[]))
    assert (found["I4"]["surplus_ids"]["restaurants"], found["I4"]["surplus_name_and_address"]["restaurants"]) == (1, 1)
    assert found["I4"]["in_two_tables"] == 0
