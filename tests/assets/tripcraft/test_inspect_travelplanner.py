"""The published reference sets of TravelPlanner have the defects of 1.G, each counted."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from assets.tripcraft.inspect import inspect_file
from pipelines.cli import app
from schemas.source import SourceError

SET = {
    "Attractions in Chattanooga": [
        {"Name": "A", "Address": "1 St, Chattanooga, TN 37402, USA", "City": "Chattanooga"},
        {"Name": "B", "Address": "2 St, Chattanooga, TN 37402, USA", "City": "Chattanooga"},
        {"Name": "Rocks", "Address": "3 Rd, Lookout Mountain, GA 30750, USA", "City": "Chattanooga"},
    ],
    "Restaurants in Chattanooga": [
        {"Name": "Pizza, & Co", "City": "Chattanooga", "Aggregate Rating": 0, "Cuisines": "French, Tea"},
        {"Name": "Pizza, & Co", "City": "Dallas", "Aggregate Rating": 4.1, "Cuisines": "French"},
    ],
    "Accommodations in Chattanooga": [
        {"NAME": "Loft near JFK!", "city": "Chattanooga", "minimum nights": 3.0},
        {"NAME": "Loft in Harlem", "city": "New York", "minimum nights": 30.0},
        {"NAME": "Anything nymph", "city": "Chattanooga", "minimum nights": 1.0},
    ],
    "Flight from Dallas to Chattanooga on 2022-03-01": "There is no flight from Dallas to Chattanooga on 2022-03-01.",
    "Self-driving from Dallas to Chattanooga": "No valid information.",
    "Taxi from Dallas to Chattanooga": "No valid information.",
    "Flight from Chattanooga to Dallas on 2022-03-03": [{"Flight Number": "F0000001"}],
    "Self-driving from Chattanooga to Dallas": "Self-driving, from Chattanooga to Dallas, duration: 11 hours",
}


def test_the_command_prints_each_finding_under_its_title(tmp_path):
    (tmp_path / "train_ref_info.jsonl").write_text(json.dumps(SET) + "\n", encoding="utf-8")
    answer = CliRunner().invoke(app, ["inspect", "travelplanner", str(tmp_path)])
    assert answer.exit_code == 0, answer.output
    assert "named: 1" in answer.output


def test_each_defect_is_counted_once_a_row_however_many_sets_hold_it(raw_file):
    lines = json.dumps(SET) + "\n" + json.dumps(SET) + "\n"
    found = inspect_file(raw_file("travelplanner", "ref_info", lines))
    assert (found["new_york_stays"]["named"], found["new_york_stays"]["elsewhere"]) == (1, 2)
    assert found["zero_ratings"] == {**found["zero_ratings"], "restaurants": 2, "zero": 1}
    assert found["recurring_restaurants"]["most"] == [["Pizza, & Co", 2]]
    assert found["cuisine_labels"]["queried"]["French"] == 2
    assert found["cuisine_labels"]["others"] == {"Tea": 1}
    assert (found["flightless_legs"]["legs"], found["flightless_legs"]["without"]) == (4, 2)
    assert (found["roadless_legs"]["legs"], found["roadless_legs"]["without"]) == (4, 2)
    assert (found["minimum_nights"]["more_than_2"], found["minimum_nights"]["more_than_3"]) == (2, 1)
    assert found["other_state"]["which"] == [["Rocks", "Chattanooga", "GA"]]


def test_lines_that_are_no_reference_set_are_told_together(raw_file):
    with pytest.raises(SourceError) as refused:
        inspect_file(raw_file("travelplanner", "ref_info", json.dumps(SET) + '\n{"Other": []}\n{bad\n'))
    assert "\n  - line 2: found the heading 'Other'" in str(refused.value)
    assert "\n  - line 3: found `{bad`, which is not JSON" in str(refused.value)


def test_another_file_is_refused(raw_file):
    with pytest.raises(SourceError, match="expected TravelPlanner's ref_info"):
        inspect_file(raw_file("travelplanner", "ref_info", [{"business_id": "b"}]))


def test_the_published_training_sets(raw_file, shared_data):
    found = inspect_file(raw_file("travelplanner", "ref_info", shared_data / "travelplanner" / "train_ref_info.jsonl"))
    assert found["zero_ratings"] == {**found["zero_ratings"], "restaurants": 1976, "zero": 435}
    assert found["recurring_restaurants"]["names"] == 99
    assert found["recurring_restaurants"]["most"][0] == ["Domino's Pizza", 17]
    assert (found["flightless_legs"]["legs"], found["flightless_legs"]["without"]) == (135, 74)
    assert (found["roadless_legs"]["legs"], found["roadless_legs"]["without"]) == (135, 8)
    assert found["minimum_nights"] == {
        **found["minimum_nights"],
        "stays": 790,
        "more_than_2": 405,
        "more_than_3": 292,
    }
    assert found["other_state"]["which"] == [["Rock City Gardens", "Chattanooga", "GA"]]
    assert min(found["cuisine_labels"]["others"].values()) == 682
    assert max(found["cuisine_labels"]["others"].values()) == 771
    assert found["new_york_stays"]["named"] >= 413, "the published count is a lower bound"
