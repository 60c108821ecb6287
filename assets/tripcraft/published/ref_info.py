"""Reference information: what a planner is given for one task, under TravelPlanner's keys (1.D).

One mapping for each city visited: its places and events, and the ways to it; the last holds the way home too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assets.tripcraft.entities import Flight, Stay
from assets.tripcraft.facts.ways import Leg, legs_of
from assets.tripcraft.plan import Mode, drive_text
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from schemas.clock import clock_face

KM_PER_MILE = 1.609344

NO_DRIVE = "No valid information."


def ref_info(reference: Reference, record: Record, cities: Sequence[str]) -> list[dict[str, Any]]:
    """Return for each city description to rows, or to a sentence where there is nothing."""
    of_trip = trip_info(reference, record, cities)
    return [place_info(reference, city) | info for city, info in zip(cities, of_trip, strict=True)]


def trip_info(reference: Reference, record: Record, cities: Sequence[str]) -> list[dict[str, Any]]:
    """Return for each city what the trip's dates and order decide: events, and ways to the city or, of the last, home.

    With `place_info` of the city before it, that is its `ref_info`.
    """
    city_infos: list[dict[str, Any]] = []
    legs = legs_of(record["origin_city_id"], cities)
    for i, city in enumerate(cities):
        info = event_info(reference, record, city)
        for leg in legs[i : i + 1] if i + 1 < len(cities) else legs[i:]:
            info |= leg_info(reference, record, leg)
        city_infos.append(info)
    return city_infos


def city_info(reference: Reference, record: Record, city_id: str) -> dict[str, Any]:
    """Return the city's attractions, restaurants, stays, and events on the trip's dates."""
    return place_info(reference, city_id) | event_info(reference, record, city_id)


def place_info(reference: Reference, city_id: str) -> dict[str, Any]:
    """Return the city's attractions, restaurants and stays: the same for every trip."""
    name = reference.cities[city_id].name
    tables: dict[str, list[dict[str, Any]]] = {
        f"Attractions in {name}": [
            {
                "name": a.name,
                "latitude": a.lat,
                "longitude": a.lon,
                "visit_duration": a.visit_duration_h,
                "subcategories": list(a.categories),
                "City": name,
                **_stop(reference, a.place_id),
            }
            for a in reference.attractions_in(city_id)
        ],
        f"Restaurants in {name}": [
            {
                "name": r.name,
                "avg_cost": r.avg_cost,
                "cuisines": ", ".join(r.cuisines),
                "rating": r.rating,
                "City": name,
                **_stop(reference, r.place_id),
            }
            for r in reference.restaurants_in(city_id)
        ],
        f"Accommodations in {name}": [
            {
                "name": s.name,
                "pricing": s.price,
                "roomType": s.room_type,
                "house_rules": None if s.house_rules is None else _rules(s),
                "max_occupancy": s.max_occupancy,
                "minimum_nights": s.min_nights,
                "rating": s.rating,
                "City": name,
                **_stop(reference, s.place_id),
            }
            for s in reference.stays_in(city_id)
        ],
    }
    return {what: rows or _nothing(what) for what, rows in tables.items()}


def event_info(reference: Reference, record: Record, city_id: str) -> dict[str, Any]:
    """Return the city's events on the trip's dates."""
    name = reference.cities[city_id].name
    rows = [
        {"name": e.name, "dateTitle": day_month_year(e.date), "segmentName": e.segment, "city": name}
        for e in reference.events_in(city_id)
        if e.date in record["dates"]
    ]
    what = f"Events in {name}"
    return {what: rows or _nothing(what)}


def leg_info(reference: Reference, record: Record, leg: Leg) -> dict[str, Any]:
    """Return the flights of the leg's date and the drives, under TravelPlanner's keys; costs for one car (1.B).

    Where the release has trains or coaches, those of the date too, in the same words.
    """
    origin, dest = reference.cities[leg.origin].name, reference.cities[leg.dest].name
    date = record["dates"][leg.day]
    flights = [flight_row(reference, f) for f in reference.flights_between(leg.origin, leg.dest, date)]
    info: dict[str, Any] = {
        f"Flight from {origin} to {dest} on {date}": flights or f"There is no flight from {origin} to {dest} on {date}."
    }
    if reference.has_journeys:
        journeys = reference.journeys_between(leg.origin, leg.dest, date)
        for mode, what in (("train", "Train"), ("coach", "Coach")):
            rows = [journey_row(reference, journey) for journey in journeys if journey.mode == mode]
            key = f"{what} from {origin} to {dest} on {date}"
            info[key] = rows or f"There is no {mode} from {origin} to {dest} on {date}."
    drive = reference.drive(leg.origin, leg.dest)
    modes: tuple[tuple[Mode, str], ...] = (("self_driving", "Self-driving"), ("taxi", "Taxi"))
    for mode, word in modes:
        key = f"{word} from {origin} to {dest}"
        if drive is None:
            info[key] = NO_DRIVE
        else:
            cost = reference.car_rates.cost(mode, drive.distance_km, 1)
            info[key] = drive_text(mode, origin, dest, drive.duration_min, drive.distance_km, cost)
    return info


def flight_row(reference: Reference, flight: Flight) -> dict[str, Any]:
    """Return the flight under the published columns (1.A); distance in miles."""
    hours, minutes = divmod(flight.elapsed_min, 60)
    return {
        "Flight Number": flight.flight_number,
        "Price": flight.price,
        "DepTime": clock_face(flight.dep_min),
        "ArrTime": clock_face(flight.arr_min),
        "ActualElapsedTime": f"{hours} hours {minutes} minutes",
        "FlightDate": flight.flight_date,
        "OriginCityName": reference.cities[flight.origin_city_id].name,
        "DestCityName": reference.cities[flight.dest_city_id].name,
        "Distance": round(flight.distance_km / KM_PER_MILE, 1),
    }


def journey_row(reference: Reference, journey: Flight) -> dict[str, Any]:
    """Return the train or coach under the columns that the published form has for flights; distance in miles."""
    row = flight_row(reference, journey)
    (number, *values), (_, *columns) = row.values(), row
    date = columns.index("FlightDate")
    columns[date] = "Date"
    return {f"{journey.mode.capitalize()} Number": number, **dict(zip(columns, values, strict=True))}


def day_month_year(date: str) -> str:
    """Return an ISO date as DD-MM-YYYY (1.A)."""
    return "-".join(reversed(date.split("-")))


def _nothing(what: str) -> str:
    return f"There is no information on {what[0].lower()}{what[1:]}."


def _rules(stay: Stay) -> str:
    """Return what is forbidden; where rules are unknown, the last words say so."""
    return " & ".join([*(stay.house_rules or ()), *(["others unknown"] if stay.unknown_rules else [])])


def _stop(reference: Reference, place_id: str) -> dict[str, Any]:
    stop = reference.stop(place_id)
    return {
        "nearest_stop_name": None if stop is None else stop.name,
        "nearest_stop_distance": None if stop is None else stop.distance_m,
    }
