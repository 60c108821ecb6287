"""What one city costs does not grow with the other cities of its recipe: what is done for it is counted, not timed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assets.step import Raw
from pipelines.walk import progress as progress_module
from pipelines.walk.fingerprint import Code
from pipelines.walk.graph import Graph
from pipelines.walk.inputs import resolve
from pipelines.walk.progress import Progress
from pipelines.walk.recipes import LoadedRecipe
from pipelines.walk.walk_report import Event
from schemas.recipe import City, Recipe, RecipeLock, SourceBinding
from schemas.recipe_values import Box
from schemas.source import Snapshot
from warehouse.home import Home
from warehouse.snapshots import SEEN
from warehouse.store import Store

LISTINGS = Raw("toy", "listing")


def lines_run(function: Callable[[], Any]) -> int:
    """Return how many lines of Python a call runs, each turn of a loop counted."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return count


def cities(count: int) -> list[City]:
    return [
        City(city_id=f"xx-a-c{n}", name=f"C{n}", country="XX", box=Box(south=0, west=0, north=1, east=1 + n / 1000))
        for n in range(count)
    ]


def snapshot(city_id: str | None, location: str) -> Snapshot:
    return Snapshot(
        source="toy",
        role="listing",
        city_id=city_id,
        location=location,
        sha256="0" * 64,
        size_bytes=1,
        licence_id="MIT",
    )


def graph_of(home: Path, count: int) -> Graph:
    """Return a graph of so many cities, two files to each, and one that all share before and after these."""
    bound = SourceBinding(max_unreadable=0.5)
    recipe = Recipe(
        name="toy",
        cities=[city.model_copy(update={"sources": {"toy": bound}}) for city in cities(count)],
        sources={"toy": SourceBinding(max_unreadable=0.25)},
    )
    own = [snapshot(city.city_id, f"{city.name}-{n}") for n in (1, 2) for city in recipe.cities]
    lock = RecipeLock(recipe="toy", snapshots=[snapshot(None, "first"), *own, snapshot(None, "last")])
    return Graph(Home(str(home)), LoadedRecipe(Path("toy.toml"), recipe, {}, {}), lock, {})


def test_a_city_reads_its_own_files_and_those_that_all_share_in_the_lock_s_order(tmp_path):
    graph = graph_of(tmp_path, 3)
    last = list(graph.cities.values())[-1]
    assert [s.location for s in graph.snapshots(LISTINGS, last)] == ["first", "C2-1", "C2-2", "last"]
    assert [s.location for s in graph.snapshots(LISTINGS, None)] == [s.location for s in graph.lock.snapshots]
    assert [graph.most_unreadable(s) for s in graph.snapshots(LISTINGS, last)] == [0.25, 0.5, 0.5, 0.25]


def test_a_city_s_files_are_found_without_a_look_at_those_of_others(tmp_path):
    def looked(count: int) -> tuple[int, int]:
        graph = graph_of(tmp_path, count)
        last = list(graph.cities.values())[-1]
        _, mine, *_ = graph.snapshots(LISTINGS, last)
        return (
            lines_run(lambda: graph.snapshots(LISTINGS, last)),
            lines_run(lambda: graph.most_unreadable(mine)),
        )

    assert looked(3) == looked(30)


def test_what_is_left_is_told_without_a_look_at_every_cell(monkeypatch):
    monkeypatch.setattr(progress_module.ERR, "print", lambda *_, **__: None)

    def looked(count: int) -> list[int]:
        progress = Progress()
        for step in ("place", "matrix"):
            for n in range(count):
                progress(Event(step, f"c{n:03}", "ahead"))
        for n in range(count // 2):
            progress(Event("place", f"c{n:03}", "built", rows=1))
        assert progress.remaining_text().startswith(f"{count // 2} of {2 * count} steps")
        events = [
            Event("place", f"c{count - 1:03}", "built", rows=1),
            Event("matrix", f"c{count - 1:03}", "blocked", reason="no road"),
        ]
        return [lines_run(lambda event=event: progress(event)) for event in events]

    assert looked(4) == looked(400)


def test_the_memory_of_hashed_files_is_written_once_for_all(tmp_path, monkeypatch):
    files = [tmp_path / f"f{n}.csv" for n in range(5)]
    for file in files:
        file.write_text(f"{file.name}\n")
        os.utime(file, (1_700_000_000, 1_700_000_000))
    put = Store.put
    written: list[str] = []

    def counted(store: Store, key: str, *data: Any, **how: Any) -> None:
        written.append(key)
        put(store, key, *data, **how)

    monkeypatch.setattr(Store, "put", counted)
    home = Home(str(tmp_path / "home"))
    listings = SourceBinding(files={"listings": [str(file) for file in files]})
    recipe = Recipe(name="toy", cities=cities(1), sources={"airbnb": listings})
    loaded = LoadedRecipe(tmp_path / "toy.toml", recipe, {}, {})
    resolve(home, loaded, Code())
    assert written.count(SEEN) == 1
    assert len(Home(str(tmp_path / "home")).snapshots._hashed_files) == len(files)
    resolve(home, loaded, Code())
    assert written.count(SEEN) == 1
