"""The words that a request is read by, as plain data: what names a demand or its topic, and what has no place there.

Kept apart from `phrases.py`, which words are written from: a reader that shared them could not contradict the writer.
"""

from __future__ import annotations

NUMBER_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "couple": 2, "dozen": 12, "hundred": 100, "thousand": 1000,
}  # fmt: skip

CUISINE_PATTERNS: dict[str, str] = {
    r"American": "US", r"U\.S\.(?:A\.)?|USA?": "US", r"Mexican": "Mexican", r"Irish": "Irish", r"French": "French",
    r"Italian": "Italian", r"Greek": "Greek", r"Indian": "Indian", r"Chinese": "Chinese", r"Japanese": "Japanese",
    r"Korean": "Korean", r"Vietnamese": "Vietnamese", r"Thai": "Thai", r"[Aa]sian[ -][Ff]usion": "Asian Fusion",
    r"[Mm]iddle[ -][Ee]astern": "Middle Eastern",
}  # fmt: skip
"""How a text names a cuisine. Capitals count: `us` is a pronoun."""

TOPICS: dict[str, str] = {
    "restaurant": r"restaurants?|eater(?:y|ies)|dining|dine|eats?|eating|meals?|cuisine|breakfast|lunch|dinner",
    "hotel": r"hotels?|accommodations?|lodgings?|stay|staying|sleep",
    "attraction": r"attractions?|sights?|sightseeing|oriented",
}
"""Words that say what a sentence is about."""

NOUNS: dict[str, str] = {"restaurant": r"restaurants?|eater(?:y|ies)", "hotel": r"hotels?|accommodations?|lodgings?"}
"""The nouns that a preference may stand right before: a good quality hotel."""

LIMIT_WORDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "most_walk_m": (
        r"\bat most (\d+(?:\.\d+)?) km\b",
        (r"\b(?:each|a) day\b", r"\bhotel\b", r"\battractions\b", r"crow flies|straight lines"),
    ),
    "most_signs": (
        r"\bat most (\d+) price signs\b",
        (r"\bplaces\b", r"\btrip\b", r"\bhotel counted once|counting the hotel once"),
    ),
}
"""How a limit is stated, and what its sentence must say with it: of what it is the most."""

GRADES = (
    "excellent", "great", "best", "better", "top", "superb", "outstanding", "exceptional", "perfect", "amazing",
    "decent", "fair", "average", "below", "bad", "poor", "worst", "terrible", "fine", "high", "higher", "low", "lower",
    "medium", "superior", "premium", "reasonable", "acceptable", "mediocre", "solid", "wonderful", "fantastic",
)  # fmt: skip
"""Grades other than good; a request says good and nothing else."""

NEGATIONS = (
    "not", "no", "never", "without", "avoid", "except", "excluding", "nor", "neither", "instead", "unless", "rather",
    "don't", "doesn't", "isn't", "aren't", "won't", "can't", "cannot", "shouldn't", "skip", "hate", "dislike",
    "nothing",
)  # fmt: skip

STRANGERS = (
    # budgets in other words
    "affordable", "inexpensive", "budget-friendly", "luxury", "luxurious", "low-cost", "pricey", "economical",
    "upscale",
    # company and occasion
    "kids", "children", "child", "wife", "husband", "friends", "parents", "couple", "honeymoon", "anniversary",
    "birthday", "wedding", "business", "solo", "group", "pet", "pets", "dog", "dogs", "romantic",
    # wishes that the record cannot hold
    "pool", "spa", "gym", "parking", "wifi", "wi-fi", "wheelchair", "accessible", "view", "views", "balcony", "quiet",
    "cozy", "clean", "cleanliness", "friendly", "staff", "atmosphere", "ambiance", "comfort", "comfortable",
    "convenient", "central", "downtown", "nearby", "walkable", "walking", "near", "close", "distance", "transit",
    "subway", "bus",
    "vegan", "vegetarian", "halal", "kosher", "gluten-free", "organic", "spicy", "seafood", "buffet", "michelin",
    "museums", "museum", "parks", "park", "zoo", "beach", "nightlife", "bars", "bar", "music", "art", "architecture",
    "weekend", "summer", "winter", "spring", "autumn", "christmas", "january", "february", "march", "april", "june",
    "july", "august", "september", "october", "november", "december", "monday", "saturday", "sunday", "tomorrow",
    # cuisines that no record has
    "spanish", "mediterranean", "german", "ethiopian", "cuban", "brazilian", "caribbean", "turkish", "lebanese",
    "moroccan", "peruvian", "russian", "polish", "african", "latin", "cajun", "soul", "barbecue", "sushi", "pizza",
    # attributes in other words
    "taste", "tasty", "delicious", "fresh", "ingredients", "affordability", "security", "safe", "flavorful", "flavors",
    "valuable", "well-located", "scenic", "historic", "historical", "outdoor", "educational", "cultural",
)  # fmt: skip
"""Words that ask for something the record does not say, or say it in words whose meaning would have to be guessed."""
