"""The inputs of a recipe as snapshots in the raw store: files from disk, and files fetched from their addresses.

How what was fetched is judged before it replaces what was there is `refresh.py`.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.walk.fingerprint import Code
from pipelines.walk.invented_files import invented_files, known_invented
from pipelines.walk.locks import lock_difference, read_lock, write_lock
from pipelines.walk.overrides import entries_of
from pipelines.walk.recipes import BoundFile, LoadedRecipe, bound_files
from pipelines.walk.successors import why_unusable, why_worse
from schemas.recipe import RecipeLock, RetiredTask
from schemas.source import Snapshot, SourceError
from sources.corrections.overrides import WITHDRAWN, withdrawn_tasks
from warehouse.cache import folder_of
from warehouse.home import Home
from warehouse.store import StoreError

if TYPE_CHECKING:
    from sources.services.fetch import Fetcher

RECIPES_KEY = "recipes"
"""Below it the home keeps where the locks of its recipes are, so that `gc` frees nothing that they need."""

FETCHES = "fetches"
"""The leases of those who ask an address."""

Place = tuple[str, str, str | None, str]
"""Where a file is bound: its source, role and city, and its path in the recipe, or its address alone."""

Judge = Callable[[Path], None]
"""Looks at fetched bytes before they are kept; raises SourceError if they must not be."""


def resolve(
    home: Home,
    loaded: LoadedRecipe,
    code: Code,
    *,
    locked: bool = False,
    worse: Callable[[str], None] | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> RecipeLock:
    """Return the lock of the recipe's inputs as they are now, all of them kept in the home's raw store.

    Files are read where they lie; an address is asked only if its locked bytes are not in the store (`refresh` asks
    always). Writes the lock beside the recipe if an input changed; with `locked` refuses instead. A file that is gone
    but whose locked bytes are in the store is taken from there. Raises SourceError with every file that cannot be had,
    and with those that are worse than the locked ones, unless `worse` takes the words of them;
    `say` hears which address is asked.
    """
    before = read_lock(loaded.lock_path)
    locked_snapshots = last_files(loaded, before)
    snapshots: list[Snapshot] = []
    problems: list[str] = []
    with home.snapshots.adding_many():
        for bound in bound_files(loaded.recipe):
            try:
                old = locked_snapshots.get(bound.place)
                judge = _as_it_is if locked else partial(_judge, home, bound, old, worse)
                snapshots.append(_resolved(home, loaded, bound, old, judge, say))
            except (SourceError, OSError) as error:
                problems.append(str(error))
    if problems:
        raise SourceError("\n".join(problems))
    retired = before.retired if locked and before else retired_so_far(home, loaded, before)
    lock = whole_lock(home, loaded, code, snapshots, retired)
    if before is None or before != lock:
        if locked:
            raise SourceError(lock_difference(loaded, before, lock))
        write_lock(loaded.lock_path, lock, before)
    return lock


def _as_it_is(path: Path) -> None:
    """Judge nothing: whether a file is the locked one is all that is asked."""


def _judge(home: Home, bound: BoundFile, old: Snapshot | None, worse: Callable[[str], None] | None, path: Path) -> None:
    """Tell, or raise SourceError, that a file that changed is unusable or worse than the last one."""
    problem = why_unusable(bound, path) or (why_worse(home, old, path) if old else "")
    if problem and worse is None:
        raise SourceError(f"{bound.path or bound.url}: {problem}")
    if problem and worse:
        worse(f"{bound.path or bound.url}: {problem}")


def taken_though(problem: str) -> str:
    """Return what a person who builds a file that is worse than the last is told."""
    return f"{problem}. It is taken as it lies; `tripwright refresh` keeps such files out"


def known_lock(home: Home, loaded: LoadedRecipe, code: Code) -> RecipeLock | None:
    """Return the lock that `resolve` would give, by what is here: nothing is fetched, copied or written.

    None where an input was never had. Raises RecipeError for a lock that tripwright did not write.
    """
    before = read_lock(loaded.lock_path)
    locked_snapshots = last_files(loaded, before)
    snapshots: list[Snapshot] = []
    for bound in bound_files(loaded.recipe):
        path, old = bound_path(loaded, bound), locked_snapshots.get(bound.place)
        if path is not None and path.is_file() and not (old and bound.url and was_fetched(old, bound)):
            sha256 = home.snapshots.sha256_of(path)
            if old is None or old.sha256 != sha256:
                size = path.stat().st_size
                old = _snapshot(bound, sha256, size, None, None, fetched=False)
            snapshots.append(old)
        elif old is not None:
            snapshots.append(old)
        else:
            return None
    invented = known_invented(home, loaded.recipe, code)
    if invented is None:
        return None
    retired = retired_so_far(home, loaded, before)
    return RecipeLock(recipe=loaded.recipe.name, snapshots=[*snapshots, *invented], retired=retired).sealed()


def whole_lock(
    home: Home, loaded: LoadedRecipe, code: Code, snapshots: list[Snapshot], retired: Iterable[RetiredTask]
) -> RecipeLock:
    """Return the lock of bound files' snapshots, of the recipe's invented world, and of the tasks retired so far."""
    where = str(loaded.lock_path.resolve())
    key = f"{RECIPES_KEY}/{_name(where)}.json"
    if noted_lock(home, key) is None:
        home.store.put(key, json.dumps({"lock": where}).encode())
    invented = invented_files(home, loaded.recipe, code)
    retired_tasks = [r for r in retired if not r.reason.startswith(WITHDRAWN)]
    retired_tasks += [r for s in snapshots if s.source == "corrections" for r in withdrawn_tasks(entries_of(home, s))]
    lock = RecipeLock(recipe=loaded.recipe.name, snapshots=[*snapshots, *invented], retired=retired_tasks)
    return lock.sealed()


def retired_so_far(home: Home, loaded: LoadedRecipe, lock: RecipeLock | None) -> list[RetiredTask]:
    """Return the tasks that a recipe's lock retired, then those that only its releases here tell of.

    An id that a release retired names no other task, though somebody deleted the lock, or put an older one back.
    """
    locked = {task.task_id: task for task in lock.retired} if lock else {}
    retired: dict[str, RetiredTask] = {}
    for ref in home.releases.find(""):
        if ref.recipe == loaded.recipe.name and ref.family in loaded.sections:
            with contextlib.suppress(StoreError):  # a damaged manifest tells nothing, and is told where it is opened
                entries = home.releases.manifest(ref).retired
                retired |= {e["task_id"]: RetiredTask.model_validate({**e, "family": ref.family}) for e in entries}
    unlocked_tasks = (t for t in retired.values() if t.task_id not in locked and not t.reason.startswith(WITHDRAWN))
    return [*locked.values(), *sorted(unlocked_tasks, key=lambda task: (task.family, task.task_id))]


def noted_lock(home: Home, key: str) -> Path | None:
    """Return where the home noted that a recipe's lock is; None where it did not, or what it noted is damaged."""
    noted = home.store.read_if_there(key) or b""
    try:
        where = json.loads(noted)["lock"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return Path(where) if isinstance(where, str) and key == f"{RECIPES_KEY}/{_name(where)}.json" else None


def locked_files(lock: RecipeLock | None) -> dict[Place, Snapshot]:
    """Return what a lock holds by `BoundFile.place`."""
    return {(s.source, s.role, s.city_id, s.location): s for s in (lock.snapshots if lock else [])}


def last_files(loaded: LoadedRecipe, lock: RecipeLock | None) -> dict[Place, Snapshot]:
    """Return what a lock holds of the recipe's files by `BoundFile.place`, under the terms that the recipe now says.

    Whoever keeps an old file, since no newer one was had, keeps none of its old licence.
    """
    locked, bounds = locked_files(lock), {bound.place: bound for bound in bound_files(loaded.recipe)}
    return {place: _with_terms(locked[place], bound) for place, bound in bounds.items() if place in locked}


def _resolved(
    home: Home,
    loaded: LoadedRecipe,
    bound: BoundFile,
    old: Snapshot | None,
    judge: Judge,
    say: Callable[[str], None],
) -> Snapshot:
    """Return the snapshot of one bound file: what was fetched last, the file on disk, or what the address gives."""
    path = bound_path(loaded, bound)
    if old is not None and bound.url is not None and was_fetched(old, bound) and home.snapshots.holds(old.sha256):
        return old
    if path is not None and (path.exists() or bound.url is None):
        now = from_disk(home, bound, path, old)
        if old is not None and now.sha256 != old.sha256:
            judge(path)
        return now
    from sources.services.fetch import Fetcher

    return fetched(home, Fetcher(say=say), bound, old, judge)


def bound_path(loaded: LoadedRecipe, bound: BoundFile) -> Path | None:
    """Return where a bound file lies, if the recipe gives a path."""
    return (loaded.path.parent / bound.path).resolve() if bound.path is not None else None


def was_fetched(snapshot: Snapshot, bound: BoundFile) -> bool:
    """Return whether a snapshot's bytes came from the file's address, not from its path."""
    return snapshot.url == bound.url and snapshot.fetched


def from_disk(home: Home, bound: BoundFile, path: Path, old: Snapshot | None) -> Snapshot:
    """Return the snapshot of a file on disk; `old`, if the file is gone and its bytes are in the store."""
    if old is not None and not path.exists() and home.snapshots.holds(old.sha256):
        return old
    try:
        sha256, size, modified = home.snapshots.add(path)
    except SourceError as error:
        if path.exists():
            raise
        raise SourceError(f"{error} {bound.source.title}: {bound.source.how_to_get}") from None
    is_same = old is not None and old.sha256 == sha256
    return _snapshot(bound, sha256, size, old.retrieved_at if is_same and old else modified, None, fetched=False)


def fetched(
    home: Home, fetcher: Fetcher, bound: BoundFile, old: Snapshot | None, judge: Judge = lambda _: None
) -> Snapshot:
    """Return the snapshot of what a bound file's address gives now: dated as before if the bytes are the same.

    What a killed process left of the transfer is continued. One process at a time asks an address, so that those who
    refresh at once see one answer. Raises SourceError as `Fetcher.fetch` and `judge` do; nothing is kept then.
    """
    with home.leases.alone(f"{FETCHES}/{_name(bound.url or '')}"):
        return _fetched_alone(home, fetcher, bound, old, judge)


def _fetched_alone(home: Home, fetcher: Fetcher, bound: BoundFile, old: Snapshot | None, judge: Judge) -> Snapshot:
    from sources.services.fetch import Terms, Validators

    url = bound.url or ""
    folder = home.store.folder("fetch") or folder_of(home.url, "fetch")
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / _name(url)
    answer = _last_answer(home, url)
    if answer is None and old is not None and was_fetched(old, bound) and home.snapshots.holds(old.sha256):
        answer = _Answer(url, old.sha256, old.size_bytes, old.retrieved_at or "", old.etag, None)
    validators = Validators(answer.etag, answer.last_modified) if answer else Validators()
    terms = Terms(frozenset(bound.binding.allow_hosts), bound.binding.max_size_mb << 20, bound.format)
    transfer = fetcher.fetch(url, target, validators, terms)
    if transfer.is_changed:
        judge(target)
        sha256, size, _ = home.snapshots.add(target)
        dated = [d.retrieved_at for d in (old, answer) if d is not None and d.sha256 == sha256 and d.retrieved_at]
        retrieved_at = dated[0] if dated else _now()
        answer = _Answer(url, sha256, size, retrieved_at, transfer.validators.etag, transfer.validators.last_modified)
        target.unlink()
    if answer is None:
        raise SourceError(f"{url}: the server says that the file did not change, but it was never asked that")
    home.store.put(f"fetched/{_name(url)}.json", json.dumps({**answer.__dict__, "checked_at": _now()}).encode())
    if old is not None and was_fetched(old, bound) and old.sha256 == answer.sha256:
        return old
    return _snapshot(bound, answer.sha256, answer.size_bytes, answer.retrieved_at, answer.etag, fetched=True)


@dataclass(frozen=True)
class _Answer:
    """What an address gave last: the bytes, in the raw store, and how to ask whether they changed."""

    url: str
    sha256: str
    size_bytes: int
    retrieved_at: str
    etag: str | None
    last_modified: str | None


def _last_answer(home: Home, url: str) -> _Answer | None:
    """Return what an address gave last; None if nothing that is still here, or the record of it is damaged."""
    data = home.store.read_if_there(f"fetched/{_name(url)}.json") or b""
    try:
        record = json.loads(data)
        record.pop("checked_at")
        answer = _Answer(**record)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return answer if home.snapshots.holds(answer.sha256) else None


def checked_at(home: Home, url: str) -> dt.datetime | None:
    """Return when an address was last asked with success; None if it never was, or the record of it is damaged."""
    data = home.store.read_if_there(f"fetched/{_name(url)}.json") or b""
    try:
        record = json.loads(data)
        return dt.datetime.fromisoformat(record["checked_at"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _with_terms(snapshot: Snapshot, bound: BoundFile) -> Snapshot:
    """Return the snapshot under the licence and attribution that the recipe now says."""
    return snapshot.model_copy(update=_terms(bound))


def _snapshot(
    bound: BoundFile, sha256: str, size: int, retrieved_at: str | None, etag: str | None, *, fetched: bool
) -> Snapshot:
    source, role, city_id, location = bound.place
    return Snapshot(
        source=source,
        role=role,
        city_id=city_id,
        location=location,
        sha256=sha256,
        size_bytes=size,
        retrieved_at=retrieved_at,
        url=bound.url,
        etag=etag,
        fetched=fetched,
        **_terms(bound),
    )


def _terms(bound: BoundFile) -> dict[str, str]:
    attribution = bound.binding.attribution
    return {
        "licence_id": bound.binding.licence or bound.source.licence_id,
        "attribution": bound.source.attribution if attribution is None else attribution,
    }


def _name(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()[:32]


def _now() -> str:
    return dt.datetime.now(dt.UTC).replace(microsecond=0).isoformat()
