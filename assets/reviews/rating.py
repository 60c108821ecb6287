"""Each place's ratings from its kept reviews, with evidence and confidence, whoever read the reviews.

What one review says is read by rules (`reading.py`) or by a model (`model.py`); here the reviews of a place vote, one
vote an attribute each, so no review moves a rating by more than its share. A place's ratings depend on its own reviews
alone, so a changed review changes one place.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from assets.reviews.languages import is_read, language_of
from assets.reviews.leaning import EVEN, NORMAL_90, Recall, half_width, trimmed_mean
from assets.reviews.lexicon import lexicon
from assets.reviews.reading import Mention, read_review
from assets.step import Outcome
from schemas.counts import counted
from schemas.rejection import Reason
from schemas.reviews import ATTRIBUTES, PlaceRating

ENGINE = "rules"
ReadText = Callable[[str, str], list[Mention]]
"""From a review's text and its place's kind to the passages that judge an attribute."""
LOW_DEGREE, HIGH_DEGREE = 1.0, 3.0
MAX_EVIDENCE = 10
TRIMMED_SHARE = 0.25
"""Share of the votes left out at either end, so that a misread review does not pull: the interquartile mean."""
PRIOR_VOTES = 0.25
"""Weight of the stars, in votes: a single review moves the estimate four fifths of the way."""
SILENT_VOTES = 0.1
"""Weight of a review that does not speak of an orientation, as a vote for degree 0: ten of them are one denial."""
FULL_SHARE = 0.4
"""Share of the reviews that, when they all affirm an orientation, shows it to be of the highest degree."""
UNSEEN_REVIEWS = 2
"""Silent reviews assumed beside those kept, so that one review alone does not show the highest degree."""
MIN_SILENT_REVIEWS = 10
"""From so many reviews on, silence of all of them on an orientation is read as degree 0; of fewer it is no evidence."""
CONFIDENCE_VOTES = 3.0
"""Votes at which confidence would be half, if they agreed."""


NO_RECALL: Mapping[str, Recall] = {}
"""Where no labelled sentences are bound, nothing is known of what a reader overlooks."""

REVIEWS_AT_ONCE = 20_000
"""Reviews whose texts and passages are held at once, but for a single place that has more."""

Place = tuple[str, str]
"""city_id and place_id."""


@dataclass(frozen=True, slots=True)
class KeptReview:
    """What the engine uses of one kept review."""

    review_id: str
    stars: float | None
    """None where who wrote it gave none, such as a guide."""
    text: str
    source_row: str


@dataclass(frozen=True, slots=True)
class Vote:
    """What one review says of one attribute: the mean of its passages, and the passages."""

    review_id: str
    source_row: str
    value: float
    mentions: tuple[Mention, ...]


@dataclass(frozen=True)
class PlaceReading:
    """What an engine read in one place's reviews: votes by attribute, the calls behind them, or why it could not.

    `unread` are the languages of the reviews that the engine does not read, one entry a review; `unanswered` counts
    those of which a model gave no answer that passes, `problem` saying why of the first. None of them is a vote or
    silence; a place of which nothing else is known is not rated.
    """

    votes: dict[str, list[Vote]]
    generation_ids: tuple[str, ...] = ()
    problem: str = ""
    unread: tuple[str, ...] = ()
    unanswered: int = 0


Reader = Callable[[pd.DataFrame, Mapping[Place, list[KeptReview]]], dict[Place, PlaceReading]]
"""Returns what an engine reads in the kept reviews of each of the places (city_id, place_id, kind, …)."""


def read_by_rules(place: pd.DataFrame, reviews_by_place: Mapping[Place, list[KeptReview]]) -> dict[Place, PlaceReading]:
    """Return what the `rules` engine reads in each place's reviews."""
    return read_by_words(place, reviews_by_place, lambda text, kind: read_review(text, lexicon(kind)))


def read_by_words(
    place: pd.DataFrame, reviews_by_place: Mapping[Place, list[KeptReview]], read_text: ReadText
) -> dict[Place, PlaceReading]:
    """Return what is read in each place's reviews one by one, those left unread whose language has no word list."""
    readings = {}
    keys = zip(place["city_id"], place["place_id"], place["kind"], strict=True)
    for city_id, place_id, kind in keys:
        languages = [language_of(review.text) for review in reviews_by_place[city_id, place_id]]
        readable_reviews = [
            r for r, language in zip(reviews_by_place[city_id, place_id], languages, strict=True) if is_read(language)
        ]
        unread = tuple(language for language in languages if not is_read(language))
        readings[city_id, place_id] = PlaceReading(_votes(readable_reviews, kind, read_text), unread=unread)
    return readings


def rate_places(
    place: pd.DataFrame,
    review: pd.DataFrame,
    reader: Reader = read_by_rules,
    engine: str | Mapping[str, str] = ENGINE,
    recall: Mapping[str, Recall] = NO_RECALL,
) -> Outcome:
    """Return every place's ratings, read from its kept reviews, each with the passages it rests on.

    Restaurants and stays get 1 to 5 for each attribute: the interquartile mean of the reviews' votes, shrunk a little
    towards the mean stars of the place's kept reviews, where they give any. Attractions get 0 to 3 for each
    orientation: the mean of the degree that reviews state, where one that does not speak of it counts a little for 0,
    and of the degree that the share of affirming reviews shows. A place and attribute of which nothing is said is
    rejected as `no_evidence`; an orientation that none of MIN_SILENT_REVIEWS reviews or more mentions is rated 0,
    without passages and with the place's own source rows. A place of which a model could read no review is rejected as
    `no_valid_answer`.
    `engine` is the reader's name, or the names by kind of place. Votes count by `recall`, the reader's of each
    attribute of a restaurant (`leaning.py`). Each rating has an interval.
    Facts: `unread_reviews` by language, of those whose language the engine does not read, and `unanswered_reviews`,
    where there are any, of which a model gave no answer that passes.
    In: places times the attributes of their kind; out: rated and rejected.
    """
    rows: list[dict[str, Any]] = []
    rejections: list[dict[str, str]] = []
    unread_languages: Counter[str] = Counter()
    unanswered = 0
    for city_id, place_id, kind, place_rows, place_reviews, one in _read_in_turn(place, review, reader):
        unread_languages.update(one.unread)
        unanswered += one.unanswered
        name = engine if isinstance(engine, str) else engine[kind]
        for attribute in ATTRIBUTES[kind]:
            votes = one.votes.get(attribute, [])
            lean = recall.get(attribute, EVEN) if kind == "restaurant" else EVEN
            silent = (
                len(place_reviews) - len(one.unread) - one.unanswered - len(votes) if kind == "attraction" else None
            )
            is_lost = 0 < len(place_reviews) == one.unanswered
            rated = None if is_lost else _rate(votes, place_reviews, silent, lean)
            if rated is None:
                reason = Reason.NO_VALID_ANSWER if is_lost else Reason.NO_EVIDENCE
                unread = f", {len(one.unread)} in a language that is not read" if one.unread else ""
                unread += f", of {one.unanswered} no answer passed" if one.unanswered else ""
                detail = (
                    one.problem
                    if is_lost
                    else f"none of {counted(len(place_reviews), 'kept review')} speaks of {attribute}{unread}"
                )
                rejections.append({"row": f"{place_id}/{attribute}", "reason": reason.value, "detail": detail})
                continue
            key = {"city_id": city_id, "place_id": place_id, "attribute": attribute, "engine": name}
            rated["source_rows"] = rated["source_rows"] or list(place_rows)
            rows.append(key | rated | {"generation_ids": list(one.generation_ids)})
    columns = [column.name for column in PlaceRating.columns()]
    generations = {generation_id for row in rows for generation_id in row["generation_ids"]}
    return Outcome(
        pd.DataFrame(rows, columns=columns),
        rejections,
        rows_in=len(rows) + len(rejections),
        facts={
            "unread_reviews": dict(sorted(unread_languages.items())),
            **({"unanswered_reviews": unanswered} if unanswered else {}),
        },
        generations=sorted(generations),
    )


def rate_unrated_places(
    place: pd.DataFrame,
    review: pd.DataFrame,
    published: pd.DataFrame,
    reader: Reader = read_by_rules,
    engine: str | Mapping[str, str] = ENGINE,
    recall: Mapping[str, Recall] = NO_RECALL,
) -> Outcome:
    """Return the ratings of every place: as published for those that a published table rates, else as read.

    Each place and attribute is rated once or rejected. An attribute that a published table leaves out of a place it
    rates is rejected as `missing_value`, never filled from elsewhere.
    """
    is_published = place["place_id"].isin(published["place_id"])
    unrated = review[~review["place_id"].isin(published["place_id"])]
    outcome = rate_places(place[~is_published], unrated, reader, engine, recall)
    rated = set(zip(published["place_id"], published["attribute"], strict=True))
    missing = [
        {
            "row": f"{place_id}/{attribute}",
            "reason": Reason.MISSING_VALUE.value,
            "detail": "the published table has none",
        }
        for place_id, kind in zip(place.loc[is_published, "place_id"], place.loc[is_published, "kind"], strict=True)
        for attribute in ATTRIBUTES[kind]
        if (place_id, attribute) not in rated
    ]
    assert isinstance(outcome.rows, pd.DataFrame) and isinstance(outcome.rejections, list)
    pairs = sum(len(ATTRIBUTES[kind]) for kind in place["kind"])
    rows = pd.concat([published, outcome.rows])
    return Outcome(
        rows, [*missing, *outcome.rejections], rows_in=pairs, facts=outcome.facts, generations=outcome.generations
    )


def _read_in_turn(
    place: pd.DataFrame, review: pd.DataFrame, reader: Reader
) -> Iterator[tuple[str, str, str, list[str], list[KeptReview], PlaceReading]]:
    """Yield each place with its kept reviews and what is read in them; some places at a time, so that memory is bound.

    Columns: city_id, place_id, kind, source_rows; then the reviews and the reading.
    """
    of_place = review.groupby(["city_id", "place_id"], sort=False).indices
    places = place.sort_values(["city_id", "place_id"]).reset_index(drop=True)
    keys = list(zip(places["city_id"], places["place_id"], strict=True))
    counts = [len(of_place.get(key, ())) for key in keys]
    first = 0
    while first < len(keys):
        last, reviews = first + 1, counts[first]
        while last < len(keys) and reviews + counts[last] <= REVIEWS_AT_ONCE:
            reviews += counts[last]
            last += 1
        some = places.iloc[first:last]
        kept_of = {
            key: _distinct_reviews(review.iloc[of_place[key]]) if key in of_place else [] for key in keys[first:last]
        }
        readings = reader(some, kept_of)
        columns = (some[name] for name in ("city_id", "place_id", "kind", "source_rows"))
        for city_id, place_id, kind, rows in zip(*columns, strict=True):
            yield city_id, place_id, kind, rows, kept_of[city_id, place_id], readings[city_id, place_id]
        first = last


def _distinct_reviews(review: pd.DataFrame) -> list[KeptReview]:
    """Return a place's reviews by id; of several with the same text only the first, so that copies are one voice."""
    reviews_by_text: dict[str, KeptReview] = {}
    ordered = review.sort_values("review_id")
    columns = ("review_id", "stars", "text", "source_row")
    for review_id, stars, text, source_row in zip(*(ordered[c] for c in columns), strict=True):
        rating = None if stars is None or math.isnan(stars) else float(stars)
        reviews_by_text.setdefault(text.strip().casefold(), KeptReview(review_id, rating, text, source_row))
    return list(reviews_by_text.values())


def _votes(reviews: list[KeptReview], kind: str, read_text: ReadText) -> dict[str, list[Vote]]:
    """Return the votes for each attribute, in the order of the reviews: at most one a review, however long it is."""
    votes: dict[str, list[Vote]] = {}
    for row in reviews:
        by_attribute: dict[str, list[Mention]] = {}
        for mention in read_text(row.text, kind):
            by_attribute.setdefault(mention.attribute, []).append(mention)
        for attribute, mentions in by_attribute.items():
            value = math.fsum(mention.value for mention in mentions) / len(mentions)
            votes.setdefault(attribute, []).append(Vote(row.review_id, row.source_row, value, tuple(mentions)))
    return votes


def _rate(votes: list[Vote], reviews: list[KeptReview], silent: int | None, recall: Recall) -> dict[str, Any] | None:
    """Return one attribute's rating, score, interval, confidence, mentions, evidence and rows; None without evidence.

    `silent` is how many read reviews do not speak of an orientation, None of an attribute that is rated 1 to 5.
    """
    if not votes and (silent is None or silent < MIN_SILENT_REVIEWS):
        return None
    values = sorted(vote.value for vote in votes)
    if silent is None:
        score, half, low, high = _grade(values, reviews, recall), half_width(values, recall), 1.0, 5.0
    else:
        score, half, low, high = _degree(values, silent), _degree_half_width(values, silent), 0.0, HIGH_DEGREE
    score = round(score, 6)
    evidence = _passages(votes, score, is_cited_alone=True)
    behind = evidence or _passages(votes, score)
    rows_by_review = {vote.review_id: vote.source_row for vote in votes}
    return {
        "rating": math.floor(score + 0.5),
        "score": score,
        "score_low": round(max(low, score - half), 6),
        "score_high": round(min(high, score + half), 6),
        "confidence": _confidence(
            votes, len(votes) + SILENT_VOTES * (silent or 0), spread=2.0 if silent is None else 1.5
        ),
        "mentions": sum(len(vote.mentions) for vote in votes),
        "evidence": evidence,
        "source_rows": [rows_by_review[review_id] for review_id in dict.fromkeys(e["review_id"] for e in behind)],
    }


def _grade(values: list[float], reviews: list[KeptReview], recall: Recall) -> float:
    """Return the interquartile mean of the votes, shrunk towards the mean stars of the kept reviews that give any."""
    star_ratings = [row.stars for row in reviews if row.stars is not None]
    middle = trimmed_mean(values, recall, TRIMMED_SHARE)
    if not star_ratings:
        return middle
    stars = math.fsum(star_ratings) / len(star_ratings)
    weight = len(values)
    return (middle * weight + PRIOR_VOTES * stars) / (weight + PRIOR_VOTES)


def _degree(values: list[float], silent: int) -> float:
    """Return the mean of how strongly the reviews that speak of it put it, and of how many speak of it."""
    affirming = sum(1 for value in values if value >= LOW_DEGREE)
    stated_degree = math.fsum(values) / (len(values) + SILENT_VOTES * silent)
    share = affirming / (len(values) + silent + UNSEEN_REVIEWS)
    heard = HIGH_DEGREE * min(1.0, share / FULL_SHARE)
    return (stated_degree + heard) / 2


def _degree_half_width(values: list[float], silent: int) -> float:
    """Return half the width of a degree's 90 % interval: of what is said, by its spread, and of the share that says it.

    The share is smoothed by one review that affirms and one that does not (Laplace).
    """
    stated_half_width = half_width(values, EVEN) if values else 0.0
    reviews = len(values) + silent
    share = (sum(1 for value in values if value >= LOW_DEGREE) + 1) / (reviews + 2)
    heard = HIGH_DEGREE / FULL_SHARE * NORMAL_90 * math.sqrt(share * (1 - share) / (reviews + 2))
    return math.hypot(stated_half_width, min(heard, HIGH_DEGREE)) / 2


def _confidence(votes: list[Vote], weight: float, spread: float) -> float:
    """Return n / (n + CONFIDENCE_VOTES) times the agreement: 1 less the votes' deviation over the greatest possible."""
    agreement = 1.0
    if votes:
        mean = math.fsum(vote.value for vote in votes) / len(votes)
        deviation = math.sqrt(math.fsum((vote.value - mean) ** 2 for vote in votes) / len(votes))
        agreement = max(0.0, 1.0 - deviation / spread)
    return round(weight / (weight + CONFIDENCE_VOTES) * agreement, 6)


def _passages(votes: list[Vote], score: float, is_cited_alone: bool = False) -> list[dict[str, Any]]:
    """Return up to MAX_EVIDENCE passages, nearest to the score first, one of each review before a second of any."""
    ranked = []
    for vote in votes:
        mentions = [mention for mention in vote.mentions if mention.is_cited or not is_cited_alone]
        nearest_first = sorted(mentions, key=lambda m: (round(abs(m.value - score), 6), m.start, m.end))
        passages = dict.fromkeys((m.start, m.end) for m in nearest_first)
        distance = round(abs(nearest_first[0].value - score), 6) if nearest_first else 0.0
        ranked += [(turn, distance, vote.review_id, span) for turn, span in enumerate(passages)]
    ranked.sort()
    return [{"review_id": review_id, "start": s, "end": e} for _, _, review_id, (s, e) in ranked[:MAX_EVIDENCE]]
