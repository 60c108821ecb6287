"""Writing the sandbox's pre-warmed cache at the published size, beside the same entries dumped by `json` alone.

    python -m perf.sandbox_cache

155 invented cities of 2,180 places, 18,000 services, and 650 invented tasks give the calls, as an export makes them.
Asked for: 250,000 entries in at most 60 s. Prints seconds by the clock and computed, entries, bytes and peak memory.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from assets.family import ReleaseTables
from assets.grouptravel.draft import Skeleton
from assets.grouptravel.tables import (
    GroupCalendar,
    GroupCity,
    GroupClimate,
    GroupDraft,
    GroupFare,
    GroupPoi,
    GroupTask,
)
from assets.grouptravel.tools.warm import cache_files
from schemas.spatial import CityDistance, DistanceMatrix
from schemas.stable import canonical_json, stable_rng

CITIES, TASKS = 155, 650
PLACES = {"attractions": 640, "food": 770, "hotels": 770}
KINDS = 24
NEIGHBOURS = 12
SEED = "perf.sandbox_cache"
MIB = 1 << 20


def tables(cities: int, tasks: int) -> ReleaseTables:
    """Return invented tables of a release, as much of them as the tools and the cache read."""
    rng = stable_rng(SEED)
    ids = [f"xx-{n:03d}" for n in range(cities)]
    names = dict(zip(ids, (f"City{n:03d}" for n in range(cities)), strict=True))
    middles = {city: (rng.uniform(20, 50), rng.uniform(80, 120)) for city in ids}
    city = [
        {"city_id": c, "name": names[c], "tier": 1, "is_departure": True, "lat": y, "lon": x}
        for c, (y, x) in middles.items()
    ]
    pois = [_poi(rng, c, names[c], kind, n, middles[c]) for c in ids for kind, many in PLACES.items()
            for n in range(many)]  # fmt: skip
    fares = [
        {"origin_city_id": one, "dest_city_id": ids[(at + step) % cities], "mode": mode, "dep_time": f"{8 + k:02d}:15",
         "arr_time": f"{9 + k:02d}:50", "service": f"{mode[0].upper()}{at}{step}{k}", "price": 20.0 + 5 * k,
         "is_price_modelled": mode == "flight", "weekdays": [1, 2, 3, 4, 5, 6, 7]}
        for at, one in enumerate(ids) for step in range(1, NEIGHBOURS + 1)
        for mode in ("flight", "high_speed", "train") for k in range(3)
    ]  # fmt: skip
    days = pd.date_range("2024-01-01", "2024-12-31").strftime("%m-%d")
    climate = [{"city_id": c, "month_day": day, "high_c": 20.0, "low_c": 10.0, "rain_share": 0.3, "condition": "dry"}
               for c in ids for day in days]  # fmt: skip
    calendar = {"city_id": [], "date": [], "weekday": [], "holiday": [], "fare_factor": []}
    drafts, records = zip(*(_task(rng, number, ids, names) for number in range(tasks)), strict=True)
    frames = {
        GroupCity: pd.DataFrame(city), GroupPoi: pd.DataFrame(pois), GroupFare: pd.DataFrame(fares),
        GroupClimate: pd.DataFrame(climate), GroupCalendar: pd.DataFrame(calendar), GroupDraft: pd.DataFrame(drafts),
        GroupTask: pd.DataFrame(records), DistanceMatrix: _empty(DistanceMatrix), CityDistance: _empty(CityDistance),
    }  # fmt: skip
    named = {table.table_name(): frame for table, frame in frames.items()}
    return ReleaseTables(named, {"language": "en", "currency": "EUR"})


def _empty(table: Any) -> pd.DataFrame:
    return pd.DataFrame(columns=[column.name for column in table.columns()])


def _poi(rng: np.random.Generator, city: str, name: str, kind: str, n: int, middle: tuple[float, float]) -> dict:
    lat, lon = middle[0] + rng.normal(0, 0.05), middle[1] + rng.normal(0, 0.05)
    return {
        "city_id": city, "place_id": f"{city}-{kind}-{n:04d}", "name": f"{name} {kind} {n:04d}", "poi_type": kind,
        "category": f"{kind} kind {n % KINDS}", "opening_hours_json": None, "avg_cost": 10.0 + n % 90, "rank": n + 1,
        "is_cost_modelled": True, "lat": lat, "lon": lon,
    }  # fmt: skip


def _task(rng: np.random.Generator, number: int, ids: list[str], names: dict[str, str]) -> tuple[dict, dict]:
    """Return one invented draft and task: two to seven days in one to three cities, two to six people."""
    at, many, days = int(rng.integers(len(ids))), int(rng.integers(1, 4)), int(rng.integers(2, 8))
    cities = [ids[(at + 1 + k) % len(ids)] for k in range(many)]
    date = f"2025-10-{1 + number % 28:02d}"
    skeleton = Skeleton(f"t{number:04d}", number, "easy", 1.0, "2-1", ids[at], tuple(cities), days, date, (1,))
    kept = {"departure_city_id": ids[at], "city_ids": cities, "days": days, "date": date, "compromisable": [1],
            "language": "en"}  # fmt: skip
    users = {
        f"User{user}": {"preference": {"global_constraints": {"hotel_preference": {"prefer": ["hotels kind 3"]}},
                                       "city_specific_preferences": {names[c]: _wishes(rng, names[c]) for c in cities}}}
        for user in range(1, int(rng.integers(2, 7)) + 1)
    }  # fmt: skip
    record = {
        "time": date, "user_preferences": users,
        "metadata": {"departure_city": names[ids[at]], "cities": [names[c] for c in cities]},
    }  # fmt: skip
    draft = {"task_id": skeleton.task_id, "city_id": cities[0], "slot": number, "difficulty": "easy",
             "difficulty_score": 1.0, "group_id": "2-1", "skeleton_json": canonical_json(kept)}  # fmt: skip
    return draft, {"task_id": skeleton.task_id, "record_json": canonical_json(record)}


def _wishes(rng: np.random.Generator, city: str) -> dict:
    sights = [f"{city} attractions {n:04d}" for n in rng.integers(0, 100, 3)]
    kinds = lambda what, many: [f"{what} kind {n}" for n in rng.integers(0, KINDS, many)]  # noqa: E731
    return {
        "attractions": {"must_visit": sights[:2], "reject_visit": sights[2:],
                        "category_pref": {"positive": kinds("attractions", 2), "negative": kinds("attractions", 1)}},
        "food": {"must_eat": kinds("food", 1), "prefer_eat": kinds("food", 1), "reject_eat": kinds("food", 1)},
    }  # fmt: skip


def timed(what: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return a call's result, and its seconds by the clock and computed."""
    clock, computed = time.perf_counter(), time.process_time()
    result = what()
    return result, time.perf_counter() - clock, time.process_time() - computed


def write(release: ReleaseTables, folder: Path) -> int:
    """Write the cache as an export does and return its bytes."""
    size = 0
    for name, pieces in cache_files(release).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.writelines(pieces)
        size += path.stat().st_size
    return size


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cities", type=int, default=CITIES)
    parser.add_argument("--tasks", type=int, default=TASKS)
    asked = parser.parse_args()
    release = tables(asked.cities, asked.tasks)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size, clock, computed = timed(lambda: write(release, folder))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        files = sorted(folder.glob("sandbox_cache/*_cache.json"))
        entries = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in files}
        many = sum(len(found) for found in entries.values())
        _, plain, plain_computed = timed(
            lambda: [(folder / f"plain-{key}").write_text(json.dumps(found)) for key, found in entries.items()]
        )
    per = 250_000 / many
    print(f"{asked.cities} cities, {len(release[GroupPoi]):,} places, {asked.tasks} tasks")
    print(f"{many:,} entries, {size / MIB:.0f} MiB, in {len(files)} files: " + ", ".join(
        f"{key.removesuffix('_cache.json')} {len(found):,}" for key, found in entries.items()))  # fmt: skip
    print(f"made and written: clock {clock:.1f} s, computed {computed:.1f} s; peak {peak:.0f} MiB, {before:.0f} before")
    print(f"250,000 entries at this rate: clock {clock * per:.1f} s, computed {computed * per:.1f} s (asked: 60 s)")
    print(f"dumped by json alone, answers at hand: clock {plain:.1f} s, computed {plain_computed:.1f} s: "
          f"ours {computed / plain_computed:.1f} x")  # fmt: skip


if __name__ == "__main__":
    main()
