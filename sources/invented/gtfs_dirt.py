"""What is wrong on purpose in the invented bus feeds: rows of each city's feed, each of a named kind."""

from __future__ import annotations

from typing import Any

from sources.invented.cities import CitySpec
from sources.invented.dirt import HOSTILE_NAMES
from sources.invented.gtfs_members import Feed

FAR_DEG = 2.3
"""About 250 km north, as far as the stop of a town of the same name may be (defect T13)."""


def spoil_feed(city: CitySpec, feed: Feed, hostile_names: bool = True) -> list[tuple[str, str, int]]:
    """Return kind, member and row of each defect, after planting them in the feed; names only where asked for."""
    defects: list[tuple[str, str, int]] = []

    def plant(kind: str, member: str, *values: object) -> None:
        defects.append((kind, member, feed.add(member, *values)))

    if hostile_names:
        _rename_stops(feed, defects)
    lat, lon = city.lat, city.lon
    plant("stop_without_coordinates", "stops.txt", "X1", "", "Nowhere in Particular", "", "", "", "")
    plant("stop_at_zero", "stops.txt", "X2", "", "Null Island Ferry", "0", "0", "0", "")
    plant("stop_with_text_coordinates", "stops.txt", "X3", "", "North End", "north", "west", "0", "")
    plant("stop_with_swapped_coordinates", "stops.txt", "X4", "", "Mirror Street", lon, lat, "0", "")
    plant("stop_far_away", "stops.txt", "X5", "", f"{city.name}, the Other One", round(lat + FAR_DEG, 6), lon, "", "")
    far = round(lat + FAR_DEG, 6)
    plant("stop_out_of_reach", "stops.txt", "X10", "", "Two Minutes from Anywhere", far, round(lon + 0.5, 6), "", "")
    plant("station", "stops.txt", "X6", "", "Bus Station", lat, lon, "1", "")
    plant("unknown_location_type", "stops.txt", "X7", "", "Odd Place", lat, lon, "9", "")
    plant("stop_without_id", "stops.txt", "", "", "Forgotten Corner", lat, lon, "", "")
    plant("stop_without_name", "stops.txt", "X8", "", "", lat, lon, "", "")
    plant("stop_never_served", "stops.txt", "X9", "", "Closed Depot", lat, lon, "", "")
    repeated = feed.members["stops.txt"][1]
    plant("duplicate_stop_id", "stops.txt", *repeated[:2], "Same Number, Other Stop", lat, lon, "", "")
    first, second = (feed.members["stops.txt"][row][0] for row in (1, 2))
    route = feed.members["routes.txt"][1][0]
    plant("route_of_no_type", "routes.txt", "XR", "cb", "X", "No type, no way", "bus")
    plant("service_ends_before_it_begins", "calendar.txt", "xs", *"1111111", "20250101", "20240101")
    plant("exception_of_no_date", "calendar_dates.txt", "weekday", "Christmas", "2")
    plant("trip_of_unknown_route", "trips.txt", "nowhere", "weekday", "XT1", "", "0")
    plant("trip_of_unknown_service", "trips.txt", route, "never", "XT2", "", "0")
    feed.add("trips.txt", route, "weekday", "XT3", "To the other one", "0")
    feed.add("stop_times.txt", "XT3", "08:00:00", "08:00:00", first, "1")
    feed.add("stop_times.txt", "XT3", "11:30:00", "11:30:00", "X5", "2")
    feed.add("stop_times.txt", "XT3", "15:00:00", "15:00:00", second, "3")
    feed.add("trips.txt", route, "weekday", "XT4", "By way of the mirror", "0")
    for minute, stop_id in enumerate((first, "X4", second, "X10", first), start=10):
        feed.add("stop_times.txt", "XT4", f"08:{minute}:00", f"08:{minute}:00", stop_id, str(minute))
    plant("stop_time_of_unknown_trip", "stop_times.txt", "XT9", "08:00:00", "08:00:00", first, "1")
    plant("stop_time_at_unknown_stop", "stop_times.txt", "XT3", "16:00:00", "16:00:00", "nowhere", "4")
    plant("stop_time_not_a_time", "stop_times.txt", "XT3", "half past", "half past", first, "5")
    plant("stop_time_backwards", "stop_times.txt", "XT3", "09:00:00", "09:00:00", first, "6")
    feed.add("stop_times.txt", "XT3", "17:00:00", "17:00:00", second, "7")
    return defects


def _rename_stops(feed: Feed, defects: list[tuple[str, str, int]]) -> None:
    """Spoil the names of the first stops, each in another way; they are good stops all the same."""
    rows: list[tuple[Any, ...]] = feed.members["stops.txt"]
    for row, (kind, pattern) in enumerate(HOSTILE_NAMES, start=1):
        values = rows[row]
        rows[row] = (*values[:2], pattern.format(values[2]), *values[3:])
        defects.append((kind, "stops.txt", row))
