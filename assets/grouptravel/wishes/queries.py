"""The query of a task in words: who wants to go where, from where, when and for how long, in many forms.

The facts of the published line, and those of the context, are told in one of many orders and wordings, drawn by the
task; every fact stands in every form.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from assets.grouptravel.draws import uniform_int
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.wishes import query_frames_zh
from schemas.counts import listed

GROUPS: Mapping[str, str] = {
    "2-1": "a couple", "2-2": "a married couple", "2-3": "two female friends", "2-4": "two male friends",
    "3-1": "a couple and a female friend of theirs", "3-2": "a couple and a male friend of theirs",
    "3-3": "three female friends", "3-4": "three male friends",
    "3-5": "a family of three with a small child", "3-6": "a family of three with a child at school",
    "4-1": "two couples", "4-2": "a couple and two friends", "4-3": "four female friends",
    "4-4": "four male friends", "4-5": "a family of four with a teenager and a small child",
    "4-6": "a married couple and the parents of one of them", "5-1": "five female friends",
    "5-2": "five male friends", "5-3": "a family of three and the grandparents",
    "6-1": "six roommates from one dormitory", "6-2": "three couples", "6-3": "a family of six from three generations",
}  # fmt: skip
"""Each archetype as people would call it."""

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")

ASKS = (
    "Please plan {trip} for us, {group}.", "Could you work out {trip} for us? We are {group}.",
    "We are {group} and need a plan: {trip}.", "We, {group}, would like {trip}; please plan that.",
    "Help us with {trip}: we are {group}.", "Looking for somebody to plan {trip}: we are {group}.",
    "How would you plan {trip} for us, {group}?", "We need an itinerary: {trip}, for {group}.",
    "We, {group}, are about to book {trip} and cannot agree on a plan.",
    "Can you help us? {Trip}, all of us together: {group}.",
    "Our group ({group}) wants {trip} on which nobody is left out.",
    "Draw up a plan of {trip} for us ({group}), day by day.",
    "It is time for {trip}! There are {people} of us: {group}.", "{People} people, {trip}: we are {group}.",
    "We are {group}, and I have promised the others {trip}.", "We are {group}: a plan of {trip}, please.",
)  # fmt: skip
"""Whoever asks is one of the group, as in STARTS and ENDS."""

UNCOUNTED_ASKS = tuple(ask for ask in ASKS if "{people}" not in ask.lower())
"""For groups whose own words say how many they are."""

TRIPS = (
    "a trip of {days} days to {cities}", "{days} days and {nights} in {cities}", "a {days}-day trip to {cities}",
    "{nights} in {cities} ({days} days in all)", "a {days}-day journey to {cities}", "{days} days of {cities}",
    "a visit of {days} days to {cities}", "a stay of {nights} ({days} days) in {cities}",
)  # fmt: skip
STARTS = (
    "We set out from {home} on {date}.", "It starts in {home} on {date}.", "On {date} we leave {home}.",
    "We live in {home} and can leave on {date}.", "Departure is from {home}, on {date}.",
    "Off we go from {home} on {date}.", "{date} is the day, {home} is where we meet.",
    "We will be away from {home} from {date} on.", "From {home}, please, starting on {date}.",
    "Home is {home}; the first day is {date}, the last {last}.",
    "We travel from {date} to {last}, from {home} and back.",
    "On {last} we have to be back in {home}, which we leave on {date}.",
)  # fmt: skip
CHILDREN = (
    "Nobody asks the youngest ({child}), but the plan has to suit.", "One of us is {child}.",
    "Mind that {child} comes along.", "{Child} travels with us and has no say.", "With us comes {child}.",
)  # fmt: skip
NAMED_CHILDREN = (
    "Nobody asks {child}, but the plan has to suit.", "{Child} has no say.", "Mind {child}, too.",
    "{Child} will not tell you any wishes.",
)  # fmt: skip
"""Of children whom the group's own words have named already."""
ENDS = (
    "Each of us will say what matters to them.", "Ask us what we want; we do not all want the same.", "",
    "Everybody will tell you what they wish for.", "We will tell you one by one what we like.", "",
    "You will hear from all of us.", "Tastes differ, so listen to everyone.", "Some of us can give way, some will not.",
    "Let us talk about who wants what.", "Our wishes follow.", "Please find something that is fair to all.", "",
    "Budgets are counted for each person.", "It should be good for all and cheap enough for everybody.",
    "Where we disagree, propose something.", "Split up only where it helps.",
)  # fmt: skip


@dataclass(frozen=True)
class Trip:
    """What a query tells: the cities by name, from where, the dates, the group's archetype and size, the children."""

    cities: tuple[str, ...]
    home: str
    first_date: dt.date
    days: int
    group_id: str
    people: int
    children: tuple[str, ...] = ()


def query(words: Vocabulary, trip: Trip, *seed: str | int) -> str:
    """Return the query of a trip. Its form depends on the seed alone; every form tells every fact of the trip."""
    if words.language == "zh":
        return _query_in_chinese(words, trip, *seed)
    nights = f"{NUMBERS[trip.days - 1]} night{'s' if trip.days > 2 else ''}"
    cities = listed(trip.cities)
    days = NUMBERS[trip.days]
    going = _drawn_option(TRIPS, *seed, "trip").format(days=days, nights=nights, cities=cities)
    group = GROUPS[trip.group_id]
    ask = _drawn_option(ASKS, *seed, "ask")
    if "{people}" in ask.lower() and NUMBERS[trip.people] in group.split():
        ask = _drawn_option(UNCOUNTED_ASKS, *seed, "ask again")
    ask = ask.format(
        trip=going,
        Trip=_capital(going),
        group=group,
        people=NUMBERS[trip.people],
        People=_capital(NUMBERS[trip.people]),
    )
    date, last = (_date(trip.first_date + dt.timedelta(days=n), *seed) for n in (0, trip.days - 1))
    start = _drawn_option(STARTS, *seed, "start").format(home=trip.home, date=date, last=last)
    sentences = [_capital(ask), _capital(start)]
    if uniform_int(0, 2, *seed, "order") == 0:
        sentences.reverse()
    if trip.children:
        is_named = all(_child(name) in group for name in trip.children)
        child = listed(tuple(_child(name, "the" if is_named else "a") for name in trip.children))
        sentence = _drawn_option(NAMED_CHILDREN if is_named else CHILDREN, *seed, "child")
        sentences.append(sentence.format(child=child, Child=_capital(child)))
    sentences.append(_drawn_option(ENDS, *seed, "end"))
    return " ".join(sentence for sentence in sentences if sentence)


def _query_in_chinese(words: Vocabulary, trip: Trip, *seed: str | int) -> str:
    frames = query_frames_zh
    days, nights = words.numbers[trip.days], words.numbers[trip.days - 1]
    going = _drawn_option(frames.TRIPS, *seed, "trip").format(days=days, nights=nights, cities="、".join(trip.cities))
    ask = _drawn_option(frames.ASKS, *seed, "ask").format(
        trip=going, group=frames.GROUPS[trip.group_id], people=trip.people
    )
    date, last = (_chinese_date(trip.first_date + dt.timedelta(days=n), *seed) for n in (0, trip.days - 1))
    sentences = [ask, _drawn_option(frames.STARTS, *seed, "start").format(home=trip.home, date=date, last=last)]
    if uniform_int(0, 2, *seed, "order") == 0:
        sentences.reverse()
    if trip.children:
        child = "、".join(name.partition("（")[0] for name in trip.children)
        sentences.append(_drawn_option(frames.CHILDREN, *seed, "child").format(child=child))
    return "".join([*sentences, _drawn_option(frames.ENDS, *seed, "end")])


def _chinese_date(date: dt.date, *seed: str | int) -> str:
    """Return a date in one of three forms; a query keeps to one."""
    date_text = f"{date.year}年{date.month}月{date.day}日"
    weekday = query_frames_zh.WEEKDAYS[date.weekday()]
    return _drawn_option(
        (date_text, f"{date_text}（星期{weekday}）", f"{date.isoformat()}（周{weekday}）"), *seed, "date"
    )


def _date(date: dt.date, *seed: str | int) -> str:
    """Return a date in words, in one of four forms; a query keeps to one."""
    form = uniform_int(0, 3, *seed, "date")
    month, weekday = date.strftime("%B"), date.strftime("%A")
    return (
        f"{date.day} {month} {date.year}",
        f"{weekday}, {date.day} {month} {date.year}",
        f"{month} {date.day}, {date.year}",
        f"{weekday} {date.isoformat()}",
    )[form]


def _child(role: str, article: str = "a") -> str:
    """Return a child by the role, without the ages that its archetype allows."""
    return f"{article} {role.partition(' (')[0]}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _drawn_option(options: tuple[str, ...], *seed: str | int) -> str:
    return options[uniform_int(0, len(options) - 1, *seed)]
