"""The published records read back from their labels, and what the published tables offer each (defects I1 and I3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from assets.itinbench.checks.feasibility import MEALS_PER_DAY, VISITS_PER_DAY, Worth, can_pass_macro
from assets.itinbench.tables import PRICES, US_CUISINE_LABELS
from schemas.counts import counted
from schemas.errors import ExpectedError

Row = dict[str, Any]

LABELS = ("day", "price", "attraction", "cuisine", "restaurant", "hotel")
"""What of a record is told by words (facts 2.D)."""

FIRST = (100, 300)
"""The published tasks use the first 100 and the first 300 queries (facts 2.D)."""


@dataclass(frozen=True)
class Query:
    """A published record, with its labels taken apart (facts 2.D)."""

    index: int
    days: int
    prices: tuple[str, ...]
    orientation: str
    cuisine: str
    cuisine_labels: tuple[str, ...]
    restaurant: tuple[str, ...]
    hotel: tuple[str, ...]

    def restaurant_worth(self, row: Row) -> Worth:
        """Return what the restaurant brings to this query."""
        fits = row.get("cuisine_1") in self.cuisine_labels or row.get("cuisine_2") in self.cuisine_labels
        return row.get("price") in self.prices, fits, _met_count(row, self.restaurant)

    def stay_worth(self, row: Row) -> Worth:
        """Return what the hotel brings to this query."""
        return row.get("price") in self.prices, True, _met_count(row, self.hotel)

    def attraction_worth(self, row: Row) -> Worth:
        """Return what the attraction brings to this query."""
        phrases = (f"medium {self.orientation}", f"high {self.orientation}")
        return row.get("price") in self.prices, row.get(self.orientation) in phrases, 0


def read_queries(evals: Sequence[Row]) -> list[Query]:
    """Return the queries of `evals.jsonl`. Raises ValueError that names every record which does not read as one."""
    queries: list[Query] = []
    problems: list[str] = []
    for line, record in enumerate(evals, 1):
        try:
            queries.append(_query(record))
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
            problems.append(f"record {line}: {type(error).__name__}: {error}")
    if problems:
        raise ExpectedError(
            f"{len(problems)} of {counted(len(evals), 'record')} of evals.jsonl cannot be read as published: "
            f"{'; '.join(problems[:20])}. Expected index, and eval_info with day, price, attraction, cuisine, "
            "restaurant and hotel, each a list of labels"
        )
    return queries


def _query(record: Row) -> Query:
    info = record["eval_info"]
    for key, labels in info.items():
        if not isinstance(labels, list) or not all(isinstance(one, str) for one in labels if key in LABELS):
            raise TypeError(f"{key} is {labels!r:.60}")
    cuisine = info["cuisine"][0]
    return Query(
        index=int(record["index"]),
        days=int(info["day"][0].split()[0]),
        prices=tuple("$" * level for level in PRICES[info["price"][0].removesuffix(" budget")]),
        orientation=info["attraction"][0],
        cuisine=cuisine,
        cuisine_labels=US_CUISINE_LABELS if cuisine == "US" else (cuisine,),
        restaurant=tuple(phrase.removeprefix("good ") for phrase in info["restaurant"]),
        hotel=tuple(phrase.removeprefix("good ") for phrase in info["hotel"]),
    )


def _met_count(row: Row, attributes: Iterable[str]) -> int:
    return sum(row.get(a) in (f"good {a}", f"excellent {a}") for a in attributes)


@dataclass(frozen=True)
class Offer:
    """What the tables hold for one query: places that match everything, and whether any plan can pass macro."""

    query: Query
    restaurants: int
    breakfast_restaurants: int
    stays: int
    attractions: int
    can_pass: bool
    can_pass_distinct: bool

    @property
    def is_short(self) -> bool:
        """Return whether there are fewer matching restaurants than meals."""
        return self.restaurants < MEALS_PER_DAY * self.query.days


def offer(query: Query, restaurants: Sequence[Row], hotels: Sequence[Row], attractions: Sequence[Row]) -> Offer:
    """Return what the published tables offer the query."""
    meals = [query.restaurant_worth(row) for row in restaurants]
    stays = [query.stay_worth(row) for row in hotels]
    visits = [query.attraction_worth(row) for row in attractions]
    full = [row for row, worth in zip(restaurants, meals, strict=True) if worth == (True, True, len(query.restaurant))]
    can_pass, can_pass_distinct = (
        can_pass_macro(
            query.days,
            meals,
            stays,
            visits,
            preferences=len(query.restaurant),
            wishes=len(query.hotel),
            distinct=distinct,
        )
        for distinct in (False, True)
    )
    return Offer(
        query=query,
        restaurants=len(full),
        breakfast_restaurants=sum(serves_breakfast(row) for row in full),
        stays=sum(worth == (True, True, len(query.hotel)) for worth in stays),
        attractions=sum(worth[:2] == (True, True) for worth in visits),
        can_pass=can_pass,
        can_pass_distinct=can_pass_distinct,
    )


def serves_breakfast(row: Row) -> bool:
    """Return whether the published meals of the restaurant name breakfast or brunch."""
    meals = {meal.strip() for meal in str(row.get("good_for_meal", "")).split(",")}
    return not meals.isdisjoint(("breakfast", "brunch"))


def unmet(offers: Sequence[Offer]) -> dict[str, Any]:
    """Return I1: how many queries lack restaurants, which have none, and which no plan can pass."""
    short = [o for o in offers if o.is_short]
    none = [o.query.index for o in offers if o.restaurants == 0]
    impossible = [o.query.index for o in offers if not o.can_pass]
    distinct = [o.query.index for o in offers if not o.can_pass_distinct]
    all_of, short_of = (Counter(o.query.cuisine for o in some) for some in (offers, short))
    return {
        "queries": len(offers),
        "short": len(short),
        "none": len(none),
        "impossible": len(impossible),
        "impossible_distinct": len(distinct),
        "none_queries": none,
        "impossible_queries": impossible,
        "short_stays": sum(o.stays < 1 for o in offers),
        "short_attractions": sum(o.attractions < VISITS_PER_DAY * o.query.days for o in offers),
        "fewest_stays": min((o.stays for o in offers), default=None),
        "fewest_attractions": min((o.attractions for o in offers), default=None),
        "by_cuisine": {c: [short_of[c], n] for c, n in sorted(all_of.items(), key=lambda item: (-item[1], item[0]))},
        "first": {
            str(n): {
                "short": sum(o.query.index <= n for o in short),
                "impossible": sum(index <= n for index in impossible),
                "impossible_distinct": sum(index <= n for index in distinct),
            }
            for n in FIRST
        },
    }
