"""The moves of a witness: what each way between two cities costs, when it leaves and arrives, and what the day holds.

Passengers leave their city an hour before a flight, and the airport 45 minutes after it; the checks ask for half an
hour, which is what trains and coaches get.
"""

from __future__ import annotations

from dataclasses import dataclass

from assets.tripcraft.entities import Flight
from assets.tripcraft.facts.ways import Leg, near_drive, usable_services
from assets.tripcraft.plan import OF_OTHERS, Mode, drive_text, read_transport, scheduled_text
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.witness.hours import GAP_WINDOW, MEAL_WINDOW

BEFORE_MIN = {"flight": 60, "train": 30, "coach": 30}
AFTER_MIN = {"flight": 45, "train": 30, "coach": 30}
"""Time between the last visit or stay and a departure, and between an arrival and the stay [I]."""

CHECK_IN_MIN = 30
"""Least time at the stay on arrival before anything else [I]."""

FROM_STAY_MIN = 45
"""Farthest way from the stay to the first meal of an arrival day [I]."""

DRIVE_DEPARTURES_MIN = (360, 480, 625, 945, 1175)
"""When a drive may start: early, after sleep, after breakfast, after lunch, in the evening [I]."""

LATEST_DRIVE_ARRIVAL_MIN = 1380


@dataclass(frozen=True)
class Move:
    """One way to make one leg; minutes local to the city they are in, from the midnight that begins the day.

    `leave_by`: when the last visit or stay in the old city ends; `free_from`: when the party reaches its new stay.
    """

    mode: Mode
    cost: int
    flight_number: str | None
    leave_by: int
    free_from: int
    duration_min: float
    text: str

    def old_slots(self) -> frozenset[str]:
        """Return the slots of the day that can be spent in the city left."""
        ends = {name: end for name, (_, end) in (MEAL_WINDOW | GAP_WINDOW).items() if name != "dinner"}
        return frozenset(name for name, end in ends.items() if end <= self.leave_by)

    def new_slots(self) -> frozenset[str]:
        """Return the slots of the day that can be spent in the city reached."""
        ready = self.free_from + CHECK_IN_MIN
        meals = {m for m in ("lunch", "dinner") if ready + FROM_STAY_MIN <= MEAL_WINDOW[m][0]}
        return frozenset(meals | {gap for gap, (begins, _) in GAP_WINDOW.items() if ready <= begins})


def moves_of(reference: Reference, record: Record, leg: Leg, longest_drive_min: int) -> list[Move]:
    """Return the ways of the leg that the record allows, but for those that another beats in cost and slots."""
    transport_request, people = record["constraints"]["transportation"], record["people"]
    date = record["dates"][leg.day]
    moves: list[Move] = []
    moves += [
        move
        for service in usable_services(reference, leg.origin, leg.dest, date, transport_request)
        if (move := _scheduled_move(reference, service, people)) is not None
    ]
    drive = near_drive(reference, leg.origin, leg.dest, longest_drive_min)
    if drive is not None:
        modes: tuple[Mode, ...] = ("taxi",) if transport_request == "no self-driving" else ("self_driving", "taxi")
        origin, dest = reference.cities[leg.origin], reference.cities[leg.dest]
        shift = dest.ahead_min(origin, date)
        for mode in modes:
            cost = reference.car_rates.cost(mode, drive.distance_km, people)
            text = drive_text(mode, origin.name, dest.name, drive.duration_min, drive.distance_km, cost)
            for dep in DRIVE_DEPARTURES_MIN:
                arr = dep + round(drive.duration_min) + shift
                if arr <= LATEST_DRIVE_ARRIVAL_MIN:
                    moves.append(Move(mode, cost, None, dep, max(arr, dep), drive.duration_min, text))
    return _undominated(moves)


def _scheduled_move(reference: Reference, service: Flight, people: int) -> Move | None:
    """Return the move by a flight, train or coach, or None where a scorer could take its text for another way."""
    origin, dest = reference.cities[service.origin_city_id].name, reference.cities[service.dest_city_id].name
    text = scheduled_text(service.mode, service.flight_number, origin, dest, service.dep_min, service.arr_min)
    numbered = reference.scheduled_by_number(service.flight_number)
    same_day = [s for s in numbered if s.flight_date == service.flight_date]
    transport = read_transport(text)
    if (transport.mode, transport.flight_number) != (service.mode, service.flight_number) or same_day != [service]:
        return None
    if any(word in text.lower() for word in OF_OTHERS if word != service.mode):
        return None
    return Move(
        service.mode,
        max(s.price for s in numbered) * people,
        service.flight_number,
        service.dep_min - BEFORE_MIN[service.mode],
        service.arr_min + AFTER_MIN[service.mode],
        service.elapsed_min,
        text,
    )


def _undominated(moves: list[Move]) -> list[Move]:
    """Return the cheapest, then shortest, move of each kind and set of slots; the others are never needed."""
    best: dict[tuple[bool, frozenset[str], frozenset[str]], Move] = {}
    for move in sorted(moves, key=lambda m: (m.cost, m.duration_min, -m.leave_by, m.text)):
        best.setdefault((move.mode == "self_driving", move.old_slots(), move.new_slots()), move)
    return list(best.values())
