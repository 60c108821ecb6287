"""A searcher for plans that are worth more than a bound: annealing over visits, times, moves, legs, beds and teams.

It never learns the conditions: it tries, and keeps what the scorer accepts.
"""

from __future__ import annotations

import math
import random

from assets.grouptravel.facts.poi import Poi
from tests.assets.grouptravel.attacked import (
    Draft,
    Ground,
    Scorer,
    Visited,
    copied,
    empty,
    fresh,
    services,
    sleeps_in,
    written,
)

TEMPERATURES = (3.0, 0.1)
STAYS_MIN = (5, 10, 20, 30, 45, 60, 90)
MEALS = ((480, 630), (660, 870), (1020, 1260))
MEALS_APART_MIN = 120
"""When a polite script eats, once each, and how long after a meal again."""

MOVES_MIN = (1, 3, 5, 8, 12, 20, 30)
SCRIPTED = 0.4
"""Of the tries, plans that a short script fills from morning to evening, before the search begins from the best."""

STEPS_BACK = 400
"""Moves of the search without a better plan after which it goes back to the best."""


def attack(
    ground: Ground, score: Scorer, *, tries: int, seed: int, start: Draft | None = None
) -> tuple[int | None, int, int]:
    """Return the most that an accepted plan was worth (None if none was), how many were tried and how many accepted."""
    draws = random.Random(seed)
    liked = ground.liked()
    now = fresh(start) if start is not None else empty(ground, draws)
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
            fed = 0
            seen = {"attractions": 0, "food": 0}
            places = [(rank + draws.expovariate(0.15), rank) for rank in range(len(liked[city]))]
            pool = [liked[city][rank] for _, rank in sorted(places)]
            is_going = True
            while is_going:
                is_going = False
                for poi in pool:
                    if poi.place_id in used:
                        continue
                    most = sights if poi.poi_type == "attractions" else meals
                    taken = move or (ground.pois.ways.least(here, poi) if here else 20)
                    lasts = meal_stay if poi.poi_type == "food" else stay
                    start = max(at, 480) if here is None else max(at + taken, 480)
                    meal = next((n for n, (a, b) in enumerate(MEALS) if a <= start <= b), None)
                    is_rude = poi.poi_type == "food" and is_polite and (meal is None or meal in eaten or start < fed)
                    if seen[poi.poi_type] >= most or start + lasts > until or is_rude:
                        continue
                    if poi.poi_type == "food":
                        eaten.add(meal)
                        fed = start + lasts + MEALS_APART_MIN
                    by = mode if move else _fastest(ground, here, poi)
                    draft.visits[number][0].append(Visited(poi, start, lasts, taken, by))
                    at, here, is_going = start + lasts, poi, True
                    seen[poi.poi_type] += 1
                    used.add(poi.place_id)
                    break
    return draft


def _fastest(ground: Ground, here: Poi | None, poi: Poi) -> str:
    words, ways = ground.vocabulary.local_modes, ground.pois.ways
    if here is None:
        return words["taxi"]
    running = [key for key in words if key == "taxi" or ways.runs(key, here, poi)]
    return words[min(running, key=lambda key: ways.minutes(key, here, poi))]


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
        draft.legs[k] = draws.choice(services(ground, k, draft.leg_days[k]))
    elif kind < 0.9 and draft.beds:
        night = draws.randrange(len(draft.beds))
        draft.beds[night] = draws.choice(ground.pois.distinct(sleeps_in(draft.leg_days, trip, night), "hotels"))
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
    draft.visits[day] = [copied(draft.visits[day])[0] for _ in teams]
    draft.teams[day] = teams if len(teams) > 1 else [("All",)]
