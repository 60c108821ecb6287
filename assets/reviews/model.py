"""Reading reviews by a model: what each review says of each attribute, with the words it rests on, found in the text.

The model reads one review a call, unless the recipe asks for more at once, and `rating.py` adds the votes up, as it
does for the rules: whatever a review talks a model into, it moves a rating by no more than its own vote. A passage not
in its review fails the check; a review of which no answer passes has no vote.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import pandas as pd
from pydantic import Field, create_model

from assets.language.answers import Shape
from assets.language.asking import ASCII_PER_TOKEN_AT_LEAST, Ask, Prompt, Unanswered, estimated_tokens
from assets.language.untrusted import FENCE_RULES, Cleaned, cleaned, fenced
from assets.reviews import prompts
from assets.reviews.rating import KeptReview, Place, PlaceReading, Reader, Vote
from assets.reviews.reading import MAX_CHARACTERS_READ, Mention
from schemas.counts import counted
from schemas.reviews import ATTRIBUTES

MAX_QUOTE_CHARACTERS = 200
MAX_NOTES_PER_PAIR = 3
"""A review may say of one attribute several things; more than this is not reading but flooding."""
ANSWER_SHARE = 0.4
"""Part of the model's context kept free for the answer."""
MIN_ROOM_TOKENS = 400
TOKENS_PER_NOTE = 45
NOTES_PER_REVIEW = 2.5

MEANINGS: dict[str, str] = {
    "flavor": "how the food and drink taste",
    "freshness": "how fresh the food and its ingredients are",
    "service": "how the staff treat guests, how quick and attentive they are",
    "environment": "the room, its look, noise, comfort and cleanliness",
    "value": "what one gets for the price",
    "quality": "the rooms, beds, bathrooms and equipment, their state and cleanliness",
    "location": "where it is, how near and easy to reach things are",
    "safety": "how safe guests feel there, in the building and around it",
    "family": "things for families and children",
    "history": "the past: historic buildings, museums, memorials",
    "activity": "things to do oneself: sports, games, classes, rides",
    "nature": "parks, gardens, animals, water, views",
    "food": "eating and drinking there",
    "shopping": "shops, markets, souvenirs",
}


class Note(Shape):
    """What one review says of one attribute."""

    review: int
    quote: str


class Notes(Shape):
    """All that the reviews of one call say."""

    notes: list[Any]


@cache
def notes_shape(kind: str) -> type[Notes]:
    """Return the shape of the answer for a kind of place: its attributes, its scale."""
    low, high = scale(kind)
    make: Any = create_model  # the shape is made at run time, which no type checker follows
    note = make("Note", __base__=Note, attribute=(Literal[ATTRIBUTES[kind]], ...), rating=(int, Field(ge=low, le=high)))
    return make("Notes", __base__=Notes, notes=(list[note], ...))


def scale(kind: str) -> tuple[int, int]:
    """Return the lowest and highest rating of a kind of place (2.C)."""
    return (0, 3) if kind == "attraction" else (1, 5)


def reader(ask: Ask) -> Reader:
    """Return a reader that asks the model, a call for as many reviews of one place as fit into its context."""

    def read(place: pd.DataFrame, reviews_by_place: Mapping[Place, list[KeptReview]]) -> dict[Place, PlaceReading]:
        calls = [
            Call(key, kind, part, ask.context_tokens)
            for key, kind in zip(zip(place["city_id"], place["place_id"], strict=True), place["kind"], strict=True)
            for part in parts(reviews_by_place[key], ask.context_tokens, ask.reviews_per_call)
        ]
        readings = {key: PlaceReading({}) for key in reviews_by_place}
        for call, answer in zip(calls, ask(call.prompt() for call in calls), strict=True):
            before = readings[call.place]
            if isinstance(answer, Unanswered):
                lost = before.unanswered + len(call.reviews)
                readings[call.place] = replace(before, problem=before.problem or answer.problem, unanswered=lost)
            else:
                readings[call.place] = _with_votes(before, call.votes(answer.value), answer.generation_id)
        return readings

    return read


@dataclass(frozen=True)
class Call:
    """Some reviews of one place, asked about in one call."""

    place: Place
    kind: str
    reviews: Sequence[KeptReview]
    context_tokens: int

    def prompt(self) -> Prompt:
        """Return the call's prompt, its reviews fenced as data."""
        texts = [self._text(review) for review in self.reviews]
        return Prompt(
            row="/".join(self.place),
            system=instructions(self.kind),
            user=fenced({"review": n, "text": text.text} for n, text in enumerate(texts, 1)),
            shape=notes_shape(self.kind),
            check=_checker(texts),
            answer_tokens=math.ceil(len(texts) * NOTES_PER_REVIEW * TOKENS_PER_NOTE),
        )

    def votes(self, value: Notes) -> dict[str, list[Vote]]:
        """Return the votes that an accepted answer holds, in the order of the reviews."""
        mentions: dict[tuple[str, int], list[Mention]] = {}
        for note in value.notes:
            review = self.reviews[note.review - 1]
            text = self._text(review)
            at = text.text.index(note.quote)
            span = text.span(at, at + len(note.quote))
            mentions.setdefault((note.attribute, note.review), []).append(
                Mention(note.attribute, float(note.rating), *span)
            )
        votes: dict[str, list[Vote]] = {}
        for (attribute, number), review_mentions in sorted(mentions.items(), key=lambda item: item[0][1]):
            review = self.reviews[number - 1]
            mean = math.fsum(mention.value for mention in review_mentions) / len(review_mentions)
            votes.setdefault(attribute, []).append(
                Vote(review.review_id, review.source_row, mean, tuple(review_mentions))
            )
        return votes

    def _text(self, review: KeptReview) -> Cleaned:
        """Return what is read of a review: all of it, unless it alone would not fit into the context."""
        per_token = ASCII_PER_TOKEN_AT_LEAST if review.text.isascii() else 1.0
        return cleaned(review.text, min(MAX_CHARACTERS_READ, int(_room(self.context_tokens) * per_token)))


@cache
def instructions(kind: str) -> str:
    """Return the system message for a kind of place."""
    name = "orientations" if kind == "attraction" else "opinions"
    text = (files(prompts) / f"{name}.md").read_text(encoding="utf-8")
    message = text.format(
        kind="hotel" if kind == "stay" else kind,
        attributes=", ".join(ATTRIBUTES[kind]),
        quote=MAX_QUOTE_CHARACTERS,
        meanings="\n".join(f"- {attribute}: {MEANINGS[attribute]}" for attribute in ATTRIBUTES[kind]),
    )
    shape = '{"notes": [{"review": number, "attribute": name, "rating": number, "quote": text}, …]}'
    return f"{message}\nAnswer in JSON, with the number that each review has in the data: {shape}\n\n{FENCE_RULES}"


def parts(reviews: Sequence[KeptReview], context_tokens: int, most: int) -> list[list[KeptReview]]:
    """Return the reviews in runs of at most so many that fit into the context beside instructions and answer.

    The runs depend on the reviews and the context alone. A review longer than a run has one of its own, and is cut.
    """
    room = _room(context_tokens)
    runs: list[list[KeptReview]] = []
    room_left = 0
    for review in reviews:
        size = estimated_tokens(review.text[:MAX_CHARACTERS_READ], ASCII_PER_TOKEN_AT_LEAST) + 20
        if not runs or size > room_left or len(runs[-1]) >= most:
            runs.append([])
            room_left = room
        runs[-1].append(review)
        room_left -= size
    return runs


def _room(context_tokens: int) -> int:
    """Return the tokens that reviews may take of a context, beside the longest instructions and the answer."""
    instruction_tokens = max(estimated_tokens(instructions(kind)) for kind in ATTRIBUTES)
    return max(MIN_ROOM_TOKENS, int(context_tokens * (1 - ANSWER_SHARE)) - instruction_tokens)


def _checker(texts: Sequence[Cleaned]) -> Callable[[Notes], list[str]]:
    def check(value: Notes) -> list[str]:
        """Return the notes on reviews that were not given, and those whose quote is not in their review."""
        problems: list[str] = []
        note_counts: dict[tuple[int, str], int] = {}
        for note in value.notes:
            where = f"review {note.review}, {note.attribute}"
            note_counts[note.review, note.attribute] = note_counts.get((note.review, note.attribute), 0) + 1
            if not 1 <= note.review <= len(texts):
                problems.append(f"{where}: there are reviews 1 to {len(texts)}")
            elif not note.quote.strip() or len(note.quote) > MAX_QUOTE_CHARACTERS:
                problems.append(
                    f"{where}: the quote has {counted(len(note.quote), 'character')}, not 1 to {MAX_QUOTE_CHARACTERS}"
                )
            elif note.quote not in texts[note.review - 1].text:
                problems.append(f"{where}: the quote {note.quote[:60]!r} does not stand in that review")
        problems += [
            f"review {review}, {attribute}: {count} notes, at most {MAX_NOTES_PER_PAIR}"
            for (review, attribute), count in note_counts.items()
            if count > MAX_NOTES_PER_PAIR
        ]
        return problems[:12]

    return check


def _with_votes(before: PlaceReading, votes: dict[str, list[Vote]], generation_id: str) -> PlaceReading:
    joined = {a: [*before.votes.get(a, []), *votes.get(a, [])] for a in {**before.votes, **votes}}
    return replace(before, votes=joined, generation_ids=(*before.generation_ids, generation_id))
