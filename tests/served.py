"""A small web server of a folder that can be told to misbehave: for tests of fetching and refreshing."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Fault = Callable[["Handler"], bool]
"""Answers a request in another way; returns whether it did."""


@dataclass
class Served:
    """A running server: its address, what it was asked, and how paths misbehave."""

    folder: Path
    port: int = 0
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    faults: dict[str, list[Fault]] = field(default_factory=dict)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}/{path}"

    def fault(self, path: str, *faults: Fault) -> None:
        """Misbehave in these ways at the next requests of a path, one after the other; the last one stays."""
        self.faults["/" + path] = list(faults)


class Handler(BaseHTTPRequestHandler):
    """Serves files with ETag, If-None-Match and Range, unless a fault of the path answers."""

    protocol_version = "HTTP/1.1"
    served: Served

    def do_GET(self) -> None:
        self.served.asked.append((self.path, {k.lower(): v for k, v in self.headers.items()}))
        faults = self.served.faults.get(self.path, [])
        if faults and (faults.pop(0) if len(faults) > 1 else faults[0])(self):
            return
        path = self.served.folder / self.path.lstrip("/")
        if not path.is_file():
            self.answer(404, b"<html>not here</html>", {"Content-Type": "text/html"})
            return
        body = path.read_bytes()
        etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        headers = {"ETag": etag, "Last-Modified": formatdate(path.stat().st_mtime, usegmt=True)}
        if self.headers.get("If-None-Match") == etag:
            self.answer(304, b"", headers)
            return
        asked = self.headers.get("Range", "")
        if asked and self.headers.get("If-Range") == etag:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            headers["Content-Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
            self.answer(206, body[start:], headers)
            return
        self.answer(200, body, headers)

    def answer(self, status: int, body: bytes, headers: dict[str, str], length: int | None = None) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)
        if length is not None:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None: ...


def status(code: int, body: bytes = b"", **headers: str) -> Fault:
    """Return a fault that answers so; `Retry_After` is the header Retry-After."""

    def fault(handler: Handler) -> bool:
        handler.answer(code, body, {name.replace("_", "-"): value for name, value in headers.items()})
        return True

    return fault


def page(handler: Handler) -> bool:
    """Answer with a web page, as if all were well."""
    handler.answer(200, b"<!DOCTYPE html><html><body>Please log in</body></html>" * 9, {"Content-Type": "text/html"})
    return True


def breaks_off(after: int, etag: str | None = None) -> Fault:
    """Return a fault that announces the whole file and sends its first bytes only."""

    def fault(handler: Handler) -> bool:
        body = (handler.served.folder / handler.path.lstrip("/")).read_bytes()
        headers = {"ETag": etag or f'"{hashlib.sha256(body).hexdigest()[:16]}"'}
        handler.answer(200, body[:after], headers, length=len(body))
        return True

    return fault


def endless(handler: Handler) -> bool:
    """Send rows for ever, without announcing how many."""
    handler.send_response(200)
    handler.send_header("Connection", "close")
    handler.end_headers()
    handler.close_connection = True
    try:
        while True:
            handler.wfile.write(b'{"row": 1}\n' * 10_000)
    except OSError:
        return True


def well(handler: Handler) -> bool:
    """Do not misbehave."""
    return False


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """Serve a folder on a free port of this machine."""
    served = Served(folder)
    handler = type("BoundHandler", (Handler,), {"served": served})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    served.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
