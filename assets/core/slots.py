"""Slots: where a set's tasks stand. A retired task's slot stays empty, and another is taken behind the last."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import count

from assets.family import Series, Slot


def slots_of(family: str, area: str, series: Iterable[Series], seed: int, retired: Collection[str]) -> list[Slot]:
    """Return the slots of a set in order. A task keeps its id while other series grow or shrink.

    An id is `family.area.number`, or `family.area.series.number` where a set has several series.
    """
    slots = []
    for one in series:
        stem = ".".join(part for part in (family, area, one.name) if part)
        id_of = f"{stem}.{{:05d}}".format
        slots += [Slot(id_of(number), number, area, one, seed) for number in slot_numbers(one.count, id_of, retired)]
    return slots


def slot_numbers(slot_count: int, task_id_of: Callable[[int], str], retired: Collection[str]) -> list[int]:
    """Return the numbers of so many slots: 0, 1, 2, …, and for one whose task is retired the next number after all."""
    spare = (number for number in count(slot_count) if task_id_of(number) not in retired)
    return [number if task_id_of(number) not in retired else next(spare) for number in range(slot_count)]


def area_of(city_ids: Iterable[str], recipe: str) -> str:
    """Return what the ids of a recipe's tasks are about: its city, or where its cities lie and its name.

    So two cities' releases share no id, and neither do two recipes of one country.
    """
    ids = sorted(city_ids)
    if len(ids) == 1:
        return ids[0]
    countries = {city_id.split("-")[0] for city_id in ids}
    return f"{countries.pop() if len(countries) == 1 else 'world'}-{recipe}"
