"""A release's own plans in the readings of the paper: hours of several rules are written for the first that fits."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pandas as pd
import pytest

from assets.grouptravel.release_scores import score_release
from assets.grouptravel.scoring import Optima
from assets.grouptravel.tables import GroupCalendar, GroupCity, GroupFare, GroupPoi, GroupRide
from assets.grouptravel.variants import VARIANTS
from assets.rows import ReleaseTables
from schemas.spatial import DistanceMatrix, PlaceNearestStop, PlaceServedStop
from tests.assets.grouptravel.test_published_export import hours, record, rule
from tests.assets.grouptravel.weekend import POIS, good_plan

CLOSED_ON_TUESDAYS = hours(rule([7], ("12:00", "17:00")), rule([1, 3, 4, 5, 6], ("09:00", "18:00")))
"""The plan is there on a Monday, which the second rule opens; a reader of the first alone finds it closed."""

UNKNOWN = dict.fromkeys((field.name for field in fields(Optima)), 0)

CLOSED_ON_MONDAYS = hours(rule([7], ("12:00", "17:00")), rule([2, 3, 4, 5, 6], ("09:00", "18:00")))


def release(museum: dict[str, Any]) -> ReleaseTables:
    """Return the weekend's world as a release of one task, whose museum has these hours."""
    changed = {"p1": {"opening_hours": museum}}
    pois = [
        {**vars(poi), "city_id": "o", "avg_cost": poi.cost, "opening_hours": poi.hours} | changed.get(poi.place_id, {})
        for poi in POIS.in_city("Oulu")
    ]
    cities = [{"city_id": "o", "name": "Oulu"}, {"city_id": "h", "name": "Home"}]
    train = {"mode": "train", "price": 200.0, "weekdays": [*range(1, 8)], "is_price_modelled": False}
    fares = [
        {**train, "origin_city_id": "h", "dest_city_id": "o", "dep_time": "07:00", "arr_time": "09:00"},
        {**train, "origin_city_id": "o", "dest_city_id": "h", "dep_time": "14:00", "arr_time": "16:00"},
    ]
    rows: dict[Any, Any] = {GroupPoi: pois, GroupCity: cities, GroupFare: fares, GroupCalendar: [], GroupRide: [],
                            PlaceNearestStop: [], PlaceServedStop: []}  # fmt: skip
    frames: dict[str, Any] = {table.table_name(): pd.DataFrame(listed) for table, listed in rows.items()}
    frames[DistanceMatrix.table_name()] = DistanceMatrix.arrow_schema().empty_table()
    frames["tasks"] = pd.DataFrame([{"task_id": "t1", "query": "Oulu", "record": record(), "messages": []}])
    frames["certificates"] = pd.DataFrame([{"task_id": "t1", "proof": {"per_table": UNKNOWN}}])
    return ReleaseTables(frames, {"language": "en"})


def issues(museum: dict[str, Any], variant: str) -> list[Any]:
    """Return what a reading finds wrong with the weekend's good plan."""
    (trial,) = score_release(release(museum), [{"task_id": "t1", "plan": good_plan()}], variant)["trials"]
    return trial["issues"]


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_a_place_that_a_later_rule_opens_is_open_in_every_reading(variant):
    assert issues(CLOSED_ON_TUESDAYS, variant) == []
    assert issues(CLOSED_ON_MONDAYS, variant) != []
