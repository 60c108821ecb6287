"""Time to find and check witnesses for tasks of the published mix in an invented world of the published densities.

Run from the repository's root: `python perf/tripcraft_witness.py [cities [tasks]]`. Prints CPU seconds of one process,
so that other work on the machine counts little; the baseline is the checker's own time on the same plans.
"""

from __future__ import annotations

import datetime as dt
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pandas as pd

from assets.tripcraft.draft import draft_records
from assets.tripcraft.facts.durations import visit_duration_h
from assets.tripcraft.reference import Reference
from assets.tripcraft.scoring import score_plan, summarise
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.solver import Witness, solve
from assets.tripcraft.tables import CATEGORY_DURATION_H, HOUSE_RULES, QUERY_CUISINES, ROOM_TYPES, SEGMENTS

CITIES, TASKS, REGIONS = 50, 300, 6
RESTAURANTS, ATTRACTIONS, STAYS, EVENTS = 28, 36, 20, 157
"""Of each city: the published means (1.A)."""

HOURS = (None, None, "Mo-Su 07:00-22:00", "Mo-Fr 08:00-16:00", "Tu-Su 17:00-23:30", "Mo-Su 11:00-23:00", "24/7")
FIRST = dt.date(2024, 11, 1)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds that the work took, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def invented(cities: int) -> Reference:
    """Return a seeded world of so many cities."""
    rng = random.Random(1)
    ids = [f"c{i:03d}" for i in range(cities)]
    rows: dict[str, list[dict[str, Any]]] = {
        "cities": [
            {"city_id": c, "name": f"Town {c}", "region": f"R{i % REGIONS}", "country": "XX"} for i, c in enumerate(ids)
        ],
        **{name: [] for name in ("flights", "restaurants", "attractions", "stays", "events", "nearest", "roads")},
    }
    for row in rows["cities"]:
        row |= {"time_zone": "UTC", "currency": "XXC"}
    for city in ids:
        _add_places(rows, city, rng)
    for a in ids:
        for b in ids:
            if a != b:
                _add_ways(rows, a, b, rng)
    frames = {name: pd.DataFrame(found) for name, found in rows.items()}
    return Reference(
        cities=frames["cities"],
        flights=frames["flights"],
        restaurants=frames["restaurants"],
        attractions=frames["attractions"],
        stays=frames["stays"],
        events=frames["events"],
        nearest_stops=frames["nearest"],
        city_distances=frames["roads"],
        currency="XXC",
    )


def _add_places(rows: dict[str, list[dict[str, Any]]], city: str, rng: random.Random) -> None:
    for kind, count in (("restaurants", RESTAURANTS), ("attractions", ATTRACTIONS), ("stays", STAYS)):
        for i in range(count):
            place: dict[str, Any] = {"city_id": city, "place_id": f"{city}-{kind}-{i}", "name": f"{kind} {i} {city}"}
            place |= {"rating": rng.choice([None, 3.0, 4.0, 4.5])}
            place |= {"lat": 50 + rng.gauss(0, 0.03), "lon": 10 + rng.gauss(0, 0.05)}
            if kind == "restaurants":
                cuisines = rng.sample(QUERY_CUISINES, rng.randint(1, 2))
                place |= {"avg_cost": rng.randint(8, 70), "cuisines": cuisines, "opening_hours": rng.choice(HOURS)}
            elif kind == "attractions":
                kinds = rng.sample(sorted(CATEGORY_DURATION_H), rng.randint(1, 2))
                place |= {
                    "categories": kinds,
                    "visit_duration_h": visit_duration_h(kinds),
                    "address": "",
                    "website": "",
                }
                place |= {"opening_hours": rng.choice(HOURS)}
            else:
                place |= {"price": rng.randint(40, 400), "room_type": rng.choice(ROOM_TYPES), "min_nights": 1}
                rules = rng.sample(HOUSE_RULES, rng.randint(0, 3))
                place |= {"house_rules": rules, "max_occupancy": rng.choice([1, 2, 2, 4, 6])}
            rows[kind].append(place)
            distance = round(rng.expovariate(1 / 400), 2)
            rows["nearest"].append(
                {"city_id": city, "place_id": place["place_id"], "stop_name": f"Stop {i}", "distance_m": distance}
            )
    for i in range(EVENTS):
        event = {"city_id": city, "event_id": f"{city}-e{i}", "name": f"Event {i} {city}", "address": "", "url": ""}
        event |= {"date": FIRST + dt.timedelta(days=rng.randrange(30)), "segment": rng.choice(SEGMENTS)}
        rows["events"].append(event)


def _add_ways(rows: dict[str, list[dict[str, Any]]], a: str, b: str, rng: random.Random) -> None:
    minutes = rng.uniform(60, 1400)
    way = {"origin_city_id": a, "dest_city_id": b}
    rows["roads"].append({**way, "duration_min": round(minutes, 1), "distance_km": round(minutes * 1.4, 1)})
    for day in range(30):
        for _ in range(rng.choice([0, 1, 1, 2])):
            dep, length = rng.randint(330, 1200), rng.randint(50, 240)
            flight = {**way, "flight_number": f"F{len(rows['flights']):07d}", "elapsed_min": length}
            flight |= {"flight_date": FIRST + dt.timedelta(days=day), "distance_km": length * 12.0}
            flight |= {
                "dep_time": f"{dep // 60:02d}:{dep % 60:02d}",
                "is_modelled": False,
                "price": rng.randint(40, 500),
            }
            arr = (dep + length) % 1440
            flight |= {"arr_time": f"{arr // 60:02d}:{arr % 60:02d}", "arr_day_offset": (dep + length) // 1440}
            rows["flights"].append(flight)


def main(cities: int, tasks: int) -> None:
    """Print the timings."""
    reference = invented(cities)
    section = TripcraftSection(tasks={3: tasks // 3, 5: tasks // 3, 7: tasks - 2 * (tasks // 3)})
    drafts_s, drafts = timed(lambda: [d for d in draft_records(reference, section, seed=1) if d.record is not None])
    solve(drafts[0].record, reference, task_id="warm")
    times, check_s, scores, refused = [], 0.0, [], Counter()
    for draft in drafts:
        seconds, found = timed(lambda d=draft: solve(d.record, reference, task_id=d.slot.task_id))
        times.append(seconds)
        if isinstance(found, Witness):
            took, score = timed(lambda d=draft, w=found: score_plan(d.record, w.plan, reference))
            check_s += took
            scores.append(score)
        else:
            refused[f"{draft.slot.days} days, {draft.slot.level}, proven {found.is_proven}: {found.reasons[0]}"] += 1
    times.sort()
    total = sum(times)
    print(f"{len(drafts)} drafts of {tasks} in {drafts_s:.1f} s; {len(scores)} witnesses")
    median, late = times[len(times) // 2], times[int(len(times) * 0.99)]
    print(f"solve: median {median:.3f} s, 99 % {late:.3f} s, most {times[-1]:.3f} s")
    print(
        f"solve {total:.1f} s, {total / check_s:.0f} times the {check_s:.2f} s that the checker takes for the witnesses"
    )
    print({key: None if value is None else round(value, 4) for key, value in summarise(scores).items()})
    for reason, count in sorted(refused.items()):
        print(f"refused {count}: {reason}")


if __name__ == "__main__":
    main(*(int(given) for given in (*sys.argv[1:3], *(CITIES, TASKS)[len(sys.argv) - 1 :])))
