"""The hash of a step's code: its module's first-party import closure and the versions of the libraries that imports.

Nobody maintains a version by hand: editing any module that a step could run changes its fingerprint.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assets.named import module_of
from schemas.extras import distribution_of

if TYPE_CHECKING:
    import grimp

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("schemas", "sources", "warehouse", "assets", "pipelines")


class Code:
    """The project's modules, which of them each module imports, and the hashes of their bytes."""

    def __init__(self) -> None:
        self._hashes: dict[tuple[str, ...], str] = {}
        self._lines: dict[str, str] = {}

    def hash_of(self, *things: str | Callable[..., Any] | type) -> str:
        """Return the hash of all code that the modules of functions and classes can reach, with library versions.

        A function may be given by its name, `module:function`: nothing is imported then.
        """
        modules = tuple(sorted({module_of(thing) if isinstance(thing, str) else thing.__module__ for thing in things}))
        if modules not in self._hashes:
            own_modules = import_graph().modules.intersection(modules)  # a library's function reaches nothing of ours
            reached = set(modules).union(*(import_graph().find_upstream_modules(module) for module in own_modules))
            lines = [self._line(name) for name in sorted(reached)]
            self._hashes[modules] = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        return self._hashes[modules]

    def everything(self) -> dict[str, str]:
        """Return the state of every module of ours, and of every library that one of them imports."""
        return {name: self._line(name).partition(" ")[2] for name in sorted(import_graph().modules)}

    def _line(self, module: str) -> str:
        """Return one line that changes when the module does: its files' hash, or its library's version."""
        if module not in self._lines:
            self._lines[module] = f"{module} {self._state_of(module)}"
        return self._lines[module]

    def _state_of(self, module: str) -> str:
        if module.split(".")[0] in PACKAGES:
            return _files_hash(module)
        if module in sys.stdlib_module_names:
            return f"python{sys.version_info.major}.{sys.version_info.minor}"
        owners = {_name_and_version(distribution) for distribution in owners_of_modules().get(module, [])}
        return " ".join(f"{name}=={version}" for name, version in sorted(owners or _locked(module)))


@cache
def import_graph() -> grimp.ImportGraph:
    """Return which module imports which, read once: a process goes on with what it has imported."""
    import grimp

    return grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)


@cache
def owners_of_modules() -> dict[str, list[importlib.metadata.Distribution]]:
    """Return the distributions that own each top-level module, read once.

    As `importlib.metadata.packages_distributions` does, which takes ten times as long.
    """
    owners: dict[str, list[importlib.metadata.Distribution]] = {}
    for distribution in importlib.metadata.distributions():
        declared = (distribution.read_text("top_level.txt") or "").split()
        for name in declared or _installed_modules(distribution.read_text("RECORD") or ""):
            owners.setdefault(name, []).append(distribution)
    return owners


@cache
def _name_and_version(distribution: importlib.metadata.Distribution) -> tuple[str, str]:
    """Return both, the name as it is normalised (PEP 503), read from its metadata once."""
    return re.sub(r"[-_.]+", "-", distribution.name).lower(), distribution.version


@cache
def _locked_versions() -> dict[str, str]:
    lock = (ROOT / "uv.lock").read_text(encoding="utf-8")
    return dict(re.findall(r'^name = "([^"]+)"\nversion = "([^"]+)"$', lock, re.M))


def _locked(module: str) -> set[tuple[str, str]]:
    """Return what would be installed of a module that only an extra brings: installing it rebuilds nothing."""
    name = distribution_of(module)
    return {(name, _locked_versions()[name])} if name and name in _locked_versions() else set()


def _installed_modules(record: str) -> set[str]:
    """Return the top-level modules of an installed distribution, by its RECORD: a file a line, path first."""
    paths = (line.partition(",")[0] for line in record.splitlines())
    return {path.removesuffix(".py").partition("/")[0] for path in paths if path.endswith(".py")}


def _data_files(folder: Path) -> list[Path]:
    """Return the files of a package that are no code, but for those of packages below it, in order."""
    files = []
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            files += [] if (path / "__init__.py").is_file() else _data_files(path)
        elif path.suffix not in (".py", ".pyc"):
            files.append(path)
    return files


def _files_hash(module: str) -> str:
    """Return the hash of a module's source; for a package also of the data files below it.

    Those below a package within it are that one's: who reads a data file imports the package in which it lies.
    """
    path = ROOT.joinpath(*module.split("."))
    files = [path.with_suffix(".py")]
    if path.is_dir():
        files = [path / "__init__.py"]
        files += _data_files(path)
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()
