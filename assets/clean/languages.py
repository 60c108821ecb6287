"""Which fields are read by words of a language, in which languages, and what becomes of the words of others.

The rule for all: a word that is not read is unknown, and unknown satisfies nothing. `docs/pages/languages.md` prints
this list.
"""

from __future__ import annotations

from dataclasses import dataclass

from sources.airbnb.rule_words import LANGUAGES as HOUSE_RULE_LANGUAGES

ENGLISH = ("en",)


@dataclass(frozen=True)
class ReadByWords:
    """One field that is read by words: where, in which languages (ISO 639-1), what others become."""

    field: str
    read_by: str
    languages: tuple[str, ...]
    others: str


FIELDS: tuple[ReadByWords, ...] = (
    ReadByWords(
        "house rules",
        "sources/airbnb/rule_words.py",
        HOUSE_RULE_LANGUAGES,
        "unknown: the five rules that no understood text decides permit nothing",
    ),
    ReadByWords(
        "room types",
        "sources/airbnb/values.py",
        ENGLISH,
        "the listing is rejected as of another category, with its words",
    ),
    ReadByWords(
        "attraction categories (TripCraft)",
        "sources/tripadvisor/places.py",
        ENGLISH,
        "the attraction is rejected as of another category, with its labels; the twenty most frequent are counted",
    ),
    ReadByWords(
        "kinds of places (Yelp, TripAdvisor)",
        "assets/clean/kinds.py",
        ENGLISH,
        "a listing whose source claims no kind is none of the three",
    ),
    ReadByWords(
        "cuisines",
        "assets/clean/cuisines.py",
        ENGLISH,
        "no cuisine: the place serves none that a query asks for",
    ),
    ReadByWords(
        "kinds of events",
        "sources/events/listings.py",
        ENGLISH,
        "the event is rejected as of another category, with its word",
    ),
    ReadByWords(
        "dates of events without a year",
        "sources/events/dates.py",
        ENGLISH,
        "the event is rejected as of a bad value; dates in digits are read in any language",
    ),
    ReadByWords(
        "what a price is for (Airbnb, by Apify)",
        "sources/airbnb/apify.py",
        ENGLISH,
        "no price of a night, so the listing is rejected where one is needed",
    ),
    ReadByWords(
        "which price is an inexpensive meal's (Numbeo)",
        "sources/numbeo/prices.py",
        ENGLISH,
        "no price of a meal: the recipe's `reference_meal`, or no restaurant",
    ),
    ReadByWords(
        "names of countries (events, Numbeo)",
        "sources/cities/country_names.py",
        ENGLISH,
        "the row is of no city of the recipe; two-letter codes are read in any language",
    ),
    ReadByWords(
        "kinds of listings (Wikivoyage)",
        "sources/wikivoyage/listings.py",
        ENGLISH,
        "no listing: templates of other editions are not read",
    ),
    ReadByWords(
        "cuisines and prices of a guide's listings (ItinBench)",
        "assets/itinbench/guide.py",
        ENGLISH,
        "no cuisine, and no price level: the place meets no request that names them",
    ),
    ReadByWords(
        "kinds of places (GroupTravelBench)",
        "assets/grouptravel/facts/kinds.py",
        ("en", "zh"),
        "a kind of its own, which is part of no other",
    ),
    ReadByWords(
        "meals served",
        "sources/tripadvisor/places.py",
        ENGLISH,
        "unknown meals",
    ),
    ReadByWords(
        "ratings from reviews, by rules",
        "assets/reviews/lexicon.py",
        ENGLISH,
        "no evidence, so no rating; the `openai` engine reads others",
    ),
)
"""Every field that is read by words; opening hours, prices and tags of OpenStreetMap have grammars of their own."""
