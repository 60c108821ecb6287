"""Recorded tool calls in the published files: one `<tool>_cache.json` a tool, a key for each call, the result as text.

The key is the JSON list of [name, value] pairs sorted by name (GroupTravelBench, 3.D, inferred from its
reader). Which calls are recorded is a family's affair.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assets.release.reading import ReleaseError
from warehouse.disk import put_whole

if TYPE_CHECKING:
    import numpy as np

CACHE_SUFFIX, MISSED_SUFFIX = "_cache.json", "_missed.json"

MAX_EXAMPLES = 8
"""Recorded calls that stand in for one that is not recorded (3.D)."""

PIECE_CHARACTERS = 1 << 20

Example = tuple[str, str]
"""A recorded call as the published fallback takes it: the parameters as a JSON object, and the result."""

Embed = Callable[[list[str]], "np.ndarray"]
"""Turns texts into vectors, one row each."""


def cache_key(arguments: Mapping[str, Any]) -> str:
    """Return the published key of a call: its parameters as [name, value] pairs, sorted by name, as dense JSON."""
    return json.dumps(sorted(arguments.items()), ensure_ascii=False, separators=(",", ":"))


def arguments_of(key: str) -> dict[str, Any]:
    """Return the parameters that a key was made from."""
    return dict(json.loads(key))


def params_json(arguments: Mapping[str, Any]) -> str:
    """Return the parameters as callers pass them: a JSON object with sorted keys (published)."""
    return json.dumps(dict(arguments), sort_keys=True, ensure_ascii=False)


def cache_pieces(entries: Iterable[tuple[str, str]]) -> Iterator[bytes]:
    """Yield the file of the entries (key, result) piece by piece: a JSON object, an entry a line."""
    pending, size, mark = ["{"], 0, "\n"
    for key, result in entries:
        line = f"{mark}{json.dumps(key, ensure_ascii=False)}: {json.dumps(result, ensure_ascii=False)}"
        pending.append(line)
        mark, size = ",\n", size + len(line)
        if size >= PIECE_CHARACTERS:
            yield _bytes(pending)
            pending, size = [], 0
    pending.append("\n}\n")
    yield _bytes(pending)


class CallCache:
    """A folder of recorded calls, each file read when its tool is first asked for."""

    def __init__(self, folder: Path, embed: Embed | None = None):
        self._folder, self._embed = folder, embed
        self._entries: dict[str, dict[str, str]] = {}
        self._likeness: dict[str, _Likeness] = {}
        self.missed: dict[str, dict[str, str]] = {}
        if not any(folder.glob(f"*{CACHE_SUFFIX}")):
            raise ReleaseError(f"{folder}: found no *{CACHE_SUFFIX}; expected the sandbox_cache folder of an export")

    def get(self, tool: str, arguments: Mapping[str, Any]) -> str | None:
        """Return the recorded result of exactly this call, if there is one."""
        return self.entries(tool).get(cache_key(arguments))

    def entries(self, tool: str) -> dict[str, str]:
        """Return the tool's recorded results by key; none for a tool without a file. Raises ReleaseError."""
        if tool not in self._entries:
            self._entries[tool] = _read(self._folder / f"{tool}{CACHE_SUFFIX}")
        return self._entries[tool]

    def similar(self, tool: str, arguments: Mapping[str, Any], most: int = MAX_EXAMPLES) -> list[Example]:
        """Return the recorded calls most like this one, the most similar first; of equals the first recorded."""
        entries = self.entries(tool)
        if not entries:
            return []
        if tool not in self._likeness:
            self._likeness[tool] = _Likeness(list(entries), self._embed)
        keys = self._likeness[tool].nearest(arguments, most)
        return [(json.dumps(arguments_of(key), ensure_ascii=False), entries[key]) for key in keys]

    def miss(self, tool: str, arguments: Mapping[str, Any], result: str) -> None:
        """Note a call that was not recorded, with what was answered."""
        self.missed.setdefault(tool, {})[cache_key(arguments)] = result

    def save_missed(self) -> list[Path]:
        """Write the missed calls of this run beside the recorded ones, as published, and return the files."""
        paths = []
        for tool, entries in self.missed.items():
            path = self._folder / f"{tool}{MISSED_SUFFIX}"
            put_whole(path, b"".join(cache_pieces(sorted(entries.items()))), f"the missed calls of {tool}")
            paths.append(path)
        return paths


class _Likeness:
    """How much calls are alike: by TF-IDF of what each parameter holds, or by an embedding of the call as text."""

    def __init__(self, keys: list[str], embed: Embed | None):
        self._keys = keys
        calls = (arguments_of(key) for key in keys)
        self._vector: Callable[[Mapping[str, Any]], Any]
        if embed is None:
            from sklearn.feature_extraction.text import TfidfVectorizer

            analyzer: Any = _grams  # scikit-learn takes a function, its stubs a name
            vectorizer = TfidfVectorizer(analyzer=analyzer)
            self._vectors: Any = vectorizer.fit_transform(calls)
            self._vector = lambda arguments: vectorizer.transform([arguments])
        else:
            self._vectors = _unit(embed([_text(call) for call in calls]))
            self._vector = lambda arguments: _unit(embed([_text(arguments)]))

    def nearest(self, arguments: Mapping[str, Any], most: int) -> list[str]:
        import numpy as np

        product = self._vectors @ self._vector(arguments).T
        alike = np.asarray(product.todense() if hasattr(product, "todense") else product).ravel()
        order = np.argsort(-alike, kind="stable")[:most]
        return [self._keys[at] for at in order]


def _grams(arguments: Mapping[str, Any]) -> list[str]:
    """Return each value with its parameter's name, whole, by words, and by pairs and triples of characters.

    Pairs of characters tell Chinese apart, which has no spaces; the name tells an origin from a destination.
    """
    grams = []
    for name, value in arguments.items():
        text = str(value).casefold()
        parts = {text, *text.split(), *(text[at : at + n] for n in (2, 3) for at in range(len(text) - n + 1))}
        grams += [f"{name}={part}" for part in sorted(parts)]
    return grams


def _text(arguments: Mapping[str, Any]) -> str:
    return " | ".join(f"{name}: {value}" for name, value in sorted(arguments.items()))


def _unit(vectors: Any) -> Any:
    import numpy as np

    matrix = np.asarray(vectors, dtype=float)
    return matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), np.finfo(float).tiny)


def _read(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(entries, dict):
            raise ValueError(f"found a {type(entries).__name__}")
        for key, result in entries.items():
            if not isinstance(result, str):
                raise ValueError(f"the result of {key[:80]} is no text")
            arguments_of(key)
    except (ValueError, TypeError, RecursionError) as error:
        raise ReleaseError(f"{path}: {str(error)[:120]}; expected a JSON object of keys to texts") from None
    return entries


def _bytes(pieces: list[str]) -> bytes:
    return "".join(pieces).encode("utf-8", errors="surrogatepass")
