"""Which events a witness attends: one of each kind asked for, on its date, in a city of that day."""

from __future__ import annotations

from collections.abc import Sequence

from assets.tripcraft.entities import Event
from assets.tripcraft.facts.obstacles import Obstacle
from assets.tripcraft.plan import name_city, read_name_city
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from schemas.stable import stable_hash


def choose_events(
    reference: Reference, record: Record, cities: Sequence[str], task_id: str
) -> list[list[Event] | Obstacle]:
    """Return each day's events, and in words every kind asked for that the route does not offer.

    Full days before moving days: an event has no hour, and a full day bends. Not used is a name that on its date stands
    for events of several kinds, or that does not read back from a plan; nor, on a moving day, the name of a stay, which
    last night's PoI entry may bear (1.F, check 7: no event is in the PoI list).
    """
    days: list[list[Event]] = [[] for _ in range(record["days"])]
    lacking: list[list[Event] | Obstacle] = []
    stays = {stay.name for city in cities for stay in reference.stays_in(city)}
    for kind in record["constraints"]["event"] or ():
        offers = [
            (day % 2 == 0, stable_hash(task_id, event.event_id), event.event_id, day, event)
            for i, city in enumerate(cities)
            for event in reference.events_in(city)
            if event.segment == kind and _can_be_named(reference, event)
            for day in range(2 * i, 2 * i + 3)
            if record["dates"][day] == event.date and (day % 2 or event.name not in stays)
        ]
        names_in_use = {(event.name, event.city_id) for day_events in days for event in day_events}
        offers = [offer for offer in offers if (offer[4].name, offer[4].city_id) not in names_in_use]
        if offers:
            *_, day, event = min(offers, key=lambda offer: offer[:3])
            days[day].append(event)
        else:
            lacking.append(Obstacle("no_event", f"no event of {kind} while the trip is in {', '.join(cities)}"))
    return [*days, *lacking]


def _can_be_named(reference: Reference, event: Event) -> bool:
    city = reference.cities[event.city_id].name
    event_name = read_name_city(name_city(event.name, city))
    segments = {e.segment for e in reference.events_named(event.city_id, event.name) if e.date == event.date}
    return (
        event.name not in ("", "-")
        and (event_name.name, event_name.city) == (event.name, city)
        and segments == {event.segment}
    )
