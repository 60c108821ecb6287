"""Where tasks of a gate or an audit are judged: in processes of this machine, or on the workers of a Dask cluster.

What goes to another machine is a manifest and the names of files: the files are in the home, which every worker can
read.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from assets.promises.certified import Job
from assets.promises.executed_code import watched
from assets.promises.gate import Answer, Judges
from assets.release.reading import OpenedRelease, ReleaseError
from pipelines.walk.executors import workers_here
from pipelines.walk.fingerprint import Code
from pipelines.walk.own_process import in_own_process
from schemas.release import Manifest
from warehouse.home import Home
from warehouse.releases import MANIFEST
from warehouse.store import sha256_of
from warehouse.tables import TableVersion

if TYPE_CHECKING:
    from pipelines.walk.cluster import Cluster


class Judgeable(Protocol):
    """What is judged: files that any process which can read the home writes into a folder of its machine."""

    def lay_out(self, home: Home, folder: Path) -> None:
        """Write the release's files into a folder."""
        ...


@dataclass(frozen=True)
class Candidate:
    """What is to be a release: its manifest, by file the table that the home keeps, and files that are no tables."""

    manifest: Manifest
    files: Mapping[str, TableVersion]
    texts: Mapping[str, bytes] = field(default_factory=dict)

    def lay_out(self, home: Home, folder: Path) -> None:
        """Write the release's files into a folder."""
        for name, version in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            home.tables.copy_to(version, path)
        for name, data in self.texts.items():
            (folder / name).write_bytes(data)
        (folder / MANIFEST).write_text(self.manifest.model_dump_json(), encoding="utf-8")


@dataclass(frozen=True)
class Published:
    """What was released: its manifest, and where its files are, by the home's key for it or in a folder."""

    manifest: Manifest
    key: str | None
    folder: Path

    @classmethod
    def of(cls, home: Home, release: OpenedRelease) -> Published:
        """Return a release as a cluster finds it: the home's, if it has that version, else in its own folder."""
        refs = [ref for shelf in (home.releases, home.public) for ref in shelf.find(release.version)]
        return cls(release.manifest, refs[0].key if refs else None, release.folder.absolute())

    def lay_out(self, home: Home, folder: Path) -> None:
        """Write the release's files into a folder. Raises ReleaseError where one is not there, or not as released."""
        for file in self.manifest.files:
            path = folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            if self.key is not None:
                with home.store.blob(f"{self.key}/{file.path}", file.sha256) as (source, _):
                    shutil.copyfile(source, path)
            elif (self.folder / file.path).is_file():
                shutil.copyfile(self.folder / file.path, path)
            else:
                raise ReleaseError(
                    f"{self.folder}: a worker found no {file.path} there; expected a release of {home.url}, or a "
                    "folder that all machines mount under one path"
                )
            sha256 = sha256_of(path)
            if sha256 != file.sha256:
                raise ReleaseError(f"{file.path}: a worker read other bytes: expected {file.sha256}, found {sha256}")
        (folder / MANIFEST).write_text(self.manifest.model_dump_json(), encoding="utf-8")


@dataclass(frozen=True)
class Judging:
    """So many processes of this machine, None for as many as it runs cells; or the workers of a Dask scheduler."""

    workers: int | None = None
    scheduler: str | None = None

    @property
    def processes(self) -> int:
        """Return how many processes of this machine judge at once."""
        return self.workers or workers_here()

    @contextmanager
    def judges(self, home: Home, judgeable: Judgeable, code: Code) -> Iterator[Judges | None]:
        """Yield who judges a release elsewhere, None if nobody does. Raises ClusterError as `cluster` does."""
        if self.scheduler is None:
            yield None
            return
        from pipelines.walk.cluster import cluster

        with cluster(self.scheduler, home.store.address, lambda: "", code) as workers:
            yield OnCluster(workers, home.store.address, judgeable)


@dataclass(frozen=True)
class OnCluster:
    """The workers of a cluster, which judge a release each in a fresh process: they themselves have run solvers."""

    cluster: Cluster
    home_url: str
    judgeable: Judgeable

    @property
    def workers(self) -> int:
        """Return how many jobs are judged at once."""
        return self.cluster.workers

    def submit(self, judge: Callable[..., Answer], /, *arguments: Any) -> Future[Answer]:
        """Return the future of what a judge says of a job."""
        return self.cluster.call(judged_there, self.home_url, self.judgeable, judge, *arguments)


def judged_there(home_url: str, judgeable: Judgeable, judge: Callable[..., Answer], job: Job, *more: Any) -> Answer:
    """Return what a judge says of a job about a release, laid out on this machine."""
    home = Home(home_url)
    with home.store.scratch() as folder:
        judgeable.lay_out(home, folder)
        return in_own_process(watched, judge, replace(job, folder=folder), *more)
