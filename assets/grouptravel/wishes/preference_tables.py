"""Preference tables, engine `rules`: drawn from candidate lists by the member's profile, or inherited (3.D).

What a table must hold is `postvalidation.py`, which judges every table, made here or by a model.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from assets.grouptravel.archetypes import Strategy
from assets.grouptravel.draft import Skeleton
from assets.grouptravel.draws import ranked, uniform_int
from assets.grouptravel.facts.pois import Poi
from assets.grouptravel.facts.profiles import Profile
from assets.grouptravel.wishes.candidates import CityCandidates
from assets.grouptravel.wishes.postvalidation import MAX_TRIES, Problem, Setting, problems, repaired
from assets.grouptravel.wishes.preferences import CITIES, GLOBAL, Table, copy_of, empty_table

LIKED, DISLIKED = 6.0, 0.2
"""How much likelier a member is to ask for what the profile likes, or dislikes; our choice [I]."""

BUDGET_ABOVE_FLOOR_PERCENT = (10, 90)
"""How far above the least possible a budget lies; our choice [I]."""


@dataclass
class Made:
    """The tables of one task by member number, in order of generation, what was repaired, and why it failed if so."""

    tables: dict[int, Table] = field(default_factory=dict)
    dropped_items: int = 0
    made_again: int = 0
    failures: list[Problem] = field(default_factory=list)


def make_tables(
    skeleton: Skeleton, setting: Setting, members: dict[int, Profile], *, seed: int, budget_step: int
) -> Made:
    """Return the tables of all members by the archetype's plan, each judged and repaired after it is made (G2).

    A table that repair leaves with a problem is made again, at most three times; then the task has failed.
    """
    made = Made()
    for step in skeleton.archetype.plan:
        if step.strategy == "skip":
            continue
        partner = made.tables.get(step.partner) if step.partner is not None else None
        remaining: list[Problem] = []
        for attempt in range(1 + MAX_TRIES):
            keys = (seed, skeleton.task_id, step.user, attempt)
            draw = _Draw(setting, members[step.user], keys, budget_step)
            table, dropped = repaired(draw.table(step.strategy, partner), setting)
            made.dropped_items += dropped
            remaining = problems(table, setting)
            if not remaining:
                made.tables[step.user] = table
                break
            made.made_again += attempt < MAX_TRIES
        if remaining:
            made.failures = remaining
            return made
    return made


class _Draw:
    """One attempt at one member's table."""

    def __init__(self, setting: Setting, profile: Profile, keys: tuple[str | int, ...], budget_step: int):
        self._setting, self._profile, self._keys, self._step = setting, profile, keys, budget_step

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
        setting, modes = self._setting, self._setting.vocabulary.modes
        served = [modes[key] for key in (*setting.reach.whole, *setting.reach.part)]
        whole = {modes[key] for key in setting.reach.whole}
        wanted = self._ranked(served, "transport")
        must = [word for word in wanted if word in whole][: self._int(0, 1, "must")]
        prefer = [word for word in wanted if word not in must][: self._int(0 if must else 1, 1, "prefer")]
        others = self._ranked([w for w in modes.values() if w not in (*must, *prefer)], "refused", negative=True)
        is_firm = self._int(1, 4, "firm") == 1 and bool(whole - set(others[:1]))
        avoid = others[:1] if not is_firm else others[1:2]
        types = [kind for city in setting.cities.values() for kind in city.hotel_categories]
        stays = self._ranked(dict.fromkeys(types), "stays")
        n_stays = self._int(1, 3, "stays")
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
            "hotel_preference": {"prefer": stays[:n_stays], "avoid": stays[n_stays:][-1:]},
        }

    def _budget(self) -> int:
        floor = self._setting.reach.floor or 0.0
        above = floor * (100 + self._int(*BUDGET_ABOVE_FLOOR_PERCENT, "budget")) / 100
        return self._step * (int(above) // self._step + 1)

    def _city(self, city: CityCandidates, inherited: Table | None, eaten: set[str]) -> Table:
        sights, food = (inherited["attractions"], inherited["food"]) if inherited else (None, None)
        category = {
            poi.name: self._setting.vocabulary.category(poi.category, "attractions") for poi in city.attractions
        }
        unwanted = list(sights["category_pref"]["negative"]) if sights else []
        taken = set(sights["must_visit"]) if sights else set()
        free = [p for p in city.attractions if not _is_of(p, category[p.name], unwanted) and p.name not in taken]
        wished = self._ranked_pois(free, category, city.name)
        must = [poi.name for poi in wished][: 1 if inherited else self._int(1, 2, city.name, "musts")]
        if sights:
            positive = list(sights["category_pref"]["positive"])
        else:
            positive = self._ranked(city.attraction_categories, city.name, "positive")
            positive = positive[: self._int(1, 2, city.name, "positives")]
            open_to_refusal = [
                c for c in city.attraction_categories
                if c not in positive and not any(c == category[name] or c in name for name in must)
            ]  # fmt: skip
            n = self._int(0, 1, city.name, "negatives")
            unwanted = self._ranked(open_to_refusal, city.name, "negative", negative=True)[:n]
        n_reject = self._int(0, 1, city.name, "rejects")
        refusable = [poi.name for poi in city.attractions if poi.name not in (*must, *taken)]
        rejected = self._ranked(refusable, city.name, "reject_visit", negative=True)[:n_reject]
        return {
            "attractions": {
                "must_visit": must,
                "reject_visit": rejected,
                "category_pref": {"positive": positive, "negative": unwanted},
            },
            "food": self._food(city, food, eaten),
        }

    def _food(self, city: CityCandidates, inherited: Table | None, eaten: set[str]) -> Table:
        prefer = list(inherited["prefer_eat"]) if inherited else []
        avoid = list(inherited["avoid_eat"]) if inherited else []
        dishes = [d for d in city.food_categories if d not in (*prefer, *avoid)]
        new_first = [d for d in dishes if d not in eaten] or dishes
        must = self._ranked(new_first, city.name, "must_eat")[:1]
        left = [d for d in dishes if d not in must]
        if not inherited:
            prefer = self._ranked(left, city.name, "prefer_eat")[: self._int(1, 2, city.name, "prefers")]
            left = [d for d in left if d not in prefer]
            avoid = self._ranked(left, city.name, "avoid_eat", negative=True)[: self._int(0, 1, city.name, "avoids")]
            left = [d for d in left if d not in avoid]
        n_reject = self._int(0, 2, city.name, "food_rejects") // 2
        reject = self._ranked(left, city.name, "reject_eat", negative=True)[:n_reject]
        return {"must_eat": must, "prefer_eat": prefer, "avoid_eat": avoid, "reject_eat": reject}

    def _ranked(self, words: Iterable[str], *what: str | int, negative: bool = False) -> list[str]:
        """Return the words in the member's order of wish, or of refusal."""
        return ranked(((word, word, self._taste(word, negative)) for word in words), *self._keys, *what)

    def _ranked_pois(self, pois: list[Poi], category: dict[str, str], city: str) -> list[Poi]:
        """Return the places in the member's order of wish: by taste, and the better known twice as often."""
        half = max(1, len(pois) // 2)
        options = (
            (p.place_id, p, self._taste(f"{p.name} {category[p.name]}", False) * (2 if i < half else 1))
            for i, p in enumerate(pois)
        )
        return ranked(options, *self._keys, city, "must_visit")

    def _taste(self, text: str, negative: bool) -> float:
        lowered = text.casefold()
        likes = any(word.casefold() in lowered for word in self._profile.likes)
        dislikes = any(word.casefold() in lowered for word in self._profile.dislikes)
        if likes == dislikes:
            return 1.0
        return LIKED if likes != negative else DISLIKED

    def _int(self, low: int, high: int, *what: str | int) -> int:
        return uniform_int(low, high, *self._keys, *what)


def _is_of(poi: Poi, kind: str, categories: list[str]) -> bool:
    return any(category == kind or category in poi.name for category in categories)
