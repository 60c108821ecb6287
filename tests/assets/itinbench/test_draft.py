"""Drafts of a city's set: satisfiable (I1), distinct (I11), varied, local to what changed, and repaired as recorded."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import pytest

from assets.core import drafting
from assets.core.worlds import given_tables
from assets.declared import FamilyError
from assets.family import Drawn, Refused, Series, Slot, Solved
from assets.itinbench.draft import draft, prepare
from assets.itinbench.family import FAMILY
from assets.itinbench.repairs.nominal import nominal
from assets.itinbench.repairs.satisfiable import feasibility
from assets.itinbench.repairs.space import cell_of
from assets.itinbench.section import ItinbenchSection
from assets.itinbench.tables import Record
from assets.itinbench.witness.selection import told_apart
from assets.itinbench.world import World
from schemas.source import SourceError
from tests.assets.itinbench.town import NO_TAGS

CITY = "us-pa-philadelphia"
SECTION = ItinbenchSection(tasks_per_city=500)
PRICE_SIGNS = {"cheap": ("$", "$$"), "moderate": ("$", "$$", "$$$"), "expensive": ("$$", "$$$", "$$$$")}


class Drafts(NamedTuple):
    rows: list[dict[str, Any]]
    facts: dict[str, Any]


def drafts(places: pd.DataFrame, seed: int = 0, section: ItinbenchSection = SECTION, **own: Any) -> Drafts:
    """Draft the set by the core's loop; every record counts as solved, because only drafting is judged here.

    `own` functions take the place of the family's.
    """
    step = next(step for step in FAMILY.steps if step.output is FAMILY.tables.draft)
    solved = {
        "depends": lambda *_: None,
        "solve": lambda *_: Solved(None),
        "check": lambda *_: [],
        "verify": lambda *_: [],
    }
    world = step.functions["world"](given_tables(step.world, (places, NO_TAGS), section))
    found = drafting.drafts(
        step=step, uses={**step.functions, **solved, **own}, world=world, section=section, area=CITY, seed=seed,
        retired=[], attempts=FAMILY.attempts, most_unsolved=FAMILY.most_unsolved, previous=None, ask=None,
    )  # fmt: skip
    assert not list(found.rejections)
    rows: list[Any] = cast(pd.DataFrame, found.rows).to_dict("records")
    return Drafts(rows, found.facts)


@pytest.fixture(scope="module")
def set_of_500(philadelphia: pd.DataFrame) -> Drafts:
    return drafts(philadelphia)


def slots(count: int) -> list[Slot]:
    series = Series("", count)
    return [Slot(f"itinbench.{CITY}.{number:05d}", number, CITY, series, 0) for number in range(count)]


def content(record: Record) -> str:
    return json.dumps({**record, "restaurant": sorted(record["restaurant"]), "hotel": sorted(record["hotel"])})


def test_i1_every_draft_has_a_place_of_its_own_for_every_meal_and_visit(set_of_500: Drafts, published: Path):
    """Counted on the published files, in the published words, by nothing of ours."""
    tables = {
        stem: [json.loads(line) for line in (published / f"{stem}.jsonl").read_text().splitlines()]
        for stem in ("restaurants", "attractions", "hotels")
    }
    for row in set_of_500.rows:
        record = row["record"]
        american = ["American", "American (New)", "American (Traditional)"]
        labels = american if record["cuisine"] == "US" else [record["cuisine"]]
        fits = {
            stem: [t for t in table if t["price"] in PRICE_SIGNS[record["price"]]] for stem, table in tables.items()
        }
        meals = {
            t["business_id"]
            for t in fits["restaurants"]
            if (t["cuisine_1"] in labels or t["cuisine_2"] in labels)
            and all(t[a].startswith(("good", "excellent")) for a in record["restaurant"])
        }
        wanted = f"{record['orientation']} oriented"
        visits = {t["business_id"] for t in fits["attractions"] if t[wanted].startswith(("medium", "high"))}
        stays = [t for t in fits["hotels"] if all(t[a].startswith(("good", "excellent")) for a in record["hotel"])]
        assert len(meals) >= 3 * record["days"], row
        assert len(visits) >= 4 * record["days"], row
        assert len(meals | visits) >= 7 * record["days"], row
        assert stays, row


def test_i11_no_two_drafts_ask_for_the_same(set_of_500: Drafts):
    """Whatever the order in which they state their preferences."""
    assert max(Counter(content(row["record"]) for row in set_of_500.rows).values()) == 1
    assert [row["task_id"] for row in set_of_500.rows] == [f"itinbench.{CITY}.{slot:05d}" for slot in range(500)]


@pytest.mark.parametrize("seed", [0, 1, 17])
def test_the_set_keeps_its_variety(philadelphia: pd.DataFrame, seed: int):
    """Irish and Greek cannot be had; all others are there, none of them over a fifth; other shares as published."""
    facts = drafts(philadelphia, seed).facts["marginals"]
    cuisines = {cuisine: shares["realised"] for cuisine, shares in facts["cuisine"].items()}
    assert {cuisine for cuisine, share in cuisines.items() if share == 0} == {"Irish", "Greek"}
    assert max(cuisines.values()) <= 0.2
    preferred = facts["restaurant_preference"]
    assert min(share for share in cuisines.values() if share) >= facts["cuisine"]["Thai"]["published"] / 2
    assert all(shares["realised"] >= shares["published"] / 2 for shares in preferred.values()), preferred
    for name in ("days", "price", "orientation", "restaurant_count", "hotel_count", "hotel_preference"):
        for value, shares in facts[name].items():
            assert shares["realised"] == pytest.approx(shares["published"], abs=0.035), (name, value)


def test_facts_say_what_the_rows_hold(set_of_500: Drafts):
    rows, facts = set_of_500.rows, set_of_500.facts
    shares = facts["marginals"]
    draws = [row["drawn"]["nominal"] for row in rows]
    assert shares["cuisine"]["Thai"]["realised"] == np.mean([row["record"]["cuisine"] == "Thai" for row in rows])
    assert shares["cuisine"]["Thai"]["nominal"] == np.mean([draw["cuisine"] == "Thai" for draw in draws])
    assert shares["hotel_count"]["2"]["realised"] == np.mean([len(row["record"]["hotel"]) == 2 for row in rows])
    assert shares["cuisine"]["Thai"]["published"] == pytest.approx(1 / 14, abs=1e-4)
    assert shares["cuisine"]["Thai"]["target"] == pytest.approx(1 / 12, abs=1e-4)
    assert facts["kept"] + facts["repaired"] == 500
    assert sum(facts["redrawn"].values()) == facts["attempts"] - 500 == sum(row["attempt"] for row in rows)


def test_a_satisfiable_draw_is_kept_and_a_repaired_one_was_not_satisfiable(
    set_of_500: Drafts, philadelphia: pd.DataFrame
):
    satisfiable = feasibility(philadelphia.loc[told_apart(philadelphia)]).satisfiable
    for row in set_of_500.rows:
        drawn = row["drawn"]
        assert (row["repairs"] == []) == satisfiable[cell_of(drawn["nominal"])] == (row["record"] == drawn["nominal"])
        assert (drawn["why"] == "") == (drawn["edits"] == 0)


def test_recorded_repairs_lead_from_the_draw_to_the_record(set_of_500: Drafts):
    for row in set_of_500.rows:
        drawn = row["drawn"]
        record = shown(drawn["nominal"])
        for repair in row["repairs"]:
            assert record[repair["field"]] == repair["before"]
            record[repair["field"]] = repair["after"]
        assert record == shown(row["record"])
        assert drawn["fewest_edits"] <= drawn["edits"] <= drawn["fewest_edits"] + 1


def shown(record: Record) -> dict[str, str]:
    return {field: ", ".join(value) if isinstance(value, list) else str(value) for field, value in record.items()}


def test_a_set_depends_on_its_seed(philadelphia: pd.DataFrame, set_of_500: Drafts):
    assert same(drafts(philadelphia, 1).rows, set_of_500.rows) < 25


def test_a_task_of_another_city_is_told_by_the_function_that_drew_it(philadelphia: pd.DataFrame):
    def elsewhere(*given: Any) -> Drawn:
        return replace(cast(Drawn, draft(*given)), city_id="elsewhere")

    with pytest.raises(FamilyError, match=r"draft:draft gave itinbench\.\S+ the city 'elsewhere'; expected 'us-pa-"):
        drafts(philadelphia, section=ItinbenchSection(tasks_per_city=2), draft=elsewhere)


def test_the_order_of_places_changes_nothing(philadelphia: pd.DataFrame, set_of_500: Drafts):
    assert drafts(philadelphia.sample(frac=1, random_state=3)).rows == set_of_500.rows


def test_more_tasks_leave_the_first_ones_as_they_are(philadelphia: pd.DataFrame, set_of_500: Drafts):
    assert drafts(philadelphia, section=ItinbenchSection(tasks_per_city=560)).rows[:500] == set_of_500.rows


def same(rows: list[dict[str, Any]], others: list[dict[str, Any]]) -> int:
    return sum(a["record"] == b["record"] for a, b in zip(rows, others, strict=True))


def test_a_change_that_satisfies_nothing_else_changes_no_draft(philadelphia: pd.DataFrame, set_of_500: Drafts):
    """A coordinate, a name, and one of a hundred American restaurants gone: the records stay."""
    moved = philadelphia.copy()
    moved.loc[moved.index[7], ["lat", "name"]] = [39.9, "Renamed"]
    american = philadelphia.index[philadelphia["cuisine_1"] == "American (Traditional)"][0]
    assert drafts(moved).rows == set_of_500.rows
    assert drafts(philadelphia.drop(index=american)).rows == set_of_500.rows


def test_a_change_that_matters_changes_few_drafts(philadelphia: pd.DataFrame, set_of_500: Drafts):
    """Each Vietnamese restaurant gone makes some Vietnamese records impossible, and hardly touches the others."""
    vietnamese = philadelphia.index[philadelphia["cuisine_1"] == "Vietnamese"]
    changed = [500 - same(drafts(philadelphia.drop(index=i)).rows, set_of_500.rows) for i in vietnamese[:2]]
    assert max(changed) <= 50
    assert max(changed) > 0


def city_of(pool_of: Callable[..., pd.DataFrame], thai: int, visits: int = 8) -> pd.DataFrame:
    meals = [{"kind": "restaurant", "cuisine_1": "Thai", "service": 3} for _ in range(thai)]
    levels = dict.fromkeys(("history", "activity", "nature", "shopping"), 1)
    return pool_of(*meals, *({"kind": "attraction"} | levels for _ in range(visits)), {"kind": "stay", "safety": 2})


SMALL = {"days": {"2": 1}, "prices": {"cheap": 1}, "preference_counts": {"1": 1}}


def test_every_satisfiable_record_can_be_used_up(pool_of: Callable[..., pd.DataFrame]):
    """2 orientations × 4 restaurant preferences × 3 hotel preferences: 24 records, and no 25th."""
    section = ItinbenchSection.model_validate({"tasks_per_city": 24, **SMALL})
    found = drafts(city_of(pool_of, 6), section=section)
    assert len({content(row["record"]) for row in found.rows}) == 24
    assert set(found.facts["redrawn"]) == {"duplicate", "too_many_edits"}
    with pytest.raises(SourceError, match="25 tasks asked for, but only 24 distinct records can be satisfied"):
        drafts(city_of(pool_of, 6), section=section.model_copy(update={"tasks_per_city": 25}))


def test_a_draw_too_far_from_anything_is_rejected_and_drawn_again(pool_of: Callable[..., pd.DataFrame]):
    section = ItinbenchSection.model_validate({"tasks_per_city": 24, **SMALL | {"preference_counts": {"1": 1, "3": 9}}})
    pool = city_of(pool_of, 6)
    city = prepare(World(pool), section, slots(24))
    drawn = [draft(slot, 0, city, []) for slot in slots(24)]
    refused = [found for found in drawn if isinstance(found, Refused)]
    assert refused
    assert all(found.kind == "too_many_edits" for found in refused)
    assert all("matching restaurants, 6 needed" in found.detail for found in refused)
    again = [isinstance(found, Refused) for found in drawn]
    attempts = [row["attempt"] for row in drafts(pool, section=section).rows]
    assert all(attempt > 0 for attempt, is_again in zip(attempts, again, strict=True) if is_again)


def test_places_that_a_plan_cannot_tell_apart_do_not_count(pool_of: Callable[..., pd.DataFrame]):
    """Six Thai restaurants, two of them alike in name and address: four are left, too few for two days."""
    pool = city_of(pool_of, 6)
    pool.loc[:1, ["name", "address"]] = ["Twin", "1 Same St"]
    with pytest.raises(SourceError, match="At most 4 restaurants"):
        drafts(pool, section=ItinbenchSection.model_validate({"tasks_per_city": 1, **SMALL}))


@pytest.mark.parametrize(("thai", "visits", "scarce"), [(5, 8, "5 restaurants"), (6, 7, "7 attractions")])
def test_a_city_that_satisfies_nothing_says_what_is_scarce(
    pool_of: Callable[..., pd.DataFrame], thai: int, visits: int, scarce: str
):
    with pytest.raises(SourceError, match=f"only 0 distinct records .* {scarce}"):
        drafts(city_of(pool_of, thai, visits))


def test_a_value_without_weight_is_never_asked_for(philadelphia: pd.DataFrame):
    section = ItinbenchSection.model_validate({"tasks_per_city": 60, "cuisines": {"Thai": 1, "Irish": 3}, **SMALL})
    records = [row["record"] for row in drafts(philadelphia, section=section).rows]
    assert {record["cuisine"] for record in records} == {"Thai"}
    assert {(record["days"], record["price"], len(record["hotel"])) for record in records} == {(2, "cheap", 1)}


def test_nominal_draws_have_the_published_distribution():
    draws = [nominal(SECTION, slot) for slot in slots(4200)]
    later = [nominal(SECTION, slot, attempt=1) for slot in slots(4200)]
    for records, abs_ in ((draws, 0.012), (later, 0.025)):
        for field, n in (("days", 3), ("price", 3), ("orientation", 6), ("cuisine", 14)):
            shares = [count / 4200 for count in Counter(record[field] for record in records).values()]
            assert shares == pytest.approx([1 / n] * n, abs=abs_)
        counts = Counter(len(record["hotel"]) for record in records)
        assert [counts[n] / 4200 for n in (1, 2, 3)] == pytest.approx([0.6, 0.3, 0.1], abs=abs_)
        stated = Counter(a for record in records for a in record["restaurant"])
        assert [stated[a] / 4200 for a in sorted(stated)] == pytest.approx([0.3] * 5, abs=0.03)
    joint = Counter((record["days"], record["price"]) for record in draws)
    assert [joint[key] / 4200 for key in sorted(joint)] == pytest.approx([1 / 9] * 9, abs=0.02)
