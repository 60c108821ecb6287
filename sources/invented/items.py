"""Files of JSON objects as Apify exports them: one array, or one object a line, with what is planted among them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Self

from schemas.stable import stable_hash
from sources.invented.cities import CitySpec
from sources.invented.dirt import JUNK_LINES, Dirt


class PlantedItem(NamedTuple):
    """An item to plant: what is wrong with it, the item, and the id it bears, if any."""

    kind: str
    item: object
    native_id: str = ""


JUNK_ITEMS = tuple(
    PlantedItem("not_an_object", item) for item in (None, 42, "<script>alert(1)</script>", ["a", "list"])
)
"""Items that are no objects, for an array; a file of lines gets `JUNK_LINES`."""


def is_array_of(city: CitySpec, provider: str) -> bool:
    """Return whether the provider's file of that city is an array; the others are lines."""
    return stable_hash("array or lines", provider, city.city_id) % 2 == 0


class ItemFile:
    """A file of items, written one by one; `dirt` says which are planted, by their number from 1.

    `file` is how the list of dirt names it. The text is escaped to ASCII only in arrays, so that both ways are met.
    """

    def __init__(self, path: Path, file: str, *, is_array: bool) -> None:
        self.dirt: list[Dirt] = []
        self._name, self._is_array = file, is_array
        self._count = 0
        self._file = path.open("wb", buffering=1 << 20)

    def __enter__(self) -> Self:
        if self._is_array:
            self._file.write(b"[")
        return self

    def __exit__(self, *error: object) -> None:
        if self._is_array and error[0] is None:
            self._file.write(b"\n]\n")
        self._file.close()

    def add(self, item: object, kinds: Iterable[str] = (), native_id: str = "") -> None:
        """Write the item; it counts as planted once for each kind."""
        text = json.dumps(item, ensure_ascii=self._is_array, allow_nan=False, separators=(",", ":"))
        # A lone half of a surrogate pair can stand in a file only escaped.
        self._write(text.encode(errors="backslashreplace"), kinds, native_id)

    def plant(self, planted: PlantedItem) -> None:
        """Write an item that is planted."""
        self.add(planted.item, [planted.kind], planted.native_id)

    def plant_junk(self) -> None:
        """Write what is no object, as far as the file can hold it and still be what it is."""
        if self._is_array:
            for planted in JUNK_ITEMS:
                self.plant(planted)
        else:
            for line in JUNK_LINES:
                self._write(line.line, [line.kind], "")

    def _write(self, text: bytes, kinds: Iterable[str], native_id: str) -> None:
        before = (b"," if self._count else b"") + b"\n" if self._is_array else b""
        self._file.write(before + text + (b"" if self._is_array else b"\n"))
        self._count += 1
        self.dirt += [Dirt(kind, self._name, self._count, native_id) for kind in kinds]
