"""Feeds that change a little, as providers change them."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path


def move_a_stop(feed: Path, name: str = "", north_degrees: float = 0.004) -> str:
    """Move the stop of a name (else the first) of a GTFS zip to the north, and return its stop_id."""
    with zipfile.ZipFile(feed) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    stops = next(name for name in members if name.rpartition("/")[2] == "stops.txt")
    text = members[stops].decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    lat, stop_id = rows[0].index("stop_lat"), rows[0].index("stop_id")
    moved = next(row for row in rows[1:] if not name or row[rows[0].index("stop_name")] == name)
    moved[lat] = f"{float(moved[lat]) + north_degrees:.6f}"
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    members[stops] = out.getvalue().encode()
    with zipfile.ZipFile(feed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return moved[stop_id]
