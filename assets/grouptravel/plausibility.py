"""What nobody would do, found by name in tasks and plans: a task in which any is found gets no certificate.

What concerns a table alone is refused when it is made (`wishes/postvalidation.py`); here it is looked for again, with
what only places and plans show. Of a city's places one thing is a check of their table (`facts/checks.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assets.grouptravel.conditions import AT_ONCE_MIN
from assets.grouptravel.facts.kinds import AFTER_DARK_FROM, clash, is_taste, manner
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import TYPE_OF_ACTIVITY, Pois
from assets.grouptravel.plan import LEG, minutes
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.wishes.candidates import MIN_OFFER
from assets.grouptravel.wishes.preferences import Item, items_of

IMPLAUSIBLE_TASKS = {
    "must_visits_nobody_travels_for": "A must-visit is of a kind of which no one place is worth a trip: a bar, a shop.",
    "wished_and_refused_kinds": "A member wants a kind and refuses one that it holds or that holds it.",
    "kinds_that_there_is_one_of": "A member names a kind of sight, food or stay that the city has fewer than two of.",
    "tastes_that_say_nothing": "A member wants to eat `restaurant` or the like.",
    "nightlife_in_daylight": "A plan goes to nightlife before 18:00.",
    "visits_of_unknown_hours": "A plan goes to a sight of which neither a source nor the model says when it is open.",
    "teams_apart_at_one_place": "Two teams are sent to one place within a quarter of an hour: no split at all.",
}
"""What is counted in a task, and what it says: the certificate's check, which blocks, and the release's statistics."""


class Places:
    """Places as plausibility asks for them: by the names that records and plans give them."""

    def __init__(self, pois: Pois, vocabulary: Vocabulary):
        self._pois, self._words = pois, vocabulary

    def category(self, city: str, kind: str, name: str) -> str:
        """Return the category of a place by name; empty where there is none."""
        poi = self._of_kind(city, kind, name)
        return self._words.category(poi.category, kind) if poi else ""

    def has_hours(self, city: str, kind: str, name: str) -> bool:
        """Return whether a place's hours are known or modelled."""
        poi = self._of_kind(city, kind, name)
        return poi is not None and poi.hours is not None

    def offers(self, city: str, kind: str, category: str) -> int:
        """Return how many places of a category there are."""
        key = ("offers", city, kind)
        if key not in self._pois.found_out:
            city_pois = self._pois.in_city(city, kind)
            self._pois.found_out[key] = Counter(self._words.category(poi.category, kind) for poi in city_pois)
        return self._pois.found_out[key][category]

    def _of_kind(self, city: str, kind: str, name: str) -> Poi | None:
        poi = self._pois.place_named(name, city, kind)
        return poi if poi is not None and poi.poi_type == kind else None


def implausible_in(record: Mapping[str, Any], plans: Iterable[Mapping[str, Any]], places: Places) -> Counter[str]:
    """Return how often each of `IMPLAUSIBLE_TASKS` is found in a task's record and its plans."""
    counts = Counter(_of_record(record, places))
    for plan in plans:
        counts.update(_of_plan(plan, places))
    return counts


def _of_record(record: Mapping[str, Any], places: Places) -> Iterator[str]:
    cities = record["metadata"]["cities"]
    for entry in record["user_preferences"].values():
        list_items = [item for item in items_of(entry["preference"]) if item.field.is_list]
        for item in list_items:
            yield from _of_item(item, cities, places)
        for refused in (item for item in list_items if item.field.sign < 0 and _is_kind(item)):
            related_items = (
                i
                for i in list_items
                if _is_kind(i) and i.city == refused.city and i.field.path[0] == refused.field.path[0]
            )
            if any(item.field.sign > 0 and clash(item.value, refused.value) for item in related_items):
                yield "wished_and_refused_kinds"


def _of_item(item: Item, cities: list[str], places: Places) -> Iterator[str]:
    group = item.field.path[0]
    if item.field.path[-1] == "must_visit":
        category = places.category(item.city, "attractions", item.value)
        if not category or not manner(category).is_destination:
            yield "must_visits_nobody_travels_for"
    if group == "food" and not is_taste(item.value):
        yield "tastes_that_say_nothing"
    poi_type = {"food": "food", "hotel_preference": "hotels"}.get(group, "attractions" if _is_kind(item) else "")
    in_cities = [item.city] if item.city else cities
    if poi_type and not any(places.offers(city, poi_type, item.value) >= MIN_OFFER for city in in_cities):
        yield "kinds_that_there_is_one_of"


def _is_kind(item: Item) -> bool:
    return item.field.path[0] == "food" or "category_pref" in item.field.path


def _of_plan(plan: Mapping[str, Any], places: Places) -> Iterator[str]:
    for day in plan["days"]:
        for segment in day["city_segments"]:
            if segment.get("type") == LEG:
                continue
            visits = [act for act in segment["activities"] if act["type"] in ("attraction", "food")]
            for act in visits:
                kind = TYPE_OF_ACTIVITY[act["type"]]
                start = minutes(act["start_time"])
                category = places.category(segment["city"], kind, act["location"])
                if act["type"] == "attraction":
                    is_dark = start is not None and start >= AFTER_DARK_FROM
                    if category and manner(category).is_after_dark and not is_dark:
                        yield "nightlife_in_daylight"
                    if not places.has_hours(segment["city"], kind, act["location"]):
                        yield "visits_of_unknown_hours"
            yield from _apart_at_one_place(visits)


def _apart_at_one_place(visits: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a name for every pair of visits of other people to one place at nearly one time."""
    for n, one in enumerate(visits):
        for other in visits[n + 1 :]:
            if one["location"] != other["location"] or one.get("participants") == other.get("participants"):
                continue
            starts = [minutes(act["start_time"]) for act in (one, other)]
            if None not in starts and abs((starts[0] or 0) - (starts[1] or 0)) <= AT_ONCE_MIN:
                yield "teams_apart_at_one_place"
