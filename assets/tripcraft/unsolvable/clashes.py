"""Which wishes of a request for a trip clash: a bound on every plan that the checks of `ours` accept.

For every order of cities, and for a trip that passes home on its way, the least is counted that any accepted plan has.
Why each row holds, by the checks' names:

- `reasonable_city_route`: the days' cities are a closed round from home over the cities to visit, each in one run, home
  again at most once where it lies in their region; every change of city is a way made on one day (`within_sandbox`),
  by one's own car throughout or never (`non_conflicting_transport`). So the ways cost at least the cheapest of each
  change, of one of the two kinds, on any date of the trip.
- Home has the first morning and the last evening alone, but where it is passed on the way (`reasonable_city_route`).
- A city's run has two entries or more, so one night at least ends in it; every day but the last has a stay
  (`complete_information`) in the city where it ends (`within_current_city`), and every stay is of the type and rules
  asked for. So beds cost at least the cheapest of each city, and of all for the other nights.
- A day without a change of city has three meals in its city, no table twice (`diverse_restaurants`). Days without
  change are the days less the changes. So meals cost at least the cheapest tables of all cities, as many.
- What is asked of meals, sights and events is met at the destinations, events on a date of the trip.

A set of wishes clashes if no order is left. Fewer wishes never bind more: each row falls when a wish is taken away.
`assets.tripcraft.checks.clashes` counts the same in another way, to judge what is drawn by this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise, permutations
from math import inf, perm

from assets.core.claims import Wish
from assets.tripcraft.checks.clashes import wishes_of, with_wishes
from assets.tripcraft.checks.hard import permits
from assets.tripcraft.entities import Stay
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.vocabulary import EXCLUDED_BY, ROOM_TYPES_MEETING, VISITED_CITIES

MEALS_A_DAY = 3
MOST_ORDERS = 2_000
"""More orders of cities are not looked through: nothing is said of such a trip."""


@dataclass(frozen=True)
class Clash:
    """A smallest set of wishes that no plan meets, and the least that a trip costs which meets all but the budget."""

    wishes: tuple[Wish, ...]
    least_cost: int | None


class Bound:
    """The least that plans need in one world. Raises ValueError for a trip with too many orders of cities."""

    def __init__(self, world: Reference) -> None:
        """Take the world that plans are made of."""
        self._world = world
        self._cost = lru_cache(maxsize=None)(self._least_of_leg)

    def is_impossible(self, record: Record) -> bool:
        """Return whether no plan meets the record."""
        least = self.least_cost(record)
        return least is None or least > record["budget"]

    def least_cost(self, record: Record) -> int | None:
        """Return what every plan costs at least that meets all wishes but the budget; None if none meets them."""
        costs = [self._of_order(record, order) for order in self._orders(record)]
        return min((cost for cost in costs if cost is not None), default=None)

    def can_be_looked_through(self, record: Record) -> bool:
        """Return whether the trip has few enough orders of cities."""
        return perm(len(self._region(record)), VISITED_CITIES[record["days"]]) <= MOST_ORDERS

    def smallest_clash(self, record: Record) -> Clash | None:
        """Return a smallest set of the request's wishes that clash, each needed; None where nothing is shown."""
        if not self.can_be_looked_through(record) or not self.is_impossible(record):
            return None
        wishes = wishes_of(record)
        for size in range(len(wishes) + 1):
            for some in combinations(wishes, size):
                if self.is_impossible(with_wishes(record, some)):
                    return Clash(some, self.least_cost(record))
        raise AssertionError("all wishes together clash, and no subset of them does")

    def is_clash(self, record: Record, wishes: Sequence[Wish]) -> bool:
        """Return whether the wishes named are the request's own, clash, and each is needed for it."""
        if len(set(wishes)) != len(wishes) or not set(wishes) <= set(wishes_of(record)):
            return False
        if not self.is_impossible(with_wishes(record, wishes)):
            return False
        return not any(self.is_impossible(with_wishes(record, [w for w in wishes if w != one])) for one in wishes)

    def _region(self, record: Record) -> list[str]:
        if record["dest_city_id"] is not None:
            return [record["dest_city_id"]]
        cities = self._world.cities_in(record["dest_region"], record["dest_country"])
        return [city for city in cities if city != record["origin_city_id"]]

    def _orders(self, record: Record) -> Iterator[tuple[str, ...]]:
        """Yield the cities from home to home: every order, and with home once between two where it may be."""
        if not self.can_be_looked_through(record):
            raise ValueError("the trip has too many orders of cities to look through")
        home = record["origin_city_id"]
        is_inside = record["dest_city_id"] is None and home in self._world.cities_in(
            record["dest_region"], record["dest_country"]
        )
        for order in permutations(self._region(record), VISITED_CITIES[record["days"]]):
            yield (home, *order, home)
            if is_inside:
                yield from ((home, *order[:n], home, *order[n:], home) for n in range(1, len(order)))

    def _of_order(self, record: Record, order: tuple[str, ...]) -> int | None:
        """Return the least cost of plans over one order of cities; None where it lacks something."""
        dests = list(dict.fromkeys(city for city in order if city != record["origin_city_id"]))
        constraints, world = record["constraints"], self._world
        cuisines = {kind for city in dests for place in world.restaurants_in(city) for kind in place.cuisines}
        categories = {kind for city in dests for place in world.attractions_in(city) for kind in place.categories}
        dates = set(record["dates"])
        segments = {event.segment for city in dests for event in world.events_in(city) if event.date in dates}
        for kinds, offered in (
            (constraints["cuisine"], cuisines),
            (constraints["attraction"], categories),
            (constraints["event"], segments),
        ):
            if not set(kinds or ()) <= offered:
                return None
        parts = (self._ways(record, order), self._beds(record, order), self._meals(record, order))
        return None if inf in parts else int(sum(parts))

    def _ways(self, record: Record, order: tuple[str, ...]) -> float:
        excluded = EXCLUDED_BY.get(record["constraints"]["transportation"] or "", ())
        legs, dates, people = list(pairwise(order)), tuple(record["dates"]), record["people"]
        return min(
            sum(self._cost(origin, dest, dates, people, own_car, excluded) for origin, dest in legs)
            for own_car in (True, False)
        )

    def _least_of_leg(
        self, origin: str, dest: str, dates: tuple[str, ...], people: int, own_car: bool, excluded: tuple[str, ...]
    ) -> float:
        world = self._world
        drive = world.drive(origin, dest)
        mode = "self_driving" if own_car else "taxi"
        costs = [] if drive is None or mode in excluded else [world.car_rates.cost(mode, drive.distance_km, people)]
        if not own_car:
            costs += [
                service.price * people
                for date in dates
                for service in world.scheduled_between(origin, dest, date)
                if service.mode not in excluded
            ]
        return min(costs, default=inf)

    def _beds(self, record: Record, order: tuple[str, ...]) -> float:
        def least(city: str) -> float:
            beds = (stay for stay in self._world.stays_in(city) if self._suits(stay, record))
            return min((stay.price * stay.rooms(record["people"]) for stay in beds), default=inf)

        between = {city: least(city) for city in order[1:-1]}
        each = [price for city, price in between.items() if city != record["origin_city_id"]]
        return sum(each) + min(between.values()) * max(0, record["days"] - 1 - len(each))

    @staticmethod
    def _suits(stay: Stay, record: Record) -> bool:
        constraints = record["constraints"]
        room, rule = constraints["room_type"], constraints["house_rule"]
        return (room is None or stay.room_type in ROOM_TYPES_MEETING[room]) and (rule is None or permits(stay, rule))

    def _meals(self, record: Record, order: tuple[str, ...]) -> float:
        full_days = max(0, record["days"] - (len(order) - 1))
        cities = dict.fromkeys(order[1:-1])
        costs = sorted(place.avg_cost for city in cities for place in self._world.restaurants_in(city))
        needed = MEALS_A_DAY * full_days
        # Places of one name are one table to a plan, which pays the dearest's price: no less than any of them.
        return sum(costs[:needed]) * record["people"] if len(costs) >= needed else inf
