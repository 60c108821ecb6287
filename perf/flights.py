"""A BTS file to the flights table: time and memory, against a bare DuckDB script.

Both read the same generated file in processes of their own, in turn: hash it, read it, drop what is cancelled,
unreadable or repeated, compute arrivals, prices and numbers, sort, write Parquet, hash that. The bare script knows one
UTC offset an airport, without changes of the clock. Ours also writes down every other row with its reason, as a build
does; that is timed apart, and so is the step after it (`trips`), which prices what has no price. Prints times, the
ratio (target 1.5) and peak memory (target 1.5 GB).
Run from the repository's root: `python -m perf.flights --rows 3400000`.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from perf.by_turns import by_turns, hash_of, show

CITIES, DAYS, RUNS = 140, 30, 3
CANCELLED_EVERY, REPEATED_EVERY, BAD_EVERY = 50, 10_007, 100_003
ZONES = ("America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles")
OFFSETS_MIN = (-300, -360, -420, -480)
HEADER = (
    "YEAR,QUARTER,MONTH,FL_DATE,OP_UNIQUE_CARRIER,TAIL_NUM,OP_CARRIER_FL_NUM,ORIGIN,DEST,CRS_DEP_TIME,DEP_TIME,"
    "DEP_DELAY_NEW,CANCELLED,CANCELLATION_CODE,AIR_TIME,DISTANCE,WEATHER_DELAY\n"
)

BARE_READ = """
CREATE TEMP TABLE raw AS SELECT row_number() OVER () AS record, FL_DATE, OP_UNIQUE_CARRIER AS carrier,
  try_cast(OP_CARRIER_FL_NUM AS INT) AS number, ORIGIN, DEST, try_cast(CRS_DEP_TIME AS INT) AS planned,
  try_cast(DEP_TIME AS INT) AS dep, try_cast(CANCELLED AS DOUBLE) AS cancelled,
  try_cast(AIR_TIME AS DOUBLE)::INT AS air, try_cast(DISTANCE AS DOUBLE)::INT AS miles
FROM read_csv($path, header = true, all_varchar = true)
"""
BARE_JUDGE = """
CREATE TEMP TABLE judged AS
SELECT *, hash(o.city_id, d.city_id, carrier, number, FL_DATE, planned) AS h, o.city_id AS o_city, d.city_id AS d_city,
  strptime(FL_DATE, '%-m/%-d/%Y %I:%M:%S %p')::DATE AS day, dep // 100 * 60 + dep % 100 AS left_min,
  dep // 100 * 60 + dep % 100 - o.offset_min + air + 24 + d.offset_min AS landed_min
FROM raw JOIN airport o ON o.iata = ORIGIN JOIN airport d ON d.iata = DEST
WHERE cancelled = 0 AND dep IS NOT NULL AND air IS NOT NULL AND miles IS NOT NULL AND o.city_id <> d.city_id
QUALIFY row_number() OVER (PARTITION BY h ORDER BY record) = 1
"""
BARE_WRITE = """
COPY (
  SELECT o_city AS origin_city_id, d_city AS dest_city_id, day AS flight_date, 'F' || lpad(n::VARCHAR, 7, '0')
    AS flight_number, carrier || number || ' ' || ORIGIN || '-' || DEST AS native_id, ORIGIN AS origin_airport,
    DEST AS dest_airport, lpad((left_min // 60)::VARCHAR, 2, '0') || ':' || lpad((left_min % 60)::VARCHAR, 2, '0')
    AS dep_time, lpad((((landed_min + 1440) % 1440) // 60)::VARCHAR, 2, '0') || ':' ||
    lpad((landed_min % 60)::VARCHAR, 2, '0') AS arr_time, landed_min // 1440 AS arr_day_offset,
    (air + 24)::BIGINT AS elapsed_min, round(miles * 1.609344, 1) AS distance_km,
    round(miles * (0.2 + 0.3 * (h / 18446744073709551616.0)))::BIGINT AS price, 'USD' AS currency,
    true AS is_price_modelled, true AS is_arrival_modelled, ['bts.on_time@' || $sha256 || '#R' || record] AS source_rows
  FROM (SELECT *, row_number() OVER (ORDER BY h) AS n FROM judged)
  ORDER BY origin_city_id, dest_city_id, flight_date, flight_number
) TO $target (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 65536)
"""


def main() -> None:
    """Generate the file, run both in turn, and print times, ratio and peak memory."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=340_000)
    parser.add_argument("--runs", type=int, default=RUNS)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        path = folder / "on_time.csv"
        write_flights(path, chosen.rows)
        print(f"{chosen.rows:,} rows, {path.stat().st_size / 1e6:,.0f} MB, {CITIES} cities")
        runs = by_turns({"bare": bare, "ours": ours, "trips": trips}, path, folder, chosen.runs)
    keys = ("seconds", "cpu_seconds", "seconds_with_rejections", "seconds_to_trips", "peak_mb", "rows")
    show(runs, keys, target=1.5)


def bare(path: Path, folder: Path) -> dict[str, Any]:
    """Return the seconds and rows of a DuckDB script that does the same work."""
    import duckdb

    started, cpu_started = time.perf_counter(), time.process_time()
    sha256 = hash_of(path)
    target = folder / "flight.parquet"
    config = {"memory_limit": "1GB", "temp_directory": str(folder / "sort")}
    with duckdb.connect(config={**config}) as connection:
        connection.execute("CREATE TABLE airport (iata VARCHAR, city_id VARCHAR, offset_min INT)")
        rows = [(iata(i), city_id(i), OFFSETS_MIN[i % len(ZONES)]) for i in range(CITIES)]
        connection.executemany("INSERT INTO airport VALUES (?, ?, ?)", rows)
        connection.execute(BARE_READ, {"path": str(path)})
        connection.execute(BARE_JUDGE)
        connection.execute(BARE_WRITE, {"target": str(target), "sha256": sha256})
        hash_of(target)
        seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - cpu_started
        count = connection.sql("SELECT count(*) FROM judged").fetchall()[0][0]
    return {"seconds": seconds, "cpu_seconds": cpu_seconds, "rows": count}


def trips(path: Path, folder: Path) -> dict[str, Any]:
    """Return what `ours` does, and the seconds of the step after it, which prices the flights for TripCraft."""
    return ours(path, folder, with_trips=True)


def seconds_to_trips(tables: Any, version: Any) -> float:
    """Return how long the `tripcraft_flight` step takes, from one table version to the next."""
    import datetime as dt

    import pandas as pd

    from assets.tripcraft.facts.money import FareModel
    from assets.tripcraft.facts.trip_flights import trip_flights
    from assets.tripcraft.section import TripcraftSection
    from assets.tripcraft.tables import TripcraftFlight

    fares = FareModel(low_per_km=0.1243, high_per_km=0.3107, currency="USD")
    section = TripcraftSection(first_date=dt.date(2022, 2, 27), last_date=dt.date(2022, 4, 2), fares=fares)
    started = time.perf_counter()
    outcome: Any = trip_flights(tables.read(version), pd.DataFrame({"currency": ["USD"]}), section=section, seed=7)
    made = tables.write(TripcraftFlight, outcome.rows)
    if made.rows != version.rows:
        raise ValueError(f"{version.rows - made.rows} of {version.rows} flights were dropped; expected none")
    return time.perf_counter() - started


def ours(path: Path, folder: Path, *, with_trips: bool = False) -> dict[str, Any]:
    """Return the seconds and rows of the `flight` step, from the verified raw file to the table version."""
    import pandas as pd
    import pyarrow as pa

    from assets.clean.flight import flights
    from assets.step import RawFile
    from schemas.recipe import City
    from schemas.recipe_values import Box
    from schemas.rejection import Rejection
    from schemas.source import Snapshot
    from schemas.travel import Flight
    from warehouse.store import Store, sha256_of
    from warehouse.tables import Tables

    box = Box(south=0, west=0, north=1, east=1)
    cities = [City(city_id=city_id(i), name=city_id(i), country="XX", box=box) for i in range(CITIES)]
    served = pd.DataFrame(
        [(city_id(i), iata(i), 0.0, ZONES[i % len(ZONES)]) for i in range(CITIES)],
        columns=["city_id", "iata", "distance_m", "time_zone"],
    )
    tables = Tables(Store(str(folder / "home")))
    started, cpu_started = time.perf_counter(), time.process_time()
    sha256 = sha256_of(path)
    snapshot = Snapshot(
        source="bts", role="on_time", location=path.name, sha256=sha256, size_bytes=path.stat().st_size, licence_id="-"
    )
    outcome: Any = flights([RawFile(snapshot, path)], [], served, cities=cities)
    version = tables.write(Flight, outcome.rows)
    seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - cpu_started

    def completed() -> Any:
        for batch in outcome.rejections:
            rows = pa.Table.from_batches([batch])
            rows = rows.append_column("step", pa.array(["flight"] * len(batch)))
            rows = rows.append_column("city_id", pa.array([""] * len(batch)))
            yield from rows.select(Rejection.arrow_schema().names).cast(Rejection.arrow_schema()).to_batches()

    tables.write(Rejection, pa.RecordBatchReader.from_batches(Rejection.arrow_schema(), completed()))
    everything = time.perf_counter() - started
    to_trips = {"seconds_to_trips": seconds_to_trips(tables, version)} if with_trips else {}
    return {
        **to_trips,
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "seconds_with_rejections": everything,
        "rows": version.rows,
    }


def iata(city: int) -> str:
    """Return the code of a city's airport."""
    return "".join(chr(ord("A") + city // 26**power % 26) for power in (2, 1, 0))


def city_id(city: int) -> str:
    """Return a city's id."""
    return f"xx-made-up-{city:03d}"


def write_flights(path: Path, rows: int) -> None:
    """Write that many rows of a form's selection of BTS, some of them cancelled, repeated or unreadable."""
    rng = random.Random(1)
    carriers = ("AA", "DL", "UA", "WN", "OO", "MQ", "AS", "B6")
    line = ""
    with path.open("w", encoding="ascii") as file:
        file.write(HEADER)
        for row in range(rows):
            if row % REPEATED_EVERY != REPEATED_EVERY - 1:
                origin, dest = rng.sample(range(CITIES), 2)
                planned = rng.randrange(1440)
                left = max(1, min(1440, planned + rng.choice((-5, 0, 3, 20))))
                is_cancelled = row % CANCELLED_EVERY == 7
                miles = 100 + (origin * 31 + dest * 17) % 2400
                dep = "" if is_cancelled else "xx:yy" if row % BAD_EVERY == 11 else f"{left // 60:02d}{left % 60:02d}"
                line = (
                    f"2022,1,3,3/{row * DAYS // rows + 1}/2022 12:00:00 AM,{rng.choice(carriers)},"
                    f"N{rng.randrange(10**5)}US,{rng.randrange(1, 7000)},{iata(origin)},{iata(dest)},"
                    f"{planned // 60:02d}{planned % 60:02d},{dep},0.00,{'1.00' if is_cancelled else '0.00'},,"
                    f"{'' if is_cancelled else f'{miles / 8 + rng.randrange(20):.0f}.00'},{miles}.00,\n"
                )
            file.write(line)


if __name__ == "__main__":
    main()
