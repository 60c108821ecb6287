"""A stand-in for a model: a real HTTP server that answers as told, and fails in every way that servers do.

It counts what it answered (`paid`), by request, so that a test can say that nothing was paid for twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

from aiohttp import web

KEY = "sk-standin-7f3a9c0e5b"
MODEL = "standin-1"

Brain = Callable[[list[dict[str, str]]], str]
"""What the model answers to messages."""
Fault = Callable[[bytes, int], str]
"""The name of the fault for a request's bytes, the n-th time they are seen; "" for none."""

FAULTS = (
    "429", "500", "503", "hang", "cut", "bad_body", "invalid_json", "wrong_shape", "language", "empty", "refusal",
    "refusal_text", "truncated", "filtered", "duplicate_keys", "many",
)  # fmt: skip
TRANSPORT_FAULTS = ("429", "500", "503", "hang", "cut", "bad_body")
"""Faults of which the caller pays nothing."""


class ModelServer:
    """The server in a thread of its own; `with ModelServer(brain) as server: server.url`."""

    def __init__(
        self,
        brain: Brain,
        fault: Fault = lambda body, nth: "",
        *,
        latency_s: float = 0.0,
        modes: tuple[str, ...] = ("json_schema", "json_object", "text"),
        model: str = MODEL,
        revision: str = "standin-1-2026",
        needs_key: bool = True,
        retry_after: str = "0",
    ) -> None:
        self.brain, self.fault, self.latency_s, self.modes, self.revision = brain, fault, latency_s, modes, revision
        self.model, self.needs_key, self.retry_after = model, needs_key, retry_after
        self.seen: Counter[bytes] = Counter()
        self.paid: Counter[bytes] = Counter()
        self.tokens = [0, 0]
        self.faults: Counter[str] = Counter()
        self.most_at_once = self._at_once = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._hung: set[asyncio.Task[Any]] = set()
        self.url = ""

    def __enter__(self) -> ModelServer:
        threading.Thread(target=self._serve, daemon=True).start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._start())
        self._loop.run_forever()

    async def _start(self) -> None:
        app = web.Application(client_max_size=64 << 20)
        app.router.add_post("/v1/chat/completions", self._answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{port}/v1"
        self._ready.set()

    async def _stop(self) -> None:
        for task in self._hung:
            task.cancel()
        await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            return await self._answered(request)
        finally:
            self._at_once -= 1

    async def _answered(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.seen[body] += 1
        given = json.loads(body)
        if self.needs_key and request.headers.get("Authorization") != f"Bearer {KEY}":
            text = f"Incorrect key {request.headers.get('Authorization')}"
            return web.json_response({"error": {"message": text}}, status=401)
        if given["model"] != self.model:
            return web.json_response({"error": {"message": f"no model {given['model']}"}}, status=404)
        mode = given.get("response_format", {"type": "text"})["type"]
        if mode not in self.modes:
            return web.json_response({"error": {"message": f"response_format {mode} is not supported"}}, status=400)
        fault = self.fault(body, self.seen[body])
        self.faults[fault] += 1
        if fault in ("429", "503"):
            headers = {"Retry-After": self.retry_after} if self.retry_after else {}
            return web.json_response({"error": {"message": "later"}}, status=int(fault), headers=headers)
        if fault == "403":
            text = f"not in your country, {KEY}"
            return web.json_response({"error": {"message": text}}, status=403)
        if fault == "500":
            return web.Response(text="<h1>oops</h1>", status=500)
        if fault == "hang":
            self._hung.add(task := asyncio.ensure_future(asyncio.sleep(3600)))
            await asyncio.wait([task])
        await asyncio.sleep(self.latency_s)
        answer = self.brain(given["messages"])
        reply = self._reply(given, *spoiled(fault, answer))
        if fault in ("cut", "bad_body"):
            return await self._half(request, json.dumps(reply), is_cut=fault == "cut")
        self.paid[body] += 1
        self.tokens[0] += reply["usage"]["prompt_tokens"]
        self.tokens[1] += reply["usage"]["completion_tokens"]
        return web.json_response(reply)

    def _reply(self, given: dict[str, Any], answer: str, finish: str, refusal: str | None) -> dict[str, Any]:
        message = {"role": "assistant", "content": None if refusal else answer, "refusal": refusal}
        usage = {
            "prompt_tokens": sum(len(m["content"]) // 4 for m in given["messages"]),
            "completion_tokens": len(answer) // 4 + 1,
        }
        return {
            "id": "c",
            "object": "chat.completion",
            "created": 0,
            "model": self.revision,
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": usage,
        }

    async def _half(self, request: web.Request, text: str, *, is_cut: bool) -> web.StreamResponse:
        """Send the first half of a body: with the whole one announced, or as if it were the whole."""
        if not is_cut:
            return web.Response(text=text[: len(text) // 2], content_type="application/json")
        response = web.StreamResponse(headers={"Content-Length": str(len(text)), "Content-Type": "application/json"})
        await response.prepare(request)
        await response.write(text[: len(text) // 2].encode())
        assert request.transport is not None
        request.transport.close()
        return response


def spoiled(fault: str, answer: str) -> tuple[str, str, str | None]:
    """Return an answer, its finish_reason and a refusal, as a fault would have them."""
    if fault == "invalid_json":
        return answer[:-1] + ",", "stop", None
    if fault == "wrong_shape":
        return json.dumps({"result": [answer]}), "stop", None
    if fault == "language":
        return "以下是您要的回答，希望对您有帮助。", "stop", None
    if fault == "empty":
        return "", "stop", None
    if fault == "refusal":
        return answer, "stop", "I cannot help with that."
    if fault == "refusal_text":
        return "I'm sorry, but I can't help with that.", "stop", None
    if fault == "truncated":
        return answer[: len(answer) // 2], "length", None
    if fault == "filtered":
        return answer[: len(answer) // 2], "content_filter", None
    if fault == "duplicate_keys":
        return re.sub(r"\{", '{"x":1,"x":2,', answer, count=1), "stop", None
    if fault == "many":
        return f"{answer}\n{answer}", "stop", None
    return answer, "stop", None


def mixed(share: float, faults: tuple[str, ...] = FAULTS) -> Fault:
    """Return faults for a share of the requests, chosen by their bytes; those that cost nothing the first time only."""

    def fault(body: bytes, nth: int) -> str:
        digest = hashlib.sha256(body).digest()
        name = faults[digest[4] % len(faults)]
        is_hit = int.from_bytes(digest[:4], "big") < share * 2**32
        return name if is_hit and (nth == 1 or name not in TRANSPORT_FAULTS) else ""

    return fault


def always(name: str) -> Fault:
    """Return the same fault for every request."""
    return lambda body, nth: name


def at_first(name: str, times: int = 1) -> Fault:
    """Return the fault for the first sendings of each request; one in an answer is not made when asked again."""
    return lambda body, nth: name if nth <= times and b'"role":"assistant"' not in body else ""
