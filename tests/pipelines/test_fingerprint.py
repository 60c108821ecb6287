"""What a step's code hash is made of."""

from __future__ import annotations

import importlib.metadata

from pipelines.walk.fingerprint import Code, owners_of_modules


def test_modules_are_owned_by_the_distributions_that_python_names():
    found = {module: {owner.name for owner in owners} for module, owners in owners_of_modules().items()}
    told = {module: set(owners) for module, owners in importlib.metadata.packages_distributions().items()}
    assert found == told
    assert found["pandas"] == {"pandas"}


def test_a_steps_code_is_the_closure_of_its_own_function_not_of_the_module_that_lists_it():
    code = Code()
    code.hash_of("assets.spatial.served_stops:nearest_stops")
    reached = set(code._lines)
    assert {"assets.spatial.served_stops", "assets.spatial.nearest_stop"} <= reached
    assert not reached & {"assets.spatial.steps", "assets.spatial.picture", "assets.spatial.coverage"}


def test_a_named_function_and_the_function_have_one_hash():
    from assets.spatial.served_stops import nearest_stops

    code = Code()
    assert code.hash_of("assets.spatial.served_stops:nearest_stops") == code.hash_of(nearest_stops)
    assert code.hash_of("assets.spatial.coverage:coverage") != code.hash_of(nearest_stops)
