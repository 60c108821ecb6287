"""The hash of a step's code: its module's first-party import closure and the versions of the libraries that imports.

Nobody maintains a version by hand: editing any module that a step could run changes its fingerprint.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import grimp

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("schemas", "sources", "warehouse", "assets", "pipelines")


class Code:
    """The project's modules, which of them each module imports, and the hashes of their bytes."""

    def __init__(self) -> None:
        self._hashes: dict[tuple[str, ...], str] = {}
        self._files: dict[str, str] = {}

    def hash_of(self, *things: Callable[..., Any] | type) -> str:
        """Return the hash of all code that the modules of functions and classes can reach, with library versions."""
        modules = tuple(sorted({thing.__module__ for thing in things}))
        if modules not in self._hashes:
            reached = set(modules).union(*(self._graph.find_upstream_modules(module) for module in modules))
            lines = [self._line(name) for name in sorted(reached)]
            self._hashes[modules] = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        return self._hashes[modules]

    @cached_property
    def _graph(self) -> grimp.ImportGraph:
        import grimp

        return grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)

    @cached_property
    def _distributions(self) -> dict[str, list[str]]:
        return {name: sorted(set(owners)) for name, owners in importlib.metadata.packages_distributions().items()}

    def _line(self, module: str) -> str:
        """Return one line that changes when the module does: its files' hash, or its library's version."""
        if module.split(".")[0] in PACKAGES:
            return f"{module} {self._files_hash(module)}"
        if module in sys.stdlib_module_names:
            return f"{module} python{sys.version_info.major}.{sys.version_info.minor}"
        owners = self._distributions.get(module, [])
        return f"{module} " + " ".join(f"{name}=={importlib.metadata.version(name)}" for name in owners)

    def _files_hash(self, module: str) -> str:
        """Return the hash of a module's source; for a package also of the data files beside its `__init__.py`."""
        if module not in self._files:
            path = ROOT.joinpath(*module.split("."))
            files = [path.with_suffix(".py")]
            if path.is_dir():
                files = [path / "__init__.py"]
                files += sorted(f for f in path.rglob("*") if f.is_file() and f.suffix not in (".py", ".pyc"))
            digest = hashlib.sha256()
            for file in files:
                digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
            self._files[module] = digest.hexdigest()
        return self._files[module]
