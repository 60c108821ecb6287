"""A searcher for plans that are worth more than a bound: annealing over visits, times, moves, legs, beds and teams.

It knows a plan's format and what a scorer says of it, and nothing of how bounds are made. It never learns the
conditions: it tries, and keeps what the scorer accepts.
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assets.grouptravel.checks.utility import food_points
from assets.grouptravel.facts.fares import Fares
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Trip
from assets.grouptravel.plan import clock
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.wishes.preferences import CITIES

Scorer = Callable[[dict[str, Any]], int | None]
"""What a plan is worth; None for one that is not accepted."""

START = "station"
TEMPERATURES = (3.0, 0.1)
STAYS_MIN = (5, 10, 20, 30, 45, 60, 90)
MEALS = ((480, 630), (660, 870), (1020, 1260))
"""When a polite script eats, once each."""

MOVES_MIN = (1, 3, 5, 8, 12, 20, 30)
SCRIPTED = 0.4
"""Of the tries, plans that a short script fills from morning to evening, before the search begins from the best."""

STEPS_BACK = 400
"""Moves of the search without a better plan after which it goes back to the best."""


@dataclass
class Visited:
    """One visit of a team: where, when, how long, and how long the move to it takes by which mode."""

    poi: Poi
    start: int
    stay: int
    move: int
    mode: str


@dataclass
class Draft:
    """A plan in the making: the service of each leg and its day, each night's bed, each day's teams and visits."""

    legs: list[Any]
    leg_days: tuple[int, ...]
    beds: list[Poi]
    teams: list[list[tuple[str, ...]]]
    visits: list[list[list[Visited]]]
    extra: dict[str, int] = field(default_factory=dict)
    """Tricks played: a hotel on the last day, a price less, a day more."""


@dataclass(frozen=True)
class Ground:
    """What plans of a task are made of; `everybody` are the users and the children."""

    trip: Trip
    pois: Pois
    fares: Fares
    vocabulary: Vocabulary
    everybody: tuple[str, ...]

    def liked(self) -> dict[str, list[Poi]]:
        """Return, by city, the places that somebody likes, the most liked first, and as many at random."""
        found = {}
        for city in self.trip.route[1:-1]:
            places = [*self.pois.distinct(city, "attractions"), *self.pois.distinct(city, "food")]
            tables = [t[CITIES][city] for t in self.trip.tables.values() if city in t[CITIES]]
            found[city] = sorted(places, key=lambda poi: (-_guess(poi, tables), poi.place_id))[:80]
        return found


def attack(
    ground: Ground, score: Scorer, *, tries: int, seed: int, start: Draft | None = None
) -> tuple[int | None, int, int]:
    """Return the most that an accepted plan was worth (None if none was), how many were tried and how many accepted."""
    draws = random.Random(seed)
    liked = ground.liked()
    now = fresh(start) if start is not None else _empty(ground, draws)
    best, best_value = now, score(written(now, ground))
    value, accepted, since = best_value, int(best_value is not None), 0
    for step in range(tries - 1):
        if step < SCRIPTED * tries:
            other = _scripted(fresh(now), ground, liked, draws)
            found = score(written(other, ground))
            accepted += found is not None
            if found is not None and (best_value is None or found > best_value):
                best, best_value, now, value = other, found, other, found
            continue
        heat = TEMPERATURES[0] * (TEMPERATURES[1] / TEMPERATURES[0]) ** (step / tries)
        other = fresh(now)
        for _ in range(draws.choice((1, 1, 1, 2, 3))):
            _change(other, ground, liked, draws)
        if draws.random() < 0.1:
            other = _scripted(other, ground, liked, draws, day=draws.randrange(ground.trip.days))
        found = score(written(other, ground))
        accepted += found is not None
        since += 1
        if found is not None and (value is None or found >= value or draws.random() < math.exp((found - value) / heat)):
            now, value = other, found
        if found is not None and (best_value is None or found > best_value):
            best, best_value, since = other, found, 0
        if since > STEPS_BACK:
            now, value, since = best, best_value, 0
    return best_value, tries, accepted


def draft_of(plan: Mapping[str, Any], ground: Ground) -> Draft:
    """Return a plan that stays together as a draft, to begin from."""
    draft = _empty(ground, random.Random(0))
    legs, beds, at = [], [], 0
    for day, entry in enumerate(plan["days"]):
        come: tuple[int, str] = (5, "taxi")
        draft.visits[day] = [[]]
        draft.teams[day] = [("All",)]
        for segment in entry["city_segments"]:
            if segment.get("type") == "intercity_transport":
                date = ground.trip.first_date.fromordinal(ground.trip.first_date.toordinal() + day)
                running = ground.fares.services(segment["from_city"], segment["to_city"], date=date)
                legs.append((day, next(s for s in running if clock(s.departs) == segment["start_time"]
                                       and ground.vocabulary.modes[s.mode] == segment["transport_mode"])))  # fmt: skip
                continue
            for act in segment["activities"]:
                if act["type"] == "intracity_transport":
                    come = (_minute(act["end_time"]) - _minute(act["start_time"]), act["transport_mode"])
                    continue
                poi = ground.pois.meant(act["location"], segment["city"])
                assert poi is not None
                if act["type"] == "hotel":
                    beds.append(poi)
                else:
                    at = _minute(act["start_time"])
                    draft.visits[day][0].append(Visited(poi, at, _minute(act["end_time"]) - at, *come))
    draft.legs, draft.leg_days, draft.beds = [leg for _, leg in legs], tuple(day for day, _ in legs), beds
    return draft


def _minute(text: str) -> int:
    return int(text[:2]) * 60 + int(text[3:])


def _guess(poi: Poi, tables: list[dict[str, Any]]) -> int:
    """Return about what a place is worth to all."""
    if poi.poi_type == "food":
        return sum(food_points(poi.name, poi.category, table["food"]) for table in tables)
    total = 0
    for table in tables:
        wanted = table["attractions"]
        total += 2 * (poi.name in wanted["must_visit"]) - 2 * (poi.name in wanted["reject_visit"])
        total += poi.category in wanted["category_pref"]["positive"]
        total -= poi.category in wanted["category_pref"]["negative"]
    return total


def _empty(ground: Ground, draws: random.Random) -> Draft:
    trip = ground.trip
    legs = [draws.choice(_services(ground, k, trip.leg_days[k])) for k in range(len(trip.leg_days))]
    beds = [draws.choice(ground.pois.distinct(_sleeps_in(trip.leg_days, trip, day), "hotels"))
            for day in range(trip.days - 1)]  # fmt: skip
    return Draft(legs, trip.leg_days, beds, [[("All",)] for _ in range(trip.days)], [[[]] for _ in range(trip.days)])


def _services(ground: Ground, k: int, day: int) -> list[Any]:
    trip = ground.trip
    date = trip.first_date.fromordinal(trip.first_date.toordinal() + day)
    return ground.fares.services(trip.route[k], trip.route[k + 1], date=date) or ground.fares.services(
        trip.route[k], trip.route[k + 1]
    )


def _sleeps_in(leg_days: tuple[int, ...], trip: Trip, day: int) -> str:
    return trip.route[max(k for k in range(len(leg_days)) if leg_days[k] <= day) + 1]


def _scripted(
    draft: Draft, ground: Ground, liked: dict[str, list[Poi]], draws: random.Random, day: int | None = None
) -> Draft:
    """Return the draft with its days, or one, filled visit after visit, all as long and near as the script has it."""
    trip = ground.trip
    stay, meal_stay = draws.choice((*STAYS_MIN, 90)), draws.choice((10, 45, 45))
    move, mode = draws.choice((None, None, *MOVES_MIN)), _mode(ground, draws)
    is_polite = draws.random() < 0.6
    sights, meals = draws.choice((0, 2, 4, 9)), draws.choice((1, 3, 9))
    days = range(trip.days) if day is None else [day]
    used = {v.poi.place_id for d, teams in enumerate(draft.visits) if d not in days for team in teams for v in team}
    for number in days:
        draft.teams[number], draft.visits[number] = [("All",)], [[]]
        for k, city in enumerate(trip.route[1:-1]):
            if not draft.leg_days[k] <= number <= draft.leg_days[k + 1]:
                continue
            at = draft.legs[k].arrives + 30 if draft.leg_days[k] == number else 480
            until = draft.legs[k + 1].departs - 30 if draft.leg_days[k + 1] == number else 1320
            here = draft.beds[number - 1] if draft.leg_days[k] != number else None
            at -= (move or 0) if here else 0
            eaten: set[int | None] = set()
            seen = {"attractions": 0, "food": 0}
            pool = sorted(liked[city], key=lambda poi: liked[city].index(poi) + draws.expovariate(0.15))
            is_going = True
            while is_going:
                is_going = False
                for poi in pool:
                    most = sights if poi.poi_type == "attractions" else meals
                    taken = move or (ground.pois.ways.least(here, poi) if here else 20)
                    lasts = meal_stay if poi.poi_type == "food" else stay
                    start = max(at, 480) if here is None else max(at + taken, 480)
                    meal = next((n for n, (a, b) in enumerate(MEALS) if a <= start <= b), None)
                    is_rude = poi.poi_type == "food" and is_polite and (meal is None or meal in eaten)
                    if poi.place_id in used or seen[poi.poi_type] >= most or start + lasts > until or is_rude:
                        continue
                    eaten |= {meal} if poi.poi_type == "food" else set()
                    by = mode if move else _fastest(ground, here, poi)
                    draft.visits[number][0].append(Visited(poi, start, lasts, taken, by))
                    at, here, is_going = start + lasts, poi, True
                    seen[poi.poi_type] += 1
                    used.add(poi.place_id)
                    break
    return draft


def _fastest(ground: Ground, here: Poi | None, poi: Poi) -> str:
    words, ways = ground.vocabulary.local_modes, ground.pois.ways
    return words["taxi"] if here is None else words[min(words, key=lambda key: ways.minutes(key, here, poi))]


def _change(draft: Draft, ground: Ground, liked: dict[str, list[Poi]], draws: random.Random) -> None:
    """Change one thing of the draft."""
    trip = ground.trip
    day = draws.randrange(trip.days)
    team = draws.randrange(len(draft.visits[day]))
    visits = draft.visits[day][team]
    cities = [city for k, city in enumerate(trip.route[1:-1]) if draft.leg_days[k] <= day <= draft.leg_days[k + 1]]
    kind = draws.random()
    if kind < 0.35:
        city = draws.choice(cities)
        pool = liked[city]
        poi = pool[min(len(pool) - 1, int(draws.expovariate(0.12)))]
        _add(visits, poi, ground, draws)
    elif kind < 0.45 and visits:
        visits.pop(draws.randrange(len(visits)))
    elif kind < 0.6 and visits:
        visit = draws.choice(visits)
        pool = liked[draws.choice(cities)]
        visit.poi = pool[min(len(pool) - 1, int(draws.expovariate(0.12)))]
    elif kind < 0.66 and visits:
        _tighten(visits, ground, draws)
    elif kind < 0.78 and visits:
        visit = draws.choice(visits)
        what = draws.randrange(5)
        if what == 0:
            visit.start += draws.choice((-60, -30, -10, -5, 5, 10, 30, 60))
        elif what == 1:
            visit.stay = draws.choice(STAYS_MIN)
        elif what == 2:
            visit.move = draws.choice(MOVES_MIN)
        elif what == 3:
            visit.mode = _mode(ground, draws)
        else:
            _pack(visits, min(visit.start for visit in visits))
        visits.sort(key=lambda visit: visit.start)
    elif kind < 0.84:
        k = draws.randrange(len(draft.legs))
        draft.legs[k] = draws.choice(_services(ground, k, draft.leg_days[k]))
    elif kind < 0.9 and draft.beds:
        night = draws.randrange(len(draft.beds))
        draft.beds[night] = draws.choice(ground.pois.distinct(_sleeps_in(draft.leg_days, trip, night), "hotels"))
    elif kind < 0.96 and len(ground.everybody) > 1:
        _regroup(draft, ground, day, draws)
    elif len(trip.route) > 3:
        middle = sorted(draws.choice(range(trip.days)) for _ in draft.leg_days[1:-1])
        draft.leg_days = (0, *middle, trip.days - 1)
    else:
        trick = draws.choice(("last_hotel", "price_less", "day_more", "no_bed_for_some"))
        draft.extra = {} if trick in draft.extra else {trick: 1}


def _mode(ground: Ground, draws: random.Random) -> str:
    return draws.choice(tuple(ground.vocabulary.local_modes.values()))


def _add(visits: list[Visited], poi: Poi, ground: Ground, draws: random.Random) -> None:
    """Add a visit: at any time, or right after another, for which what follows is pushed later."""
    move, stay = draws.choice(MOVES_MIN), draws.choice(STAYS_MIN)
    before = draws.choice(visits) if visits and draws.random() < 0.6 else None
    start = before.start + before.stay + move if before else draws.choice((*range(480, 1300, 15), 500, 660, 1020))
    visits.append(Visited(poi, start, stay, move, before.mode if before else _mode(ground, draws)))
    visits.sort(key=lambda visit: visit.start)
    if draws.random() < 0.7:
        _pack(visits, visits[0].start)


def _tighten(visits: list[Visited], ground: Ground, draws: random.Random) -> None:
    """Let all visits of a day be as long as each other, or as near, and follow each other."""
    stay, move = draws.choice((*STAYS_MIN, None)), draws.choice((*MOVES_MIN, None))
    mode = draws.choice((_mode(ground, draws), None))
    for visit in visits:
        visit.stay, visit.move, visit.mode = stay or visit.stay, move or visit.move, mode or visit.mode
    at = visits[0].start
    for visit in visits[1:]:
        at += visits[0].stay if visit is visits[1] else 0
        visit.start = at + visit.move
        at = visit.start + visit.stay


def _pack(visits: list[Visited], at: int) -> None:
    """Let each visit follow the one before."""
    for visit in visits:
        visit.start = max(at, visit.start) if at > visit.start else min(visit.start, at + visit.move)
        at = visit.start + visit.stay


def _regroup(draft: Draft, ground: Ground, day: int, draws: random.Random) -> None:
    """Divide the group of a day anew, or put it together."""
    if len(draft.teams[day]) > 1 and draws.random() < 0.4:
        draft.teams[day], draft.visits[day] = [("All",)], [draft.visits[day][0]]
        return
    n = draws.randint(2, min(3, len(ground.everybody)))
    of = [draws.randrange(n) for _ in ground.everybody]
    teams = [tuple(u for u, t in zip(ground.everybody, of, strict=True) if t == number) for number in range(n)]
    teams = [team for team in teams if team]
    draft.visits[day] = [_copied(draft.visits[day])[0] for _ in teams]
    draft.teams[day] = teams if len(teams) > 1 else [("All",)]


def written(draft: Draft, ground: Ground) -> dict[str, Any]:
    """Return the draft in the native format, whatever is wrong with it."""
    trip, days = ground.trip, []
    for day in range(trip.days):
        segments: list[dict[str, Any]] = []
        at: str | None = draft.beds[day - 1].name if day else None
        for k, city in enumerate(trip.route[1:]):
            if draft.leg_days[k] == day:
                segments.append(_leg(draft, ground, k))
                at = None
            if k + 1 < len(draft.leg_days) and draft.leg_days[k] <= day <= draft.leg_days[k + 1]:
                acts = _acts(draft, ground, day, k, city, at)
                if acts:
                    segments.append({"city": city, "activities": acts})
        date = trip.first_date.fromordinal(trip.first_date.toordinal() + day)
        days.append({"day": day + 1, "date": str(date), "city_segments": segments})
    if "day_more" in draft.extra:
        last = copy.deepcopy(days[-1])
        days.append({**last, "day": len(days) + 1, "date": ""})
    return {"days": days}


def _leg(draft: Draft, ground: Ground, k: int) -> dict[str, Any]:
    service = draft.legs[k]
    return {
        "type": "intercity_transport", "from_city": ground.trip.route[k], "to_city": ground.trip.route[k + 1],
        "transport_mode": ground.vocabulary.modes[service.mode], "start_time": clock(service.departs),
        "end_time": clock(service.arrives), "avg_cost": service.price - ("price_less" in draft.extra),
    }  # fmt: skip


def _acts(draft: Draft, ground: Ground, day: int, k: int, city: str, at: str | None) -> list[dict[str, Any]]:
    acts: list[dict[str, Any]] = []
    sleeps = day < draft.leg_days[k + 1] or "last_hotel" in draft.extra
    bed = draft.beds[min(day, len(draft.beds) - 1)] if sleeps and draft.beds else None
    latest = draft.legs[k].arrives if draft.leg_days[k] == day else 0
    ends = []
    for team, visits in zip(draft.teams[day], draft.visits[day], strict=True):
        here, who, last = at or START, list(team), latest
        for visit in visits:
            if ground.pois.meant(visit.poi.name, city) is not visit.poi:
                continue
            acts.append(_move(visit.start - visit.move, visit.start, visit.mode, here, visit.poi.name, who))
            kind = "food" if visit.poi.poi_type == "food" else "attraction"
            price = {"avg_cost": (visit.poi.cost or 0.0) - ("price_less" in draft.extra)} if kind == "food" else {}
            last = visit.start + visit.stay
            acts.append({"type": kind, "start_time": clock(visit.start), "end_time": clock(min(last, 1439)),
                         "location": visit.poi.name, "participants": who, **price})  # fmt: skip
            here = visit.poi.name
        if bed is not None and here != bed.name:
            one = ground.pois.meant(here, city)
            by = ground.vocabulary.local_modes["taxi"]
            taken = ground.pois.ways.minutes("taxi", one, bed) if one else 5
            acts.append(_move(last, last + taken, by, here, bed.name, who))
            last += taken
        ends.append(last)
    if bed is not None:
        some = {"participants": [ground.everybody[0]]} if "no_bed_for_some" in draft.extra else {}
        price = (bed.cost or 0.0) - ("price_less" in draft.extra)
        acts.append({"type": "hotel", "start_time": clock(min(max(ends), 1439)), "end_time": "08:00",
                     "location": bed.name, "avg_cost": price, **some})  # fmt: skip
    return acts


def _move(start: int, end: int, mode: str, one: str, other: str, who: list[str]) -> dict[str, Any]:
    return {"type": "intracity_transport", "start_time": clock(max(start, 0)), "end_time": clock(min(end, 1439)),
            "transport_mode": mode, "from": one, "to": other, "participants": who}  # fmt: skip


def fresh(draft: Draft) -> Draft:
    """Return a copy that shares nothing that changes."""
    return Draft(
        [*draft.legs],
        draft.leg_days,
        [*draft.beds],
        [[*teams] for teams in draft.teams],
        [_copied(day) for day in draft.visits],
        {**draft.extra},
    )


def _copied(day: list[list[Visited]]) -> list[list[Visited]]:
    return [[replace(visit) for visit in visits] for visits in day]
