"""The sentences that `wording.py` chooses from, as plain data: a group a part of the request, one sentence a demand.

Fields: {a_days} "a 3-day", {length} "three days", {budget} "a cheap budget", {oriented} "history-oriented",
{cuisine} "Thai", {asked} and {wished} the preferences as a clause from the two lists at the end.
"""

from __future__ import annotations

NUMBERS = {2: "two", 3: "three", 4: "four"}

LAYOUTS = (
    "trip sights meals stay",
    "trip sights stay meals",
    "trip meals sights stay",
    "trip meals stay sights",
    "trip stay sights meals",
    "trip stay meals sights",
    "trip_and_sights meals stay",
    "trip_and_sights stay meals",
    "first_sights meals stay last_trip",
    "first_sights stay meals last_trip",
)
"""The orders in which a request names its parts."""

SENTENCES: dict[str, tuple[str, ...]] = {
    "trip": (
        "I want to plan {a_days} trip on {budget}.",
        "I'm planning {a_days} trip with {budget}.",
        "Please help me plan {a_days} trip on {budget}.",
        "Could you put together {a_days} itinerary for me? I have {budget}.",
        "I have {length} for a trip and {budget} to go with it.",
        "I'd like to travel for {length} on {budget}.",
        "Plan {a_days} trip for me that fits {budget}.",
        "I need an itinerary for {a_days} trip with {budget}.",
        "I am preparing {a_days} visit and have {budget} to work with.",
        "For {a_days} trip on {budget}, I need an itinerary.",
        "I am going away for {length} with {budget}.",
        "Help me organize {a_days} trip, keeping to {budget}.",
        "Can you design {a_days} trip that stays within {budget}?",
    ),
    "last_trip": (
        "All of this is for {a_days} trip on {budget}.",
        "The trip lasts {length}, and I have {budget}.",
        "Please fit everything into {a_days} trip with {budget}.",
        "Keep it all within {budget} over {length}.",
        "I'll be away for {length} and will travel on {budget}.",
        "Can you turn this into {a_days} itinerary for {budget}?",
    ),
    "trip_and_sights": (
        "I want to plan {a_days} trip around {oriented} attractions with {budget}.",
        "Please put together {a_days} itinerary of {oriented} attractions on {budget}.",
        "I have {length} and {budget}, and I'd like to visit {oriented} attractions.",
        "Could you plan {a_days} trip with {oriented} attractions for me? I'm on {budget}.",
        "On {budget}, I'd like to spend {length} exploring {oriented} attractions.",
        "I'm planning {a_days} trip on {budget} and hope to see {oriented} attractions.",
        "With {budget}, plan {a_days} visit for me that takes in {oriented} attractions.",
        "I need {a_days} travel plan that features {oriented} attractions and respects {budget}.",
    ),
    "first_sights": (
        "I'm interested in visiting {oriented} attractions.",
        "I'd like to see {oriented} attractions.",
        "I am looking for {oriented} attractions to explore.",
        "Please plan a trip for me that includes {oriented} attractions.",
        "What I want to visit are {oriented} attractions.",
        "I enjoy {oriented} attractions and want to go and see some.",
    ),
    "sights": (
        "I'm interested in visiting {oriented} attractions.",
        "I'd like to see {oriented} attractions.",
        "For sightseeing, I prefer {oriented} attractions.",
        "I'm looking for {oriented} attractions to explore.",
        "Please include {oriented} attractions.",
        "The attractions should be {oriented}.",
        "When it comes to sightseeing, choose {oriented} attractions.",
        "I would enjoy {oriented} attractions along the way.",
        "As for attractions, I like {oriented} ones.",
        "Fill the itinerary with {oriented} attractions.",
        "What I want to visit are {oriented} attractions.",
        "The attractions I'd pick myself are {oriented} ones.",
    ),
    "meals": (
        "Please recommend {cuisine} restaurants {asked}.",
        "For meals, I'd like {cuisine} restaurants {asked}.",
        "I want to eat at {cuisine} restaurants {asked}.",
        "I'm hoping to dine at {cuisine} restaurants {asked}.",
        "For {cuisine} cuisine, please find restaurants {asked}.",
        "When I eat out, I'd like {cuisine} restaurants {asked}.",
        "My meals should be at {cuisine} restaurants {asked}.",
        "As for dining, pick {cuisine} restaurants {asked}.",
        "I'm in the mood for {cuisine} cuisine, so look for restaurants {asked}.",
        "For breakfast, lunch, and dinner, choose {cuisine} restaurants {asked}.",
        "Could you find {cuisine} restaurants {asked}?",
        "I enjoy {cuisine} cuisine and want to eat at restaurants {asked}.",
    ),
    "stay": (
        "I'd like to stay in a hotel {wished}.",
        "For accommodation, please find a hotel {wished}.",
        "As for where to stay, I prefer a hotel {wished}.",
        "I need a hotel {wished}.",
        "For my stay, please choose a hotel {wished}.",
        "My hotel should be one {wished}.",
        "At night, I'd like to sleep in a hotel {wished}.",
        "I also need accommodation: a hotel {wished}.",
        "A hotel {wished} would be ideal.",
        "Lodging should be in a hotel {wished}.",
        "Could you find me a hotel {wished}?",
        "The place I stay should be a hotel {wished}.",
    ),
}
"""Each part's sentences. A part that opens a request has its own: "as for" and "also" need something before them."""

LIMIT_SENTENCES: dict[str, tuple[str, ...]] = {
    "most_walk_m": (
        "On each day, the way from the hotel to the attractions and back should be at most {km} km as the crow flies.",
        "Each day's round from the hotel through its attractions should be at most {km} km in straight lines.",
        "In straight lines, my way from the hotel to the attractions and back should be at most {km} km a day.",
    ),
    "most_signs": (
        "All places of the trip together, the hotel counted once, should have at most {signs} price signs.",
        "Added up over all places of the trip, with the hotel counted once, I can spend at most {signs} price signs.",
        "Counting the hotel once, the places of the whole trip should come to at most {signs} price signs.",
    ),
}
"""The sentences of a hard record's limits, which end a request."""

ASKED = (
    "with {good}",
    "with {shared}",
    "that offer {good}",
    "that have {shared}",
    "where the {bare} {are} good",
    "whose {bare} {are} good",
    "offering {shared}",
)
"""What is asked of restaurants: {good} repeats the adjective, {shared} says it once, {bare} leaves it out."""

WISHED = (
    "with {good}",
    "with {shared}",
    "that offers {good}",
    "that has {shared}",
    "where the {bare} {are} good",
    "whose {bare} {are} good",
    "offering {good}",
)
"""What is wished of the hotel, likewise."""
