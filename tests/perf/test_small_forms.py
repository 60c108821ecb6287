"""Every script of `perf/` runs, in a form small enough for each commit, so that one that stopped working is found."""

from __future__ import annotations

import copy
import importlib
import inspect
import io
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from assets.reviews.learned.training import learn
from assets.tripcraft import planning
from perf.computed import computed_s
from pipelines.cli import app
from pipelines.releases import release
from schemas.recipe_values import Box
from sources import invented
from sources.invented import listings, world
from sources.invented.cities import world_cities
from tests.assets.reviews.labelled import made_up
from tests.hostile.test_files import trials
from tests.hostile.wire_server import BEHAVIOURS
from tests.pipelines.conftest import recipe_text
from tests.programs import needed
from tests.recipes import city_table

ROOT = Path(__file__).resolve().parents[2]
SHARE = r"(0\.\d+|1\.0+)"
NOT_RUN_ALONE = {"by_turns", "computed", "in_child", "labelled_prose", "trials_noted"}
"""Modules that other scripts use; the own command of the last two prints a sheet to be filled by hand."""

BY_HAND = {"dagster_cities", "kills", "open_cities", "three_ways", "two_homes"}
"""Trials that have no small form: a web server, a daemon and a process for each run take minutes with two cities; what
`kills` does to whole builds is done to small ones in `tests/pipelines/`, and so is what `three_ways` and `two_homes`
compare (`test_cores.py`, `test_cluster_audit.py`). `open_cities` builds whole real cities;
`tests/pipelines/test_new.py` a small one."""


@dataclass(frozen=True)
class Small:
    """A script's arguments, as text for its command line or as values for its `main`, and its sizes for this once."""

    words: Sequence[str] = ()
    given: Sequence[Any] = ()
    sizes: dict[str, Any] = field(default_factory=dict)
    program: str = ""
    changed: Sequence[tuple[Any, str]] = ()
    """What the script sets in other modules, for the process that it has for itself: put back afterwards."""
    says: Sequence[str] = ()
    """Lines that it must print, each as a pattern: a figure that was not measured, or cannot be, is none of them."""


def _invented(folder: Path, provider: str, role: str) -> Path:
    made = invented.generate(folder, providers=[provider], cities=1, scale=0.1, seed=3)[provider][role]
    return sorted(made, key=lambda path: path.stat().st_size)[-1]


def _published(folder: Path, data: Path) -> Path:
    """Return a copy of the published folder with its first queries, and what they ask, alone."""
    target = folder / "published"
    shutil.copytree(data / "itinbench", target, ignore=shutil.ignore_patterns("*.md"))
    for path in (target / "humanQuerys.jsonl", target / "evals.jsonl"):
        path.write_text("".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:6]), encoding="utf-8")
    return target


def _recipe(folder: Path) -> Path:
    recipe = folder / "small.toml"
    text = 'name = "small"\nseed = 3\n\n[invented]\nproviders = ["yelp"]\nscale = 0.3\nseed = 5\n'
    for city in world_cities(1, 5):
        text += city_table(city)
    recipe.write_text(f"{text}\n[families.itinbench]\ntasks_per_city = 4\n", encoding="utf-8")
    return recipe


def _weights(desk: Desk) -> tuple[str, str]:
    """Return words that name a table of weights, learned of invented sentences: of real ones it takes a minute."""
    path = desk.folder / "review_reader.parquet"
    pq.write_table(pa.Table.from_pylist(learn(made_up())), path)
    return "--weights", str(path)


def _without_family(**sizes: Any) -> str:
    return recipe_text(**sizes).partition("\n[families")[0]


def _tiny(count: int, *_: float) -> str:
    return _without_family(cities=count)


def _schedules_alone(folder: Path, **given: Any) -> Any:
    return invented.generate(folder, **{**given, "providers": ["gtfs"]})


def _few_trials(files: Any, seeds: range) -> list[dict[str, Any]]:
    return trials(files, seeds)[::100]


def _computed_here(words: list[str]) -> tuple[float, float, str]:
    """Return the same as `computed`, of a command or a script in this process, which has imported what they need."""
    before, started, printed = computed_s(), time.monotonic(), io.StringIO()
    if words[:2] == ["-m", "pipelines.cli"]:
        result = CliRunner().invoke(app, words[2:])
        assert result.exit_code == 0, result.output
        printed.write(result.stdout)
    else:
        with patch.object(sys, "argv", words), redirect_stdout(printed):
            run_path(words[0], run_name="__main__")
    return time.monotonic() - started, computed_s() - before, printed.getvalue()


def _in_this_process(function: Callable[..., dict[str, Any]], *given: Path) -> dict[str, Any]:
    """Return the same as `in_child`, but of this process, which has imported it; what it holds is not measured."""
    before, started = computed_s(), time.perf_counter()
    answer = function(*given)
    spent = {"seconds": time.perf_counter() - started, "cpu_seconds": computed_s() - before}
    return answer | spent | {"peak_mb": 0.0, "largest_mb": 0.0}


@dataclass(frozen=True)
class Desk:
    """What a script may be given: a folder, the real files, and a small built home."""

    folder: Path
    data: Callable[[], Path]
    world: Callable[[], Any]


SMALL: dict[str, Callable[[Desk], Small]] = {  # by the script, and which of its ways where there are several
    "audit": lambda d: Small((str(d.world().releases["itinbench"]), "--home", str(d.world().home))),
    "conversations": lambda _: Small(("--count", "3")),
    "cores": lambda _: Small(("spatial", "--cities", "1"), sizes={"scale": SimpleNamespace(tiny=_tiny)}),
    "extraction": lambda _: Small(("--cities", "1", "--scale", "0.3")),
    "first_minutes": lambda _: Small(("--only", "uv run tripwright doctor"), sizes={"ENVIRONMENT": sys.prefix}),
    "flights": lambda _: Small(("--rows", "3000", "--runs", "1")),
    "gate": lambda d: Small((str(_recipe(d.folder)), "--tasks", "1"), sizes={"computed": _computed_here}),
    "group_release": lambda _: Small(
        ("--cities", "2", "--scale", "0.2", "--tasks", "1", "0", "0"),
        sizes={"WORKERS": 1, "in_child": _in_this_process},
        says=(
            r"[1-9]\d* places in 2 cities",
            r"raw files to release: [1-9]\d* s by the clock, [1-9]\d* s computed, .*",
            r"1 of 1 tasks certified",
            rf'gaps_to_the_bounds: .*"worst": {SHARE}, "share_that_meets_the_bound": {SHARE}\}}]',
        ),
    ),
    "group_witnesses": lambda d: Small((str(d.data()), "--tasks", "1")),
    "groups": lambda d: Small((str(d.world().releases["grouptravel"]), "--tries", "20", "--tasks", "1")),
    "gtfs": lambda d: Small((str(_invented(d.folder, "gtfs", "feed")),)),
    "itinbench_witness": lambda d: Small(given=(_published(d.folder, d.data()),), sizes={"TASKS": 4}),
    "cluster_kills": lambda _: Small(
        ("--only", "faults"), sizes={"CITIES": 1, "WORKERS": 1, "recipe_text": _without_family}
    ),
    "matrix": lambda d: Small(
        given=(_invented(d.folder, "osm", "extract"),), sizes={"REPEATS": 1, "PLACES": 50, "PLACES_ON_THE_GRAPH": 20}
    ),
    "model_calls": lambda _: Small(("--calls", "40", "--latency", "0.01")),
    "model_soak": lambda _: Small(("--calls", "20"), sizes={"KILLS": 1}),
    "nearest_stop": lambda _: Small(sizes={"PLACES": 300, "STOPS": 500, "PAIRS": 100, "SAMPLE": 10, "REPEATS": 2}),
    "osm_clip": lambda d: Small(
        (str(d.data() / "osm" / "monaco.osm.pbf"), "43.72,7.4,43.74,7.43", "1"), program="osmium"
    ),
    "osmnx_graph": lambda d: Small(given=(_invented(d.folder, "osm", "extract"),)),
    "page": lambda d: Small(given=(d.world().releases["itinbench"],), sizes={"RUNS": 1}),
    "page_map": lambda d: Small(
        given=(_invented(d.folder, "osm", "extract"), Box(south=41.1, west=-8.7, north=41.2, east=-8.5)),
        sizes={"PLACES": 200, "RUNS": 1, "MOVES": 6},
    ),
    "philadelphia": lambda d: Small(given=(d.data() / "itinbench",), sizes={"TASKS": 1, "computed": _computed_here}),
    "planners": lambda d: Small((str(d.world().releases["tripcraft"]),)),
    "refresh": lambda _: Small(
        ("--cities", "1", "--scale", "0.1"), sizes={"generate": _schedules_alone, "computed": _computed_here}
    ),
    "review_evidence": lambda d: Small(
        ("--sheet", str(d.data() and d.folder / "sheet.csv")), sizes={"learn": lambda _: learn(made_up()), "FOLDS": 1}
    ),
    "review_gigabyte": lambda d: Small(
        ("--gb", "0.0002"), sizes={"PLACES": 20, "READERS": ("rules",)} if d.data() else {}
    ),
    "review_ordinary": lambda d: Small(_weights(d) if d.data() else ()),
    "review_reading": lambda d: Small(
        ("--split", "val", *_weights(d)) if d.data() else (),
        sizes={"SAMPLES": 50},
        says=(
            r"MAMS val, [1-9]\d* sentences, rules",
            r"Boston page, [1-9]\d* sentences, learned",
            rf"  all +precision {SHARE}  recall {SHARE}  F1 {SHARE}   right by sign {SHARE} of .*",
            rf"  all +precision {SHARE}  recall {SHARE}  F1 {SHARE}",
        ),
    ),
    "review_speed": lambda d: Small(_weights(d), sizes={"RUNS": 1, "WORDS": 2000} if d.data() else {}),
    "scale": lambda _: Small(("cells", "--cities", "2")),
    "scale cities": lambda _: Small(("cities", "--cities", "1"), sizes={"tiny": _tiny}),
    "spatial_walk": lambda _: Small(("--cities", "1", "--scale", "0.1", "--pool-size", "10")),
    "together": lambda _: Small(sizes={"SCALE": 0.1, "CITIES_OF": {"one": (0,), "three": (0,)}}),
    "trials": lambda _: Small(sizes={"trials": _few_trials, "BEHAVIOURS": tuple(BEHAVIOURS)[:1], "FEW_DISK_TIMES": 1}),
    "tripcraft_release": lambda _: Small(
        ("--cities", "4", "--queries", "3", "--flights", "4000"),
        sizes={"in_child": _in_this_process},
        changed=(
            (planning, "solve"),
            (release, "gate"),
            (listings, "LISTINGS_PER_CITY"),
            (world, "PLACES_PER_CITY"),
        ),
    ),
    "unsolvable": lambda d: Small(
        (str(d.world().releases["itinbench"]), str(d.world().releases["grouptravel"]), "--count", "2")
    ),
    "yelp_reviews": lambda _: Small(("--gb", "0.002"), sizes={"RUNS": 1}),
}


@pytest.mark.parametrize("name", sorted(BY_HAND))
def test_a_script_that_is_run_by_hand_can_be_read_and_says_how(name):
    module = importlib.import_module(f"perf.{name}")
    assert f"python -m perf.{name}" in (module.__doc__ or "")
    assert callable(module.main)


def test_every_script_has_a_small_form():
    scripts = {path.stem for path in (ROOT / "perf").glob("*.py")} - NOT_RUN_ALONE - BY_HAND
    assert scripts == {name.partition(" ")[0] for name in SMALL}


@pytest.mark.parametrize("name", sorted(SMALL))
def test_a_script_runs_and_prints_what_it_measured(name, request, tmp_path, monkeypatch, capfd):
    desk = Desk(
        tmp_path,
        lambda: request.getfixturevalue("shared_data"),
        lambda: request.getfixturevalue("small_world"),
    )
    small = SMALL[name](desk)
    if small.program:
        needed(small.program)
    module = importlib.import_module(f"perf.{name.partition(' ')[0]}")
    for constant, value in small.sizes.items():
        assert hasattr(module, constant), f"perf.{name} has no {constant}"
        monkeypatch.setattr(module, constant, value)
    for owner, attribute in small.changed:
        monkeypatch.setattr(owner, attribute, copy.copy(getattr(owner, attribute)))
    monkeypatch.setattr(sys, "argv", [f"perf.{name}", *small.words])
    monkeypatch.chdir(ROOT)
    main = module.main
    with patch.dict(os.environ):  # a script may set what the commands that it starts are to read
        ended = main(*small.given) if inspect.signature(main).parameters else main()
    printed = capfd.readouterr().out + "".join(p.read_text(encoding="utf-8") for p in tmp_path.glob("sheet.csv"))
    assert not ended
    assert re.search(r"\d", printed), printed
    for line in small.says:
        assert re.search(f"^{line}$", printed, re.MULTILINE), f"{line} is not among\n{printed}"
