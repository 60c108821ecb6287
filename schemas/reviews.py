"""Reviews of places, and the ratings read out of them with the evidence that they rest on."""

from __future__ import annotations

from typing import Annotated, TypedDict

from schemas.table import Field, Table
from schemas.wikivoyage import MATCHED_BY

RESTAURANT_ATTRIBUTES = ("flavor", "freshness", "service", "environment", "value")
STAY_ATTRIBUTES = ("quality", "location", "service", "safety")
ATTRACTION_ORIENTATIONS = ("family", "history", "activity", "nature", "food", "shopping")
LEARNED = "learned"
"""The engine of weights learned from labelled sentences, which cites only what it is sure of."""

TAGS = "tags"
"""The engine of declared rules over a map's tags."""

ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "restaurant": RESTAURANT_ATTRIBUTES,
    "stay": STAY_ATTRIBUTES,
    "attraction": ATTRACTION_ORIENTATIONS,
}
"""Attributes by kind of place: restaurants and stays rated 1 to 5, attraction orientations 0 to 3 (ItinBench)."""

POLARITIES = ("positive", "neutral", "negative")
LABELLED_CATEGORIES: dict[str, str | None] = {
    "food": "food",
    "service": "service",
    "staff": "service",
    "ambience": "room",
    "price": "value",
    "menu": None,
    "place": None,
    "miscellaneous": None,
}
"""The subject, or none of ours, that each category of labelled restaurant sentences (MAMS-ACSA) speaks of."""

SUBJECTS: dict[str, tuple[str, ...]] = {
    "food": ("flavor", "freshness"),
    "service": ("service",),
    "room": ("environment",),
    "value": ("value",),
}
"""What the labels tell apart, and the restaurant attributes that each stands for; freshness has no label of its own."""


class Review(Table):
    """A kept review of a place in one city (published filter: useful >= 1)."""

    city_id: str = Field("The city.", key=True)
    place_id: str = Field("The place reviewed.", key=True)
    review_id: str = Field("The provider's id of the review.", key=True)
    stars: float = Field("The reviewer's rating, 1 to 5.", ge=1, le=5)
    useful: int = Field("How many readers found it useful.")
    text: str = Field("The review as written. Untrusted.")
    date: str = Field("Local date and time of writing, ISO 8601 without zone; empty if unknown.")
    source_row: str = Field("Pointer to the source line.")


class Passage(TypedDict):
    """A piece of a review."""

    review_id: Annotated[str, Field("The review.")]
    start: Annotated[int, Field("Where it begins, characters into the review's text.")]
    end: Annotated[int, Field("Where it ends, not included.")]


class PlaceRating(Table):
    """One attribute of one place, rated from its kept reviews or taken from a published table."""

    city_id: str = Field("The city.", key=True)
    place_id: str = Field("The place.", key=True)
    attribute: str = Field("The attribute (1–5) or orientation (0–3).", key=True)
    rating: int = Field("Restaurants and stays 1 bad to 5 excellent; attractions 0 no to 3 high.", ge=0, le=5)
    score: float = Field("The estimate before rounding, on the same scale.", ge=0, le=5)
    score_low: float | None = Field(
        "Lower end of the 90 % interval of the estimate, for a reader of these reviews; null where none are a sample: "
        "of published ratings, and of a guide's word.",
        ge=0,
        le=5,
    )
    score_high: float | None = Field("Its upper end.", ge=0, le=5)
    confidence: float = Field("0 (a guess from the mean) to 1 (many agreeing mentions).", ge=0, le=1)
    mentions: int = Field("Number of passages that speak of the attribute.", ge=0)
    engine: str = Field("Who read it: `rules`, `learned`, `published`, or the model's name.")
    evidence: list[Passage] = Field(
        "Up to ten passages that the rating rests on; none of `learned` where no passage is sure enough to be cited."
    )
    source_rows: list[str] = Field("Pointers to the source rows behind it.")
    generation_ids: list[str] = Field("The model calls behind it; none where rules read, or a table was published.")


class PublishedRating(PlaceRating):
    """The ratings a published benchmark gives the places of one city, for the kind that each place has here."""


class GuideRating(PlaceRating):
    """One attribute of one listing of a guide, read from what the guide says of it: `place_id` is the listing's id."""


class TagRating(Table):
    """One attribute of one listing of a guide, read from the tags of the map's place that it is about.

    The map's values alone, joined to the listing by its key, so that the map's licence holds for the whole table.
    """

    city_id: str = Field("The city.", key=True)
    listing_id: str = Field("The guide's listing.", key=True)
    attribute: str = Field("The orientation (0–3) of an attraction, or the quality (1–5) of a stay.", key=True,
                           holds="ours")  # fmt: skip
    rating: int = Field("Stays 1 to 5 by official class; attractions 0 no to 3 high, by rule.", ge=0, le=5,
                        holds="derived")  # fmt: skip
    tag: str = Field("The tag that says so, as key=value.", pattern=r"[^=]+=.+", makes=("rating",))
    name: str = Field("The name on the map, by which a planner finds the place among the guide's.")
    lat: float = Field("Latitude on the map, WGS84 degrees.", ge=-90, le=90)
    lon: float = Field("Longitude, as `lat`.", ge=-180, le=180)
    matched_by: str = Field("Equal Wikidata ids, or similar names close together.", isin=MATCHED_BY, holds="ours")
    engine: str = Field("Who read it: rules over tags.", isin=(TAGS,), holds="ours")
    source_rows: list[str] = Field("Pointers to the elements of the map.")


class ReviewReader(Table):
    """The weights by which the engine `learned` reads restaurant reviews; no rows where it does not read."""

    model: str = Field("What the weight is of: a subject, `judged` or `sign`.", key=True, holds="ours")
    feature: str = Field("A word, phrase, piece of a word, or what the word lists know.", key=True, holds="derived")
    weight: int = Field("Its weight a tenth of a feature, in 1/16,384 of a logit.", holds="derived")


class ReadingQuality(Table):
    """How a reader reads labelled real sentences, by subject and by the polarity that people gave it."""

    reader: str = Field("Who read: `rules` or `learned`.", key=True, holds="ours")
    subject: str = Field("food, service, room or value.", key=True, isin=tuple(SUBJECTS), holds="ours")
    polarity: str = Field("What people labelled.", key=True, isin=POLARITIES, holds="ours")
    sentences: int = Field("Sentences so labelled.", ge=0, holds="derived")
    found: int = Field("Those in which the reader found the subject.", ge=0, holds="derived")
    judged: int = Field("Those in which it judged the subject, which is what a rating counts.", ge=0, holds="derived")
    right: int = Field("Those that it judged the right way; neutral ones that it did not judge.", ge=0, holds="derived")
    mistaken: int = Field(
        "Sentences without this label of any polarity in which the reader judged so, or for neutral only found it.",
        ge=0,
        holds="derived",
    )


class RatingQuality(Table):
    """How well one attribute is read: against a planted truth, labelled sentences, the stars, or a second reader."""

    kind: str = Field("Kind of place.", key=True, holds="ours")
    attribute: str = Field(
        "The attribute; of labelled sentences, those that the label stands for.", key=True, holds="ours"
    )
    against: str = Field(
        "What it is held against. Only a truth or labels can show an error; stars and a second reader show agreement.",
        key=True,
        isin=("truth", "labels", "stars", "second reader"),
        holds="ours",
    )
    n: int = Field("Rated places that could be compared; of labels, labelled sentences.", ge=1, holds="derived")
    engine: str = Field(
        "Who read the reviews: `rules`, `learned` or the model's name; several joined by `+`.", holds="ours"
    )
    mae: float | None = Field("Mean absolute difference of the ratings.", ge=0, holds="derived")
    mae_mean: float | None = Field("The same of always giving the mean true rating.", ge=0, holds="derived")
    mae_stars: float | None = Field("The same of the place's rounded stars.", ge=0, holds="derived")
    spearman: float | None = Field(
        "Rank correlation with it; null if either is constant.", ge=-1, le=1, holds="derived"
    )
    improvement: float | None = Field("1 less the ratio of the error to the better baseline's.", le=1, holds="derived")
    evidence_precision: float | None = Field(
        "Share of the cited passages that overlap a sentence written of the attribute; null if none is cited.",
        ge=0,
        le=1,
        holds="derived",
    )
    precision: float | None = Field(
        "Share of the sentences it found that are labelled so.", ge=0, le=1, holds="derived"
    )
    recall_praise: float | None = Field("Share of the praising sentences it found.", ge=0, le=1, holds="derived")
    recall_complaint: float | None = Field("Share of the complaining sentences it found.", ge=0, le=1, holds="derived")
    judged_right: float | None = Field(
        "Share of the found praise and complaints that it judged the right way.", ge=0, le=1, holds="derived"
    )
