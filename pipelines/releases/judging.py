"""Where the gate's tasks are judged: in processes of this machine, or on the workers of a Dask cluster.

What goes to another machine is the candidate's manifest and its tables' names: the tables are in the home, which every
worker can read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assets.promises.certified import Job
from assets.promises.gate import Found, Judges
from pipelines.walk.executors import workers_here
from pipelines.walk.fingerprint import Code
from pipelines.walk.own_process import in_own_process
from schemas.release import Manifest
from warehouse.home import Home
from warehouse.releases import MANIFEST
from warehouse.tables import TableVersion

if TYPE_CHECKING:
    from pipelines.walk.cluster import Cluster


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
class Judging:
    """So many processes of this machine, None for as many as it runs cells; or the workers of a Dask scheduler."""

    workers: int | None = None
    scheduler: str | None = None

    @property
    def processes(self) -> int:
        """Return how many processes of this machine judge at once."""
        return self.workers or workers_here()

    @contextmanager
    def judges(self, home: Home, candidate: Candidate, code: Code) -> Iterator[Judges | None]:
        """Yield who judges the candidate elsewhere, None if nobody does. Raises ClusterError as `cluster` does."""
        if self.scheduler is None:
            yield None
            return
        from pipelines.walk.cluster import cluster

        with cluster(self.scheduler, home.url, lambda: "", code) as workers:
            yield OnCluster(workers, home.url, candidate)


@dataclass(frozen=True)
class OnCluster:
    """The workers of a cluster, which judge a candidate each in a fresh process: they themselves have run solvers."""

    cluster: Cluster
    home_url: str
    candidate: Candidate

    @property
    def workers(self) -> int:
        """Return how many jobs are judged at once."""
        return self.cluster.workers

    def submit(self, judge: Callable[..., Found], /, *given: Any) -> Future[Found]:
        """Return the future of what a judge says of a job."""
        return self.cluster.call(judged_there, self.home_url, self.candidate, judge, *given)


def judged_there(home_url: str, candidate: Candidate, judge: Callable[..., Found], job: Job, *more: Any) -> Found:
    """Return what a judge says of a job about the candidate, laid out on this machine."""
    home = Home(home_url)
    with home.store.scratch() as folder:
        candidate.lay_out(home, folder)
        return in_own_process(judge, replace(job, folder=folder), *more)
