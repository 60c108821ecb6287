"""A family's declaration is held against the contract before anything of it runs."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

import assets.families
import assets.family
from assets.declared import TAKES, FamilyError, function_problems, require_none, shape_problems
from assets.families import all_steps, families
from assets.family import Family
from assets.step import Step
from schemas.places import Place
from schemas.table import Table

FAMILY = families()["tripcraft"]
HERE = "assets.tripcraft"

WRONG_SHAPES = [
    ({"name": "Müseum day/../x"}, "`name` is 'Müseum day/../x'; expected the name of its folder, 'tripcraft'"),
    ({"per": "town"}, "`per` is 'town'; expected 'city' or 'recipe'"),
    ({"language": "English "}, "`language` is 'English '; expected a BCP 47 tag, such as 'en' or 'zh-Hans', or None"),
    ({"attempts": 0}, "`attempts` is 0; expected a whole number from 1 on"),
    ({"checks": "form"}, "expected a tuple of names of checks; a tuple of one ends in a comma"),
    ({"world_tables": []}, "expected a tuple of tables"),
    ({"section": dict}, "expected a class derived from pydantic's BaseModel"),
    ({"check": print}, "`check` is <built-in function print>; expected its name as text"),
    ({"derivations": {"sum": sum}}, "`derivations['sum']` is <built-in function sum>; expected its name as text"),
    ({"record": dict}, "`record`: <class 'dict'>: expected a scalar"),
    ({"planners": {"gready": f"{HERE}.planners:greedy"}}, "`planners` has 'gready'; expected some of random, greedy"),
    ({"unjudged": ("levle",)}, "`unjudged` names 'levle'; expected fields of the record"),
    (
        {"wishes": {"constraints_cuisine": ("x",)}},
        "`wishes` names 'constraints_cuisine'; expected fields of the record",
    ),
    ({"rules": {"tripcraft.plan": " "}}, "`rules` says nothing of tripcraft.plan; expected for each how"),
    (
        {"wishes": {"people": ("two",)}},
        "`wishes['people']` has what the record cannot hold there: value is 'two', expected int",
    ),
    ({"wishes": {"dates": (["2026-01-01", None],)}}, "has what the record cannot hold there: /1 is null, expected str"),
    ({"wishes": {"dates": 1}}, "`wishes['dates']` is 1; expected a tuple of values"),
]

WRONG_FUNCTIONS = [
    ({"uses": f"{HERE}.world.uses"}, "`uses`: `assets.tripcraft.world.uses` names no function"),
    ({"uses": f"{HERE}.world:nothing"}, "assets/tripcraft/world.py defines no `nothing`"),
    ({"uses": f"{HERE}.nowhere:uses"}, "there is no assets/tripcraft/nowhere.py"),
    ({"score": FAMILY.export}, "; expected 3 arguments, as beside `score` in assets/family.py"),
    (
        {"world_steps": (Step(Place, f"{HERE}.release:nothing"),)},
        "`world_steps['place']` is `assets.tripcraft.release:nothing`; there is no assets/tripcraft/release.py",
    ),
    ({"world_steps": (Step(Place, FAMILY.export),)}, "; expected 0 arguments, one for each of its inputs"),
    ({"planners": {"greedy": FAMILY.export}}, "`planners['greedy']` is `"),
]


@pytest.mark.parametrize("name", sorted(families()))
def test_every_family_keeps_the_contract(name):
    family = families()[name]
    assert [*shape_problems(family, name), *function_problems(family)] == []


@pytest.mark.parametrize(("wrong", "why"), WRONG_SHAPES, ids=[next(iter(wrong)) for wrong, _ in WRONG_SHAPES])
def test_a_value_of_another_type_is_told_with_what_was_expected(wrong, why):
    (problem,) = shape_problems(replace(FAMILY, **wrong), "tripcraft")
    assert why in problem


@pytest.mark.parametrize(("wrong", "why"), WRONG_FUNCTIONS)
def test_a_function_that_cannot_be_called_is_told_before_it_is(wrong, why):
    (problem,) = function_problems(replace(FAMILY, **wrong))
    assert why in problem


def test_all_problems_of_a_declaration_are_told_at_once():
    with pytest.raises(FamilyError, match=r"(?s)assets/tripcraft/family.py .*`per` is.*`attempts` is"):
        require_none("tripcraft", shape_problems(replace(FAMILY, per="town", attempts=0), "tripcraft"))


def test_a_declaration_that_cannot_be_read_is_told_by_its_file(monkeypatch):
    def broken(*_):
        raise TypeError("missing 1 required positional argument: 'uses'")

    monkeypatch.setattr(assets.families, "_member", broken)
    with pytest.raises(FamilyError, match=r"assets/roundtrips/family.py cannot be read: TypeError: missing.*'uses'"):
        assets.families._family("roundtrips")


def test_as_many_arguments_are_expected_as_the_contract_says():
    tree = ast.parse(Path(assets.family.__file__).read_text())
    (body,) = (node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == Family.__name__)
    told = {}
    for field, said in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant):
            text = re.sub(r"\{[^}]*\}|\[[^\]]*\]", "x", str(said.value.value))
            signature = re.search(r"\(((?:[^()]|\([^()]*\))*)\)\s→", text)
            told[getattr(field.target, "id", "")] = signature and len(signature.group(1).split(","))
    assert {name: told[name] for name in TAKES} == TAKES


@pytest.mark.parametrize(
    ("tables", "why"),
    [
        (families()["itinbench"].world_tables, "is made where a recipe asks for itinbench; expected [families.itinb"),
        ((type("NobodysTable", (Table,), {}),), "no step makes; expected a table of the shared stages, or of a step"),
    ],
)
def test_a_table_that_no_step_of_the_recipe_makes_is_told_with_whose_it_is(tables, why):
    family = replace(FAMILY, world_tables=(*FAMILY.world_tables, *tables))
    with pytest.raises(
        FamilyError, match=rf"^the step `tripcraft_\w+` of tripcraft reads the table `\w+`, which {re.escape(why)}"
    ):
        all_steps([family])
