"""Where people set out from in a first recipe, and in how round an amount its trips are paid."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.pipelines.test_init import init, island, village
from tests.sources.osm_text import osm


def test_where_no_town_is_near_people_set_out_from_the_nearest_there_are(tmp_path):
    told, loaded = island(tmp_path, -109.44, -27.16)  # Easter Island, more than 2,000 km from any other town
    assert told["neighbours"][0] == "Rikitea"
    far = [city for city in loaded.recipe.cities if not city.is_visited]
    assert [city.name for city in far] == told["neighbours"]
    assert len(far) == 3


def test_where_one_town_is_near_people_set_out_from_farther_ones_too(tmp_path):
    """From a far town flights may land before they leave, by the clocks: no trip could be told of it alone."""
    told, _ = island(tmp_path, 15.64, south=78.22)
    assert told["neighbours"] == ["Longyearbyen", "Scoresbysund", "Thule"]


def test_nobody_sets_out_from_north_korea_or_gaza_but_within_it(tmp_path):
    told, _ = island(tmp_path, 127.0, south=37.56)
    assert "Pyongyang" not in told["neighbours"]
    told, _ = island(tmp_path, 34.9, 32.07, ["--force"])
    assert "Gaza" not in told["neighbours"]
    told, _ = island(tmp_path, 125.3, 38.5, ["--force"])
    assert told["neighbours"][0] == "Pyongyang"


@pytest.mark.parametrize(
    ("lat", "lon", "currency", "step"),
    [(35.7, 51.4, "IRR", 10**8), (37.5, 127.0, "KRW", 10**5), (29.3, 47.9, "KWD", 10), (48.8, 2.3, "EUR", 100)],
)
def test_budgets_are_as_round_in_any_money_as_the_published_ones_are_in_dollars(tmp_path, lat, lon, currency, step):
    """A budget of 781,945,900 rials is no number that anybody says."""
    _, loaded = island(tmp_path, lon, south=lat)
    section: Any = loaded.sections["tripcraft"]
    assert (section.currency, section.budget_step) == (currency, step)


def test_where_a_town_holds_too_little_for_anything_a_wider_box_is_named_and_taken(tmp_path):
    """The village has two cafés; a kilometre north of its box lies all that it lacks."""
    path = tmp_path / "small.osm"
    path.write_text(osm(*village(eat=2, see=1, sleep=0), *village(south=43.76, first=2000, eat=30, see=30, sleep=9)))
    words = ("Small", "--map", path, "--out", tmp_path, "--force")
    answer = init(*words, "--box=43.715,7.395,43.75,7.44")
    told = " ".join(answer.output.split())
    assert "grouptravel is not built" in told
    assert told.endswith(", which makes tables alone")
    (box,) = re.findall(r"A wider area may hold more: (--box=\S+)", told)
    assert "another map" not in told
    assert "tables alone" not in init(*words, box).output
    wider = json.loads(init(*words, box, "--json").stdout)
    assert next(one for one in wider["families"] if one["family"] == "grouptravel")["tasks_a_level"] == 5
    assert wider["wider_box"] == ""


def test_where_the_map_ends_with_the_town_another_map_is_asked_for(tmp_path):
    """A wider box of the same map would hold the same."""
    path = tmp_path / "small.osm"
    path.write_text(osm(*village(eat=2, see=1, sleep=0)))
    told = " ".join(init("Small", "--map", path, "--out", tmp_path).output.split())
    assert re.search(r"--box=\S+, of another map, since this one ends where the city does", told)
