"""Questions to a model that doubles numbers, and who asks it: what tests of asking share."""

from __future__ import annotations

import json
from pathlib import Path

from assets.language.answers import Shape
from assets.language.asking import Prompt
from pipelines.walk.asking import Asker
from schemas.engines import ModelEndpoint
from tests.model_server import MODEL, ModelServer
from warehouse.ledger import Ledger
from warehouse.store import Store


class Double(Shape):
    """Twice a number."""

    double: int


def prompt(number: int) -> Prompt:
    def check(value: Double) -> list[str]:
        return [] if value.double == 2 * number else [f"{value.double} is not twice {number}"]

    return Prompt(str(number), "Double the number. Answer in JSON.", f"The number is {number}.", Double, check, 10)


def brain(messages: list[dict[str, str]]) -> str:
    number = int(messages[1]["content"].split()[-1].rstrip("."))
    return json.dumps({"double": 2 * number})


def asker(server: ModelServer | str, home: Path, planning: bool = False, **options) -> Asker:
    url = server if isinstance(server, str) else server.url
    options = {"api_key_env": "STANDIN_KEY", "model": MODEL, "deadline_s": 20, "retries": 3, **options}
    return Asker(Ledger(Store(str(home))), ModelEndpoint(base_url=url, **options), home, planning=planning)


def everything_written(home: Path) -> str:
    return "".join(p.read_text(errors="replace") for p in home.rglob("*") if p.is_file())
