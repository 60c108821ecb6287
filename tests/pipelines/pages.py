"""What must hold of the page of any family's release, whoever draws it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assets.promises.values import edges_by_task
from assets.release.page.data import page_data
from assets.release.page.render import render
from assets.release.reading import open_release
from warehouse.home import Home


def told_by_the_page(home: Path, release: str | Path) -> dict[str, Any]:
    """Return what the page of a release shows, after checking that it shows all of it and invents nothing."""
    opened = open_release(Path(release))
    data = page_data([opened], Home(str(home)).snapshots)
    tasks = opened.table("tasks")
    overview, [details], [provenance] = data["overview"], data["tasks"], data["provenance"]
    assert {task["id"]: task["query"] for task in overview["tasks"]} == dict(
        zip(tasks["task_id"], tasks["query"], strict=True)
    )
    assert set(details) == set(tasks["task_id"])
    _witnesses_are_whole(details, data["maps"]["places"][0])
    told = {
        (task_id, provenance["fields"][field], ref["kind"], ref["ref"])
        for task_id, flat in provenance["tasks"].items()
        for field, ref in zip(flat[::2], [provenance["refs"][n] for n in flat[1::2]], strict=True)
    }
    edges = edges_by_task(opened.rows("lineage"))
    assert told == {(t, f, *ref) for t, mine in edges.items() for f, edge in mine.items() for ref in edge.refs}
    rows = [ref for ref in provenance["refs"] if ref["kind"] == "row"]
    assert rows
    sourced = {name for name in opened.tables() if "source_rows" in opened.rows(name).column_names}
    assert all(ref["values"] for ref in rows)
    assert all(ref["sources"] for ref in rows if ref["ref"].split("/")[0] in sourced)
    for distribution in overview["distributions"]:
        assert distribution["bars"]
        if distribution["unit"] == "share":
            assert all(0 <= here <= 1 for _, here, _ in distribution["bars"])
    assert json.loads(json.dumps({name: part for name, part in data.items() if name != "basemaps"}, allow_nan=False))
    written = (Path(release) / "record" / "report.html").read_bytes()
    assert written == render(data)
    return data


def _witnesses_are_whole(details: dict[str, Any], places: dict[str, Any]) -> None:
    """Every stop with a position is a place on the map, with its name; every day has one."""
    spots = {tuple(spot[:3]) for kinds in places.values() for found in kinds.values() for spot in found}
    for detail in details.values():
        assert detail["days"]
        assert all(holds is not False for _, holds in detail["checks"])
        for day in detail["days"]:
            placed = [stop for stop in day["stops"] if stop[4] is not None]
            assert placed
            assert {(name, lat, lon) for _, name, _, _, lat, lon, _ in placed} <= spots
