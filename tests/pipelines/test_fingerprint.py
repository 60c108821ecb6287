"""What a step's code hash is made of."""

from __future__ import annotations

import importlib.metadata

from pipelines.walk.fingerprint import Code


def test_modules_are_owned_by_the_distributions_that_python_names():
    found = {module: {owner.name for owner in owners} for module, owners in Code()._distributions.items()}
    told = {module: set(owners) for module, owners in importlib.metadata.packages_distributions().items()}
    assert found == told
    assert found["pandas"] == {"pandas"}
