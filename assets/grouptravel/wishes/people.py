"""What follows from who somebody is: how much likelier a wish or a refusal is by age, group and season.

A declared table of ours [I]: no source tells what people of an age wish for; it keeps a child of eight from asking for
bars, and a grandmother from asking for a trampoline. What the member's own profile says multiplies it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from assets.grouptravel.facts.kinds import kinds_of, manner

AGES = (13, 18, 31, 60)
"""Where the next band begins: child, teenager, young, grown up, old."""

BY_AGE: Mapping[str, tuple[float, float, float, float, float]] = {
    "museum": (0.5, 0.4, 0.9, 1.3, 1.8), "art gallery": (0.1, 0.3, 1.0, 1.2, 1.4), "church": (0.1, 0.1, 0.5, 0.9, 1.8),
    "monument": (0.3, 0.3, 0.7, 1.0, 1.5), "castle": (2.0, 1.2, 1.0, 1.2, 1.3), "palace": (1.0, 0.8, 1.0, 1.2, 1.5),
    "temple": (0.3, 0.4, 0.8, 1.0, 1.4), "ruins": (0.8, 0.6, 0.8, 1.0, 1.3), "viewpoint": (0.6, 1.0, 1.6, 1.2, 0.9),
    "garden": (0.4, 0.2, 0.7, 1.1, 2.0), "park": (2.0, 0.7, 1.0, 1.2, 1.6), "beach": (3.0, 2.0, 1.8, 1.2, 0.4),
    "zoo": (5.0, 1.0, 0.7, 1.0, 0.5), "theme park": (5.0, 4.0, 1.2, 0.6, 0.05),
    "amusement": (3.0, 3.0, 1.2, 0.6, 0.1), "planetarium": (2.5, 1.2, 0.8, 0.9, 0.7),
    "theatre": (0.2, 0.2, 0.8, 1.2, 1.7), "shopping": (0.1, 1.8, 1.5, 1.0, 0.7), "spa": (0.0, 0.3, 1.2, 1.5, 1.3),
    "nightlife": (0.0, 0.0, 2.0, 0.7, 0.1), "casino": (0.0, 0.0, 0.5, 0.5, 0.3), "brewery": (0.0, 0.0, 1.3, 1.0, 0.6),
    "gift shop": (0.6, 0.5, 0.3, 0.3, 0.4), "cinema": (0.4, 0.5, 0.3, 0.2, 0.2),
    "department store": (0.0, 0.6, 0.5, 0.5, 0.5), "outdoor activity": (1.0, 1.4, 1.5, 1.0, 0.4),
    "boat tour": (1.5, 1.0, 1.0, 1.2, 1.4),
    "public art": (0.1, 0.4, 1.0, 0.9, 0.7), "memorial": (0.1, 0.1, 0.4, 0.8, 1.6),
    "fountain": (0.5, 0.2, 0.4, 0.5, 0.9),
    "sandwiches": (0.8, 0.6, 0.3, 0.2, 0.2), "salads": (0.1, 0.3, 0.6, 0.5, 0.4), "deli": (0.2, 0.2, 0.3, 0.3, 0.3),
    "fast food": (3.0, 3.0, 0.8, 0.2, 0.05), "pizza": (4.0, 3.0, 1.5, 0.9, 0.4), "burgers": (3.0, 3.0, 1.6, 0.8, 0.2),
    "pasta": (3.0, 1.5, 1.0, 1.0, 0.9), "sushi": (0.3, 1.4, 1.8, 1.2, 0.4), "kebab": (0.8, 2.0, 1.6, 0.7, 0.2),
    "pub food": (0.0, 0.2, 1.3, 1.0, 0.8), "local food": (0.4, 0.6, 1.2, 1.4, 1.8),
    "seafood": (0.2, 0.5, 1.0, 1.4, 1.5), "steak": (0.3, 0.9, 1.1, 1.3, 0.9),
    "vegetarian food": (0.3, 0.9, 1.4, 1.0, 0.7),
    "hostel": (0.3, 0.6, 2.0, 0.4, 0.1), "economy": (0.8, 0.8, 1.5, 0.9, 0.8),
    "budget chain": (0.8, 0.8, 1.4, 0.9, 0.7),
    "comfort": (1.0, 1.0, 0.9, 1.4, 1.6), "upscale": (0.6, 0.8, 0.7, 1.2, 1.2), "luxury": (0.5, 0.9, 0.5, 0.9, 0.9),
    "esports hotel": (0.2, 2.0, 0.8, 0.1, 0.0), "resort": (2.0, 1.2, 0.8, 1.2, 1.0),
}  # fmt: skip
"""Weight of a wish by age band; the nearest kind that holds the wish counts, 1 where none is here."""

BY_TAG: Mapping[str, Mapping[str, float]] = {
    "family": {"zoo": 2.0, "theme park": 2.0, "park": 1.5, "beach": 1.5, "nightlife": 0.1, "casino": 0.1, "hostel": 0.3,
               "apartment hotel": 2.0},
    "couple": {"viewpoint": 1.6, "garden": 1.4, "spa": 1.5, "hostel": 0.4, "arcade": 0.4},
    "couples": {"viewpoint": 1.5, "spa": 1.3},
    "women": {"spa": 1.4, "shopping": 1.4}, "men": {"brewery": 1.3, "outdoor activity": 1.4},
    "food": {"local food": 1.8, "market": 2.0}, "shopping": {"shopping": 2.0}, "photos": {"viewpoint": 2.0},
    "outdoors": {"outdoor activity": 2.0, "park": 1.6, "beach": 1.5}, "students": {"nightlife": 1.3, "luxury": 0.2},
    "dormitory": {"hostel": 2.0}, "three generations": {"park": 1.4, "nightlife": 0.1, "hostel": 0.3},
}  # fmt: skip
"""Weight by a tag of the group, in English."""

WARM: Mapping[str, float] = {"park": 1.4, "garden": 1.6, "beach": 2.0, "zoo": 1.2, "boat tour": 1.6, "theme park": 1.4,
                             "outdoor activity": 1.4, "water park": 1.6, "ice cream": 1.5}  # fmt: skip
COLD: Mapping[str, float] = {"park": 0.6, "garden": 0.4, "beach": 0.05, "zoo": 0.7, "boat tour": 0.3, "museum": 1.4,
                             "theme park": 0.4, "outdoor activity": 0.6, "water park": 0.4, "spa": 1.6, "theatre": 1.3,
                             "shopping": 1.2, "viewpoint": 0.8}  # fmt: skip
"""Weight by the season, where a year has them; within the tropics neither counts."""

TROPIC_DEGREES = 23.4
WARM_MONTHS, COLD_MONTHS = (5, 6, 7, 8, 9), (11, 12, 1, 2, 3)
"""Of the northern half; half a year apart in the southern."""

LIKED, DISLIKED = 4.0, 0.2
"""How much likelier what the profile likes, or dislikes, is wished for; refusing is the other way round."""
SELDOM = 0.15
"""How often, beside other kinds, what people look at in passing is wished for: statues, memorials [I]."""

LEAST_REFUSAL = 0.25
"""What everybody of an age wishes for is refused at least so often as what nobody has a view of."""


@dataclass(frozen=True)
class Person:
    """One member on one trip: years, the group's English tags, the month, the latitude of where it goes, tastes."""

    age: int
    tags: Collection[str] = ()
    month: int = 4
    lat: float = 0.0
    likes: tuple[str, ...] = ()
    dislikes: tuple[str, ...] = ()

    @cached_property
    def band(self) -> int:
        """Return the age band: 0 a child, 1 a teenager, 2 young, 3 grown up, 4 old."""
        return sum(self.age >= begins for begins in AGES)

    def may_speak_of(self, category: str) -> bool:
        """Return whether somebody of this age speaks of such a thing at all, for or against."""
        return self.age >= manner(category).least_age

    def wish(self, category: str, name: str = "") -> float:
        """Return the weight of wishing for a kind, or a place of that kind and name; 0 never."""
        if not self.may_speak_of(category):
            return 0.0
        seldom = SELDOM if manner(category).is_in_passing else 1.0
        return seldom * self._by_who(category) * self._taste(f"{name} {category}")

    def refusal(self, category: str, name: str = "") -> float:
        """Return the weight of not wanting it; 0 never: who is too young for a thing does not refuse it either."""
        if not self.may_speak_of(category):
            return 0.0
        wished = self._by_who(category)
        return max(LEAST_REFUSAL, 1 / max(wished, 0.2)) / self._taste(f"{name} {category}")

    def _by_who(self, category: str) -> float:
        if category not in self._weights:
            kinds = kinds_of(category)
            weight = _nearest({kind: weights[self.band] for kind, weights in BY_AGE.items()}, kinds)
            for tag in sorted(set(self.tags)):
                weight *= _nearest(BY_TAG.get(tag, {}), kinds)
            self._weights[category] = weight * _nearest(self._season, kinds)
        return self._weights[category]

    @cached_property
    def _weights(self) -> dict[str, float]:
        """Return what is known of `_by_who` so far: thousands of places are of a few kinds."""
        return {}

    @property
    def _season(self) -> Mapping[str, float]:
        month = self.month if self.lat >= 0 else (self.month + 5) % 12 + 1
        if abs(self.lat) < TROPIC_DEGREES:
            return {}
        return WARM if month in WARM_MONTHS else COLD if month in COLD_MONTHS else {}

    def _taste(self, text: str) -> float:
        lowered = text.casefold()
        likes = any(word.casefold() in lowered for word in self.likes)
        dislikes = any(word.casefold() in lowered for word in self.dislikes)
        return 1.0 if likes == dislikes else LIKED if likes else DISLIKED


def _nearest(weights: Mapping[str, float], kinds: tuple[str, ...]) -> float:
    return next((weights[kind] for kind in kinds if kind in weights), 1.0)
