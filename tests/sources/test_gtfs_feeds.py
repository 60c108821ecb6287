"""Whole feeds: their keys, which stay over refreshes, and what real ones hold."""

from __future__ import annotations

import pytest

from schemas.source import Snapshot
from sources.gtfs.reader import Feed, feed_keys, read_feed, read_stop_services, read_stops


def test_feed_keys_stay_over_refreshes_and_tell_feeds_of_one_name_apart():
    def at(location, sha256="0" * 64):
        return Snapshot(
            source="gtfs", role="feed", location=location, sha256=sha256, size_bytes=1, licence_id="CC0-1.0"
        )

    assert feed_keys([at("data/Porto Metro.zip"), at("https://x.example/gtfs/STCP_gtfs.zip?key=1")]) == [
        "porto-metro",
        "stcp-gtfs",
    ]
    assert feed_keys([at("a.zip", "1" * 64)]) == feed_keys([at("a.zip", "2" * 64)])
    one, two, osm = feed_keys([at("x/gtfs.zip"), at("y/gtfs.zip"), at("osm.zip")])
    assert one != two and one.startswith("gtfs-") and two.startswith("gtfs-") and osm.startswith("osm-")
    assert feed_keys([at("y/gtfs.zip"), at("x/gtfs.zip")]) == [two, one]


REAL = [
    ("porto_stcp_gtfs_stcp.zip", 2490, 447_948, "2022-12-26", "2024-12-31"),
    ("porto_metro_gtfs_metroporto_latest.zip", 85, 61_376, "2025-09-08", "2026-08-15"),
    ("cairns_gtfs.zip", 409, 35_230, "2014-05-26", "2014-12-28"),
    ("google_sample_gtfs.zip", 9, 456, "2007-01-01", "2010-12-31"),
]


@pytest.mark.parametrize(("name", "stops", "departures", "first", "last"), REAL)
def test_real_feeds(shared_data, given_path, name, stops, departures, first, last):
    feed = Feed(given_path(shared_data / "gtfs" / name, "gtfs", "feed"), city_id="c", feed="f")
    row = read_feed(feed).to_pylist()[0]
    assert (row["stop_count"], row["departure_count"]) == (stops, departures)
    assert (row["first_date"].isoformat(), row["last_date"].isoformat()) == (first, last)
    assert read_stops(feed).num_rows == stops
    assert sum(len(row["departures_s"]) for row in read_stop_services(feed).to_pylist()) == departures
