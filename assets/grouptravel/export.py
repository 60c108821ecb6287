"""The published folder: a release's tasks and places as the files that GroupTravelBench's own scripts read."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

TASKS, PLACES = "datas/test.jsonl", "poi2category/all_poi_by_city.json"


def export(poi: pd.DataFrame, city: pd.DataFrame, task: pd.DataFrame) -> dict[str, bytes]:
    """Return the published files as relative path to bytes: a task record a line, and each city's places (3.D, 3.A)."""
    records = task.sort_values("task_id")["record_json"]
    names = dict(zip(city["city_id"], city["name"], strict=True))
    lists: dict[str, list[dict[str, Any]]] = {name: [] for _, name in sorted(names.items())}
    for row in poi.sort_values(["city_id", "place_id"]).to_dict("records"):
        hours, cost = row["opening_hours_json"], row["avg_cost"]
        lists[names[row["city_id"]]].append(
            {
                "name": row["name"],
                "poi_type": row["poi_type"],
                "custom_category": row["category"],
                "opening_hours": json.loads(hours) if isinstance(hours, str) else None,
                "location": f"{row['lon']},{row['lat']}",
                "avg_cost": cost if cost == cost else None,
            }
        )
    listed = {name: places for name, places in lists.items() if places}
    return {
        TASKS: "".join(f"{text}\n" for text in records).encode(),
        PLACES: (json.dumps(listed, ensure_ascii=False, indent=1) + "\n").encode(),
    }
