"""Where sea parts two towns: beyond territorial waters, and between the islands of an archipelago."""

import pytest

from sources.cities.open_sea import ARCHIPELAGOS, crosses_open_sea
from sources.cities.zone_cities import zone_cities

SPOTS = {
    "Cairns": (-16.92, 145.77), "Port Moresby": (-9.44, 147.18),
    "Suva": (-18.13, 178.42), "Nadi": (-17.80, 177.41), "Taveuni": (-16.85, 179.97),
    "Nassau": (25.04, -77.35), "Freeport": (26.53, -78.70), "Copenhagen": (55.67, 12.57), "Malmo": (55.60, 13.00),
}  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other", "is_parted"),
    [
        ("Cairns", "Port Moresby", True),
        ("Suva", "Nadi", False),
        ("Suva", "Taveuni", True),
        ("Taveuni", "Suva", True),
        ("Nassau", "Freeport", True),
        ("Copenhagen", "Malmo", False),
    ],
)
def test_open_sea_parts_two_towns(one, other, is_parted):
    assert crosses_open_sea(SPOTS[one], SPOTS[other]) is is_parted


def test_each_archipelago_is_a_zone_of_the_database():
    assert {city.time_zone for city in zone_cities()} >= ARCHIPELAGOS
