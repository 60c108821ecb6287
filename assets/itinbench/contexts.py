"""The contexts: what a planner is given in each of the four published settings (facts, 2.D).

Tasks 1 and 2 give the whole pool (and differ in whether the prompt asks for routes), task 3 the places that match the
query with their clusters, task 4 the same as the published tools leave it in the agent's notebook.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from assets.itinbench.candidates import candidates
from assets.itinbench.native import COLUMNS, FILES, csv_text, native_rows, quoted_cells
from assets.itinbench.tables import ItinbenchContext

NAMES = {"stay": "accommodations", "attraction": "attractions", "restaurant": "restaurants"}
NOTEBOOK = {"stay": "Accommodation Choice", "attraction": "Attraction Choice", "restaurant": "Restaurant Choice"}
CLUSTER_NOTE = "Business Cluster Results"
"""How the published tools head what they write into the notebook."""

FILTERED = ("name", "address", "latitude", "longitude")
"""Columns of filtered places; restaurants also have `good_for_meal`."""

Item = dict[str, Any]


def context_rows(task: pd.DataFrame, pool: pd.DataFrame, certificate: pd.DataFrame) -> pd.DataFrame:
    """Return the contexts of one city's tasks: one that all share, and two for each task that has a certificate."""
    clusters = {row["task_id"]: json.loads(row["values_json"])["clusters"] for row in certificate.to_dict("records")}
    rows = []
    for city_id in sorted(set(pool["city_id"])):
        shared = all_data(pool.loc[pool["city_id"] == city_id])
        rows.append({"city_id": city_id, "task_id": "", "setting": "all_data", "content": _text(shared)})
    for found in task.loc[task["task_id"].isin(clusters)].to_dict("records"):
        matching = candidates(pool.loc[pool["city_id"] == found["city_id"]], json.loads(found["record_json"]))
        for setting, made in (("filtered", filtered_data), ("tool_clusters", notebook)):
            content = _text(made(matching, clusters[found["task_id"]]))
            ids = {"city_id": found["city_id"], "task_id": found["task_id"]}
            rows.append({**ids, "setting": setting, "content": content})
    return pd.DataFrame(rows, columns=[column.name for column in ItinbenchContext.columns()])


def all_data(places: pd.DataFrame) -> list[Item]:
    """Return the whole pool as three items (accommodations, attractions, restaurants), as in published tasks 1 and 2.

    Content is a header and rows, cells joined by commas, every line ended by ". ". The published text quotes nothing,
    so that a comma in a name shifts every later cell (defect I7). Ours quotes, as CSV does, each cell with a comma, a
    quote, a line break or a ". " in it, and can be read back; the published scripts put the text into the prompt unread.
    """
    items = []
    for kind in FILES:
        lines = quoted_cells(native_rows(places, kind), COLUMNS[kind][1:], (",", '"', "\n", "\r", ". "))
        content = "".join(",".join(cells) + ". " for cells in lines)
        items.append({"Description": f"All {NAMES[kind]}", "Content": content})
    return items


def filtered_data(matching: Mapping[str, pd.DataFrame], clusters: Mapping[str, Sequence[str]]) -> list[Item]:
    """Return the matching places of each kind as CSV, and the clusters as lists of names: published task 3.

    `matching` is as `candidates` returns it, `clusters` maps each cluster to its place_ids.
    """
    items: list[Item] = [
        {"Description": f"Filtered {NAMES[kind]}", "Content": _csv(matching[kind], kind)} for kind in FILES
    ]
    named = {cluster: list(names) for cluster, names in _named(matching, clusters).items()}
    return [*items, {"Description": "Clusters of attractions and accommodations", "Content": named}]


def notebook(matching: Mapping[str, pd.DataFrame], clusters: Mapping[str, Sequence[str]]) -> list[Item]:
    """Return what a flawless run of the published tools leaves in the notebook: published task 4.

    Entries are numbered, headed as the tools head them, and each name in a cluster is a list of one, as published.
    """
    contents: list[tuple[str, Any]] = [(NOTEBOOK[kind], _csv(matching[kind], kind)) for kind in FILES]
    contents.append((CLUSTER_NOTE, {c: [[name] for name in names] for c, names in _named(matching, clusters).items()}))
    return [{"index": i, "Description": head, "Content": content} for i, (head, content) in enumerate(contents)]


def _named(matching: Mapping[str, pd.DataFrame], clusters: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the clusters with names for place_ids; places that share a name have their address with it."""
    rows = pd.concat([matching["attraction"], matching["stay"]]).drop_duplicates("place_id")
    shared = Counter(rows["name"])
    names = {
        row["place_id"]: f"{row['name']} ({row['address']})" if shared[row["name"]] > 1 else row["name"]
        for row in rows.to_dict("records")
    }
    return {cluster: [names[place_id] for place_id in members] for cluster, members in clusters.items()}


def _csv(places: pd.DataFrame, kind: str) -> str:
    columns = (*FILTERED, "good_for_meal") if kind == "restaurant" else FILTERED
    return csv_text(native_rows(places, kind), columns)


def _text(items: list[Item]) -> str:
    return json.dumps(items, ensure_ascii=False)
