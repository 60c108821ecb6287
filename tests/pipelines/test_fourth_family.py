"""A fourth benchmark is one folder: put it into a copy of the tree, touch nothing else, and it builds."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("schemas", "sources", "warehouse", "assets", "pipelines")

FAMILY = '''
"""A toy: name the best-rated stay of the city."""

from __future__ import annotations

import json

import pandas as pd
from pydantic import BaseModel, ConfigDict

from assets.family import Family
from assets.step import Outcome, Step
from schemas.places import Place
from schemas.recipe import City
from schemas.stable import canonical_json, content_hash
from schemas.task import Certificate, LineageEdge, Task


class ToySection(BaseModel):
    model_config = ConfigDict(extra="forbid")
    least_stars: float = 3


class ToyTask(Task):
    """One question."""


class ToyCertificate(Certificate):
    """One answer."""


class ToyLineage(LineageEdge):
    """Where it comes from."""


def ask(place: pd.DataFrame, *, city: City, toyplan: ToySection) -> pd.DataFrame:
    """Return one question a city."""
    query, record = f"Where is it nice to stay in {city.name}?", {"least_stars": toyplan.least_stars}
    row = {
        "task_id": f"toyplan.{city.city_id}", "city_id": city.city_id, "slot": 0, "query": query,
        "record_json": canonical_json(record), "repairs_json": "[]", "engine": "rules",
        "generation_ids": [],
        "content_hash": content_hash([query, record]),
    }
    return pd.DataFrame([row])


def answer(task: pd.DataFrame, place: pd.DataFrame) -> Outcome:
    """Return the best stay."""
    stays = place[place["kind"] == "stay"].sort_values(["stars", "place_id"], ascending=[False, True])
    row = task.iloc[0]
    best = stays.iloc[0]
    answered = {
        "task_id": row["task_id"], "city_id": row["city_id"], "depends_on": content_hash(best["place_id"]),
        "witness_json": canonical_json({"place_id": best["place_id"]}), "values_json": "{}", "checks_json": "[]",
    }
    return Outcome(pd.DataFrame([answered]), rows_in=len(task))


def edges(task: pd.DataFrame, certificate: pd.DataFrame) -> pd.DataFrame:
    """Return the lineage."""
    task_id, city_id = task.iloc[0][["task_id", "city_id"]]
    place_id = json.loads(certificate.iloc[0]["witness_json"])["place_id"]
    fields = ("query", "record_json", "repairs_json", "values_json", "checks_json")
    rules = [(task_id, name, "rule", "toy") for name in fields]
    rows = [*rules, (task_id, "witness_json/place_id", "row", f"place/{city_id}/{place_id}")]
    return pd.DataFrame(rows, columns=["task_id", "field", "kind", "ref"])


FAMILY = Family(
    name="toyplan", title="Toy plans", section=ToySection,
    steps=(
        Step(ToyTask, ask, (Place,)),
        Step(ToyCertificate, answer, (ToyTask, Place)),
        Step(ToyLineage, edges, (ToyTask, ToyCertificate)),
    ),
    tasks=ToyTask, certificates=ToyCertificate, lineage=ToyLineage, context=(Place,),
    wanted=lambda section, cities: cities,
    measures=lambda tables, facts: {"tasks": len(tables[ToyTask])},
    export=lambda tables: {"toy.txt": b"x"},
    score=lambda tables, plans, variant: {"aggregate": {}},
    recheck=lambda tables: {},
    rules={"toy": "Made up."},
)
'''


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a command in a copy of the tree that holds the toy family."""
    tree = tmp_path / "tree"
    for room in ROOMS:
        shutil.copytree(ROOT / room, tree / room, ignore=shutil.ignore_patterns("__pycache__"))
    folder = tree / "assets" / "toyplan"
    folder.mkdir()
    (folder / "__init__.py").write_text('"""A toy family."""\n')
    (folder / "family.py").write_text(FAMILY)

    def command(*words):
        done = subprocess.run(
            [sys.executable, "-m", "pipelines.cli", *words, "--home", str(tmp_path / "home"), "--json"],
            cwd=tree,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, json.loads(done.stdout), done.stderr

    return command


def test_a_family_is_one_folder_and_touches_nothing_else(run, write_recipe, tmp_path):
    recipe = write_recipe(cities=2)
    recipe.write_text(recipe.read_text().replace("[families.itinbench]\ntasks_per_city = 6", "[families.toyplan]"))
    code, built, said = run("build", str(recipe))
    assert code == 0, said
    (release,) = built["releases"]
    assert (release["family"], release["tasks"], release["certified"]) == ("toyplan", 2, 2)
    code, audited, said = run("audit", "--release", release["path"])
    assert (code, audited["problems"]) == (0, []), said


def test_editing_a_familys_code_rebuilds_its_steps_and_no_others(run, write_recipe, tmp_path):
    recipe = write_recipe(cities=2)
    recipe.write_text(recipe.read_text().replace("[families.itinbench]\ntasks_per_city = 6", "[families.toyplan]"))
    run("build", str(recipe))
    family = tmp_path / "tree" / "assets" / "toyplan" / "family.py"
    family.write_text(family.read_text() + "\n# edited\n")
    _, built, _ = run("build", str(recipe))
    assert (built["steps_run"], built["steps_skipped"]) == (6, 8)
