"""Calling a release's tools in process: from the tools themselves, or from recorded calls where these hold the answer.

    sandbox = open_sandbox(open_release(Path("releases/…")))
    sandbox.call("search_poi", {"keywords": "museum", "city": "Helsinki"}).published

A plan made from the answers is scored by `tripwright score`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assets.core.tools import Reply, Tool, error_reply, row_ref
from assets.core.worlds import tables_of_tools
from assets.families import families
from assets.release.call_cache import MAX_EXAMPLES, CallCache, Embed, Example
from assets.release.exporting import release_tables
from assets.release.reading import OpenedRelease, ReleaseError
from schemas.counts import counted

Simulate = Callable[[Tool, Mapping[str, Any], Sequence[Example]], str]
"""Makes up an answer from the most similar recorded calls, as the published sandbox does by a model."""


class Sandbox:
    """The tools of one release by name; with a cache, a call it holds is replayed as recorded."""

    def __init__(self, tools: Sequence[Tool], cache: CallCache | None = None, simulate: Simulate | None = None):
        self.tools = {tool.name: tool for tool in tools}
        self._cache, self._simulate = cache, simulate

    def call(self, name: str, arguments: Any) -> Reply:
        """Return the reply, whatever the name and arguments are: what cannot be answered is told as an error.

        A call that the cache does not hold is answered by the tool, or by `simulate` if there is one, and noted in the
        cache's missed calls, never in the cache (published).
        """
        tool = self.tools.get(name)
        if tool is None:
            return error_reply(f"no tool {str(name)[:60]!r}; there are {', '.join(self.tools)}")
        problems = tool.problems(arguments)
        if problems:
            return error_reply("; ".join(problems))
        recorded = self._cache.get(name, arguments) if self._cache else None
        if recorded is not None:
            return Reply(recorded, cache_hit=True)
        if self._cache is None or self._simulate is None:
            reply = tool.reply(arguments)
        else:
            reply = Reply(self._simulate(tool, arguments, self.examples(name, arguments)))
        if self._cache is not None and not reply.has_error:
            self._cache.miss(name, arguments, reply.result)
        return reply

    def examples(self, name: str, arguments: Mapping[str, Any], most: int = MAX_EXAMPLES) -> list[Example]:
        """Return the recorded calls of the tool that are most like this one, the most similar first."""
        return self._cache.similar(name, arguments, most) if self._cache else []

    def save_missed(self) -> list[Path]:
        """Write the calls that the cache did not hold beside it, and return the files; none without a cache."""
        return self._cache.save_missed() if self._cache else []


def open_sandbox(
    release: OpenedRelease, cache: Path | None = None, simulate: Simulate | None = None, embed: Embed | None = None
) -> Sandbox:
    """Return the sandbox of a release; `cache` is an exported `sandbox_cache` folder.

    Likeness of calls is by TF-IDF, or by `embed` where that is given. Raises ReleaseError if the
    release's family has no tools, or the folder holds no recorded calls.
    """
    family = families()[release.manifest.family]
    if family.tools is None:
        raise ReleaseError(f"the family {family.name} has no tools")
    recorded = CallCache(cache, embed) if cache else None
    return Sandbox(family.call("tools", tables_of_tools(family, release_tables(release))), recorded, simulate)


def source_rows(release: OpenedRelease, rows: Sequence[str]) -> dict[str, list[str]]:
    """Return, for each `table/key` of a reply, the pointers to source records that its row carries.

    A row that carries none was made from others, whose keys are its own; `tripwright audit` follows these.
    """
    family = families()[release.manifest.family]
    pointers_by_row: dict[str, list[str]] = {}
    for table in (*family.world_tables, *family.context):
        refs = {row for row in rows if row.startswith(f"{table.table_name()}/")}
        for row in release.table(table.table_name()).to_dict("records") if refs else ():
            ref = row_ref(table, row)
            if ref in refs:
                pointers_by_row[ref] = list(row.get("source_rows") or [])
    missing = [row for row in rows if row not in pointers_by_row]
    if missing:
        raise ReleaseError(f"{counted(len(missing), 'row')} not found in the release, such as {missing[0]}")
    return pointers_by_row
