"""The sentences that `wording.py` chooses from, as plain data: a group a part of the request, one sentence a fact.

Fields: {days} "3" or "three", {party} "four people", {origin}, {where} "Omaha" or "two cities in Ohio", {when} the
dates, {amount} money; {rule} "pets", {is_are} its verb; {room} "a private room"; {food} "Thai"; {events} "a film
event"; {once} "each at least once"; {kinds} "museums and shopping", {such} "to such a place", {one} "one of each kind".
Who asks speaks of "we", or of "I" when travelling alone: {We} {we} {us} {our} {Our} {ourselves} {are}.
"""

from __future__ import annotations

from collections.abc import Mapping

LAYOUTS = (
    "trip budget wishes",
    "trip wishes budget",
    "trip budget wishes",
    "priced wishes",
    "priced wishes",
    "budget trip wishes",
    "wishes trip budget",
    "wishes priced",
    "plan party budget wishes",
    "plan party wishes budget",
    "party plan budget wishes",
    "party plan wishes budget",
    "party priced_plan wishes",
)
"""The orders in which a request names its parts."""

SENTENCES: dict[str, tuple[str, ...]] = {
    "trip": (
        "Please plan a {days}-day trip for {party} from {origin} to {where}, {when}.",
        "Could you put together a {days}-day itinerary for {party}, leaving {origin} and visiting {where}, {when}?",
        "{We} need a travel plan: {days} days in {where} for {party}, departing from {origin}, {when}.",
        "Design a journey of {days} days for {party} that starts from {origin} and takes in {where}, {when}.",
        "Can you help {us} with a trip from {origin} to {where}? It is for {party} and lasts {days} days, {when}.",
        "{We} {are} looking for a {days}-day plan for {party}, {when}, from {origin} to {where}.",
        "Starting from {origin}, {we} would like to visit {where}: {days} days, {when}, for {party}.",
        "What would a {days}-day visit to {where} look like for {party} from {origin}, {when}?",
        "Plan {days} days in {where} for {party}, {when}; the trip starts from {origin}.",
        "{When}, {we} want to travel from {origin} to {where}. Please work out all {days} days for {party}.",
        "{We} {are} going from {origin} to {where} for {days} days, {when}. Please draw up a plan for {party}.",
    ),
    "priced": (
        "Please plan a {days}-day trip for {party} from {origin} to {where}, {when}, for {amount} at most.",
        "With a budget of {amount}, {we} would like to spend {days} days in {where}, {when}. It is a trip for {party}, "
        "leaving from {origin}.",
        "Could you plan {days} days in {where} for {party}, {when}, without going over {amount}? The trip starts from "
        "{origin}.",
        "{We} have {amount} for a {days}-day trip from {origin} to {where}, {when}. Please plan it for {party}.",
        "For no more than {amount} in all, design a {days}-day journey for {party}, leaving from {origin} and visiting "
        "{where}, {when}.",
        "{When}, {we} want to go from {origin} to {where}: {days} days for {party}, and {amount} to spend altogether.",
    ),
    "plan": (
        "{We} would like to spend {days} days in {where}, {when}.",
        "Please put together a {days}-day itinerary for {where}, {when}.",
        "{We} {are} planning a {days}-day trip to {where}, {when}.",
        "Could you plan a {days}-day visit to {where} for {us}, {when}?",
        "{When}, {we} want to visit {where}; please plan all {days} days.",
        "Help {us} plan {days} days in {where}, {when}.",
    ),
    "priced_plan": (
        "{We} would like to spend {days} days in {where}, {when}, on a budget of {amount}.",
        "Could you plan a {days}-day visit to {where} for {us}, {when}, that costs at most {amount}?",
        "{When}, {we} want to visit {where}; please plan all {days} days with a total of {amount}.",
        "{We} have {amount} for a {days}-day trip to {where}, {when}.",
    ),
    "budget": (
        "The budget for the whole trip is {amount}.",
        "In total the trip may cost no more than {amount}.",
        "Please keep all expenses within {amount}.",
        "{We} can spend up to {amount} in all.",
        "{Our} budget is {amount} for everything.",
        "All costs of the trip together must not exceed {amount}.",
        "{We} do not want to spend more than {amount} altogether.",
        "The whole trip should fit into a budget of {amount}.",
    ),
    "house_rule": (
        "{We} need to stay where {rule} {is_are} allowed.",
        "{Our} accommodation has to allow {rule}.",
        "Wherever {we} spend the night, {rule} must be permitted.",
        "Please choose a place to stay that permits {rule}.",
        "It is important that {rule} {is_are} allowed where {we} stay.",
        "{We} can only stay at a place where {rule} {is_are} allowed.",
    ),
    "room_type": (
        "{We} need {room}.",
        "{We} want to sleep in {room}.",
        "Please book {room} for {us}.",
        "For the nights {we} want {room}.",
        "As for accommodation, {we} want {room}.",
        "{We} {are} looking for {room} to stay in.",
    ),
    "cuisine": (
        "{We} would like to eat {food} food.",
        "{We} want to have {food} food on this trip, {once}.",
        "{Our} meals should include {food} food.",
        "Please make sure that {we} get to eat {food} food.",
        "When it comes to meals, plan {food} food for {us}, {once}.",
        "{We} {are} keen on {food} food, so please include it among the meals.",
    ),
    "attraction": (
        "{We} like {kinds}, and at least one visit should be {such}.",
        "{We} {are} interested in {kinds}; please plan a visit to at least {one}.",
        "As for sightseeing, {we} want {kinds}, with a visit to at least {one}.",
        "Please think of {kinds} when you choose the sights: {we} want to visit at least {one}.",
        "{Our} sightseeing has to include {kinds}, at least {one}.",
    ),
    "event": (
        "{We} want to attend {events}.",
        "Please find {events} for {us} to go to.",
        "{We} want to go to {events} while {we} {are} there.",
        "The plan has to include {events}.",
        "During the trip {we} want to take in {events}.",
        "There should be {events} on the program.",
    ),
    "no flight": (
        "{We} do not want to fly.",
        "Please plan the trip without flights.",
        "Flying is not an option for {us}, so avoid flights.",
        "{We} will not take a flight.",
        "No flights, please.",
    ),
    "no self-driving": (
        "{We} do not want to drive {ourselves}.",
        "Please plan the trip without self-driving.",
        "No self-driving, please.",
        "{We} will not be driving {ourselves}.",
        "{We} want to get there without driving {ourselves}.",
    ),
}

WHENS = (
    ("from {first} to {last}", "{month} {day}"),
    ("from {first} to {last}", "{month} {day}"),
    ("between {first} and {last}", "{month} {day}"),
    ("from {first} until {last}", "{day} {month}"),
    ("from {first} to {last}", "{day} {month}"),
)
"""How the dates are given, and each of them."""

PARTIES: Mapping[int, tuple[str, ...]] = {
    1: ("one person", "a solo traveler", "just me"),
    2: ("two people", "2 people", "two travelers", "the two of us"),
}
MANY = ("{word} people", "{number} people", "a group of {word}", "a party of {word}", "{word} travelers")
"""Who travels, by their number; of more than two."""

PARTY_SENTENCES: Mapping[int, tuple[str, ...]] = {
    1: ("I am traveling alone, starting from {origin}.", "It is just me, leaving from {origin}."),
    2: (
        "There are two of us, leaving from {origin}.",
        "Two people are traveling, starting from {origin}.",
        "It is the two of us, and we set out from {origin}.",
    ),
}
MANY_SENTENCES = (
    "There are {word} of us, leaving from {origin}.",
    "{Word} people are traveling, starting from {origin}.",
    "We are a group of {word} and set out from {origin}.",
    "We are {number} people from {origin}.",
)

ROOMS: Mapping[str, tuple[str, str]] = {
    "shared room": ("a shared room", "shared rooms"),
    "not shared room": ("a non-shared room", "non-shared rooms"),
    "private room": ("a private room", "private rooms"),
    "entire room": ("an entire room to {ourselves}", "an entire home to {ourselves}"),
}
"""Each type of room: for one or two people, and for more."""

OF_MANY = {
    "We": "We", "we": "we", "us": "us", "our": "our", "Our": "Our", "ourselves": "ourselves", "are": "are",
}  # fmt: skip
OF_ONE = {"We": "I", "we": "I", "us": "me", "our": "my", "Our": "My", "ourselves": "myself", "are": "am"}
"""How a party speaks of itself, and one person."""
