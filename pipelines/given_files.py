"""Which of the given files tell of which city, and why those are refused that tell of none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from assets.first_recipe import CityFacts, SurveyedCity, raw_file
from pipelines.walk.recipes import RecipeError
from schemas.counts import counted, listed
from schemas.recipe import City
from schemas.rejection import Reason
from sources.recognise import Recognised

OF_A_CITY = ("osm", "gtfs", "airbnb", "overture")
"""Sources whose files tell of one city; the others' rows say which city they are of, and are shared."""

REASONS_SHOWN = 3
DETAIL_CHARACTERS = 100
POSITION = re.compile(r"(-?\d+(?:\.\d+)?), (-?\d+(?:\.\d+)?)")
"""A latitude and a longitude, as what lies outside every city is told."""


def bind(files: list[Recognised], maps: list[Path], cities: list[SurveyedCity]) -> dict[str, list[Path]]:
    """Give each city the files that tell of it, and return those that all share."""
    shared: dict[str, list[Path]] = {}
    for city in cities:
        if maps:
            city.files["osm.extract"] = [maps[0]]
    for file in files:
        key = f"{file.source}.{file.role}"
        if file.source == "osm":
            continue
        if file.source not in OF_A_CITY:
            shared.setdefault(key, []).append(file.path)
            continue
        place_counts = {
            n: count for n, city in enumerate(cities) if (count := _count_in_city(file, city.facts.as_city(), []))
        }
        if not place_counts:
            raise RecipeError(_of_no_city(file, key, [city.facts for city in cities]))
        for number in place_counts:
            cities[number].files.setdefault(key, []).append(file.path)
    return shared


def _of_no_city(file: Recognised, key: str, cities: Sequence[CityFacts]) -> str:
    """Return in words that a file tells of none of the cities, and what is known of why."""
    dropped: list[dict[str, str]] = []
    _count_in_city(file, cities[0].as_city(), dropped)
    why = [_why_dropped(dropped) or "it has no rows"]
    outside = (row["detail"] for row in dropped if row["reason"] == Reason.OUTSIDE_EVERY_CITY)
    spots = [spot for spot in map(POSITION.fullmatch, outside) if spot]
    lons, lats = ([float(spot[at]) for spot in spots] for at in (1, 2))  # exchanged
    why += [
        f"{city.name} holds {count:,} of them with latitude and longitude exchanged"
        for city in cities
        if spots and (count := inside(city.as_city(), lats, lons))
    ]
    expected = "a file of it" if len(cities) == 1 else "a file of one of them"
    return (
        f"{file.path.name} ({key}) tells of no place in {listed([city.name for city in cities], 'or')} "
        f"({'; '.join(why)}); expected {expected}. Leave it out, or bind it to its own city."
    )


def _why_dropped(dropped: Sequence[Mapping[str, str]]) -> str:
    """Return in words why rows are not used: of each reason, the commonest first, how many and the first of them."""
    details: dict[str, list[str]] = {}
    for row in dropped:
        details.setdefault(row["reason"], []).append(row["detail"])
    commonest = sorted(details.items(), key=lambda item: -len(item[1]))[:REASONS_SHOWN]
    return "; ".join(
        f"{counted(len(those), 'row')} {reason.replace('_', ' ')}, such as {those[0]:.100}"
        for reason, those in commonest
    )


def _count_in_city(file: Recognised, city: City, dropped: list[dict[str, str]]) -> int:
    """Return how many stops or listings of a file lie in the city; the others go to `dropped` with their reasons."""
    if file.source == "gtfs":
        return stops_of_feed(file.path, city, dropped)
    raw = raw_file(file.path, file.source, file.role)
    if file.source == "overture":
        from sources.overture.places import read_places

        return len(read_places(raw, city, dropped))
    from sources.airbnb.listings import read_stays

    return len(read_stays(raw, [city], dropped))


def stops_of_feed(path: Path, city: City, dropped: list[dict[str, str]]) -> int:
    """Return how many stops of a feed lie in the city; if none does, the others go to `dropped` with their reasons."""
    from sources.gtfs.feed import Feed
    from sources.gtfs.reader import read_stops

    feed = Feed(raw_file(path, "gtfs", "feed"), city_id=city.city_id, feed="feed")
    stops = read_stops(feed)
    lats, lons = stops["lat"].to_pylist(), stops["lon"].to_pylist()
    count = inside(city, lats, lons)
    dropped += feed.rejected("stops.txt", "calendar.txt", "calendar_dates.txt")
    if not count:
        spots = [f"{lat}, {lon}" for lat, lon in zip(lats, lons, strict=True)]
        dropped += [{"reason": Reason.OUTSIDE_EVERY_CITY, "detail": spot} for spot in spots]
    return count


def inside(city: City, lat: Sequence[float], lon: Sequence[float]) -> int:
    """Return how many of the points, in degrees, lie in the city."""
    import numpy as np

    return int(city.contains(np.array(lat, dtype=float), np.array(lon, dtype=float)).sum())
