"""Whether wishes of a request clash, judged by the scorer's reading: what draws such requests is judged by this.

A plan needs three meals and four visits a day and one stay, all of them distinct places of the pool. So there is one
exactly if every slot can be matched with a place of its own that meets the wishes about it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from assets.core.claims import Wish
from assets.itinbench.checks.certify import SLOT_VISITS
from assets.itinbench.checks.plans import MEALS
from assets.itinbench.checks.ratios import Pool
from assets.itinbench.tables import Record
from assets.itinbench.world import World

SINGLE, LISTED = ("price", "orientation", "cuisine"), ("restaurant", "hotel")
"""Fields of a record that wish for one value, and for several."""


def wishes_of(record: Record) -> tuple[Wish, ...]:
    """Return what a request asks for, each wish by itself; its length is no wish but how much is needed."""
    single = [(name, record[name]) for name in SINGLE]
    return (*single, *((name, value) for name in LISTED for value in record[name]))


def with_wishes(record: Record, wishes: Collection[Wish]) -> Any:
    """Return the record with these of its wishes alone: what is not wished for is null, which every place meets."""
    single_wishes = {name: next((v for n, v in wishes if n == name), None) for name in SINGLE}
    return {**record, **single_wishes, **{name: [v for n, v in wishes if n == name] for name in LISTED}}


def clash_holds(record: Record, clash: Sequence[Wish], lacking: Mapping[str, Any] | None, world: World) -> list[str]:
    """Return what is wrong with saying that no plan meets these wishes of the record; nothing where none does.

    With it what is said to be `lacking` is judged: by kind how many places match, and how many are needed.
    """
    wished_record, pool = with_wishes(record, clash), world.checker.pool
    fitting = {
        kind: [str(p) for p in rows["place_id"] if _fits(pool, str(kind), str(p), wished_record)]
        for kind, rows in world.places.groupby("kind")
    }
    needed = {"restaurant": len(MEALS) * record["days"], "attraction": sum(SLOT_VISITS) * record["days"], "stay": 1}
    slots = [fitting.get(kind, []) for kind, count in needed.items() for _ in range(count)]
    problems = ["a plan meets them: every meal, visit and night has a place of its own"] if _can_match(slots) else []
    short = {
        kind: {"matching": len(fitting.get(kind, [])), "needed": count}
        for kind, count in needed.items()
        if len(fitting.get(kind, [])) < count
    }
    if lacking is not None and lacking != short:
        problems.append(f"is said to lack {lacking}; the pool lacks {short}")
    return problems


def _fits(pool: Pool, kind: str, place_id: str, record: Any) -> bool:
    attributes = {"restaurant": record["restaurant"], "stay": record["hotel"]}.get(kind, [])
    return (
        pool.fits_price(kind, place_id, record)
        and (kind != "attraction" or pool.fits_orientation(place_id, record))
        and (kind != "restaurant" or pool.fits_cuisine(place_id, record))
        and all(pool.fits_rating(kind, place_id, attribute) for attribute in attributes)
    )


def _can_match(slots: Sequence[Sequence[str]]) -> bool:
    """Return whether every slot can have a place that no other has: augmenting paths, one slot after the other."""
    slot_of: dict[str, int] = {}

    def has_place(slot: int, places_tried: set[str]) -> bool:
        for place in slots[slot]:
            if place not in places_tried:
                places_tried.add(place)
                if place not in slot_of or has_place(slot_of[place], places_tried):
                    slot_of[place] = slot
                    return True
        return False

    return all(has_place(slot, set()) for slot in range(len(slots)))
