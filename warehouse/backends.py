"""How bytes lie under paths: in a folder, in an S3 bucket, or in this process's memory. Nothing here knows keys.

Each can put what is absent and swap what is known, so that no writer replaces what it has not seen: by hard links and
a lock in a folder, by If-None-Match and If-Match in a bucket.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Protocol, TypeVar

import fsspec
from fsspec.implementations.local import LocalFileSystem

from schemas.extras import require
from warehouse.disk import writing
from warehouse.owners import mark

SCRATCH = "tmp"
BUCKET_OPTIONS = {"use_listings_cache": False, "config_kwargs": {"retries": {"max_attempts": 10, "mode": "standard"}}}
"""Others write to a bucket meanwhile, so that no listing is remembered; one that answers 500 or 503 is asked again."""

CONFLICT = ("412", "409", "PreconditionFailed", "ConditionalRequestConflict")
REQUEST_TRIES = 8
"""So often is a request sent to a bucket that answers with an error of its own, or not in time."""

SILENT_AFTER_S, TOLD_EVERY_S = 5.0, 60.0
"""A bucket that has not answered a request for so long is told, and not again for so long."""

WAITING: ContextVar[Callable[[str], None] | None] = ContextVar("waiting", default=None)
"""Who is told of a bucket that keeps silent: it is asked again for minutes, without a word of its own."""

_TOLD_S: dict[str, float] = {}
"""When each bucket was told last: one command opens it several times."""

MARK = "tripwright-put"
"""The name under which an object says by which put it was written."""

Asked = TypeVar("Asked", bound=Callable[..., Any])
Tagged = tuple[bytes, str]
"""Bytes, and what tells them from every other state of the same path."""


class Backend(Protocol):
    """Bytes under paths. A missing path raises FileNotFoundError."""

    root: str
    is_local: bool

    def exists(self, path: str) -> bool:
        """Return whether there are bytes."""
        ...

    def read(self, path: str) -> Tagged:
        """Return the bytes and their tag."""
        ...

    def put(self, path: str, data: bytes | memoryview, synced: bool) -> None:
        """Replace what is there, as one step."""
        ...

    def put_new(self, path: str, data: bytes) -> bool:
        """Put the bytes unless there are any; return whether they were put."""
        ...

    def swap(self, path: str, data: bytes, tag: str) -> bool:
        """Replace the bytes that have this tag; return False, and change nothing, if others are there.

        A bucket's answer may be lost, and others may have swapped since: then False is returned of what was done. What
        is swapped must bear being done twice.
        """
        ...

    def put_file(self, path: str, file: Path) -> None:
        """Move a finished local file there, as one step."""
        ...

    def get_file(self, path: str, file: Path) -> None:
        """Copy the bytes to a local file."""
        ...

    def delete(self, path: str) -> None:
        """Remove the bytes, if there are any."""
        ...

    def size(self, path: str) -> int:
        """Return how many bytes there are."""
        ...

    def find(self, folder: str) -> list[str]:
        """Return every path below a folder, in order. Raises OSError where it cannot be listed."""
        ...


def backend_of(url: str) -> Backend:
    """Return how bytes lie at an address. Raises ValueError for what is neither a folder nor an S3 bucket."""
    protocol = fsspec.core.split_protocol(url)[0]
    if protocol in ("s3", "s3a"):
        require("s3")
        if not url.partition("://")[2].partition("/")[0]:
            raise ValueError(f"{url}: found no name of a bucket; expected s3://BUCKET/PREFIX")
        return _Bucket(*fsspec.core.url_to_fs(url, **BUCKET_OPTIONS))
    if protocol not in (None, "file", "local", "memory"):
        raise ValueError(
            f"{url}: found an address of `{protocol}`; expected a folder or s3://BUCKET/PREFIX. Other stores are not "
            "tried: a home needs writes on conditions"
        )
    fs, root = fsspec.core.url_to_fs(url)
    if not isinstance(fs, LocalFileSystem):
        return _Memory(fs, str(root))
    if os.path.lexists(root) and not os.path.isdir(root):  # noqa: PTH112
        raise ValueError(f"{url}: found what is no folder; expected one, or the name of one to make")
    try:
        str(root).encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{root}: found a path that is not in UTF-8; expected one, by which tables can be read. Name another, or, "
            "where it looks right in the terminal, set LANG to a locale of UTF-8 (LANG=C.UTF-8)"
        ) from None
    return _Folder(str(root))


class _Folder:
    """Files of a folder of this machine, or of one that several machines mount."""

    is_local = True

    def __init__(self, root: str) -> None:
        self.root = str(Path(root).absolute())

    def exists(self, path: str) -> bool:
        return os.path.exists(path)  # noqa: PTH110  (asked thousands of times a build)

    def read(self, path: str) -> Tagged:
        data = Path(path).read_bytes()
        return data, hashlib.sha256(data).hexdigest()

    def put(self, path: str, data: bytes | memoryview, synced: bool) -> None:
        with writing(self._named(path), self.root, size_bytes=len(data)):
            written = self._written(data, synced)
            try:
                os.replace(written, made(path))  # noqa: PTH105
            except OSError:
                os.unlink(written)  # noqa: PTH108
                raise

    def put_new(self, path: str, data: bytes) -> bool:
        with writing(self._named(path), self.root, size_bytes=len(data)):
            written = self._written(data, synced=False)
            try:
                os.link(written, made(path))
            except FileExistsError:
                return False
            finally:
                os.unlink(written)  # noqa: PTH108
            return True

    def swap(self, path: str, data: bytes, tag: str) -> bool:
        with self._alone():
            try:
                _, now = self.read(path)
            except FileNotFoundError:
                return False
            if now != tag:
                return False
            self.put(path, data, synced=True)
        return True

    def put_file(self, path: str, file: Path) -> None:
        with writing(self._named(path), self.root, size_bytes=0):  # its bytes are on this disk: only its name is new
            with file.open("rb") as opened:
                os.fsync(opened.fileno())
            os.replace(file, made(path))  # noqa: PTH105

    def get_file(self, path: str, file: Path) -> None:
        file.write_bytes(Path(path).read_bytes())

    def delete(self, path: str) -> None:
        Path(path).unlink(missing_ok=True)

    def size(self, path: str) -> int:
        return Path(path).stat().st_size

    def find(self, folder: str) -> list[str]:
        return sorted(f"{where}/{name}" for where, _, names in os.walk(folder, onerror=_unlisted) for name in names)

    def _written(self, data: bytes | memoryview, synced: bool) -> str:
        path = f"{self.root}/{SCRATCH}/{mark()}{uuid.uuid4().hex}"
        try:
            with made(path).open("wb") as file:
                file.write(data)
                if synced:
                    file.flush()
                    os.fsync(file.fileno())
        except OSError:
            Path(path).unlink(missing_ok=True)
            raise
        return path

    def _named(self, path: str) -> str:
        return f"`{path.removeprefix(self.root + '/')}`"

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold a lock that the system lets go when its holder ends, however it ends."""
        with made(f"{self.root}/{SCRATCH}/swap").open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _asked(method: Asked) -> Asked:
    """Return the method of a bucket whose errors name it and say what to look at.

    They are OSErrors: of no answer (no keys, no server, none of the name), and of an answer that refuses.
    """

    @functools.wraps(method)
    def ask(bucket: _Bucket, *args: Any, **given: Any) -> Any:
        from botocore.exceptions import BotoCoreError

        try:
            with _told_if_silent(bucket):
                return method(bucket, *args, **given)
        except FileNotFoundError as error:
            if not _is_no_bucket(error) and method.__name__ != "find":  # what is absent of a list is the bucket
                raise
            raise OSError(f"s3://{bucket.root}: found no such bucket; make it first, or name another") from error
        except (BotoCoreError, ValueError, OSError) as error:  # a ValueError is of an address that is none
            if isinstance(error, OSError) and not _code(error):
                raise  # this machine's: a disk that is full
            raise OSError(
                f"s3://{bucket.root}: {error}; expected a bucket that answers and may be written: check its name, the "
                "keys (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, or their files), what they may do, and the address "
                "(AWS_ENDPOINT_URL)"
            ) from error

    return ask  # pyright: ignore[reportReturnType]


@contextlib.contextmanager
def _told_if_silent(bucket: _Bucket) -> Iterator[None]:
    """Tell who waits inside the `with`, after some seconds, for whom."""
    say = WAITING.get()
    if say is None:
        yield
        return

    def tell() -> None:
        now = time.monotonic()
        if now >= _TOLD_S.get(bucket.root, -TOLD_EVERY_S) + TOLD_EVERY_S:
            _TOLD_S[bucket.root] = now
            say(f"asking s3://{bucket.root}{address}: no answer for {SILENT_AFTER_S:g} s; waiting on. Ctrl-C ends it")

    given = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    address = f" at {given.rpartition('@')[2]}" if given else ""  # a name and a key may stand before it
    timer = threading.Timer(SILENT_AFTER_S, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class _Bucket:
    """Objects of an S3 bucket. Nothing is remembered of it: others write to it meanwhile."""

    is_local = False

    def __init__(self, fs: Any, root: str) -> None:
        self._fs, self.root = fs, root.rstrip("/")
        self._fs.retries = REQUEST_TRIES

    @_asked
    def exists(self, path: str) -> bool:
        try:
            self._call("head_object", path)
        except FileNotFoundError:
            return False
        return True

    @_asked
    def read(self, path: str) -> Tagged:
        import fsspec.asyn

        answer: Any = fsspec.asyn.sync(self._fs.loop, self._read, path)
        return answer

    @_asked
    def put(self, path: str, data: bytes | memoryview, synced: bool) -> None:  # noqa: ARG002  (a bucket always is)
        self._fs.pipe_file(path, bytes(data))

    @_asked
    def put_new(self, path: str, data: bytes) -> bool:
        return self._conditional(path, data, {"IfNoneMatch": "*"})

    @_asked
    def swap(self, path: str, data: bytes, tag: str) -> bool:
        return self._conditional(path, data, {"IfMatch": tag})

    @_asked
    def put_file(self, path: str, file: Path) -> None:
        self._fs.put_file(str(file), path)
        file.unlink()

    @_asked
    def get_file(self, path: str, file: Path) -> None:
        self._fs.get_file(path, str(file))

    @_asked
    def delete(self, path: str) -> None:
        self._call("delete_object", path)

    @_asked
    def size(self, path: str) -> int:
        return int(self._call("head_object", path)["ContentLength"])

    @_asked
    def find(self, folder: str) -> list[str]:
        self._fs.invalidate_cache()
        return sorted(str(path) for path in self._fs.find(folder))

    async def _read(self, path: str) -> Tagged:
        bucket, key, _ = self._fs.split_path(path)
        answer = await self._fs._call_s3("get_object", Bucket=bucket, Key=key)
        async with answer["Body"] as body:
            return await body.read(), answer["ETag"]

    def _call(self, method: str, path: str, **given: Any) -> Any:
        bucket, key, _ = self._fs.split_path(path)
        return self._fs.call_s3(method, Bucket=bucket, Key=key, **given)

    def _conditional(self, path: str, data: bytes, condition: dict[str, str]) -> bool:
        """Put the bytes on a condition and return whether it held.

        Where an answer was lost, and the request sent again, it is looked up whose bytes are there: each put is marked.
        """
        mark = uuid.uuid4().hex
        try:
            self._call("put_object", path, Body=data, Metadata={MARK: mark}, **condition)
        except FileNotFoundError as error:
            if _is_no_bucket(error):
                raise
            return False
        except OSError as error:
            if not _is_conflict(error):
                raise
            with contextlib.suppress(FileNotFoundError):
                return self._call("head_object", path).get("Metadata", {}).get(MARK) == mark
            return False
        return True


class _Memory:
    """Bytes in this process's memory, through fsspec: for tests of what is said of every store."""

    is_local = False
    _alone = threading.RLock()

    def __init__(self, fs: Any, root: str) -> None:
        self._fs, self.root = fs, root.rstrip("/")

    def exists(self, path: str) -> bool:
        return bool(self._fs.exists(path))

    def read(self, path: str) -> Tagged:
        data = bytes(self._fs.cat_file(path))
        return data, hashlib.sha256(data).hexdigest()

    def put(self, path: str, data: bytes | memoryview, synced: bool) -> None:  # noqa: ARG002  (memory never is)
        self._fs.pipe_file(path, bytes(data))

    def put_new(self, path: str, data: bytes) -> bool:
        with self._alone:
            if self.exists(path):
                return False
            self.put(path, data, synced=False)
        return True

    def swap(self, path: str, data: bytes, tag: str) -> bool:
        with self._alone:
            if not self.exists(path) or self.read(path)[1] != tag:
                return False
            self.put(path, data, synced=False)
        return True

    def put_file(self, path: str, file: Path) -> None:
        self.put(path, file.read_bytes(), synced=False)
        file.unlink()

    def get_file(self, path: str, file: Path) -> None:
        file.write_bytes(self.read(path)[0])

    def delete(self, path: str) -> None:
        if self.exists(path):
            self._fs.rm_file(path)

    def size(self, path: str) -> int:
        return int(self._fs.size(path))

    def find(self, folder: str) -> list[str]:
        return sorted(str(path) for path in self._fs.find(folder)) if self._fs.exists(folder) else []


def _unlisted(error: OSError) -> None:
    """Raise the error of a folder that could not be listed: what is in it is not absent. One that is gone is empty."""
    if not isinstance(error, FileNotFoundError):
        raise error


def made(path: str) -> Path:
    """Return the path, in a folder that is there."""
    folder = os.path.dirname(path)  # noqa: PTH120  (asked thousands of times a build)
    if not os.path.isdir(folder):  # noqa: PTH112
        Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(path)


def _is_conflict(error: OSError) -> bool:
    """Return whether a bucket refused a write because of its condition."""
    return _code(error) in CONFLICT


def _is_no_bucket(error: OSError) -> bool:
    """Return whether what is missing is the bucket and not an object of it."""
    return _code(error) == "NoSuchBucket"


def _code(error: OSError) -> str:
    """Return the code of a bucket's answer that an error is of; empty where it answered nothing."""
    answer = getattr(error.__cause__, "response", {})
    return str(answer.get("Error", {}).get("Code", ""))
