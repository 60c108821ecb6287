"""Where places are: nearest stops, road distances, clusters, distances between cities, and what a city can support."""

from __future__ import annotations

import datetime as dt

from schemas.table import Field, Table

MODES = ("car", "foot", "bicycle")
ENGINES = ("osrm", "graph", "estimate")


class PlaceNearestStop(Table):
    """The nearest boardable transit stop of each place in one city, whether or not anything runs."""

    city_id: str = Field("The city.", key=True)
    place_id: str = Field("The place.", key=True)
    stop_id: str = Field("The nearest stop; among stops within a micrometre of the nearest, the lowest id.")
    stop_name: str = Field("The stop's name as its feed writes it.")
    stop_distance_m: float = Field("WGS84 geodesic from the place to the stop, metres, 2 decimals.", ge=0)


class PlaceServedStop(Table):
    """The nearest stop of each place where something departs on a date; a date that no feed covers has no row."""

    city_id: str = Field("The city.", key=True)
    place_id: str = Field("The place.", key=True)
    service_date: dt.date = Field("The date, local to the city.", key=True)
    stop_id: str = Field("The nearest stop with a departure that day; ties as in `place_nearest_stop`.")
    stop_name: str = Field("The stop's name as its feed writes it.")
    stop_distance_m: float = Field("WGS84 geodesic from the place to the stop, metres, 2 decimals.", ge=0)
    departures: int = Field("Departures from the stop that service day.", ge=1)
    first_departure_s: int = Field("First departure, seconds after the service day's midnight.", ge=0)
    last_departure_s: int = Field(
        "Last departure, seconds after the service day's midnight; past 86,400 the next day.", ge=0
    )
    headway_s: int | None = Field("Typical gap between departures, seconds; null for a single departure.", ge=0)


class DistanceMatrix(Table):
    """Road distances and times between the places of one city that tasks can use: one row per origin and mode.

    The lists run over the same city's and mode's places in the order of their `place_id` (by code point), the diagonal
    included: element j of a row is the way to the j-th row. `assets.spatial.distance_matrix.pairs` unfolds them.
    """

    city_id: str = Field("The city.", key=True)
    mode: str = Field("The way of travelling, which is the router's profile.", key=True, isin=MODES, holds="ours")
    place_id: str = Field("The origin.", key=True)
    distances_m: list[float | None] = Field(
        "Road distance to the place of each row of the city and mode, in the order of `place_id`, metres; null where "
        "no road leads.",
        holds="derived",
    )
    times_s: list[float | None] = Field(
        "Travel time to the same places in the same order, seconds; null where no road leads.", holds="derived"
    )
    snap_distance_m: float | None = Field(
        "From the place to the road where its ways begin, metres; null if there is none.", ge=0, holds="derived"
    )
    is_off_network: bool = Field("Whether the nearest usable road is missing or farther than 500 m.", holds="derived")
    router: str = Field("What computed it: engine, version, algorithm, profile and the extract's sha256.", holds="ours")


class PlaceCluster(Table):
    """The part of town that each place belongs to: seeded k-means on projected metres."""

    city_id: str = Field("The city.", key=True)
    place_id: str = Field("The place.", key=True)
    cluster: int = Field("0 for the largest cluster, then by size; among equals the southernmost first.", ge=0)
    cluster_size: int = Field("Places in the cluster.", ge=1)


class CityDistance(Table):
    """Distance and time between two of the recipe's cities, each ordered pair, by road or as a marked estimate."""

    origin_city_id: str = Field("From.", key=True)
    destination_city_id: str = Field("To.", key=True)
    mode: str = Field("The way of travelling.", key=True, isin=MODES, holds="ours")
    geodesic_m: float = Field("WGS84 geodesic between the two centres, metres, 1 decimal.", ge=0, holds="derived")
    distance_m: float | None = Field("Road distance, metres; null where no road leads.", ge=0, holds="derived")
    time_s: float | None = Field("Travel time, seconds; null where no road leads.", ge=0, holds="derived")
    is_estimate: bool = Field(
        "True if no router was asked: geodesic times a declared circuity, at a declared speed.", holds="ours"
    )
    router: str = Field("What computed it; for an estimate, the factor and speed used.", holds="ours")


class CityNeighbours(Table):
    """How many other cities of the recipe lie near enough to come from."""

    city_id: str = Field("The city.", key=True)
    neighbours: int = Field("Cities from which a road leads here within half a day.", ge=0, holds="derived")


class CityCluster(Table):
    """Two or three of the recipe's cities near enough to be one trip."""

    city_cluster_id: str = Field("The member cities' ids, sorted, joined by `+`.", key=True)
    city_ids: list[str] = Field("The member cities, sorted.")
    longest_leg_m: float = Field("The longest of the roads between two members, metres.", ge=0)


class CityCoverage(Table):
    """What each city can support: every requirement of every family, met or the reason why not."""

    city_id: str = Field("The city.", key=True)
    family: str = Field("The benchmark family.", key=True)
    requirement: str = Field("What the family needs of a city.", key=True)
    is_met: bool = Field("Whether the city has it.")
    needed: int = Field("The least number that is enough.", ge=0)
    found: int = Field("The number that the city has.", ge=0)
    reason: str = Field("Empty if met; else what is missing and what would give it.")


class CityMap(Table):
    """The map of a city, drawn from our own tables."""

    city_id: str = Field("The city.", key=True)
    png_base64: str = Field("The picture: a PNG, in base64.")
    size_bytes: int = Field("Size of the PNG, bytes.", ge=1)
