"""The remark: the reasons for a witness, as the annotators of the published gold plans gave theirs (1.D).

Sentences are made of the plan's own facts and of what else was on offer; places are named in quotation marks, as data.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from assets.tripcraft.entities import Event
from assets.tripcraft.facts.moves import Move
from assets.tripcraft.facts.ways import Leg, legs_of, usable_services
from assets.tripcraft.numbers import NUMBER_WORDS
from assets.tripcraft.persona import Taste
from assets.tripcraft.plan import SCHEDULED
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.witness.hours import meal_time, open_windows, wanted_visit_min
from assets.tripcraft.witness.selection import Choice
from assets.tripcraft.witness.spots import Spot
from assets.tripcraft.witness.timetable import TimedEntry
from schemas.counts import listed

SHORTENED_MIN = 30
"""A visit this much shorter than expected is told of."""

LITTLE_LEFT = 0.05
"""Share of the budget under which what is left counts as little."""

RULED_OUT = {"no flight": "flying was ruled out", "no self-driving": "driving oneself was ruled out"}
"""A constraint on transportation as a reason."""

MEALS = ("breakfast", "lunch", "dinner")


@dataclass(frozen=True)
class Story:
    """What a remark is made of."""

    reference: Reference
    record: Record
    taste: Taste
    cities: Sequence[str]
    choice: Choice
    days: Sequence[Sequence[TimedEntry]]
    events: Sequence[Sequence[Event]]

    def visits(self) -> list[Spot]:
        """Return the attractions in the order of the trip."""
        return [spot for slot, spot in sorted(self.choice.spots.items()) if not slot.is_meal]


def remark(story: Story) -> str:
    """Return the remark: travel, stays, what meets each constraint, the persona, what was traded, and the money."""
    parts = [
        *_travel(story),
        *_stays(story),
        *_constraints(story),
        *_persona(story),
        *_trade_offs(story),
        _money(story),
    ]
    return " ".join(parts)


def _travel(story: Story) -> list[str]:
    names = [story.reference.cities[c].name for c in story.cities]
    sentences = [f"The trip spends two nights {'each ' if len(names) > 1 else ''}in {listed(names)}."]
    grouped: dict[str, list[str]] = defaultdict(list)
    for leg, move in zip(legs_of(story.record["origin_city_id"], story.cities), story.choice.moves, strict=True):
        origin, dest = story.reference.cities[leg.origin].name, story.reference.cities[leg.dest].name
        grouped[_reason(story, leg, move)].append(f"from {origin} to {dest}")
    sentences += [f"{_sentence(listed(legs))} it goes by {reason}." for reason, legs in grouped.items()]
    return sentences


def _reason(story: Story, leg: Leg, move: Move) -> str:
    """Return the way of the leg, what it costs, and why it was taken before the other way on offer."""
    transport_request, money = story.record["constraints"]["transportation"], story.reference.currency
    drive = story.reference.drive(leg.origin, leg.dest)
    if move.mode in SCHEDULED:
        road = f"the road takes {_hours(drive.duration_min)}" if drive is not None else "there is no road"
        because = RULED_OUT[transport_request] if transport_request == "no self-driving" and drive is not None else road
        return f"a {move.mode} of {_hours(move.duration_min)} for {move.cost} {money}, as {because}"
    how = "the party's own car" if move.mode == "self_driving" else "taxi"
    services = usable_services(story.reference, leg.origin, leg.dest, story.record["dates"][leg.day], transport_request)
    if transport_request is not None and (move.mode == "taxi" or (transport_request == "no flight" and not services)):
        because = f", as {RULED_OUT[transport_request]}"
    elif not services:
        of_all = "flight, train or coach" if story.reference.has_journeys else "flight"
        ends = (leg.origin, leg.dest, story.record["dates"][leg.day])
        goes = any((story.reference.flights_between(*ends), story.reference.journeys_between(*ends)))
        because = f", as no {of_all} goes {'at a useful hour' if goes else 'that day'}"
    else:
        best = min(services, key=lambda service: service.price)
        cheapest = best.price * story.record["people"]
        going = {"flight": "flying", "train": "the train", "coach": "the coach"}[best.mode]
        because = (
            f", where {going} would cost {cheapest} {money}" if cheapest > move.cost else ", which fits the day better"
        )
    return f"{how}, {_hours(move.duration_min)} for {move.cost} {money}{because}"


def _stays(story: Story) -> list[str]:
    people, constraints, money = story.record["people"], story.record["constraints"], story.reference.currency
    sentences = []
    for city, spot in zip(story.cities, story.choice.stays, strict=True):
        rooms = spot.place.rooms(people)
        holds = "one room holds" if rooms == 1 else f"{_number(rooms)} rooms hold"
        holds = f"{holds} the party of {people} for" if people > 1 else "it costs"
        reasons = [f"{holds} {spot.cost} {money} a night"]
        reasons += [f"it is {_room(constraints['room_type'])}, as asked"] if constraints["room_type"] else []
        reasons += [f"its rules do not forbid {constraints['house_rule']}"] if constraints["house_rule"] else []
        stop = story.reference.stop(spot.place_id)
        reasons += [f"{stop.name} is {round(stop.distance_m)} m away"] if stop is not None else []
        rank = _rank(spot.cost, [stay.price * stay.rooms(people) for stay in story.reference.stays_in(city)])
        sentences.append(f"“{spot.place.name}” was taken because {listed(reasons)}; {rank}.")
    return sentences


def _constraints(story: Story) -> list[str]:
    constraints, sentences = story.record["constraints"], []
    used = sorted(story.choice.spots.items())
    for kind in constraints["cuisine"] or ():
        slot, spot = next((slot, spot) for slot, spot in used if slot.is_meal and kind in spot.place.cuisines)
        sentences.append(f"{kind} food, as asked, is the {slot.name} of day {slot.day + 1} at “{spot.place.name}”.")
    for kind in constraints["attraction"] or ():
        slot, spot = next((slot, spot) for slot, spot in used if not slot.is_meal and kind in spot.place.categories)
        fits = story.taste.is_purpose(spot.place.categories) or story.taste.is_location(spot.place.categories)
        aside = "" if fits else ", which the persona would not have chosen"
        sentences.append(f"“{spot.place.name}” on day {slot.day + 1} is there because {kind} was asked for{aside}.")
    for kind in constraints["event"] or ():
        day, event = next((d, e) for d, events in enumerate(story.events) for e in events if e.segment == kind)
        sentences.append(f"“{event.name}” on day {day + 1} is the {kind} event that was asked for.")
    return sentences


def _persona(story: Story) -> list[str]:
    persona, taste, sentences = story.record["persona"], story.taste, []
    if "Traveler Type" in persona:
        counts = [
            sum(slot.day == day for slot in story.choice.spots if not slot.is_meal)
            for day in range(1, story.record["days"], 2)
        ]
        number = _number(counts[0]) if len(set(counts)) == 1 else f"{_number(min(counts))} to {_number(max(counts))}"
        noun = "visit" if number == "one" else "visits"
        sentences.append(f"Full days hold {number} {noun}, at the pace of the {persona['Traveler Type']}.")
    for component, fits in (("Purpose of Travel", taste.is_purpose), ("Location Preference", taste.is_location)):
        if component in persona:
            spots = [spot for spot in story.visits() if fits(spot.place.categories)]
            what = f"{component} {persona[component]}"
            if spots:
                sentences.append(f"For the {what} there {'is' if len(spots) == 1 else 'are'} {_quoted(spots)}.")
            else:
                sentences.append(f"Nothing serves the {what}: requests, opening hours and distances came first.")
    if "Spending Preference" in persona and taste.price_sign:
        word = "dearer" if taste.price_sign > 0 else "cheaper"
        sentences.append(
            f"Between equals the {word} stay and table were taken for the {persona['Spending Preference']}."
        )
    return sentences


def _trade_offs(story: Story) -> list[str]:
    days, sentences = story.record["days"], []
    short: list[str] = []
    missing: dict[tuple[str, str], list[int]] = defaultdict(list)
    for day, items in enumerate(story.days):
        visits = [item for item in items if item.slot is not None and not item.slot.is_meal]
        for item in visits:
            mean_h = item.spot.place.visit_duration_h
            expected_min = wanted_visit_min(days, mean_h, len(visits), is_adventurous=story.taste.is_adventurous)
            if item.end - item.start <= expected_min - SHORTENED_MIN:
                short.append(f"“{item.spot.place.name}” ({item.end - item.start} of about {round(expected_min)} min)")
        for why, meals in _left_out(story, day, items).items():
            missing[listed(meals, "or"), why].append(day + 1)
    if short:
        sentences.append(f"To keep the meals at their hours, visits are cut short: {listed(short)}.")
    for (meals, why), on in missing.items():
        which = f"day{'s' if len(on) > 1 else ''} {listed([str(day) for day in on])}"
        sentences.append(f"On {which} there is no {meals}, {why}.")
    return sentences


def _left_out(story: Story, day: int, items: Sequence[TimedEntry]) -> dict[str, list[str]]:
    """Return the meals that a moving day leaves out, by the reason: the way, or `_no_meal`."""
    planned = {item.slot.name for item in items if item.slot is not None and item.slot.is_meal}
    meals_by_reason: dict[str, list[str]] = defaultdict(list)
    if day % 2:
        return meals_by_reason
    move, leg = story.choice.moves[day // 2], day // 2
    free_in = {story.cities[leg - 1]: move.old_slots()} if leg else {}
    free_in |= {story.cities[leg]: move.new_slots()} if leg < len(story.cities) else {}
    for meal in MEALS:
        if meal not in planned:
            cities = [city for city, slots in free_in.items() if meal in slots]
            meals_by_reason[_no_meal(story, day, meal, cities)].append(meal)
    return meals_by_reason


def _no_meal(story: Story, day: int, meal: str, cities: Sequence[str]) -> str:
    """Return why a meal is left out for which there would be time in these cities: nothing open, money, the plan."""
    if not cities:
        return "as the journey takes those hours"
    days, date, people = story.record["days"], story.record["dates"][day], story.record["people"]
    used = {spot.place.name for spot in (*story.choice.spots.values(), *story.choice.stays)}
    costs = [
        table.avg_cost * people
        for city in cities
        for table in story.reference.plannable_restaurants(city)
        if table.name not in used and meal_time(days, meal, open_windows(table, date)) is not None
    ]
    if not costs:
        return "as no other table is open then"
    money_left = story.record["budget"] - story.choice.cost
    return "as the budget leaves too little for it" if min(costs) > money_left else "as the plan is better without it"


def _money(story: Story) -> str:
    cost, budget, money = story.choice.cost, story.record["budget"], story.reference.currency
    if cost == budget:
        return f"The trip costs {cost} {money}, the whole budget."
    little = "only " if _is_little_left(story) else ""
    return f"The trip costs {cost} of {budget} {money}, {little}{budget - cost} less than the budget."


def _is_little_left(story: Story) -> bool:
    budget = story.record["budget"]
    return budget - story.choice.cost < LITTLE_LEFT * budget


def _rank(cost: int, costs: Sequence[int]) -> str:
    """Return where a cost stands among those of the city's stays, in words."""
    cheaper = sum(other < cost for other in costs)
    if cheaper == 0:
        return f"none of the city's {len(costs)} stays costs less"
    return f"{_number(cheaper)} of the city's {len(costs)} stays cost{'s' if cheaper == 1 else ''} less"


def _hours(minutes: float) -> str:
    hours, mins = divmod(round(minutes), 60)
    return f"{hours} h {mins:02d}" if hours else f"{mins} min"


def _number(count: int) -> str:
    return NUMBER_WORDS[count] if count < len(NUMBER_WORDS) else str(count)


def _room(room_type: str) -> str:
    """Return a type of room in a sentence."""
    if room_type.startswith("not "):
        return f"no {room_type.removeprefix('not ')}"
    return f"{'an' if room_type[0] in 'aeiou' else 'a'} {room_type}"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _quoted(spots: Sequence[Spot]) -> str:
    return listed([f"“{spot.place.name}”" for spot in spots])
