"""The contexts: what a planner is given in each of the four published settings (facts, 2.D).

Tasks 1 and 2 give the whole pool (and differ in whether the prompt asks for routes), task 3 the places that match the
query with their clusters, task 4 the same as the published tools leave it in the agent's notebook.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from assets.family import TaskView
from assets.itinbench.candidates import Demands
from assets.itinbench.evidence import known_places, told_by_tags
from assets.itinbench.native import COLUMNS, FILES, by_name, csv_lines, native_rows, quoted_cells
from assets.itinbench.tables import ItinbenchContext, ItinbenchPlace, Record
from assets.itinbench.words.labels import orientation_phrase, rating_phrase
from assets.rows import ReleaseTables
from schemas.reviews import ATTRACTION_ORIENTATIONS, TagRating

NAMES = {"stay": "accommodations", "attraction": "attractions", "restaurant": "restaurants"}
NOTEBOOK = {"stay": "Accommodation Choice", "attraction": "Attraction Choice", "restaurant": "Restaurant Choice"}
CLUSTER_NOTE = "Business Cluster Results"
"""How the published tools head what they write into the notebook."""

FILTERED = ("name", "address", "latitude", "longitude")
"""Columns of filtered places; restaurants also have `good_for_meal`."""

TAGS_SAY = "What OpenStreetMap's tags say where nothing else does"
TOLD = ("name", "lat", "lon", "tag", "says")

Item = dict[str, Any]


def contexts(tasks: Sequence[TaskView], tables: ReleaseTables) -> pd.DataFrame:
    """Return the contexts of every city: one that its tasks share, and two for each task."""
    pool, tagged_places, tags = tables[ItinbenchPlace], known_places(tables), tables[TagRating]
    rows = []
    for city_id in sorted(set(pool["city_id"])):
        places = pool.loc[pool["city_id"] == city_id]
        items = [*all_data(places), *tag_items(told_by_tags(places, tags))]
        rows.append({"city_id": city_id, "task_id": "", "setting": "all_data", "content": _text(items)})
        city = FilteredPool(tagged_places.loc[tagged_places["city_id"] == city_id])
        for task in tasks:
            if task.city_id != city_id:
                continue
            ids = {"city_id": city_id, "task_id": task.task_id}
            record: Any = task.record
            task_context = city.task_context(record, task.proof["clusters"])
            rows.append({**ids, "setting": "filtered", "content": _text(task_context.filtered_data())})
            rows.append({**ids, "setting": "tool_clusters", "content": _text(task_context.notebook())})
    return pd.DataFrame(rows, columns=[column.name for column in ItinbenchContext.columns()])


def all_data(places: pd.DataFrame) -> list[Item]:
    """Return the whole pool as three items (accommodations, attractions, restaurants), as in published tasks 1 and 2.

    Content is a header and rows, cells joined by commas, every line ended by ". ". The published text quotes nothing,
    so that a comma in a name shifts every later cell (defect I7). Ours quotes, as CSV does, each cell with a comma, a
    quote, a line break or a ". " in it, and can be read back. The published scripts put the text into the prompt
    unread, so they take either.
    """
    items = []
    for kind in FILES:
        lines = quoted_cells(native_rows(places, kind), COLUMNS[kind][1:], (",", '"', "\n", "\r", ". "))
        content = "".join(",".join(cells) + ". " for cells in lines)
        items.append({"Description": f"All {NAMES[kind]}", "Content": content})
    return items


def tag_items(tags_by_place: Mapping[Any, Sequence[Mapping[str, Any]]]) -> list[Item]:
    """Return what the map's tags say as an item of its own, in the map's own names and positions; none where none do.

    So the map's words stand beside the guide's, and in no line with them.
    """
    rows = [row for of_place in tags_by_place.values() for row in of_place]
    entries = [
        {**{name: row[name] for name in TOLD[:4]}, "says": _phrase(row["attribute"], row["rating"])} for row in rows
    ]
    content = "".join(",".join(cells) + ". " for cells in quoted_cells(entries, TOLD, (",", '"', "\n", "\r", ". ")))
    return [{"Description": TAGS_SAY, "Content": content}] if rows else []


def _phrase(attribute: str, rating: int) -> str:
    return (orientation_phrase if attribute in ATTRACTION_ORIENTATIONS else rating_phrase)(attribute, rating)


@dataclass(frozen=True)
class TaskContext:
    """The places that match a query, of each kind as CSV, and clusters of attractions and stays as lists of names."""

    places: dict[str, str]
    clusters: dict[str, list[str]]

    def filtered_data(self) -> list[Item]:
        """Return them as published task 3 gives them."""
        items: list[Item] = [
            {"Description": f"Filtered {NAMES[kind]}", "Content": lines} for kind, lines in self.places.items()
        ]
        return [*items, {"Description": "Clusters of attractions and accommodations", "Content": self.clusters}]

    def notebook(self) -> list[Item]:
        """Return what a flawless run of the published tools leaves in the notebook: published task 4.

        Entries are numbered, headed as the tools head them, and each name in a cluster is a list of one, as published.
        """
        contents: list[tuple[str, Any]] = [(NOTEBOOK[kind], lines) for kind, lines in self.places.items()]
        wrapped = {cluster: [[name] for name in names] for cluster, names in self.clusters.items()}
        contents.append((CLUSTER_NOTE, wrapped))
        return [{"index": i, "Description": head, "Content": content} for i, (head, content) in enumerate(contents)]


class FilteredPool:
    """One city's pool, ready to give the places that match a query: published tasks 3 and 4."""

    def __init__(self, places: pd.DataFrame) -> None:
        listed = {kind: by_name(places, kind) for kind in FILES}
        self._demands = {kind: Demands(rows) for kind, rows in listed.items()}
        self._place_ids = {kind: [str(place_id) for place_id in rows["place_id"]] for kind, rows in listed.items()}
        self._rows = {kind: native_rows(rows, kind) for kind, rows in listed.items()}
        self._lines = {kind: csv_lines(rows, _columns(kind)) for kind, rows in self._rows.items()}

    def task_context(self, record: Record, clusters: Mapping[str, Sequence[str]]) -> TaskContext:
        """Return what a query's planner is given; `clusters` maps each to its place_ids, all of them matching."""
        indices_by_kind = {kind: self._matching(kind, record) for kind in FILES}
        return TaskContext(
            {kind: self._csv(kind, at) for kind, at in indices_by_kind.items()},
            self._named_clusters(indices_by_kind, clusters),
        )

    def _matching(self, kind: str, record: Record) -> list[int]:
        """Return the matching places by their number, in the order of names."""
        return np.flatnonzero(self._demands[kind].matching(kind, record)).tolist()

    def _csv(self, kind: str, at: list[int]) -> str:
        header, *lines = self._lines[kind]
        return "".join([header, *(lines[i] for i in at)])

    def _named_clusters(
        self, indices_by_kind: Mapping[str, list[int]], clusters: Mapping[str, Sequence[str]]
    ) -> dict[str, list[str]]:
        """Return the clusters with names for place_ids; places that share a name have their address with it."""
        rows = {
            self._place_ids[kind][i]: self._rows[kind][i]
            for kind in ("attraction", "stay")
            for i in indices_by_kind[kind]
        }
        shared = Counter(row["name"] for row in rows.values())
        names = {
            place_id: f"{row['name']} ({row['address']})" if shared[row["name"]] > 1 else row["name"]
            for place_id, row in rows.items()
        }
        return {cluster: [names[place_id] for place_id in members] for cluster, members in clusters.items()}


def _columns(kind: str) -> tuple[str, ...]:
    return (*FILTERED, "good_for_meal") if kind == "restaurant" else FILTERED


def _text(items: list[Item]) -> str:
    return json.dumps(items, ensure_ascii=False)
