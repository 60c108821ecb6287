"""What a release of TripCraft prints of itself: the mix of its tasks, its witnesses' metrics, what was modelled."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import TYPE_CHECKING, Any

from assets.rows import ReleaseTables
from assets.tripcraft.facts.obstacles import KIND_TEXT
from assets.tripcraft.names import plan_text, region_name
from assets.tripcraft.scoring import METRICS
from assets.tripcraft.tables import (
    TripcraftAttraction,
    TripcraftCity,
    TripcraftCityDistance,
    TripcraftEvent,
    TripcraftFlight,
    TripcraftJourney,
    TripcraftNearestStop,
    TripcraftRestaurant,
    TripcraftStay,
    TripcraftTerms,
    TripcraftTownWays,
)
from assets.tripcraft.vocabulary import CONSTRAINTS

if TYPE_CHECKING:
    import pandas as pd

WORLD = (
    TripcraftTerms,
    TripcraftCity,
    TripcraftRestaurant,
    TripcraftAttraction,
    TripcraftStay,
    TripcraftEvent,
    TripcraftNearestStop,
    TripcraftCityDistance,
    TripcraftTownWays,
    TripcraftJourney,
)
"""What trips are made from beside flights, of which modelled ones are counted apart."""


def measures(tables: ReleaseTables, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the release's statistics: each a list of rows, or a single figure."""
    tasks, certificates = tables.tasks, tables.certificates
    records = tasks["record"].tolist()
    values = certificates["proof"].tolist()
    constraints = Counter(name for record in records for name in CONSTRAINTS if record["constraints"][name] is not None)
    mix = Counter((record["days"], record["level"]) for record in records)
    modes = Counter(move["mode"] for value in values for move in value["moves"])
    costs: Counter[str] = Counter()
    for move in (move for value in values for move in value["moves"]):
        costs[move["mode"]] += move["cost"]
    drafted = facts["tripcraft_draft"][""]
    routers = sorted(set(tables[TripcraftTownWays]["router"]))
    meal_prices = facts.get(TripcraftRestaurant.table_name(), {})
    occupancy = facts.get(TripcraftStay.table_name(), {})
    # Millions of flights were counted where they were made; here they would have to be read again.
    flights = facts[TripcraftFlight.table_name()][""]
    events = facts.get(TripcraftEvent.table_name(), {})
    return {
        "tasks_by_length_and_level": [
            {"days": days, "level": level, "tasks": count} for (days, level), count in sorted(mix.items())
        ],
        "constraints": [{"constraint": name, "tasks": constraints[name]} for name in CONSTRAINTS],
        "moves": [{"mode": mode, "moves": count} for mode, count in sorted(modes.items())],
        "moves_that_the_published_checker_does_not_judge": [
            {"mode": mode, "moves": modes[mode], "cost_it_does_not_count": costs[mode]}
            for mode in ("train", "coach")
            if modes[mode]
        ],
        "witness_metrics": [{"metric": name, "mean": _mean(values, name)} for name in METRICS],
        "wording_diversity": [facts.get("tripcraft_task", {}).get("", {}).get("diversity", {})],
        "proven_best_witnesses": sum(value["is_proven_best"] for value in values),
        "published_tasks": published_tasks(tables),
        "mended_fields": [{"field": name, "tasks": n} for name, n in mended_fields(tables)],
        "trips_by_region": [
            {"region": region_name(region, country), "country": country, "days": days, "tasks": n}
            for (region, country, days), n in sorted(
                Counter((r["dest_region"], r["dest_country"], r["days"]) for r in records).items()
            )
        ],
        "draws": drafted["attempts"],
        "redrawn": [{"why": KIND_TEXT[kind], "draws": n} for kind, n in drafted["redrawn"].items()],
        "ways_in_town": [
            {"found": how, "ways": sum(value["ways_in_town"][how] for value in values)}
            for how in ("routed", "estimated")
        ],
        "routers": routers,
        "rows": [{"table": TripcraftFlight.table_name(), "rows": flights["rows"]}]
        + [{"table": t.table_name(), "rows": len(tables[t])} for t in WORLD],
        "modelled_flights": flights["modelled"],
        "meal_prices": [
            {"city": city, "from": city_facts["meal_price_from"]} for city, city_facts in sorted(meal_prices.items())
        ],
        "exchange_rates": [{"from": currency, "units": rate} for currency, rate in sorted(flights["exchange"].items())],
        "weeks_that_dates_moved": [
            {"table": TripcraftFlight.table_name(), "weeks": flights["weeks_moved"]},
            {
                "table": TripcraftEvent.table_name(),
                "weeks": max((f["weeks_moved"] for f in events.values()), default=0),
            },
        ],
        "places_that_no_plan_can_name": [
            {
                "table": table.table_name(),
                "rows": len(tables[table]),
                "name_shared": int(_shared_names(tables[table]).sum()),
            }
            for table in (TripcraftRestaurant, TripcraftAttraction, TripcraftStay)
        ],
        "modelled_nights": sum(city_facts["modelled"] for city_facts in occupancy.values()),
        "stays_of_unknown_occupancy": sum(city_facts["unknown_occupancy"] for city_facts in occupancy.values()),
        "stays_of_unknown_house_rules": int(tables[TripcraftStay]["house_rules"].isna().sum()),
        "stays_of_some_unknown_house_rules": sum(
            isinstance(rules, list) and bool(rules) for rules in tables[TripcraftStay]["unknown_rules"]
        ),
    }


def published_tasks(tables: ReleaseTables) -> list[dict[str, Any]]:
    """Return how many tasks of a published set were kept, mended and retired; nothing where tasks were drawn."""
    asked_count = len(tables.section.get("asked") or ())
    if not asked_count:
        return []
    mended = sum(drawn["edits"] > 0 for drawn in tables.tasks["drawn"])
    counts = {"kept": len(tables.tasks) - mended, "mended": mended, "retired": asked_count - len(tables.tasks)}
    return [{"became": how, "tasks": count} for how, count in counts.items()]


def mended_fields(tables: ReleaseTables) -> list[tuple[str, int]]:
    """Return in how many tasks of a published set each field was changed."""
    fields = [edit["field"] for repairs in tables.tasks["repairs"] for edit in repairs if edit["field"] != "query"]
    return sorted(Counter(fields).items())


def _shared_names(places: pd.DataFrame) -> pd.Series:
    """Return which places have a name that another of their city has: by it a plan could mean either."""
    return places.assign(shown=places["name"].map(plan_text)).duplicated(["city_id", "shown"], keep=False)


def _mean(values: list[dict[str, Any]], metric: str) -> float | None:
    numbers = [value["metrics"][metric] for value in values if value["metrics"][metric] is not None]
    return round(statistics.fmean(numbers), 6) if numbers else None
