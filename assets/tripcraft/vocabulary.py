"""What trips of TripCraft may ask for and last: lengths, categories, events, room types, house rules, personas."""

from __future__ import annotations

from typing import Any

LENGTHS = (3, 5, 7)
"""Days of a trip (paper, section 1.A of our facts)."""

VISITED_CITIES: dict[int, int] = {3: 1, 5: 2, 7: 3}
"""Cities a trip of each length visits; those of longer trips lie in one region (1.A)."""

LEVELS = ("easy", "medium", "hard")

CATEGORY_DURATION_H: dict[str, float] = {
    "Boat Tours & Water Sports": 3.5,
    "Casinos & Gambling": 2.5,
    "Classes & Workshops": 1.5,
    "Concerts & Shows": 2.5,
    "Food & Drink": 2.5,
    "Fun & Games": 1.5,
    "Museums": 3.0,
    "Nature & Parks": 4.5,
    "Nightlife": 2.5,
    "Outdoor Activities": 4.0,
    "Shopping": 1.5,
    "Sights & Landmarks": 3.0,
    "Spas & Wellness": 2.0,
    "Water & Amusement Parks": 5.0,
    "Zoos & Aquariums": 2.5,
}
"""Hours a visit takes, for each of the fifteen attraction categories (paper, 1.A)."""

SEGMENTS = ("Sports", "Arts & Theatre", "Music", "Film")
"""Kinds of event (1.A)."""

QUERY_CUISINES = ("Chinese", "American", "Italian", "Mexican", "Indian", "Mediterranean", "French")
"""The seven cuisines a query may ask for (1.D)."""

HOUSE_RULES = ("No parties", "No smoking", "No children under 10", "No pets", "No visitors")
"""What a stay may forbid (1.A)."""

FORBIDDEN_BY: dict[str, str] = {
    "parties": "No parties",
    "smoking": "No smoking",
    "children under 10": "No children under 10",
    "visitors": "No visitors",
    "pets": "No pets",
}
"""What a query may ask to be permitted, and the house rule that forbids it (1.D)."""

ROOM_TYPES = ("shared_room", "private_room", "entire_home")

ROOM_TYPES_MEETING: dict[str, tuple[str, ...]] = {
    "shared room": ("shared_room",),
    "not shared room": ("private_room", "entire_home"),
    "private room": ("private_room",),
    "entire room": ("entire_home",),
}
"""The room types that meet each request; `entire room` is an entire home (defect T6)."""

TRANSPORT_REQUESTS = ("no flight", "no self-driving")

NO_VEHICLE = "no vehicle"
"""A request that no trip meets and no draft makes: of a world of trains alone, it shows that requests are judged."""

EXCLUDED_BY: dict[str, tuple[str, ...]] = {
    "no flight": ("flight",),
    "no self-driving": ("self_driving",),
    NO_VEHICLE: ("flight", "train", "coach", "self_driving", "taxi"),
}
"""What may be asked of the transport, and the modes that it excludes."""

CONSTRAINTS = ("house_rule", "cuisine", "room_type", "transportation", "event", "attraction")
"""The six local constraints of a record (1.D); the budget is the seventh hard constraint."""

PERSONA: dict[str, tuple[str, ...]] = {
    "Traveler Type": ("Laidback Traveler", "Adventure Seeker"),
    "Purpose of Travel": ("Relaxation", "Adventure", "Cultural Exploration", "Nature"),
    "Spending Preference": ("Luxury Traveler", "Economical Traveler"),
    "Location Preference": ("Beaches", "Mountains", "Cities", "Wildlife/Forest"),
}
"""The four persona components and their values (1.D; the sampler and some strings are inferred [I])."""


WISHES: dict[str, tuple[Any, ...]] = {
    "house_rule": tuple(FORBIDDEN_BY),
    "cuisine": tuple([cuisine] for cuisine in QUERY_CUISINES),
    "room_type": tuple(ROOM_TYPES_MEETING),
    "transportation": (*TRANSPORT_REQUESTS, NO_VEHICLE),
    "event": tuple([segment] for segment in SEGMENTS),
    "attraction": tuple([category] for category in CATEGORY_DURATION_H),
}
"""What each constraint may ask."""

DATES_OF_ANOTHER_LENGTH = (["2026-01-01"], [f"2026-01-{day:02}" for day in range(1, 31)])
"""Dates of no trip's length: where nothing of a world is dated, a plan holds on any other date."""
