"""What files that name cities, and give nothing else of them, call two cities of one name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sources.invented.cities import CitySpec


def full_name(city: CitySpec) -> str:
    """Return the name with the region, as in `Omaha, NE`."""
    return f"{city.name}, {city.region.upper()}"


def city_labels(cities: Sequence[CitySpec]) -> dict[str, str]:
    """Return city_id → bare name, or the name with the region for cities that share their name."""
    names = Counter(city.name for city in cities)
    return {city.city_id: city.name if names[city.name] == 1 else full_name(city) for city in cities}
