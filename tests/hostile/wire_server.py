"""A model server that sends whatever bytes a behaviour says, however wrong: a socket, and no HTTP library.

It counts the requests that it answers with status 200, which is what a provider would charge for.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

KEY = "sk-wire-5d1e8a77/Zq+x"
ANSWER = '{"double": 2}'

Response = Callable[[], AsyncIterator[bytes]]


class WireServer:
    """The server in a thread of its own; `{url}/{behaviour}/{any name}/v1` is an endpoint that behaves so."""

    def __init__(self) -> None:
        self.charged: Counter[str] = Counter()
        """By `behaviour/budget`: an answer may be begun long after who asked for it gave up."""
        self.url = ""
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._served: set[asyncio.Task[Any]] = set()

    def __enter__(self) -> WireServer:
        threading.Thread(target=self._serve, daemon=True).start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        def stop() -> None:
            for task in self._served:
                task.cancel()
            self._loop.call_soon(self._loop.stop)

        self._loop.call_soon_threadsafe(stop)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._answer, "127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self._ready.set()
        self._loop.run_forever()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._served.add(task)
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            head = await reader.readuntil(b"\r\n\r\n")
            trial = head.split(b" ")[1].decode().removeprefix("/").partition("/v1")[0]
            length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0] or 0)
            await reader.readexactly(length)
            first = True
            async for part in BEHAVIOURS[trial.partition("/")[0]]():
                if first and b" 200 " in part[:20]:
                    self.charged[trial] += 1
                first = False
                writer.write(part)
                await writer.drain()
        with suppress(Exception):
            writer.close()
        self._served.discard(task)


def completion(**changes: Any) -> dict[str, Any]:
    """Return a chat completion; `content`, `finish_reason` and `refusal` are put where they belong."""
    message = {"role": "assistant", "content": changes.pop("content", ANSWER), "refusal": changes.pop("refusal", None)}
    choice = {"index": 0, "message": message, "finish_reason": changes.pop("finish_reason", "stop")}
    body = {"id": "c", "model": "m-1", "choices": [choice], "usage": {"prompt_tokens": 60, "completion_tokens": 10}}
    return body | changes


def whole(body: bytes, *, status: str = "200 OK", headers: str = "") -> Response:
    """Return a response with its length."""

    async def parts() -> AsyncIterator[bytes]:
        yield f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n{headers}\r\n".encode() + body

    return parts


def said(**changes: Any) -> Response:
    """Return a completion with some things changed."""
    return whole(json.dumps(completion(**changes)).encode())


def without(name: str) -> Response:
    """Return a completion that lacks a key."""
    return whole(json.dumps({k: v for k, v in completion().items() if k != name}).encode())


def endless(chunk: bytes, *, pause_s: float = 0.0, headers: str = "") -> Response:
    """Return a response that never ends."""

    async def parts() -> AsyncIterator[bytes]:
        yield f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n{headers}\r\n".encode()
        yield b"1\r\n{\r\n"
        while True:
            yield f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n"
            await asyncio.sleep(pause_s)

    return parts


def raw(*parts_given: bytes) -> Response:
    """Return these bytes and then the end of the connection."""

    async def parts() -> AsyncIterator[bytes]:
        for part in parts_given:
            yield part

    return parts


def bomb(packing: str) -> Response:
    """Return 2 GB of spaces, packed, as a stream."""
    one = b" " * (1 << 20)

    async def parts() -> AsyncIterator[bytes]:
        yield f"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: {packing}\r\n\r\n".encode()
        pack = zlib.compressobj(9, wbits=31 if packing == "gzip" else 15)
        for _ in range(2048):
            yield pack.compress(one)
        yield pack.flush()

    return parts


def spelled(text: str) -> str:
    """Return a text as JSON may spell it, every character an escape."""
    return "".join(f"\\u{ord(c):04X}" for c in text)


async def _drip() -> AsyncIterator[bytes]:
    body = json.dumps(completion()).encode()
    yield f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    for n in range(len(body)):
        yield body[n : n + 1]
        await asyncio.sleep(0.2)


async def _silent() -> AsyncIterator[bytes]:
    await asyncio.sleep(60)
    yield b""


ENDLESS = ("endless_spaces", "endless_text", "endless_slowly", "gzip_bomb", "deflate_bomb", "drip", "silent",
           "continue_for_ever")  # fmt: skip
"""Behaviours that only a deadline ends; to all others as much time is given as a busy machine may take."""

PACKED = gzip.compress(json.dumps(completion()).encode())

BEHAVIOURS: dict[str, Response] = {
    "honest": said(),
    "honest_gzip": whole(PACKED, headers="Content-Encoding: gzip\r\n"),
    "honest_deflate": whole(zlib.compress(json.dumps(completion()).encode()), headers="Content-Encoding: deflate\r\n"),
    "endless_spaces": endless(b" " * 65536),
    "endless_text": endless(b"x" * 65536),
    "endless_slowly": endless(b" ", pause_s=0.05),
    "gzip_bomb": bomb("gzip"),
    "deflate_bomb": bomb("deflate"),
    "unknown_packing": whole(b"xx", headers="Content-Encoding: br\r\n"),
    "packing_is_a_lie": whole(json.dumps(completion()).encode(), headers="Content-Encoding: gzip\r\n"),
    "packed_and_cut": whole(PACKED[:-20], headers="Content-Encoding: gzip\r\n"),
    "nested_200000_deep": whole(b"[" * 200_000 + b"]" * 200_000),
    "nested_in_the_answer": said(content="[" * 200_000),
    "two_million_lists": whole(b'{"choices":[' + b"[]," * 2_600_000 + b"[]]}"),
    "half_a_pair_in_the_answer": whole(json.dumps(completion()).replace("double", "\\\\ud800dou").encode()),
    "half_a_pair_as_the_answer": whole(b'{"model":"m","choices":[{"message":{"content":"\\ud800"}}]}'),
    "half_a_pair_in_the_model": said(model="\ud800m"),
    "key_in_model": said(model=f"m {KEY}"),
    "key_in_fingerprint": said(system_fingerprint=f"fp {KEY}"),
    "key_in_finish_reason": said(finish_reason=KEY),
    "key_in_answer": said(content=f'{{"double": 2, "note": "{KEY}"}}'),
    "key_spelled_in_answer": said(content=f'{{"double": 2, "note": "{spelled(KEY)}"}}'),
    "key_in_refusal": said(refusal=f"no, {KEY}"),
    "key_in_400": whole(f"bad key {KEY}".encode(), status="400 Bad Request"),
    "key_in_401": whole(f"bad key {KEY}".encode(), status="401 Unauthorized"),
    "key_in_404": whole(f"bad key {KEY}".encode(), status="404 Not Found"),
    "key_spelled_in_500": whole(f'{{"error": "{spelled(KEY)}"}}'.encode(), status="500 Oops"),
    "key_in_reason_phrase": whole(b"{}", status=f"500 {KEY}"),
    "escapes_in_error": whole(b"\x1b]0;owned\x07\x1b[2J\xe2\x80\xae", status="400 Bad Request"),
    "usage_absent": without("usage"),
    "usage_null": said(usage=None),
    "usage_floats": said(usage={"prompt_tokens": 1.0, "completion_tokens": 1.5}),
    "usage_zero": said(usage={"prompt_tokens": 0, "completion_tokens": 0}),
    "usage_negative": said(usage={"prompt_tokens": -5, "completion_tokens": -5_000_000}),
    "usage_huge": said(usage={"prompt_tokens": 10**30, "completion_tokens": 10**400}),
    "usage_true": said(usage={"prompt_tokens": True, "completion_tokens": True}),
    "usage_text": said(usage={"prompt_tokens": "60", "completion_tokens": "10"}),
    "usage_a_list": said(usage=[60, 10]),
    "no_choices": said(choices=[]),
    "choices_null": said(choices=None),
    "choices_absent": without("choices"),
    "answer_in_parts": said(content=[{"type": "thinking", "thinking": [KEY]}, {"type": "text", "text": ANSWER}]),
    "answer_a_list": said(content=[ANSWER]),
    "answer_of_parts_without_text": said(content=[{"type": "text", "text": 7}, {"type": "image"}]),
    "answer_null": said(content=None),
    "answer_of_5_mb": said(content="x" * 5_000_000),
    "finish_reason_a_dict": said(finish_reason={"key": KEY}),
    "error_with_status_200": whole(json.dumps({"error": {"message": f"no provider has room {KEY}"}}).encode()),
    "body_a_number": whole(b"7"),
    "body_nan": whole(b"NaN"),
    "body_empty": whole(b""),
    "body_utf_16": whole(json.dumps(completion()).encode("utf-16")),
    "body_latin_1": said(model="m") if False else whole('{"model": "é"}'.encode("latin-1")),
    "drip": _drip,
    "silent": _silent,
    "redirect": whole(b"", status="307 Temporary Redirect", headers="Location: http://127.0.0.1:9/v1\r\n"),
    "headers_of_a_megabyte": whole(b"{}", headers="".join(f"X-{n}: {'y' * 1000}\r\n" for n in range(1000))),
    "length_is_a_lie": raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n{}"),
    "length_is_negative": raw(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}"),
    "chunks_are_broken": raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n"),
    "not_http": raw(b"SSH-2.0-OpenSSH_9.6\r\n"),
    "closed_at_once": raw(),
    "binary": raw(bytes(range(256)) * 64),
    "continue_for_ever": raw(*[b"HTTP/1.1 100 Continue\r\n\r\n"] * 2000),
    "no_content": whole(b"", status="204 No Content"),
    "retry_after_for_ever": whole(b"later", status="429 Slow", headers="Retry-After: 1e308\r\n"),
    "retry_after_nan": whole(b"later", status="503 Later", headers="Retry-After: nan\r\n"),
    "retry_after_nonsense": whole(b"later", status="429 Slow", headers="Retry-After: \xe9 0 soon\r\n"),
}
