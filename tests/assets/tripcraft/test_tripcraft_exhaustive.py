"""The solver against a slow search of every choice in tiny worlds: it finds a witness exactly where there is one."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest

from assets.tripcraft.facts.hours import known_windows
from assets.tripcraft.scoring import score_plan
from assets.tripcraft.solver import Unsolvable, Witness, solve
from assets.tripcraft.witness.hours import ALWAYS, MEAL_WINDOW

CUISINES = ("Chinese", "American", "Italian")
HOURS = (None, None, None, "Mo-Su 07:00-11:00", "Mo-Su 12:00-23:00", "Mo-Su 19:00-23:00", "Mo-Su 07:00-16:00")
KINDS = ("Museums", "Shopping")


def tiny(frames, seed):
    """Return the world with one small city, all in one spot, and a request, drawn by the seed."""
    rng = random.Random(seed)
    tables = frames()
    for kind, keep in (("restaurants", 5), ("attractions", 2), ("stays", 2)):
        tables[kind] = tables[kind].query("city_id == 'amble'").iloc[:keep].copy()
    meals, sights, stays = tables["restaurants"], tables["attractions"], tables["stays"]
    meals["cuisines"] = [[rng.choice(CUISINES)] for _ in meals.index]
    meals["avg_cost"] = [rng.randint(1, 40) for _ in meals.index]
    meals["opening_hours"] = [rng.choice(HOURS) for _ in meals.index]
    sights["categories"] = [[rng.choice(KINDS)] for _ in sights.index]
    sights["visit_duration_h"] = 2.0
    sights["opening_hours"] = [rng.choice([None, "Mo-Su 10:00-14:30", "Mo-Su 15:00-21:00"]) for _ in sights.index]
    stays["max_occupancy"] = [rng.choice([1, 2]) for _ in stays.index]
    stays["price"] = [rng.randint(20, 80) for _ in stays.index]
    flights = tables["flights"].query("dest_city_id == 'amble' or origin_city_id == 'amble'").copy()
    flights["price"] = [rng.randint(20, 120) for _ in flights.index]
    tables["flights"] = flights[[rng.random() < 0.8 for _ in flights.index]]
    asked = {
        "cuisine": rng.choice([None, ["Chinese"], ["American", "Chinese"], list(CUISINES)]),
        "attraction": rng.choice([None, ["Museums"], list(KINDS)]),
        "transportation": "no self-driving",
    }
    return tables, asked, rng.randint(250, 900)


def open_windows(hours, date):
    """Return when a place of these hours is open."""
    return ALWAYS if hours is None else known_windows(hours, date) or ()


def is_open_at(hours, date, meal):
    """Return whether some half hour of the meal's window lies within opening hours, minute by minute."""
    first, last = MEAL_WINDOW[meal]
    windows = open_windows(hours, date)
    return any(a <= start and start + 30 <= b for a, b in windows for start in range(first, last - 29) if not start % 5)


def can_visit(hours, date, gap):
    """Return whether an hour's visit, half of the mean two, fits in the gap with five minutes on both sides."""
    begins, ends = {"morning": (605, 845), "afternoon": (930, 1170)}[gap]
    return any(max(begins + 5, a) + 60 <= min(ends - 5, b) for a, b in open_windows(hours, date))


def exists(reference, record):
    """Return the least cost of any plan, looking at every choice there is; None if there is none."""
    people, dates = record["people"], record["dates"]
    asked = record["constraints"]
    meals, sights = reference.restaurants_in("amble"), reference.attractions_in("amble")
    stay = min((s.price * s.rooms(people) * 2 for s in reference.stays_in("amble")), default=None)
    best = None
    out = [(f.price * people, f.arr_min) for f in reference.flights_between("harbour", "amble", dates[0])]
    back = [(f.price * people, f.dep_min) for f in reference.flights_between("amble", "harbour", dates[2])]
    drive = reference.drive("harbour", "amble")
    taxi = reference.car_rates.cost("taxi", drive.distance_km, people)
    out.append((taxi, None))
    back.append((taxi, None))
    for (out_cost, arrival), (back_cost, departure) in product(out, back):
        # A taxi may start at six and be there at 9:20, or leave at 19:35, after all that can be done that day.
        ready = 9 * 60 + 50 if arrival is None else arrival + 75
        leave = 1175 if departure is None else departure - 60
        slots = [(1, meal) for meal in MEAL_WINDOW]
        slots += [(0, meal) for meal in ("lunch", "dinner") if ready + 45 <= MEAL_WINDOW[meal][0]]
        slots += [(2, meal) for meal in ("breakfast", "lunch") if MEAL_WINDOW[meal][1] <= leave]
        gaps = [(1, "morning"), (1, "afternoon")]
        gaps += [(0, gap) for gap, begins in (("morning", 605), ("afternoon", 930)) if ready <= begins]
        gaps += [(2, gap) for gap, ends in (("morning", 845), ("afternoon", 1170)) if ends <= leave]
        if not _visits_fit(sights, gaps, dates, asked["attraction"] or ()):
            continue
        fits = [[m for m in meals if is_open_at(m.opening_hours, dates[day], meal)] for day, meal in slots]
        for full in permutations(meals, 3):
            if any(m not in options for m, options in zip(full, fits[:3], strict=True)):
                continue
            rest = [m for m in meals if m not in full]
            for extra in product(*([None, *(m for m in rest if m in options)] for options in fits[3:])):
                chosen = [*full, *(m for m in extra if m is not None)]
                served = {kind for m in chosen for kind in m.cuisines}
                if len(set(chosen)) < len(chosen) or not served >= set(asked["cuisine"] or ()):
                    continue
                cost = out_cost + back_cost + stay + sum(m.avg_cost for m in chosen) * people
                best = cost if best is None else min(best, cost)
    return best


def _visits_fit(sights, gaps, dates, kinds):
    """Return whether the sights can be put into gaps so that the full day has one and all kinds are seen."""
    for places in product([None, *gaps], repeat=len(sights)):
        used = [place for place in places if place is not None]
        seen = {kind for s, place in zip(sights, places, strict=True) if place is not None for kind in s.categories}
        if len(set(used)) < len(used) or not any(day == 1 for day, _ in used) or not seen >= set(kinds):
            continue
        if all(
            place is None or can_visit(s.opening_hours, dates[place[0]], place[1])
            for s, place in zip(sights, places, strict=True)
        ):
            return True
    return False


@pytest.mark.parametrize("seed", range(40))
def test_a_witness_is_found_exactly_where_one_exists_and_the_least_cost_is_the_least(frames, build, record, seed):
    tables, constraints, budget = tiny(frames, seed)
    reference = build(tables)
    asked = record(3)
    asked["constraints"] = dict.fromkeys(asked["constraints"]) | constraints
    least = exists(reference, asked)
    asked["budget"] = budget
    found = solve(asked, reference, task_id="t")
    assert isinstance(found, Witness) == (least is not None and least <= budget), (least, budget, found)
    if least is None:
        return
    asked["budget"] = least
    exact = solve(asked, reference, task_id="t")
    assert isinstance(exact, Witness) and exact.values["cost"] == least
    assert score_plan(asked, exact.plan, reference).passes_hard
    asked["budget"] = least - 1
    refused = solve(asked, reference, task_id="t")
    assert isinstance(refused, Unsolvable) and refused.is_proven


def test_the_draws_hold_both_verdicts(frames, build, record):
    verdicts = set()
    for seed in range(40):
        tables, constraints, budget = tiny(frames, seed)
        asked = record(3)
        asked["constraints"] = dict.fromkeys(asked["constraints"]) | constraints
        asked["budget"] = budget
        verdicts.add(type(solve(asked, build(tables), task_id="t")))
    assert verdicts == {Witness, Unsolvable}
