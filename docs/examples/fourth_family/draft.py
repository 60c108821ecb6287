"""What is asked for: each slot draws a trip that is flown, by its own id and nothing else."""

from __future__ import annotations

import datetime as dt

from assets.family import Drawn, Refused, Series, Slot
from assets.roundtrips.tables import Record, RoundtripsSection
from assets.roundtrips.world import World
from schemas.stable import stable_hash, stable_rng


def slots(section: RoundtripsSection) -> list[Series]:
    """Return the slots: one series, which knows what a trip may be like."""
    return [Series("", section.tasks, about={"most_days": section.most_days, "budgets": section.budgets})]


def draft(slot: Slot, attempt: int, world: World, _: list[Record]) -> Drawn | Refused:
    """Return the slot's record: first how long and how dear, then which of the trips that are flown so."""
    rng = stable_rng("roundtrips", slot.seed, slot.task_id, attempt)
    days = int(rng.integers(2, slot.series.about["most_days"] + 1))
    flown = [(*trip, str(dt.date.fromisoformat(trip[2]) + dt.timedelta(days=days - 1))) for trip in world.flights]
    flown = [trip for trip in flown if (trip[1], trip[0], trip[3]) in world.flights]
    if not flown:
        return Refused(f"no two cities have direct flights both ways with {days} days from one to the other")
    origin, dest, *dates = min(flown, key=lambda trip: stable_hash(slot.task_id, attempt, *trip))
    budget = int(rng.choice(slot.series.about["budgets"]))
    record = {"origin_city_id": origin, "dest_city_id": dest, "days": days, "dates": dates, "budget": budget}
    return Drawn(record, "+".join(sorted((origin, dest))), {"attempt": attempt})
