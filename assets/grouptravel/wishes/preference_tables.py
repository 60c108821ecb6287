"""Preference tables, engine `rules`: drawn from candidate lists by who the member is, or inherited (3.D).

How much likelier a wish is for somebody is `people.py`. What a table must hold is `postvalidation.py`, which judges
every table, made here or by a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from assets.grouptravel.archetypes import Strategy
from assets.grouptravel.conditions import least_stay_min
from assets.grouptravel.draws import ranked, uniform_int
from assets.grouptravel.facts.categories import price_step
from assets.grouptravel.facts.kinds import clash, manner
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.profiles import Profile
from assets.grouptravel.skeleton import Skeleton
from assets.grouptravel.vocabulary import CAR, HIGH_SPEED, TRAIN
from assets.grouptravel.wishes.candidates import CityCandidates, offers_tastes
from assets.grouptravel.wishes.people import Person
from assets.grouptravel.wishes.postvalidation import MAX_TRIES, Problem, Setting, age_problems, problems, repaired
from assets.grouptravel.wishes.preferences import CITIES, GLOBAL, Table, copy_of, empty_table

BUDGET_ABOVE_FLOOR_PERCENT = {"easy": (0, 20), "medium": (0, 15), "hard": (0, 10)}
"""How far above the least a budget lies: so near that the best plan nearly spends the tightest purse [I]."""

MORE_BY_DIFFICULTY = {"easy": 0, "medium": 1, "hard": 2}
"""How many more things a member may want or refuse in a city, of those that a table has room for [I]."""

HARD_TO_PLACE_BY_DIFFICULTY = {"easy": 0.3, "medium": 2.5, "hard": 5.0}
"""How much oftener a member wishes for a kind that takes long or opens in the evening [I]."""

ITEMS_OF_A_CITY = 4
"""Items of attractions, and of food, that a city's table has at most before it inherits (3.C)."""


@dataclass
class DrawnTables:
    """The tables of one task by member number, in order of generation, what was repaired, and why it failed if so."""

    tables: dict[int, Table] = field(default_factory=dict)
    dropped_items: int = 0
    made_again: int = 0
    failures: list[Problem] = field(default_factory=list)


def make_tables(
    skeleton: Skeleton, setting: Setting, members: dict[int, Profile], *, seed: int, budget_step: int
) -> DrawnTables:
    """Return the tables of all members by the archetype's plan, each judged and repaired after it is made (G2).

    A table that repair leaves with a problem is made again, at most three times; then the task has failed.
    """
    drawn_tables = DrawnTables()
    for step in skeleton.archetype.plan:
        if step.strategy == "skip":
            continue
        partner = drawn_tables.tables.get(step.partner) if step.partner is not None else None
        remaining: list[Problem] = []
        for attempt in range(1 + MAX_TRIES):
            keys = (seed, skeleton.task_id, step.user, attempt)
            draw = _Draw(setting, members[step.user], keys, budget_step, skeleton)
            table, dropped = repaired(draw.table(step.strategy, partner), setting)
            drawn_tables.dropped_items += dropped
            remaining = [*problems(table, setting), *age_problems(table, setting, members[step.user].age)]
            if not remaining:
                drawn_tables.tables[step.user] = table
                break
            drawn_tables.made_again += attempt < MAX_TRIES
        if remaining:
            drawn_tables.failures = remaining
            return drawn_tables
    return drawn_tables


class _Draw:
    """One attempt at one member's table."""

    def __init__(
        self,
        setting: Setting,
        profile: Profile,
        keys: tuple[str | int, ...],
        budget_step: int,
        skeleton: Skeleton,
    ):
        self._setting, self._profile, self._keys, self._step = setting, profile, keys, budget_step
        self._level = skeleton.difficulty
        self._more = MORE_BY_DIFFICULTY[skeleton.difficulty]
        lats = [poi.lat for city in setting.cities.values() for poi in city.attractions if poi.lat is not None]
        self._person = Person(
            profile.age,
            tuple(tag[1] for tag in skeleton.archetype.tags),
            skeleton.first_date.month,
            lats[0] if lats else 0.0,
            profile.likes,
            profile.dislikes,
        )

    def table(self, strategy: Strategy, partner: Table | None) -> Table:
        """Return a table by the strategy; one that inherits starts from the partner's."""
        table = empty_table(tuple(self._setting.cities))
        if partner is None:
            table[GLOBAL] = self._global()
        else:
            table[GLOBAL] = copy_of(partner[GLOBAL])
        eaten: set[str] = set()
        for name, city in self._setting.cities.items():
            inherited = partner[CITIES][name] if partner is not None and strategy == "copy_minor" else None
            table[CITIES][name] = self._city(city, inherited, eaten)
            eaten |= set(table[CITIES][name]["food"]["must_eat"])
        return table

    def _global(self) -> Table:
        setting = self._setting
        served, refusable = _modes(setting)
        whole_trip_modes = {setting.vocabulary.modes[key] for key in setting.reach.whole_trip_modes}
        ranked_modes = self._ranked(served, "transport")
        is_grown = self._profile.age >= 18
        must = [word for word in ranked_modes if word in whole_trip_modes][: self._int(0, 1, "must") if is_grown else 0]
        prefer = ranked_modes[:1] if not must else []  # who insists on one says nothing of another
        others = self._ranked([word for word in refusable if word not in (*must, *prefer)], "refused", negative=True)
        is_firm = self._int(1, 4, "firm") == 1 and is_grown and bool(whole_trip_modes - set(others[:1]))
        avoid = others[:1] if not is_firm else others[1:2]
        types = dict.fromkeys(kind for city in setting.cities.values() for kind in city.hotel_categories)
        stays = _of_like_price(self._ranked(types, "stays"), min(self._int(1, 3, "stays"), len(types) - 1))
        unwanted = self._ranked([kind for kind in types if kind not in stays], "no stays", negative=True)
        calm = self._profile.age >= 60 or self._profile.age < 14
        low, high = ((2, 3), (6, 8)) if calm else ((3, 4), (8, 10))
        return {
            "avg_budget": self._budget(),
            "transport": {
                "must": must,
                "prefer": prefer,
                "avoid": avoid,
                "reject": others[:1] if is_firm else [],
            },
            "intensity": {
                "max_poi_per_day": self._int(*low, "max_poi"),
                "max_active_hours": self._int(*high, "max_hours"),
            },
            "hotel_preference": {"prefer": stays, "avoid": unwanted[:1]},
        }

    def _budget(self) -> int:
        floor = self._setting.reach.floor or 0.0
        above = floor * (100 + self._int(*BUDGET_ABOVE_FLOOR_PERCENT[self._level], "budget")) / 100
        return self._step * (int(above) // self._step + 1)

    def _city(self, city: CityCandidates, inherited: Table | None, eaten: set[str]) -> Table:
        sights, food = (inherited["attractions"], inherited["food"]) if inherited else (None, None)
        kinds = {poi.name: self._setting.vocabulary.category(poi.category, "attractions") for poi in city.attractions}
        unwanted = list(sights["category_pref"]["negative"]) if sights else []
        positive = list(sights["category_pref"]["positive"]) if sights else []
        partner_sights = set(sights["must_visit"]) if sights else set()
        free = [p for p in city.attractions if not _is_of(p, kinds[p.name], unwanted) and p.name not in partner_sights]
        wished = self._ranked_pois(free, kinds, city.name)
        least = 1 if city.attraction_categories else 2  # where no kind can be wished for, sights alone are named
        must = [poi.name for poi in wished][
            : least if inherited else self._int(least, max(least, 1 + (self._more > 0)), city.name, "musts")
        ]
        if not sights:
            positive = _by_day_too(self._wished_kinds(city), self._int(1, 2, city.name, "positives"))
            open_to_refusal = [
                kind for kind in city.attraction_categories
                if not any(clash(kind, other) for other in (*positive, *(kinds[name] for name in must)))
                and not any(kind in name for name in must)
            ]  # fmt: skip
            room = ITEMS_OF_A_CITY - len(must) - len(positive)
            n = min(room, self._int(0, 1 + (self._more > 1), city.name, "negatives"))
            unwanted = self._ranked(open_to_refusal, city.name, "negative", negative=True)[:n]
        n_reject = self._int(0, 1, city.name, "rejects")
        refusable = [
            poi for poi in city.attractions
            if poi.name not in (*must, *partner_sights) and manner(kinds[poi.name]).is_refused
            and not any(clash(kinds[poi.name], kind) for kind in positive)
        ]  # fmt: skip
        rejected = self._ranked_pois(refusable, kinds, city.name, "reject_visit", negative=True)[:n_reject]
        return {
            "attractions": {
                "must_visit": must,
                "reject_visit": [poi.name for poi in rejected],
                "category_pref": {"positive": positive, "negative": unwanted},
            },
            "food": self._food(city, food, eaten),
        }

    def _wished_kinds(self, city: CityCandidates) -> list[str]:
        """Return the city's kinds of sights in the member's order of wish; in harder tasks first what is hard to place.

        That is what takes longer than others, or opens in the evening.
        """
        hard = HARD_TO_PLACE_BY_DIFFICULTY[self._level]
        weights = (
            (kind, kind, self._person.wish(kind) * (hard if is_hard_to_place(kind) else 1.0))
            for kind in city.attraction_categories
        )
        return ranked(weights, *self._keys, city.name, "positive")

    def _food(self, city: CityCandidates, inherited: Table | None, eaten: set[str]) -> Table:
        if not offers_tastes(city):
            return {"must_eat": [], "prefer_eat": [], "avoid_eat": [], "reject_eat": []}
        prefer = list(inherited["prefer_eat"]) if inherited else []
        avoid = list(inherited["avoid_eat"]) if inherited else []
        dishes = [d for d in city.food_categories if d not in prefer and not any(clash(d, kind) for kind in avoid)]
        new_first = [d for d in dishes if d not in eaten] or dishes
        must = self._ranked(new_first, city.name, "must_eat")[:1]
        other_dishes = [d for d in dishes if d not in must]
        if not inherited:
            prefer = self._ranked(other_dishes, city.name, "prefer_eat")[: self._int(1, 2, city.name, "prefers")]
            others = self._refusable(other_dishes, (*must, *prefer))
            avoid = self._ranked(others, city.name, "avoid_eat", negative=True)[: self._int(0, 1, city.name, "avoids")]
        others = [d for d in self._refusable(other_dishes, (*must, *prefer)) if d not in avoid]
        n_reject = min(1, self._int(0, 2 + self._more, city.name, "food_rejects") // 2)
        reject = self._ranked(others, city.name, "reject_eat", negative=True)[:n_reject]
        return {"must_eat": must, "prefer_eat": prefer, "avoid_eat": avoid, "reject_eat": reject}

    def _refusable(self, dishes: list[str], kinds: Iterable[str]) -> list[str]:
        """Return the dishes that somebody who wants the others can well refuse."""
        liked = list(kinds)
        return [dish for dish in dishes if not any(clash(dish, kind) for kind in liked)]

    def _ranked(self, words: Iterable[str], *what: str | int, negative: bool = False) -> list[str]:
        """Return the words in the member's order of wish, or of refusal; without what they never speak of."""
        weigh = self._person.refusal if negative else self._person.wish
        return ranked(((word, word, weigh(word)) for word in words), *self._keys, *what)

    def _ranked_pois(
        self, pois: list[Poi], kinds: dict[str, str], city: str, what: str = "must_visit", negative: bool = False
    ) -> list[Poi]:
        """Return the places in the member's order of wish, or of refusal: the better known twice as often."""
        half = max(1, len(pois) // 2)
        weigh = self._person.refusal if negative else self._person.wish
        options = ((p.place_id, p, weigh(kinds[p.name], p.name) * (2 if i < half else 1)) for i, p in enumerate(pois))
        return ranked(options, *self._keys, city, what)

    def _int(self, low: int, high: int, *what: str | int) -> int:
        return uniform_int(low, high, *self._keys, *what)


def _modes(setting: Setting) -> tuple[list[str], list[str]]:
    """Return the words of the modes that a trip's travellers may want, and of those that they may refuse.

    Where one mode alone leads there is nothing to wish for. Where something runs by land somebody may also say that
    nobody drives; to an island nobody speaks of trains or cars.
    """
    words = setting.vocabulary.modes
    served = (*setting.reach.whole_trip_modes, *setting.reach.part_trip_modes)
    if len(served) < 2:
        return [], []
    by_land = [CAR] if {HIGH_SPEED, TRAIN} & set(served) else []
    return [words[key] for key in served], [word for key, word in words.items() if key in (*served, *by_land)]


def _of_like_price(kinds: Sequence[str], n: int) -> list[str]:
    """Return n kinds of stays that one person likes: as dear as the cheapest of the first n, or a step of price more.

    Budgets lie near the least that a trip costs, so that the cheapest is what is meant.
    """
    least = min(map(price_step, kinds[:n]), default=0)
    return [kind for kind in kinds if 0 <= price_step(kind) - least <= 1][: max(0, n)]


def _by_day_too(kinds: Sequence[str], n: int) -> list[str]:
    """Return the first n kinds of sights; of nightlife one at most, and beside it one for the day.

    A day is spent in bars alone where a member's every wish is for them.
    """
    nights = [kind for kind in kinds[:n] if manner(kind).is_after_dark][:1]
    by_day = [kind for kind in kinds if not manner(kind).is_after_dark]
    easy_first = sorted(by_day, key=is_hard_to_place) if nights else by_day
    return [*nights, *easy_first[: max(1, n - len(nights))]]


def is_hard_to_place(kind: str) -> bool:
    """Return whether a visit takes more than an hour, or is for the evening."""
    return least_stay_min("attractions", kind) > 60 or manner(kind).is_after_dark


def _is_of(poi: Poi, kind: str, categories: list[str]) -> bool:
    return any(clash(category, kind) or category in poi.name for category in categories)
