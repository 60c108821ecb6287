"""The notebook of a planner that calls tools: what its searches found, kept for planning (ItinBench, TravelPlanner).

One notebook belongs to one list of tools, so to one session of one planner.
"""

from __future__ import annotations

from typing import Any

from assets.core.tools import Answer, ToolError


class Notebook:
    """Descriptions and contents in the order they were written, with the rows behind them."""

    def __init__(self) -> None:
        self._entries: list[tuple[str, Answer]] = []
        self._last: Answer | None = None

    def show(self, answer: Answer) -> Answer:
        """Return the answer, remembered as what `write_last` would write."""
        self._last = answer
        return answer

    def write(self, description: str, answer: Answer) -> Answer:
        """Write an answer down at once, and return it."""
        self._entries.append((description, answer))
        return answer

    def write_last(self, description: str) -> Answer:
        """Write down what the last search found. Raises ToolError if nothing was searched."""
        if self._last is None:
            raise ToolError("there is nothing to write down yet; search first")
        self.write(description, self._last)
        return Answer(f"Entry {len(self._entries) - 1} written: {description}")

    def query_with_entries(self, query: str) -> Answer:
        """Return the query with all that is written down: what a model plans from. Raises ToolError if nothing is."""
        if not self._entries:
            raise ToolError("the notebook is empty; search first")
        contents: list[dict[str, Any]] = [
            {"index": at, "Description": description, "Content": answer.content}
            for at, (description, answer) in enumerate(self._entries)
        ]
        rows = dict.fromkeys(row for _, answer in self._entries for row in answer.rows)
        return Answer({"query": query, "notebook": contents}, tuple(rows))

    def rows_of(self, *descriptions: str) -> tuple[str, ...]:
        """Return the rows behind the latest entry under each description, those without one left out."""
        latest = dict(self._entries)
        rows = (row for name in descriptions if name in latest for row in latest[name].rows)
        return tuple(dict.fromkeys(rows))
