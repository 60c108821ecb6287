"""Correction: what a person found wrong, and what should stand instead."""

from __future__ import annotations

from schemas.table import Field, Table

CORRECTABLE = ("name", "address", "opening_hours")
"""Fields of a place that a person may correct; all are text."""

DROP = "drop"
"""The field of a correction that takes a place out."""


class Correction(Table):
    """One correction of a place by a person: who, when and why."""

    city_id: str = Field("The place's city.", key=True)
    place_id: str = Field("The place.", key=True)
    field: str = Field("What is corrected; `drop` takes the place out.", key=True, isin=(*CORRECTABLE, DROP))
    value: str = Field("What should stand there; empty for `drop`.")
    who: str = Field("Who says so.", pattern=r"(?s).*\S.*")
    made_on: str = Field("When, as an ISO date.", pattern=r"\d{4}-\d{2}-\d{2}")
    why: str = Field("Why.", pattern=r"(?s).*\S.*")
    source_rows: list[str] = Field("Pointer to the entry of the overrides file.")
