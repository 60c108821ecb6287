"""What a machine needs: each thing looked for, what was found, and the one command that mends it."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from assets.families import families
from pipelines.walk.recipes import RecipeError, load_recipe
from schemas.engines import shown_variable
from schemas.extras import EXTRAS, is_installed, remedy
from schemas.source import SourceError
from sources.services.osrm_install import OSRM_VERSION, default_cache_dir, installed_osrm
from warehouse.home import Home
from warehouse.store import StoreError

ENOUGH_DISK_BYTES = 2 << 30


@dataclass(frozen=True)
class Finding:
    """One thing looked for."""

    what: str
    ok: bool
    state: str
    remedy: str
    is_needed: bool = True
    """Whether every build needs it."""


def diagnose(home: str | None) -> list[Finding]:
    """Return everything that was looked for on this machine."""
    return [_python(), _home(home), _disk(home), _osrm(), *_keys(), *_extras()]


def _python() -> Finding:
    version = ".".join(str(n) for n in sys.version_info[:3])
    ok = (3, 11) <= sys.version_info[:2] < (3, 13)
    return Finding("Python 3.11 or 3.12", ok, version, "uv python install 3.11")


def _home(home: str | None) -> Finding:
    try:
        opened = Home(home)
    except StoreError as error:
        return Finding("a home this version reads", False, str(error), "choose another with --home")
    folder = opened.store.folder("raw")
    nearest = next((path for path in folder.parents if path.exists()), None) if folder else None
    if nearest is not None and not os.access(nearest, os.W_OK):
        return Finding("a home that can be written", False, f"{nearest} cannot", f"chmod u+w {nearest}")
    return Finding("a home this version reads", True, opened.url, "")


def _disk(home: str | None) -> Finding:
    folder = Path(home or ".").absolute()
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    return Finding(
        "2 GB of free disk", free >= ENOUGH_DISK_BYTES, f"{free / 1e9:.1f} GB", "tripwright gc, or another --home"
    )


def _keys() -> list[Finding]:
    """Return whether each recipe of `recipes/` reads, and where it names models, whether their keys are here."""
    findings = []
    for path in sorted(Path("recipes").glob("*.toml")):
        try:
            engines = load_recipe(path, families()).recipe.engines
        except RecipeError as error:
            findings.append(Finding(f"{path} reads", False, str(error), "mend the recipe as it says"))
            continue
        for role, endpoint in (("model", engines.openai), ("second model", engines.reader)):
            if endpoint is not None and endpoint.api_key_env:
                ok = bool(os.environ.get(endpoint.api_key_env, "").strip())
                variable = shown_variable(endpoint.api_key_env)
                state = f"{variable} is {'set' if ok else 'not set'}"
                mends = f"export {variable[1:]}=…" if variable.startswith("$") else "name a variable there; export it"
                findings.append(Finding(f"the key of {path}'s {role}", ok, state, mends))
    return findings


def _extras() -> list[Finding]:
    """Return what is installed of the parts that only some commands need; a build misses none of them."""
    return [
        Finding(extra.purpose, is_installed(name), f"extra {name}", remedy(name), is_needed=False)
        for name, extra in EXTRAS.items()
    ]


def _osrm() -> Finding:
    try:
        path = str(installed_osrm(default_cache_dir()))
    except SourceError as error:
        return Finding(f"OSRM {OSRM_VERSION}", False, str(error).split(";")[0], "tripwright doctor --install-osrm")
    return Finding(f"OSRM {OSRM_VERSION}", True, path, "")
