"""Plans scored against a release's own tables: what `tripwright score` prints."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assets.grouptravel.export import dates_in_cities, task_files
from assets.grouptravel.facts.of_release import fares_of, names_of, pois_of
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.published.dated_hours import dated_hours
from assets.grouptravel.published.opened import open_files
from assets.grouptravel.records import published_task
from assets.grouptravel.scoring import Optima, score, task_case
from assets.grouptravel.tables import GroupCity, GroupPoi
from assets.grouptravel.variants import OURS, RELEASED, VARIANTS
from assets.grouptravel.vocabulary import VOCABULARIES
from assets.rows import ReleaseTables


def score_release(tables: ReleaseTables, plans: list[dict[str, Any]], variant: str) -> dict[str, Any]:
    """Return {variant, aggregate, trials} of the plans, in `ours` with their shares of what can be reached.

    `released` reads the tasks and places as the published code does: from the bytes of the export, or of the folder
    that was opened. That has no fares: legs' prices are not checked then, and what can be reached is not known.
    """
    if variant == RELEASED.name:
        files = tables.published or task_files(tables[GroupPoi], tables[GroupCity], tables.tasks)
        cases, task_ids = open_files(files).cases(), set(tables.tasks["task_id"])
        return score(plans, {task_id: case for task_id, case in cases.items() if task_id in task_ids}, variant=variant)
    is_ours_read_as_published = VARIANTS[variant].first_rule_decides and tables.published is None
    pois = _pois_by_first_rule(tables) if is_ours_read_as_published else pois_of(tables)
    fares = fares_of(tables) if tables.published is None else None
    vocabulary = VOCABULARIES[tables.section["language"]]
    best = {row["task_id"]: Optima(**row["proof"]["per_table"]) for row in tables.certificates.to_dict("records")}
    cases = {}
    for row in tables.tasks.sort_values("task_id").to_dict("records"):
        case = task_case(row["task_id"], row["record"], pois, fares, vocabulary)
        cases[row["task_id"]] = replace(case, optima=best.get(row["task_id"]) if variant == OURS.name else None)
    return score(plans, cases, variant=variant)


def _pois_by_first_rule(tables: ReleaseTables) -> Pois:
    """Return the release's places with hours of which the first rule that fits a task's date is right for it.

    So the published reading takes them, by which a rule closes the weekdays that it does not list.
    """
    poi, names = tables[GroupPoi], names_of(tables)
    dates = dates_in_cities([published_task(row) for row in tables.tasks.to_dict("records")])
    hours = [
        dated_hours(raw_hours, dates.get(names[city_id], []))
        for city_id, raw_hours in zip(poi["city_id"], poi["opening_hours"], strict=True)
    ]
    return Pois.of_frame(poi.assign(opening_hours=hours), names, pois_of(tables).ways)
