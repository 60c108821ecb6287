"""The tables of how cities are reached and what they offer, as data; a part of the clean stage's steps."""

from __future__ import annotations

from assets.accounts import Keys
from assets.step import Raw, Step
from schemas.travel import Airport, CityAirport, CityPrice, Flight
from schemas.tripadvisor import TripadvisorPlace

FLIGHTS = (Raw("bts", "on_time"), Raw("travelplanner", "flights"))

TRAVEL_STEPS = [
    Step(Airport, "assets.clean.travel:airports", (Raw("openflights", "airports"),), per="recipe", accounts="records"),
    Step(
        CityAirport,
        "assets.clean.city_airport:city_airports",
        (Airport,),
        per="recipe",
        accounts=Keys("iata", (Airport,)),
    ),
    Step(
        Flight,
        "assets.clean.flight:flights",
        (*FLIGHTS, CityAirport),
        per="recipe",
        accounts="records",
        sources="assets.clean.sources:flight",
    ),
    Step(
        TripadvisorPlace,
        "assets.clean.travel:tripadvisor_places",
        (Raw("tripadvisor", "places"),),
        per="recipe",
        accounts="records",
    ),
    Step(CityPrice, "assets.clean.travel:city_prices", (Raw("numbeo", "prices"),), per="recipe", accounts="records"),
]
