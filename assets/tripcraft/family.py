"""TripCraft as a family: trips to one, two or three cities, with flights, transit, events and personas."""

from __future__ import annotations

from typing import Literal

from assets.accounts import Keys, Own, Rows
from assets.family import Choice, Family
from assets.step import Raw, Requirement, Step
from assets.tripcraft.derivations import DERIVATIONS
from assets.tripcraft.lineage_rules import RULES
from assets.tripcraft.metrics import METRICS
from assets.tripcraft.published.checker import MUST_HOLD
from assets.tripcraft.records import Drawing, PlanDay, Proof, Record
from assets.tripcraft.section import TripcraftSection
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
    TripcraftTerms,
    TripcraftTownWays,
)
from assets.tripcraft.vocabulary import DATES_OF_ANOTHER_LENGTH, WISHES
from assets.tripcraft.world import CHECKS
from schemas.events import Event
from schemas.osm import OsmPlace
from schemas.places import Place
from schemas.prices import BigMacPrice, CountryPriceLevel
from schemas.spatial import CityDistance, DistanceMatrix
from schemas.stays import Stay
from schemas.transit import Stop
from schemas.travel import CityPrice, Flight
from schemas.tripadvisor import TripadvisorPlace

REQUIREMENTS: tuple[tuple[str, int | Literal["every"], str, str], ...] = (
    ("trip_stays", 1, "stays", "bind listings (airbnb) or a map that holds stays (osm)"),
    ("trip_restaurants", 9, "restaurants", "bind tripadvisor, yelp or a map that holds more (osm)"),
    ("trip_attractions", 3, "attractions", "bind tripadvisor, yelp or a map that holds more (osm)"),
    (
        "ways_in",
        1,
        "airports or neighbours",
        "bind airports (openflights) or a long-distance feed (gtfs), whose trains are not counted here, or name a city "
        "within half a day by road",
    ),
    (
        "served_dates",
        "every",
        "trip dates with transit service",
        "bind a feed (gtfs), and set `spatial.trip_dates` to dates on which it runs",
    ),
    (
        "stops",
        1,
        "transit stops",
        "bind a feed (gtfs) or a map that holds stops (osm): a plan names each place's nearest stop",
    ),
)
"""What the shortest trip needs of the city that it leads to: a bed, three meals on each day, a sight
a day, a stop, transit on its dates, and a way to come."""

WORLD = (
    TripcraftTerms,
    TripcraftCity,
    TripcraftFlight,
    TripcraftRestaurant,
    TripcraftAttraction,
    TripcraftStay,
    TripcraftEvent,
    TripcraftNearestStop,
    TripcraftCityDistance,
    TripcraftTownWays,
    TripcraftJourney,
)
"""What trips are made from: the context of every task."""

_FACTS = "assets.tripcraft.facts"
_SOURCES = "assets.tripcraft.sources"

WORLD_STEPS = (
    Step(
        TripcraftTerms,
        f"{_FACTS}.world:terms",
        per="recipe",
        accounts=Own("the one money of the recipe, and the rates of cars in it"),
    ),
    Step(TripcraftCity, f"{_FACTS}.world:trip_cities", per="recipe", accounts=Keys("city_id", each=True)),
    Step(
        TripcraftFlight,
        f"{_FACTS}.trip_flights:trip_flights",
        (Flight, TripcraftTerms),
        per="recipe",
        accounts=Rows((Flight,)),
        sources=f"{_SOURCES}:flight",
    ),
    Step(
        TripcraftJourney,
        f"{_FACTS}.trip_journeys:trip_journeys",
        (Raw("gtfs", "long_distance"), CountryPriceLevel, BigMacPrice, TripcraftTerms),
        per="recipe",
        accounts=Own("a journey on a date, of the rows of a feed's calls, trips, routes, stops and calendars"),
        sources=f"{_SOURCES}:journey",
    ),
    Step(
        TripcraftRestaurant,
        f"{_FACTS}.world:restaurants",
        (TripadvisorPlace, Place, CityPrice, TripcraftTerms),
        accounts=Rows((TripadvisorPlace, Place), "restaurant"),
        sources=f"{_SOURCES}:place",
    ),
    Step(
        TripcraftAttraction,
        f"{_FACTS}.world:attractions",
        (TripadvisorPlace, Place, OsmPlace),
        accounts=Rows((TripadvisorPlace, Place), "attraction"),
        sources=f"{_SOURCES}:place",
    ),
    Step(
        TripcraftStay,
        f"{_FACTS}.trip_stays:trip_stays",
        (Stay, TripadvisorPlace, Place, TripcraftTerms),
        accounts=Keys("place_id", (Stay, TripadvisorPlace, Place)),
        sources=f"{_SOURCES}:stay",
    ),
    Step(
        Event,
        f"{_FACTS}.world:found_events",
        (Raw("events", "discovery"), Raw("events", "apify")),
        per="recipe",
        accounts="records",
    ),
    Step(
        TripcraftEvent,
        f"{_FACTS}.world:events",
        (Event,),
        accounts=Rows((Event,)),
        sources=f"{_SOURCES}:event",
    ),
    Step(
        TripcraftNearestStop,
        f"{_FACTS}.world:nearest_stops",
        (TripcraftRestaurant, TripcraftAttraction, TripcraftStay, Stop),
        sources=f"{_SOURCES}:nearest_stop",
        accounts=Keys("place_id", (TripcraftRestaurant, TripcraftAttraction, TripcraftStay)),
    ),
    Step(
        TripcraftCityDistance,
        f"{_FACTS}.world:city_distances",
        (CityDistance,),
        per="recipe",
        accounts=Keys("origin_city_id", (CityDistance,)),
    ),
    Step(
        TripcraftTownWays,
        f"{_FACTS}.town_ways:town_ways",
        (TripcraftRestaurant, TripcraftAttraction, TripcraftStay, DistanceMatrix),
        accounts=Keys("place_id", (TripcraftRestaurant, TripcraftAttraction, TripcraftStay)),
    ),
)

FAMILY = Family(
    name="tripcraft",
    title="TripCraft",
    section=TripcraftSection,
    per="recipe",
    record=Record,
    drawn=Drawing,
    plan=list[PlanDay],
    proof=Proof,
    world_tables=WORLD,
    world_steps=WORLD_STEPS,
    arrow=(TripcraftFlight,),
    checks=CHECKS,
    rules=RULES,
    published_check="assets.tripcraft.published.checker:verdicts",
    must_accept=MUST_HOLD,
    derivations=DERIVATIONS,
    unjudged=("level", "persona", "dest_region", "dest_country"),
    wishes={**{f"constraints/{name}": values for name, values in WISHES.items()}, "dates": DATES_OF_ANOTHER_LENGTH},
    attempts=10_000,
    most_unsolved=40,
    slots="assets.tripcraft.draft:slots",
    prepare="assets.tripcraft.draft:prepare",
    draft="assets.tripcraft.draft:draft",
    identity="assets.tripcraft.draft:identity",
    world="assets.tripcraft.world:world",
    check="assets.tripcraft.world:check",
    asked="assets.tripcraft.world:asked",
    uses="assets.tripcraft.world:uses",
    prove="assets.tripcraft.world:prove",
    verify="assets.tripcraft.world:verify",
    believed=("proof.is_proven_best", "proof.remark"),
    solve="assets.tripcraft.planning:solve",
    depends="assets.tripcraft.planning:depends",
    word="assets.tripcraft.wording:word",
    language="en",
    read="assets.tripcraft.rules:read",
    word_by_model="assets.tripcraft.wording_by_model:word_by_model",
    trace="assets.tripcraft.lineage:trace",
    metrics=METRICS,
    score="assets.tripcraft.published.released_scores:score_tasks",
    takes_embedding=True,
    export="assets.tripcraft.export:export",
    upstream="assets.tripcraft.upstream:upstream",
    measures="assets.tripcraft.measures:measures",
    baselines={"baseline": "assets.tripcraft.baseline:plans"},
    planners={
        "random": "assets.tripcraft.planners:by_lot",
        "greedy": "assets.tripcraft.planners:greedy",
        "repair": "assets.tripcraft.planners:repair",
    },
    passes="assets.tripcraft.planners:passes",
    harden="assets.tripcraft.planners:harden",
    tools="assets.tripcraft.tools:tools",
    lacking="assets.tripcraft.lacking:lacking",
    page="assets.tripcraft.page:page",
    map_of="assets.tripcraft.picture:city_picture",
    first_recipe="assets.tripcraft.first_recipe:FIRST_RECIPE",
    plan_text="assets.tripcraft.plan_text:PLAN_TEXT",
    mend="assets.tripcraft.mend:mended",
    drawn_from="assets.tripcraft.mending:drawn_from",
    drawn_again="assets.tripcraft.draft:drawn_again",
    open="assets.tripcraft.published.opening:open_folder",
    names="assets.tripcraft.published.opening:named_places",
    inspect={
        "travelplanner": "assets.tripcraft.inspect:inspect_path",
        "tripcraft": "assets.tripcraft.inspect_folder:inspect_path",
    },
    requirements=tuple(
        Requirement("tripcraft", what, needed, noun, remedy) for what, needed, noun, remedy in REQUIREMENTS
    ),
    choices=(
        Choice(
            "one_currency",
            "Every amount is in one currency. What is priced in another is converted at the rates that the recipe "
            "declares, with their date and source, and keeps the amount given; a currency without a rate is rejected.",
        ),
        Choice(
            "modelled_prices",
            "A flight that no source prices costs an amount a kilometre, and a hotel that no source prices an amount a "
            "night, drawn evenly between two bounds that the recipe declares, by the seed and the flight's number or "
            "the place's id; such rows are marked. Without those bounds they are rejected.",
        ),
        Choice(
            "trains_and_coaches",
            "Journeys between the recipe's cities by train or coach, with at most one change, come from long-distance "
            "GTFS feeds: a stop serves a city in whose area it lies, or whose middle is at most 10 km away; a change "
            "at one station, or where transfers.txt leads, takes 15 minutes unless the feed says otherwise, and at "
            "most four hours. A seat costs a declared number of Big Macs a ticket and a kilometre, at the price level "
            "of the country that it leaves; no feed's fares are read. The published checker knows no such mode: it "
            "lets them pass unjudged and adds nothing to the cost, ours looks each up and counts its price.",
        ),
        Choice(
            "moved_dates",
            "Where the recipe says so, the dates of flights, journeys or events move into the trips' dates by the "
            "fewest whole weeks, so that each keeps its weekday; rows keep the date given. Local times stay.",
        ),
        Choice(
            "sunrise", "Hours that go by sunrise and sunset are those of the date at the place, by its coordinates."
        ),
        Choice(
            "evening",
            "Nobody goes to nightlife or a casino before 18:00, known hours or not; one that closes by then keeps its "
            "hours. A witness keeps this, a planner is not scored by it.",
        ),
        Choice(
            "places",
            "A place that several sources list (similar name, at most 150 m apart) is one place with all their "
            "pointers; TripAdvisor's values come first. An attraction of none of the fifteen categories is left out.",
        ),
        Choice(
            "listings",
            "A listing in several files is one stay: Inside Airbnb's values come before Apify's, each fills what the "
            "others do not say.",
        ),
        Choice(
            "meal_cost",
            "The city's inexpensive meal times the restaurant's price signs, 1.5 signs where it shows none; a city "
            "without a meal's price has the recipe's reference meal, scaled by the city's price index if it is known.",
        ),
        Choice(
            "moves_are_made",
            "A day begins in the city that the day before ended in. The published route check looks at the cities' "
            "order alone, so that a plan may leap home overnight and pay for no way. Home has the first morning and "
            "the last evening.",
        ),
        Choice(
            "time_passes",
            "A day's list is not blank; an entry lasts, follows the one before it and is named by the day, a meal or "
            "sight is listed once, and a drive takes its time. The published checks look at meals and flights alone.",
        ),
        Choice(
            "left_out_is_zero",
            "A plan that was not delivered, a meal, sight or night that a full day lacks, and an entry that states no "
            "stop or another than the nearest score 0. As published what is left out is no part of the mean. A day of "
            "travel need hold no meal and no sight, as published.",
        ),
        Choice("occupancy", "A room whose source does not say holds two people; a hotel's room counts as private."),
        Choice(
            "travel_in_town",
            "Between places of a city a witness keeps the router's time by the fastest of the recipe's ways of "
            "travelling, five minutes added to a ride, where the city's distance matrix holds both; else 1.3 times "
            "the geodesic, on foot up to 20 min, beyond that by taxi. Each certificate counts both.",
        ),
        Choice(
            "mended",
            "A published task that a recipe asks for is kept if a trip meets it; else it is changed in at most three "
            "fields (budget, dates, or another value of a constraint), as few as it takes, and each change is told; "
            "else it is retired.",
        ),
        Choice(
            "redrawn",
            "A record without a witness within the solver's declared choices is drawn again, up to 40 times a task; "
            "the measures count the draws dropped, by what stood in their way.",
        ),
    ),
)
