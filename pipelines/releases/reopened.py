"""An opened folder's release held against the folder's own files, opened again."""

from __future__ import annotations

import tempfile
from pathlib import Path

from assets.families import families
from assets.release.reading import PUBLISHED, OpenedRelease, ReleaseError, open_release
from pipelines.releases.differences import differences
from pipelines.releases.open import UNKNOWN_LICENCE, open_published
from warehouse.home import Home


def reopened_otherwise(release: OpenedRelease) -> list[str]:
    """Return what of an opened folder's release comes out otherwise when the files in it are opened again.

    Raises ReleaseError for a release of ours, and SourceError where the files are not as published.
    """
    manifest = release.manifest
    if manifest.opened is None:
        raise ReleaseError(f"{release.version} is no published folder that was opened; name its recipe with --recipe")
    licences = {snapshot.licence_id for snapshot in manifest.inputs} - {UNKNOWN_LICENCE}
    with tempfile.TemporaryDirectory(prefix="tripwright-") as folder:
        empty, published = Home(str(Path(folder) / "home")), release.folder / PUBLISHED
        family = families()[manifest.family]
        reopened = open_published(empty, family, published, next(iter(sorted(licences)), None), manifest.opened.origin)
        return list(differences(release, open_release(empty.opened.folder(reopened.ref))))


def opened_set(home: Home, sha256: str) -> OpenedRelease | None:
    """Return the release of the opened folder whose files have a hash; None where the home has none.

    Whoever can write in a home could have a release there say that hash: the folder's own files are opened again.
    Raises ReleaseError where those that say it all come out otherwise.
    """
    flaws: list[str] = []
    for ref in home.opened.find(""):
        manifest = home.opened.manifest(ref)
        if manifest.opened is not None and manifest.opened.sha256 == sha256:
            release = open_release(home.opened.folder(ref))
            problems = reopened_otherwise(release)
            if not problems:
                return release
            flaws.append(f"{ref.version}: {problems[0]}")
    if flaws:
        raise ReleaseError(
            f"sha256 {sha256} is said of an opened folder whose own files, opened again, give another release:\n"
            + "\n".join(f"  - {flaw}" for flaw in flaws)
            + f"\nOpen the published folder again (`tripwright open`), and delete what is named from {home.url}/opened."
        )
    return None
