"""A model server that behaves in every wrong way: nothing invalid is taken, no call escapes the budget, no key is kept.

All behaviours are asked from one process, whose memory must stay under 300 MB.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.asked import MAX_COST, PRICE_A_CALL
from tests.hostile.wire_server import BEHAVIOURS, KEY, WireServer

MEMORY_MB = 300
BUDGETS = ("small", "large")
HONEST = ("honest", "honest_gzip", "honest_deflate", "key_in_model", "key_in_fingerprint", "half_a_pair_in_the_model",
          "answer_in_parts")  # fmt: skip
"""Behaviours whose answers are good, as many as the budget pays for."""


@pytest.fixture(scope="module")
def asked() -> dict[tuple[str, str], dict[str, Any]]:
    """Return what came of each behaviour under each budget, with what the server could charge for it."""
    environment = os.environ | {"WIRE_KEY": KEY}
    results = {}
    with (
        WireServer() as server,
        subprocess.Popen(
            [sys.executable, "-m", "tests.hostile.asked"], cwd=Path(__file__).parents[2], env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        ) as child,
    ):  # fmt: skip
        assert child.stdin is not None and child.stdout is not None
        for name, budget in product(BEHAVIOURS, BUDGETS):
            child.stdin.write(f"{name} {server.url}/{name}/{budget}/v1 {budget}\n")
            child.stdin.flush()
            line = child.stdout.readline()
            assert line, f"{name} ended the process"
            results[name, budget] = json.loads(line)
        child.stdin.close()
        charged = {trial: server.charged["/".join(trial)] for trial in results}
    return {trial: {**result, "charged": charged[trial]} for trial, result in results.items()}


def test_there_are_at_least_thirty_behaviours(asked):
    assert len({name for name, _ in asked}) >= 30


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("name", BEHAVIOURS)
def test_nothing_invalid_is_taken_nothing_is_unpaid_and_no_key_is_kept(asked, name, budget):
    result = asked[name, budget]
    assert result["wrong"] == []
    assert not result["has_key"]
    assert not result["acts"], result["error"]
    assert result["told"] or result["error"], "neither an answer, a named problem nor an error"
    assert result["charged"] * PRICE_A_CALL <= result["cost"] + 1e-9
    if budget == "small":
        assert result["cost"] <= MAX_COST + 1e-9


def test_memory_stays_bounded_over_all_of_them(asked):
    assert max(result["peak_mb"] for result in asked.values()) < MEMORY_MB


@pytest.mark.parametrize("name", HONEST)
def test_good_answers_are_kept_until_the_budget_is_used_up(asked, name):
    assert "SpendingLimitError" in asked[name, "small"]["error"]
    assert asked[name, "small"]["kept"] >= 4
    assert asked[name, "large"]["good"] == 3
