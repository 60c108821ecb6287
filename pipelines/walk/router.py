"""The router that a recipe's distances are asked of: OSRM, fetched once onto each machine that runs its cells."""

from __future__ import annotations

from collections.abc import Callable

from pipelines.walk.recipes import LoadedRecipe
from schemas.recipe import RecipeLock
from schemas.source import SourceError
from sources.services import osrm_install


def require_router(
    loaded: LoadedRecipe, lock: RecipeLock, no_install: bool, say: Callable[[str], None] = lambda _: None
) -> None:
    """Fetch OSRM if the recipe routes with it and it is not here. Raises SourceError if it must not be fetched."""
    spatial = loaded.recipe.spatial
    if spatial is None or spatial.router != "osrm" or not any(s.source == "osm" for s in lock.snapshots):
        return
    cache_dir = osrm_install.default_cache_dir()
    try:
        osrm_install.installed_osrm(cache_dir)
    except SourceError:
        if no_install:
            raise
        say(f"fetching OSRM {osrm_install.OSRM_VERSION} from the Python package index into {cache_dir}, once")
        osrm_install.install_osrm(cache_dir)
