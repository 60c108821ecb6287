"""Lineage: for every value of a task and its certificate, the row, rule or recipe key that it comes from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pandas as pd

from assets.grouptravel.checks.judging import UTILITIES
from assets.grouptravel.drafting import read_draft
from assets.grouptravel.facts.pois import TYPE_OF_ACTIVITY
from assets.grouptravel.facts.rows import rows_of
from assets.grouptravel.plan import LEG, LOCAL
from assets.grouptravel.tables import GroupFare, GroupLineage, GroupPoi, GroupProfile
from assets.grouptravel.vocabulary import VOCABULARIES, Language
from assets.grouptravel.wishes.preferences import CITIES, GLOBAL

Edge = tuple[str, str, str]
"""Field, kind, ref."""


def lineage(
    task: pd.DataFrame,
    certificate: pd.DataFrame,
    draft: pd.DataFrame,
    city: pd.DataFrame,
    poi: pd.DataFrame,
    fare: pd.DataFrame,
    calendar: pd.DataFrame,
) -> pd.DataFrame:
    """Return the edges of all tasks."""
    rows = _Rows(city, poi, fare, calendar)
    kept = {row["task_id"]: read_draft(row)[1] for row in draft.to_dict("records")}
    edges: list[tuple[str, str, str, str]] = []
    for row in task.to_dict("records"):
        record = json.loads(row["record_json"])
        own = [*_task_edges(record, kept[row["task_id"]], rows), *_call_edges(record, list(row["generation_ids"]))]
        edges += [(row["task_id"], *edge) for edge in own]
    for row in certificate.to_dict("records"):
        own = _certificate_edges(json.loads(row["witness_json"]), kept[row["task_id"]]["language"], rows)
        edges += [(row["task_id"], *edge) for edge in own]
    frame = pd.DataFrame(edges, columns=[column.name for column in GroupLineage.columns()])
    return frame.drop_duplicates().reset_index(drop=True)


class _Rows:
    """References to the rows that names and times in tasks and plans mean."""

    def __init__(self, city: pd.DataFrame, poi: pd.DataFrame, fare: pd.DataFrame, calendar: pd.DataFrame):
        names = dict(zip(city["city_id"], city["name"], strict=True))
        self._pois: dict[tuple[str, str, str], str] = {}
        self._is_modelled: set[str] = set()
        listed = poi.sort_values(["city_id", "place_id"])
        for city_id, place_id, kind, name, is_modelled in rows_of(
            listed, "city_id", "place_id", "poi_type", "name", "is_cost_modelled"
        ):
            ref = f"{GroupPoi.table_name()}/{city_id}/{place_id}"
            self._pois.setdefault((names[city_id], kind, name), ref)
            self._is_modelled |= {ref} if is_modelled else set()
        self._fares: dict[tuple[str, ...], list[str]] = {}
        whole = ("origin_city_id", "dest_city_id", "mode", "dep_time", "arr_time")
        for (origin, dest, *rest), key, is_modelled in zip(
            rows_of(fare, *whole), rows_of(fare, *GroupFare.key()), fare["is_price_modelled"], strict=True
        ):
            ref = "/".join([GroupFare.table_name(), *map(str, key)])
            self._fares.setdefault((names[origin], names[dest], *rest), []).append(ref)
            self._is_modelled |= {ref} if is_modelled else set()
        dear = calendar[calendar["fare_factor"] != 1]
        self._dear = {(names[city], date) for city, date in zip(dear["city_id"], dear["date"], strict=True)}

    def poi(self, city: str, poi_type: str, name: str) -> str:
        """Return the reference of a place by its name, as plans mean it: the first of its type."""
        return self._pois[city, poi_type, name]

    def price(self, ref: str) -> tuple[str, str]:
        """Return what the place's price comes from: its row, or the modelled prices."""
        return ("rule", "grouptravel.prices") if ref in self._is_modelled else ("row", ref)

    def fare_price(self, ref: str, leg: dict[str, Any], date: str) -> list[tuple[str, str]]:
        """Return what the price of a leg comes from: the service's row, and on a day of another price the season."""
        is_dear = ref in self._is_modelled and (leg["from_city"], date) in self._dear
        return [("row", ref), *([("rule", "grouptravel.season")] if is_dear else [])]

    def fares(self, leg: dict[str, Any], mode: str) -> list[str]:
        """Return the references of the services that a leg can mean."""
        key = (leg["from_city"], leg["to_city"], mode, leg["start_time"], leg["end_time"])
        return sorted(self._fares[key])


def _task_edges(record: dict[str, Any], kept: dict[str, Any], rows: _Rows) -> Iterator[Edge]:
    yield "query", "rule", "grouptravel.wording"
    yield "repairs_json", "rule", "grouptravel.repair"
    for field, rule in (
        ("task_id", "draft"), ("query", "wording"), ("time", "draft"), ("context", "wording"), ("metadata", "draft"),
        ("metadata/departure_city", "cities"), ("metadata/cities", "cities"), ("metadata/group_name", "archetypes"),
        ("metadata/group_tags", "archetypes"), ("metadata/child_members", "archetypes"),
        ("initial_messages", "wording"), ("difficulty_score", "difficulty"), ("difficulty_type", "difficulty"),
    ):  # fmt: skip
        yield f"record_json/{field}", "rule", f"grouptravel.{rule}"
    for field in ("time", "metadata", "difficulty_type"):
        yield f"record_json/{field}", "recipe", "tasks" if field == "difficulty_type" else "seed"
    for user, entry in record["user_preferences"].items():
        where = f"record_json/user_preferences/{user}"
        yield f"{where}/role", "rule", "grouptravel.archetypes"
        yield f"{where}/compromisable", "rule", "grouptravel.draft"
        yield f"{where}/preference", "rule", "grouptravel.preferences"
        profile = f"{GroupProfile.table_name()}/{kept['members'][user.removeprefix('User')]}"
        for part in (f"preference/{GLOBAL}", f"preference/{CITIES}"):
            yield f"{where}/{part}", "rule", "grouptravel.preferences"
            yield f"{where}/{part}", "row", profile
            yield f"{where}/{part}", "recipe", "seed"
        for city, wanted in entry["preference"][CITIES].items():
            for tier in ("must_visit", "reject_visit"):
                for number, name in enumerate(wanted["attractions"][tier]):
                    field = f"{where}/preference/{CITIES}/{city}/attractions/{tier}/{number}"
                    yield field, "row", rows.poi(city, "attractions", name)
                    yield field, "row", profile


def _call_edges(record: dict[str, Any], calls: list[str]) -> Iterator[Edge]:
    """Yield which call made which table and which message; none where no model made them."""
    users = record["user_preferences"]
    for user, call in zip(users, calls[: len(users)], strict=bool(calls)):
        for part in (GLOBAL, CITIES):
            yield f"record_json/user_preferences/{user}/preference/{part}", "generation", call
    for n, call in enumerate(calls[len(users) :]):
        yield f"record_json/initial_messages/{n}/content", "generation", call


def _certificate_edges(plan: dict[str, Any], language: Language, rows: _Rows) -> Iterator[Edge]:
    yield "values_json", "rule", "grouptravel.solver"
    for column in UTILITIES:
        yield column, "rule", "grouptravel.solver" if "split" not in column else "grouptravel.splits"
    yield "plans_json", "rule", "grouptravel.splits"
    yield "checks_json", "rule", "grouptravel.validity"
    modes = {word: key for key, word in VOCABULARIES[language].modes.items()}
    yield "witness_json", "rule", "grouptravel.plan"
    for n, day in enumerate(plan["days"]):
        for m, segment in enumerate(day["city_segments"]):
            where = f"witness_json/days/{n}/city_segments/{m}"
            if segment.get("type") == LEG:
                for ref in rows.fares(segment, modes[segment["transport_mode"]]):
                    yield where, "row", ref
                    yield from ((f"{where}/avg_cost", *edge) for edge in rows.fare_price(ref, segment, day["date"]))
                continue
            for k, act in enumerate(segment["activities"]):
                if act["type"] == LOCAL:
                    continue
                ref = rows.poi(segment["city"], TYPE_OF_ACTIVITY[act["type"]], act["location"])
                yield f"{where}/activities/{k}/location", "row", ref
                if "avg_cost" in act:
                    yield f"{where}/activities/{k}/avg_cost", *rows.price(ref)
