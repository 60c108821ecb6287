"""The family's tables, as data: pool, drafts, tasks, certificates, contexts, lineage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assets.itinbench.section import ItinbenchSection
from assets.itinbench.tables import (
    ItinbenchCertificate,
    ItinbenchContext,
    ItinbenchDraft,
    ItinbenchLineage,
    ItinbenchNearestQuery,
    ItinbenchPlace,
    ItinbenchTask,
)
from assets.step import Outcome, Raw, RawFile, Step
from schemas.places import Place
from schemas.recipe import City
from schemas.reviews import PlaceRating

if TYPE_CHECKING:
    import pandas as pd

    from assets.language.asking import Ask


def pool(place: pd.DataFrame, place_rating: pd.DataFrame) -> Outcome:
    """Return the city's places with their ratings side by side."""
    from assets.itinbench.pool import itinbench_places

    return itinbench_places(place, place_rating)


def drafts(pool: pd.DataFrame, *, city: City, seed: int, itinbench: ItinbenchSection, retired: list[str]) -> Outcome:
    """Return a satisfiable record for every slot of the city, all distinct."""
    from assets.itinbench import tasks

    return tasks.drafts(pool, city=city, seed=seed, itinbench=itinbench, retired=retired)


def worded(draft: pd.DataFrame, *, ask: Ask | None) -> Outcome:
    """Return each draft as a task in words that parse back to its record."""
    from assets.itinbench import tasks

    return tasks.tasks(draft, ask)


def certified(task: pd.DataFrame, pool: pd.DataFrame, *, previous: pd.DataFrame | None) -> Outcome:
    """Return the certificate of every task: a witness plan that the independent checker accepts."""
    from assets.itinbench.certificates import certificates

    return certificates(task, pool, previous=previous)


def contexts(task: pd.DataFrame, pool: pd.DataFrame, certificate: pd.DataFrame) -> pd.DataFrame:
    """Return what a planner is given in each of the four published settings."""
    from assets.itinbench.contexts import context_rows

    return context_rows(task, pool, certificate)


def lineage(task: pd.DataFrame, certificate: pd.DataFrame, pool: pd.DataFrame) -> pd.DataFrame:
    """Return where each value of the tasks and certificates comes from."""
    from assets.itinbench import lineage

    return lineage.lineage(task, certificate, pool)


def nearest_queries(task: pd.DataFrame, published: list[RawFile], queries: list[RawFile]) -> Outcome:
    """Return how alike each query is to the published ones and to the others of its city."""
    from assets.language import nearest_query

    return nearest_query.nearest_queries(task, [*published, *queries])


STEPS = (
    Step(
        ItinbenchPlace,
        f"{__name__}:pool",
        (Place, PlaceRating),
        checks=("assets.clean.checks:city_has_places_of_every_kind",),
    ),
    Step(ItinbenchDraft, f"{__name__}:drafts", (ItinbenchPlace,)),
    Step(ItinbenchTask, f"{__name__}:worded", (ItinbenchDraft,), job="wording"),
    Step(ItinbenchCertificate, f"{__name__}:certified", (ItinbenchTask, ItinbenchPlace)),
    Step(ItinbenchContext, f"{__name__}:contexts", (ItinbenchTask, ItinbenchPlace, ItinbenchCertificate)),
    Step(ItinbenchLineage, f"{__name__}:lineage", (ItinbenchTask, ItinbenchCertificate, ItinbenchPlace)),
    Step(
        ItinbenchNearestQuery,
        f"{__name__}:nearest_queries",
        (ItinbenchTask, Raw("published", "queries"), Raw("published_queries", "itinbench")),
        checks=("assets.language.nearest_query:no_query_repeats_a_published_one",),
    ),
)
