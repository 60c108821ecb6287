"""Refreshing a recipe: its sources asked again, what is worse than before kept out, what changed built and released.

The lock is written once it is known that what was fetched can be built from: a run that is killed or finds the disk
full leaves the last lock, and the next run starts from there.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from assets.families import families
from pipelines.releases.expiring import expiring_feeds, expiry_told
from pipelines.releases.retiring import retire
from pipelines.walk.build import BuildResult, finish
from pipelines.walk.fingerprint import Code
from pipelines.walk.inputs import (
    Place,
    bound_path,
    checked_at,
    fetched,
    from_disk,
    last_files,
    retired_so_far,
    whole_lock,
)
from pipelines.walk.listener import NOBODY, Listener
from pipelines.walk.locks import read_lock, write_lock
from pipelines.walk.recipe_walk import walk_recipe
from pipelines.walk.recipes import BoundFile, LoadedRecipe, RecipeError, bound_files, load_recipe
from pipelines.walk.router import require_router
from pipelines.walk.successors import why_unusable, why_worse
from pipelines.walk.walk_report import Blocked
from schemas.recipe import RecipeLock
from schemas.source import Snapshot, SourceError
from sources.services.fetch import Fetcher
from warehouse.home import Home

Status = Literal["unchanged", "changed", "new", "not_due", "quarantined"]


@dataclass(frozen=True)
class SourceNews:
    """What a refresh found of one file: whether it changed, or why the last good one stays."""

    source: str
    role: str
    city_id: str | None
    location: str
    status: Status
    sha256: str
    detail: str = ""

    @property
    def name(self) -> str:
        """Return how `--accept` names the file's role."""
        return f"{self.source}.{self.role}"


@dataclass
class RefreshResult:
    """What a refresh gave: news of every source, and the build that followed."""

    build: BuildResult
    sources: list[SourceNews] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    @property
    def quarantined(self) -> list[SourceNews]:
        """Return the files whose last good bytes stay."""
        return [news for news in self.sources if news.status == "quarantined"]

    def as_json(self, home: Home) -> dict[str, Any]:
        """Return the refresh's answer under `--json`."""
        return {
            **self.build.as_json(home),
            "sources": [asdict(news) for news in self.sources],
            "quarantined": [asdict(news) for news in self.quarantined],
            "notices": self.notices,
            "changes": [
                {"family": r.ref.family, "version": r.ref.version, **r.changes.as_json()}
                for r in self.build.releases
                if r.changes is not None
            ],
        }


def refresh(
    home: Home,
    recipe_path: Path,
    *,
    accept: Iterable[str] = (),
    due_only: bool = False,
    fetcher: Fetcher | None = None,
    no_install: bool = False,
    listener: Listener = NOBODY,
) -> RefreshResult:
    """Ask for a recipe's sources again, build what changed, release what differs, and return what was found.

    A file that is gone, not what it was (its kind, its columns, less than half its size), or from which a city can no
    longer be built is quarantined: the last good one stays in the lock, and only there are its bytes read. `accept`
    names roles (`gtfs.feed`) whose files are taken as they come. With `due_only` an address is asked only when its
    binding's `every_hours` have passed.
    """
    loaded = load_recipe(recipe_path, families())
    accepted = _known_roles(loaded, accept)
    code = Code()
    with home.building(listener.waiting):
        before = read_lock(loaded.lock_path)
        inbox = _Inbox(home, loaded, before, accepted, fetcher or Fetcher(say=listener.say), due_only, listener.say)
        with home.snapshots.adding_many():
            files = inbox.collect()
        retired = retired_so_far(home, loaded, before)
        lock = whole_lock(home, loaded, code, [snapshot for snapshot, _ in files], retired)
        require_router(loaded, lock, no_install, listener.say)
        walked = walk_recipe(home, loaded, lock, code, listener.report)
        harmless = _without_harmful(files, last_files(loaded, before), walked.causes())
        if harmless != files:
            former = whole_lock(home, loaded, code, [snapshot for snapshot, _ in harmless], retired)
            again = walk_recipe(home, loaded, former, code, listener.report)
            if len(again.causes()) < len(walked.causes()):  # else the city is blocked for another reason
                files, walked = harmless, again
        walked = retire(home, walked, lambda lock: walk_recipe(home, loaded, lock, code, listener.report))
        if walked.lock != before:
            write_lock(loaded.lock_path, walked.lock, before)
        built = finish(home, walked, code)
    expiring = expiring_feeds(home, loaded, dt.datetime.now(dt.UTC).date())
    notices = [*_clock_notices(before), *(expiry_told(*feed) for feed in expiring)]
    return RefreshResult(built, [news for _, news in files], notices)


JudgedFiles = list[tuple[Snapshot, SourceNews]]


@dataclass
class _Inbox:
    """What the sources give now, each file judged beside the last good one."""

    home: Home
    loaded: LoadedRecipe
    before: RecipeLock | None
    accepted: frozenset[str]
    fetcher: Fetcher
    due_only: bool
    say: Callable[[str], None]

    def collect(self) -> JudgedFiles:
        """Return each bound file's snapshot and news. Raises SourceError with every file that was never had."""
        locked_snapshots = last_files(self.loaded, self.before)
        files: JudgedFiles = []
        problems: list[str] = []
        for bound in bound_files(self.loaded.recipe):
            old = locked_snapshots.get(bound.place)
            try:
                files.append(self._one(bound, old))
            except (SourceError, OSError) as error:
                if old is None or not self.home.snapshots.holds(old.sha256) or _is_ours(error):
                    problems.append(str(error))
                else:
                    files.append((old, _news(bound, old, "quarantined", str(error))))
                    self.say(f"quarantined {bound.source.name}.{bound.role}: {error}")
        if problems:
            raise SourceError("\n".join(problems))
        return files

    def _one(self, bound: BoundFile, old: Snapshot | None) -> tuple[Snapshot, SourceNews]:
        if bound.url is None:
            return self._from_disk(bound, old)
        if old is not None and self.due_only and not self._is_due(bound):
            return old, _news(bound, old, "not_due")
        now = fetched(self.home, self.fetcher, bound, old, lambda path: self._judge(bound, old, path))
        return now, _news(bound, now, _status(old, now))

    def _from_disk(self, bound: BoundFile, old: Snapshot | None) -> tuple[Snapshot, SourceNews]:
        path = bound_path(self.loaded, bound)
        assert path is not None
        if old is not None and not path.exists():
            raise SourceError(f"{bound.path}: is gone; put it back, or bind another in the recipe")
        if old is not None and path.stat().st_size == 0:
            raise SourceError(f"{bound.path}: is empty; get it again")
        now = from_disk(self.home, bound, path, old)
        if old is not None and now.sha256 != old.sha256:
            self._judge(bound, old, path)
        return now, _news(bound, now, _status(old, now))

    def _judge(self, bound: BoundFile, old: Snapshot | None, path: Path) -> None:
        """Raise SourceError if the file is unusable, or worse than the last one and not accepted."""
        role = f"{bound.source.name}.{bound.role}"
        problem = why_unusable(bound, path)
        if (
            not problem
            and old is not None
            and role not in self.accepted
            and (reason := why_worse(self.home, old, path))
        ):
            problem = f"{reason}. Accept it with --accept {role}"
        if problem:
            raise SourceError(f"{bound.path or bound.url}: {problem}")

    def _is_due(self, bound: BoundFile) -> bool:
        """Return whether the binding's hours have passed; also when the clock stands before the last time."""
        last = checked_at(self.home, bound.url or "")
        now = dt.datetime.now(dt.UTC)
        return last is None or now < last or now - last >= dt.timedelta(hours=bound.binding.every_hours)


def _without_harmful(files: JudgedFiles, last: Mapping[Place, Snapshot], causes: list[Blocked]) -> JudgedFiles:
    """Return the files, those that changed and from which a blocked city would be built put back as they were."""
    safe_files: JudgedFiles = []
    for snapshot, news in files:
        old = last.get((news.source, news.role, news.city_id, news.location))
        cause = next((c for c in causes if news.city_id in (None, c.city_id)), None)
        if old is not None and news.status == "changed" and cause is not None:
            why = f"{cause.city_id} can no longer be built at {cause.step}: {cause.reason}"
            safe_files.append((old, replace(news, status="quarantined", sha256=old.sha256, detail=why)))
        else:
            safe_files.append((snapshot, news))
    return safe_files


def _news(bound: BoundFile, snapshot: Snapshot, status: Status, detail: str = "") -> SourceNews:
    source, role, city_id, location = bound.place
    return SourceNews(source, role, city_id, location, status, snapshot.sha256, detail)


def _status(old: Snapshot | None, now: Snapshot) -> Status:
    if old is None:
        return "new"
    return "unchanged" if old.sha256 == now.sha256 else "changed"


def _is_ours(error: BaseException) -> bool:
    """Return whether the error is of this machine (a full disk, a folder not ours), not of the source."""
    return isinstance(error, OSError)


def _known_roles(loaded: LoadedRecipe, accept: Iterable[str]) -> frozenset[str]:
    roles = {f"{bound.source.name}.{bound.role}" for bound in bound_files(loaded.recipe)}
    unknown = sorted(set(accept) - roles)
    if unknown:
        raise RecipeError(f"--accept {unknown[0]}: the recipe binds no such file; it binds {', '.join(sorted(roles))}")
    return frozenset(accept)


def _clock_notices(before: RecipeLock | None) -> list[str]:
    """Return a warning if this machine's clock stands before the lock's newest retrieval. Nothing is ordered by it."""
    dates = [s.retrieved_at for s in (before.snapshots if before else []) if s.retrieved_at]
    now = dt.datetime.now(dt.UTC)
    later = [d for d in dates if dt.datetime.fromisoformat(d) > now]
    return [f"this machine's clock ({now:%Y-%m-%d %H:%M} UTC) is behind the lock's {max(later)}"] if later else []
