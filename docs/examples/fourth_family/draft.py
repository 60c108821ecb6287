"""What is asked for: each slot draws a length and a standard, by its own id and nothing else."""

from __future__ import annotations

from assets.family import Drawn, Series, Slot
from assets.strolls.tables import Record, StrollsSection
from assets.strolls.world import World
from schemas.stable import stable_rng

STARS = (2.0, 2.5, 3.0, 3.5, 4.0, 4.5)


def slots(section: StrollsSection) -> list[Series]:
    """Return a city's slots: one series, which knows how long a stroll may be."""
    return [Series("", section.tasks_per_city, about={"most_days": section.most_days})]


def draft(slot: Slot, attempt: int, _: World, __: list[Record]) -> Drawn:
    """Return the slot's record."""
    rng = stable_rng("strolls", slot.seed, slot.task_id, attempt)
    days = int(rng.integers(1, slot.series.about["most_days"] + 1))
    return Drawn({"days": days, "least_stars": float(rng.choice(STARS))}, slot.area, {"attempt": attempt})
