"""The OSRM binaries and profiles: fetched once from the package index, pinned by sha256, the same on every Python."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from schemas.source import SourceError

OSRM_VERSION = "26.10.0"

WHEELS = {
    ("Linux", "x86_64"): (
        "manylinux_2_28_x86_64",
        "840d6f82812eb9f9e17c71eb9083dfa15f3be2bfec4965c32aefa48b00d3a951",
    ),
    ("Linux", "aarch64"): (
        "manylinux_2_28_aarch64",
        "df2d386949756b3de034662d2abb378ff1d60ee9b0d5e33c0da4080dc29164a4",
    ),
}
"""Platform tag and sha256 of the `osrm-bindings` wheel of each system that it is pinned for."""

TOOLS = ("osrm-extract", "osrm-contract", "osrm-partition", "osrm-customize", "osrm-routed")
MAX_UNPACKED_BYTES = 200_000_000
"""The wheel unpacks to 57 MB; several times that is not the wheel."""

DOWNLOAD_TIMEOUT_S = 600


def default_cache_dir() -> Path:
    """Return the folder of things that can be fetched or prepared again: `$TRIPWRIGHT_CACHE`, or the user's cache."""
    cache_dir = os.environ.get("TRIPWRIGHT_CACHE")
    if cache_dir:
        return Path(cache_dir)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tripwright"


def installed_osrm(cache_dir: Path) -> Path:
    """Return the folder with `bin/` and `profiles/` of the pinned OSRM. Raises SourceError if it is not installed."""
    folder = _folder(cache_dir)
    if not folder.is_dir():
        raise SourceError(
            f"OSRM {OSRM_VERSION} is not installed (looked in {folder}); run `tripwright doctor --install-osrm`, "
            "name a running OSRM server in the recipe, or choose the engine `graph`"
        )
    return folder


def install_osrm(cache_dir: Path) -> Path:
    """Return the folder of the pinned OSRM, after fetching, verifying and unpacking it unless that was done before.

    Uses pip as it is configured here. Raises SourceError if this system has no pinned wheel, if the wheel cannot be
    fetched, is not the pinned one, or does not run. The folder appears whole or not at all, whoever else installs.
    """
    from filelock import FileLock

    folder = _folder(cache_dir)
    if folder.is_dir():
        return folder
    tag, sha256 = _pinned_wheel()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.parent / f"{OSRM_VERSION}.lock"):
        if folder.is_dir():
            return folder
        for leftover in folder.parent.glob(".unpacking-*"):
            shutil.rmtree(leftover)
        with tempfile.TemporaryDirectory(prefix=".unpacking-", dir=folder.parent) as scratch:
            wheel = _download(tag, Path(scratch))
            _require_pinned(wheel, sha256)
            unpacked = Path(scratch) / "osrm"
            unpack(wheel, unpacked)
            _require_running(unpacked)
            unpacked.replace(folder)
    return folder


def unpack(wheel: Path, target: Path) -> None:
    """Write the wheel's tools to `target/bin`, its profiles to `target/profiles`, its licence to `target`.

    Raises SourceError if the archive unpacks to more than the wheel can, or a tool is missing. A member's name only
    decides whether it is taken; where it goes is decided here, below `target`.
    """
    with zipfile.ZipFile(wheel) as archive:
        if sum(member.file_size for member in archive.infolist()) > MAX_UNPACKED_BYTES:
            raise SourceError(
                f"{wheel.name} unpacks to more than {MAX_UNPACKED_BYTES:,} bytes; it is not the OSRM wheel"
            )
        for member in archive.infolist():
            place = _place_of(PurePosixPath(member.filename))
            if place is None or member.is_dir():
                continue
            path = target / place
            path.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as packed, path.open("wb") as file:
                shutil.copyfileobj(packed, file)
            if place.parts[0] == "bin":
                path.chmod(0o755)
    missing = [tool for tool in TOOLS if not (target / "bin" / tool).is_file()]
    if missing:
        raise SourceError(f"{wheel.name} lacks {', '.join(missing)}; expected the tools of OSRM {OSRM_VERSION}")


def _place_of(name: PurePosixPath) -> PurePosixPath | None:
    if ".." in name.parts or name.is_absolute():
        return None
    if name.parent == PurePosixPath("osrm/bin") and name.name in TOOLS:
        return PurePosixPath("bin") / name.name
    if name.is_relative_to("osrm/share/profiles") and name.suffix == ".lua":
        return "profiles" / name.relative_to("osrm/share/profiles")
    return PurePosixPath(name.name) if name.name == "LICENSE.TXT" else None


def _folder(cache_dir: Path) -> Path:
    return cache_dir / "osrm" / OSRM_VERSION


def _pinned_wheel() -> tuple[str, str]:
    system = (platform.system(), platform.machine())
    if system not in WHEELS:
        systems = ", ".join(" ".join(pair) for pair in WHEELS)
        raise SourceError(
            f"OSRM is pinned for {systems}, and this is {' '.join(system)}; "
            "name a running OSRM server in the recipe, or choose the engine `graph`"
        )
    return WHEELS[system]


def _download(tag: str, folder: Path) -> Path:
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-input",
        "--disable-pip-version-check",
        "--no-deps",
    ]
    command += ["--only-binary=:all:", "--python-version", "3.12", "--platform", tag, "--dest", str(folder)]
    command += [f"osrm-bindings=={OSRM_VERSION}"]
    try:
        done = subprocess.run(  # noqa: S603  (a list of our own words, no shell)
            command, capture_output=True, text=True, timeout=DOWNLOAD_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise SourceError(
            f"fetching OSRM took more than {DOWNLOAD_TIMEOUT_S} s; check the network and try again"
        ) from None
    wheels = sorted(folder.glob("osrm_bindings-*.whl"))
    if done.returncode or len(wheels) != 1:
        fault = " ".join(done.stderr.split())[-400:]
        raise SourceError(
            f"pip could not fetch osrm-bindings {OSRM_VERSION}: {fault or 'it gave no wheel'}. Check that this machine "
            "reaches its package index (pip's own configuration decides which), or bring the wheel with PIP_FIND_LINKS"
        )
    return wheels[0]


def _require_pinned(wheel: Path, sha256: str) -> None:
    with wheel.open("rb") as file:
        actual_sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    if actual_sha256 != sha256:
        raise SourceError(
            f"{wheel.name} has sha256 {actual_sha256}; expected {sha256}. The package index gave another file than "
            "the pinned one; nothing was installed"
        )


def _require_running(folder: Path) -> None:
    try:
        done = subprocess.run(  # noqa: S603  (a file whose hash was just verified)
            [folder / "bin" / "osrm-routed", "--version"], capture_output=True, text=True, timeout=60, check=False
        )
        answer = (done.stdout + done.stderr).strip()
    except OSError as error:
        answer = str(error)
    if answer != f"v{OSRM_VERSION}":
        raise SourceError(
            f"the installed osrm-routed answers {answer[:300]!r}; expected 'v{OSRM_VERSION}'. It needs glibc 2.28 or "
            "newer; name a running OSRM server in the recipe, or choose the engine `graph`"
        )
