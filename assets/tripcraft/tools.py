"""TripCraft's tools over a release: TravelPlanner's searches, whose answers are the reference information's rows (1.D).

TripCraft published no tools of its own; its plans are made from TravelPlanner's, with events, which need a search of
their own here. The published planner is a model; ours gives what one plans from.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import partial
from typing import Any

from assets.core.notebook import Notebook
from assets.core.tools import Answer, Tool, ToolError, row_ref, schema
from assets.rows import ReleaseTables
from assets.tripcraft.entities import City
from assets.tripcraft.facts.ways import Leg
from assets.tripcraft.published.ref_info import city_info, journey_row, leg_info
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.tables import (
    TripcraftAttraction,
    TripcraftCity,
    TripcraftCityDistance,
    TripcraftEvent,
    TripcraftFlight,
    TripcraftJourney,
    TripcraftNearestStop,
    TripcraftRestaurant,
    TripcraftStay,
)
from assets.tripcraft.world import world as reference_of

MODES = {"self-driving": "Self-driving", "taxi": "Taxi"}
NAMES_SHOWN = 12

PLACES = {
    "AttractionSearch": ("Attractions", TripcraftAttraction, Reference.attractions_in),
    "RestaurantSearch": ("Restaurants", TripcraftRestaurant, Reference.restaurants_in),
    "AccommodationSearch": ("Accommodations", TripcraftStay, Reference.stays_in),
}
"""The searches by city: what the reference information calls its rows, their table, and how they are looked up."""


class Searches:
    """The tools of one session, with its notebook."""

    def __init__(self, reference: Reference):
        self._reference = reference
        self.has_journeys = reference.has_journeys
        self.notebook = Notebook()

    def places(self, name: str, arguments: dict[str, Any]) -> Answer:
        """Return the city's attractions, restaurants or stays, as the reference information has them."""
        what, table, look_up = PLACES[name]
        city = self._city(arguments["City"])
        content = city_info(self._reference, _record([]), city.city_id)[f"{what} in {city.name}"]
        rows = []
        for place in look_up(self._reference, city.city_id):
            key = {"city_id": city.city_id, "place_id": place.place_id}
            rows.append(row_ref(table, key))
            if self._reference.stop(place.place_id) is not None:
                rows.append(row_ref(TripcraftNearestStop, key))
        return self.notebook.show(Answer(content, tuple(rows)))

    def events(self, arguments: dict[str, Any]) -> Answer:
        """Return the city's events on one date."""
        city, date = self._city(arguments["City"]), _date(arguments["Date"])
        content = city_info(self._reference, _record([date]), city.city_id)[f"Events in {city.name}"]
        day_events = (event for event in self._reference.events_in(city.city_id) if event.date == date)
        rows = (row_ref(TripcraftEvent, {"city_id": city.city_id, "event_id": event.event_id}) for event in day_events)
        return self.notebook.show(Answer(content, tuple(rows)))

    def flights(self, arguments: dict[str, Any]) -> Answer:
        """Return the flights of the date, or the published sentence where there is none."""
        origin, dest = self._city(arguments["Departure City"]), self._city(arguments["Destination City"])
        date = _date(arguments["Date"])
        info = leg_info(self._reference, _record([date]), Leg(origin.city_id, dest.city_id, 0))
        day_flights = self._reference.flights_between(origin.city_id, dest.city_id, date)
        rows = (row_ref(TripcraftFlight, {"flight_number": flight.flight_number}) for flight in day_flights)
        content = info[f"Flight from {origin.name} to {dest.name} on {date}"]
        return self.notebook.show(Answer(content, tuple(rows)))

    def journeys(self, arguments: dict[str, Any]) -> Answer:
        """Return the trains and coaches of the date, or a sentence where there is none of either."""
        origin, dest = self._city(arguments["Departure City"]), self._city(arguments["Destination City"])
        date = _date(arguments["Date"])
        day_journeys = self._reference.journeys_between(origin.city_id, dest.city_id, date)
        rows = tuple(row_ref(TripcraftJourney, {"journey_number": journey.flight_number}) for journey in day_journeys)
        content = [journey_row(self._reference, journey) for journey in day_journeys]
        none = f"There is no train and no coach from {origin.name} to {dest.name} on {date}."
        return self.notebook.show(Answer(content or none, rows))

    def drive(self, arguments: dict[str, Any]) -> Answer:
        """Return the way by car with its time, length and cost for one car, or the published sentence."""
        origin, dest = self._city(arguments["Origin"]), self._city(arguments["Destination"])
        info = leg_info(self._reference, _record(["2000-01-01"]), Leg(origin.city_id, dest.city_id, 0))
        content = info[f"{MODES[arguments['Mode']]} from {origin.name} to {dest.name}"]
        ends = {"origin_city_id": origin.city_id, "dest_city_id": dest.city_id}
        is_known = self._reference.drive(origin.city_id, dest.city_id) is not None
        rows = (row_ref(TripcraftCityDistance, ends),) if is_known else ()
        return self.notebook.show(Answer(content, rows))

    def cities(self, arguments: dict[str, Any]) -> Answer:
        """Return the names of a state's cities, as plans write them. Raises ToolError for a state without any."""
        all_cities = self._reference.cities.values()
        state = arguments["State"].strip().casefold()
        state_cities = sorted((c for c in all_cities if c.region.casefold() == state), key=lambda c: c.name)
        if not state_cities:
            states = ", ".join(sorted({c.region for c in all_cities if c.region})) or "none"
            raise ToolError(f"no city in state {arguments['State'][:60]!r}; the release's states are {states}")
        rows = tuple(row_ref(TripcraftCity, {"city_id": city.city_id}) for city in state_cities)
        return self.notebook.show(Answer([city.name for city in state_cities], rows))

    def _city(self, text: str) -> City:
        city = self._reference.city_named(text)
        folded = text.strip().casefold()
        city = city or next((c for c in self._reference.cities.values() if c.name.casefold() == folded), None)
        if city is None:
            names = sorted(city.name for city in self._reference.cities.values())
            more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
            raise ToolError(f"no city {text[:60]!r} here; there are {', '.join(names[:NAMES_SHOWN])}{more}")
        return city


def tools(tables: ReleaseTables) -> list[Tool]:
    """Return TravelPlanner's tools and the search for events, with a notebook of their own."""
    searches = Searches(reference_of(tables))
    city, date = _text("Name of the city."), _text("Date, YYYY-MM-DD.")

    def tool(
        name: str, description: str, run: Callable[[dict[str, Any]], Answer], rules: dict[str, dict[str, Any]]
    ) -> Tool:
        return Tool(name, description, schema(rules, rules), run)

    ends = {"Departure City": _text("City of departure."), "Destination City": _text("City of arrival.")}
    drive = {
        "Origin": _text("City to drive from."),
        "Destination": _text("City to drive to."),
        "Mode": {"type": "string", "enum": list(MODES), "description": "A car of one's own, or a taxi."},
    }
    state = {"State": _text("Code of the state, or of a country without states.")}
    dated, notebook = ends | {"Date": date}, searches.notebook
    return [
        tool("FlightSearch", "Find flights between two cities on a date.", searches.flights, dated),
        *(
            [tool("TrainSearch", "Find trains and coaches between two cities on a date.", searches.journeys, dated)]
            if searches.has_journeys
            else []
        ),
        tool("DistanceMatrix", "Tell time, length and cost of a drive between two cities.", searches.drive, drive),
        *(
            tool(name, f"List the {what.lower()} of a city.", partial(searches.places, name), {"City": city})
            for name, (what, _, _) in PLACES.items()
        ),
        tool("EventSearch", "List the events of a city on a date.", searches.events, {"City": city, "Date": date}),
        tool("CitySearch", "List the cities of a state, or of a country without states.", searches.cities, state),
        tool(
            "NotebookWrite",
            "Write down what the last search found, under a short description.",
            lambda arguments: notebook.write_last(arguments["Short Description"]),
            {"Short Description": _text("What was found.")},
        ),
        tool(
            "Planner",
            "Give back the query with everything written down, to plan from.",
            lambda arguments: notebook.query_with_entries(arguments["Query"]),
            {"Query": _text("What the traveller asked for.")},
        ),
    ]


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "pattern": r"\S", "title": "not empty", "description": description}


def _record(dates: list[str]) -> Record:
    """Return as much of a record as the reference information reads."""
    return {"dates": dates}  # pyright: ignore[reportReturnType]


def _date(text: str) -> str:
    try:
        return dt.datetime.strptime(text.strip(), "%Y-%m-%d").date().isoformat()
    except ValueError:
        raise ToolError(f"{text[:40]!r} is no date, expected YYYY-MM-DD") from None
