"""The remark: the reasons for a witness, as the annotators of the published gold plans gave theirs (1.D).

Sentences are made of the plan's own facts; places are named in quotation marks, as data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assets.tripcraft.entities import Event
from assets.tripcraft.hours import wanted_visit_min
from assets.tripcraft.persona import Taste
from assets.tripcraft.reference import Reference
from assets.tripcraft.selection import Chosen
from assets.tripcraft.spots import Spot
from assets.tripcraft.tables import Record
from assets.tripcraft.timetable import Timed

MODE_WORDS = {"flight": "a flight", "self_driving": "the party's own car", "taxi": "a taxi"}

SHORTENED_MIN = 30
"""A visit this much shorter than expected is told of."""


@dataclass(frozen=True)
class Story:
    """What a remark is made of."""

    reference: Reference
    record: Record
    taste: Taste
    cities: Sequence[str]
    chosen: Chosen
    days: Sequence[Sequence[Timed]]
    events: Sequence[Sequence[Event]]


def remark(story: Story) -> str:
    """Return the remark: travel, stays, what meets each constraint, the persona, what was traded, and the money."""
    parts = [*_travel(story), *_stays(story), *_constraints(story), *_persona(story), *_traded(story), _money(story)]
    return " ".join(parts)


def _travel(story: Story) -> list[str]:
    names = [story.reference.cities[c].name for c in story.cities]
    ways = [MODE_WORDS[move.mode] for move in story.chosen.moves]
    asked = story.record["constraints"]["transportation"]
    because = f", as {asked} was asked" if asked else ""
    same = len(set(ways)) == 1
    how = f"All {len(ways)} moves are by {ways[0]}" if same else f"The moves are by {', then '.join(ways)}"
    return [f"The trip spends two nights in {_join(names)}.", f"{how}{because}."]


def _stays(story: Story) -> list[str]:
    people, asked = story.record["people"], story.record["constraints"]
    found = []
    for spot in story.chosen.stays:
        rooms = spot.place.rooms(people)
        reasons = [f"{rooms} {'room holds' if rooms == 1 else 'rooms hold'} the party of {people}"]
        reasons += [f"it is a {asked['room_type']} as asked"] if asked["room_type"] else []
        reasons += [f"its rules do not forbid {asked['house_rule']}"] if asked["house_rule"] else []
        found.append(f"“{spot.place.name}” was taken because {_join(reasons)}.")
    return found


def _constraints(story: Story) -> list[str]:
    asked, found = story.record["constraints"], []
    used = sorted(story.chosen.spots.items())
    for kind in asked["cuisine"] or ():
        first = next((slot, spot) for slot, spot in used if slot.is_meal and kind in spot.place.cuisines)
        found.append(f"“{first[1].place.name}” serves {kind} food (day {first[0].day + 1}, {first[0].name}).")
    for kind in asked["attraction"] or ():
        first = next((slot, spot) for slot, spot in used if not slot.is_meal and kind in spot.place.categories)
        found.append(f"“{first[1].place.name}” is of the kind {kind} (day {first[0].day + 1}).")
    for kind in asked["event"] or ():
        day, event = next((d, e) for d, events in enumerate(story.events) for e in events if e.segment == kind)
        found.append(f"“{event.name}” is an event of the kind {kind} (day {day + 1}).")
    return found


def _persona(story: Story) -> list[str]:
    persona, taste = story.record["persona"], story.taste
    visits = [spot for slot, spot in sorted(story.chosen.spots.items()) if not slot.is_meal]
    found = []
    if "Traveler Type" in persona:
        found.append(f"For the {persona['Traveler Type']}, full days hold about {taste.visits_per_day} of the visits.")
    for component, fits in (("Purpose of Travel", taste.is_purpose), ("Location Preference", taste.is_location)):
        if component in persona:
            chosen = [spot for spot in visits if fits(spot.place.categories)]
            found.append(f"{component} {persona[component]}: {_quoted(chosen) or 'no visit could be fitted to it'}.")
    if "Spending Preference" in persona:
        word = {1: "dearer", -1: "cheaper", 0: "any"}[taste.price_sign]
        found.append(f"For the {persona['Spending Preference']}, {word} places were preferred.")
    return found


def _traded(story: Story) -> list[str]:
    found = []
    days = story.record["days"]
    for day, items in enumerate(story.days):
        visits = [item for item in items if item.slot is not None and not item.slot.is_meal]
        for item in visits:
            mean_h = item.spot.place.visit_duration_h
            wanted = wanted_visit_min(days, mean_h, len(visits), is_adventurous=story.taste.is_adventurous)
            if item.end - item.start <= wanted - SHORTENED_MIN:
                found.append(
                    f"Day {day + 1}: “{item.spot.place.name}” is {item.end - item.start} min instead of about "
                    f"{round(wanted)}, to keep the meals at their hours."
                )
        meals = {item.slot.name for item in items if item.slot is not None and item.slot.is_meal}
        missing = [meal for meal in ("breakfast", "lunch", "dinner") if meal not in meals]
        if missing:
            found.append(f"Day {day + 1} has no planned {' or '.join(missing)}, being on the way.")
    return found


def _money(story: Story) -> str:
    cost, budget, money = story.chosen.cost, story.record["budget"], story.reference.currency
    return f"The trip costs {cost} of {budget} {money}, {budget - cost} less than the budget."


def _quoted(spots: Sequence[Spot]) -> str:
    return _join([f"“{spot.place.name}”" for spot in spots]) if spots else ""


def _join(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
