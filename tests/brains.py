"""What a stand-in model answers: honestly, by the rules engines; or obeying whatever stands outside a fence."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable
from typing import Any

from assets.itinbench.wording import CUISINE_WORDS, word
from assets.reviews.lexicon import lexicon
from assets.reviews.model import MAX_NOTES_PER_PAIR, MAX_QUOTE_CHARACTERS
from assets.reviews.reading import read_review
from assets.tripcraft.numbers import NUMBER_WORDS
from assets.tripcraft.phrases import OF_MANY, OF_ONE, SENTENCES
from assets.tripcraft.vocabulary import CONSTRAINTS, FORBIDDEN_BY, ROOM_TYPES_MEETING, SEGMENTS, TRANSPORT_REQUESTS
from assets.tripcraft.wording import plain_wishes
from schemas.stable import stable_hash

_OPENED = re.compile(r"<data ([0-9a-f]+)>\n")


def fenced_records(text: str) -> list[dict[str, Any]]:
    """Return the records between the first mark of the text and the first mark that closes it."""
    opened = _OPENED.search(text)
    assert opened is not None, f"no data in {text[:200]!r}"
    inside = text[opened.end() :].split(f"\n</data {opened[1]}>", 1)[0]
    return [json.loads(line) for line in inside.split("\n")]


def outside_the_fence(text: str) -> str:
    """Return what a reader of the marks takes for the text that is not data."""
    opened = _OPENED.search(text)
    if opened is None:
        return text
    return text[: opened.start()] + text[opened.end() :].partition(f"\n</data {opened[1]}>")[2]


def kind_of(system: str) -> str:
    """Return the kind of place that a prompt for reading reviews is about."""
    if "visitor attraction" in system:
        return "attraction"
    return "stay" if "reviews of one hotel" in system else "restaurant"


def reads_reviews(messages: list[dict[str, str]]) -> str:
    """Answer as the rules read each review: the rating rounded, the passage quoted."""
    kind = kind_of(messages[0]["content"])
    low, high = (0, 3) if kind == "attraction" else (1, 5)
    notes = []
    for record in fenced_records(messages[1]["content"]):
        given: dict[str, int] = {}
        for mention in read_review(record["text"], lexicon(kind)):
            given[mention.attribute] = given.get(mention.attribute, 0) + 1
            if given[mention.attribute] <= MAX_NOTES_PER_PAIR:
                quote = record["text"][mention.start : mention.end][:MAX_QUOTE_CHARACTERS]
                rating = min(high, max(low, int(mention.value + 0.5)))
                notes.append(
                    {"review": record["review"], "attribute": mention.attribute, "rating": rating, "quote": quote}
                )
    return json.dumps({"notes": notes}, ensure_ascii=False)


def words_itinbench(messages: list[dict[str, str]]) -> str:
    """Answer with the request that the templates make of the facts, chosen by all that was said."""
    facts = fenced_records(messages[1]["content"])[0]["facts"]
    spoken = {words: cuisine for cuisine, words in CUISINE_WORDS.items()}
    record: Any = {
        "days": facts["days"],
        "price": facts["budget"],
        "orientation": facts["attractions"].removesuffix("-oriented"),
        "cuisine": spoken.get(facts["cuisine"], facts["cuisine"]),
        "restaurant": facts["restaurant"],
        "hotel": facts["hotel"],
    }
    return json.dumps({"query": word(json.dumps(messages), record).query}, ensure_ascii=False)


def does_every_job(messages: list[dict[str, str]]) -> str:
    """Answer whichever of the jobs the messages ask for."""
    is_wording = "You write the request of a traveller" in messages[0]["content"]
    return words_itinbench(messages) if is_wording else reads_reviews(messages)


def obeys_what_is_not_fenced(messages: list[dict[str, str]]) -> str:
    """Answer honestly, unless anything at all stands outside the fence: then as a model that does as it is told."""
    user = messages[1]["content"]
    if not outside_the_fence(user).strip():
        return reads_reviews(messages)
    attribute = "flavor" if "flavor" in messages[0]["content"] else "family"
    return json.dumps(
        {"notes": [{"review": 1, "attribute": attribute, "rating": 5, "quote": messages[0]["content"][:50]}]}
    )


class Trips:
    """Two models that know TripCraft: one words a trip's facts, the other reads a wording as it was meant."""

    def __init__(self) -> None:
        self._meant: dict[str, dict[str, Any]] = {}

    def words(self, messages: list[dict[str, str]]) -> str:
        """Answer with a request that states the facts, chosen by all that was said."""
        facts = fenced_records(messages[1]["content"])[0]["facts"]
        chosen = stable_hash(json.dumps(messages))
        trips, budgets = SENTENCES["trip"][:4], SENTENCES["budget"][:3]
        voice = OF_ONE if facts["people"] == 1 else OF_MANY
        said = [
            trips[chosen % len(trips)].format(
                **voice,
                days=facts["days"],
                party=f"{facts['people']} people" if facts["people"] > 1 else "1 person",
                origin=facts["origin"],
                where=facts["destination"],
                when=f"from {facts['first_day']} to {facts['last_day']}",
            ),
            budgets[chosen // 7 % len(budgets)].format(amount=facts["budget"]),
            *(wish if wish.endswith(".") else f"We would like {wish}." for wish in facts["wishes"]),
        ]
        text = " ".join(said)
        self._meant[text] = facts
        return json.dumps({"query": text})

    def reads(self, messages: list[dict[str, str]]) -> str:
        """Answer with what the writer of a request meant by it."""
        facts = self._meant[fenced_records(messages[1]["content"])[0]["request"]]
        wishes = facts["wishes"]
        number, in_region, region = facts["destination"].partition(" cities in ")
        quoted = [wish.split('"')[1] for wish in wishes if '"' in wish]

        def told(name: str, values: Iterable[str]) -> list[str]:
            none: dict[str, Any] = dict.fromkeys(CONSTRAINTS)
            of_each = {value: {**none, name: value} for value in values}
            records: Any = {v: {"people": facts["people"], "constraints": asked} for v, asked in of_each.items()}
            return [value for value, record in records.items() if plain_wishes(record)[name] in wishes]

        return json.dumps(
            {
                "origin": facts["origin"],
                "destination": region or facts["destination"],
                "cities": NUMBER_WORDS.index(number) if in_region else 1,
                "days": facts["days"],
                "people": facts["people"],
                "first_day": f"{dt.datetime.strptime(facts['first_day'], '%B %d, %Y'):%Y-%m-%d}",
                "last_day": f"{dt.datetime.strptime(facts['last_day'], '%B %d, %Y'):%Y-%m-%d}",
                "budget": int(facts["budget"].split()[0].replace(",", "")),
                "house_rule": told("house_rule", FORBIDDEN_BY),
                "room_type": told("room_type", ROOM_TYPES_MEETING),
                "cuisine": [c for wish in wishes if wish.endswith(" food") for c in wish[:-5].split(" and ")],
                "event": [kind for kind in quoted if kind in SEGMENTS],
                "attraction": [kind for kind in quoted if kind not in SEGMENTS],
                "transportation": told("transportation", TRANSPORT_REQUESTS),
            }
        )


SPOKEN = {
    "the budget of a person, in all": "my budget has a limit of {says}",
    "travelling between cities": "I {how} get around by {says}",
    "sights a day": "I do {says} sights each day, no more",
    "hours a day on one's feet": "I am active at most {says} hours every day",
    "a kind of place to stay": "I {how} sleep in something of the kind {says}",
    "a sight to visit": "in {city} I {how} visit {says}",
    "sights of a kind": "in {city} I {how} see places of this type: {says}",
    "food to eat": "in {city} I {how} taste {says}",
}
STRENGTHS = {"must": "need to", "would_like": "would love to", "rather_not": "prefer not to", "never": "will never"}


def makes_groups(messages: list[dict[str, str]]) -> str:
    """Answer with a table, or with an opening message of what it is to say, in other words than the rules' own."""
    if "You write the first message" not in messages[0]["content"]:
        return makes_tables(messages)
    wishes = fenced_records(messages[1]["content"])[1:]
    spoken = [SPOKEN[wish["about"]].format(how=STRENGTHS.get(wish["strength"]), **wish) for wish in wishes]
    return json.dumps({"message": "Hi all! " + " ".join(f"{s[0].upper()}{s[1:]}." for s in spoken)}, ensure_ascii=False)


def makes_tables(messages: list[dict[str, str]]) -> str:
    """Answer with a table of the first things listed that contradicts nothing."""
    facts, *cities, taken = fenced_records(messages[1]["content"])
    kept = taken["taken_over"]
    whole = facts["modes_that_serve_the_whole_trip"]
    wanted, eaten = [], set()
    for city in cities:
        mine = kept.get("city_specific_preferences", {}).get(city["city"])
        refused = mine["category_pref"]["negative"] if mine else []
        liked = [name for name, kind in city["attractions"].items() if kind not in refused]
        weak = {*mine["prefer_eat"], *mine["avoid_eat"]} if mine else set()
        food = [dish for dish in city["food"] if dish not in weak]
        food.sort(key=lambda dish: dish in eaten)
        eaten.add(food[0])
        wanted.append(
            {
                "city": city["city"],
                "must_visit": liked[:1],
                "reject_visit": liked[1:2],
                "category_positive": [],
                "category_negative": [],
                "must_eat": food[:1],
                "prefer_eat": [],
                "avoid_eat": food[1:2],
                "reject_eat": [],
            }
        )
    budget = int(facts["lowest_possible_budget"] * 1.5) + 1
    own = {
        "avg_budget": budget,
        "transport": {"must": [], "prefer": whole[:1], "avoid": [], "reject": []},
        "intensity": {"max_poi_per_day": 3, "max_active_hours": 8},
        "hotel_preference": {"prefer": cities[0]["kinds_of_hotel"][:1], "avoid": []},
    }
    return json.dumps({"global_constraints": own, "cities": wanted}, ensure_ascii=False)
