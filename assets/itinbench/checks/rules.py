"""What certification asks of a witness, by name."""

from __future__ import annotations

RULES = {
    "format": "The plan has the native format, and nothing in it is missing.",
    "days": "The plan has the record's number of days, each called by its number.",
    "visits": "Each day has one attraction in the morning, two in the afternoon and one at night.",
    "pool": "Every place is in the pool once, spelled as in the plan, and the scorer takes it for that place.",
    "budget": "Every place is of the record's budget.",
    "cuisine": "Every restaurant serves the record's cuisine.",
    "restaurant": "Every restaurant is good or excellent in every restaurant preference.",
    "orientation": "Every attraction is of medium or high orientation as the record asks.",
    "hotel": "The stay is good or excellent in every hotel preference.",
    "walking": "No day's way from the stay through its visits and back is longer than the record allows, on WGS84.",
    "price_signs": "All places together, the stay once, have no more price signs than the record allows.",
    "distinct": "No place is used twice, but for the stay, which serves every night.",
    "one_stay": "Every night is spent at the same stay.",
    "day_tours": "No day's closed tour is longer than its optimum, in the scorer's metric.",
    "trip": "The whole trip is no longer than its optimum, in the scorer's metric.",
    "jumps": "Every visit lies on its day of the optimal trip: no cluster jump.",
}
"""What certification asks, each rule by its name."""
