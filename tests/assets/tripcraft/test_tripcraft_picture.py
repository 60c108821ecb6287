"""The map of a release's city: its own places, and one whole day that a witness spends there."""

from __future__ import annotations

import pandas as pd

from assets.rows import ReleaseTables
from assets.tripcraft.family import FAMILY
from assets.tripcraft.tables import TripcraftAttraction, TripcraftRestaurant, TripcraftStay


def item(place_id, slot, start, city="amble"):
    return {"city_id": city, "place_id": place_id, "slot": slot, "start_min": start, "end_min": start + 60}


ARRIVAL = [item("amble-s0", "stay", 700), item("amble-r00", "lunch", 800), item("amble-s0", "stay", 900)]
WHOLE = [item("amble-s0", "stay", 480), item("amble-a0", "morning", 600), item("amble-s0", "stay", 1200)]
MOVE = [item("amble-s0", "stay", 480), item("birch-r00", "lunch", 800, "birch"), item("birch-s0", "stay", 900, "birch")]


def released(frames, *days):
    tables = frames()
    values = pd.DataFrame({"task_id": ["t"], "proof": [{"days": list(days)}]})
    kinds = ((TripcraftRestaurant, "restaurants"), (TripcraftAttraction, "attractions"), (TripcraftStay, "stays"))
    named = {table.table_name(): tables[name] for table, name in kinds}
    return ReleaseTables({**named, "certificates": values})


def test_the_map_shows_the_city_s_places_and_a_whole_day_of_a_witness(frames):
    shown = FAMILY.call("map_of", released(frames, ARRIVAL, MOVE, WHOLE), "amble")
    assert shown.points["kind"].value_counts().to_dict() == {"restaurant": 12, "attraction": 8, "stay": 4}
    assert shown.tour["name"].tolist() == ["Rest 0 Amble", "Sight 0 Amble", "Rest 0 Amble"]


def test_a_city_where_no_witness_spends_a_whole_day_has_no_tour_and_one_without_places_no_points(frames):
    assert FAMILY.call("map_of", released(frames, ARRIVAL, MOVE), "amble").tour.empty
    assert FAMILY.call("map_of", released(frames, WHOLE), "harbour").points.empty
