"""What a plan is worth to each user, and to the group (3.F): points by tier, minus the cost of splits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assets.grouptravel.checks.compromise import tables_restored_or_emptied
from assets.grouptravel.checks.splits import split_penalty
from assets.grouptravel.facts.money import in_hundredths
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import TYPE_OF_ACTIVITY, Pois
from assets.grouptravel.plan import LOCAL, Activity, Day, Plan
from assets.grouptravel.variants import Variant
from assets.grouptravel.vocabulary import LOCAL_MODE_KEYS
from assets.grouptravel.wishes.preferences import CITIES, GLOBAL, STRONG, WEAK, Table, read_table

DECIMALS = 6
"""Of what prices sum to in ours with the moves, of which each is a share of a fare."""

DIMENSIONS = ("attractions", "food", "transport", "hotel", "intensity", "budget")


@dataclass
class UserUtility:
    """One user's points by dimension, and the user's cost: hotels, joined meals, legs and, in ours, joined moves."""

    breakdown: dict[str, int] = field(default_factory=lambda: dict.fromkeys(DIMENSIONS, 0))
    cost: float = 0.0

    @property
    def total(self) -> int:
        """Return the sum of the points."""
        return sum(self.breakdown.values())


@dataclass(frozen=True)
class GroupUtility:
    """The users' points, the split penalty, and GU by both denominators, with two decimals."""

    users: dict[str, UserUtility]
    penalty: int
    participants: int
    variant: Variant

    @property
    def total(self) -> int:
        """Return the sum over users, less the penalty."""
        return sum(user.total for user in self.users.values()) - self.penalty

    @property
    def per_table(self) -> float:
        """Return GU by the users that have a table (released)."""
        return round(self.total / max(1, len(self.users)), 2)

    @property
    def per_participant(self) -> float:
        """Return GU by all participants, children without a table included (paper)."""
        return round(self.total / max(1, self.participants), 2)

    @property
    def value(self) -> float:
        """Return GU as the variant has it."""
        return self.per_participant if self.variant.utility_over_all else self.per_table


def group_utility(
    plan: Plan,
    tables: Mapping[str, Any],
    users: tuple[str, ...],
    pois: Pois,
    variant: Variant,
    original_entries: Mapping[str, Any] | None = None,
) -> GroupUtility:
    """Return what the plan is worth to the users by their effective tables; who has no table gets no points.

    `original_entries` are the tables before anybody compromised. With them a plan is worth in ours no more to a user
    than lists as they were, or refusals given up whole, make it: that a wish is dropped betters nothing.
    """
    tables_by_user = {user: read_table(tables.get(user))[0] for user in users}
    scorer = Scorer(plan, users, pois, variant)
    scored = {user: scorer.user(user, table) for user, table in tables_by_user.items() if table is not None}
    held_entries = original_entries if original_entries is not None and variant.concessions_only else {}
    for user in (user for user in scored if user in held_entries and held_entries[user] is not tables[user]):
        before, table = read_table(held_entries[user])[0], tables_by_user[user]
        if before is not None and table is not None:
            most = max((scorer.user(user, one) for one in tables_restored_or_emptied(before, table)), key=_total)
            scored[user] = min(scored[user], most, key=_total)
    return GroupUtility(scored, split_penalty(plan, users, variant), len(users), variant)


class Scorer:
    """Scores one plan for any of its users."""

    def __init__(self, plan: Plan, users: tuple[str, ...], pois: Pois, variant: Variant):
        self._plan, self._pois, self._variant = plan, pois, variant
        self._days = [
            [
                (block.city, act, frozenset(act.joined_by(users)))
                for block in day.blocks
                for act in block.activities or ()
            ]
            for day in plan.days
        ]
        self._visits = [visit for day in self._days for visit in day]
        self._voided = _double_booked(plan, users)
        # A move costs each who joins it the same, whatever the plan says of it; 0 where nothing is known.
        self._rides = [
            (ride_price(act, city, users, pois) or 0.0, joined)
            for city, act, joined in self._visits
            if act.kind == LOCAL and joined and variant.local_moves_cost
        ]

    def user(self, user: str, table: Table) -> UserUtility:
        """Return the user's points and cost."""
        utility = UserUtility()
        points = utility.breakdown
        for city, wishes in table[CITIES].items():
            points["attractions"] += self._attractions(user, city, wishes["attractions"])
            points["food"] += self._food(user, city, wishes["food"])
        caps = table[GLOBAL]
        points["transport"] = sum(transport_points(leg.mode, caps["transport"]) for _, leg in self._plan.legs)
        points["hotel"] = sum(self._hotels(day, caps["hotel_preference"]) for day in self._plan.days)
        points["intensity"] = self._intensity(user, caps["intensity"])
        utility.cost = self._cost(user)
        points["budget"] = -STRONG if 0 < caps["avg_budget"] < utility.cost else 0
        return utility

    def _joined(self, user: str, city: str, kind: str) -> list[tuple[Activity, Poi | None, bool]]:
        """Return the user's activities of a kind in a city: with the place, and whether it may earn points."""
        joined: list[tuple[Activity, Poi | None, bool]] = []
        counted_places: set[str] = set()
        for number, (where, act, people) in enumerate(self._visits):
            if act.kind != kind or where != city or user not in people:
                continue
            voided = self._voided.get(number, set())
            if voided and not self._variant.double_booking_voids_own_gain:
                continue
            poi = self._place(act.location, city, TYPE_OF_ACTIVITY[kind])
            if poi is None and not self._variant.invented_places_count:
                continue
            if self._variant.place_counts_once:
                key = poi.place_id if poi else act.location
                if key in counted_places:
                    continue
                counted_places.add(key)
            joined.append((act, poi, user not in voided))
        return joined

    def _attractions(self, user: str, city: str, wishes: dict[str, Any]) -> int:
        joined = self._joined(user, city, "attraction")
        total, matched = 0, set()
        for tier, points in (("must_visit", STRONG), ("reject_visit", -STRONG)):
            for name in wishes[tier]:
                hits = [entry for entry in joined if self._is_wanted(name, entry[0], entry[1], city)]
                matched |= {act.location for act, _, _ in hits}
                if hits and (points < 0 or any(gains for _, _, gains in hits)):
                    total += points
        for act, poi, gains in joined:
            if poi is not None and act.location not in matched:
                points = attraction_points(act.location, poi.category, wishes)
                total += points if gains else min(points, 0)
        return total

    def _food(self, user: str, city: str, wishes: dict[str, Any]) -> int:
        total = 0
        for act, poi, gains in self._joined(user, city, "food"):
            if poi is not None:
                points = food_points(act.location, poi.category, wishes)
                total += points if gains else min(points, 0)
        return total

    def _is_wanted(self, name: str, act: Activity, poi: Poi | None, city: str) -> bool:
        if self._variant.names_are_exact:
            # A name that the city has not is nobody's: else any place whose name holds it would do.
            place = self._pois.meant(name, city)
            return place is not None and poi is not None and place.place_id == poi.place_id
        return name in act.location

    def _place(self, name: str, city: str, poi_type: str) -> Poi | None:
        """Return the place that the plan names; in ours by its exact name, and of the type, or nothing."""
        if not self._variant.names_are_exact:
            return self._pois.find(name, city, poi_type)
        meant = self._pois.meant(name, city)
        return meant if meant is not None and meant.poi_type == poi_type else None

    def _hotels(self, day: Day, wishes: dict[str, list[str]]) -> int:
        nights = [(block.city, act) for block in day.blocks for act in block.activities or () if act.kind == "hotel"]
        if self._variant.night_is_last_hotel:
            nights = nights[-1:]
        hotels = [self._place(act.location, city, "hotels") for city, act in nights]
        return sum(hotel_points(poi.category, wishes) for poi in hotels if poi is not None)

    def _intensity(self, user: str, caps: dict[str, float]) -> int:
        points = 0
        for day in self._days:
            acts = [act for _, act, people in day if user in people]
            sights = [act for act in acts if act.kind == "attraction"]
            active = sum(_duration(act) for act in acts if act.kind in ("attraction", LOCAL))
            points -= STRONG * (0 < caps["max_poi_per_day"] < len(sights))
            points -= STRONG * (0 < caps["max_active_hours"] < active / 60)
        return points

    def _cost(self, user: str) -> float:
        costs = [leg.cost or 0.0 for _, leg in self._plan.legs]
        for _, act, people in self._visits:
            if act.kind == "hotel" or (act.kind == "food" and user in people):
                costs.append(act.cost or 0.0)
        paid = [cost for cost in costs if cost > 0 or not self._variant.costs_are_known]
        if not self._variant.conditions_hold:
            return sum(paid)
        # In hundredths, as the bound counts: what prices are stated below the world's, and what sums of doubles miss
        # by, is no money.
        rides = sum(price for price, people in self._rides if user in people)
        return round(sum(map(in_hundredths, paid)) + rides, DECIMALS)


def _total(utility: UserUtility) -> int:
    return utility.total


def ride_price(act: Activity, city: str, users: tuple[str, ...], pois: Pois) -> float | None:
    """Return what each of those who join a move pays for it; None where that is not known."""
    mode = LOCAL_MODE_KEYS.get(act.mode)
    one, other = (pois.meant(name, city) for name in (act.origin, act.destination))
    return pois.ways.price(mode, city, one, other, len(act.joined_by(users))) if mode else None


def food_points(name: str, category: str, wishes: dict[str, list[str]]) -> int:
    """Return a meal's points: by the first tier whose item the name contains, else by category.

    By category must and reject both fire where a table holds it in both (G2), prefer and avoid only where neither does.
    """
    for tier, points in (("must_eat", STRONG), ("reject_eat", -STRONG), ("prefer_eat", WEAK), ("avoid_eat", -WEAK)):
        if any(map(name.__contains__, wishes[tier])):
            return points
    return _tiered(category, (wishes["must_eat"], wishes["reject_eat"], wishes["prefer_eat"], wishes["avoid_eat"]))


def transport_points(mode: str, wishes: dict[str, list[str]]) -> int:
    """Return the points of one leg between cities by its mode; no mode, no points."""
    return _tiered(mode, (wishes["must"], wishes["reject"], wishes["prefer"], wishes["avoid"])) if mode else 0


def hotel_points(category: str, wishes: dict[str, list[str]]) -> int:
    """Return the points of one night in a hotel of the category."""
    return WEAK if category in wishes["prefer"] else -WEAK if category in wishes["avoid"] else 0


def transport_votes(mode: str, tables: Iterable[Table]) -> int:
    """Return the points of one leg between cities by its mode, of all users together."""
    return sum(transport_points(mode, table[GLOBAL]["transport"]) for table in tables)


def hotel_votes(category: str, tables: Iterable[Table]) -> int:
    """Return the points of one night in a hotel of the category, of all users together."""
    return sum(hotel_points(category, table[GLOBAL]["hotel_preference"]) for table in tables)


def attraction_points(name: str, category: str, wishes: dict[str, Any]) -> int:
    """Return the weak points of one attraction that no must or reject names."""
    pref = wishes["category_pref"]
    return WEAK * (_meets(name, category, pref["positive"]) - _meets(name, category, pref["negative"]))


def _tiered(value: str, tiers: tuple[list[str], list[str], list[str], list[str]]) -> int:
    must, reject, prefer, avoid = tiers
    if value in must or value in reject:
        return STRONG * (value in must) - STRONG * (value in reject)
    return WEAK if value in prefer else -WEAK if value in avoid else 0


def _meets(name: str, category: str, keywords: list[str]) -> bool:
    return category in keywords or any(map(name.__contains__, keywords))


def _duration(act: Activity) -> int:
    return act.end - act.start if act.start is not None and act.end is not None and act.end > act.start else 0


def _double_booked(plan: Plan, users: tuple[str, ...]) -> dict[int, set[str]]:
    """Return, by position in the plan's visits, the users who are elsewhere at the same time.

    Two activities of one day, place and start are one entry to the released code, and void each other.
    """
    users_by_key: dict[tuple[int, str, str], set[str]] = {}
    keys: list[tuple[int, str, str]] = []
    for day in plan.days:
        for block in day.blocks:
            acts = block.activities or ()
            keys += [(day.number, act.place, act.start_text) for act in acts]
            for act, user in block.elsewhere(users):
                users_by_key.setdefault((day.number, act.place, act.start_text), set()).add(user)
    return {position: users_by_key[key] for position, key in enumerate(keys) if key in users_by_key}
