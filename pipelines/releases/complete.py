"""Completing a public edition: the whole release built again from its recipe, its lock and the same source files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from assets.families import families
from assets.release.reading import OpenedRelease, ReleaseError, file_problems, require_ours
from assets.release.withholding import LOCK, RECIPE
from pipelines.releases.judging import Judging
from pipelines.releases.public import Sharing
from pipelines.releases.release import HERE, Released
from pipelines.walk.build import release_walked
from pipelines.walk.fingerprint import Code
from pipelines.walk.invented_files import invented_files
from pipelines.walk.listener import NOBODY, Listener
from pipelines.walk.locks import read_lock
from pipelines.walk.recipe_walk import on_cluster, walk_recipe, without_cities
from pipelines.walk.recipes import LoadedRecipe, load_recipe
from pipelines.walk.router import require_router
from pipelines.walk.walk_report import Blocked, Event
from schemas.counts import counted
from schemas.recipe import RecipeLock
from schemas.release import Manifest
from schemas.source import Snapshot
from warehouse.home import Home
from warehouse.store import sha256_of


def complete(
    home: Home,
    edition: OpenedRelease,
    sources: Path | None,
    *,
    no_install: bool = False,
    listener: Listener = NOBODY,
) -> Released:
    """Return the whole release of a public edition, made in the home and equal to the first one in every byte.

    Source files are taken from the home's raw store and from any folder below `sources`, found by their hash, whatever
    they are called. Raises ReleaseError naming every file that is missing or comes out otherwise; no model is asked.
    So it does where the edition is not the whole release's own: who edits one can leave what it completes to as it is.
    """
    require_ours(edition, "completed")
    withheld = edition.manifest.withheld
    if withheld is None:
        raise ReleaseError(f"{edition.folder}: nothing was left out of this release; there is nothing to complete")
    problems = file_problems(edition)
    if problems:
        raise ReleaseError("\n".join(problems))
    loaded = load_recipe(edition.folder / RECIPE, families())
    lock = read_lock(edition.folder / LOCK)
    if lock is None:
        raise ReleaseError(f"{edition.folder}: found no {LOCK}; expected the inputs' hashes there")
    code = Code()
    with home.building(listener.waiting):
        rested_on = {snapshot.sha256 for snapshot in edition.manifest.inputs}
        _have_all(home, loaded, [s for s in lock.snapshots if s.sha256 in rested_on], sources, code)
        require_router(loaded, lock, no_install, listener.say)
        missing_cities = edition.manifest.missing_cities
        missing = [Blocked(city["city_id"], city["step"], city["reason"]) for city in missing_cities]
        if missing:  # their files are not in an edition's lock
            loaded, lock = without_cities(loaded, lock, {city.city_id for city in missing})
        released = built_from_lock(
            home, loaded, lock, edition.manifest, code, listener.report, missing, sharing="withhold"
        )
    if released.ref.version != withheld.completes_to:
        raise ReleaseError(_difference(home, released, withheld.files, withheld.completes_to))
    if released.public is None or released.public.version != edition.version:
        raise ReleaseError(_edited(home, released, edition))
    return released


def _have_all(
    home: Home, loaded: LoadedRecipe, snapshots: Iterable[Snapshot], sources: Path | None, code: Code
) -> None:
    """Put every file that a release rests on into the raw store. Raises ReleaseError with those that are nowhere."""
    lacking = {s.sha256: s for s in snapshots if not home.snapshots.holds(s.sha256)}
    if any(s.location.startswith("invented:") for s in lacking.values()):
        invented_files(home, loaded.recipe, code)
        lacking = {sha256: s for sha256, s in lacking.items() if not home.snapshots.holds(sha256)}
    for path in _of_size(sources, {s.size_bytes for s in lacking.values()}):
        if lacking.pop(sha256_of(path), None) is not None:
            home.snapshots.add(path)
    if lacking:
        where = f"below {sources}" if sources else "in this home; name the folder that holds them with --sources"
        listed = "\n".join(
            f"  - {_asked_for(snapshot)}{_namesakes(sources, snapshot)}" for snapshot in lacking.values()
        )
        verb = "is" if len(lacking) == 1 else "are"
        raise ReleaseError(f"{counted(len(lacking), 'source file')} {verb} not {where}:\n{listed}")


def _of_size(folder: Path | None, sizes: set[int]) -> Iterable[Path]:
    """Return the files below a folder that are of one of these sizes: others cannot be what is looked for."""
    if folder is None:
        return []
    if not folder.is_dir():
        raise ReleaseError(f"{folder}: found no folder; expected the one that holds the source files")
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size in sizes)


def _namesakes(folder: Path | None, snapshot: Snapshot) -> str:
    """Return in words which files below a folder have a lacking file's name: changed since, or of another source."""
    name = Path(snapshot.location).name
    paths = sorted(path for path in folder.rglob("*") if path.name == name and path.is_file()) if folder else []
    others = ", ".join(f"{path} has that name and other bytes ({path.stat().st_size})" for path in paths[:3])
    return f"; {others}" if others else ""


def _asked_for(snapshot: Snapshot) -> str:
    had = f", had on {snapshot.retrieved_at[:10]}" if snapshot.retrieved_at else ""
    url = f", {snapshot.url}" if snapshot.url else ""
    return (
        f"{snapshot.location} ({snapshot.source}.{snapshot.role}, {snapshot.size_bytes} bytes, sha256 "
        f"{snapshot.sha256}{had}{url})"
    )


def built_from_lock(
    home: Home,
    loaded: LoadedRecipe,
    lock: RecipeLock,
    manifest: Manifest,
    code: Code,
    report: Callable[[Event], None] = lambda _: None,
    left_out: Iterable[Blocked] = (),
    judging: Judging = HERE,
    *,
    no_install: bool = False,
    sharing: Sharing = "private",
) -> Released:
    """Return a release's family as built again from its recipe and lock; no model is asked.

    `left_out` are the cities that were taken out of recipe and lock before. Where `judging` names a scheduler, its
    workers run the cells too, and with `no_install` none of them fetches OSRM.
    The home must hold every file that the lock names. Raises ReleaseError if answers of a model are not in the ledger,
    or if a city is blocked that the manifest does not say to be missing.
    """
    family = families()[manifest.family]
    start = None
    if judging.scheduler:
        start = on_cluster(home, loaded, lock, code, judging.scheduler, no_install=no_install)
    names = [family.name]
    walked = walk_recipe(home, loaded, lock, code, report, family_names=names, start=start, planning=True)
    if walked.walk.needed:
        calls = sum(needed.calls for needed in walked.walk.needed.values())
        raise ReleaseError(
            f"{calls} answers of a model are not in this home's ledger, and asking again could give "
            "others. Copy the `ledger` folder of the home that made the release."
        )
    missing_ids = {missing["city_id"] for missing in manifest.missing_cities}
    blocked = [cause for cause in walked.causes() if cause.city_id not in missing_ids]
    if blocked:
        lines = "\n".join(f"  - {cause.city_id}: {cause.step}: {cause.reason}" for cause in blocked)
        raise ReleaseError(f"cities that the release has are blocked here:\n{lines}")
    return release_walked(home, replace(walked, left_out=list(left_out)), family, code, sharing, judging=judging)


def _difference(home: Home, released: Released, expected_hashes: dict[str, str], version: str) -> str:
    """Return which files came out otherwise than in the whole release, and what that means."""
    hashes = {file.path: file.sha256 for file in home.releases.manifest(released.ref).files}
    differ = sorted(name for name in {*hashes, *expected_hashes} if hashes.get(name) != expected_hashes.get(name))
    names = ", ".join(differ) or "manifest.json alone"
    return (
        f"built release {released.ref.version}, not {version}: {names} differ. The source files are the same, so the "
        "code or a library's version is not: use the tripwright that made the release, with its uv.lock."
    )


def _edited(home: Home, released: Released, edition: OpenedRelease) -> str:
    """Return which files of an edition are not those that the whole release's own has, and where both are."""
    expected_files = home.public.manifest(released.public).files if released.public else []
    expected_hashes, edition_hashes = (
        {file.path: file.sha256 for file in files} for files in (expected_files, edition.manifest.files)
    )
    differ = sorted(
        name for name in {*expected_hashes, *edition_hashes} if expected_hashes.get(name) != edition_hashes.get(name)
    )
    return (
        f"{edition.folder}: {', '.join(differ) or 'manifest.json alone'}: not as the edition of release "
        f"{released.ref.version} has it: edited, or made by another version of tripwright. That release is whole, in "
        f"{home.releases.folder(released.ref)}; go by it, and get the edition again from where it was published."
    )
