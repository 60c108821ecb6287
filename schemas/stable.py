"""Hashes and random generators that depend on nothing but their arguments: the same on every machine, in every run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_json(value: Any) -> str:
    """Return the value as JSON with sorted keys, no spaces and no ASCII escapes: one text per value.

    Raises ValueError for NaN or infinity, which JSON cannot hold.
    """
    return _CANONICAL.encode(value)


def compact_json(value: Any) -> str:
    """Return the value as JSON without spaces or ASCII escapes, keys in the order in which they stand."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def content_hash(value: Any) -> str:
    """Return the sha256, in hex, of the value's canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def call_hash(request: bytes, text: str) -> str:
    """Return the sha256, in hex, of a request's exact bytes and of a text that tells calls of them apart.

    The request's length comes first: no byte can be moved from the one to the other.
    """
    return hashlib.sha256(len(request).to_bytes(8, "big") + request + text.encode()).hexdigest()


def stable_hash(*parts: str | int) -> int:
    """Return a 64-bit hash of the parts, for ordering candidates and seeding generators."""
    digest = hashlib.blake2b(canonical_json(parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def stable_hashes(seed: Iterable[str | int], keys: Iterable[str]) -> Iterator[int]:
    """Yield `stable_hash(*seed, key)` for every key; what they share is hashed once."""
    shared = hashlib.blake2b(canonical_json([*seed, ""]).encode()[:-3], digest_size=8)
    for key in keys:
        key_hash = shared.copy()
        key_hash.update(f"{canonical_json(key)}]".encode())
        yield int.from_bytes(key_hash.digest(), "big")


def stable_rng(*parts: str | int) -> np.random.Generator:
    """Return a PCG64 generator seeded by the hash of the parts."""
    import numpy as np

    return np.random.Generator(np.random.PCG64(stable_hash(*parts)))
