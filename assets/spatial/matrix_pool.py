"""Which places of a city the distance matrix holds, and the router that fills it, chosen by the recipe."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd

from assets.spatial.distance_matrix import COLUMNS, OFF_NETWORK_M, TableSource, distance_matrix
from assets.step import Outcome, RawFile
from schemas.counts import counted
from schemas.recipe import City, SpatialSection
from schemas.source import SourceError
from schemas.stable import stable_hash
from sources.osm.city_extract import CityExtract, city_extract


def matrix_pool(places: pd.DataFrame, size: int) -> pd.DataFrame:
    """Return at most `size` places of one city: restaurants and attractions first, then stays, each by a stable hash.

    A place's rank does not depend on the others, so one new place moves at most one out.
    """
    is_stay = places["kind"] == "stay"
    rank = [stable_hash("matrix_pool", place_id) for place_id in places["place_id"]]
    ordered = places.assign(is_stay=is_stay, rank=rank).sort_values(["is_stay", "rank"], kind="stable")
    return ordered.head(size).drop(columns=["is_stay", "rank"])


def road_matrices(
    places: pd.DataFrame, extracts: list[RawFile], *, city: City, spatial: SpatialSection | None
) -> Outcome:
    """Return road distances (m) and times (s) between the places that tasks can use, by the recipe's router.

    A city without an extract has none, which `city_coverage` tells; nothing is estimated in their place. A recipe
    without [spatial] names no router, and asks for no roads. Raises SourceError if the city binds several extracts, or
    if the router cannot be had.
    """
    if spatial is None or not extracts:
        return Outcome(pd.DataFrame(columns=COLUMNS), facts={"router": None})
    if len(extracts) > 1:
        raise SourceError(
            f"{city.city_id}: found {len(extracts)} OpenStreetMap extracts, expected one to route on. "
            "Bind one extract that covers the city as cities.sources.osm.extract."
        )
    pool = matrix_pool(places, spatial.pool_size)
    outcomes = []
    for mode in spatial.modes:
        with router(city_extract(extracts[0], city.bounds), spatial, mode) as source:
            outcomes.append(distance_matrix(pool, source, mode))
    _require_enough(city, dict(zip(spatial.modes, outcomes, strict=True)), len(pool), spatial.least_on_network)
    rows = pd.concat([pd.DataFrame(columns=COLUMNS), *(outcome.rows for outcome in outcomes)])
    rejected = [
        row | {"row": f"{row['row']} by {mode}"}
        for mode, outcome in zip(spatial.modes, outcomes, strict=True)
        for row in _rejection_list(outcome)
    ]
    facts = {mode: outcome.facts for mode, outcome in zip(spatial.modes, outcomes, strict=True)}
    return Outcome(rows, rejected, rows_in=len(pool) * len(outcomes), facts=facts)


def _rejection_list(outcome: Outcome) -> list[dict[str, str]]:
    assert isinstance(outcome.rejections, list)
    return outcome.rejections


def _require_enough(city: City, outcome_by_mode: dict[str, Outcome], places: int, least: float) -> None:
    """Refuse a network that reaches too few of the city's places: of another city, or one without its streets."""
    problems = []
    for mode, outcome in outcome_by_mode.items():
        places_on_network = len(outcome.rows) if isinstance(outcome.rows, pd.DataFrame) else 0
        if places and places_on_network < max(1, least * places):
            off, cut = outcome.facts["off_network"], outcome.facts["cut_off"]
            problems.append(
                f"by {mode} roads lead between {places_on_network} of {counted(places, 'place')} ({off} have no road "
                f"within {OFF_NETWORK_M:.0f} m, {cut} lie on parts of the network that do not meet the main one)"
            )
    if problems:
        raise SourceError(
            f"{city.city_id}: {'; '.join(problems)}; expected at least {least:.0%}. Bind an extract that holds the "
            "city and its streets, or set spatial.least_on_network."
        )


@contextmanager
def router(extract: CityExtract, spatial: SpatialSection, mode: str) -> Iterator[TableSource]:
    """Yield the recipe's router for one extract and mode; a server of ours ends with the block.

    Its errors name the file that was bound, not the cut of it that is read.
    """
    try:
        if spatial.router == "graph":
            from sources.osm.streets import StreetGraph

            yield StreetGraph(extract.path, extract.sha256, mode)
            return
        from sources.services.osrm_engine import ManagedOsrm
        from sources.services.osrm_install import default_cache_dir

        sha256, cache_dir = extract.sha256, default_cache_dir()
        with ManagedOsrm(extract.path, sha256, mode, spatial.algorithm, cache_dir=cache_dir) as managed:
            yield managed
    except SourceError as error:
        bound = f"{Path(extract.snapshot.location).name}, around the city,"
        raise SourceError(str(error).replace(extract.path.name, bound)) from None
