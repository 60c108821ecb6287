"""What the core asks of the solver: a witness of a record, and what it rests on."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from assets.family import Refused, Solved
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.solver import Unsolvable
from assets.tripcraft.solver import solve as witness_of
from assets.tripcraft.witness.ground import Ground

_GROUNDS: WeakKeyDictionary[Reference, dict[int, Ground]] = WeakKeyDictionary()


def solve(task_id: str, record: Record, world: Reference, section: TripcraftSection) -> Solved | Refused:
    """Return a witness of the record, or what stands in its way."""
    limit = section.longest_drive_min
    witness = witness_of(record, world, task_id=task_id, longest_drive_min=limit)
    if isinstance(witness, Unsolvable):
        detail = "; ".join(map(str, witness.reasons))
        return Refused(detail, witness.reasons[0].kind if witness.is_proven else "undecided")
    return Solved(witness.plan, witness.values)


def depends(task_id: str, record: Record, world: Reference, section: TripcraftSection) -> Any:
    """Return the hash of the part of the world that a witness of the record may use."""
    grounds = _GROUNDS.setdefault(world, {})
    ground = grounds.setdefault(section.longest_drive_min, Ground(world, section.longest_drive_min))
    return ground.depends_on(task_id, record)
