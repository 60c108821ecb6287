"""Two builds of overlapping recipes, a refresh and `gc --delete` begun at once in one home in which nothing is built.

    python -m perf.together                 once, in a folder
    python -m perf.together --rounds 5      five times in a folder and five in a bucket; into perf/README.md

Three recipes share three invented cities, two each: `one` and `two` are built, `three`, whose feeds are served at an
address, is refreshed. Exit 1 where a command fails, where a table differs from those of builds one after the other in a
home of their own, where a build of any of them afterwards runs a step, or where more than 5 % of the cells that several
needed were made twice.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from perf.trials_noted import commit, ended
from pipelines.walk.build import build
from pipelines.walk.fingerprint import ROOT
from sources.invented import city_of, generate, world_cities
from tests.bucket import bucket
from tests.recipes import city_table
from tests.served import Served, serving
from warehouse.home import Home

CITIES_OF = {"one": (0, 1), "two": (1, 2), "three": (0, 2)}
COMMANDS = {"one": "build", "two": "build", "three": "refresh"}
MOST_TWICE = 0.05
SEED, SCALE = 5, 0.2


def write_recipes(folder: Path, served: Served, world: Path, files: dict[str, Any]) -> dict[str, Path]:
    """Return the recipes, which bind the same files; those of `three` are fetched from the server."""
    of = {(role, city_of(path)): path for roles in files.values() for role, paths in roles.items() for path in paths}
    cities, recipes = world_cities(3, SEED), {}
    for name, numbers in CITIES_OF.items():
        text = f'name = "{name}"\n[spatial]\nrouter = "graph"\npool_size = 20\n'
        for city in (cities[number] for number in numbers):
            text += city_table(city)
            for source, role in (("osm", "extract"), ("gtfs", "feed")):
                path = of[role, city["city_id"]]
                is_served = (name, role) == ("three", "feed")
                where = f'url = {{ {role} = "{served.url(path.relative_to(world).as_posix())}" }}'
                text += f"[cities.sources.{source}]\n{where if is_served else f'{role} = {json.dumps(str(path))}'}\n"
        recipes[name] = folder / f"{name}.toml"
        recipes[name].write_text(text, encoding="utf-8")
    return recipes


def tripwright(*words: object) -> subprocess.Popen[str]:
    """Return a command that runs."""
    said = [sys.executable, "-m", "pipelines.cli", *map(str, words), "--json"]
    return subprocess.Popen(said, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def answer_of(child: subprocess.Popen[str], wrong: list[str]) -> dict[str, Any]:
    """Return what a command answered, and note where it failed."""
    out, error = child.communicate()
    if child.returncode:
        wrong.append(f"{child.args}: exit {child.returncode}: {out}{error[-300:]}")
        return {}
    answer = json.loads(out)
    wrong += [f"{child.args}: {answer['blocked']}"] if answer.get("blocked") else []
    return answer


def round_of(home: Home, recipes: dict[str, Path], expected: set[str]) -> tuple[int, int, list[str]]:
    """Return how many cells several recipes needed, how many of them were made twice, and what was wrong."""
    wrong: list[str] = []
    for recipe in recipes.values():
        recipe.with_suffix(".lock.json").unlink(missing_ok=True)
    begun = {name: tripwright(COMMANDS[name], path, "--home", home.url) for name, path in recipes.items()}
    collecting = tripwright("gc", "--delete", "--home", home.url)
    answers = {name: answer_of(child, wrong) for name, child in begun.items()}
    answer_of(collecting, wrong)
    made = len(list(home.store.keys("built")))
    ran = sum(answer.get("steps_run", 0) for answer in answers.values())
    needed = ran + sum(answer.get("steps_skipped", 0) for answer in answers.values())
    wrong += [] if set(home.store.keys("tables")) == expected else ["the tables differ from those of builds alone"]
    for path in recipes.values():
        again = build(Home(home.url), path, workers=1)
        wrong += [f"{path.stem}: {again.steps_run} steps ran again"] if again.steps_run or again.blocked else []
    common, twice = needed - made, ran - made
    wrong += [f"{twice} of {common} cells made twice"] if twice > MOST_TWICE * common or not common else []
    return common, twice, wrong


def main() -> int:
    """Run the rounds; return 1 where one shows a fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, help="So many in a folder and in a bucket; written into perf/README.md.")
    given = parser.parse_args()
    started, rows, wrong = time.monotonic(), [], []
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        world = folder / "world"
        files = generate(world, providers=["osm", "gtfs"], cities=3, scale=SCALE, seed=SEED, dirt=False)
        recipes = write_recipes(folder, opened.enter_context(serving(world)), world, files)
        os.environ["TRIPWRIGHT_CACHE"] = str(folder / "cache")
        os.environ.setdefault("TRIPWRIGHT_WORKERS", "2")
        alone = Home(str(folder / "alone"))
        for path in recipes.values():
            assert not build(alone, path, workers=1).blocked
        expected = set(alone.store.keys("tables"))
        served = opened.enter_context(bucket()) if given.rounds else None
        for where in ("a folder", "a bucket") if served else ("a folder",):
            common = twice = 0
            for number in range(given.rounds or 1):
                home = Home(served.home() if served and where == "a bucket" else str(folder / f"home-{number}"))
                one = round_of(home, recipes, expected)
                common, twice = common + one[0], twice + one[1]
                wrong += one[2]
                print(f"{where}, round {number + 1}: {one[1]} of {one[0]} common cells made twice; {len(wrong)} wrong")
            rows.append(f"| {where} | {given.rounds or 1} | {common} | {twice} ({twice / common:.1%}) | {len(wrong)} |")
    lines = [
        "## At once",
        "",
        f"`python -m perf.together{f' --rounds {given.rounds}' if given.rounds else ''}`, commit {commit()}, load "
        f"average {os.getloadavg()[2]:.0f}, {time.monotonic() - started:.0f} s: two builds of overlapping recipes, a "
        "refresh and `gc --delete`, begun together in one home in which nothing is built.",
        "",
        "| home | rounds | cells that several needed | made twice | wrong |",
        "|---|---|---|---|---|",
        *rows,
    ]
    return ended("together", lines, wrong, note=bool(given.rounds))


if __name__ == "__main__":
    sys.exit(main())
