"""What tests and measurements write recipes of invented cities with, and run the commands by."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from pipelines.cli import app


def city_table(city: dict[str, Any], **changed: Any) -> str:
    """Return a row of `world_cities` as a recipe's `[[cities]]` table; of the keys changed, None leaves one out."""
    keys = {key: _toml(value) for key, value in {**city, **changed}.items() if value is not None}
    return "\n[[cities]]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())


def command(*words: object, home: object) -> tuple[int, dict]:
    """Run a command with --json in a home: (exit code, answer)."""
    result = CliRunner().invoke(app, [*map(str, words), "--home", str(home), "--json"])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, json.loads(result.stdout)


def lines_of(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows as JSON lines and return the file."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def hashed_files(release: Path) -> dict[str, bytes]:
    """Return the bytes of a release's files, its record left out: all that its version stands for."""
    files = (path for path in release.rglob("*") if path.is_file())
    return {n: p.read_bytes() for p in files if not (n := p.relative_to(release).as_posix()).startswith("record/")}


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items()) + " }"
    return json.dumps(value)
