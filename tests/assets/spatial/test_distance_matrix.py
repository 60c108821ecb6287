"""A matrix is what the router answered, row by row; where no road leads it holds null, never 0."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from assets.spatial.distance_matrix import distance_matrix, grids, pairs
from assets.step import Outcome
from schemas.spatial import DistanceMatrix
from sources.services.routing import RoadMatrix, Router

NO_ROAD = float("nan")


class Crow:
    """A router that flies: 1 degree of latitude is 100 m and 50 s; places at 90° north are islands."""

    router = Router("osrm", "1", "ch", "foot", "ab12")

    def table(self, lat, lon):
        distance = np.abs(np.subtract.outer(lat, lat)) * 100
        island = np.asarray(lat) == 90
        distance[(island[:, None] | island) & ~np.eye(len(lat), dtype=bool)] = NO_ROAD
        return RoadMatrix(distance, distance / 2, np.where(island, 700.0, 3.0), self.router)


def rejected(made: Outcome) -> list[dict[str, str]]:
    assert isinstance(made.rejections, list)
    return made.rejections


def places_at(**latitudes):
    rows = [{"city_id": "xx-town", "place_id": i, "lat": lat, "lon": 0.0} for i, lat in latitudes.items()]
    return pd.DataFrame(rows, columns=["city_id", "place_id", "lat", "lon"])


TOWN = places_at(c=4.0, a=1.0, d=2.0)


def test_a_row_per_origin_with_lists_in_the_order_of_the_ids():
    made = distance_matrix(TOWN, Crow(), "foot")
    rows = DistanceMatrix.validate(DistanceMatrix.arrow(made.rows)).to_pylist()
    label = "engine=osrm version=1 algorithm=ch profile=foot extract_sha256=ab12"
    assert [(row["place_id"], row["distances_m"], row["times_s"]) for row in rows] == [
        ("a", [0.0, 300.0, 100.0], [0.0, 150.0, 50.0]),
        ("c", [300.0, 0.0, 200.0], [150.0, 0.0, 100.0]),
        ("d", [100.0, 200.0, 0.0], [50.0, 100.0, 0.0]),
    ]
    assert {(row["city_id"], row["mode"], row["router"]) for row in rows} == {("xx-town", "foot", label)}
    assert made.facts == {"router": label, "places": 3, "off_network": 0, "cut_off": 0, "ways": 9}
    assert rejected(made) == []


def test_it_is_readable_as_pairs():
    rows = DistanceMatrix.frame(DistanceMatrix.arrow(distance_matrix(TOWN, Crow(), "foot").rows))
    unfolded = pairs(rows.sample(frac=1, random_state=1))
    assert [tuple(row) for row in unfolded.itertuples(index=False)][:3] == [
        ("xx-town", "foot", "a", "c", 300, 150),
        ("xx-town", "foot", "a", "d", 100, 50),
        ("xx-town", "foot", "c", "a", 300, 150),
    ]


def test_a_place_far_from_every_road_is_rejected_by_name():
    made = distance_matrix(places_at(c=4.0, b=90.0, a=1.0), Crow(), "foot")
    assert list(made.rows["place_id"]) == ["a", "c"]
    assert rejected(made) == [
        {"row": "b", "reason": "off_network", "detail": "a road to use by foot: the nearest is 700 m away"}
    ]
    assert made.rows_in == len(made.rows) + len(rejected(made))


def test_a_place_that_the_router_cannot_snap_is_off_the_network():
    class Blind(Crow):
        def table(self, lat, lon):
            answer = super().table(lat, lon)
            return RoadMatrix(answer.distances_m, answer.times_s, np.full(len(lat), NO_ROAD), self.router)

    made = distance_matrix(TOWN, Blind(), "foot")
    assert [row["detail"] for row in rejected(made)] == ["a road to use by foot: none"] * 3


class Ferry(Crow):
    """A router of two shores that no road joins, and a place from which one gets away but never back."""

    def table(self, lat, lon):
        distance = np.abs(np.subtract.outer(lat, lat)) * 100
        north = np.asarray(lat) > 50
        distance[north[:, None] != north] = NO_ROAD
        distance[:, np.asarray(lat) == 7.0] = NO_ROAD
        np.fill_diagonal(distance, 0.0)
        return RoadMatrix(distance, distance / 2, np.full(len(lat), 3.0), self.router)


def test_the_main_part_of_the_network_is_kept_and_the_places_cut_off_from_it_are_named():
    made = distance_matrix(places_at(a=1.0, b=2.0, c=3.0, x=60.0, y=61.0, z=7.0), Ferry(), "foot")
    assert list(made.rows["place_id"]) == ["a", "b", "c"]
    assert {row["row"]: row["reason"] for row in rejected(made)} == {"x": "cut_off", "y": "cut_off", "z": "cut_off"}
    assert made.rows["times_s"].map(lambda times: None not in times).all()
    assert made.facts["cut_off"] == 3


def test_no_places_make_no_rows():
    made = distance_matrix(places_at(), Crow(), "foot").rows
    assert DistanceMatrix.arrow(made).num_rows == 0
    assert pairs(made).empty


def test_a_missing_row_is_noticed():
    rows = distance_matrix(TOWN, Crow(), "foot").rows
    with pytest.raises(ValueError, match=r"found 2 rows with lists of \[3\] ways"):
        grids(rows.iloc[1:])


def test_rows_of_two_cities_are_not_one_matrix():
    rows = distance_matrix(TOWN, Crow(), "foot").rows
    with pytest.raises(ValueError, match="more than one city or mode"):
        pairs(pd.concat([rows, rows.assign(city_id="xx-other")]))
    with pytest.raises(ValueError, match="found places of 2 cities"):
        distance_matrix(pd.concat([TOWN, TOWN.assign(city_id="xx-other")]), Crow(), "foot")


def test_a_repeated_place_is_refused():
    with pytest.raises(ValueError, match="place_id 'a' appear more than once"):
        distance_matrix(pd.concat([TOWN, TOWN[TOWN["place_id"] == "a"]]), Crow(), "foot")


def test_a_router_of_another_mode_is_refused():
    with pytest.raises(ValueError, match="the router travels by 'foot'; expected 'car'"):
        distance_matrix(TOWN, Crow(), "car")
