"""What must hold of a city's ratings beyond their schema, each check named as the sentence it asserts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assets.step import Verdict
from schemas.counts import counted
from schemas.reviews import ATTRACTION_ORIENTATIONS, ATTRIBUTES, LEARNED

if TYPE_CHECKING:
    import pandas as pd

ENOUGH_RATINGS = 50
"""Fewer ratings than this may be equal by chance."""
MOST_EQUAL = 0.9
FEWEST_ATTRIBUTES = min(len(attributes) for attributes in ATTRIBUTES.values())


def ratings_tell_places_apart(ratings: pd.DataFrame) -> Verdict:
    """A scale on which nearly all ratings are equal cannot state a preference, and points to text that is not read."""
    is_orientation = ratings["attribute"].isin(ATTRACTION_ORIENTATIONS)
    shares = []
    for scale, rows in (("1 to 5", ratings[~is_orientation]), ("0 to 3", ratings[is_orientation])):
        if len(rows) >= ENOUGH_RATINGS:
            counts = rows["rating"].value_counts()
            shares.append((scale, int(counts.max()) / len(rows)))
    text = ", ".join(f"{share:.0%} of the ratings {scale} are equal" for scale, share in shares)
    return Verdict(all(share <= MOST_EQUAL for _, share in shares), text or "too few ratings to tell")


def every_mention_has_a_passage(ratings: pd.DataFrame) -> Verdict:
    """A rating read from text names passages it rests on; silence and published ratings have none.

    The engine `learned` has none where no passage is sure enough to be cited.
    """
    bad = [
        f"{place_id}/{attribute}"
        for place_id, attribute, mentions, evidence, engine in zip(
            *(ratings[c] for c in ("place_id", "attribute", "mentions", "evidence", "engine")), strict=True
        )
        if not _fits(int(mentions), evidence, may_be_silent=engine == LEARNED)
    ]
    examples = f", such as {sorted(bad)[:3]}" if bad else ""
    return Verdict(not bad, f"{counted(len(bad), 'rating')} without fitting passages{examples}")


def most_attributes_of_a_rated_place_are_rated(ratings: pd.DataFrame) -> Verdict:
    """Places rated on one attribute in five cannot be searched by the others: too few reviews were kept, or read."""
    if ratings.empty:
        return Verdict(True, "no ratings")
    per_place = len(ratings) / ratings["place_id"].nunique()
    return Verdict(per_place >= FEWEST_ATTRIBUTES / 2, f"{per_place:.1f} attributes a rated place")


def _fits(mentions: int, evidence: list[dict[str, int]], may_be_silent: bool) -> bool:
    are_spans_valid = all(0 <= passage["start"] < passage["end"] for passage in evidence)
    return are_spans_valid and len(evidence) <= mentions and (bool(evidence) == bool(mentions) or may_be_silent)
