"""Which places the matrix holds hardly moves with the city; its router is the recipe's, on the city's own extract."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.spatial.distance_matrix import COLUMNS, grids
from assets.spatial.matrix_pool import matrix_pool, road_matrices, router
from schemas.places import KINDS
from schemas.recipe import City, SpatialSection
from schemas.recipe_values import Box
from schemas.source import SourceError
from schemas.spatial import DistanceMatrix
from sources.osm.city_extract import city_extract
from sources.osm.streets import StreetGraph

CITY = City(
    city_id="xx-street", name="Street", country="XX", currency="EUR",
    box=Box(south=-1, west=-1, north=1, east=1),
)  # fmt: skip


def some_places(kinds: list[str]) -> pd.DataFrame:
    rows = [("xx-street", f"p:{i}", kind, 0.0, i / 1000) for i, kind in enumerate(kinds)]
    return pd.DataFrame(rows, columns=["city_id", "place_id", "kind", "lat", "lon"])


def ids(places: pd.DataFrame) -> list[str]:
    return places["place_id"].tolist()


KINDS_OF_PLACES = st.lists(st.sampled_from(KINDS), min_size=1, max_size=40)


@given(KINDS_OF_PLACES, st.integers(1, 45))
def test_the_pool_is_full_and_stays_come_only_where_nothing_else_is_left(kinds, size):
    pool = matrix_pool(some_places(kinds), size)
    assert len(pool) == len(set(ids(pool))) == min(size, len(kinds))
    others = sum(kind != "stay" for kind in kinds)
    assert (pool["kind"] != "stay").sum() == min(size, others)


@given(KINDS_OF_PLACES, st.integers(1, 45), st.randoms(use_true_random=False))
def test_the_pool_does_not_depend_on_the_order_and_a_larger_one_begins_with_it(kinds, size, random):
    places = some_places(kinds)
    order = list(range(len(kinds)))
    random.shuffle(order)
    pool = ids(matrix_pool(places, size))
    assert ids(matrix_pool(places.iloc[order], size)) == pool
    assert ids(matrix_pool(places, size + 3))[: len(pool)] == pool


@given(KINDS_OF_PLACES, st.integers(1, 45), st.sampled_from(KINDS))
def test_a_new_place_moves_at_most_one_out(kinds, size, kind):
    before, after = (set(ids(matrix_pool(some_places(k), size))) for k in (kinds, [*kinds, kind]))
    assert len(before - after) <= 1
    assert after - before <= {f"p:{len(kinds)}"}


def test_the_pool_is_no_mere_beginning_of_the_table():
    """A file's first places are its oldest, or one quarter's: which of equals are kept must not follow their order."""
    pool = set(ids(matrix_pool(some_places(["attraction"] * 200), 100)))
    assert 30 < len(pool & {f"p:{i}" for i in range(100)}) < 70


def street() -> str:
    """Return an extract of one straight street along the equator, a node every thousandth of a degree."""
    nodes = "".join(f'<node id="{i + 1}" version="1" lat="0" lon="{i / 1000}"/>' for i in range(11))
    refs = "".join(f'<nd ref="{i + 1}"/>' for i in range(11))
    way = f'<way id="1" version="1">{refs}<tag k="highway" v="residential"/></way>'
    return f'<?xml version="1.0"?><osm version="0.6">{nodes}{way}</osm>'


@pytest.fixture
def extract(raw_file):
    return raw_file("osm", "extract", street())


GRAPH = SpatialSection(router="graph", modes=["foot", "car"], pool_size=3)


def test_each_mode_has_a_matrix_of_the_pool_by_the_recipe_s_router(extract):
    places = some_places(["stay", "attraction", "restaurant", "stay", "attraction"])
    outcome: Any = road_matrices(places, [extract], city=CITY, spatial=GRAPH)
    DistanceMatrix.validate(DistanceMatrix.arrow(outcome.rows))
    pool = sorted(ids(matrix_pool(places, 3)))
    assert outcome.rows_in == len(outcome.rows) == 6
    for mode in GRAPH.modes:
        rows = outcome.rows[outcome.rows["mode"] == mode]
        own = StreetGraph(extract.path, extract.snapshot.sha256, mode)
        chosen = places.set_index("place_id").loc[pool]
        answer = own.table(chosen["lat"], chosen["lon"])
        named, distances, times = grids(rows)
        assert named == pool
        assert np.array_equal(distances, answer.distances_m)
        assert np.array_equal(times, answer.times_s)
        assert set(rows["router"]) == {own.router.label}
        assert extract.snapshot.sha256 in own.router.label
        assert outcome.facts[mode] == {
            "router": own.router.label, "places": 3, "off_network": 0, "cut_off": 0, "ways": 9
        }  # fmt: skip
    assert outcome.rows["times_s"].iloc[0] != outcome.rows["times_s"].iloc[3]


def test_a_city_without_an_extract_has_no_matrix_and_nothing_in_its_place():
    outcome = road_matrices(some_places(["stay"]), [], city=CITY, spatial=GRAPH)
    assert outcome.facts == {"router": None}
    assert DistanceMatrix.arrow(outcome.rows).num_rows == 0
    assert list(outcome.rows) == COLUMNS


def test_two_extracts_are_an_error_that_says_which_city(extract):
    with pytest.raises(SourceError, match=r"xx-street: found 2 OpenStreetMap extracts, expected one to route on"):
        road_matrices(some_places(["stay"]), [extract, extract], city=CITY, spatial=GRAPH)


def test_an_extract_without_streets_is_an_error(raw_file):
    empty = raw_file("osm", "extract", '<?xml version="1.0"?><osm version="0.6"></osm>')
    with pytest.raises(SourceError):
        road_matrices(some_places(["stay"]), [empty], city=CITY, spatial=GRAPH)


def test_no_other_router_stands_in_where_osrm_is_missing(extract, tmp_path, monkeypatch):
    monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "no osrm here"))
    with pytest.raises(SourceError, match="OSRM"), router(city_extract(extract, CITY.bounds), SpatialSection(), "foot"):
        pytest.fail("a router answered")
