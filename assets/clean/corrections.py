"""People's corrections as a table, and a city's places with them applied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assets.clean.place_union import city_places
from assets.step import Outcome, RawFile
from schemas.corrections import DROP, Correction
from schemas.places import Place
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.source import SourceError
from sources.corrections import read_corrections

if TYPE_CHECKING:
    import pandas as pd


def corrections(files: list[RawFile], *, cities: list[City]) -> pd.DataFrame:
    """Return every correction of a place. Raises SourceError if one names a city that the recipe does not have."""
    import pandas as pd

    known = {city.city_id for city in cities}
    rows = []
    for entry in (entry for file in files for entry in read_corrections(file) if "place_id" in entry):
        if entry["city_id"] not in known:
            raise SourceError(f"{entry['pointer'].partition('#')[2]}: the recipe has no city {entry['city_id']!r}")
        rows.append({"value": "", **entry, "source_rows": [entry["pointer"]]})
    names = [column.name for column in Correction.columns()]
    return pd.DataFrame(rows, columns=[*names])[names]


def corrected_places(
    business: pd.DataFrame, osm_place: pd.DataFrame, stay: pd.DataFrame, correction: pd.DataFrame
) -> Outcome:
    """Return every place of one city, each once, of one kind, as people corrected it.

    A corrected place points to its correction before its sources; one that was taken out is rejected with who, when
    and why. Raises SourceError if a correction names a place that the city does not have.
    """
    made: Outcome = city_places(business, osm_place, stay)
    if correction.empty:
        return made
    import pyarrow as pa

    rows = pa.table(made.rows).to_pylist()
    wanted: dict[str, list[dict[str, Any]]] = {}
    for entry in correction.to_dict("records"):
        wanted.setdefault(str(entry["place_id"]), []).append({str(k): v for k, v in entry.items()})
    missing = sorted(set(wanted) - {row["place_id"] for row in rows})
    if missing:
        raise SourceError(f"the overrides correct places that the city does not have: {', '.join(missing)}")
    kept, rejected = [], []
    for row in rows:
        entries = wanted.get(row["place_id"], [])
        drop = next((entry for entry in entries if entry["field"] == DROP), None)
        if drop is not None:
            detail = f"{drop['who']}, {drop['made_on']}: {drop['why']}"
            rejected.append({"row": row["place_id"], "reason": Reason.WITHDRAWN.value, "detail": detail})
            continue
        for entry in entries:
            row[entry["field"]] = entry["value"]
            row["source_rows"] = [*entry["source_rows"], *row["source_rows"]]
        kept.append(row)
    former = made.rejections if isinstance(made.rejections, list) else []
    table = pa.Table.from_pylist(kept, schema=Place.arrow_schema())
    return Outcome(table, [*former, *rejected], made.merged, made.rows_in, made.facts)
