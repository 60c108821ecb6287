"""What a TripCraft release shows on its page: trips with their demands, witness days by the clock, the set's mix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from assets.direction import isolated
from assets.rows import ReleaseTables
from assets.tripcraft.names import region_name
from assets.tripcraft.tables import (
    TripcraftAttraction,
    TripcraftCity,
    TripcraftEvent,
    TripcraftNearestStop,
    TripcraftRestaurant,
    TripcraftStay,
    TripcraftTerms,
)
from assets.tripcraft.vocabulary import CONSTRAINTS, LENGTHS, LEVELS
from schemas.clock import clock_face
from schemas.page import Bar, Distribution, FamilyPage, PageDay, PagePlace, PageStop, PageTask, fact, shares

PUBLISHED_TASKS = {3: (91, 124, 129), 5: (52, 156, 116), 7: (75, 155, 102)}
"""Released tasks by length: easy, medium, hard (1.D)."""

MEDIUM_SHARE = dict.fromkeys(("house_rule", "cuisine", "room_type", "event", "attraction"), 0.2) | {
    "transportation": 0.0
}
HARD_SHARE = dict.fromkeys(("house_rule", "room_type", "event", "attraction"), 0.581) | {
    "cuisine": 0.338,
    "transportation": 0.338,
}
"""How often the published draw asks for each constraint, by level (1.D)."""

PARTY_SHARE = {2: 1 / 2, **dict.fromkeys(range(3, 9), 1 / 12)}
"""People of a medium or hard task in the published draw: two half the time, else three to eight alike (1.D)."""

KINDS = (("restaurant", TripcraftRestaurant), ("attraction", TripcraftAttraction), ("stay", TripcraftStay))

METRICS = {
    "temporal_meal": "Meals at their usual hours",
    "temporal_meal_full_days": "The same on days without a move",
    "temporal_attraction": "Visits of the usual length",
    "spatial": "Nearness to transit",
    "persona": "Fit to the persona",
    "ordering": "Order of the day",
}

BESIDE = ("Cuisine", "A meal", "What is let", "A night", "Category")
"""The facts of a place that stand beside it in a plan, if it has them."""

MODES = {"flight": "Flight", "train": "Train", "coach": "Coach", "self_driving": "Own car", "taxi": "Taxi"}


def page(tables: ReleaseTables, _measures: dict[str, Any]) -> FamilyPage:
    """Return the page's rows of a release."""
    currency = tables[TripcraftTerms].iloc[0]["currency"]
    modelled = ", modelled" if tables.published is None else ""
    places = {
        (row["city_id"], row["place_id"]): PagePlace(
            row["place_id"],
            row["city_id"],
            kind,
            row["name"],
            float(row["lat"]),
            float(row["lon"]),
            tuple(_facts(row, kind, currency, modelled)),
            tuple(row["source_rows"]),
        )
        for kind, table in KINDS
        for row in tables[table].to_dict("records")
    }
    world = _World(places, tables)
    certificates = {row["task_id"]: row for row in tables.certificates.to_dict("records")}
    tasks = tables.tasks.sort_values("task_id").to_dict("records")
    return FamilyPage(
        tasks=tuple(world.task(row, certificates.get(row["task_id"])) for row in tasks),
        places=(*places.values(), *_stops(tables)),
        distributions=tuple(_distributions([row["record"] for row in tasks])),
    )


def _stops(tables: ReleaseTables) -> Iterator[PagePlace]:
    """Yield each stop that is nearest to a place."""
    columns = ["city_id", "stop_name", "stop_lat", "stop_lon"]
    for city_id, name, lat, lon in tables[TripcraftNearestStop][columns].drop_duplicates().itertuples(index=False):
        yield PagePlace("", city_id, "transit", name, float(lat), float(lon))


class _World:
    """What ids in a witness mean: places, events and the names of cities."""

    def __init__(self, places: dict[tuple[str, str], PagePlace], tables: ReleaseTables) -> None:
        self._places = places
        events = tables[TripcraftEvent].to_dict("records")
        self._events = {(row["city_id"], row["event_id"]): row for row in events}
        self._currency = tables[TripcraftTerms].iloc[0]["currency"]
        self._cities = {row["city_id"]: isolated(row["name"]) for row in tables[TripcraftCity].to_dict("records")}

    def task(self, row: Mapping[Any, Any], certificate: Mapping[Any, Any] | None) -> PageTask:
        record = row["record"]
        values = certificate["proof"] if certificate else {}
        to = (
            self._cities[record["dest_city_id"]]
            if record["dest_city_id"]
            else isolated(region_name(record["dest_region"], record["dest_country"]))
        )
        return PageTask(
            task_id=row["task_id"],
            title=f"{self._cities[record['origin_city_id']]} → {to}, {record['days']} days",
            city_ids=tuple(values.get("cities", ())) or tuple(row["city_id"].split("+")),
            difficulty=record["level"],
            asks=tuple(self._asks(record)),
            days=tuple(self._days(values, record)) if values else (),
            scores=tuple(_scores(values, self._currency)),
            remark=values.get("remark", ""),
        )

    def _asks(self, record: dict[str, Any]) -> Iterator[tuple[str, str]]:
        yield "From", self._cities[record["origin_city_id"]]
        yield "Dates", f"{record['dates'][0]} to {record['dates'][-1]}"
        yield "People", str(record["people"])
        yield "Budget", f"{record['budget']:,} {self._currency}"
        for name in CONSTRAINTS:
            wish = record["constraints"][name]
            if wish is not None:
                yield _words(name), ", ".join(wish) if isinstance(wish, list) else wish
        yield from record["persona"].items()

    def _days(self, values: dict[str, Any], record: dict[str, Any]) -> Iterator[PageDay]:
        moves = {move["date"]: move for move in values["moves"]}
        for number, (date, visits) in enumerate(zip(record["dates"], values["days"], strict=True)):
            stops = [self._stop(visit) for visit in visits]
            for event in values["events"][number]:
                row = self._events[event["city_id"], event["event_id"]]
                stops.append(PageStop("Event", row["name"], "", ", ".join(filter(None, _event(row)))))
            yield PageDay(f"Day {number + 1}", tuple(stops), self._way(moves.get(date), date))

    def _stop(self, visit: dict[str, Any]) -> PageStop:
        place = self._places[visit["city_id"], visit["place_id"]]
        when = f"{clock_face(visit['start_min'])}–{clock_face(visit['end_min'])}"
        facts = dict(place.facts)
        note = ", ".join((self._cities[visit["city_id"]], *(facts[label] for label in BESIDE if label in facts)))
        return PageStop(_words(visit["slot"]), place.name, when, note, place.lat, place.lon, place.place_id)

    def _way(self, move: dict[str, Any] | None, date: str) -> str:
        if move is None:
            return date
        way = f"{self._cities[move['origin_city_id']]} → {self._cities[move['dest_city_id']]}"
        number = f" {move['flight_number']}" if move["flight_number"] else ""
        return f"{date} · {MODES[move['mode']]}{number}, {way}, {move['cost']:,} {self._currency}"


def _facts(row: Mapping[Any, Any], kind: str, currency: str, of_ours: str) -> Iterator[tuple[str, str]]:
    """Yield what is known of a place; a figure of a declared model says so.

    `of_ours` is said of meals and of the time that a visit takes: modelled in all that is built, published otherwise.
    """
    if kind == "restaurant":
        yield from fact("A meal", row["avg_cost"], f"{currency} a person{of_ours}")
        yield from fact("Cuisine", ", ".join(row["cuisines"]))
    elif kind == "stay":
        modelled = ", modelled" if row["is_modelled"] else ""
        yield from fact("A night", row["price"], f"{currency} a room for {row['max_occupancy']}{modelled}")
        room = row["room_type"]
        yield from fact("What is let", room if room is None else str(room).replace("_", " "))
        rules = row["house_rules"]
        yield from fact("House rules", None if rules is None else ", ".join(rules) or "none")
    else:
        yield from fact("Category", ", ".join(row["categories"]))
        yield from fact("A visit", row["visit_duration_h"], f"hours{of_ours}")
        yield from fact("Address", row["address"])
    yield from fact("Rating", row["rating"], "of 5")
    yield from fact("Hours", row.get("opening_hours"))


def _event(row: Mapping[Any, Any]) -> tuple[str, str]:
    return row["segment"], row["address"]


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _scores(values: dict[str, Any], currency: str) -> Iterator[tuple[str, str]]:
    if not values:
        return
    for name, title in METRICS.items():
        if values["metrics"].get(name) is not None:
            yield title, f"{values['metrics'][name]:.3f} of 1"
    yield "Cost", f"{values['cost']:,} {currency}"
    yield "Left of the budget", f"{values['budget_slack']:,} {currency}"
    is_best = values["is_proven_best"]
    yield "Its solver says that no other suits better", "yes" if is_best else "no, the search was cut short"


def _distributions(records: list[dict[str, Any]]) -> Iterator[Distribution]:
    released = sum(map(sum, PUBLISHED_TASKS.values()))
    counted = Counter((record["days"], record["level"]) for record in records)
    names = [(days, level) for days in LENGTHS for level in LEVELS]
    yield shares(
        "Length and level",
        {f"{days} days, {level}": counted[days, level] for days, level in names},
        {
            f"{days} days, {level}": PUBLISHED_TASKS[days][number] / released
            for days in LENGTHS
            for number, level in enumerate(LEVELS)
        },
        "TripCraft's 1,000 released tasks",
    )
    for level, published in (("medium", MEDIUM_SHARE), ("hard", HARD_SHARE)):
        constraints_of_level = [record["constraints"] for record in records if record["level"] == level]
        if constraints_of_level:
            share_by_label = {
                _words(name): sum(one[name] is not None for one in constraints_of_level) / len(constraints_of_level)
                for name in CONSTRAINTS
            }
            yield _share_of_tasks(f"Asked for in {level} tasks", share_by_label, published)
    people = Counter(record["people"] for record in records if record["level"] != "easy")
    yield shares(
        "People, medium and hard",
        {str(number): people[number] for number in PARTY_SHARE},
        {str(number): share for number, share in PARTY_SHARE.items()},
        "the shares that TripCraft draws with",
    )


def _share_of_tasks(title: str, share_by_label: dict[str, float], published: dict[str, float]) -> Distribution:
    bars = tuple(
        Bar(label, share_by_label[label], published[name]) for name, label in ((n, _words(n)) for n in CONSTRAINTS)
    )
    return Distribution(title, "share", bars, "the shares that TripCraft draws with")
