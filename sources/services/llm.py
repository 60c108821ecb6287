"""A client of any OpenAI-compatible endpoint: request bytes in, a reply or a named error out, however the server fails.

What is asked, and what an answer must be, belongs elsewhere; so does keeping it. Nothing here shows the key. Of the
openai SDK its aiohttp client is used, not the layer above it, which took two fifths more processor time a call.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from schemas.counts import counted
from schemas.engines import shown_variable
from schemas.errors import ExpectedError
from schemas.extras import require
from schemas.shown import shown
from sources.services.llm_pace import Gate, Pace
from sources.services.llm_wire import ACCEPTED_PACKINGS, ReplyError, Scrub, completion, read_body

if TYPE_CHECKING:
    from httpx2 import AsyncClient

TRANSIENT = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529))
"""Statuses that mean `ask again later`."""
REDIRECTS = frozenset((301, 302, 303, 307, 308))
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
LONGEST_WAIT_ASKED_S = 600.0
"""A server that asks (Retry-After) for a longer wait than this is out of service for us."""
SHOWN_CHARACTERS = 300
OUT_OF_CREDIT = "insufficient_quota"


class ModelError(ExpectedError):
    """A model's answers cannot be had; says what was found and what to do, and never holds the key."""


class EndpointError(ModelError):
    """The endpoint cannot be used at all: absent, a wrong key, an unknown model. No other call would fare better."""


class NoReplyError(ModelError):
    """One call got no reply, however often it was sent; nothing says that it never will."""


class RefusedRequestError(ModelError):
    """The endpoint refuses this very request (400, 413, 422), and would again."""


@dataclass(frozen=True)
class Reply:
    """One completed call: the answer as text, why it ended, who gave it, what it used, how long and often it took.

    Tokens are None where the server does not tell them, or tells what cannot be.
    """

    answer: str
    finish_reason: str
    is_refusal: bool
    revision: str
    system_fingerprint: str
    prompt_tokens: int | None
    completion_tokens: int | None
    latency_s: float
    tries: int


class ModelClient:
    """Sends request bytes to one endpoint, as many at once as it bears. One event loop a client; see `opened`."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key_env: str | None,
        concurrency: int,
        requests_per_minute: int | None,
        tokens_per_minute: int | None,
        deadline_s: float,
        retries: int,
        first_pause_s: float = FIRST_PAUSE_S,
    ) -> None:
        """Read the key from the environment. Raises EndpointError if the variable holds none, or what is no key."""
        key = os.environ.get(api_key_env, "").strip() if api_key_env else ""
        if api_key_env and not key:
            name = shown_variable(api_key_env)
            raise EndpointError(f"{name} is not set; the recipe says that it holds the key of {base_url}")
        unfit = next((place for place, sign in enumerate(key, 1) if not "!" <= sign <= "~"), None)
        if unfit:
            raise EndpointError(
                f"the key in ${api_key_env} holds at place {unfit} a character that no key has (a space, a line's end, "
                "a quotation mark of a text program); set it again, as it was issued"
            )
        require("models")
        from httpx2 import URL

        self.base_url = base_url
        self._key, self._key_env = key, api_key_env
        self._scrub = Scrub(self._key)
        self._deadline_s, self._retries, self._first_pause_s = deadline_s, retries, first_pause_s
        self._concurrency = concurrency
        self._requests, self._tokens = Pace(requests_per_minute), Pace(tokens_per_minute)
        self._gate = Gate(concurrency)
        self._url = URL(f"{base_url.rstrip('/')}/chat/completions")
        self._headers = {
            "Content-Type": "application/json",
            "Accept-Encoding": ACCEPTED_PACKINGS,
            **({"Authorization": f"Bearer {self._key}"} if key else {}),
        }
        self._http: AsyncClient | None = None
        self._has_replied = False

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[ModelClient]:
        """Open the connections that `send` uses, and close them at the end."""
        from httpx2 import Limits
        from openai import DefaultAioHttpClient

        self._gate.restart()
        self._long_body = asyncio.Lock()
        timeout = self._deadline_s + 5  # ours ends the call; this one only guards against a lost timer
        limits = Limits(max_connections=self._concurrency, max_keepalive_connections=self._concurrency)
        async with DefaultAioHttpClient(limits=limits, timeout=timeout, follow_redirects=False) as http:
            self._http = http
            try:
                yield self
            finally:
                self._http = None

    async def send(self, body: bytes, *, tokens: int, on_lost: Callable[[], None] = lambda: None) -> Reply:
        """Return the reply to a request body. `tokens` is what it will use, as estimated, for the limit per minute.

        `on_lost` is called after each sending that the server may charge for though it gave no reply that can be used;
        what it raises ends the call. Raises EndpointError, NoReplyError or RefusedRequestError; each says what was
        found and never holds the key.
        """
        started = time.monotonic()
        tries = 1
        while True:
            try:
                return await self._send_once(body, tokens, tries)
            except _TransientError as error:
                if error.may_cost:
                    on_lost()
                seconds = time.monotonic() - started
                given_up = self._given_up(error, tries, seconds) if tries > self._retries else None
                pause_s = 0.0 if given_up else self._pause_s(error, tries)
            if given_up is not None:
                raise given_up  # not while the other is handled: it would keep that one's frames, and the long body
            await asyncio.sleep(pause_s)
            tries += 1

    def _given_up(self, error: _TransientError, tries: int, seconds: float) -> ModelError:
        """Return the error of a request that was sent as often as may be."""
        text = (
            f"{self.base_url} gave no reply to a request sent {counted(tries, 'time')} in {seconds:.0f} s; the last "
            f"time: {error.what}"
        )
        if error.is_absent and not self._has_replied:
            return EndpointError(f"{text}. Is the server running, and is base_url right?")
        return NoReplyError(text)

    async def _send_once(self, body: bytes, tokens: int, tries: int) -> Reply:
        await self._requests.take(1)
        await self._tokens.take(tokens)
        async with self._gate:
            sent = time.monotonic()
            try:
                async with asyncio.timeout(self._deadline_s):
                    status, headers, text = await self._post(body)
            except TimeoutError:
                self._gate.narrow()
                raise _TransientError(f"no whole reply within {self._deadline_s:g} s", may_cost=True) from None
            if status != 200:
                error = self._error(status, headers, text)
                text = ""  # whoever keeps the error would keep the body
                raise error
            reply = self._reply(text, time.monotonic() - sent, tries)
            self._gate.widen()
            self._has_replied = True
            return reply

    async def _post(self, body: bytes) -> tuple[int, Any, str]:
        """Return status, headers and text of the response, whatever it is."""
        assert self._http is not None, "send() is for use inside `async with client.opened()`"
        status = 0
        why: dict[str, Any] = {}
        try:
            async with self._http.stream("POST", self._url, content=body, headers=self._headers) as response:
                status = response.status_code
                packing = response.headers.get("content-encoding", "")
                return status, response.headers, await read_body(response.aiter_raw(), packing, self._long_body)
        except ReplyError as error:
            what = f"status {status}: {self._clean(str(error))}"
            why = {"may_cost": status == 200}
        except Exception as error:  # whatever the layers below make of what a server sends
            what = self._clean(f"{type(error).__name__}: {error}")
            is_absent = "Connect" in type(error).__name__
            why = {"is_absent": is_absent, "may_cost": not is_absent and status in (0, 200)}
        raise _TransientError(what, **why)  # not while `error` is handled: it would keep the body that was read so far

    def _error(self, status: int, headers: Any, text: str) -> Exception:
        """Return what an HTTP status other than 200 means for the call."""
        clean_text = self._clean(text)
        if status in (401, 403):
            key = (
                f"the key in ${self._key_env}" if self._key_env else "a request without a key (api_key_env is not set)"
            )
            why = f": {clean_text}" if status == 403 else ""  # a 401 may show a part of the key
            return EndpointError(f"{self.base_url} refuses {key} (status {status}){why}")
        if status == 404:
            return EndpointError(
                f"{self.base_url} knows no such model or address (status 404): {clean_text}. Check model and base_url."
            )
        if status == 402 or (status == 429 and OUT_OF_CREDIT in text):
            return EndpointError(f"{self.base_url} says that its account has no credit (status {status}): {clean_text}")
        if status in REDIRECTS:
            where = self._clean(headers.get("location", "")) or "nowhere"
            return EndpointError(
                f"{self.base_url} redirects to {where} (status {status}), where no key is sent; set base_url to the "
                "address that answers"
            )
        if status not in TRANSIENT:
            return RefusedRequestError(f"status {status}: {clean_text}")
        if status == 429:
            self._gate.narrow()
        return _TransientError(f"status {status}: {clean_text}", wait_s=_asked_wait_s(headers))

    def _reply(self, text: str, latency_s: float, tries: int) -> Reply:
        """Return the reply in a 200's body. A body that is no chat completion, such as half of one, is transient."""
        try:
            return Reply(**completion(text, self._scrub), latency_s=round(latency_s, 4), tries=tries)
        except ReplyError as error:
            what = f"the body is no chat completion ({self._clean(str(error))})"
        raise _TransientError(what, may_cost=True)

    def _pause_s(self, error: _TransientError, tries: int) -> float:
        """Return how long to wait before sending again: as the server asks, else longer and longer, by chance."""
        if error.wait_s is not None:
            if error.wait_s > LONGEST_WAIT_ASKED_S:
                raise EndpointError(f"{self.base_url} asks for a pause of {error.wait_s:.0f} s; build again after it")
            return error.wait_s + random.random() * self._first_pause_s  # noqa: S311
        longest = min(LONGEST_PAUSE_S, self._first_pause_s * 2 ** (tries - 1))
        return random.uniform(longest / 2, longest)  # noqa: S311

    def _clean(self, text: str) -> str:
        """Return text that came from outside without the key, which a server may echo, on one line, short."""
        return " ".join(shown(self._scrub(text)).split())[:SHOWN_CHARACTERS]


class _TransientError(Exception):
    """A failure that sending again may mend."""

    def __init__(
        self, what: str, *, wait_s: float | None = None, is_absent: bool = False, may_cost: bool = False
    ) -> None:
        super().__init__(what)
        self.what, self.wait_s, self.is_absent, self.may_cost = what, wait_s, is_absent, may_cost


def _asked_wait_s(headers: Any) -> float | None:
    """Return the seconds that Retry-After asks for (a number or a date), None if it asks for none."""
    retry_after = headers.get("retry-after")
    if not retry_after:
        return None
    with contextlib.suppress(ValueError):
        return max(0.0, float(retry_after))
    with contextlib.suppress(ValueError, TypeError):
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    return None
