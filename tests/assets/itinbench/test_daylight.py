"""Of the two ways round a tour the one that leaves a museum to the day and a ghost tour to the night."""

from __future__ import annotations

import pytest

from assets.family import Solved
from assets.itinbench.solver import solve
from assets.itinbench.witness.daylight import by_daylight
from assets.itinbench.world import World
from tests.assets.itinbench.town import RECORD, frame, town_rows

DAY = (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("names", "is_turned"),
    [
        (("Ghost Tour", "A", "B", "City Hall"), True),
        (("City Hall", "A", "B", "Museum of Art"), True),
        (("Ghost Tour", "A", "B", "Dog Park"), True),
        (("Dog Park", "A", "B", "City Zoo"), False),
        (("City Hall", "Zoo", "Ghost Tour", "Old Gate"), False),
        (("Barnes Foundation", "A", "B", "Parkway Hall"), False),  # no word of a name is a part of one
    ],
)
def test_a_day_is_turned_round_where_its_ends_suit_morning_and_night_better(names, is_turned):
    assert by_daylight([DAY], names) == [DAY[::-1] if is_turned else DAY]


def test_a_witness_goes_to_no_museum_at_night_where_its_tour_begins_elsewhere_and_is_no_longer_for_it():
    rows = town_rows()
    before = solve("t", RECORD, World(frame(rows)))
    assert isinstance(before, Solved)
    nights = [day["night_attractions"][0]["name"] for day in before.plan["itinerary"]]
    for row in rows:
        row["name"] = f"{row['name']} Museum" if row["name"] in nights else row["name"]
    after = solve("t", RECORD, World(frame(rows)))
    assert isinstance(after, Solved)
    assert not any("Museum" in day["night_attractions"][0]["name"] for day in after.plan["itinerary"])
    assert after.proof["scorer"] == before.proof["scorer"]
