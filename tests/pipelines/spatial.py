"""What the tests of spatial recipes share: recipes on other files, tables of a home, our processes, towns on paper."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd

from schemas.table import Table
from warehouse.build_records import BuiltStep
from warehouse.home import Home

RECIPES = Path(__file__).resolve().parents[2] / "recipes"


def copied_recipe(name: str, shared_data: Path, folder: Path, **changes: str) -> Path:
    """Return a copy of one of our recipes in another folder, bound to the same files, with keys' values replaced."""
    text = (RECIPES / f"{name}.toml").read_text(encoding="utf-8").replace("../../shared/data", shared_data.as_posix())
    lines = []
    for line in text.splitlines():
        key = line.partition(" = ")[0]
        lines.append(f"{key} = {changes.pop(key)}" if key in changes else line)
    assert not changes, f"the recipe {name} has no {changes}"
    path = folder / f"{name}.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def record(home: Path, recipe: str, table: type[Table], scope: str) -> BuiltStep:
    """Return the last record of a step in a scope."""
    built = Home(str(home)).built.latest(recipe, table.table_name(), scope)
    assert built is not None, f"{table.table_name()} was not built for {scope!r}"
    return built


def rows(home: Path, recipe: str, table: type[Table], scope: str) -> pd.DataFrame:
    """Return a city's rows of a table as last built."""
    built = record(home, recipe, table, scope)
    return table.frame(Home(str(home)).tables.read(built.outputs[scope]))


def dropped(home: Path, recipe: str, table: type[Table], scope: str) -> list[dict[str, Any]]:
    """Return what a step dropped in a scope, as rows of `Rejection`."""
    return Home(str(home)).tables.read(record(home, recipe, table, scope).rejections).to_pylist()


def below(pid: int, name: str) -> list[int]:
    """Return the processes of a name among a process's children and theirs."""
    try:
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        named = [child for child in children if Path(f"/proc/{child}/comm").read_text().strip() == name]
    except OSError:
        return []
    return named + [found for child in children for found in below(child, name)]


def lives(pid: int) -> bool:
    """Return whether a process runs and is not only waiting to be reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def town_box(south: float, west: float, size: float) -> str:
    """Return a recipe's box of a town on paper: so many degrees each way from its south-west corner."""
    return f"box = {{ south = {south}, west = {west}, north = {south + size}, east = {west + size} }}"


def town_extract(south: float, west: float) -> str:
    """Return an OSM extract of a town: a grid of eleven streets each way, and cafés beside them."""
    nodes, ways = [], []
    for i in range(11):
        for j in range(11):
            cafe = f'<tag k="amenity" v="cafe"/><tag k="name" v="Café {i} &amp; {j}"/>' if i == j else ""
            lat, lon = south + (i + 1) / 1000, west + (j + 1) / 1000
            nodes.append(f'<node id="{i * 11 + j + 1}" version="1" lat="{lat:.7f}" lon="{lon:.7f}">{cafe}</node>')
    for i in range(11):
        for refs in ([i * 11 + j + 1 for j in range(11)], [j * 11 + i + 1 for j in range(11)]):
            inside = "".join(f'<nd ref="{ref}"/>' for ref in refs)
            ways.append(f'<way id="{len(ways) + 1}" version="1">{inside}<tag k="highway" v="residential"/></way>')
    return f'<?xml version="1.0" encoding="UTF-8"?><osm version="0.6">{"".join(nodes + ways)}</osm>'


def town_feed(south: float, west: float, first: str = "20250101", last: str = "20251231") -> dict[str, str]:
    """Return the members of a town's feed: a bus each way between its corners, daily from first to last day."""
    stops = [("A", south + 0.002, west + 0.002), ("B", south + 0.01, west + 0.01)]
    return {
        "agency.txt": "agency_name,agency_url,agency_timezone\nBuses,http://b.example,Europe/Paris\n",
        "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n"
        + "".join(f"{stop_id},Corner {stop_id},{lat:.6f},{lon:.6f}\n" for stop_id, lat, lon in stops),
        "routes.txt": "route_id,route_short_name,route_type\nR,1,3\n",
        "trips.txt": "route_id,service_id,trip_id\nR,DAY,there\nR,DAY,back\n",
        "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        f"DAY,1,1,1,1,1,1,1,{first},{last}\n",
        "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        "there,8:00:00,8:00:00,A,1\nthere,8:10:00,8:10:00,B,2\nback,9:00:00,9:00:00,B,1\nback,9:10:00,9:10:00,A,2\n",
    }


def zipped(members: dict[str, str]) -> bytes:
    """Return a zip of the members."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return content.getvalue()
