"""Reads damaged files in a process of its own, one a line, and prints what came of each, its time and the memory."""

from __future__ import annotations

import hashlib
import json
import re
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import Snapshot, SourceError
from tests.hostile.memory import peak_mb
from tests.hostile.readers import READERS

TIME_S = 30
"""Of computing: a reader that takes longer on a damaged small file hangs. Other work on the machine does not count."""


@dataclass(frozen=True)
class Damaged:
    """A damaged file as a step gets it."""

    snapshot: Snapshot
    path: Path
    max_unreadable: float = 1.0


def unaccounted(content: bytes, kept: list[str], rejected: list[str], *, is_whole: bool) -> str:
    """Return which rows are neither kept nor rejected, or both, in words; "" if each is one of them."""
    both = [pointer.partition("#")[2] for pointer in (*kept, *rejected)]
    if len(set(both)) < len(both):
        return f"{len(both) - len(set(both))} rows are counted twice"
    groups: dict[str, list[int]] = {}
    for locator in both:
        match = re.fullmatch(r"(.*?)([0-9]+)\]?", locator, re.DOTALL)
        if match and "/" not in locator:
            groups.setdefault(match[1], []).append(int(match[2]))
    for prefix, numbers in groups.items():
        first = 0 if prefix.endswith("[") else 1
        if prefix != "L" and sorted(numbers) != list(range(first, first + len(numbers))):
            return f"{prefix}…: rows are missing between {min(numbers)} and {max(numbers)}"
    if is_whole and set(groups) == {"L"}:
        lines = [number for number, line in enumerate(content.split(b"\n"), 1) if line.strip()]
        if sorted(groups["L"]) != lines:
            return f"{len(lines)} lines, {len(groups['L'])} of them accounted for"
    return ""


def read(provider: str, role: str, name: str, target: Path) -> dict[str, Any]:
    """Return what a reader makes of a damaged file."""
    content = target.read_bytes()
    sha256 = hashlib.sha256(content).hexdigest()
    snapshot = Snapshot(
        source=provider,
        role=role,
        location=f"{name}.{role}",
        sha256=sha256,
        size_bytes=len(content),
        licence_id="MIT",
    )
    city = City(
        city_id="xx-a", name="A", country="XX", currency="EUR", box=Box(south=-90, west=-180, north=90, east=180)
    )
    is_plain = not content.startswith((b"\x1f\x8b", b"PK", b"\xff\xfe", b"\xfe\xff")) and b"\r" not in content
    is_plain = is_plain and b"\0" not in content[:64]
    del content
    rejected: list[dict[str, str]] = []
    result = {"damage": name, "provider": provider, "role": role, "outcome": "read", "said": "", "rows": 0}
    started = time.monotonic()
    signal.setitimer(signal.ITIMER_PROF, TIME_S)
    try:
        kept = READERS[provider, role](Damaged(snapshot, target), [city], rejected)
        result |= {"rows": len(kept), "rejected": len(rejected)}
        pointers = [row["row"] for row in rejected]
        content = target.read_bytes() if is_plain else b""
        result["said"] = unaccounted(content, kept, pointers, is_whole=is_plain)
        result["outcome"] = "unaccounted" if result["said"] else "read"
    except SourceError as error:
        result |= {"outcome": "refused", "said": str(error)}
    except Exception as error:
        where = "".join(traceback.format_exception(error)[-3:])
        result |= {"outcome": "undeclared", "said": f"{type(error).__name__}: {error}"[:300] + where[-600:]}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    result["seconds"] = round(time.monotonic() - started, 3)
    result["peak_mb"] = peak_mb()
    return result


def _hangs(*_: object) -> None:
    raise TimeoutError(f"more than {TIME_S} s")


def main() -> None:
    """Read lines of JSON that name a file and a damage, and print a line for each."""
    signal.signal(signal.SIGPROF, _hangs)
    for line in sys.stdin:
        job = json.loads(line)
        target = Path(job.pop("target"))
        print(json.dumps(read(**job, target=target), default=str), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
