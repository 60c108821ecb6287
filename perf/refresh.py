"""A refresh of many invented cities after one of them changed, beside the build of all of them.

Run from the repository's root: `python -m perf.refresh [--cities 140] [--scale 0.2]`. The world is written first and
not counted, and one of its cities is built elsewhere, so that Python has compiled its modules, as it has on a machine
that built before. Counted are whole processes, start included, by the clock and by what they computed: the first build,
a refresh after nothing changed, and a refresh after one stop of one city moved (at most 5 % of the build). The smaller
the cities, the smaller the build beside a process's start: a small scale is the harder measure.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path

import numpy as np

from perf.gate import computed
from sources.invented import city_of, generate, world_cities
from tests.feeds import move_a_stop
from tests.recipes import city_table

LIMIT = 0.05


def recipe_text(folder: Path, cities: int, scale: float) -> str:
    """Write the world and return a recipe of its files."""
    files = generate(folder / "world", providers=["osm", "gtfs", "airbnb"], cities=cities, scale=scale, seed=5)
    text = 'name = "many"\n[spatial]\ntrip_dates = [2024-11-12]\nrouter = "graph"\n'
    for city in world_cities(cities, 5):
        text += city_table(city)
        for source, roles in files.items():
            mine = {role: [p for p in paths if city_of(p) == city["city_id"]] for role, paths in roles.items()}
            lines = [
                f"{role} = {json.dumps([str(p.relative_to(folder)) for p in mine[role]])}"
                for role in mine
                if mine[role]
            ]
            text += "\n".join([f"[cities.sources.{source}]", *lines, ""]) if lines else ""
    return text


def timed(*words: str) -> tuple[np.ndarray, dict]:
    """Run a command as a process of its own; return its seconds (clock, computed) and its answer."""
    clock_s, spent_s, answer = computed(["-m", "pipelines.cli", *words, "--json"])
    return np.array([clock_s, spent_s]), json.loads(answer)


def main() -> None:
    """Build, refresh twice, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cities", type=int, default=140)
    parser.add_argument("--scale", type=float, default=0.2)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        recipe, home = folder / "many.toml", folder / "home"
        (folder / "few").mkdir()
        for path, cities in ((folder / "few" / "few.toml", 1), (recipe, chosen.cities)):
            path.write_text(recipe_text(path.parent, cities, chosen.scale), encoding="utf-8")
        timed("build", str(folder / "few" / "few.toml"), "--home", str(folder / "few" / "home"))
        words = (str(recipe), "--home", str(home))
        print(f"{chosen.cities} cities, scale {chosen.scale}, load {os.getloadavg()[0]:.1f}", flush=True)
        full, built = timed("build", *words)
        print(
            "build:                {:7.1f} s by the clock, {:7.1f} s computed, {} steps".format(
                *full, built["steps_run"]
            )
        )
        for what in ("nothing changed", "one stop moved"):
            if what == "one stop moved":
                move_a_stop(sorted((folder / "world" / "gtfs").rglob("*.zip"))[chosen.cities // 2])
            spent, answer = timed("refresh", *words)
            share = spent / full
            print(
                "refresh, {}: {:.1f} s by the clock, {:.1f} s computed, {} steps".format(
                    what, *spent, answer["steps_run"]
                )
            )
            print(
                f"  {share[0]:.1%} of the build by the clock, {share[1]:.1%} computed (at most {LIMIT:.0%})", flush=True
            )


if __name__ == "__main__":
    main()
