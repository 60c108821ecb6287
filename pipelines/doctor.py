"""What a machine needs: each thing looked for, what was found, and the one command that mends it."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from schemas.source import SourceError
from sources.osrm_install import OSRM_VERSION, default_cache_dir, installed_osrm
from warehouse.home import Home
from warehouse.store import StoreError

ENOUGH_DISK_BYTES = 2 << 30


@dataclass(frozen=True)
class Finding:
    """One thing looked for."""

    what: str
    ok: bool
    found: str
    remedy: str


def diagnose(home: str | None) -> list[Finding]:
    """Return everything that was looked for on this machine."""
    return [_python(), _home(home), _disk(home), _osrm()]


def _python() -> Finding:
    found = ".".join(str(n) for n in sys.version_info[:3])
    ok = (3, 11) <= sys.version_info[:2] < (3, 13)
    return Finding("Python 3.11 or 3.12", ok, found, "uv python install 3.11")


def _home(home: str | None) -> Finding:
    try:
        opened = Home(home)
    except StoreError as error:
        return Finding("a home this version reads", False, str(error), "choose another with --home")
    return Finding("a home this version reads", True, opened.url, "")


def _disk(home: str | None) -> Finding:
    folder = Path(home or ".").absolute()
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    return Finding(
        "2 GB of free disk", free >= ENOUGH_DISK_BYTES, f"{free / 1e9:.1f} GB", "tripwright gc, or another --home"
    )


def _osrm() -> Finding:
    try:
        found = str(installed_osrm(default_cache_dir()))
    except SourceError as error:
        return Finding(f"OSRM {OSRM_VERSION}", False, str(error).split(";")[0], "tripwright doctor --install-osrm")
    return Finding(f"OSRM {OSRM_VERSION}", True, found, "")
