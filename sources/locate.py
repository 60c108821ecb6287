"""From a row pointer's locator back to the raw text it names: what an audit shows and checks values against."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

LINE = re.compile(r"L([1-9][0-9]*)")


def raw_records(path: Path, locators: Iterable[str]) -> dict[str, str]:
    """Return the raw text at each locator of a file; a locator that leads nowhere is left out.

    `L12` is the file's twelfth line. The file is read once, however many locators are asked for.
    """
    lines = {int(match[1]): locator for locator in locators if (match := LINE.fullmatch(locator))}
    found: dict[str, str] = {}
    if lines:
        last = max(lines)
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if number in lines:
                    found[lines[number]] = line.decode("utf-8", errors="replace").rstrip("\r\n")
                if number >= last:
                    break
    return found
