"""Bytes in an S3 bucket: what is absent is put by If-None-Match, what is known is swapped by If-Match.

Errors name the bucket and say what to look at; of a bucket that keeps silent whoever waits is told.
"""

from __future__ import annotations

import contextlib
import functools
import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

import fsspec

from schemas.extras import require
from warehouse.backend import Backend, Tagged

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

Method = TypeVar("Method", bound=Callable[..., Any])


def bucket_at(url: str) -> Backend:
    """Return the bucket at an address, s3://BUCKET/PREFIX. Raises ValueError where it names none."""
    require("s3")
    if not url.partition("://")[2].partition("/")[0]:
        raise ValueError(f"{url}: found no name of a bucket; expected s3://BUCKET/PREFIX")
    return _Bucket(*fsspec.core.url_to_fs(url, **BUCKET_OPTIONS))


def _with_named_errors(method: Method) -> Method:
    """Return the method of a bucket whose errors name it and say what to look at.

    They are OSErrors: of no answer (no keys, no server, none of the name), and of an answer that refuses.
    """

    @functools.wraps(method)
    def ask(bucket: _Bucket, *args: Any, **keywords: Any) -> Any:
        from botocore.exceptions import BotoCoreError

        try:
            with _told_if_silent(bucket):
                return method(bucket, *args, **keywords)
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

    endpoint_url = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    address = f" at {endpoint_url.rpartition('@')[2]}" if endpoint_url else ""  # a name and a key may stand before it
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

    @_with_named_errors
    def exists(self, path: str) -> bool:
        try:
            self._call("head_object", path)
        except FileNotFoundError:
            return False
        return True

    @_with_named_errors
    def read(self, path: str) -> Tagged:
        import fsspec.asyn

        answer: Any = fsspec.asyn.sync(self._fs.loop, self._read, path)
        return answer

    @_with_named_errors
    def put(self, path: str, data: bytes | memoryview, synced: bool) -> None:  # noqa: ARG002  (a bucket always is)
        self._fs.pipe_file(path, bytes(data))

    @_with_named_errors
    def put_new(self, path: str, data: bytes) -> bool:
        return self._conditional(path, data, {"IfNoneMatch": "*"})

    @_with_named_errors
    def swap(self, path: str, data: bytes, tag: str) -> bool:
        return self._conditional(path, data, {"IfMatch": tag})

    @_with_named_errors
    def put_file(self, path: str, file: Path) -> None:
        self._fs.put_file(str(file), path)
        file.unlink()

    @_with_named_errors
    def get_file(self, path: str, file: Path) -> None:
        self._fs.get_file(path, str(file))

    @_with_named_errors
    def delete(self, path: str) -> None:
        self._call("delete_object", path)

    @_with_named_errors
    def size(self, path: str) -> int:
        return int(self._call("head_object", path)["ContentLength"])

    @_with_named_errors
    def find(self, folder: str) -> list[str]:
        self._fs.invalidate_cache()
        return sorted(str(path) for path in self._fs.find(folder))

    async def _read(self, path: str) -> Tagged:
        bucket, key, _ = self._fs.split_path(path)
        answer = await self._fs._call_s3("get_object", Bucket=bucket, Key=key)
        async with answer["Body"] as body:
            return await body.read(), answer["ETag"]

    def _call(self, method: str, path: str, **arguments: Any) -> Any:
        bucket, key, _ = self._fs.split_path(path)
        return self._fs.call_s3(method, Bucket=bucket, Key=key, **arguments)

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
