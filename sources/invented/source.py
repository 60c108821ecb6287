"""The invented world as a source of its own: the truth behind the files it writes in the providers' formats."""

from __future__ import annotations

from schemas.source import Source, SourceFile

SOURCE = Source(
    name="invented",
    title="The invented world",
    homepage="",
    licence_id="LicenseRef-invented",
    attribution="Invented by tripwright: no real place, person or price.",
    files=(SourceFile("truth", "CSV: city_id, native_id, kind, attribute, rating", required=False),),
    how_to_get="Nothing to get: a recipe's [invented] section writes it.",
)
