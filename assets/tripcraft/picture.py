"""What a release's map of one city shows: the places that trips may use, and the way of one witness through it."""

from __future__ import annotations

import pandas as pd

from assets.family import CityPicture
from assets.rows import ReleaseTables
from assets.tripcraft.tables import TripcraftAttraction, TripcraftRestaurant, TripcraftStay
from assets.tripcraft.witness.timetable import WAKE_MIN

KINDS = (("restaurant", TripcraftRestaurant), ("attraction", TripcraftAttraction), ("stay", TripcraftStay))


def city_picture(tables: ReleaseTables, city_id: str) -> CityPicture:
    """Return the city's places and the first full day that a witness spends in it; no tour if none does."""
    columns = ["place_id", "name", "lat", "lon"]
    frames = [
        frame.loc[frame["city_id"] == city_id, columns].assign(kind=kind)
        for kind, frame in ((kind, tables[table]) for kind, table in KINDS)
    ]
    places = pd.concat(frames, ignore_index=True)
    stops = _full_day(tables.certificates, city_id)
    tour = places.set_index("place_id").loc[stops, ["name", "lat", "lon"]].reset_index(drop=True)
    return CityPicture(places[["kind", "lat", "lon"]], tour)


def _full_day(certificates: pd.DataFrame, city_id: str) -> list[str]:
    """Return the place_ids of a day that begins and ends at a stay of the city and passes through no other."""
    for values in certificates.sort_values("task_id")["proof"]:
        for day in values["days"]:
            is_whole = len(day) > 2 and day[0]["slot"] == day[-1]["slot"] == "stay" and day[0]["start_min"] <= WAKE_MIN
            if is_whole and {item["city_id"] for item in day} == {city_id}:
                return [item["place_id"] for item in day]
    return []
