"""Where texts stand in a column of them: millions are looked up without a Python object for each."""

from __future__ import annotations

from bisect import bisect_left
from itertools import takewhile
from typing import TYPE_CHECKING, SupportsInt

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa


class TextPlaces:
    """The places of each text of a column."""

    def __init__(self, texts: pa.Array) -> None:
        """Order the texts, of which none is null."""
        self._texts = texts
        self._positions = _order(texts)

    def of(self, text: str) -> list[int]:
        """Return where the text stands in the column, in order; empty if nowhere."""
        first = bisect_left(self._positions, text, key=self._text_at)
        return [int(at) for at in takewhile(lambda at: self._text_at(at) == text, self._positions[first:])]

    def _text_at(self, place: SupportsInt) -> str:
        return self._texts[int(place)].as_py()


def are_in_order(texts: pa.Array | pa.ChunkedArray) -> bool:
    """Return whether no text stands before a lesser one."""
    import pyarrow.compute as pc

    return pc.call_function("all", [pc.call_function("less_equal", [texts[:-1], texts[1:]])]).as_py()


def _order(texts: pa.Array) -> np.ndarray:
    """Return the places in the order of their texts, equal ones in theirs; a table's own key is in order already."""
    import numpy as np
    import pyarrow.compute as pc

    return np.arange(len(texts)) if are_in_order(texts) else pc.call_function("array_sort_indices", [texts]).to_numpy()
