"""What the trips of a release are made from, out of the release's own tables."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from assets.family import ReleaseTables
from assets.tripcraft.facts.world import WORLD_TABLES, reference
from assets.tripcraft.reference import Reference
from assets.tripcraft.tables import TripcraftTerms

_KNOWN: WeakKeyDictionary[ReleaseTables, Reference] = WeakKeyDictionary()


def reference_of(tables: ReleaseTables) -> Reference:
    """Return the reference of the tables; for the same tables the same one, since it takes long to make."""
    if tables not in _KNOWN:
        _KNOWN[tables] = reference(tables[TripcraftTerms], *(tables[table] for table in WORLD_TABLES.values()))
    return _KNOWN[tables]
