"""An S3 server on loopback for tests, whose answers can be made slow and faulty."""

from __future__ import annotations

import logging
import os
import random
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

ENVIRONMENT = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}

REFUSED = b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"


class Bucket:
    """A server and its one account; `faults` is the share of requests that fail, `delay_s` what each takes longer.

    While it `refuses_writes` its account may only read.
    `at` names what is done when the server has been asked so often, once each: moments that depend on no clock.
    """

    def __init__(self) -> None:
        from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import make_server

        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._app = DomainDispatcherApplication(create_backend_app)
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True)
        self._random = random.Random(7)
        self._alone, self._counting = threading.Lock(), threading.Lock()
        self.at: dict[int, Callable[[], None]] = {}
        self.faults, self.delay_s, self.requests, self.failed = 0.0, 0.0, 0, 0
        self.refuses_writes = False
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def home(self) -> str:
        """Return the address of a home in a bucket of its own."""
        import fsspec

        name = f"home-{uuid.uuid4().hex[:12]}"
        fsspec.filesystem("s3").mkdir(name)
        return f"s3://{name}/tripwright"

    def close(self) -> None:
        self._server.shutdown()

    def _answer(self, environ: Any, start: Any) -> Any:
        with self._counting:
            self.requests += 1
            act = self.at.pop(self.requests, None)
        if act is not None:
            act()
        time.sleep(self.delay_s)
        if self.refuses_writes and environ["REQUEST_METHOD"] != "GET":
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start("403 Forbidden", [("Content-Length", str(len(REFUSED)))])
            return [REFUSED]
        if self._random.random() < self.faults:
            self.failed += 1
            kind = self._random.choice(("before", "after", "slow", "busy"))
            if kind == "slow":
                time.sleep(0.5)
            else:
                if kind == "after":  # done, but nobody is told
                    self._whole(environ, lambda *_: None)
                else:
                    environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
                start("503 Slow Down" if kind == "busy" else "500 Internal Error", [("Content-Length", "0")])
                return [b""]
        return self._whole(environ, start)

    def _whole(self, environ: Any, start: Any) -> list[bytes]:
        """Answer one writing request at a time: the stand-in looks at a condition and writes in two steps."""
        if environ["REQUEST_METHOD"] == "GET":
            return list(self._app(environ, start))
        with self._alone:
            return list(self._app(environ, start))


@contextmanager
def bucket() -> Iterator[Bucket]:
    """Yield a server that this process and those it starts find by their environment."""
    from s3fs import S3FileSystem

    served = Bucket()
    given = ENVIRONMENT | {"AWS_ENDPOINT_URL": served.url}
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    S3FileSystem.clear_instance_cache()  # one that was opened before asks the server of that time
    try:
        yield served
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)
        served.close()
