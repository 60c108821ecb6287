"""Asks one server behaviour after another in this process, and prints what came of each and the memory it took."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from assets.language.answers import PROBLEMS, Shape
from assets.language.asking import Answer, Prompt
from pipelines.walk.asking import Asker
from schemas.engines import ModelEndpoint, Prices
from sources.services import llm
from sources.services.llm import ModelError
from tests.hostile.memory import peak_mb
from tests.hostile.wire_server import ENDLESS, KEY
from warehouse.ledger import Ledger
from warehouse.store import Store

PRICE_A_CALL = 0.01
MAX_COST = 0.08
PROMPTS = 24


class Double(Shape):
    """Twice a number."""

    double: int


def prompt(number: int) -> Prompt:
    """Return one question; its answer is estimated at a price of `PRICE_A_CALL` or a little more."""

    def check(value: Double) -> list[str]:
        return [] if value.double == 2 else [f"{value.double} is not 2"]

    return Prompt(
        str(number), "Double the number. Answer in JSON.", f"Number 1, for the {number}th time.", Double, check, 10
    )


def strings(value: Any) -> str:
    """Return every text in a value, as it is and as the JSON that it may hold."""
    if isinstance(value, dict):
        return "\n".join(strings(inner) for pair in value.items() for inner in pair)
    if isinstance(value, list):
        return "\n".join(map(strings, value))
    if not isinstance(value, str):
        return ""
    try:
        inner = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return value if isinstance(inner, str | int | float) else f"{value}\n{strings(inner)}"


def ask(url: str, behaviour: str, budget: str) -> dict[str, Any]:
    """Return what came of asking a server that behaves so: much with a small budget, or little with a large one."""
    max_cost, prompts = (MAX_COST, PROMPTS) if budget == "small" else (1e6, 3)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        deadline_s = 1.0 if behaviour in ENDLESS else 120.0
        endpoint = ModelEndpoint(
            base_url=url, model="m", api_key_env="WIRE_KEY", deadline_s=deadline_s, retries=1, concurrency=8,
            prices=Prices(input=1.0, output=PRICE_A_CALL / 10 * 1e6), max_cost=max_cost, corrections=1,
        )  # fmt: skip
        asker = Asker(Ledger(Store(str(home))), endpoint, home)
        told, error = [], ""
        try:
            told = asker.for_step("wording")([prompt(n) for n in range(prompts)])
        except ModelError as caught:
            error = f"{type(caught).__name__}: {caught}"
        values = [t.value.double for t in told if isinstance(t, Answer)]
        problems = sorted({t.problem.split(":")[0] for t in told if not isinstance(t, Answer)})
        records = list(Ledger(Store(str(home))).records())
        disk = "".join(p.read_text(errors="replace") for p in home.rglob("*") if p.is_file())
        everything = f"{disk}\n{strings(records)}\n{error}\n{told}"
        return {
            "behaviour": behaviour,
            "wrong": [value for value in values if value != 2] + [p for p in problems if p not in PROBLEMS],
            "error": error,
            "cost": asker.spent.cost,
            "told": len(told),
            "good": len([value for value in values if value == 2]),
            "kept": len(records),
            "has_key": KEY in everything,
            "acts": any(c in error for c in "\x1b\x07\u202e\n"),
            "peak_mb": peak_mb(),
        }


def main() -> None:
    """Read lines of behaviour, address and budget, and print one line of JSON for each."""
    defaults = llm.ModelClient.__init__.__kwdefaults__
    assert defaults is not None
    defaults["first_pause_s"] = 0.01
    for line in sys.stdin:
        behaviour, url, budget = line.split()
        print(json.dumps(ask(url, behaviour, budget)), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
