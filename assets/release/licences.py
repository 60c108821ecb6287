"""The licences of a release, computed from the snapshots that its rows came from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from schemas.source import LICENCES, Sharing, Snapshot


def release_licences(inputs: Iterable[Snapshot]) -> list[dict[str, Any]]:
    """Return one entry per licence among the inputs: its terms, whom to attribute, and which sources are under it."""
    by_id: dict[str, list[Snapshot]] = {}
    for snapshot in inputs:
        by_id.setdefault(snapshot.licence_id, []).append(snapshot)
    entries = []
    for licence_id in sorted(by_id):
        licence = LICENCES[licence_id]
        snapshots = by_id[licence_id]
        entries.append(
            {
                "licence_id": licence_id,
                "title": licence.title,
                "url": licence.url,
                "sharing": licence.sharing.value,
                "share_alike": licence.share_alike,
                "attribution": sorted({s.attribution for s in snapshots if s.attribution}),
                "sources": sorted({s.source for s in snapshots}),
            }
        )
    return entries


def is_public(licences: Iterable[dict[str, Any]]) -> bool:
    """Return whether every licence lets the rows themselves be shared."""
    return all(entry["sharing"] == Sharing.ROWS.value for entry in licences)
