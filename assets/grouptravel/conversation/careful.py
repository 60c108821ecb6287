"""The careful agent by rules: it asks every member, looks everything up by the tools, and plans; it reads no record.

Of a task it uses what the published agent is given: the request, the context, who travels where and when, and who is in
the group. What members want it knows from their own words alone, and of the world what its tools say.
"""

from __future__ import annotations

import datetime as dt
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from assets.core.claims import no_plan_claim
from assets.grouptravel.baseline import trip_and_words
from assets.grouptravel.checks.compromise import AGENT
from assets.grouptravel.conversation.by_model import played, users_of
from assets.grouptravel.conversation.clashing import Clashing
from assets.grouptravel.conversation.itinerary import TripFacts, planned
from assets.grouptravel.conversation.protocol import Call, Conversation, Turn
from assets.grouptravel.conversation.talk import Asking, conversation_of, talk, tongue_of
from assets.grouptravel.conversation.users import SAID, Tongue
from assets.grouptravel.facts.fares import Service
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.trips import Trip
from assets.grouptravel.firm_wishes.wishes import Firm
from assets.grouptravel.plan import minutes
from assets.grouptravel.vocabulary import VOCABULARIES, Vocabulary
from assets.grouptravel.wishes.message_reading import Terms, read_message
from assets.grouptravel.wishes.preferences import Item, Table, empty_table, get, put
from assets.grouptravel.witness.as_plan import native_plan
from assets.runs.playing import Access, Playing, Task

AGENT_SENTENCES: Mapping[str, tuple[str, str, str, str]] = {
    "en": (
        "@{user} What is your budget, how do you like to get there, which hotels do you like or dislike, and how many "
        "sights and hours a day suit you?",
        "@{user} In {city}: which sights do you want to see or not, which kinds of sights do you like or not, and "
        "which food?",
        "Here is the plan:",
        "I have found no plan.",
    ),
    "zh": (
        "@{user} 您的预算是多少？交通和酒店有什么要求？每天几个景点、活动几小时合适？",
        "@{user} 在{city}想看或不想去哪些景点？喜欢或不喜欢哪类的景点？吃的方面呢？",
        "计划如下：",
        "我没有找到可行的计划。",
    ),
}
KINDS: Mapping[str, Mapping[str, str]] = {
    "en": {"attractions": "attraction", "food": "restaurant", "hotels": "hotel"},
    "zh": {"attractions": "景点", "food": "餐厅", "hotels": "酒店"},
}
MUST: Mapping[str, str] = {"attractions": "must_visit", "food": "must_eat"}
"""The tier of a kind's wishes, names and kinds, that are looked for by name."""
PAGE = 20
MOST_PAGES = 15
"""Pages of each kind that are read in a city: the best known places first."""
ALL_WEEK = (1, 2, 3, 4, 5, 6, 7)


def play(task: Task, access: Access) -> Playing:
    """Play a task's conversation with the careful agent; the users are by rules, or by a model if so asked."""
    conversation = conversation_of(task, access.variant)
    tongue = tongue_of(task["record"], access.currency)
    agent = Careful(public_of(task), access, tongue)
    ids: list[str] = []
    yield from talk(conversation, agent.speak, users_of(task, access, tongue, ids))
    return played(conversation, ids)


def public_of(task: Task) -> dict[str, Any]:
    """Return of a task's record what an agent is given: when, where and who, and nothing of what anybody wants."""
    record = task["record"]
    public_fields = ("departure_city", "cities", "date", "child_members")
    return {
        "time": record["time"],
        "metadata": {name: record["metadata"][name] for name in public_fields},
        "users": sorted(record["user_preferences"]),
    }


class Careful:
    """The agent of one conversation."""

    def __init__(self, public_record: Mapping[str, Any], access: Access, tongue: Tongue) -> None:
        """Take what an agent is given, its tools, and the words of the group."""
        self._public_record, self._access, self._tongue = public_record, access, tongue
        self._terms = Terms(tongue.cities, tongue.language, tongue.currency)
        self._words: Vocabulary = VOCABULARIES[tongue.language]
        general, of_city, _, _ = AGENT_SENTENCES[tongue.language]
        users = public_record["users"]
        self._questions = [general.format(user=user) for user in users]
        self._questions += [of_city.format(user=user, city=city) for city in tongue.cities for user in users]
        self._calls: list[Call] = []
        self._answers_by_call: dict[str, Any] = {}
        self._heard: dict[str, Sequence[Item]] = {}
        self._ways: dict[tuple[str, str, str], int] = {}
        self._opening: dict[str, Any] = {}
        self._yielding: dict[str, bool] = {}
        """Of the members who were asked to give way, who did."""
        self._wish_asked_about: Firm | None = None
        self._looked: tuple[Any, Clashing, tuple[Firm, ...]] | None = None
        """What was wanted and who gave way when it was last looked what clashes, and what did."""

    @property
    def has_questions(self) -> bool:
        """Return whether there is something left to ask."""
        return bool(self._questions)

    def speak(self, turn: Turn, conversation: Conversation) -> Asking:
        """Ask the next question, or hand in the plan when all are asked or the time is up."""
        visible_history = conversation.seen_by(AGENT)
        if turn.kind == "table":
            return json.dumps({"user_preferences": self.tables(visible_history)}, ensure_ascii=False), []
        if self._questions and turn.kind != "final":
            return self._questions.pop(0), []
        self._calls = []
        text = self._handed_in(self.tables(visible_history), visible_history, can_ask=turn.kind != "final")
        return text, self._calls
        yield  # a generator that asks nobody

    def _handed_in(self, tables: Mapping[str, Table], visible_history: list[dict[str, Any]], *, can_ask: bool) -> str:
        """Return the plan; where firm wishes clash, a question to who has not been asked yet to give way, or why not.

        Who does not plainly refuse gives way.
        """
        if self._wish_asked_about is not None:
            no, who = SAID[self._tongue.language]["no"], self._wish_asked_about.user
            answer = next((entry["content"] for entry in reversed(visible_history) if entry["role"] == who), no)
            self._yielding[who], self._wish_asked_about = no not in answer, None
        trip, words = self._trip(tables)
        places = self._all_places(tables)
        yielding = [user for user, gives in self._yielding.items() if gives]
        if self._looked is None or self._looked[0] != (tables, yielding):
            clashing = Clashing(trip, places, self._services, self._hours)
            self._looked = (tables, yielding), clashing, clashing.clashing_wishes(yielding)
        _, clashing, clash = self._looked
        self._wish_asked_about = (
            next((one for one in clash if one.user not in self._yielding), None) if can_ask else None
        )
        if self._wish_asked_about is not None:
            return clashing.question(self._wish_asked_about, self._tongue.language)
        return no_plan_claim(tuple(one.wish for one in clash)) if clash else self._plan(trip, words, places)

    def tables(self, visible_history: list[dict[str, Any]]) -> dict[str, Table]:
        """Return what each member has said it wants."""
        tables_by_user = {user: empty_table(self._tongue.cities) for user in self._public_record["users"]}
        for entry in visible_history:
            if entry["type"] != "message" or entry["role"] not in tables_by_user:
                continue
            table = tables_by_user[entry["role"]]
            for item in self._items(entry["content"]):
                if item.field.per_city and item.city not in self._tongue.cities:
                    continue
                old_value = get(table, item.field, item.city)
                value = [*old_value, item.value] if item.field.is_list and item.value not in old_value else old_value
                put(table, item.field, item.city, value if item.field.is_list else item.value)
        return tables_by_user

    def _items(self, words: str) -> Sequence[Item]:
        """Return what words say; the same words are read once."""
        if words not in self._heard:
            self._heard[words] = read_message(words, self._terms).items
        return self._heard[words]

    def _trip(self, tables: Mapping[str, Table]) -> tuple[Trip, Vocabulary]:
        record = {
            **self._public_record,
            "task_id": "",
            "user_preferences": {u: {"preference": t} for u, t in tables.items()},
        }
        return trip_and_words(record)

    def _all_places(self, tables: Mapping[str, Table]) -> dict[tuple[str, str], list[Poi]]:
        places = {}
        for city in self._tongue.cities:
            pois_by_kind = {kind: self._places(city, kind, tables) for kind in ("attractions", "food", "hotels")}
            bearers = Counter(poi.name for pois in pois_by_kind.values() for poi in pois)
            # A plan names its places: of two of one name nobody could tell which is meant.
            places |= {
                (city, kind): [poi for poi in pois if bearers[poi.name] == 1] for kind, pois in pois_by_kind.items()
            }
        return places

    def _plan(self, trip: Trip, words: Vocabulary, places: Mapping[tuple[str, str], list[Poi]]) -> str:
        services = [
            self._services(trip.route[k], trip.route[k + 1], trip.first_date + dt.timedelta(days=day))
            for k, day in enumerate(trip.leg_days)
        ]
        best = planned(trip, TripFacts(places, services, self._minutes, self._hours), words)
        _, _, introduction, none = AGENT_SENTENCES[self._tongue.language]
        if best is None:
            return none
        return f"{introduction}\n```json\n{json.dumps(native_plan(trip, best, words), ensure_ascii=False)}\n```"

    def _call(self, name: str, **arguments: Any) -> Any:
        """Return a tool's answer as JSON; the same call is made once."""
        key = json.dumps([name, arguments], sort_keys=True, ensure_ascii=False)
        if key not in self._answers_by_call:
            reply = self._access.call(name, arguments)
            self._calls.append(Call(name, arguments, reply.result, reply.has_error))
            self._answers_by_call[key] = {} if reply.has_error else json.loads(reply.result)
        return self._answers_by_call[key]

    def _places(self, city: str, kind: str, tables: Mapping[str, Table]) -> list[Poi]:
        """Return the city's best known places of a kind, and those that somebody must have, by name or kind."""
        words = [KINDS[self._tongue.language][kind]]
        if kind in MUST:
            must_lists = (t["city_specific_preferences"][city][kind][MUST[kind]] for t in tables.values())
            words += sorted({name for names in must_lists for name in names})
        pois_by_id: dict[str, Poi] = {}
        for keywords in words:
            for page in range(1, (MOST_PAGES if keywords == words[0] else 1) + 1):
                answer = self._call("search_poi", keywords=keywords, city=city, page=page, page_size=PAGE)
                for row in answer.get("pois", ()):
                    if row["type"] == kind:
                        lon, lat = map(float, row["location"].split(","))
                        pois_by_id[row["id"]] = Poi(
                            row["id"], row["name"], kind, row["category"], None, row["avg_cost"], lat, lon
                        )
                if page * PAGE >= answer.get("total", 0):
                    break
        return list(pois_by_id.values())

    def _hours(self, poi: Poi) -> Any:
        if poi.place_id not in self._opening:
            detail = self._call("get_poi_detail", id=poi.place_id).get("poi") or {}
            self._opening[poi.place_id] = detail.get("opening_hours")
        return self._opening[poi.place_id]

    def _minutes(self, one: Poi, other: Poi, city: str) -> int:
        """Return the minutes by taxi, as a route by car takes."""
        if one.place_id == other.place_id:
            return 5
        key = (one.place_id, other.place_id, city)
        if key not in self._ways:
            self._ways[key] = self._driven(one, other, city)
        return self._ways[key]

    def _driven(self, one: Poi, other: Poi, city: str) -> int:
        ends = {"origin": f"{one.lon},{one.lat}", "destination": f"{other.lon},{other.lat}"}
        routes = self._call("plan_route", **ends, mode="driving", city=city).get("routes") or [{"duration_min": 30}]
        return max(5, math.ceil(routes[0]["duration_min"]))

    def _services(self, origin: str, destination: str, date: dt.date) -> list[Service]:
        services = []
        for tool, what in (("travel_search_trains", "trains"), ("travel_search_flights", "flights")):
            answer = self._call(tool, origin=origin, destination=destination, date=date.isoformat())
            for row in answer.get(what, ()):
                mode, departs, arrives = self._words.mode_key(row["mode"]), *map(minutes, _times(row))
                if mode is None or not row["price"] or departs is None or arrives is None:
                    continue
                services.append(Service(mode, row["price"], departs, arrives, ALL_WEEK))
        return services


def _times(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["depart_time"], row["arrive_time"]
