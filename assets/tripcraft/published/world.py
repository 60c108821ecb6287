"""The world of a published folder: its database as the published evaluator looks things up in it.

Rows keep the order of their files, since the evaluator takes the first row of a name. A row with an empty field is
left out, as the published loaders do (1.A).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any

from assets.tripcraft.text_places import TextPlaces

if TYPE_CHECKING:
    import pyarrow as pa

Row = Mapping[str, str]

LONGEST_DRIVE_MIN = 1440.0
"""A drive this long or longer is none, for the evaluator (1.B)."""

CAR_PER_KM = {"self-driving": 0.05, "taxi": 1.0}
"""What a kilometre costs, cut to a whole amount for each car (1.B)."""

SEATS = {"self-driving": 5, "taxi": 4}

FILES = {
    "cities": ("cities.csv", ("city", "state")),
    "flights": ("flights.csv", ("Flight Number", "Price", "OriginCityName", "DestCityName")),
    "restaurants": ("restaurants.csv", ("name", "avg_cost", "cuisines", "City")),
    "attractions": ("attractions.csv", ("name", "subcategories", "visit_duration", "City")),
    "accommodations": ("accommodations.csv", ("name", "pricing", "roomType", "house_rules", "max_occupancy", "City")),
    "events": ("events.csv", ("name", "dateTitle", "segmentName", "city")),
    "nearest_stops": ("nearest_stops.csv", ("PoI", "City", "nearest_stop_name", "nearest_stop_distance")),
    "distance_matrix": ("distance_matrix.csv", ("origin", "destination", "duration_min", "distance_km")),
}
"""Table to its file under `database/` and the columns that are read of it."""


@dataclass(frozen=True)
class StopRow:
    """One place's nearest stop."""

    poi: str
    stop: str
    distance_m: float


class Flights:
    """Flights by number, in the order of their file and kept as columns: there may be millions."""

    def __init__(self, rows: pa.Table) -> None:
        """Take the rows in, texts under the columns of `FILES`; one with an empty cell is left out."""
        import pyarrow as pa
        import pyarrow.compute as pc

        cells = [pc.call_function("not_equal", [rows[name], pa.scalar("")]) for name in rows.column_names]
        is_whole = reduce(lambda a, b: pc.call_function("and", [a, b]), cells)
        rows = rows if pc.call_function("all", [is_whole]).as_py() else rows.filter(is_whole)
        self._columns = {name: pa.array(rows[name].combine_chunks()) for name in rows.column_names}
        self._places = TextPlaces(self._columns["Flight Number"])

    def numbered(self, number: str) -> tuple[Row, ...]:
        """Return every flight of that number."""
        return tuple(
            {name: column[place].as_py() for name, column in self._columns.items()} for place in self._places.of(number)
        )


@dataclass(frozen=True)
class World:
    """What a published folder holds beside its queries."""

    states: Mapping[str, str]
    flights: Callable[[str], tuple[Row, ...]]
    """The flights of a number."""
    restaurants: Mapping[str, tuple[Row, ...]]
    attractions: Mapping[str, tuple[Row, ...]]
    stays: Mapping[str, tuple[Row, ...]]
    events: Mapping[str, tuple[Row, ...]]
    stops: Mapping[str, tuple[StopRow, ...]]
    drives: Mapping[tuple[str, str], tuple[float, float]]
    _first: dict[tuple[int, str, str], Row | None] = field(default_factory=dict, compare=False, repr=False)

    def restaurant(self, text: tuple[str, str]) -> Row | None:
        """Return the first restaurant of the city whose name holds the text; None if none does."""
        return self._first_row_named(self.restaurants, text)

    def attraction(self, text: tuple[str, str]) -> Row | None:
        """Return the first attraction of the city whose name holds the text."""
        return self._first_row_named(self.attractions, text)

    def stay(self, text: tuple[str, str]) -> Row | None:
        """Return the first stay of the city whose name holds the text."""
        return self._first_row_named(self.stays, text)

    def has_event(self, text: tuple[str, str]) -> bool:
        """Return whether an event of the city, on any date, has a name that holds the text."""
        return self._first_row_named(self.events, text) is not None

    def drive_cost(self, mode: str, origin: str | None, dest: str | None) -> int | None:
        """Return what one car costs between two cities; None where no road leads, or takes a day or longer."""
        duration_min, distance_km = self.drives.get((origin or "", dest or ""), (LONGEST_DRIVE_MIN, 0.0))
        return int(distance_km * CAR_PER_KM[mode]) if duration_min < LONGEST_DRIVE_MIN else None

    def _first_row_named(self, places: Mapping[str, tuple[Row, ...]], text: tuple[str, str]) -> Row | None:
        name, city = text
        key = (id(places), name, city)
        if key not in self._first:
            self._first[key] = next((row for row in places.get(city, ()) if name in row["name"]), None)
        return self._first[key]


def price_of(stay: Row) -> float:
    """Return the stay's price as the evaluator reads it: 0 where its text is no JSON, as Python's own is none (T7).

    Raises ValueError where the evaluator raises: for JSON that is no mapping, and a price that is no number ("1,200").
    """
    try:
        pricing: Any = json.loads(stay["pricing"])
        price = pricing.get("price", "").replace("$", "").strip()
    except json.JSONDecodeError:
        return 0.0
    except (AttributeError, RecursionError) as error:
        raise ValueError(f"found no mapping with a text `price`: {error}") from None
    return float(price) if price else 0.0


def world_of(flights: Callable[[str], tuple[Row, ...]], tables: Mapping[str, Iterable[Row]]) -> World:
    """Return the world of the flights, by number, and of the other tables of `FILES`, by their names."""
    complete_rows = {
        name: [row for row in rows if all(row[column] != "" for column in FILES[name][1])]
        for name, rows in tables.items()
    }
    stops = (
        (row["City"], StopRow(row["PoI"], row["nearest_stop_name"], float(row["nearest_stop_distance"])))
        for row in complete_rows["nearest_stops"]
    )
    drives: dict[tuple[str, str], tuple[float, float]] = {}
    for row in complete_rows["distance_matrix"]:
        drives.setdefault((row["origin"], row["destination"]), (float(row["duration_min"]), float(row["distance_km"])))
    return World(
        states={row["city"]: row["state"] for row in complete_rows["cities"]},
        flights=flights,
        restaurants=_by(complete_rows["restaurants"], "City"),
        attractions=_by(complete_rows["attractions"], "City"),
        stays=_by(complete_rows["accommodations"], "City"),
        events=_by(complete_rows["events"], "city"),
        stops=_grouped(stops),
        drives=drives,
    )


def _by(rows: Iterable[Row], column: str) -> dict[str, tuple[Row, ...]]:
    return _grouped((row[column], row) for row in rows)


def _grouped(pairs: Iterable[tuple[str, Any]]) -> dict[str, tuple[Any, ...]]:
    groups: defaultdict[str, list[Any]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return {key: tuple(values) for key, values in groups.items()}
